//! The declarations of a module that a page lists, as terraform-config-inspect reads them.
//!
//! Unlike the tools, it does not merge override files: files are read in turn, override files last,
//! and a later declaration takes the place of an earlier one. Only the arguments that a page shows
//! are read, and only errors in these are reported.

use std::collections::BTreeMap;

use super::attributes::{self, ObjectAttribute};
use super::json_text;
use super::lines::{IGNORE, Lines};
use super::settings::{Order, Settings};
use crate::arena::Arena;
use crate::body::{Attribute, AttributeSchema, Block, BlockSchema, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::directory::{DecodeOptions, ModuleFiles};
use crate::expression::Expression;
use crate::functions::paths;
use crate::hidden::{HIDDEN, Hidden, has_defaults, shown_type};
use crate::module::{ProviderConfigName, read};
use crate::native::Construct;
use crate::parsed::ParsedFile;
use crate::source::Access;
use crate::tree::Secrets;
use crate::value::{Content, normalized};

static FILE: Schema<'static> = Schema::new(
    &[],
    &[
        BlockSchema::new("terraform", &[]),
        BlockSchema::new("variable", &["name"]),
        BlockSchema::new("output", &["name"]),
        BlockSchema::new("provider", &["name"]),
        BlockSchema::new("resource", &["type", "name"]),
        BlockSchema::new("data", &["type", "name"]),
        BlockSchema::new("module", &["name"]),
    ],
);

static TERRAFORM: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("required_version")],
    &[BlockSchema::new("required_providers", &[])],
);

const fn arguments<'s>(attributes: &'s [AttributeSchema<'s>]) -> Schema<'s> {
    Schema::new(attributes, &[])
}

static VARIABLE: Schema<'static> = arguments(&[
    AttributeSchema::optional("type"),
    AttributeSchema::optional("description"),
    AttributeSchema::optional("default"),
    AttributeSchema::optional("sensitive"),
]);
static OUTPUT: Schema<'static> =
    arguments(&[AttributeSchema::optional("description"), AttributeSchema::optional("sensitive")]);
static PROVIDER: Schema<'static> =
    arguments(&[AttributeSchema::optional("version"), AttributeSchema::optional("alias")]);
static RESOURCE: Schema<'static> = arguments(&[AttributeSchema::optional("provider")]);
static MODULE: Schema<'static> =
    arguments(&[AttributeSchema::optional("source"), AttributeSchema::optional("version")]);

static LOCKS: Schema<'static> = Schema::new(&[], &[BlockSchema::new("provider", &["address"])]);
static LOCK: Schema<'static> = arguments(&[
    AttributeSchema::required("version"),
    AttributeSchema::optional("constraints"),
    AttributeSchema::required("hashes"),
]);

/// Where something is declared: the number of its file and its line. Files are in the order of their
/// names.
pub(super) type Position = (usize, u64);

/// A variable.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its type as it is written, or that of the default.
    pub written_type: String,
    /// The type without defaults of attributes, if it has some.
    pub(super) shown_type: Option<String>,
    /// Its description, or the comment above it; empty if it has none.
    pub description: String,
    /// Its default in JSON; `None` if it must be set.
    pub default: Option<String>,
    /// Whether values are hidden.
    pub is_sensitive: bool,
    /// The attributes of its objects, if the settings ask for them.
    pub attributes: Vec<ObjectAttribute>,
    pub(super) position: Position,
}

impl Input {
    /// Whether it must be set.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.default.is_none()
    }
}

/// An output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its description, or the comment above it; empty if it has none.
    pub description: String,
    /// Whether its value is hidden.
    pub is_sensitive: bool,
    pub(super) position: Position,
}

/// A call of another module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// Its name.
    pub name: String,
    /// The source, without a version.
    pub source: String,
    /// The version, or the revision in the source; empty if neither is written.
    pub version: String,
    /// The comment above it.
    pub description: String,
    pub(super) position: Position,
}

/// A provider of resources, or one of its configurations.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Provider {
    /// The local name.
    pub name: String,
    /// The alias; empty for the default configuration.
    pub alias: String,
    /// The version that is locked or required; empty if neither is written.
    pub version: String,
    pub(super) position: Position,
}

impl Provider {
    /// The name with the alias.
    #[must_use]
    pub fn full_name(&self) -> String {
        match self.alias.is_empty() {
            true => self.name.clone(),
            false => format!("{}.{}", self.name, self.alias),
        }
    }
}

/// A version of the tool or of a provider that the module needs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Requirement {
    /// `terraform`, or the local name of the provider.
    pub name: String,
    /// The constraint.
    pub version: String,
}

/// A managed resource or a data source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resource {
    /// The type without the name of the provider.
    pub short_type: String,
    /// The name.
    pub name: String,
    /// Whether it is a data source.
    pub is_data: bool,
    /// The local name of the provider.
    pub provider: String,
    /// The source of the provider.
    pub source: String,
    /// The version of its documentation: `latest` unless exactly one is required; empty if the provider
    /// is unknown.
    pub version: String,
    /// The comment above it.
    pub description: String,
    pub(super) position: Position,
}

impl Resource {
    /// The type and the name.
    #[must_use]
    pub fn spec(&self) -> String {
        format!("{}_{}.{}", self.provider, self.short_type, self.name)
    }

    /// `resource` or `data source`.
    #[must_use]
    pub const fn mode(&self) -> &'static str {
        if self.is_data { "data source" } else { "resource" }
    }

    /// The page of the type in the registry of Terraform; empty if the provider is in another registry.
    #[must_use]
    pub fn url(&self) -> String {
        if self.source.matches('/').count() > 1 {
            return String::new();
        }
        let kind = if self.is_data { "data-sources" } else { "resources" };
        let Self { source, version, short_type, .. } = self;
        format!(
            "https://registry.terraform.io/providers/{source}/{version}/docs/{kind}/{short_type}"
        )
    }
}

/// The entries of a page, in the order of the settings.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Inventory {
    /// The variables.
    pub inputs: Vec<Input>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// The calls of other modules.
    pub calls: Vec<Call>,
    /// The providers of resources.
    pub providers: Vec<Provider>,
    /// The versions that are required.
    pub requirements: Vec<Requirement>,
    /// The resources, managed ones first.
    pub resources: Vec<Resource>,
    /// The paths of the files, in the order of their names.
    pub(super) files: Vec<String>,
}

impl Inventory {
    /// Reads the files of a module. Returns `None` after an error, which is reported to `sink`; so are
    /// warnings of the syntax.
    ///
    /// Cost: linear in the files.
    pub fn read<'a>(
        arena: &'a Arena,
        files: &ModuleFiles,
        options: &DecodeOptions,
        settings: &Settings,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Self> {
        Self::read_hiding(arena, files, options, settings, None, sink)
    }

    /// Does the same, and [hides](Self::hide) what must not be shown of the module. The files are read
    /// once for both.
    pub fn read_hiding<'a>(
        arena: &'a Arena,
        files: &ModuleFiles,
        options: &DecodeOptions,
        settings: &Settings,
        secrets: Option<&Secrets>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Self> {
        let mut all = Vec::new();
        let mut declared = Declared::default();
        let mut names: Vec<_> = files.files.iter().map(|file| file.name.as_os_str()).collect();
        names.sort_unstable();
        let mut sink = Counted { to: sink, has_errors: false };
        for file in files.files.iter().filter(|file| file.is_read()) {
            let number = names.binary_search(&file.name.as_os_str()).unwrap_or_default();
            let source = match options.open_readable(arena, file) {
                Ok(source) => source,
                Err(error) => {
                    // Without the file, the page would be wrong, whether or not the tools need it.
                    sink.report(error);
                    sink.has_errors = true;
                    continue;
                }
            };
            match options.parse(arena, file, source) {
                Err(error) => sink.report(error),
                Ok(parsed) => {
                    for diagnostic in parsed.diagnostics() {
                        sink.report(diagnostic.clone());
                    }
                    let text = String::from_utf8_lossy(source.bytes());
                    let lines = Lines::new(&text);
                    let mut reader =
                        Reader { declared: &mut declared, lines: &lines, settings, number };
                    reader.read(parsed.body(), &mut sink);
                    all.push((file.kind.list, parsed));
                }
            }
        }
        if sink.has_errors {
            return None;
        }
        let locked = match settings.lock_file {
            true => locked_versions(arena, files, options),
            false => BTreeMap::new(),
        };
        let mut inventory = declared.listed(settings, &locked);
        if let Some(secrets) = secrets {
            inventory.hide(&secrets.of_read(files, &all));
        }
        let directory = files.directory().to_string();
        let path = |name: &std::ffi::OsStr| paths::join(&directory, &name.to_string_lossy());
        inventory.files = names.into_iter().map(path).collect();
        Some(inventory)
    }

    /// The path of the file with a number.
    pub(super) fn file(&self, (number, _): Position) -> &str {
        self.files.get(number).map(String::as_str).unwrap_or_default()
    }
}

impl Inventory {
    /// Replaces the defaults of variables that must not be shown, and leaves out those in their types.
    /// Defaults without content stay: null, and empty texts, lists and maps.
    pub fn hide(&mut self, hidden: &Hidden) {
        for input in self.inputs.iter_mut().filter(|input| hidden.has_variable(&input.name)) {
            let types = input.attributes.iter_mut();
            let types = types.map(|it| (&mut it.written_type, it.shown_type.take()));
            for (written, shown) in
                types.chain([(&mut input.written_type, input.shown_type.take())])
            {
                if let Some(shown) = shown {
                    *written = shown;
                }
            }
            let of_attributes = input.attributes.iter_mut().map(|it| &mut it.default);
            let defaults = of_attributes.chain([&mut input.default]).filter_map(Option::as_mut);
            for default in defaults {
                if !matches!(default.as_str(), "null" | "\"\"" | "[]" | "{}") {
                    default.clear();
                    json_text::push_string(default, HIDDEN);
                }
            }
        }
    }
}

/// Counts the errors.
struct Counted<'s, 'a> {
    to: &'s mut dyn Sink<'a>,
    has_errors: bool,
}

impl<'a> Sink<'a> for Counted<'_, 'a> {
    fn report(&mut self, diagnostic: Diagnostic<'a>) {
        self.has_errors |= diagnostic.severity() == Severity::Error;
        self.to.report(diagnostic);
    }
}

/// Returns the versions of providers in the lock file beside the module, by the last part of their address.
/// An invalid file has no versions: the page then shows what the module requires.
fn locked_versions(
    arena: &Arena,
    files: &ModuleFiles,
    options: &DecodeOptions,
) -> BTreeMap<String, String> {
    const NAME: &str = ".terraform.lock.hcl";
    let mut versions = BTreeMap::new();
    let directory = files.directory();
    let Some(path) = directory.disk().map(|directory| directory.join(NAME)) else {
        return versions;
    };
    let Ok(source) = options.open.open(arena, &path, Access::FOUND) else { return versions };
    let parsed = ParsedFile::native_with(arena, source, options.parse.kernel);
    let mut error = parsed.diagnostics().first().cloned();
    for block in parsed.body().content(&LOCKS, &mut error).blocks("provider") {
        let content = block.body().content(&LOCK, &mut error);
        let version = text(content.attribute("version"), &mut error);
        let address = block.label(0).unwrap_or_default();
        versions.insert(address.rsplit('/').next().unwrap_or_default().to_owned(), version);
    }
    if error.is_some() { BTreeMap::new() } else { versions }
}

/// A requirement of a provider: its source and its constraints.
#[derive(Default)]
struct Required {
    source: String,
    versions: Vec<String>,
}

/// A declaration and the comment above it.
struct Commented<T> {
    what: T,
    comment: String,
}

impl<T> Commented<T> {
    fn is_ignored(&self) -> bool {
        self.comment.contains(IGNORE)
    }
}

/// A resource and its provider configuration.
struct DeclaredResource {
    resource_type: String,
    name: String,
    is_data: bool,
    provider: String,
    alias: String,
    position: Position,
}

#[derive(Default)]
struct Declared {
    versions: Vec<String>,
    required: BTreeMap<String, Required>,
    inputs: BTreeMap<String, Commented<Input>>,
    outputs: BTreeMap<String, Commented<Output>>,
    calls: BTreeMap<String, Commented<Call>>,
    /// By mode, type and name.
    resources: BTreeMap<(bool, String, String), Commented<DeclaredResource>>,
}

/// Reads one file.
struct Reader<'r, 't> {
    declared: &'r mut Declared,
    lines: &'r Lines<'t>,
    settings: &'r Settings,
    number: usize,
}

/// Reads a text literally, and returns it in normal form.
fn text<'a>(attribute: Option<Attribute<'a>>, sink: &mut dyn Sink<'a>) -> String {
    let Some(value) = attribute.map(Attribute::expression) else { return String::new() };
    let text = read::string(value, sink);
    text.map(|text| normalized(value.source().arena(), text).to_owned()).unwrap_or_default()
}

/// Returns a text literally, or the source of an expression that the tools evaluate early.
fn text_or_source(attribute: Option<Attribute<'_>>) -> String {
    let Some(value) = attribute.map(Attribute::expression) else { return String::new() };
    match read::string(value, &mut ()) {
        Some(text) => normalized(value.source().arena(), text).to_owned(),
        None => String::from_utf8_lossy(value.text()).into_owned(),
    }
}

impl Reader<'_, '_> {
    fn read<'a>(&mut self, body: Body<'a>, sink: &mut dyn Sink<'a>) {
        let (content, _) = body.partial_content(&FILE, sink);
        for block in content.all_blocks() {
            let block = *block;
            match block.block_type() {
                "terraform" => self.terraform(block, sink),
                "variable" => self.variable(block, sink),
                "output" => self.output(block, sink),
                "provider" => self.provider(block, sink),
                "module" => self.call(block, sink),
                kind => self.resource(block, kind == "data", sink),
            }
        }
    }

    fn position(&self, block: Block<'_>) -> Position {
        (self.number, block.source().position(block.definition_span().start).line)
    }

    fn commented<T>(&self, position: Position, what: T) -> Commented<T> {
        Commented { what, comment: self.lines.above(position.1) }
    }

    fn terraform<'a>(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let (content, _) = block.body().partial_content(&TERRAFORM, sink);
        if let Some(version) = content.attribute("required_version") {
            self.declared.versions.push(text(Some(version), sink));
        }
        for block in content.blocks("required_providers") {
            for attribute in block.body().just_attributes(sink) {
                self.required_provider(*attribute, sink);
            }
        }
    }

    fn required_provider<'a>(&mut self, attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) {
        let value = attribute.expression();
        let mut found = Required::default();
        let mut is_empty = true;
        if value.as_map().is_none() {
            found.versions.push(text(Some(attribute), sink));
            is_empty = false;
        }
        for (key, value) in value.as_map().into_iter().flatten() {
            is_empty = false;
            match key.to_str() {
                "version" => found.versions.extend(plain_text(value, sink)),
                "source" => found.source = plain_text(value, sink).unwrap_or_default(),
                _ => {}
            }
        }
        if is_empty {
            return;
        }
        let known = self.declared.required.entry(attribute.name().to_owned()).or_default();
        if !found.source.is_empty() {
            if !known.source.is_empty() && known.source != found.source {
                let arena = value.source().arena();
                let why = arena.format(format_args!(
                    "another `required_providers` block has the source {:?}",
                    known.source
                ));
                let source = arena.str(&found.source);
                let diagnostic = Diagnostic::new(Code::ProviderSource, value.start_label());
                sink.report(diagnostic.with_arguments(&[source, why]));
                return;
            }
            known.source = found.source;
        }
        known.versions.extend(found.versions);
    }

    fn variable<'a>(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let (content, _) = block.body().partial_content(&VARIABLE, sink);
        let written = content.attribute("type").map(Attribute::expression);
        let without_defaults = written.filter(|it| has_defaults(*it)).map(shown_type);
        let without_defaults = without_defaults.map(written_type);
        let mut written_type = written.map(written_type).unwrap_or_default();
        let description = text(content.attribute("description"), sink);
        let mut default = None;
        if let Some(attribute) = content.attribute("default") {
            let value = attribute.expression();
            let mut known = value.literal_value(sink);
            if written_type.is_empty() {
                written_type = match known.content() {
                    Content::String(_) => "string",
                    Content::Number(_) => "number",
                    Content::Bool(_) => "bool",
                    Content::Elements(_) => "list",
                    Content::Entries(_) => "map",
                    Content::Null | Content::Unknown { .. } => "any",
                }
                .to_owned();
            }
            if self.settings.with_optional_defaults
                && let Some(constraint) = written.and_then(|it| it.type_constraint(&mut ()))
                && let Ok(filled) = constraint.apply(value.source().arena(), known, &mut ())
            {
                known = filled;
            }
            default = match json_text::of_value(known) {
                Ok(text) => Some(text),
                Err(_) => read::unsuitable(value, "a value with fewer digits", sink),
            };
        } else if written_type.is_empty() {
            "any".clone_into(&mut written_type);
        }
        let sensitive = content.attribute("sensitive").map(Attribute::expression);
        let is_sensitive = sensitive.and_then(|value| read::boolean(value, sink)) == Some(true);
        let name = block.label(0).unwrap_or_default().to_owned();
        let position = self.position(block);
        let attributes = match written.filter(|_| self.settings.with_attributes) {
            Some(written) => attributes::of_type(&name, written, self.lines),
            None => Vec::new(),
        };
        let input = Input {
            name: name.clone(),
            written_type,
            shown_type: without_defaults,
            description,
            default,
            is_sensitive,
            attributes,
            position,
        };
        let input = self.commented(position, input);
        self.declared.inputs.insert(name, input);
    }

    fn output<'a>(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let (content, _) = block.body().partial_content(&OUTPUT, sink);
        let description = text(content.attribute("description"), sink);
        let sensitive = content.attribute("sensitive").map(Attribute::expression);
        let is_sensitive = sensitive.and_then(|value| read::boolean(value, sink)) == Some(true);
        let name = block.label(0).unwrap_or_default().to_owned();
        let position = self.position(block);
        let output = Output { name: name.clone(), description, is_sensitive, position };
        let output = self.commented(position, output);
        self.declared.outputs.insert(name, output);
    }

    fn provider<'a>(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let (content, _) = block.body().partial_content(&PROVIDER, sink);
        let name = block.label(0).unwrap_or_default();
        let required = self.declared.required.entry(name.to_owned()).or_default();
        if let Some(version) = content.attribute("version") {
            required.versions.push(text(Some(version), sink));
        }
        text(content.attribute("alias"), sink);
    }

    fn resource<'a>(&mut self, block: Block<'a>, is_data: bool, sink: &mut dyn Sink<'a>) {
        let (content, _) = block.body().partial_content(&RESOURCE, sink);
        let resource_type = block.label(0).unwrap_or_default();
        let name = block.label(1).unwrap_or_default();
        let (provider, alias) = match content.attribute("provider") {
            None => (resource_type.split('_').next().unwrap_or_default().to_owned(), String::new()),
            Some(attribute) => match provider_config(attribute.expression(), sink) {
                Some(ProviderConfigName { local_name, alias }) => {
                    (local_name.to_owned(), alias.unwrap_or_default().to_owned())
                }
                None => return,
            },
        };
        let position = self.position(block);
        let (resource_type, name) = (resource_type.to_owned(), name.to_owned());
        let key = (is_data, resource_type.clone(), name.clone());
        let resource = DeclaredResource { resource_type, name, is_data, provider, alias, position };
        let resource = self.commented(position, resource);
        self.declared.resources.insert(key, resource);
    }

    fn call<'a>(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let (content, _) = block.body().partial_content(&MODULE, sink);
        let name = block.label(0).unwrap_or_default().to_owned();
        let mut source = text_or_source(content.attribute("source"));
        let version = text_or_source(content.attribute("version"));
        // An override file may leave it out.
        if source.is_empty()
            && let Some(known) = self.declared.calls.get(&name)
        {
            source.clone_from(&known.what.source);
        }
        let position = self.position(block);
        let description = String::new();
        let call = Call { name: name.clone(), source, version, description, position };
        let call = self.commented(position, call);
        self.declared.calls.insert(name, call);
    }
}

/// Returns a type as it is written. A text is the type that it names.
fn written_type(value: Expression<'_>) -> String {
    match read::string(value, &mut ()) {
        Some(text) => normalized(value.source().arena(), text).to_owned(),
        None => String::from_utf8_lossy(value.text()).into_owned(),
    }
}

/// Returns a value that must be a text, or null.
fn plain_text<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<String> {
    let known = value.literal_value(sink);
    match known.content() {
        Content::String(text) => Some(text.to_owned()),
        Content::Unknown { .. } => None,
        _ => read::unsuitable(value, "a string", sink),
    }
}

/// Returns the provider configuration that an argument names.
fn provider_config<'a>(
    value: Expression<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<ProviderConfigName<'a>> {
    if let Some(traversal) = value.unquoted(&mut ()).as_traversal() {
        return Some(ProviderConfigName::of(traversal));
    }
    // In OpenTofu, the key of an instance may follow: `aws.by_region[each.key]`.
    let indexed = value.as_native().and_then(|native| match native.construct() {
        Construct::Index { collection, .. } => Expression::from_native(collection).as_traversal(),
        _ => None,
    });
    indexed.or_else(|| value.traversal(sink)).map(ProviderConfigName::of)
}

/// Splits a revision off a source.
fn with_revision(source: String, version: String) -> (String, String) {
    if !version.is_empty() {
        return (source, version);
    }
    match source.rsplit_once("?ref=") {
        Some((before, revision)) if !revision.is_empty() => {
            (before.to_owned(), revision.to_owned())
        }
        _ => (source, version),
    }
}

/// The version of a provider whose documentation is linked: the last constraint, if it is one version.
fn documented_version(versions: &[String]) -> String {
    let parts: Vec<&str> =
        versions.last().map(|last| last.split(' ').collect()).unwrap_or_default();
    let version = match parts.as_slice() {
        [one] if one.starts_with(|char: char| char.is_ascii_digit()) => one,
        [one] => one.strip_prefix('=').unwrap_or("latest"),
        ["=", version] => version,
        _ => "latest",
    };
    version.to_owned()
}

impl Declared {
    /// Returns the declarations that are not ignored, in the order of the settings.
    fn listed(mut self, settings: &Settings, locked: &BTreeMap<String, String>) -> Inventory {
        let comments = settings.read_comments;
        let described = |description: String, comment: String| {
            // Line breaks of Windows would be lost in Markdown.
            let description = description.replace("\r\n", "\n");
            if description.is_empty() && comments { comment } else { description }
        };
        // Resources require providers, too.
        for resource in self.resources.values() {
            self.required.entry(resource.what.provider.clone()).or_default();
        }
        let shown = self.inputs.into_values().filter(|it| !it.is_ignored());
        let mut inputs: Vec<Input> = shown
            .map(|Commented { what, comment }| Input {
                description: described(what.description, comment),
                ..what
            })
            .collect();
        let shown = self.outputs.into_values().filter(|it| !it.is_ignored());
        let mut outputs: Vec<Output> = shown
            .map(|Commented { what, comment }| Output {
                description: described(what.description, comment),
                ..what
            })
            .collect();
        let shown = self.calls.into_values().filter(|it| !it.is_ignored());
        let mut calls: Vec<Call> = shown
            .map(|Commented { what, comment }| {
                let (source, version) = with_revision(what.source, what.version);
                let description = described(String::new(), comment);
                Call { source, version, description, ..what }
            })
            .collect();
        let of_tool = self.versions.into_iter().map(|version| ("terraform".to_owned(), version));
        let of_providers = self.required.iter().flat_map(|(name, required)| {
            required.versions.iter().map(|version| (name.clone(), version.clone()))
        });
        let requirements = of_tool.chain(of_providers);
        let requirements =
            requirements.map(|(name, version)| Requirement { name, version }).collect();

        let mut providers: BTreeMap<(String, String), Provider> = BTreeMap::new();
        let mut resources = Vec::new();
        let shown = self.resources.into_values().filter(|it| !it.is_ignored());
        for Commented { what, comment } in shown {
            let DeclaredResource { resource_type, name, is_data, provider, alias, position } = what;
            let required = self.required.get(&provider);
            let versions =
                required.map(|required| required.versions.as_slice()).unwrap_or_default();
            let version = locked.get(&provider).cloned().unwrap_or_else(|| versions.join(" "));
            let entry = providers.entry((provider.clone(), alias.clone()));
            let of_all = entry.or_insert_with(|| Provider {
                name: provider.clone(),
                alias,
                version,
                position,
            });
            of_all.position = of_all.position.min(position);
            let prefix = format!("{provider}_");
            let source = required.map(|required| required.source.clone());
            resources.push(Resource {
                short_type: resource_type
                    .strip_prefix(&prefix)
                    .unwrap_or(&resource_type)
                    .to_owned(),
                name,
                is_data,
                source: source
                    .filter(|source| !source.is_empty())
                    .unwrap_or_else(|| format!("hashicorp/{provider}")),
                version: documented_version(versions),
                description: described(String::new(), comment),
                provider,
                position,
            });
        }
        let mut providers: Vec<Provider> = providers.into_values().collect();

        match settings.order() {
            // As they are.
            Order::Name => {}
            Order::Required => inputs.sort_by_key(|input| !input.is_required()),
            Order::Type => {
                inputs.sort_by(|one, other| one.written_type.cmp(&other.written_type));
                calls.sort_by(|one, other| one.source.cmp(&other.source));
            }
            Order::Position => {
                inputs.sort_by_key(|input| input.position);
                outputs.sort_by_key(|output| output.position);
                calls.sort_by_key(|call| call.position);
                providers.sort_by_cached_key(|it| (it.position, it.full_name()));
            }
        }
        resources.sort_by_cached_key(|resource| (resource.is_data, resource.spec()));
        Inventory { inputs, outputs, calls, providers, requirements, resources, files: Vec::new() }
    }
}
