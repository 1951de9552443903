//! Writes modules: their outputs, resources, calls and variables.

use std::collections::BTreeMap;

use super::body::Bodies;
use super::expression::{self, How, Shown, strings};
use super::instances::Instance;
use super::options::Options;
use super::providers::{Entry, Providers};
use crate::body::Block;
use crate::dialect::Dialect;
use crate::expression::Expression;
use crate::hidden::Hidden;
use crate::module::{Action, Module, ModuleCall, Output, Provisioner, Resource, Variable};
use crate::native::Traversal;
use crate::reference::Mode;
use crate::show::{BodySchemas, ProviderSchema, SchemaKind};
use crate::tree::{Link, Tree};
use crate::value::{self, HIDDEN};
use crate::write::{ObjectWriter, Slot};

/// The context for writing parts.
pub(super) struct Context<'c, 's, 'a> {
    pub(super) tree: &'c Tree<'a>,
    pub(super) instances: &'c [Instance<'c, 'a>],
    pub(super) providers: &'c Providers<'c, 'a>,
    pub(super) options: &'c Options<'s, 'a>,
    pub(super) secrets: &'c [Hidden],
}

impl<'c, 's, 'a> Context<'c, 's, 'a> {
    /// Writes the member `provider_config`, unless no module needs a provider.
    pub(super) fn provider_config(&self, object: &mut ObjectWriter<'_, '_>) {
        let mut shown = self.providers.shown().peekable();
        if shown.peek().is_none() {
            return;
        }
        let mut configurations = object.key("provider_config").object();
        for (key, entry) in shown {
            self.configuration(entry, configurations.key(key));
        }
    }

    fn configuration(&self, entry: &Entry<'_, 'a>, slot: Slot<'_, '_>) {
        let instance = &self.instances[entry.instance];
        let mut object = slot.object();
        text(&mut object, "name", Some(&entry.name));
        text(&mut object, "full_name", Some(&entry.full_name));
        text(&mut object, "alias", entry.alias);
        text(&mut object, "version_constraint", Some(&entry.version_constraint));
        text(&mut object, "module_address", Some(&instance.address));
        if let Some(block) = entry.block {
            let schemas = self.options.schemas;
            let schema = schemas.and_then(|schemas| {
                let provider = schemas.provider(&entry.full_name).map(ProviderSchema::provider)?;
                schemas.body_of(provider.value()?)
            });
            let bodies = Bodies { is_provider: true, ..self.bodies(instance.module) };
            bodies.write(block.config, block.escape, schema.as_deref(), &mut object);
        }
    }

    fn bodies(&self, module: usize) -> Bodies<'c, 's, 'a> {
        let (schemas, how) = (self.options.schemas, How::of(self.options));
        Bodies { module: &self.tree.modules()[module].module, schemas, how, is_provider: false }
    }

    /// Writes a module and the modules that it calls. Recurses at most as deep as calls are
    /// followed.
    pub(super) fn module(&self, place: usize, slot: Slot<'_, '_>) {
        let instance = &self.instances[place];
        let module = &self.tree.modules()[instance.module].module;
        let mut object = slot.object();
        let outputs = by_name(module.outputs.iter(), |output| output.name);
        if !outputs.is_empty() {
            let mut list = object.key("outputs").object();
            for (name, output) in outputs {
                self.output(output, instance.module, list.key(name));
            }
        }
        self.resources(instance, module, &mut object);
        let calls = module.calls.iter().enumerate();
        let calls = by_name(calls, |(_, call)| call.name);
        if !calls.is_empty() {
            let mut list = object.key("module_calls").object();
            for (name, (at, call)) in calls {
                self.call(instance, at, call, module, list.key(name));
            }
        }
        let variables = by_name(module.variables.iter(), |variable| variable.name);
        if !variables.is_empty() {
            let mut list = object.key("variables").object();
            for (name, declared) in variables {
                let is_secret = self.secrets[instance.module].has_variable(name);
                let how = How::of(self.options).with_secret(is_secret);
                variable(declared, module.dialect, how, list.key(name));
            }
        }
        self.actions(instance, module, &mut object);
    }

    fn actions(
        &self,
        instance: &Instance<'_, 'a>,
        module: &Module<'a>,
        object: &mut ObjectWriter<'_, '_>,
    ) {
        let mut all: Vec<&Action<'a>> = module.actions.iter().collect();
        if all.is_empty() {
            return;
        }
        all.sort_by_cached_key(|action| action.address.to_string());
        let mut list = object.key("actions").array();
        for action in all {
            let mut object = list.element().object();
            object.key("address").display(action.address);
            object.key("type").string(action.address.action_type);
            object.key("name").string(action.address.name);
            let provider = match action.provider {
                Some(provider) => provider.name().to_string(),
                None => action.provider_name().to_owned(),
            };
            // The key of an action's provider configuration is never that of an inherited one.
            object.key("provider_config_key").string(&instance.key(&provider));
            self.repetition(action.count, action.for_each, module, &mut object);
        }
    }

    fn expression(&self, value: Expression<'a>, module: &Module<'a>) -> Shown {
        Shown::of(value, module, How::of(self.options))
    }

    fn output(&self, output: &Output<'a>, at: usize, slot: Slot<'_, '_>) {
        let module = &self.tree.modules()[at].module;
        let mut object = slot.object();
        flag(&mut object, "sensitive", output.sensitive);
        if module.dialect != Dialect::Terraform {
            flag(&mut object, "ephemeral", output.ephemeral);
            text(&mut object, "deprecated", output.deprecated);
        }
        if let Some(value) = output.value {
            let is_secret = self.secrets[at].has_output(output.name);
            let how = How::of(self.options).with_secret(is_secret);
            Shown::of(value, module, how).write(object.key("expression"));
        }
        depends_on(output.depends_on, module, &mut object);
        text(&mut object, "description", output.description);
    }

    fn resources(
        &self,
        instance: &Instance<'_, 'a>,
        module: &Module<'a>,
        object: &mut ObjectWriter<'_, '_>,
    ) {
        let of_checks = module.checks.iter().filter_map(|check| check.data);
        // Terraform does not show ephemeral resources.
        let is_shown = |each: &&Resource<'a>| {
            match each.mode {
                Mode::Ephemeral => module.dialect != Dialect::Terraform,
                // Only queries read them.
                Mode::List => false,
                Mode::Managed | Mode::Data => true,
            }
        };
        let mut all: Vec<&Resource<'a>> =
            module.resources.iter().chain(of_checks).filter(is_shown).collect();
        if all.is_empty() {
            return;
        }
        all.sort_by_cached_key(|resource| (resource.mode, resource.address().to_string()));
        let mut list = object.key("resources").array();
        for resource in all {
            self.resource(instance, resource, module, list.element());
        }
    }

    fn resource(
        &self,
        instance: &Instance<'_, 'a>,
        resource: &Resource<'a>,
        module: &Module<'a>,
        slot: Slot<'_, '_>,
    ) {
        let address = resource.address();
        let mut object = slot.object();
        object.key("address").display(address);
        object.key("mode").string(address.mode.as_str());
        object.key("type").string(address.resource_type);
        object.key("name").string(address.name);
        let provider = match resource.provider() {
            Some(provider) => provider.name().to_string(),
            None => resource.provider_name().to_owned(),
        };
        object.key("provider_config_key").string(&self.providers.key(instance, &provider));
        if !resource.provisioners().is_empty() {
            let mut list = object.key("provisioners").array();
            for one in resource.provisioners() {
                self.provisioner(one, instance.module, list.element());
            }
        }
        let schema = self.options.schemas.and_then(|schemas: &BodySchemas<'a>| {
            let provider = self.providers.full_name(instance.module, resource.provider_name());
            let kind = SchemaKind::of_mode(address.mode);
            schemas.find(&provider, kind, address.resource_type)
        });
        let body = self.options.schemas.zip(schema);
        let body = body.and_then(|(schemas, schema)| schemas.body_of(schema));
        let bodies = self.bodies(instance.module);
        bodies.write(resource.config(), resource.escape(), body.as_deref(), &mut object);
        if let Some(version) = schema.and_then(|schema| schema.version().value()) {
            object.key("schema_version").unsigned(version);
        }
        self.repetition(resource.count(), resource.for_each(), module, &mut object);
        depends_on(resource.depends_on(), module, &mut object);
    }

    fn provisioner(&self, provisioner: &Provisioner<'a>, module: usize, slot: Slot<'_, '_>) {
        let mut object = slot.object();
        object.key("type").string(provisioner.provisioner_type);
        // Files of schemas do not include provisioners, so each argument is one expression.
        self.bodies(module).write(provisioner.config, provisioner.escape, None, &mut object);
    }

    /// Writes `count` or `for_each`. If both are set, which is an error, `count` counts.
    fn repetition(
        &self,
        count: Option<Expression<'a>>,
        for_each: Option<Expression<'a>>,
        module: &Module<'a>,
        object: &mut ObjectWriter<'_, '_>,
    ) {
        let mut write = |name, value: Option<Expression<'a>>| {
            value.is_some_and(|value| self.expression(value, module).write_member(name, object))
        };
        if !write("count_expression", count) {
            write("for_each_expression", for_each);
        }
    }

    fn call(
        &self,
        instance: &Instance<'_, 'a>,
        at: usize,
        call: &ModuleCall<'a>,
        module: &Module<'a>,
        slot: Slot<'_, '_>,
    ) {
        let mut object = slot.object();
        let source = match module.dialect {
            // It evaluates sources, by the defaults of variables here.
            Dialect::OpenTofu => call.resolved_source(),
            _ => call.source_text(),
        };
        text(&mut object, "source", source);
        let place = match self.tree.modules()[instance.module].links.get(at) {
            Some(Link::Module(place)) => Some(*place),
            _ => None,
        };
        let called = place.map(|place| &self.tree.modules()[place]);
        // Arguments that the called module does not declare are left out.
        let is_declared = |name: &str| {
            called.is_none_or(|it| it.withholds() || it.module.variables.get(name).is_some())
        };
        let mut arguments: BTreeMap<&str, Expression<'a>> = BTreeMap::new();
        for argument in call.arguments {
            arguments.insert(argument.name(), argument.expression());
        }
        for property in
            call.escape.into_iter().flat_map(|block: Block<'a>| block.body().properties())
        {
            arguments.insert(property.name(), property.expression());
        }
        arguments.retain(|name, _| is_declared(name));
        if !arguments.is_empty() {
            let mut list = object.key("expressions").object();
            for (name, value) in arguments {
                let is_secret = place.is_some_and(|place| self.secrets[place].has_variable(name));
                let how = How::of(self.options).with_secret(is_secret);
                Shown::of(value, module, how).write(list.key(name));
            }
        }
        self.repetition(call.count, call.for_each, module, &mut object);
        if let Some(child) = instance.children.get(at).copied().flatten() {
            self.module(child, object.key("module"));
        }
        text(&mut object, "version_constraint", call.version_text());
        depends_on(call.depends_on, module, &mut object);
    }
}

fn variable(variable: &Variable<'_>, dialect: Dialect, how: How, slot: Slot<'_, '_>) {
    let mut object = slot.object();
    let is_terraform = dialect == Dialect::Terraform;
    let constraint = variable.constraint.map(|constraint| constraint.ty);
    if let Some(ty) = constraint.filter(|ty| !is_terraform && !ty.is_dynamic()) {
        value::write_type(ty, object.key("type"));
    }
    if variable.default.is_some_and(|default| how.hides(default)) {
        object.key("default").string(HIDDEN);
    } else if let Some(converted) = variable.default_briefly() {
        let literal = || variable.default.map(|default| default.literal_value(&mut ()));
        let json = converted.ok().and_then(expression::json);
        if let Some(json) = json.or_else(|| literal().and_then(expression::json)) {
            object.key("default").json(&json);
        }
    }
    text(&mut object, "description", variable.description);
    if !is_terraform {
        flag(&mut object, "required", Some(variable.is_required()));
    }
    flag(&mut object, "sensitive", variable.sensitive);
    if !is_terraform {
        flag(&mut object, "ephemeral", variable.ephemeral);
        text(&mut object, "deprecated", variable.deprecated);
    }
}

/// Objects sorted by name, as bytes.
fn by_name<'n, T>(
    all: impl Iterator<Item = T>,
    name: impl Fn(&T) -> &'n str,
) -> BTreeMap<&'n str, T> {
    all.map(|item| (name(&item), item)).collect()
}

/// Writes a text, unless it is empty.
fn text(object: &mut ObjectWriter<'_, '_>, name: &str, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        object.key(name).string(text);
    }
}

/// Writes a flag if it is set.
fn flag(object: &mut ObjectWriter<'_, '_>, name: &str, flag: Option<bool>) {
    if flag == Some(true) {
        object.key(name).bool(true);
    }
}

/// The objects of `depends_on`. An invalid one is an empty string, as in the tools.
fn depends_on<'a>(
    traversals: &[Traversal<'a>],
    module: &Module<'a>,
    object: &mut ObjectWriter<'_, '_>,
) {
    let subject = |traversal: &Traversal<'a>| {
        let reference = module.reference(*traversal);
        reference.map_or_else(|_| String::new(), |reference| reference.subject().to_string())
    };
    let texts: Vec<String> = traversals.iter().map(subject).collect();
    strings(object, "depends_on", &texts);
}
