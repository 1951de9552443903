//! An expression of a module with its place, and the visitor that produces them from the arguments
//! of a block.

use super::available::Available;
use super::dynamic::Nested;
use super::{Condition, Config, Object, ProviderConfigName, ProviderReference, dynamic};
use crate::body::Block;
use crate::diagnostic::Label;
use crate::expression::{Expression, Seen};
use crate::native::{LentTraversal, Native, Traversal};

/// An expression of a module with its place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Site<'v, 'a> {
    /// The object that the expression belongs to.
    pub object: Object<'a>,
    /// The number of that object: its index in [`Module::objects`](super::Module::objects).
    pub number: u32,
    /// How the object uses the value, or the kind of the reference.
    pub usage: Use<'a>,
    /// Which of `count`, `each` and `self` exist here.
    pub available: Available,
    /// Iterator names of the `dynamic` blocks around the expression. They hide objects of the
    /// module.
    pub iterators: &'v [&'a str],
    /// The values that are accepted.
    pub wanted: Wanted,
    /// The expression, and how it is read.
    pub reading: Reading<'a>,
}

/// How an expression is read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Reading<'a> {
    /// A JSON value whose strings are templates.
    Template(Expression<'a>),
    /// A JSON string that holds an expression in native syntax.
    Native(Expression<'a>),
    /// A reference or an address: an element of `depends_on`, `from` of a `moved` block.
    Traversal(Traversal<'a>),
    /// A reference to a provider configuration.
    Provider(ProviderReference<'a>),
    /// A JSON value that is taken literally.
    Literal(Expression<'a>),
}

/// The way an object refers to another, or uses a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Use<'a> {
    /// Uses the value.
    Value,
    /// A module call passes the value on, as this argument.
    Argument(&'a str),
    /// Only waits for the object: `depends_on`.
    Order,
    /// Uses the value to decide whether an instance may be destroyed: `prevent_destroy` (OpenTofu).
    Guard,
    /// Is replaced when the other object changes: `replace_triggered_by`.
    Trigger,
    /// Runs the other object, an action.
    Run,
    /// A module call uses it to find the module: `source`.
    Source,
    /// A module call uses it to find the module: `version`.
    Version,
    /// Is evaluated before anything else: `for_each` of a provider configuration, a backend,
    /// encryption.
    Early,
    /// Is never evaluated: an argument of a method or key provider that no encryption target uses.
    Unevaluated,
    /// The provider configuration that manages the object: the argument `provider`.
    Provider,
    /// A module call passes the provider configuration on, under this name: the argument
    /// `providers`.
    Pass(ProviderConfigName<'a>),
    /// An address: `from` and `to` of `moved`, `removed` and `import`.
    Address,
    /// A method of encryption.
    Method,
    /// Is taken literally and refers to nothing.
    Literal,
}

impl Use<'_> {
    /// Whether traversals of such an expression refer to values of the module.
    #[must_use]
    pub const fn is_reference(self) -> bool {
        !matches!(
            self,
            Self::Provider | Self::Pass(_) | Self::Address | Self::Method | Self::Literal
        )
    }
}

/// The values that an argument accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// Any value, or only a schema knows.
    Any,
    /// `count`: a whole number that is not negative.
    Count,
    /// `for_each`: a map, an object or a set of strings.
    Each,
    /// `enabled`: true or false.
    Enabled,
    /// `prevent_destroy`: true, false or null (OpenTofu).
    Guard,
    /// `for_each` of an import: any collection.
    Collection,
    /// `id` of an import: a string that is not empty.
    Identifier,
    /// `identity` of an import: an object.
    Identity,
    /// A message that is evaluated before the plan: a string.
    Message,
    /// The message of a validation. If it has no value, the tools show it as written.
    ValidationMessage,
}

impl<'a> Site<'_, 'a> {
    /// The JSON value; `None` for an element of a list of traversals, and for a reference to a
    /// provider configuration.
    #[must_use]
    pub fn expression(&self) -> Option<Expression<'a>> {
        match self.reading {
            Reading::Template(value) | Reading::Native(value) | Reading::Literal(value) => {
                Some(value)
            }
            Reading::Traversal(_) | Reading::Provider(_) => None,
        }
    }

    /// Visits the references to objects of the module, in the order of the text.
    ///
    /// Cost: the templates are parsed; no program is kept.
    pub fn visit_references(&self, mut visit: impl FnMut(LentTraversal<'_, 'a>)) {
        if self.usage.is_reference() {
            self.visit(|seen| {
                if let Seen::Traversal(traversal) = seen {
                    visit(traversal);
                }
            });
        }
    }

    /// Visits the functions of providers that it calls: their names, and the places of the names.
    ///
    /// Cost: the templates are parsed; no program is kept.
    pub fn visit_functions(&self, mut visit: impl FnMut(&'a str, Label<'a>)) {
        self.visit_calls(|name, label| {
            if name.starts_with("provider::") {
                visit(name, label);
            }
        });
    }

    /// Visits the functions that it calls: their names, and the places of the names.
    ///
    /// Cost: the templates are parsed; no program is kept.
    pub(crate) fn visit_calls(&self, mut visit: impl FnMut(&'a str, Label<'a>)) {
        if self.usage.is_reference() {
            self.visit(|seen| {
                let Seen::Template(program) = seen else { return };
                for call in program.own_calls() {
                    visit(call.name, Label::new(program.source, call.name_span));
                }
            });
        }
    }

    /// Visits the templates, the traversals except those of iterators, and the syntax errors of
    /// templates.
    pub(crate) fn visit(&self, visit: impl FnMut(Seen<'_, 'a>)) {
        self.visit_with(visit, |_| {});
    }

    /// Does the same, and visits the traversals of iterators with `visit_iterator`.
    pub(crate) fn visit_with(
        &self,
        mut visit: impl FnMut(Seen<'_, 'a>),
        mut visit_iterator: impl FnMut(LentTraversal<'_, 'a>),
    ) {
        let is_iterator =
            |traversal: LentTraversal<'_, 'a>| self.iterators.contains(&traversal.root_name());
        match self.reading {
            Reading::Template(value) => value.visit_variables(|seen| match seen {
                Seen::Traversal(traversal) if is_iterator(traversal) => visit_iterator(traversal),
                seen => visit(seen),
            }),
            Reading::Native(value) => {
                let variables = value.as_native().into_iter().flat_map(Native::variables);
                variables.for_each(|traversal| visit(Seen::Traversal(traversal)));
            }
            Reading::Traversal(traversal) => visit(Seen::Traversal(traversal)),
            Reading::Provider(_) | Reading::Literal(_) => {}
        }
    }
}

/// Produces the sites of one object after another.
pub(super) struct Visitor<'v, 'a> {
    /// The object that is being visited; `None` before the first.
    object: Option<Object<'a>>,
    number: u32,
    /// Which of `count`, `each` and `self` exist in the arguments that follow.
    pub(super) available: Available,
    /// Whether arguments that nothing uses are visited.
    pub(super) visits_unused: bool,
    visit: &'v mut dyn FnMut(&Site<'_, 'a>),
}

impl<'v, 'a> Visitor<'v, 'a> {
    /// `number` is that of the object that is entered first.
    pub(super) fn new(number: u32, visit: &'v mut dyn FnMut(&Site<'_, 'a>)) -> Self {
        let available = Available::NONE;
        Self { object: None, number, available, visits_unused: false, visit }
    }

    /// Starts the next object, whether or not it has expressions.
    pub(super) fn enter(&mut self, object: Object<'a>) -> &mut Self {
        self.number += u32::from(self.object.is_some());
        self.object = Some(object);
        self.available = Available::NONE;
        self
    }

    fn site(
        &mut self,
        reading: Reading<'a>,
        usage: Use<'a>,
        wanted: Wanted,
        iterators: &[&'a str],
    ) {
        let Some(object) = self.object else { return };
        let (number, available) = (self.number, self.available);
        (self.visit)(&Site { object, number, usage, available, iterators, wanted, reading });
    }

    /// A template whose value is taken.
    pub(super) fn template(&mut self, value: Option<Expression<'a>>) {
        self.value(value, Use::Value);
    }

    /// A template with this use.
    pub(super) fn value(&mut self, value: Option<Expression<'a>>, usage: Use<'a>) {
        if let Some(value) = value {
            self.site(Reading::Template(value), usage, Wanted::Any, &[]);
        }
    }

    /// A template that accepts only these values.
    pub(super) fn wanted(&mut self, value: Option<Expression<'a>>, wanted: Wanted) {
        if let Some(value) = value {
            self.site(Reading::Template(value), Use::Value, wanted, &[]);
        }
    }

    /// `count` and `for_each`. If override files bring the other one, `count` decides, and the tools
    /// do not evaluate `for_each`.
    pub(super) fn repetition(
        &mut self,
        count: Option<Expression<'a>>,
        for_each: Option<Expression<'a>>,
    ) {
        self.wanted(count, Wanted::Count);
        self.wanted(for_each, if count.is_some() { Wanted::Any } else { Wanted::Each });
    }

    /// A value that is taken literally.
    pub(super) fn literal(&mut self, value: Option<Expression<'a>>) {
        if let Some(value) = value {
            self.site(Reading::Literal(value), Use::Literal, Wanted::Any, &[]);
        }
    }

    /// `prevent_destroy` of OpenTofu.
    pub(super) fn guard(&mut self, value: Option<Expression<'a>>) {
        if let Some(value) = value {
            self.site(Reading::Template(value), Use::Guard, Wanted::Guard, &[]);
        }
    }

    /// Traversals that have already been read.
    pub(super) fn traversals(
        &mut self,
        traversals: impl IntoIterator<Item = Traversal<'a>>,
        usage: Use<'a>,
    ) {
        for traversal in traversals {
            self.site(Reading::Traversal(traversal), usage, Wanted::Any, &[]);
        }
    }

    /// The elements of `depends_on`.
    pub(super) fn order(&mut self, traversals: &[Traversal<'a>]) {
        self.traversals(traversals.iter().copied(), Use::Order);
    }

    /// Native expressions. Their uses of `count`, `each` and `self` were checked when they were
    /// read.
    pub(super) fn natives(
        &mut self,
        expressions: impl IntoIterator<Item = Expression<'a>>,
        usage: Use<'a>,
    ) {
        let available = std::mem::replace(&mut self.available, Available::ALL);
        for expression in expressions {
            self.site(Reading::Native(expression), usage, Wanted::Any, &[]);
        }
        self.available = available;
    }

    /// A reference to a provider configuration.
    pub(super) fn provider(&mut self, reference: Option<ProviderReference<'a>>, usage: Use<'a>) {
        if let Some(reference) = reference {
            self.site(Reading::Provider(reference), usage, Wanted::Any, &[]);
        }
    }

    /// Conditions, with messages that accept only these values.
    pub(super) fn conditions(&mut self, conditions: &[Condition<'a>], message: Wanted) {
        for condition in conditions {
            self.template(condition.condition);
            self.wanted(condition.error_message, message);
        }
    }

    /// A body that has attributes only.
    pub(super) fn values(&mut self, block: Option<Block<'a>>) {
        if let Some(block) = block {
            self.config(Config::new(block.body()), None, Nested::None);
        }
    }

    /// A body that a plugin reads: attributes, and blocks of any depth unless `nested` says that there
    /// are none.
    pub(super) fn config(&mut self, config: Config<'a>, escape: Option<Block<'a>>, nested: Nested) {
        self.config_with(&[], config, escape, nested);
    }

    /// The same, where `names` hide objects of the module.
    pub(super) fn config_with(
        &mut self,
        names: &[&'a str],
        config: Config<'a>,
        escape: Option<Block<'a>>,
        nested: Nested,
    ) {
        let escaped = escape.into_iter().flat_map(|escape| escape.body().properties());
        for property in config.properties().chain(escaped) {
            dynamic::visit_templates(property, nested, |value, iterators| {
                let all = if names.is_empty() { Vec::new() } else { [names, iterators].concat() };
                let names = if all.is_empty() { iterators } else { &all };
                self.site(Reading::Template(value), Use::Value, Wanted::Any, names);
            });
        }
    }

    /// A body that is evaluated before anything else, and in which `names` hide objects of the
    /// module.
    pub(super) fn early(&mut self, config: Config<'a>, usage: Use<'a>, names: &[&'a str]) {
        for property in config.properties() {
            let value = property.expression();
            self.site(Reading::Template(value), usage, Wanted::Any, names);
        }
    }
}
