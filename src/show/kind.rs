//! What a document is, and whether its version can be read.
//!
//! In goes the root; its members decide. Whoever expects one kind and is given another gets a diagnostic, and
//! a view all the same: what both kinds have in common can be read.

use super::checks::Check;
use super::field::{List, Read};
use super::plan::Plan;
use super::schemas::{SchemaOf, Schemas};
use super::state::{RawState, State};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::document::Document;
use crate::json::{Node, Object};

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A plan.
    Plan,
    /// A plan without planned values and configuration, sensitive values taken out.
    RedactedPlan,
    /// A state as it is printed.
    State,
    /// A state with sensitive values taken out.
    RedactedState,
    /// A state file, version 4.
    RawState,
    /// A state file of another version.
    OldState,
    /// Provider schemas.
    Schemas,
    /// A version and nothing else: an empty state, or the schemas of no provider.
    OnlyVersion,
    /// `{}`: what is printed for a plan without a plan.
    Empty,
    /// A state or plan file that OpenTofu has encrypted.
    Encrypted,
    /// The configuration alone.
    Configuration,
    /// The signatures of functions.
    Functions,
    /// The result of `validate -json`.
    Validation,
    /// The result of `version -json`.
    Version,
    /// One message of a stream of messages.
    Message,
    /// None of these.
    Other,
}

impl DocumentKind {
    /// What the members of a root object say. Cost: one pass over them.
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
                b"lineage" | b"serial" => Self::RawState,
                b"format_version" => {
                    has_version = true;
                    continue;
                }
                b"version" => {
                    is_versioned_state = true;
                    continue;
                }
                b"terraform_version" | b"checks" => continue,
                _ => Self::Other,
            };
            kind = kind.stronger(found);
        }
        match kind {
            Self::RawState if object.get("version").and_then(u64::read) != Some(4) => {
                Self::OldState
            }
            Self::OnlyVersion if is_versioned_state && !has_version => Self::Other,
            kind => kind,
        }
    }

    /// Of two kinds that members speak for, the one that is more certain.
    fn stronger(self, other: Self) -> Self {
        let rank = |kind| match kind {
            Self::OnlyVersion => 0,
            Self::Other => 1,
            Self::Version => 2,
            // A redacted document embeds schemas and changes.
            Self::RedactedPlan | Self::RedactedState => 5,
            Self::Plan => 4,
            _ => 3,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// What it is, with an article: "a plan".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plan => "a plan",
            Self::RedactedPlan => "a redacted plan",
            Self::State => "a state",
            Self::RedactedState => "a redacted state",
            Self::RawState => "a state file",
            Self::OldState => "a state file of another version than 4",
            Self::Schemas => "provider schemas",
            Self::OnlyVersion => "an empty state",
            Self::Empty => "an empty object",
            Self::Encrypted => "an encrypted file",
            Self::Configuration => "a configuration",
            Self::Functions => "function signatures",
            Self::Validation => "the result of a validation",
            Self::Version => "the versions of a tool",
            Self::Message => "a stream of messages",
            Self::Other => "another document",
        }
    }
}

/// A version of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// A greater one breaks readers.
    pub major: u64,
    /// A greater one adds.
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

/// The object at the root and whether it is of one of the kinds expected; a diagnostic if it is not.
fn root<'a>(
    document: Document<'a>,
    expected: &'static str,
    kinds: &[DocumentKind],
    sink: &mut dyn Sink<'a>,
) -> Option<(Object<'a>, bool)> {
    let node = document.root();
    let kind = DocumentKind::of(node);
    let is_expected = kinds.contains(&kind);
    if kind == DocumentKind::Encrypted {
        sink.report(Diagnostic::new(Code::EncryptedDocument, node.start_label()));
    } else if !is_expected {
        let found = match (kind, node.as_object()) {
            (DocumentKind::OldState, Some(object)) => match object.get("version") {
                Some(version) => {
                    let version = String::from_utf8_lossy(version.text());
                    node.source().arena().format(format_args!("a state file of version {version}"))
                }
                None => "a state file without a version",
            },
            (_, Some(_)) => kind.name(),
            (_, None) => node.type_name(),
        };
        sink.report(
            Diagnostic::new(Code::UnexpectedDocument, node.start_label())
                .with_arguments(&[found, expected]),
        );
    }
    node.as_object().map(|object| (object, is_expected))
}

/// Reports a version that is missing or unknown.
fn check_version<'a>(
    object: Object<'a>,
    names: &[&'static str],
    path: &'static str,
    is_expected: bool,
    sink: &mut dyn Sink<'a>,
) {
    let source = object.node().source();
    let Some(node) = names.iter().find_map(|name| object.get(name)) else {
        // Other kinds of documents need none.
        if !is_expected {
            return;
        }
        let place = object.node().start_span();
        return sink.report(
            Diagnostic::new(Code::MissingFormatVersion, Label::new(source, place))
                .with_arguments(&[path]),
        );
    };
    let is_known = |text: &str| version(text).is_some_and(|version| version.major <= 1);
    if !node.to_str().is_some_and(is_known) {
        let text = source.arena().format(format_args!("{}", String::from_utf8_lossy(node.text())));
        sink.report(
            Diagnostic::new(Code::UnknownFormatVersion, node.label()).with_arguments(&[path, text]),
        );
    }
}

impl<'a> Plan<'a> {
    /// The document as a plan. None if its root is no object.
    ///
    /// Reports a document of another kind and an unknown version, that of the prior state included; the
    /// view is given all the same. `{}` is a plan without changes.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [DocumentKind::Plan, DocumentKind::RedactedPlan, DocumentKind::Empty];
        let (object, is_expected) = root(document, "a plan", &kinds, sink)?;
        if !object.is_empty() {
            check_version(
                object,
                &["format_version", "plan_format_version"],
                "format_version",
                is_expected,
                sink,
            );
        }
        let plan = Self::read(object.node())?;
        if let Some(prior) = plan.prior_state().value()
            && !prior.object().is_empty()
        {
            check_version(
                prior.object(),
                &["format_version"],
                "prior_state.format_version",
                true,
                sink,
            );
        }
        Some(plan)
    }

    /// Reports every member that has another type than the format says. Opens all but attributes.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }

    /// The same for members of the root by name, `resource_changes` for instance. Of the others only their own
    /// types are looked at; they stay sealed.
    pub fn check_members(self, names: &[&str], sink: &mut dyn Sink<'a>) {
        Self::shape().check_members(self.object(), names, sink);
    }
}

impl<'a> State<'a> {
    /// The document as a printed state. None if its root is no object.
    ///
    /// Reports a document of another kind and an unknown version; the view is given all the same. A document
    /// with nothing but a version is an empty state.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [DocumentKind::State, DocumentKind::RedactedState, DocumentKind::OnlyVersion];
        let (object, is_expected) = root(document, "a state", &kinds, sink)?;
        check_version(
            object,
            &["format_version", "state_format_version"],
            "format_version",
            is_expected,
            sink,
        );
        Self::read(object.node())
    }

    /// Reports every member that has another type than the format says.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }

    /// The conditions of the state.
    pub fn all_checks(self) -> impl Iterator<Item = Check<'a>> {
        self.checks().value().into_iter().flat_map(List::iter)
    }
}

impl<'a> RawState<'a> {
    /// The document as a state file. None if its root is no object. Reports a document of another kind, and
    /// versions other than 4; the view is given all the same.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [DocumentKind::RawState];
        let (object, _) = root(document, "a state file of version 4", &kinds, sink)?;
        Self::read(object.node())
    }

    /// Reports every member that has another type than the format says.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

impl<'a> Schemas<'a> {
    /// The document as provider schemas. None if its root is no object.
    ///
    /// Reports a document of another kind and an unknown version; the view is given all the same. A document
    /// with nothing but a version has no provider.
    pub fn of(document: Document<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kinds = [
            DocumentKind::Schemas,
            DocumentKind::OnlyVersion,
            DocumentKind::RedactedPlan,
            DocumentKind::RedactedState,
        ];
        let (object, is_expected) = root(document, "provider schemas", &kinds, sink)?;
        let names = ["format_version", "provider_format_version"];
        check_version(object, &names, "format_version", is_expected, sink);
        Self::read(object.node())
    }

    /// Reports every member that has another type than the format says. Opens everything.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

impl<'a> SchemaOf<'a> {
    /// Reports every member that has another type than the format says. Paths start at the schema.
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
