//! The kind of a document, and whether its version is supported.
//!
//! The members of the root decide. A document of an unexpected kind results in a diagnostic that
//! names the right command, and in no view. Files that are not JSON are recognized by their start:
//! see [`foreign`](super::foreign).

use super::checks::Check;
use super::field::{List, Read};
use super::plan::Plan;
use super::schemas::{SchemaOf, Schemas};
use super::state::{RawResource, RawState, Resource, State};
use super::upgrade;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::document::Document;
use crate::json::{Node, Object};

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A plan.
    Plan,
    /// A plan without planned values and configuration, and with sensitive values removed.
    RedactedPlan,
    /// A printed state.
    State,
    /// A printed state with sensitive values removed.
    RedactedState,
    /// A state file, version 4.
    RawState,
    /// A state file of version 1 to 3.
    OldState,
    /// A state file of an unknown version.
    UnknownState,
    /// The settings of a backend or a state store, `.terraform/terraform.tfstate`: a state file
    /// without a state.
    BackendSettings,
    /// Provider schemas.
    Schemas,
    /// Only a version: an empty state, or the schemas of no provider.
    OnlyVersion,
    /// `{}`: printed for a plan file without a plan.
    Empty,
    /// A state or plan file that OpenTofu has encrypted.
    Encrypted,
    /// A configuration without a plan.
    Configuration,
    /// The signatures of functions.
    Functions,
    /// The result of `validate -json`.
    Validation,
    /// The result of `version -json`.
    Version,
    /// One message of a stream of messages.
    Message,
    /// A configuration file of OpenTofu, Terraform or Packer.
    ConfigurationFile,
    /// A template of Packer in the format before HCL.
    LegacyTemplate,
    /// A text for people, by the name of its file.
    Prose,
    /// A YAML document, by the name of its file.
    Yaml,
    /// A TOML document, by the name of its file.
    Toml,
    /// Native HCL syntax, not JSON.
    NativeSyntax,
    /// The binary file that `plan -out` writes, not JSON.
    PlanFile,
    /// Output of a tool for people, not JSON.
    ToolOutput,
    /// A page of HTML or XML, not JSON.
    Page,
    /// None of these.
    Other,
}

impl DocumentKind {
    /// The kind of a document that is certainly not a configuration file: no member is a block
    /// type, and some identify another kind. `None` for a document that may be a configuration file
    /// with errors. Cost: one pass over the members.
    #[must_use]
    pub fn instead_of_configuration(root: Node<'_>) -> Option<Self> {
        let (mut has_block, mut has_version, mut has_tool) = (false, false, false);
        for member in root.as_object()?.members() {
            match member.name().to_bytes() {
                b"version" => has_version = true,
                b"format_version" | b"terraform_version" => has_tool = true,
                name => has_block |= is_block_type(name),
            }
        }
        let kind = Self::of(root);
        let is_sure = match kind {
            Self::RedactedPlan | Self::RedactedState | Self::Encrypted => true,
            Self::Message | Self::LegacyTemplate => true,
            Self::RawState | Self::OldState | Self::UnknownState => has_version,
            Self::BackendSettings => has_version,
            Self::Empty | Self::ConfigurationFile | Self::Other => false,
            _ => has_tool,
        };
        (is_sure && !has_block).then_some(kind)
    }

    /// The kind that the members of a root object identify. Cost: one pass over them.
    ///
    /// ```
    /// use simd_hcl::show::{DocumentKind, Plan};
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// assert_eq!(DocumentKind::of(document.root()), DocumentKind::Plan);
    /// assert!(plan.drift().next().is_none());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn of(root: Node<'_>) -> Self {
        let Some(object) = root.as_object() else { return Self::Other };
        let mut members = object.members().map(|member| member.name().to_bytes()).peekable();
        if members.peek().is_none() {
            return Self::Empty;
        }
        let mut kind = Self::OnlyVersion;
        let mut has_version = false;
        let mut is_versioned_state = false;
        let mut has_state = false;
        for name in members {
            let found = match name {
                b"planned_values" | b"resource_changes" => Self::Plan,
                b"plan_format_version" => Self::RedactedPlan,
                b"state_format_version" => Self::RedactedState,
                b"encrypted_data" => return Self::Encrypted,
                b"values" => Self::State,
                b"provider_schemas" => Self::Schemas,
                b"function_signatures" => Self::Functions,
                b"diagnostics" => Self::Validation,
                b"platform" => Self::Version,
                b"root_module" => Self::Configuration,
                b"@message" => Self::Message,
                b"builders" => Self::LegacyTemplate,
                name if is_block_type(name) => Self::ConfigurationFile,
                b"lineage" | b"serial" => Self::RawState,
                b"format_version" => {
                    has_version = true;
                    continue;
                }
                b"version" => {
                    is_versioned_state = true;
                    continue;
                }
                b"resources" | b"outputs" | b"modules" | b"check_results" | b"backend"
                | b"state_store" => {
                    has_state = true;
                    continue;
                }
                b"terraform_version" | b"checks" => continue,
                _ => Self::Other,
            };
            kind = kind.stronger(found);
        }
        // The tools read a missing serial number as 0.
        let is_state = is_versioned_state && !has_version && has_state && is_numbered(object);
        match kind {
            Self::RawState => Self::of_state_file(object),
            Self::OnlyVersion if is_state => Self::of_state_file(object),
            Self::OnlyVersion if has_state => Self::Other,
            Self::OnlyVersion if is_versioned_state && !has_version => Self::Other,
            kind => kind,
        }
    }

    fn of_state_file(object: Object<'_>) -> Self {
        let has_elements =
            |node: Option<Node<'_>>| node.and_then(Node::as_array).is_some_and(|it| !it.is_empty());
        let modules = object.get("modules").and_then(Node::as_array);
        let has_resources = has_elements(object.get("resources"))
            || modules.into_iter().flat_map(|modules| modules.elements()).any(|module| {
                let resources = module.as_object().and_then(|module| module.get("resources"));
                resources.and_then(Node::as_object).is_some_and(|it| !it.is_empty())
            });
        let is_elsewhere = ["backend", "state_store"]
            .into_iter()
            .any(|name| object.get(name).is_some_and(Node::is_object));
        if is_elsewhere && !has_resources {
            return Self::BackendSettings;
        }
        match object.get("version").and_then(u64::read) {
            Some(4) => Self::RawState,
            Some(1..=3) => Self::OldState,
            _ => Self::UnknownState,
        }
    }

    /// The more certain of two kinds that members suggest.
    fn stronger(self, other: Self) -> Self {
        let rank = |kind| match kind {
            Self::OnlyVersion => 0,
            Self::Other => 1,
            Self::Version | Self::ConfigurationFile | Self::LegacyTemplate => 2,
            // A redacted document embeds schemas and changes.
            Self::RedactedPlan | Self::RedactedState => 5,
            Self::Plan => 4,
            _ => 3,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// The name of the kind, with an article: "a plan".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plan => "a plan",
            Self::RedactedPlan => "a redacted plan",
            Self::State => "a state",
            Self::RedactedState => "a redacted state",
            Self::RawState => "a state file",
            Self::OldState => "a state file of version 1 to 3",
            Self::UnknownState => "a state file of an unknown version",
            Self::BackendSettings => "a file of backend settings",
            Self::Schemas => "a schema document",
            Self::OnlyVersion => "an empty state",
            Self::Empty => "an empty object",
            Self::Encrypted => "an encrypted file",
            Self::Configuration => "a configuration",
            Self::Functions => "function signatures",
            Self::Validation => "the result of a validation",
            Self::Version => "the versions of a tool",
            Self::Message => "a stream of messages",
            Self::ConfigurationFile => "a configuration file",
            Self::LegacyTemplate => "a Packer template from before HCL",
            Self::Prose => "a text for people",
            Self::Yaml => "a YAML document",
            Self::Toml => "a TOML document",
            Self::NativeSyntax => "native HCL syntax",
            Self::PlanFile => "a binary plan file",
            Self::ToolOutput => "the output of a tool for people",
            Self::Page => "a page of HTML or XML",
            Self::Other => "another document",
        }
    }

    /// A hint on how to read it, as a sentence: `` `simd-hcl plan` reads it.`` Empty if there is
    /// none.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Plan | Self::RedactedPlan | Self::Empty => "`simd-hcl plan` reads it.",
            Self::State
            | Self::RedactedState
            | Self::RawState
            | Self::OldState
            | Self::OnlyVersion => "`simd-hcl state` reads it.",
            Self::BackendSettings => {
                "The state itself is in the backend: `tofu state pull` or `terraform state pull` prints it."
            }
            Self::Schemas => "`simd-hcl schema` reads it.",
            Self::Message => {
                "`simd-hcl plan` summarises it; `show -json PLANFILE` prints the plan itself."
            }
            Self::PlanFile => "`simd-hcl plan` reads it.",
            Self::NativeSyntax => {
                "Name the file `.tf`, `.tofu`, `.tfvars` or `.pkr.hcl`, without `.json`."
            }
            Self::Prose | Self::Yaml | Self::Toml => {
                "Name a directory, or a file of configuration, a plan or a state."
            }
            Self::ToolOutput => {
                "`show -json PLANFILE` prints a plan as JSON, `show -json` the state, `plan -json` events."
            }
            Self::Page => "A server sent it instead of the document.",
            Self::ConfigurationFile => "`simd-hcl check` reads it.",
            Self::LegacyTemplate => "`packer hcl2_upgrade` converts it.",
            _ => "",
        }
    }
}

/// Whether a document has a version that is a whole number, as state files have.
fn is_numbered(object: Object<'_>) -> bool {
    object.get("version").and_then(u64::read).is_some()
}

/// Whether a name is a block type at the root of configuration files.
fn is_block_type(name: &[u8]) -> bool {
    matches!(
        name,
        b"resource"
            | b"data"
            | b"module"
            | b"terraform"
            | b"provider"
            | b"variable"
            | b"output"
            | b"locals"
            | b"packer"
            | b"source"
            | b"build"
    )
}

/// A version of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// A greater number breaks readers.
    pub major: u64,
    /// A greater number only adds members.
    pub minor: u64,
}

/// Reads `MAJOR.MINOR` or `MAJOR.MINOR.PATCH`.
#[must_use]
pub fn version(text: &str) -> Option<Version> {
    let mut parts = text.split('.').map(|part| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u64>().ok()).flatten()
    });
    let version = Version { major: parts.next()??, minor: parts.next()?? };
    match (parts.next(), parts.next()) {
        (None | Some(Some(_)), None) => Some(version),
        _ => None,
    }
}

/// The object at the root if its kind is expected; otherwise reports a diagnostic.
fn root<'a>(
    document: Document<'a>,
    expected: &'static str,
    kinds: &[DocumentKind],
    sink: &mut dyn Sink<'a>,
) -> Option<Object<'a>> {
    let node = document.root();
    let kind = DocumentKind::of(node);
    if kinds.contains(&kind) {
        return node.as_object();
    }
    if kind == DocumentKind::Encrypted {
        sink.report(Diagnostic::new(Code::EncryptedDocument, node.start_label()));
        return None;
    }
    let arena = node.source().arena();
    let found = match (kind, node.as_object().map(|object| object.get("version"))) {
        (DocumentKind::UnknownState, Some(Some(version))) => {
            let version = String::from_utf8_lossy(version.text());
            arena.format(format_args!("a state file of version {version}"))
        }
        (_, Some(_)) => kind.name(),
        (_, None) => node.type_name(),
    };
    sink.report(Diagnostic::new(Code::UnexpectedDocument, node.start_label()).with_arguments(&[
        found,
        expected,
        kind.advice(),
    ]));
    None
}

/// Reports a missing or unknown version. Returns whether the version is supported.
fn check_version<'a>(
    object: Object<'a>,
    names: &[&'static str],
    path: &'static str,
    sink: &mut dyn Sink<'a>,
) -> bool {
    let source = object.node().source();
    let Some(node) = names.iter().find_map(|name| object.get(name)) else {
        let place = object.node().start_span();
        sink.report(
            Diagnostic::new(Code::MissingFormatVersion, Label::new(source, place))
                .with_arguments(&[path]),
        );
        return true;
    };
    let is_known = |text: &str| version(text).is_some_and(|version| version.major <= 1);
    if node.to_str().is_some_and(is_known) {
        return true;
    }
    let text = source.arena().format(format_args!("{}", String::from_utf8_lossy(node.text())));
    let why = match node.to_str() {
        Some(version_text) if version(version_text).is_some() => {
            "but only major versions 0 and 1 are supported"
        }
        Some(_) => "which is not a version such as \"1.0\"",
        None if node.as_number().is_some() => "a number, but a version is a text such as \"1.0\"",
        None => "but a version is a text such as \"1.0\"",
    };
    sink.report(
        Diagnostic::new(Code::UnknownFormatVersion, node.label())
            .with_arguments(&[path, text, why]),
    );
    false
}

impl<'a> Plan<'a> {
    /// The document as a plan. Reports a document of another kind or of an unknown major version,
    /// and returns `None` for it.
    ///
    /// The same holds for a prior state of an unknown major version. Reports a missing version. `{}`
    /// is a plan without changes.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [DocumentKind::Plan, DocumentKind::RedactedPlan, DocumentKind::Empty];
        let object = root(document, "a plan", &kinds, sink)?;
        document.source().set_secret();
        let names = ["format_version", "plan_format_version"];
        if !object.is_empty() && !check_version(object, &names, "format_version", sink) {
            return None;
        }
        let plan = Self::read(object.node())?;
        if let Some(prior) = plan.prior_state().value()
            && !prior.object().is_empty()
            && !check_version(
                prior.object(),
                &["format_version"],
                "prior_state.format_version",
                sink,
            )
        {
            return None;
        }
        Some(plan)
    }

    /// Reports every member whose type differs from the format. Opens everything but attributes.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }

    /// Like [`check`](Self::check), for members of the root by name, such as `resource_changes`.
    /// Only the types of other members are checked; they stay sealed.
    pub fn check_members(self, names: &[&str], sink: &mut dyn Sink<'a>) {
        Self::shape().check_members(self.object(), names, sink);
    }
}

impl<'a> State<'a> {
    /// The document as a printed state. Reports a document of another kind or of an unknown major
    /// version, and returns `None` for it. A document with only a version is an empty state.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [DocumentKind::State, DocumentKind::RedactedState, DocumentKind::OnlyVersion];
        let object = root(document, "a state", &kinds, sink)?;
        document.source().set_secret();
        let names = ["format_version", "state_format_version"];
        let is_known = check_version(object, &names, "format_version", sink);
        is_known.then(|| Self::read(object.node())).flatten()
    }

    /// Reports every member whose type differs from the format.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }

    /// The conditions of the state.
    pub fn all_checks(self) -> impl Iterator<Item = Check<'a>> {
        self.checks().value().into_iter().flat_map(List::iter)
    }
}

impl<'a> RawState<'a> {
    /// The document as a state file. Reports a document of another kind, and returns `None` for it.
    /// Versions 1 to 3 are read as the tools upgrade them to version 4; positions are those in the
    /// upgraded text.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [DocumentKind::RawState, DocumentKind::OldState];
        let object = root(document, "a state file", &kinds, sink)?;
        document.source().set_secret();
        if DocumentKind::of(object.node()) == DocumentKind::OldState {
            let upgraded = upgrade::upgraded(object)?;
            upgraded.source().set_secret();
            return Self::read(upgraded.root());
        }
        Self::read(object.node())
    }

    /// Reports every member whose type differs from the format.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

impl<'a> Resource<'a> {
    /// Reports every member whose type differs from the format, like [`State::check`].
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

impl<'a> RawResource<'a> {
    /// Reports every member whose type differs from the format, like [`RawState::check`].
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

impl<'a> Schemas<'a> {
    /// The document as provider schemas. Reports a document of another kind or of an unknown major
    /// version, and returns `None` for it. A document with only a version has no provider.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [
            DocumentKind::Schemas,
            DocumentKind::OnlyVersion,
            DocumentKind::RedactedPlan,
            DocumentKind::RedactedState,
        ];
        let object = root(document, "a schema document", &kinds, sink)?;
        let names = ["format_version", "provider_format_version"];
        let is_known = check_version(object, &names, "format_version", sink);
        is_known.then(|| Self::read(object.node())).flatten()
    }

    /// Reports every member whose type differs from the format. Opens everything.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

impl<'a> SchemaOf<'a> {
    /// Reports every member whose type differs from the format. Paths start at the schema.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

#[cfg(test)]
mod tests {
    use super::{Version, version};

    #[test]
    fn versions() {
        assert_eq!(version("1.2"), Some(Version { major: 1, minor: 2 }));
        assert_eq!(version("0.1.7"), Some(Version { major: 0, minor: 1 }));
        for text in ["", "1", "1.", "+1.2", "1.2.x", "1.2.3.4", "99999999999999999999.1"] {
            assert_eq!(version(text), None, "{text}");
        }
    }
}
