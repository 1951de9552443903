//! What is wrong between the objects of a module: references to what is not declared, declarations that nobody
//! refers to, local values that need themselves.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::computed::{Computed, Wanted};
use super::references::{Object, Use, Visit};
use super::scope::Available;
use super::statics::EarlyReference;
use super::{Local, Module, statics};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::Dialect;
use crate::expression::Expression;
use crate::native::{Step, Traversal};
use crate::reference::{Mode, Reference, ResourceName, Subject};
use crate::span::Span;
use crate::suggest::is_near;
use crate::value::Value;

/// How many comparisons of names may be spent on suggestions in one module.
const SUGGESTIONS: usize = 100_000;

impl<'a> Module<'a> {
    /// Reports references that refer to nothing, declarations that are not used, and cycles among local values.
    /// With `withholds`, what rests on the absence of a declaration or of a use is not reported. What comes back is
    /// the references to outputs of called modules: only those modules say whether there are such outputs.
    ///
    /// Cost: every template of the module is parsed; linear in the references otherwise.
    pub fn analyse(
        &self,
        arena: &'a Arena,
        withholds: bool,
        sink: &mut impl Sink<'a>,
    ) -> Vec<Reference<'a>> {
        let mut analysis = Analysis {
            module: self,
            arena,
            withholds,
            used: FxHashSet::default(),
            needs: FxHashMap::default(),
            outputs: Vec::new(),
            suggestions: SUGGESTIONS,
        };
        let computed = Computed::new(arena);
        let mut judge =
            Judge { analysis: &mut analysis, sink, computed, is_wrong: false, last: None };
        self.visit(&mut judge);
        if self.dialect == Dialect::OpenTofu {
            for EarlyReference { reference, is_needed } in statics::check(self, withholds, sink) {
                if is_needed {
                    self.check_scope(reference, Available::NONE, sink);
                    analysis.refer(None, Use::Early, reference, sink);
                } else {
                    analysis.refer(None, Use::Early, reference, &mut ());
                }
            }
        }
        analysis.unused(sink);
        analysis.cycles(sink);
        analysis.outputs
    }
}

/// A declaration that can go unused.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Declared<'a> {
    Variable(&'a str),
    Local(&'a str),
    Data(ResourceName<'a>),
}

struct Analysis<'m, 'a> {
    module: &'m Module<'a>,
    arena: &'a Arena,
    withholds: bool,
    used: FxHashSet<Declared<'a>>,
    /// The local values that a local value refers to, in order.
    needs: FxHashMap<&'a str, SmallVec<[&'a str; 2]>>,
    /// References to outputs of called modules.
    outputs: Vec<Reference<'a>>,
    suggestions: usize,
}

/// An analysis, and where its findings go.
struct Judge<'j, 'm, 'a, S> {
    analysis: &'j mut Analysis<'m, 'a>,
    sink: &'j mut S,
    computed: Computed<'a>,
    /// Whether something is wrong with the references of the expression that is being visited: then its value is
    /// not looked at.
    is_wrong: bool,
    /// The last expression and its value, unless something is wrong with it.
    last: Option<(Expression<'a>, Option<Value<'a>>)>,
}

impl<'a, S: Sink<'a>> Visit<'a> for Judge<'_, '_, 'a, S> {
    fn reference(
        &mut self,
        object: Object<'a>,
        kind: Use<'a>,
        available: Available,
        traversal: Traversal<'a>,
    ) {
        let module = self.analysis.module;
        let is_wrong = &mut self.is_wrong;
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            *is_wrong = true;
            self.sink.report(diagnostic);
        };
        match module.reference(traversal) {
            // Of triggers the others have been refused when they were read.
            Ok(reference)
                if kind == Use::Trigger && reference.subject().resource().is_none()
                    || kind == Use::Run && !is_action(reference.subject()) => {}
            Ok(reference) => {
                let is_early = matches!(kind, Use::Source | Use::Version | Use::Early);
                match module.dialect {
                    // Terraform refuses every such object in a source.
                    Dialect::Terraform if is_early && kind != Use::Early => {}
                    // What cannot be known early is told as such.
                    Dialect::OpenTofu if is_early && !is_known_early(reference.subject()) => return,
                    Dialect::OpenTofu
                        if kind == Use::Guard && is_of_instance(reference.subject()) =>
                    {
                        let there = reference.traversal();
                        let span = reference.span();
                        let code = Code::PreventDestroyReference;
                        let there = Diagnostic::new(code, there.source(), span);
                        sink.report(there.with_arguments(&[traversal.root_name()]));
                        return;
                    }
                    _ => module.check_scope(reference, available, sink),
                }
                self.analysis.refer(Some(object), kind, reference, sink);
            }
            // Of triggers that has been told when they were read.
            Err(_) if matches!(kind, Use::Trigger | Use::Run) => {}
            Err(_) if is_type(traversal) => {}
            Err(diagnostic) => sink.report(diagnostic),
        }
    }

    fn broken(&mut self, error: &Diagnostic<'a>) {
        self.is_wrong = true;
        self.sink.report(error.clone());
    }

    fn expression(&mut self, expression: Expression<'a>, iterators: &[&'a str], is_computed: bool) {
        let is_wrong = std::mem::take(&mut self.is_wrong);
        // Of what may be declared in native syntax no type is known.
        let is_computed = is_computed && !self.analysis.withholds;
        let value = if is_computed && !is_wrong {
            let mut has_failed = false;
            let module = self.analysis.module;
            let value = self.computed.value(module, expression, iterators, &mut |diagnostic| {
                has_failed = true;
                self.sink.report(diagnostic);
            });
            (!has_failed).then_some(value)
        } else {
            None
        };
        let fits = !is_wrong && (value.is_some() || !is_computed);
        self.last = fits.then_some((expression, value));
    }

    fn wants(&mut self, wanted: Wanted) {
        let Some((expression, value)) = self.last else { return };
        let module = self.analysis.module;
        let value = value.unwrap_or_else(|| self.computed.value(module, expression, &[], &mut ()));
        self.computed.check(value, expression, wanted, self.sink);
    }
}

/// Whether something of its kind is known before anything else.
fn is_known_early(subject: Subject<'_>) -> bool {
    match subject {
        Subject::Variable(_) | Subject::Local(_) | Subject::Path(_) => true,
        Subject::Terraform(_, name) => name != "applying",
        _ => false,
    }
}

fn is_of_instance(subject: Subject<'_>) -> bool {
    matches!(subject, Subject::Each(_) | Subject::Count(_))
}

fn is_action(subject: Subject<'_>) -> bool {
    matches!(subject, Subject::Action(..))
}

/// Whether a traversal is the name of a primitive type, which some functions take.
fn is_type(traversal: Traversal<'_>) -> bool {
    traversal.steps().len() == 1
        && matches!(traversal.root_name(), "string" | "number" | "bool" | "any")
}

impl<'a> Analysis<'_, 'a> {
    /// Takes a reference of an object, or of a `terraform` block.
    fn refer(
        &mut self,
        object: Option<Object<'a>>,
        kind: Use<'a>,
        reference: Reference<'a>,
        sink: &mut impl Sink<'a>,
    ) {
        let module = self.module;
        let span = |step: &Step<'a>| Span::new(step.span.start, reference.span().end);
        match (kind, reference.subject()) {
            (Use::Order, _) if !reference.remaining().is_empty() => {
                let span = reference.remaining().first().map_or(reference.span(), span);
                let there =
                    Diagnostic::new(Code::InvalidDependency, reference.traversal().source(), span);
                sink.report(there.with_arguments(&["only a whole object can, no part of it"]));
                return;
            }
            // Actions are no values.
            (kind, Subject::Action(..)) if kind != Use::Run => {
                let there = reference.traversal();
                sink.report(
                    Diagnostic::new(Code::InvalidReference, there.source(), there.span())
                        .with_arguments(&["action", "an action is named by a trigger only"]),
                );
                return;
            }
            _ => {}
        }
        let is_source = matches!(kind, Use::Source | Use::Version);
        if is_source
            && module.dialect == Dialect::Terraform
            && !self.constant(object, kind, reference, sink)
        {
            return;
        }
        let declared = match reference.subject() {
            Subject::Variable(name) => {
                if object != Some(Object::Variable(name)) {
                    self.used.insert(Declared::Variable(name));
                }
                module.variables.get(name).is_some()
            }
            Subject::Local(name) => {
                if object != Some(Object::Local(name)) {
                    self.used.insert(Declared::Local(name));
                }
                if let Some(Object::Local(from)) = object {
                    self.needs.entry(from).or_default().push(name);
                }
                module.locals.get(name).is_some()
            }
            Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                if resource.mode == Mode::Data && object != Some(Object::Resource(resource)) {
                    self.used.insert(Declared::Data(resource));
                }
                let scoped = || module.scoped_by(resource).and_then(|check| check.data);
                let found = module.resources.get(resource).or_else(scoped);
                if let Some(found) = found {
                    module.check_instance(found, reference, sink);
                }
                if resource.mode == Mode::Data {
                    let from = match object {
                        Some(Object::Check(name)) => Some(name),
                        _ => None,
                    };
                    module.check_owner(resource, from, reference, sink);
                }
                found.is_some()
            }
            Subject::Action(action, _) => module.actions.get(action).is_some(),
            Subject::ModuleCall(name)
            | Subject::ModuleInstance(name, _)
            | Subject::ModuleOutput { call: name, .. } => {
                let call = module.calls.get(name);
                if let (Some(call), true) = (call, kind != Use::Order)
                    && module.check_call_instance(call, reference, sink)
                    && !matches!(reference.subject(), Subject::ModuleCall(_))
                {
                    self.outputs.push(reference);
                }
                call.is_some()
            }
            _ => true,
        };
        if !declared && !self.withholds {
            let code = match kind {
                Use::Order => Code::UndeclaredDependency,
                _ => Code::UndeclaredReference,
            };
            let address = self.arena.format(format_args!("{}", reference.subject()));
            let advice = self.suggestion(reference.subject());
            sink.report(
                Diagnostic::new(code, reference.traversal().source(), reference.span())
                    .with_arguments(&[address, advice]),
            );
        }
    }

    /// Terraform finds modules before anything has a value: only constants can say where. The result says whether
    /// what is referred to can be a constant at all.
    fn constant(
        &self,
        object: Option<Object<'a>>,
        kind: Use<'a>,
        reference: Reference<'a>,
        sink: &mut impl Sink<'a>,
    ) -> bool {
        let is_allowed = match reference.subject() {
            Subject::Variable(name) => {
                let variable = self.module.variables.get(name);
                let is_constant = variable.is_none_or(|variable| variable.is_const == Some(true));
                let Some(Object::ModuleCall(call)) = object else { return true };
                let call = self.module.calls.get(call);
                let attribute = call.and_then(|call| match kind {
                    Use::Source => call.source,
                    _ => call.version,
                });
                if let Some(attribute) = attribute.filter(|_| !is_constant) {
                    let value = attribute.expression();
                    sink.report(
                        Diagnostic::new(Code::UnknownSource, value.source(), value.start_span())
                            .with_arguments(&[name]),
                    );
                }
                true
            }
            Subject::Local(_) => true,
            Subject::Path(_) => kind == Use::Source,
            _ => false,
        };
        if !is_allowed {
            let there = reference.traversal();
            sink.report(
                Diagnostic::new(Code::SourceReference, there.source(), there.span())
                    .with_arguments(&[there.root_name()]),
            );
        }
        is_allowed
    }

    /// "Did you mean …?", with the first declared name that is near.
    fn suggestion(&mut self, subject: Subject<'a>) -> &'a str {
        let module = self.module;
        let near = match subject {
            Subject::Variable(name) => {
                self.near(name, module.variables.iter().map(|each| each.name))
            }
            Subject::Local(name) => self.near(name, module.locals.iter().map(|each| each.name)),
            Subject::Resource(given) | Subject::ResourceInstance(given, _) => {
                let of_type = module.resources.iter().map(|each| each.address).filter(|known| {
                    known.mode == given.mode && known.resource_type == given.resource_type
                });
                self.near(given.name, of_type.map(|known| known.name))
            }
            _ => match subject.module_call() {
                Some(name) => self.near(name, module.calls.iter().map(|each| each.name)),
                None => None,
            },
        };
        near.map_or("", |near| self.arena.format(format_args!(" Did you mean \"{near}\"?")))
    }

    fn near(&mut self, given: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        // Names of one or two characters are near to everything.
        given.chars().nth(2)?;
        for known in known {
            self.suggestions = self.suggestions.checked_sub(1)?;
            if is_near(given, known) {
                return Some(known);
            }
        }
        None
    }

    fn unused(&self, sink: &mut impl Sink<'a>) {
        if self.withholds {
            return;
        }
        let mut report = |declared, source, span, kind, name| {
            if !self.used.contains(&declared) {
                sink.report(
                    Diagnostic::new(Code::UnusedDeclaration, source, span)
                        .with_arguments(&[kind, name]),
                );
            }
        };
        for each in &self.module.variables {
            let label = each.block.label_spans().next().unwrap_or_default();
            let declared = Declared::Variable(each.name);
            report(declared, each.block.source(), label, "variable", each.name);
        }
        for each in &self.module.locals {
            let attribute = each.attribute;
            let declared = Declared::Local(each.name);
            report(declared, attribute.source(), attribute.name_span(), "local value", each.name);
        }
        for each in self.module.resources.iter().filter(|each| each.address.mode == Mode::Data) {
            let label = each.block.label_spans().nth(1).unwrap_or_default();
            let declared = Declared::Data(each.address);
            report(declared, each.block.source(), label, "data source", each.address.name);
        }
    }

    /// Reports each cycle once, where the first of its local values is declared. Goes depth first, with a list
    /// of the values that are being looked at.
    fn cycles(&self, sink: &mut impl Sink<'a>) {
        /// Whether a local value has been looked at.
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Mark {
            /// On the path, at this place.
            Open(usize),
            Done,
        }
        let mut marks: FxHashMap<&str, Mark> = FxHashMap::default();
        for start in &self.module.locals {
            // The path from `start`: each value, and how many of its needs have been followed.
            let mut path: Vec<(&str, usize)> = Vec::new();
            if !marks.contains_key(start.name) {
                marks.insert(start.name, Mark::Open(0));
                path.push((start.name, 0));
            }
            while let Some((name, followed)) = path.last_mut() {
                let needs = self.needs.get(name).map_or(&[][..], |needs| needs.as_slice());
                let Some(&next) = needs.get(*followed) else {
                    marks.insert(name, Mark::Done);
                    path.pop();
                    continue;
                };
                *followed += 1;
                match marks.get(next) {
                    Some(Mark::Done) => {}
                    Some(&Mark::Open(from)) => {
                        if let Some(local) = self.module.locals.get(next) {
                            self.report_cycle(local, &path[from..], sink);
                        }
                    }
                    None if self.module.locals.get(next).is_some() => {
                        marks.insert(next, Mark::Open(path.len()));
                        path.push((next, 0));
                    }
                    None => {}
                }
            }
        }
    }

    #[cold]
    fn report_cycle(&self, local: &Local<'a>, path: &[(&str, usize)], sink: &mut impl Sink<'a>) {
        /// So many names of a long cycle are shown.
        const SHOWN: usize = 8;
        let mut text = String::new();
        for (name, _) in path.iter().take(SHOWN) {
            text.push_str("local.");
            text.push_str(name);
            text.push_str(" -> ");
        }
        if path.len() > SHOWN {
            text.push_str("… -> ");
        }
        text.push_str("local.");
        text.push_str(local.name);
        let place = local.attribute;
        sink.report(
            Diagnostic::new(Code::CircularReference, place.source(), place.name_span())
                .with_arguments(&[self.arena.str(&text)]),
        );
    }
}
