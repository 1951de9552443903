//! What is wrong between the objects of a template: references to what is not declared, declarations that nobody refers
//! to, values that need themselves, arguments that a build sets again.

use super::name::ObjectName;
use super::reference::{Object, Reference, Subject};
use super::references::Visit;
use super::{Build, BuildSource, Local, Source, Template};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::hash::{HashMap, HashSet};
use crate::json::Member;
use crate::suggest::Suggestions;

impl<'a> Template<'a> {
    /// Reports what is wrong between the objects. With `withholds`, what rests on the absence of a declaration or of a
    /// use is not reported. A legacy file withholds that, too.
    ///
    /// Cost: every string is parsed as a template; linear in the references otherwise.
    pub fn analyse(&self, arena: &'a Arena, withholds: bool, sink: &mut dyn Sink<'a>) {
        let withholds = withholds || !self.legacy.is_empty();
        let mut judge = Judge {
            template: self,
            arena,
            withholds,
            used: HashSet::default(),
            needs: HashMap::default(),
            suggestions: Suggestions::new(),
            sink,
        };
        self.visit(&mut judge);
        judge.unused();
        judge.cycles();
        judge.assignments();
        self.builds.iter().for_each(|build| judge.build(build));
    }
}

struct Judge<'j, 'a> {
    template: &'j Template<'a>,
    arena: &'a Arena,
    withholds: bool,
    /// What other objects refer to.
    used: HashSet<Object<'a>>,
    /// The local values and data sources that one of them refers to, in order.
    needs: HashMap<Object<'a>, Vec<Object<'a>>>,
    suggestions: Suggestions,
    sink: &'j mut dyn Sink<'a>,
}

impl<'a> Visit<'a> for Judge<'_, 'a> {
    fn reference(&mut self, object: Object<'a>, reference: Reference<'a>) {
        let place = reference.place;
        let subject = match reference.subject {
            Ok(subject) => subject,
            Err(diagnostic) => return self.sink.report(diagnostic),
        };
        let template = self.template;
        let (to, is_declared) = match subject {
            Subject::Variable(name) => {
                (Object::Variable(name), template.variables.get(name).is_some())
            }
            Subject::Local(name) => (Object::Local(name), template.locals.get(name).is_some()),
            Subject::Data(name) => (Object::Data(name), template.data.get(name).is_some()),
            Subject::Source(name) => (Object::Source(name), template.sources.get(name).is_some()),
            _ if reference.scope.knows(subject) => return,
            _ => {
                return self.sink.report(Diagnostic::new(Code::OutOfScope, place).with_arguments(
                    match subject {
                        Subject::Build(_) => {
                            &["build", "what the plugins of provisioners and post-processors read"]
                        }
                        _ => &["source", "what plugins read"],
                    },
                ));
            }
        };
        if to != object {
            self.used.insert(to);
        }
        let is_value = |object| matches!(object, Object::Local(_) | Object::Data(_));
        if is_value(object) && is_value(to) {
            self.needs.entry(object).or_default().push(to);
        }
        if !is_declared && !self.withholds {
            self.undeclared(subject, place);
        }
    }

    fn broken(&mut self, error: &Diagnostic<'a>) {
        self.sink.report(error.clone());
    }
}

impl<'a> Judge<'_, 'a> {
    #[cold]
    fn undeclared(&mut self, subject: Subject<'a>, place: Label<'a>) {
        let template = self.template;
        // Objects of other types cost work too, so they stay in the list, under no name.
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
        if self.withholds {
            return;
        }
        let template = self.template;
        let mut report = |object, label, kind, name| {
            if !self.used.contains(&object) {
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

    /// Reports each cycle among local values and data sources once, where the object is declared at which it was
    /// found. Goes depth first, with a list of the objects that are being looked at.
    fn cycles(&mut self) {
        /// Whether an object has been looked at.
        #[derive(Clone, Copy)]
        enum Mark {
            /// On the path, at this place.
            Open(usize),
            Done,
        }
        let locals = self.template.locals.iter().map(|it| Object::Local(it.name));
        let data = self.template.data.iter().map(|it| Object::Data(it.name));
        let starts: Vec<_> = locals.chain(data).collect();
        let mut marks: HashMap<Object<'a>, Mark> = HashMap::default();
        for start in starts {
            // The path from `start`: each object, and how many of its needs have been followed.
            let mut path: Vec<(Object<'a>, usize)> = Vec::new();
            if marks.contains_key(&start) {
                continue;
            }
            marks.insert(start, Mark::Open(0));
            path.push((start, 0));
            while let Some((object, followed)) = path.last_mut() {
                let needs = self.needs.get(object).map_or(&[][..], Vec::as_slice);
                let Some(&next) = needs.get(*followed) else {
                    marks.insert(*object, Mark::Done);
                    path.pop();
                    continue;
                };
                *followed += 1;
                match marks.get(&next) {
                    Some(Mark::Done) => {}
                    Some(&Mark::Open(from)) => self.report_cycle(next, &path[from..]),
                    None => {
                        marks.insert(next, Mark::Open(path.len()));
                        path.push((next, 0));
                    }
                }
            }
        }
    }

    #[cold]
    fn report_cycle(&mut self, object: Object<'a>, path: &[(Object<'a>, usize)]) {
        use std::fmt::Write;
        /// So many names of a long cycle are shown.
        const SHOWN: usize = 8;
        let mut text = String::new();
        for (object, _) in path.iter().take(SHOWN) {
            let _ = write!(text, "{object} -> ");
        }
        if path.len() > SHOWN {
            text.push_str("… -> ");
        }
        let _ = write!(text, "{object}");
        let label = match object {
            Object::Local(name) => self.template.locals.get(name).map(Local::name_label),
            Object::Data(name) => self.template.data.get(name).map(|it| it.block.label_place(1)),
            _ => None,
        };
        let Some(label) = label else { return };
        self.sink.report(
            Diagnostic::new(Code::CircularReference, label)
                .with_arguments(&[self.arena.str(&text)]),
        );
    }

    /// Compares the values of files of variables with the variables.
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

    /// What a build says of its sources.
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

    /// Reports arguments that both the source and its use in a build set: Packer reads both bodies as one. What may be
    /// a block can stand in both.
    fn overlap(&mut self, used: &BuildSource<'a>, source: &Source<'a>) {
        let Some(config) = used.config else { return };
        let is_argument = |property: &Member<'a>| {
            let value = property.value();
            let is_block = |node: crate::json::Node<'a>| node.is_object() || node.is_null();
            let blocks = value.as_array().is_some_and(|array| array.elements().all(is_block));
            !is_block(value) && !blocks
        };
        let set: HashMap<&str, Member<'a>> = source
            .config
            .properties()
            .filter(is_argument)
            .map(|property| (property.name().to_str(), property))
            .collect();
        for property in config.properties().filter(is_argument) {
            let Some(earlier) = set.get(property.name().to_str()) else { continue };
            self.sink.report(
                Diagnostic::new(Code::DuplicateArgument, property.name_label())
                    .with_arguments(&[property.name().to_str()])
                    .with_related(earlier.name_label(), "first set here"),
            );
        }
    }
}
