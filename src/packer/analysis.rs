//! The analysis of a template: finds references to undeclared objects, unused declarations, values
//! that depend on themselves, and arguments that a build sets again.

use super::name::ObjectName;
use super::object::{DATA, LOCALS, Numbers, VARIABLES};
use super::reference::{Object, Reference, Subject};
use super::visit::Site;
use super::{Build, BuildSource, Source, Template};
use crate::arena::Arena;
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::cycles::{self, cycles};
use crate::suggest::Suggestions;

/// The dependencies of the objects of a template, which are identified by their numbers
/// ([`Template::objects`]).
#[derive(Clone, Debug, Default)]
pub struct Uses {
    edges: Vec<(u32, u32)>,
}

impl Uses {
    /// The direct dependencies: the object that refers, and the object that it refers to, sorted by
    /// the former.
    #[must_use]
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }
}

impl<'a> Template<'a> {
    /// Reports errors between the objects. With `withholds`, or if there is a legacy file, it does
    /// not report errors that a declaration or a use in an unknown file could refute. Returns the
    /// dependencies.
    ///
    /// Cost: parses every string as a template; linear in the references otherwise.
    pub fn analyse(&self, arena: &'a Arena, withholds: bool, sink: &mut dyn Sink<'a>) -> Uses {
        let numbers = self.numbers();
        let mut judge = Judge {
            template: self,
            numbers,
            arena,
            withholds: withholds || !self.legacy.is_empty(),
            is_broken: false,
            used: vec![false; numbers.len() as usize],
            uses: Uses::default(),
            suggestions: Suggestions::new(),
            sink,
        };
        self.visit_expressions(|site| judge.site(site));
        let mut found = Vec::new();
        // Nothing can need a value that fails.
        for failed in self.check_locals(&judge.uses, &numbers, arena, &mut found) {
            judge.used[failed as usize] = true;
        }
        found.into_iter().for_each(|diagnostic| judge.sink.report(diagnostic));
        judge.unused();
        judge.cycles();
        judge.assignments();
        self.builds.iter().for_each(|build| judge.build(build));
        judge.uses
    }
}

struct Judge<'j, 'a> {
    template: &'j Template<'a>,
    numbers: Numbers,
    arena: &'a Arena,
    withholds: bool,
    /// Whether an expression has a syntax error, so that what it refers to is not known.
    is_broken: bool,
    /// By number: whether another object refers to it.
    used: Vec<bool>,
    uses: Uses,
    suggestions: Suggestions,
    sink: &'j mut dyn Sink<'a>,
}

impl<'a> Judge<'_, 'a> {
    /// Analyses an expression.
    fn site(&mut self, site: &Site<'_, 'a>) {
        let mut broken: Vec<Diagnostic<'a>> = Vec::new();
        let mut is_broken = false;
        site.visit(|reference| self.reference(site, reference), &mut |error| {
            is_broken = true;
            broken.extend(error.cloned());
        });
        self.is_broken |= is_broken;
        broken.into_iter().for_each(|error| self.sink.report(error));
    }

    fn reference(&mut self, site: &Site<'_, 'a>, reference: Reference<'a>) {
        let place = reference.label;
        let subject = match reference.subject {
            Ok(subject) => subject,
            Err(diagnostic) => return self.sink.report(diagnostic),
        };
        let to = match subject {
            Subject::Variables => return self.all(site.number, VARIABLES),
            Subject::Locals => return self.all(site.number, LOCALS),
            Subject::Variable(name) => Object::Variable(name),
            Subject::Local(name) => Object::Local(name),
            Subject::Data(name) => Object::Data(name),
            Subject::Source(name) => Object::Source(name),
            _ if reference.scope.knows(subject) => return,
            _ => {
                return self.sink.report(Diagnostic::new(Code::OutOfScope, place).with_arguments(
                    match subject {
                        Subject::Build(_) => {
                            &["build", "arguments of provisioners and post-processors"]
                        }
                        _ => &["source", "arguments of plugins"],
                    },
                ));
            }
        };
        match self.template.number(&self.numbers, to) {
            Some(to) => {
                self.used[to as usize] |= to != site.number;
                self.uses.edges.push((site.number, to));
            }
            None if self.withholds => {}
            None => self.undeclared(subject, place),
        }
    }

    /// Marks all objects of a kind as used. An object depends on them as long as there are few enough
    /// edges; an object that takes part in what it refers to does not depend on itself.
    #[cold]
    fn all(&mut self, from: u32, kind: usize) {
        const MOST: usize = 1 << 20;
        let mut all = self.numbers.kind(kind);
        let is_one_of_them = all.contains(&from);
        for to in all.by_ref() {
            self.used[to as usize] |= to != from;
            if !is_one_of_them && self.uses.edges.len() < MOST {
                self.uses.edges.push((from, to));
            }
        }
    }

    #[cold]
    fn undeclared(&mut self, subject: Subject<'a>, place: Label<'a>) {
        let template = self.template;
        // Comparing objects of other types costs work, too, so they stay in the list, without a
        // name.
        let of_type = |known: ObjectName<'a>, given: ObjectName<'a>| {
            if known.object_type == given.object_type { known.name } else { "" }
        };
        let nearest = match subject {
            Subject::Variable(name) => {
                self.suggestions.nearest(name, template.variables.iter().map(|it| it.name))
            }
            Subject::Local(name) => {
                self.suggestions.nearest(name, template.locals.iter().map(|it| it.name))
            }
            Subject::Data(given) => {
                let names = template.data.iter().map(|it| of_type(it.name, given));
                self.suggestions.nearest(given.name, names)
            }
            Subject::Source(given) => {
                let names = template.sources.iter().map(|it| of_type(it.name, given));
                self.suggestions.nearest(given.name, names)
            }
            _ => None,
        };
        let address = self.arena.format(format_args!("{subject}"));
        self.sink.report(
            Diagnostic::new(Code::UndeclaredReference, place)
                .with_arguments(&[address])
                .with_suggestion(nearest),
        );
    }

    fn unused(&mut self) {
        if self.withholds || self.is_broken {
            return;
        }
        let template = self.template;
        let mut report = |object, label, kind, name| {
            let number = self.template.number(&self.numbers, object);
            if number.is_some_and(|number| !self.used[number as usize]) {
                self.sink.report(
                    Diagnostic::new(Code::UnusedDeclaration, label).with_arguments(&[kind, name]),
                );
            }
        };
        for it in &template.variables {
            report(Object::Variable(it.name), it.name_label(), "variable", it.name);
        }
        for it in &template.locals {
            report(Object::Local(it.name), it.name_label(), "local value", it.name);
        }
        for it in &template.data {
            let label = it.block.label_place(1);
            report(Object::Data(it.name), label, "data source", it.name.name);
        }
        if template.builds.iter().any(Build::has_unknown_sources) {
            return;
        }
        for it in &template.sources {
            let label = it.block.label_place(1);
            report(Object::Source(it.name), label, "source", it.name.name);
        }
    }

    /// Reports each cycle among local values and data sources once, where the first of its members
    /// is declared.
    fn cycles(&mut self) {
        let members = self.numbers.kind(LOCALS).start..self.numbers.kind(DATA).end;
        let objects: Vec<Object<'a>> = self.template.objects().collect();
        let object = |number: u32| objects.get(number as usize).copied();
        cycles(members, &self.uses.edges, |cycle| {
            let Some(first) = cycle.first().and_then(|&first| object(first)) else { return };
            let Some(label) = self.template.declaration(first) else { return };
            let text = cycles::text(cycle, |number| object(number).unwrap_or(first));
            self.sink.report(
                Diagnostic::new(Code::CircularReference, label)
                    .with_arguments(&[self.arena.str(&text)]),
            );
        });
    }

    /// Checks the values of files of variables against the variables.
    fn assignments(&mut self) {
        for assignment in &self.template.assignments {
            let (name, value) = (assignment.name(), assignment.expression());
            match self.template.variables.get(name) {
                Some(variable) => {
                    let given = value.literal_value(self.sink);
                    variable.check(given, value, self.sink);
                }
                None if self.withholds => {}
                None => {
                    let known = self.template.variables.iter().map(|variable| variable.name);
                    let nearest = self.suggestions.nearest(name, known);
                    self.sink.report(
                        Diagnostic::new(Code::UndeclaredVariableValue, assignment.name_label())
                            .with_arguments(&[name])
                            .with_suggestion(nearest),
                    );
                }
            }
        }
    }

    /// Checks the sources of a build.
    fn build(&mut self, build: &Build<'a>) {
        for used in build.sources {
            let source = used.name.and_then(|name| self.template.sources.get(name));
            if let Some(source) = source {
                self.overlap(used, source);
            }
        }
        if build.has_unknown_sources() {
            return;
        }
        let mut ordered: Vec<String> = Vec::new();
        for used in build.sources {
            let Some(name) = used.name else { continue };
            let local = used.local_name.filter(|local| !local.is_empty()).unwrap_or(name.name);
            ordered.push(format!("{}.{local}", name.object_type));
        }
        let names: HashSet<&str> = ordered.iter().map(String::as_str).collect();
        let provisioners = build.provisioners.iter().chain(&build.error_cleanup);
        let steps = build.post_processors.iter().flat_map(|sequence| sequence.steps);
        let selections = provisioners.map(|it| it.selection).chain(steps.map(|it| it.selection));
        for &(name, value) in selections.flat_map(|selection| selection.names) {
            if !names.contains(name) {
                let known = ordered.iter().map(String::as_str);
                let nearest = self.suggestions.nearest(name, known);
                self.sink.report(
                    Diagnostic::new(Code::UnmatchedSelection, value.start_label())
                        .with_arguments(&[name])
                        .with_suggestion(nearest.map(|name| self.arena.str(name))),
                );
            }
        }
    }

    /// Reports arguments that both the source and its use in a build set: Packer reads both bodies
    /// as one. Values that may be blocks can be in both.
    fn overlap(&mut self, used: &BuildSource<'a>, source: &Source<'a>) {
        let Some(config) = used.config else { return };
        let is_argument = |property: &Attribute<'a>| {
            if property.as_block().is_some() {
                return false;
            }
            let value = property.expression();
            let is_block = |value: Expression<'a>| value.is_map() || value.is_null();
            let blocks = value.as_list().is_some_and(|mut elements| elements.all(is_block));
            // In native syntax a block is never an argument.
            !value.is_json() || !is_block(value) && !blocks
        };
        let set: HashMap<&str, Attribute<'a>> = source
            .config
            .properties()
            .filter(is_argument)
            .map(|property| (property.name(), property))
            .collect();
        for property in config.properties().filter(is_argument) {
            let Some(earlier) = set.get(property.name()) else { continue };
            self.sink.report(
                Diagnostic::new(Code::DuplicateArgument, property.name_label())
                    .with_arguments(&[property.name()])
                    .with_related(earlier.name_label(), "first set here"),
            );
        }
    }
}
