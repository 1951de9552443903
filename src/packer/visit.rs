//! The visit of a template: every expression, with its context.
//!
//! [`Template::visit_expressions`] passes on one [`Site`] per expression: the object that it
//! belongs to, how it is read, and its place. It works like the visit of modules
//! ([`crate::module::Module::visit_expressions`]).
//!
//! Literal arguments refer to nothing, even if their text looks like a reference; they are visited
//! if the template keeps them. All others are templates, including object keys and every string
//! that a plugin reads. The iterators of `dynamic` blocks are not references.

use super::post_processor::PostProcessors;
use super::provisioner::{Provisioner, Selection};
use super::reference::{Object, Reference, Scope, Subject, Text};
use super::registry::Registry;
use super::{Build, BuildSource, Dynamic, Template};
use crate::body::Body;
use crate::diagnostic::Diagnostic;
use crate::expression::{Expression, Seen};
use crate::module::Config;
use crate::module::dynamic::{Nested, visit_templates};
use crate::native::Traversal;

/// An expression of a template with its place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Site<'v, 'a> {
    /// The object that the expression belongs to.
    pub object: Object<'a>,
    /// The number of that object: its index in [`Template::objects`].
    pub number: u32,
    /// The place, which decides whether the source and the build are known.
    pub scope: Scope,
    /// Iterator names of the `dynamic` blocks around the expression.
    pub iterators: &'v [&'a str],
    /// The expression, and how it is read.
    pub reading: Reading<'a>,
}

/// How an expression of a template is read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Reading<'a> {
    /// A JSON value whose strings are templates.
    Template(Expression<'a>),
    /// The condition of a variable, a JSON value whose strings are templates. It may refer only to
    /// that variable.
    Condition(Expression<'a>),
    /// A source that a build uses.
    Source(BuildSource<'a>),
    /// A JSON value that is taken literally.
    Literal(Expression<'a>),
}

impl<'a> Site<'_, 'a> {
    /// The JSON value; `None` for a source that a build uses.
    #[must_use]
    pub fn expression(&self) -> Option<Expression<'a>> {
        match self.reading {
            Reading::Template(value) | Reading::Condition(value) | Reading::Literal(value) => {
                Some(value)
            }
            Reading::Source(_) => None,
        }
    }

    /// Visits the references, in the order of the text.
    ///
    /// Cost: the templates are parsed.
    pub fn visit_references(&self, visit: impl FnMut(Reference<'a>)) {
        self.visit(visit, &mut |_| ());
    }

    /// Visits the references, and the syntax errors of templates; `None` is an error that was reported
    /// before.
    pub(super) fn visit(
        &self,
        mut visit: impl FnMut(Reference<'a>),
        broken: &mut dyn FnMut(Option<&Diagnostic<'a>>),
    ) {
        match self.reading {
            Reading::Template(value) => {
                let mut variables = value.variables();
                let mut takes = None;
                for traversal in &mut variables {
                    if self.iterators.contains(&traversal.root_name())
                        || is_type(traversal) && *takes.get_or_insert_with(|| takes_types(value))
                    {
                        continue;
                    }
                    visit(self.reference(Subject::of(traversal), traversal));
                }
                variables.broken().iter().for_each(|error| broken(Some(error)));
                if value.has_invalid() {
                    broken(None);
                }
            }
            // References to anything but the variable itself have been reported, and are ignored.
            Reading::Condition(value) => {
                for traversal in value.variables() {
                    let subject = Subject::of(traversal);
                    if let (Ok(Subject::Variable(name)), Object::Variable(own)) =
                        (&subject, self.object)
                        && *name == own
                    {
                        visit(self.reference(subject, traversal));
                    }
                }
            }
            Reading::Source(used) => {
                if let Some(name) = used.name {
                    visit(Reference {
                        subject: Ok(Subject::Source(name)),
                        label: used.label,
                        text: Text::Source(used.text),
                        scope: self.scope,
                    });
                }
            }
            Reading::Literal(_) => {}
        }
    }

    fn reference(
        &self,
        subject: Result<Subject<'a>, Diagnostic<'a>>,
        traversal: Traversal<'a>,
    ) -> Reference<'a> {
        let text = Text::Traversal(traversal);
        Reference { subject, label: traversal.label(), text, scope: self.scope }
    }
}

/// Whether a traversal is the name of a type, as in `convert(value, list(string))`.
fn is_type(traversal: Traversal<'_>) -> bool {
    traversal.steps().len() == 1
        && matches!(traversal.root_name(), "string" | "number" | "bool" | "any")
}

/// Whether a function is called in a value of which an argument is a type.
fn takes_types(value: Expression<'_>) -> bool {
    let mut takes = false;
    value.visit_variables(|seen| {
        if let Seen::Template(program) = seen {
            takes |= program.takes_types();
        }
    });
    takes
}

impl<'a> Template<'a> {
    /// Visits every reference with the object that refers. The order is that of
    /// [`Template::visit_expressions`].
    ///
    /// Cost: every string is parsed as a template.
    pub fn visit_references(&self, mut visit: impl FnMut(Object<'a>, Reference<'a>)) {
        self.visit_expressions(|site| {
            site.visit_references(|reference| visit(site.object, reference));
        });
    }

    /// Visits every expression. Objects come in the order of their numbers ([`Template::objects`]):
    /// variables, local values, data sources, sources, builds, the registry.
    ///
    /// Cost: opens one level of the bodies that plugins read; parses no template.
    pub fn visit_expressions(&self, mut visit: impl FnMut(&Site<'_, 'a>)) {
        // New lists of a template must be added here: visited, or ignored by name.
        let Self {
            variables,
            locals,
            data,
            sources,
            builds,
            registry,
            // Versions and sources of plugins are literals.
            settings: _,
            // Packer skips them.
            others: _,
            // Values of variables have no references.
            assignments: _,
            // They are not read.
            legacy: _,
        } = self;
        let mut visitor =
            Visitor { object: None, number: 0, scope: Scope::Value, visit: &mut visit };
        for variable in variables {
            let visitor = visitor.enter(Object::Variable(variable.name));
            visitor.literal(variable.written_type);
            visitor.literal(variable.default);
            for validation in variable.validations {
                if let Some(condition) = validation.condition {
                    visitor.site(Reading::Condition(condition), &[]);
                }
            }
        }
        for local in locals {
            visitor.enter(Object::Local(local.name)).template(local.value);
        }
        for data in data {
            visitor.enter(Object::Data(data.name)).config(data.config, Scope::Value);
        }
        for source in sources {
            visitor.enter(Object::Source(source.name)).config(source.config, Scope::Source);
        }
        for (place, build) in builds.iter().enumerate() {
            visitor.enter(Object::Build(place)).build(build);
        }
        if let Some(registry) = registry {
            visitor.enter(Object::Registry).registry(registry);
        }
    }
}

/// Produces the sites of one object after another.
struct Visitor<'v, 'a> {
    /// The object that is being visited; `None` before the first.
    object: Option<Object<'a>>,
    number: u32,
    scope: Scope,
    visit: &'v mut dyn FnMut(&Site<'_, 'a>),
}

impl<'a> Visitor<'_, 'a> {
    /// Starts the next object, whether or not it has expressions.
    fn enter(&mut self, object: Object<'a>) -> &mut Self {
        self.number += u32::from(self.object.is_some());
        self.object = Some(object);
        self.scope = match object {
            Object::Source(_) => Scope::Source,
            Object::Build(_) | Object::Registry => Scope::Argument,
            _ => Scope::Value,
        };
        self
    }

    fn site(&mut self, reading: Reading<'a>, iterators: &[&'a str]) {
        let Some(object) = self.object else { return };
        let (number, scope) = (self.number, self.scope);
        (self.visit)(&Site { object, number, scope, iterators, reading });
    }

    fn template(&mut self, value: Option<Expression<'a>>) {
        if let Some(value) = value {
            self.site(Reading::Template(value), &[]);
        }
    }

    fn literal(&mut self, value: Option<Expression<'a>>) {
        if let Some(value) = value {
            self.site(Reading::Literal(value), &[]);
        }
    }

    /// Visits in another scope.
    fn within(&mut self, scope: Scope, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.scope, scope);
        visit(self);
        self.scope = around;
    }

    /// Visits a body that a plugin reads.
    fn config(&mut self, config: Config<'a>, scope: Scope) {
        let mut bodies = config.bodies();
        self.within(scope, |visitor| bodies.by_ref().for_each(|body| visitor.body(body, &[])));
    }

    fn body(&mut self, body: Body<'a>, around: &[&'a str]) {
        for property in body.properties() {
            visit_templates(property, Nested::None, |value, iterators| match around {
                [] => self.site(Reading::Template(value), iterators),
                _ => self.site(Reading::Template(value), &[around, iterators].concat()),
            });
        }
    }

    fn build(&mut self, build: &Build<'a>) {
        self.template(build.name);
        self.template(build.description);
        self.template(build.written_sources);
        for used in build.sources {
            self.site(Reading::Source(*used), &[]);
            used.config.into_iter().for_each(|config| self.config(config, Scope::Source));
        }
        self.within(Scope::StepArgument, |visitor| {
            for provisioner in build.provisioners.iter().chain(&build.error_cleanup) {
                visitor.provisioner(provisioner);
            }
            build.post_processors.iter().for_each(|sequence| visitor.post_processors(sequence));
        });
        build.dynamics.iter().for_each(|dynamic| self.dynamic(dynamic));
        build.registry.iter().for_each(|registry| self.registry(registry));
    }

    fn selection(&mut self, selection: Selection<'a>) {
        self.template(selection.only);
        self.template(selection.except);
    }

    fn provisioner(&mut self, provisioner: &Provisioner<'a>) {
        self.template(provisioner.name);
        self.template(provisioner.pause_before);
        self.template(provisioner.max_retries);
        self.template(provisioner.timeout);
        self.template(provisioner.continue_on_error);
        self.selection(provisioner.selection);
        self.within(Scope::Override, |visitor| visitor.template(provisioner.overrides));
        self.config(provisioner.config, Scope::Step);
    }

    fn post_processors(&mut self, sequence: &PostProcessors<'a>) {
        for step in sequence.steps {
            self.template(step.name);
            self.selection(step.selection);
            self.template(step.keep_input_artifact);
            self.config(step.config, Scope::Step);
        }
        sequence.dynamics.iter().for_each(|dynamic| self.dynamic(dynamic));
    }

    fn dynamic(&mut self, dynamic: &Dynamic<'a>) {
        self.within(Scope::Value, |visitor| {
            visitor.template(dynamic.for_each);
            if let Some(labels) = dynamic.labels {
                visitor.site(Reading::Template(labels), &[dynamic.iterator]);
            }
        });
        if let Some(content) = dynamic.content {
            let bodies = |visitor: &mut Self| visitor.body(content.body(), &[dynamic.iterator]);
            self.within(Scope::Step, bodies);
        }
    }

    fn registry(&mut self, registry: &Registry<'a>) {
        let values = [
            registry.bucket_name,
            registry.description,
            registry.bucket_labels,
            registry.build_labels,
            registry.channels,
        ];
        values.into_iter().for_each(|value| self.template(value));
    }
}
