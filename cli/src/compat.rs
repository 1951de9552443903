//! `inspect --compat`: modules in the shape that terraform-config-inspect prints.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::body::Block;
use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::List;
use simd_hcl::hidden::{Hidden, shown_type};
use simd_hcl::module;
use simd_hcl::native::{StepKind, Traversal};
use simd_hcl::reference::Mode;
use simd_hcl::tree::{Origin, TreeModule};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Diagnostic, Expression, Severity, Source, value};

use crate::args::{self, Common, ListFormat};
use crate::incomplete::Incomplete;
use crate::modules::{DependsOn, path_of, with_tree};
use crate::output::{self, Csv};
use crate::status::{Failure, Status};
use crate::written;

pub(crate) fn run(inspect: &args::Inspect, common: &Common) -> Result<Status, Failure> {
    let format = match inspect.format {
        ListFormat::Human => ListFormat::Json,
        ListFormat::Csv => {
            let message = "the shape of terraform-config-inspect is JSON: --compat has no CSV";
            return Err(Failure::Message(message.to_owned()));
        }
        format => format,
    };
    // That shape has no place for gaps.
    let shown = ListFormat::Human;
    let configuration = &inspect.configuration;
    let (found, status) = with_tree(configuration, common, DependsOn::Files, shown, |loaded| {
        let tree = loaded.tree;
        let hidden = if inspect.show_sensitive { Vec::new() } else { tree.hidden() };
        let modules = tree.modules().iter().enumerate();
        let modules = modules.filter(|(_, module)| module.origin == Origin::Given);
        let modules: Vec<Module> = modules
            .map(|(at, module)| {
                let of_stack = tree.hidden_of_stack(at).filter(|_| !inspect.show_sensitive);
                Module::of(module, of_stack.as_deref().or(hidden.get(at)))
            })
            .collect();
        let has_errors = modules.iter().any(|module| !module.diagnostics.is_empty());
        output::list(format, common.style(), modules, &Incomplete::default())?;
        Ok(if has_errors { Status::Found } else { Status::Clean })
    })?;
    Ok(status.max(found))
}

#[derive(Serialize)]
struct Module {
    path: String,
    variables: BTreeMap<String, Variable>,
    outputs: BTreeMap<String, Output>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    required_core: Vec<String>,
    required_providers: BTreeMap<String, Requirement>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    provider_configs: BTreeMap<String, Provider>,
    managed_resources: BTreeMap<String, Resource>,
    data_resources: BTreeMap<String, Resource>,
    module_calls: BTreeMap<String, Call>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Problem>,
}

/// Printed as JSON only.
impl output::Row for Module {
    const MEMBER: Option<&'static str> = None;
    const COLUMNS: &'static [&'static str] = &[];

    fn print(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn records(&self, _: &mut Csv<'_>) {}
}

#[derive(Serialize)]
struct Variable {
    name: String,
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    written_type: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    default: Option<Box<RawValue>>,
    required: bool,
    #[serde(skip_serializing_if = "is_false")]
    sensitive: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    deprecated: String,
    pos: Place,
}

#[derive(Serialize)]
struct Output {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(skip_serializing_if = "is_false")]
    sensitive: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    deprecated: String,
    pos: Place,
}

#[derive(Default, Serialize)]
struct Requirement {
    #[serde(skip_serializing_if = "String::is_empty")]
    source: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    version_constraints: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<Provider>,
}

/// A provider configuration, or a reference to one.
#[derive(Serialize)]
struct Provider {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    alias: String,
}

#[derive(Serialize)]
struct Resource {
    mode: &'static str,
    #[serde(rename = "type")]
    resource_type: String,
    name: String,
    provider: Provider,
    pos: Place,
}

#[derive(Serialize)]
struct Call {
    name: String,
    source: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    version: String,
    pos: Place,
}

#[derive(Serialize)]
struct Problem {
    severity: &'static str,
    summary: &'static str,
    detail: String,
    pos: Place,
}

#[derive(Serialize)]
struct Place {
    filename: String,
    line: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Place {
    fn of(source: Source<'_>, offset: u32) -> Self {
        Self { filename: source.name().to_owned(), line: source.position(offset).line }
    }

    fn of_block(block: Block<'_>) -> Self {
        Self::of(block.source(), block.definition_span().start)
    }
}

impl Module {
    /// Like terraform-config-inspect, this does not merge override files: it reads all files in
    /// turn, override files last, and a later declaration replaces an earlier one.
    fn of(tree_module: &TreeModule<'_>, hidden: Option<&Hidden>) -> Self {
        let mut made = Self {
            path: path_of(tree_module),
            variables: BTreeMap::new(),
            outputs: BTreeMap::new(),
            required_core: Vec::new(),
            required_providers: BTreeMap::new(),
            provider_configs: BTreeMap::new(),
            managed_resources: BTreeMap::new(),
            data_resources: BTreeMap::new(),
            module_calls: BTreeMap::new(),
            diagnostics: tree_module.diagnostics.iter().filter_map(problem_of).collect(),
        };
        let dialect = tree_module.files.dialect;
        for &(_, file) in tree_module.configuration.iter().chain(&tree_module.of_stack) {
            let module = module::Module::read(dialect, [(List::Primary, file)], true, &mut ());
            let is_hidden = |variable: &module::Variable<'_>| {
                hidden.is_some_and(|hidden| hidden.has_variable(variable.name))
            };
            made.add(&module, &is_hidden);
        }
        made
    }

    /// Adds the declarations of one file.
    fn add(
        &mut self,
        module: &module::Module<'_>,
        is_hidden: &dyn Fn(&module::Variable<'_>) -> bool,
    ) {
        let owned = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let versions = module.settings.iter().filter_map(|settings| settings.required_version);
        self.required_core.extend(versions.map(|version| text(version.expression())));
        for variable in &module.variables {
            let name = variable.name.to_owned();
            let shown = |written| if is_hidden(variable) { shown_type(written) } else { written };
            let shown = Variable {
                name: name.clone(),
                written_type: variable.written_type.map(shown).map(text).unwrap_or_default(),
                description: owned(variable.description),
                default: match is_hidden(variable) {
                    true => variable.default.and_then(|_| written::hidden()),
                    false => variable.default.and_then(json),
                },
                required: variable.is_required(),
                sensitive: variable.sensitive == Some(true),
                deprecated: owned(variable.deprecated),
                pos: Place::of_block(variable.block),
            };
            self.variables.insert(name, shown);
        }
        for output in &module.outputs {
            let name = output.name.to_owned();
            let shown = Output {
                name: name.clone(),
                description: owned(output.description),
                sensitive: output.sensitive == Some(true),
                deprecated: owned(output.deprecated),
                pos: Place::of_block(output.block),
            };
            self.outputs.insert(name, shown);
        }
        self.require(module);
        for resource in module.resources.iter().chain(&module.redeclared) {
            let address = resource.address();
            let list = match address.mode {
                Mode::Managed => &mut self.managed_resources,
                Mode::Data => &mut self.data_resources,
                // That shape has no place for other modes.
                Mode::Ephemeral | Mode::List => continue,
            };
            let written = || {
                let mut properties = resource.block.body().properties();
                properties.find(|property| property.is_named("provider"))
            };
            let provider = match (resource.provider(), written()) {
                (Some(provider), _) => reference(provider.traversal()),
                // The source text counts, even if it is invalid.
                (None, Some(written)) => match written.expression().as_traversal() {
                    Some(traversal) => reference(traversal),
                    None => Provider { name: String::new(), alias: String::new() },
                },
                (None, None) => {
                    Provider { name: resource.provider_name().to_owned(), alias: String::new() }
                }
            };
            self.required_providers.entry(provider.name.clone()).or_default();
            let shown = Resource {
                mode: address.mode.as_str(),
                resource_type: address.resource_type.to_owned(),
                name: address.name.to_owned(),
                provider,
                pos: Place::of_block(resource.block),
            };
            list.insert(address.to_string(), shown);
        }
        for call in &module.calls {
            let name = call.name.to_owned();
            let source = match call.written_source() {
                Some(source) if !source.is_empty() => source.to_owned(),
                _ => self.module_calls.remove(&name).map(|call| call.source).unwrap_or_default(),
            };
            let shown = Call {
                name: name.clone(),
                source,
                version: owned(call.written_version()),
                pos: Place::of_block(call.block),
            };
            self.module_calls.insert(name, shown);
        }
    }

    /// Adds the providers that the module requires and configures.
    fn require(&mut self, module: &module::Module<'_>) {
        // The constraints are in the order of the files, whichever block they are in.
        let mut versions: Vec<((u32, u32), &str, &str)> = Vec::new();
        let mut add = |place: Label<'_>, name, version| {
            versions.push(((place.source.id(), place.span.start), name, version));
        };
        for required in module.required_providers() {
            let entry = self.required_providers.entry(required.name.to_owned()).or_default();
            if let Some(source) = required.source.filter(|_| entry.source.is_empty()) {
                source.clone_into(&mut entry.source);
            }
            if let Some(version) = required.version {
                add(required.attribute.label(), required.name, version);
            }
            entry.aliases.extend(required.configuration_aliases.iter().copied().map(reference));
        }
        for provider in &module.providers {
            self.required_providers.entry(provider.name.to_owned()).or_default();
            if let Some(version) = provider.version {
                add(provider.block.definition_label(), provider.name, version);
            }
            let key = match provider.alias {
                None | Some("") => provider.name.to_owned(),
                Some(alias) => format!("{}.{alias}", provider.name),
            };
            let alias = provider.alias.unwrap_or_default().to_owned();
            self.provider_configs.insert(key, Provider { name: provider.name.to_owned(), alias });
        }
        versions.sort_by_key(|(place, ..)| *place);
        for (_, name, version) in versions {
            if let Some(entry) = self.required_providers.get_mut(name) {
                entry.version_constraints.push(version.to_owned());
            }
        }
    }
}

/// Returns a string literally, the JSON of other values, and the source of native expressions.
fn text(value: Expression<'_>) -> String {
    match value.to_str() {
        Some(text) => text.to_owned(),
        None if value.is_json() => value.to_json(),
        None => String::from_utf8_lossy(value.text()).into_owned(),
    }
}

/// Returns a literal value as JSON.
fn json(value: Expression<'_>) -> Option<Box<RawValue>> {
    let literal = value.literal_value(&mut ());
    let text = to_string(Layout::Compact, |slot| {
        // Values without JSON become null.
        let _ = value::write(literal, slot);
    });
    RawValue::from_string(text).ok()
}

fn reference(traversal: Traversal<'_>) -> Provider {
    let alias = match traversal.steps().get(1).map(|step| step.kind) {
        Some(StepKind::Attribute(alias)) => alias.to_owned(),
        _ => String::new(),
    };
    Provider { name: traversal.root_name().to_owned(), alias }
}

/// Returns an error in that shape. Warnings are left out: they concern things that
/// terraform-config-inspect does not read.
fn problem_of(diagnostic: &Diagnostic<'_>) -> Option<Problem> {
    let is_error = diagnostic.severity() == Severity::Error;
    is_error.then(|| Problem {
        severity: diagnostic.severity().as_str(),
        summary: diagnostic.summary(),
        detail: diagnostic.message(),
        pos: Place::of(diagnostic.source(), diagnostic.span().start),
    })
}
