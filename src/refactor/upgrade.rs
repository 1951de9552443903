//! Upgrades modules, providers or the tool: sets the versions that the modules of a tree require.
//!
//! [`Request`] says what is upgraded, and [`plan`] returns the edits. Only versions that are written
//! change: a call or a requirement without one is in `not_changed`, and so is a computed version.
//! Lock files are those of the tools, and are in `not_changed` if they have to change.
//!
//! ```
//! use simd_hcl::refactor::upgrade::{Request, Subject};
//!
//! let request = Request::new(Subject::Provider("hashicorp/aws"), "~> 6.0").with_from("~> 5.0");
//! assert_eq!(request.from, Some("~> 5.0"));
//! ```

use std::collections::BTreeSet;

use super::change::{Change, NotChanged, Refusal, Why};
use super::files::TreeEdits;
use crate::body::{Attribute, Block, Body};
use crate::diagnostic::Label;
use crate::dialect::arguments::modules::TERRAFORM;
use crate::dialect::arguments::packer::PACKER;
use crate::dialect::arguments::test_files::RUN;
use crate::dialect::{Dialect, List, root_schema};
use crate::directory::DecodeOptions;
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::module::{
    LockFile, OWN_REGISTRIES, ProviderSource, RegistryAddress, SourceAddress, Version,
    VersionConstraint, VersionOperator,
};
use crate::parsed::ParsedFile;
use crate::span::Span;
use crate::tree::{Origin, Tree, TreeModule, TreeTemplate};

/// The module, provider or tool that is upgraded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject<'r> {
    /// The module with this source: `terraform-aws-modules/vpc/aws`, or the URL of a repository, in
    /// any of its spellings. Without a directory, all directories of the package.
    Module(&'r str),
    /// The provider with this local name, or with this source: `hashicorp/aws`.
    Provider(&'r str),
    /// OpenTofu or Terraform: `required_version`. That of templates of Packer is in `not_changed`.
    Tool,
    /// The plugin of Packer with this local name, or with this source: `github.com/hashicorp/amazon`.
    Plugin(&'r str),
    /// Packer: `required_version` of templates.
    Packer,
}

/// An upgrade: its subject, and the version.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r, 'a> {
    /// Its subject.
    pub subject: Subject<'r>,
    /// The version constraint; for a module from a repository, the name of a tag, branch or commit.
    pub version: &'r str,
    /// Version constraints: only requirements change whose lowest version meets them.
    pub from: Option<&'r str>,
    /// Configuration files of Terragrunt, whose sources are upgraded.
    pub units: &'r [ParsedFile<'a>],
    /// Lock files, each with the dialect of its module. They do not change.
    pub locks: &'r [(Dialect, ParsedFile<'a>)],
}

impl<'r, 'a> Request<'r, 'a> {
    /// An upgrade from any version.
    #[must_use]
    pub fn new(subject: Subject<'r>, version: &'r str) -> Self {
        Self { subject, version, from: None, units: &[], locks: &[] }
    }

    /// Sets which requirements change.
    #[must_use]
    pub fn with_from(self, from: &'r str) -> Self {
        Self { from: Some(from), ..self }
    }

    /// Sets the configuration files of Terragrunt.
    #[must_use]
    pub fn with_units(self, units: &'r [ParsedFile<'a>]) -> Self {
        Self { units, ..self }
    }

    /// Sets the lock files: versions in them that the new constraint excludes are in `not_changed`.
    #[must_use]
    pub fn with_locks(self, locks: &'r [(Dialect, ParsedFile<'a>)]) -> Self {
        Self { locks, ..self }
    }
}

/// The edits that set a version in the given files of a tree.
///
/// Cost: linear in the files of the given modules; files that change are parsed again.
///
/// # Errors
/// The version or the range is invalid, or modules with the source have no versions: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
) -> Result<Change<'a>, Refusal> {
    let mut upgrade = Upgrade {
        target: Target::of(request)?,
        version: request.version,
        from: request.from.map(constraints).transpose()?,
        providers: BTreeSet::new(),
        edits: TreeEdits::new(tree, true),
        not_changed: Vec::new(),
    };
    for module in tree.modules().iter().filter(|module| module.origin == Origin::Given) {
        upgrade.in_module(module, options);
    }
    for template in tree.templates() {
        upgrade.in_template(template);
    }
    for &unit in request.units {
        upgrade.in_unit(unit);
    }
    for &(dialect, lock) in request.locks {
        upgrade.in_lock(dialect, lock);
    }
    let files = upgrade.edits.finish_any()?;
    let change = Change { files, not_changed: upgrade.not_changed, ..Change::default() };
    Ok(change.sorted())
}

/// Reads version constraints.
fn constraints(text: &str) -> Result<Vec<VersionConstraint<'_>>, Refusal> {
    let parsed = VersionConstraint::parse_all(text).filter(|_| !has_syntax(text));
    match parsed {
        Some(parsed) => Ok(parsed.into_vec()),
        None => Err(Refusal::Name(format!("`{text}` is not a version constraint, such as ~> 1.2"))),
    }
}

/// Whether a text has characters with a meaning in strings.
fn has_syntax(text: &str) -> bool {
    text.contains(['"', '\\', '$', '%']) || text.chars().any(char::is_control)
}

/// The subject of an upgrade, parsed.
enum Target<'r> {
    Registry(RegistryAddress<'r>),
    Remote(Remote),
    /// A provider by its local name.
    Local(&'r str),
    Provider(ProviderSource<'r>),
    Tool,
    /// A plugin of Packer by its local name or its source.
    Plugin(&'r str),
    Packer,
}

impl<'r> Target<'r> {
    fn of(request: &Request<'r, '_>) -> Result<Self, Refusal> {
        let invalid = |what: &str, why: &str| Refusal::Name(format!("`{what}`: {why}"));
        let target = match request.subject {
            Subject::Tool => Self::Tool,
            Subject::Plugin(name) => Self::Plugin(name),
            Subject::Packer => Self::Packer,
            Subject::Provider(name) if !name.contains('/') => Self::Local(name),
            Subject::Provider(name) => {
                Self::Provider(ProviderSource::parse(name).map_err(|why| invalid(name, why))?)
            }
            Subject::Module(source) => match SourceAddress::parse(source) {
                Ok(SourceAddress::Registry(address)) => Self::Registry(address),
                Ok(SourceAddress::Remote(text)) => Self::Remote(Remote::of(text)),
                Ok(SourceAddress::Local(_)) => {
                    return Err(invalid(source, "a module with a local path has no version"));
                }
                Err(why) => return Err(invalid(source, why.as_str())),
            },
        };
        match target {
            Self::Remote(_) if !is_revision(request.version) => {
                Err(invalid(request.version, "not the name of a tag, branch or commit"))
            }
            Self::Remote(_) => Ok(target),
            _ => constraints(request.version).map(|_| target),
        }
    }
}

/// Whether a text can be the value of `ref` in a source.
fn is_revision(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._/+-".contains(c);
    !text.is_empty() && text.chars().all(is_part)
}

/// The repository of a remote source, whichever way it is written, and the directory in it.
#[derive(PartialEq, Eq)]
struct Remote {
    repository: String,
    directory: Option<String>,
}

impl Remote {
    fn of(text: &str) -> Self {
        let path = text.split_once('?').map_or(text, |(path, _)| path);
        let path = path.strip_prefix("git::").unwrap_or(path);
        let (scheme, path) = match path.split_once("://") {
            Some((scheme, path)) => (Some(scheme), path),
            None => (None, path),
        };
        let (path, directory) = match path.split_once("//") {
            Some((path, directory)) => (path, Some(directory.trim_matches('/'))),
            None => (path, None),
        };
        let directory = directory.filter(|it| !it.is_empty()).map(str::to_owned);
        let (host, rest) = path.split_once('/').map_or((path, None), |it| (it.0, Some(it.1)));
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        // `git@host:owner/name` has no scheme, and what follows the colon is not a port.
        let host = match scheme {
            None => host.replacen(':', "/", 1),
            Some(_) => host.to_owned(),
        };
        let rest = rest.map(|rest| rest.trim_end_matches('/'));
        let rest = rest.map(|rest| rest.strip_suffix(".git").unwrap_or(rest));
        let repository = rest.map_or(host.clone(), |rest| format!("{host}/{rest}"));
        Self { repository: repository.to_ascii_lowercase(), directory }
    }

    /// Whether another source is meant.
    fn is_of(&self, other: &Self) -> bool {
        self.repository == other.repository
            && (self.directory.is_none() || self.directory == other.directory)
    }
}

/// Whether a source is that of a registry module that is meant.
fn is_same_module(meant: &RegistryAddress<'_>, found: &RegistryAddress<'_>) -> bool {
    let host = |address: &RegistryAddress<'_>| {
        let host = address.host.unwrap_or_default().to_ascii_lowercase();
        let is_own = OWN_REGISTRIES.contains(&&*host);
        if is_own { String::new() } else { host }
    };
    (meant.namespace, meant.name, meant.system) == (found.namespace, found.name, found.system)
        && host(meant) == host(found)
        && (meant.subdirectory.is_none() || meant.subdirectory == found.subdirectory)
}

struct Upgrade<'r, 'a> {
    target: Target<'r>,
    version: &'r str,
    from: Option<Vec<VersionConstraint<'r>>>,
    /// The host, namespace and type of the providers whose requirements are found.
    providers: BTreeSet<[String; 3]>,
    edits: TreeEdits<'a>,
    not_changed: Vec<NotChanged<'a>>,
}

/// An argument of a body.
fn argument<'a>(body: Body<'a>, name: &str) -> Option<Attribute<'a>> {
    body.properties().find(|property| property.is_named(name) && property.as_block().is_none())
}

/// The text of a string that is written as it is, and its bytes without quotes.
fn plain(value: Expression<'_>) -> Option<(&str, Span)> {
    let text = value.to_str()?;
    let Span { start, end } = value.span();
    let inner = Span::new(start + 1, end.checked_sub(1).filter(|end| *end > start)?);
    let is_plain = inner.slice(value.source().bytes()) == text.as_bytes();
    (is_plain && !text.contains("${") && !text.contains("%{")).then_some((text, inner))
}

/// The lowest release that meets all constraints of a text.
fn lowest(text: &str) -> Option<[i64; 3]> {
    let mut lowest = [0; 3];
    for constraint in VersionConstraint::parse_all(text)? {
        let segments = &constraint.version.segments;
        let segment = |at: usize| segments.get(at).copied().unwrap_or(0);
        let mut version = [segment(0), segment(1), segment(2)];
        match constraint.operator {
            VersionOperator::Less | VersionOperator::LessOrEqual | VersionOperator::NotEqual => {
                continue;
            }
            VersionOperator::Greater => version[2] = version[2].saturating_add(1),
            _ => {}
        }
        lowest = lowest.max(version);
    }
    Some(lowest)
}

/// The name that the revision has in the query of the URL of a repository: that of git or of Mercurial.
fn revision_name(source: &str) -> &'static str {
    if source.starts_with("hg::") { "rev" } else { "ref" }
}

/// The revision in the query of a source: its offset, and its text.
fn revision<'t>(source: &'t str, parameter: &str) -> Option<(usize, &'t str)> {
    let (path, query) = source.split_once('?')?;
    let mut at = path.len() + 1;
    for pair in query.split('&') {
        if let Some(value) = pair.strip_prefix(parameter).and_then(|rest| rest.strip_prefix('=')) {
            return Some((at + pair.len() - value.len(), value));
        }
        at += pair.len() + 1;
    }
    None
}

impl<'a> Upgrade<'_, 'a> {
    fn leave(&mut self, label: Label<'a>, why: Why) {
        self.not_changed.push(NotChanged { label, why });
    }

    /// Whether a requirement is one of those that change.
    fn is_from(&self, text: &str) -> bool {
        let Some(from) = &self.from else { return true };
        let lowest = lowest(text);
        lowest.is_some_and(|version| from.iter().all(|constraint| constraint.admits(version)))
    }

    /// Sets a version constraint.
    fn set(&mut self, file: ParsedFile<'a>, value: Expression<'a>) {
        match plain(value) {
            Some((text, _)) if text == self.version || !self.is_from(text) => {}
            Some((_, inner)) => self.edits.replace(file, inner, self.version),
            None => self.leave(value.label(), Why::Computed),
        }
    }

    fn in_module(&mut self, module: &TreeModule<'a>, options: &DecodeOptions) {
        let dialect = module.files.dialect;
        let asked = module.files.asked_for();
        let arena = module.sources.first().map(|source| source.arena());
        let shadowed = arena.map_or(Vec::new(), |arena| module.files.shadowed(arena, options));
        let shadowed = shadowed
            .iter()
            .filter_map(|file| Some((file.file.kind.list, *file.parsed.as_ref().ok()?)));
        for (list, file) in module.configuration.iter().copied().chain(shadowed) {
            if asked.contains(file.source().name()) {
                match list {
                    List::Test => self.in_test(dialect, file),
                    _ => self.in_file(module, list, file),
                }
            }
        }
        for &(list, file) in &module.of_stack {
            if asked.contains(file.source().name()) {
                self.in_stack(dialect, list, file);
            }
        }
        for test in module.tests.iter().filter(|test| asked.contains(test.source.name())) {
            if let Ok(file) = ParsedFile::parse(test.source.arena(), test.source) {
                self.in_test(dialect, file);
            }
        }
    }

    /// Changes the modules that the runs of a test file run.
    fn in_test(&mut self, dialect: Dialect, file: ParsedFile<'a>) {
        let Some(schema) = root_schema(dialect, List::Test) else { return };
        if !matches!(self.target, Target::Registry(_) | Target::Remote(_)) {
            return;
        }
        for run in file.body().content(schema, &mut ()).blocks("run") {
            let (content, _) = run.body().partial_content(RUN.schema(dialect, false), &mut ());
            for block in content.blocks("module") {
                self.in_call(file, block, None);
            }
        }
    }

    fn in_file(&mut self, module: &TreeModule<'a>, list: List, file: ParsedFile<'a>) {
        let dialect = module.files.dialect;
        let Some(schema) = root_schema(dialect, list) else { return };
        let content = file.body().content(schema, &mut ());
        match self.target {
            Target::Registry(_) | Target::Remote(_) => {
                for block in content.blocks("module") {
                    self.in_call(file, block, Some(module));
                }
            }
            Target::Local(_) | Target::Provider(_) => {
                for block in content.blocks("terraform") {
                    let settings = TERRAFORM.schema(dialect, list == List::Override);
                    let (content, _) = block.body().partial_content(settings, &mut ());
                    for required in content.blocks("required_providers") {
                        self.in_requirements(file, dialect, required.body());
                    }
                }
                let mut sources = None;
                for block in content.blocks("provider") {
                    let name = block.label(0).unwrap_or_default();
                    let Some(version) = argument(block.body(), "version") else { continue };
                    let sources = sources.get_or_insert_with(|| sources_of(module));
                    let source = sources.get(name).copied();
                    if self.is_required(dialect, name, source) {
                        self.set(file, version.expression());
                    }
                }
            }
            Target::Tool => {
                for block in content.blocks("terraform") {
                    if let Some(version) = argument(block.body(), "required_version") {
                        self.set(file, version.expression());
                    }
                }
            }
            Target::Plugin(_) | Target::Packer => {}
        }
    }

    /// Upgrades what a template of Packer requires.
    fn in_template(&mut self, template: &TreeTemplate<'a>) {
        let asked = template.files.asked_for();
        let files = template.files.files.iter().filter(|file| file.is_read());
        let files = files.zip(&template.sources).filter(|(file, source)| {
            file.kind.list == List::Primary && asked.contains(source.name())
        });
        for (_, source) in files {
            let Some(schema) = root_schema(Dialect::Packer, List::Primary) else { return };
            let Ok(file) = ParsedFile::parse(source.arena(), *source) else { continue };
            for block in file.body().content(schema, &mut ()).blocks("packer") {
                self.in_packer(file, block.body());
            }
        }
    }

    /// Upgrades what a `packer` block requires.
    fn in_packer(&mut self, file: ParsedFile<'a>, body: Body<'a>) {
        match self.target {
            Target::Plugin(_) => {
                let (content, _) =
                    body.partial_content(PACKER.schema(Dialect::Packer, false), &mut ());
                for required in content.blocks("required_plugins") {
                    self.in_requirements(file, Dialect::Packer, required.body());
                }
            }
            Target::Packer | Target::Tool => {
                let version = argument(body, "required_version").map(Attribute::expression);
                match (version, &self.target) {
                    (Some(version), Target::Packer) => self.set(file, version),
                    (Some(version), _) => self.leave(version.label(), Why::OtherTool),
                    (None, _) => {}
                }
            }
            _ => {}
        }
    }

    /// Upgrades what a file of a stack of Terraform requires.
    fn in_stack(&mut self, dialect: Dialect, list: List, file: ParsedFile<'a>) {
        let Some(schema) = root_schema(dialect, list) else { return };
        let content = file.body().content(schema, &mut ());
        match self.target {
            Target::Registry(_) | Target::Remote(_) => {
                for block in content.blocks("component").chain(content.blocks("stack")) {
                    self.in_call(file, block, None);
                }
            }
            Target::Local(_) | Target::Provider(_) => {
                for required in content.blocks("required_providers") {
                    self.in_requirements(file, dialect, required.body());
                }
            }
            Target::Tool | Target::Plugin(_) | Target::Packer => {}
        }
    }

    /// Notes the texts that a unit generates and that require what is upgraded.
    fn in_generated(&mut self, file: ParsedFile<'a>) {
        let words = match &self.target {
            Target::Tool => vec!["required_version".to_owned()],
            Target::Local(name) => vec!["required_providers".to_owned(), (*name).to_owned()],
            Target::Provider(meant) => {
                let [_, namespace, name] = meant.parts_in(Dialect::OpenTofu);
                vec!["required_providers".to_owned(), format!("{namespace}/{name}")]
            }
            Target::Registry(meant) => {
                vec![format!("{}/{}/{}", meant.namespace, meant.name, meant.system)]
            }
            Target::Remote(_) | Target::Plugin(_) | Target::Packer => return,
        };
        let blocks = file.body().properties().filter(|it| it.is_named("generate"));
        for block in blocks.filter_map(Attribute::as_block) {
            let Some(contents) = argument(block.body(), "contents") else { continue };
            let text = String::from_utf8_lossy(contents.expression().text());
            if words.iter().all(|word| text.contains(word)) && !text.contains(self.version) {
                self.leave(block.definition_label(), Why::Generated);
            }
        }
    }

    /// Upgrades a call of a module. In an override file or in a test, the source may be elsewhere.
    fn in_call(&mut self, file: ParsedFile<'a>, block: Block<'a>, of: Option<&TreeModule<'a>>) {
        let name = block.label(0).unwrap_or_default();
        let merged = of.and_then(|of| of.module.calls.get(name));
        let source = argument(block.body(), "source").map(Attribute::expression);
        let version = argument(block.body(), "version").map(Attribute::expression);
        let written = source.and_then(plain);
        let resolved = || merged.and_then(|call| call.source_by_defaults());
        let text = written.map(|(text, _)| text).or_else(resolved);
        let Some(text) = text else {
            if let Some(source) = source {
                self.leave(source.label(), Why::Computed);
            }
            return;
        };
        match &self.target {
            Target::Registry(meant) => {
                let found = RegistryAddress::parse(text);
                if !found.is_some_and(|found| is_same_module(meant, &found)) {
                    return;
                }
                let has_version =
                    version.is_some() || merged.is_some_and(|it| it.version.is_some());
                match version {
                    Some(version) => self.set(file, version),
                    None if has_version => {}
                    None => self.leave(block.definition_label(), Why::NoVersion),
                }
            }
            Target::Remote(meant) => {
                if !meant.is_of(&Remote::of(text)) {
                    return;
                }
                match (written, source) {
                    (Some(written), Some(source)) => {
                        self.set_revision(file, source, written, revision_name(written.0))
                    }
                    (None, Some(source)) => self.leave(source.label(), Why::Computed),
                    (_, None) => {}
                }
            }
            _ => {}
        }
    }

    /// Sets the revision in a source. A `v` before a version stays.
    fn set_revision(
        &mut self,
        file: ParsedFile<'a>,
        source: Expression<'a>,
        (text, span): (&'a str, Span),
        parameter: &str,
    ) {
        let Some((at, old)) = revision(text, parameter) else {
            return self.leave(source.label(), Why::NoVersion);
        };
        if !self.is_from(old) {
            return;
        }
        let bare = |text: &str| text.strip_prefix('v').unwrap_or(text).to_owned();
        let is_version = |text: &str| Version::parse(text).is_some();
        let new = match is_version(old) && is_version(self.version) {
            true if old.starts_with('v') => format!("v{}", bare(self.version)),
            true => bare(self.version),
            false => self.version.to_owned(),
        };
        if new != old {
            let start = span.start + at as u32;
            self.edits.replace(file, Span::new(start, start + old.len() as u32), &new);
        }
    }

    /// Upgrades the source of a unit of Terragrunt, or the sources of the units and stacks that a stack
    /// generates.
    fn in_unit(&mut self, file: ParsedFile<'a>) {
        self.in_generated(file);
        let has_source = |property: &Attribute<'a>| {
            ["terraform", "unit", "stack"].iter().any(|name| property.is_named(name))
        };
        let sources: Vec<Expression<'a>> = file
            .body()
            .properties()
            .filter(has_source)
            .filter_map(|settings| match settings.as_block() {
                Some(block) => argument(block.body(), "source").map(Attribute::expression),
                None => settings.expression().member("source"),
            })
            .collect();
        for source in sources {
            let Some((text, span)) = plain(source) else {
                let text = String::from_utf8_lossy(source.text());
                let is_meant = match &self.target {
                    Target::Registry(_) => text.contains("tfr:") && text.contains("version="),
                    Target::Remote(_) => ["ref=", "rev="].iter().any(|it| text.contains(it)),
                    _ => false,
                };
                if is_meant {
                    self.leave(source.label(), Why::Computed);
                }
                continue;
            };
            match &self.target {
                Target::Registry(meant) => {
                    let Some(address) = text.strip_prefix("tfr://") else { continue };
                    let address = address.split_once('?').map_or(address, |(path, _)| path);
                    let address = address.strip_prefix('/').unwrap_or(address);
                    let found = RegistryAddress::parse(address);
                    if found.is_some_and(|found| is_same_module(meant, &found)) {
                        self.set_revision(file, source, (text, span), "version");
                    }
                }
                Target::Remote(meant) if meant.is_of(&Remote::of(text)) => {
                    self.set_revision(file, source, (text, span), revision_name(text));
                }
                _ => {}
            }
        }
    }

    fn in_requirements(&mut self, file: ParsedFile<'a>, dialect: Dialect, body: Body<'a>) {
        for entry in body.properties() {
            let value = entry.expression();
            let member = |name: &str| value.member(name);
            let source = member("source").and_then(Expression::to_str);
            if !self.is_required(dialect, entry.name(), source) {
                continue;
            }
            match (value.is_string(), member("version")) {
                (true, _) => self.set(file, value),
                (false, Some(version)) => self.set(file, version),
                (false, None) => self.leave(entry.name_label(), Why::NoVersion),
            }
        }
    }

    /// Whether a requirement with a local name and a source is of the provider.
    fn is_required(&mut self, dialect: Dialect, name: &str, source: Option<&str>) -> bool {
        let found = match source {
            Some(source) => ProviderSource::parse(source).ok(),
            None => Some(ProviderSource::of_name(name)),
        };
        let found = found.map(|found| found.parts_in(dialect));
        let is_meant = match &self.target {
            Target::Local(local) => *local == name,
            Target::Plugin(meant) => match meant.contains('/') {
                true => source.is_some_and(|source| source.eq_ignore_ascii_case(meant)),
                false => *meant == name,
            },
            // Without a host, it is the provider of the tools' own registries, however that is written.
            Target::Provider(meant) => found.as_ref().is_some_and(|found| {
                let [host, namespace, name] = meant.parts_in(dialect);
                let is_own = meant.host.is_none() && OWN_REGISTRIES.contains(&&*found[0]);
                (host == found[0] || is_own) && namespace == found[1] && name == found[2]
            }),
            _ => false,
        };
        if is_meant {
            self.providers.extend(found);
        }
        is_meant
    }

    /// Notes the locked versions that the new constraint excludes.
    fn in_lock(&mut self, dialect: Dialect, lock: ParsedFile<'a>) {
        let Some(wanted) = VersionConstraint::parse_all(self.version) else { return };
        for provider in LockFile::read(dialect, lock.body(), &mut ()).providers {
            // A lock file of Terraform names its registry, whatever the dialect of the module is.
            let found = provider.source.parts_in(dialect);
            let is_own = |parts: &[String; 3]| OWN_REGISTRIES.contains(&&*parts[0]);
            let is_meant = self.providers.iter().any(|meant| {
                meant[1..] == found[1..]
                    && (meant[0] == found[0] || (is_own(meant) && is_own(&found)))
            });
            let Some(version) = provider.version.and_then(lowest).filter(|_| is_meant) else {
                continue;
            };
            if !wanted.iter().all(|constraint| constraint.admits(version))
                && let Some(version) = argument(provider.block.body(), "version")
            {
                self.leave(version.label(), Why::Locked);
            }
        }
    }
}

/// The sources of the required providers of a module, by local name.
fn sources_of<'a>(module: &TreeModule<'a>) -> HashMap<&'a str, &'a str> {
    let required = module.module.required_providers();
    required.filter_map(|entry| Some((entry.name, entry.source?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_repository() {
        let of = |text: &str| Remote::of(text).repository;
        for text in [
            "github.com/acme/net",
            "github.com/acme/net//modules/a?ref=v1",
            "git::https://github.com/acme/net.git?ref=v1",
            "git::ssh://git@github.com/acme/net.git//a",
            "git@github.com:acme/net.git",
            "https://GitHub.com/acme/net/",
        ] {
            assert_eq!(of(text), "github.com/acme/net", "{text}");
        }
        assert_eq!(of("git::https://host:8080/a.git"), "host:8080/a");
        let directory = |text: &str| Remote::of(text).directory;
        for text in ["github.com/a/b//c/d?ref=1", "git::https://x/y.git//c/d/?ref=1"] {
            assert_eq!(directory(text).as_deref(), Some("c/d"), "{text}");
        }
        assert_eq!(directory("git::https://x/y.git//?ref=1"), None);
        assert_eq!(of("git::https://x/y.git//?ref=1"), "x/y");
    }

    #[test]
    fn revisions_in_sources() {
        assert_eq!(revision("a?ref=v1", "ref"), Some((6, "v1")));
        assert_eq!(revision("a?depth=1&ref=v1&x=2", "ref"), Some((14, "v1")));
        assert_eq!(revision("a?reference=v1", "ref"), None);
        assert_eq!(revision("a", "ref"), None);
    }

    #[test]
    fn lowest_versions() {
        assert_eq!(lowest("~> 4.1"), Some([4, 1, 0]));
        assert_eq!(lowest(">= 1.2.3, < 2"), Some([1, 2, 3]));
        assert_eq!(lowest("> 1"), Some([1, 0, 1]));
        assert_eq!(lowest("< 3"), Some([0; 3]));
        assert_eq!(lowest("main"), None);
    }
}
