//! References of a template: who refers to what.
//!
//! Literal arguments refer to nothing, whatever their text looks like; all others are templates, object keys too. Of
//! what a plugin reads every string is taken for a template. Names that a `dynamic` block brings into its content are
//! no references.

use super::post_processor::PostProcessors;
use super::provisioner::{Provisioner, Selection};
use super::reference::{Object, Reference, Scope, Subject, Text};
use super::registry::Registry;
use super::{Build, Dynamic, Template};
use crate::body::Body;
use crate::diagnostic::{Diagnostic, Label};
use crate::expression::Expression;
use crate::module::Config;
use crate::module::dynamic::visit_templates;

/// What becomes of the references of a template.
pub(super) trait Visit<'a> {
    /// Takes a reference.
    fn reference(&mut self, object: Object<'a>, reference: Reference<'a>);

    /// Takes the reason why a string does not parse as a template.
    fn broken(&mut self, _: &Diagnostic<'a>) {}
}

struct References<F>(F);

impl<'a, F: FnMut(Object<'a>, Reference<'a>)> Visit<'a> for References<F> {
    fn reference(&mut self, object: Object<'a>, reference: Reference<'a>) {
        (self.0)(object, reference);
    }
}

impl<'a> Template<'a> {
    /// Visits every reference with the object that refers: variables, local values, data sources, sources, builds, the
    /// registry, each kind in the order of the files.
    ///
    /// Cost: every string is parsed as a template.
    pub fn visit_references(&self, visit: impl FnMut(Object<'a>, Reference<'a>)) {
        self.visit(&mut References(visit));
    }

    pub(super) fn visit(&self, visit: &mut impl Visit<'a>) {
        for variable in &self.variables {
            // Other references than to the variable itself have been reported, and mean nothing.
            let mut visitor = Visitor::new(Object::Variable(variable.name), visit);
            for validation in variable.validations {
                visitor.conditions(validation.condition, variable.name);
            }
        }
        for local in &self.locals {
            Visitor::new(Object::Local(local.name), visit).template(local.value);
        }
        for data in &self.data {
            Visitor::new(Object::Data(data.name), visit).config(data.config, Scope::Value);
        }
        for source in &self.sources {
            Visitor::new(Object::Source(source.name), visit).config(source.config, Scope::Source);
        }
        for (place, build) in self.builds.iter().enumerate() {
            Visitor::new(Object::Build(place), visit).build(build);
        }
        if let Some(registry) = &self.registry {
            Visitor::new(Object::Registry, visit).registry(registry);
        }
    }
}

/// Visits the references of one object.
struct Visitor<'a, 'v, V> {
    object: Object<'a>,
    visit: &'v mut V,
    scope: Scope,
}

impl<'a, 'v, V: Visit<'a>> Visitor<'a, 'v, V> {
    fn new(object: Object<'a>, visit: &'v mut V) -> Self {
        let scope = match object {
            Object::Source(_) => Scope::Source,
            Object::Build(_) | Object::Registry => Scope::Argument,
            _ => Scope::Value,
        };
        Self { object, visit, scope }
    }

    fn template(&mut self, value: Option<Expression<'a>>) {
        if let Some(value) = value {
            self.template_without(value, &[]);
        }
    }

    fn template_without(&mut self, value: Expression<'a>, iterators: &[&'a str]) {
        let mut variables = value.variables();
        for traversal in &mut variables {
            if !iterators.contains(&traversal.root_name()) {
                let reference = Reference {
                    subject: Subject::of(traversal),
                    place: Label { source: traversal.source(), span: traversal.span() },
                    text: Text::Traversal(traversal),
                    scope: self.scope,
                };
                self.visit.reference(self.object, reference);
            }
        }
        for error in variables.broken() {
            self.visit.broken(error);
        }
    }

    /// References of a condition to its variable.
    fn conditions(&mut self, condition: Option<Expression<'a>>, name: &'a str) {
        for traversal in condition.into_iter().flat_map(Expression::variables) {
            let subject = Subject::of(traversal);
            if matches!(subject, Ok(Subject::Variable(found)) if found == name) {
                let reference = Reference {
                    subject,
                    place: Label { source: traversal.source(), span: traversal.span() },
                    text: Text::Traversal(traversal),
                    scope: self.scope,
                };
                self.visit.reference(self.object, reference);
            }
        }
    }

    /// Does something in another scope.
    fn within(&mut self, scope: Scope, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.scope, scope);
        visit(self);
        self.scope = around;
    }

    /// What a plugin reads.
    fn config(&mut self, config: Config<'a>, scope: Scope) {
        let bodies = config.bodies().iter();
        self.within(scope, |visitor| bodies.for_each(|&body| visitor.body(body, &[])));
    }

    fn body(&mut self, body: Body<'a>, around: &[&'a str]) {
        for property in body.properties() {
            visit_templates(property, |value, iterators| match around {
                [] => self.template_without(value, iterators),
                _ => self.template_without(value, &[around, iterators].concat()),
            });
        }
    }

    fn build(&mut self, build: &Build<'a>) {
        self.template(build.name);
        self.template(build.description);
        self.template(build.written_sources);
        for used in build.sources {
            if let Some(name) = used.name {
                let reference = Reference {
                    subject: Ok(Subject::Source(name)),
                    place: Label { source: build.block.source(), span: used.span },
                    text: Text::Source(used.text),
                    scope: self.scope,
                };
                self.visit.reference(self.object, reference);
            }
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
                visitor.template_without(labels, &[dynamic.iterator]);
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
