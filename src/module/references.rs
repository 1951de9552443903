//! References of a module: who refers to what, read through the dialect.
//!
//! Literal arguments refer to nothing, whatever their text looks like; arguments that are traversals or native
//! expressions are read as such; all others are templates, object keys too. Of what a provider reads every string
//! is taken for a template. Names that a `dynamic` block brings into its content are no references.

use std::fmt;

use super::computed::Wanted;
use super::scope::Available;
use super::{Condition, Config, Module, Provisioner, Resource, dynamic};
use crate::body::{Attribute, Block};
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::expression::{Expression, Seen};
use crate::json::Member;
use crate::native::{LentTraversal, Native, Traversal};
use crate::reference::{ActionName, LentReference, ResourceName};

/// An object of a module that can refer to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Object<'a> {
    /// A variable, by its conditions.
    Variable(&'a str),
    /// A local value.
    Local(&'a str),
    /// An output.
    Output(&'a str),
    /// A provider configuration.
    Provider(&'a str, Option<&'a str>),
    /// A resource, data source or ephemeral resource.
    Resource(ResourceName<'a>),
    /// A module call.
    ModuleCall(&'a str),
    /// An action (Terraform).
    Action(ActionName<'a>),
    /// A check.
    Check(&'a str),
    /// An `import` block, by its place among them, from 0.
    Import(usize),
}

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "var.{name}"),
            Self::Local(name) => write!(f, "local.{name}"),
            Self::Output(name) => write!(f, "output.{name}"),
            Self::Provider(name, None) => write!(f, "provider.{name}"),
            Self::Provider(name, Some(alias)) => write!(f, "provider.{name}.{alias}"),
            Self::Resource(resource) => resource.fmt(f),
            Self::ModuleCall(name) => write!(f, "module.{name}"),
            Self::Action(action) => action.fmt(f),
            Self::Check(name) => write!(f, "check.{name}"),
            Self::Import(place) => write!(f, "import[{place}]"),
        }
    }
}

/// How an object refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use<'a> {
    /// It takes a value.
    Value,
    /// A module call hands the value on, as this argument.
    Argument(&'a str),
    /// It only waits: `depends_on`.
    Order,
    /// It needs the value to know whether it may be destroyed: `prevent_destroy` (OpenTofu).
    Guard,
    /// It is replaced when the other changes: `replace_triggered_by`.
    Trigger,
    /// It has the other run: an action.
    Run,
    /// A module call needs it to find the module: `source`.
    Source,
    /// The same: `version`.
    Version,
    /// It is needed before anything else: `for_each` of a provider configuration, a backend (OpenTofu).
    Early,
}

impl<'a> Module<'a> {
    /// What a traversal of the module refers to, by the rules of its dialect.
    ///
    /// # Errors
    /// The diagnostic that it refers to nothing, at the step where it goes wrong.
    pub fn reference<'t>(
        &self,
        traversal: LentTraversal<'t, 'a>,
    ) -> Result<LentReference<'t, 'a>, Diagnostic<'a>> {
        match self.dialect {
            Dialect::Terraform => LentReference::of_terraform(traversal),
            _ => LentReference::of(traversal),
        }
    }

    /// Visits every reference: the object that refers, how, and the traversal. Objects come in the order of
    /// variables, local values, outputs, providers, resources, module calls, actions, checks, imports; the
    /// references of one in the order of its arguments.
    ///
    /// Cost: every template of the module is parsed; no program is kept.
    pub fn visit_references(&self, visit: impl FnMut(Object<'a>, Use<'a>, LentTraversal<'_, 'a>)) {
        self.visit(&mut References(visit));
    }

    /// Visits every reference, with what its place has, and every template that does not parse.
    pub(super) fn visit(&self, visit: &mut impl Visit<'a>) {
        for variable in &self.variables {
            let mut visitor = Visitor::new(Object::Variable(variable.name), visit);
            visitor.validations(variable.validations);
        }
        for local in &self.locals {
            Visitor::new(Object::Local(local.name), visit).template(Some(local.value()));
        }
        for output in &self.outputs {
            let mut visitor = Visitor::new(Object::Output(output.name), visit);
            visitor.template(output.value);
            visitor.order(output.depends_on);
            visitor.assertions(output.preconditions);
        }
        for provider in &self.providers {
            let object = Object::Provider(provider.name, provider.alias);
            let mut visitor = Visitor::new(object, visit);
            visitor.values(provider.for_each, Use::Early);
            visitor.available = Available::repeated(false, provider.for_each.is_some());
            visitor.config(provider.config, provider.escape);
        }
        for resource in &self.resources {
            let mut visitor = Visitor::new(Object::Resource(resource.address), visit);
            visitor.resource(resource, self.dialect);
        }
        for call in &self.calls {
            let mut visitor = Visitor::new(Object::ModuleCall(call.name), visit);
            visitor.values(call.source.map(Attribute::expression), Use::Source);
            visitor.values(call.version.map(Attribute::expression), Use::Version);
            visitor.wanted(call.count, Wanted::Count);
            visitor.wanted(call.for_each, Wanted::Each);
            visitor.template(call.enabled.map(Attribute::expression));
            visitor.available = Available::repeated(call.count.is_some(), call.for_each.is_some());
            for argument in call.arguments {
                visitor.values(Some(argument.expression()), Use::Argument(argument.name()));
            }
            visitor.block(call.escape);
            visitor.available = Available::NONE;
            visitor.order(call.depends_on);
        }
        for action in &self.actions {
            let mut visitor = Visitor::new(Object::Action(action.address), visit);
            visitor.wanted(action.count, Wanted::Count);
            visitor.wanted(action.for_each, Wanted::Each);
            visitor.available =
                Available::repeated(action.count.is_some(), action.for_each.is_some());
            if let Some(config) = action.config {
                visitor.config(config, None);
            }
        }
        for check in &self.checks {
            let mut visitor = Visitor::new(Object::Check(check.name), visit);
            if let Some(data) = check.data {
                visitor.resource(data, self.dialect);
                visitor.available = Available::NONE;
            }
            visitor.assertions(check.assertions);
        }
        for (place, import) in self.imports.iter().enumerate() {
            let mut visitor = Visitor::new(Object::Import(place), visit);
            visitor.wanted(import.for_each, Wanted::Collection);
            visitor.available = Available::repeated(false, import.for_each.is_some());
            visitor.wanted(import.id, Wanted::Identifier);
            visitor.wanted(import.identity, Wanted::Identity);
        }
    }
}

/// What becomes of the references of a module.
pub(super) trait Visit<'a> {
    /// Comes to the next object, whether it refers to anything or not.
    fn enter(&mut self) {}

    /// Takes a reference of it.
    fn reference(
        &mut self,
        object: Object<'a>,
        kind: Use<'a>,
        available: Available,
        traversal: LentTraversal<'_, 'a>,
    );

    /// Takes the reason why a template does not parse.
    fn broken(&mut self, _: Diagnostic<'a>) {}

    /// Takes an expression whose references have been visited, and names that `dynamic` blocks around it bring in.
    /// One that is not computed only joins texts and references.
    fn expression(&mut self, _: Expression<'a>, _: &[&'a str], _is_computed: bool) {}

    /// What follows, or nothing any more, is only warned of if it has no value.
    fn lenient(&mut self, _: bool) {}

    /// Takes what the last expression must be.
    fn wants(&mut self, _: Wanted) {}
}

/// References without their places.
struct References<F>(F);

impl<'a, F: FnMut(Object<'a>, Use<'a>, LentTraversal<'_, 'a>)> Visit<'a> for References<F> {
    fn reference(
        &mut self,
        object: Object<'a>,
        kind: Use<'a>,
        _: Available,
        traversal: LentTraversal<'_, 'a>,
    ) {
        (self.0)(object, kind, traversal);
    }
}

/// Visits the references of one object.
struct Visitor<'a, 'v, V> {
    object: Object<'a>,
    visit: &'v mut V,
    /// What the arguments that are being visited have.
    available: Available,
}

impl<'a, 'v, V: Visit<'a>> Visitor<'a, 'v, V> {
    fn new(object: Object<'a>, visit: &'v mut V) -> Self {
        visit.enter();
        Self { object, visit, available: Available::NONE }
    }

    fn template(&mut self, value: Option<Expression<'a>>) {
        self.values(value, Use::Value);
    }

    fn values(&mut self, value: Option<Expression<'a>>, kind: Use<'a>) {
        if let Some(value) = value {
            self.values_without(value, kind, &[]);
        }
    }

    /// The references of a value. Names that the `dynamic` blocks around it bring in are none.
    fn values_without(&mut self, value: Expression<'a>, kind: Use<'a>, iterators: &[&'a str]) {
        let (mut is_computed, mut takes_types) = (false, false);
        value.visit_variables(|seen| match seen {
            Seen::Traversal(traversal) if iterators.contains(&traversal.root_name()) => {}
            Seen::Traversal(traversal) => {
                self.visit.reference(self.object, kind, self.available, traversal);
            }
            Seen::Template(program) => {
                is_computed |= program.is_computed();
                takes_types |= program.takes_types();
            }
            Seen::Broken(error) => self.visit.broken(error),
        });
        // Keys can be there twice. Bodies of providers are for their schemas to tell.
        let is_value =
            matches!(self.object, Object::Local(_) | Object::Output(_) | Object::ModuleCall(_));
        is_computed |= is_value && (value.node().is_object() || value.node().is_array());
        // What must be known early is told as such.
        let is_early = matches!(kind, Use::Source | Use::Version | Use::Early);
        self.visit.expression(value, iterators, is_computed && !takes_types && !is_early);
    }

    /// A template that must have a value of some kind.
    fn wanted(&mut self, value: Option<Expression<'a>>, wanted: Wanted) {
        if let Some(value) = value {
            self.values_without(value, Use::Value, &[]);
            self.visit.wants(wanted);
        }
    }

    fn order(&mut self, traversals: &[Traversal<'a>]) {
        for &traversal in traversals {
            self.visit.reference(self.object, Use::Order, self.available, traversal);
        }
    }

    fn natives(&mut self, expressions: &[Expression<'a>], kind: Use<'a>) {
        for expression in expressions {
            for traversal in expression.as_native().into_iter().flat_map(Native::variables) {
                self.visit.reference(self.object, kind, Available::ALL, traversal);
            }
        }
    }

    fn conditions(&mut self, conditions: &[Condition<'a>]) {
        for condition in conditions {
            self.template(condition.condition);
            self.template(condition.error_message);
        }
    }

    /// Conditions whose messages the tools show as they are written if they have no value.
    fn validations(&mut self, conditions: &[Condition<'a>]) {
        for condition in conditions {
            self.template(condition.condition);
            self.visit.lenient(true);
            self.template(condition.error_message);
            self.visit.lenient(false);
        }
    }

    /// Conditions whose messages are evaluated before anything is planned.
    fn assertions(&mut self, conditions: &[Condition<'a>]) {
        for condition in conditions {
            self.template(condition.condition);
            self.wanted(condition.error_message, Wanted::Message);
        }
    }

    fn resource(&mut self, resource: &Resource<'a>, dialect: Dialect) {
        self.wanted(resource.count, Wanted::Count);
        self.wanted(resource.for_each, Wanted::Each);
        let repeated = Available::repeated(resource.count.is_some(), resource.for_each.is_some());
        self.available = repeated;
        self.config(resource.config, resource.escape.copied());
        if let Some(lifecycle) = resource.lifecycle {
            // Terraform reads it literally.
            if dialect != Dialect::Terraform {
                self.values(lifecycle.prevent_destroy, Use::Guard);
            }
            self.template(lifecycle.enabled.map(Attribute::expression));
            self.natives(lifecycle.replace_triggered_by, Use::Trigger);
            self.available = repeated.with_self();
            for trigger in lifecycle.action_triggers {
                self.template(trigger.condition);
                self.natives(trigger.actions, Use::Run);
            }
            self.available = repeated;
            self.conditions(lifecycle.preconditions);
            self.available = repeated.with_self();
            self.conditions(lifecycle.postconditions);
        }
        self.available = repeated.with_self();
        // Without provisioners nobody asks for the connection.
        if !resource.provisioners.is_empty() {
            self.block(resource.connection.copied());
        }
        resource.provisioners.iter().for_each(|provisioner| self.provisioner(provisioner));
        self.available = Available::NONE;
        self.order(resource.depends_on);
    }

    fn provisioner(&mut self, provisioner: &Provisioner<'a>) {
        self.config(provisioner.config, provisioner.escape);
        self.block(provisioner.connection);
    }

    fn block(&mut self, block: Option<Block<'a>>) {
        if let Some(block) = block {
            self.config(Config::new(block.body()), None);
        }
    }

    fn config(&mut self, config: Config<'a>, escape: Option<Block<'a>>) {
        for property in config.properties() {
            self.property(property);
        }
        self.block(escape);
    }

    /// A property of a body that a provider reads: an attribute, or a block of any depth.
    fn property(&mut self, property: Member<'a>) {
        dynamic::visit_templates(property, |value, iterators| {
            self.values_without(value, Use::Value, iterators);
        });
    }
}
