//! Everything that is written about the names of a module: names in declarations, names of
//! arguments of calls, and expressions.
//!
//! [`Module::visit_names`] visits what counts, object by object. [`Module::visit_written`] visits
//! one file, block by block, whether or not a block has an effect: the base of an override, a second
//! declaration of a name, a block that an override file must not have. Both pass on the same
//! [`Written`], so a reader of names treats them alike.

use super::provider::declared_config;
use super::rules::Rules;
use super::site::Visitor;
use super::{
    Action, Check, Import, Local, Module, ModuleCall, Moved, Object, Output, Provider,
    ProviderConfigName, ProviderPass, Removed, RequiredProvider, Resource, Setting, Settings, Site,
    Variable,
};
use crate::body::{Block, Body};
use crate::diagnostic::Label;
use crate::dialect::{
    BlockKind, List, only_beside_modules, only_in_packer, only_in_tests, root_schema,
};
use crate::native::Traversal;
use crate::reference::{Mode, ResourceName};

/// A part of a file that names objects.
#[derive(Clone, Copy)]
pub(crate) enum Written<'v, 'a> {
    /// The name of an object where it is declared, quotes included.
    Name(Object<'a>, Label<'a>),
    /// The name of the data source of a check.
    Scoped(&'a str, ResourceName<'a>, Label<'a>),
    /// A configuration that the caller of the module must pass.
    Alias(Traversal<'a>),
    /// The name of an argument of a call.
    Argument(&'a str, &'a str, Label<'a>),
    /// A provider configuration that a call passes.
    Pass(&'a str, ProviderPass<'a>),
    /// The type of an object, which implies the default configuration of a provider.
    Implied(Object<'a>, ProviderConfigName<'a>, Label<'a>),
    /// An expression.
    Expression(&'v Site<'v, 'a>),
}

/// Takes what is written.
type Emit<'e, 'a> = &'e mut dyn FnMut(Written<'_, 'a>);

impl<'a> Module<'a> {
    /// Whether something is written that [`Module::visit_names`] leaves out.
    pub(crate) fn has_ineffective(&self) -> bool {
        let is_unused = |resource: &Resource<'a>| {
            resource.connection().is_some() && resource.provisioners().is_empty()
        };
        self.has_ineffective || self.resources.iter().any(is_unused)
    }

    /// Visits the expressions of the module, then names in declarations and calls: what counts, in
    /// the order of the objects.
    ///
    /// Cost: that of [`Module::visit_expressions`].
    pub(crate) fn visit_names(&self, emit: Emit<'_, 'a>) {
        self.visit_expressions(|site| emit(Written::Expression(site)));
        self.variables.iter().for_each(|each| variable(each, emit));
        self.locals.iter().for_each(|each| local(each, emit));
        self.outputs.iter().for_each(|each| output(each, emit));
        self.providers.iter().for_each(|each| provider(each, emit));
        self.resources.iter().for_each(|each| resource(each, emit));
        self.calls.iter().for_each(|each| call(each, emit));
        self.actions.iter().for_each(|each| action(each, emit));
        self.checks.iter().for_each(|each| check(each, emit));
        self.required_providers().for_each(|each| required(each, emit));
    }

    /// Visits everything that one file of the module says, in the order of the file. The number of
    /// each site is that of its object, or [`u32::MAX`] if the module has no such object.
    ///
    /// Cost: the bodies of all blocks are read again, and every template is parsed.
    pub(crate) fn visit_written(&self, list: List, body: Body<'a>, emit: Emit<'_, 'a>) {
        let Some(schema) = root_schema(self.dialect, list) else { return };
        let rules = match list {
            List::Primary | List::Query => Rules::primary(self.dialect),
            List::Override => Rules::overriding(self.dialect),
            _ => return,
        };
        body.visit_blocks(schema, &mut (), |block, _| self.written_block(block, rules, emit));
    }

    fn written_block(&self, block: Block<'a>, rules: Rules, emit: Emit<'_, 'a>) {
        let Some(kind) = BlockKind::of(block) else { return };
        if kind == BlockKind::List {
            return self.written_resource(block, Mode::List, rules, emit);
        }
        let sink = &mut ();
        match kind {
            BlockKind::Variable => {
                let read = Variable::read(block, rules, sink);
                variable(&read, emit);
                self.expressions(Object::Variable(read.name), emit, |it| read.visit(it));
            }
            BlockKind::Locals => Local::read_all(block, sink, |read| {
                local(&read, emit);
                let object = Object::Local(read.name);
                self.expressions(object, emit, |it| it.template(Some(read.value())));
            }),
            BlockKind::Output => {
                let read = Output::read(block, rules, sink);
                output(&read, emit);
                self.expressions(Object::Output(read.name), emit, |it| read.visit(it));
            }
            BlockKind::Provider => {
                let read = Provider::read(block, rules, sink);
                provider(&read, emit);
                let object = Object::Provider(read.config_name());
                self.expressions(object, emit, |it| read.visit(it));
            }
            BlockKind::Resource => self.written_resource(block, Mode::Managed, rules, emit),
            BlockKind::Data => self.written_resource(block, Mode::Data, rules, emit),
            BlockKind::Ephemeral => self.written_resource(block, Mode::Ephemeral, rules, emit),
            BlockKind::Module => {
                let read = ModuleCall::read(block, rules, sink);
                call(&read, emit);
                self.expressions(Object::ModuleCall(read.name), emit, |it| read.visit(it));
            }
            BlockKind::Action => {
                let Some(read) = Action::read(block, rules, sink) else { return };
                action(&read, emit);
                self.expressions(Object::Action(read.address), emit, |it| read.visit(it));
            }
            BlockKind::Check => {
                let read = Check::read(block, rules, sink);
                check(&read, emit);
                let object = Object::Check(read.name);
                self.expressions(object, emit, |it| read.visit(self.dialect, it));
            }
            // Those that count have been visited, with their numbers.
            BlockKind::Moved => {
                let read = Moved::read(block, rules, sink);
                self.expressions(Object::Moved(usize::MAX), emit, |it| read.visit(it));
            }
            BlockKind::Removed => {
                let read = Removed::read(block, rules, sink);
                self.expressions(Object::Removed(usize::MAX), emit, |it| read.visit(it));
            }
            BlockKind::Import => {
                let read = Import::read(block, rules, sink);
                self.expressions(Object::Import(usize::MAX), emit, |it| read.visit(it));
            }
            BlockKind::Terraform => self.written_settings(block, rules, emit),
            // They name no objects.
            BlockKind::Language | BlockKind::RequiredProviders | BlockKind::Variables => {}
            BlockKind::OverrideResource | BlockKind::OverrideData => {}
            only_in_tests!() | only_in_packer!() | only_beside_modules!() => {}
        }
    }

    fn written_resource(&self, block: Block<'a>, mode: Mode, rules: Rules, emit: Emit<'_, 'a>) {
        let read = Resource::read(block, mode, rules, &mut ());
        resource(&read, emit);
        let object = Object::Resource(read.address());
        self.expressions(object, emit, |it| {
            it.visits_unused = true;
            read.visit(self.dialect, it);
        });
    }

    fn written_settings(&self, block: Block<'a>, rules: Rules, emit: Emit<'_, 'a>) {
        let read = Settings::read(block, rules, &mut ());
        read.required_providers.iter().for_each(|each| required(each, emit));
        for part in read.parts() {
            self.expressions(Object::Setting(part.setting), emit, |it| part.visit(it));
        }
        for encryption in read.encryption {
            let object = Object::Setting(Setting::Encryption);
            self.expressions(object, emit, |it| encryption.visit(it));
        }
    }

    /// Visits the expressions of one block of an object.
    fn expressions(
        &self,
        object: Object<'a>,
        emit: Emit<'_, 'a>,
        visit: impl FnOnce(&mut Visitor<'_, 'a>),
    ) {
        let number = self.object_number(object).unwrap_or(u32::MAX);
        let mut take = |site: &Site<'_, 'a>| emit(Written::Expression(site));
        visit(Visitor::new(number, &mut take).enter(object));
    }
}

fn variable<'a>(variable: &Variable<'a>, emit: Emit<'_, 'a>) {
    emit(Written::Name(Object::Variable(variable.name), variable.block.label_place(0)));
}

fn local<'a>(local: &Local<'a>, emit: Emit<'_, 'a>) {
    emit(Written::Name(Object::Local(local.name), local.attribute.name_label()));
}

fn output<'a>(output: &Output<'a>, emit: Emit<'_, 'a>) {
    emit(Written::Name(Object::Output(output.name), output.block.label_place(0)));
}

fn provider<'a>(provider: &Provider<'a>, emit: Emit<'_, 'a>) {
    let (_, label) = declared_config(provider.block);
    emit(Written::Name(Object::Provider(provider.config_name()), label));
}

fn resource<'a>(resource: &Resource<'a>, emit: Emit<'_, 'a>) {
    let object = Object::Resource(resource.address());
    emit(Written::Name(object, resource.block.label_place(1)));
    implied(object, resource, emit);
}

fn implied<'a>(object: Object<'a>, resource: &Resource<'a>, emit: Emit<'_, 'a>) {
    if resource.provider().is_none() {
        let name = ProviderConfigName::new(resource.provider_name(), None);
        emit(Written::Implied(object, name, resource.block.label_place(0)));
    }
}

fn call<'a>(call: &ModuleCall<'a>, emit: Emit<'_, 'a>) {
    emit(Written::Name(Object::ModuleCall(call.name), call.block.label_place(0)));
    let escaped = call.escape.into_iter().flat_map(|block| block.body().properties());
    for argument in call.arguments.iter().copied().chain(escaped) {
        emit(Written::Argument(call.name, argument.name(), argument.name_label()));
    }
    for &pass in call.providers {
        emit(Written::Pass(call.name, pass));
    }
}

fn action<'a>(action: &Action<'a>, emit: Emit<'_, 'a>) {
    let object = Object::Action(action.address);
    emit(Written::Name(object, action.block.label_place(1)));
    if action.provider.is_none() {
        let name = ProviderConfigName::new(action.provider_name(), None);
        emit(Written::Implied(object, name, action.block.label_place(0)));
    }
}

fn check<'a>(check: &Check<'a>, emit: Emit<'_, 'a>) {
    emit(Written::Name(Object::Check(check.name), check.block.label_place(0)));
    if let Some(data) = check.data {
        emit(Written::Scoped(check.name, data.address(), data.block.label_place(1)));
        implied(Object::Check(check.name), data, emit);
    }
}

fn required<'a>(entry: &RequiredProvider<'a>, emit: Emit<'_, 'a>) {
    let object = Object::Setting(Setting::RequiredProvider(entry.name));
    emit(Written::Name(object, entry.attribute.name_label()));
    entry.configuration_aliases.iter().for_each(|alias| emit(Written::Alias(*alias)));
}
