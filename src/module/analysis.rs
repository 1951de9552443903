//! What is wrong between the objects of a module: references to what is not declared, declarations that nobody
//! refers to, local values that need themselves.

use super::computed::{Computed, Wanted};
use super::numbers::Numbers;
use super::references::{Object, Use, Visit};
use super::scope::Available;
use super::statics::EarlyReference;
use super::{Module, secrets, statics};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::dialect::Dialect;
use crate::expression::Expression;
use crate::native::{LentTraversal, Step};
use crate::reference::{LentReference, Mode, Reference, Subject};
use crate::span::Span;
use crate::suggest::is_near;
use crate::value::Value;

/// How many comparisons of names may be spent on suggestions in one module.
const SUGGESTIONS: usize = 100_000;

/// Who refers to whom in a module, by [number](super::numbers).
#[derive(Clone, Debug, Default)]
pub struct Uses<'a> {
    /// The object that refers, and the one that it refers to; the first of them ascend.
    pub(crate) edges: Vec<(u32, u32)>,
    /// What a call hands on: the number of the call, the argument, the object it refers to.
    pub(crate) arguments: Vec<(u32, &'a str, u32)>,
    /// References to module calls: where these lead is not known here.
    pub(crate) calls: Vec<CallUse<'a>>,
}

/// A reference to a module call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallUse<'a> {
    /// The object that refers.
    pub(crate) from: u32,
    /// The argument of the call `from` that takes the value.
    pub(crate) argument: Option<&'a str>,
    pub(crate) reference: Reference<'a>,
    /// Whether it names an output, which the called module is to declare.
    pub(crate) names_output: bool,
}

impl<'a> Module<'a> {
    /// Reports references that refer to nothing, declarations that are not used, and cycles among local values.
    /// With `withholds`, what rests on the absence of a declaration or of a use is not reported. What comes back is
    /// who refers to whom.
    ///
    /// Cost: every template of the module is parsed; linear in the references otherwise.
    pub fn analyse(&self, arena: &'a Arena, withholds: bool, sink: &mut dyn Sink<'a>) -> Uses<'a> {
        let numbers = self.numbers();
        let mut analysis = Analysis {
            module: self,
            numbers,
            arena,
            withholds,
            entered: 0,
            used: vec![false; numbers.len as usize],
            uses: Uses::default(),
            suggestions: SUGGESTIONS,
        };
        let computed = Computed::new(arena, withholds);
        let mut judge = Judge {
            analysis: &mut analysis,
            sink,
            computed,
            is_wrong: false,
            is_lenient: false,
            last: None,
        };
        self.visit(&mut judge);
        if self.dialect == Dialect::OpenTofu {
            // Blocks `terraform` are behind all objects.
            analysis.entered += 1;
            for EarlyReference { reference, is_needed } in statics::check(self, withholds, sink) {
                let declared = analysis.number(reference.subject());
                if is_needed {
                    self.check_scope(reference, Available::NONE, sink);
                    analysis.refer(None, Use::Early, reference, declared, sink);
                } else {
                    analysis.refer(None, Use::Early, reference, declared, &mut ());
                }
            }
            secrets::check(self, sink);
        }
        analysis.unused(sink);
        analysis.cycles(sink);
        analysis.uses.edges.shrink_to_fit();
        analysis.uses
    }
}

struct Analysis<'m, 'a> {
    module: &'m Module<'a>,
    numbers: Numbers,
    arena: &'a Arena,
    withholds: bool,
    /// How many objects have been come to.
    entered: u32,
    /// By number: variables, local values and data sources that something else refers to.
    used: Vec<bool>,
    uses: Uses<'a>,
    suggestions: usize,
}

/// An analysis, and where its findings go.
struct Judge<'j, 'm, 'a> {
    analysis: &'j mut Analysis<'m, 'a>,
    sink: &'j mut dyn Sink<'a>,
    computed: Computed<'a>,
    /// Whether something is wrong with the references of the expression that is being visited: then its value is
    /// not looked at.
    is_wrong: bool,
    /// Whether an expression that has no value is no error.
    is_lenient: bool,
    /// The last expression and its value, unless something is wrong with it.
    last: Option<(Expression<'a>, Option<Value<'a>>)>,
}

impl<'a> Visit<'a> for Judge<'_, '_, 'a> {
    fn enter(&mut self) {
        self.analysis.entered += 1;
    }

    fn reference(
        &mut self,
        object: Object<'a>,
        kind: Use<'a>,
        available: Available,
        traversal: LentTraversal<'_, 'a>,
    ) {
        let module = self.analysis.module;
        let is_wrong = &mut self.is_wrong;
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            *is_wrong = true;
            self.sink.report(diagnostic);
        };
        match module.reference(traversal) {
            Ok(reference) => {
                let declared = self.analysis.number(reference.subject());
                self.analysis.connect(kind, reference, declared);
                // Of triggers the others have been refused when they were read.
                if kind == Use::Trigger && reference.subject().resource().is_none()
                    || kind == Use::Run && !is_action(reference.subject())
                {
                    return;
                }
                let is_early = matches!(kind, Use::Source | Use::Version | Use::Early);
                match module.dialect {
                    // Terraform refuses every such object in a source.
                    Dialect::Terraform if is_early && kind != Use::Early => {}
                    // What cannot be known early is told as such.
                    Dialect::OpenTofu if is_early && !is_known_early(reference.subject()) => return,
                    Dialect::OpenTofu
                        if kind == Use::Guard && is_of_instance(reference.subject()) =>
                    {
                        let code = Code::PreventDestroyReference;
                        sink.report(
                            Diagnostic::new(code, reference.label())
                                .with_arguments(&[traversal.root_name()]),
                        );
                        return;
                    }
                    _ => module.check_scope(reference, available, sink),
                }
                self.analysis.refer(Some(object), kind, reference, declared, sink);
            }
            // Of triggers that has been told when they were read.
            Err(_) if matches!(kind, Use::Trigger | Use::Run) => {}
            Err(_) if is_type(traversal) => {}
            Err(diagnostic) => sink.report(diagnostic),
        }
    }

    fn broken(&mut self, error: Diagnostic<'a>) {
        self.is_wrong = true;
        self.sink.report(softened(error, self.is_lenient));
    }

    fn lenient(&mut self, is_lenient: bool) {
        self.is_lenient = is_lenient;
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
                self.sink.report(softened(diagnostic, self.is_lenient));
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

fn softened(diagnostic: Diagnostic<'_>, is_lenient: bool) -> Diagnostic<'_> {
    if is_lenient { diagnostic.with_severity(Severity::Warning) } else { diagnostic }
}

fn is_action(subject: Subject<'_>) -> bool {
    matches!(subject, Subject::Action(..))
}

/// Whether a traversal is the name of a primitive type, which some functions take.
fn is_type(traversal: LentTraversal<'_, '_>) -> bool {
    traversal.steps().len() == 1
        && matches!(traversal.root_name(), "string" | "number" | "bool" | "any")
}

impl<'a> Analysis<'_, 'a> {
    /// The number of the object that is being visited.
    fn from(&self) -> u32 {
        self.entered.saturating_sub(1)
    }

    /// The number of the object that is referred to.
    fn number(&self, subject: Subject<'a>) -> Option<u32> {
        let object = match subject {
            Subject::Variable(name) => Object::Variable(name),
            Subject::Local(name) => Object::Local(name),
            Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                Object::Resource(resource)
            }
            Subject::Action(action, _) => Object::Action(action),
            _ => Object::ModuleCall(subject.module_call()?),
        };
        self.module.number(&self.numbers, object)
    }

    /// Notes who refers to whom.
    fn connect(&mut self, kind: Use<'a>, reference: LentReference<'_, 'a>, to: Option<u32>) {
        let Some(to) = to else { return };
        let from = self.from();
        let argument = match kind {
            Use::Argument(argument) => Some(argument),
            _ => None,
        };
        if reference.subject().module_call().is_some() {
            let reference = reference.keep();
            self.uses.calls.push(CallUse { from, argument, reference, names_output: false });
        } else if let Some(argument) = argument {
            self.uses.arguments.push((from, argument, to));
        } else {
            self.uses.edges.push((from, to));
        }
    }

    /// Takes a reference of an object, or of a `terraform` block.
    fn refer(
        &mut self,
        object: Option<Object<'a>>,
        kind: Use<'a>,
        reference: LentReference<'_, 'a>,
        declared: Option<u32>,
        sink: &mut dyn Sink<'a>,
    ) {
        let module = self.module;
        let span = |step: &Step<'a>| Span::new(step.span.start, reference.span().end);
        match (kind, reference.subject()) {
            (Use::Order, _) if !reference.remaining().is_empty() => {
                let span = reference.remaining().first().map_or(reference.span(), span);
                sink.report(
                    Diagnostic::new(
                        Code::InvalidDependency,
                        Label::new(reference.traversal().source(), span),
                    )
                    .with_arguments(&["only a whole object can, no part of it"]),
                );
                return;
            }
            // Actions are no values.
            (kind, Subject::Action(..)) if kind != Use::Run => {
                sink.report(
                    Diagnostic::new(Code::InvalidReference, reference.label())
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
        let mut is_declared = declared.is_some();
        if let Some(declared) = declared.filter(|&declared| declared != self.from()) {
            self.used[declared as usize] = true;
        }
        match reference.subject() {
            Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                let place = declared.map(|declared| declared - self.numbers.resources);
                let scoped = || module.scoped_by(resource).and_then(|check| check.data);
                let found = place.and_then(|place| module.resources.at(place)).or_else(scoped);
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
                is_declared = found.is_some();
            }
            subject => match subject.module_call() {
                Some(name) => {
                    if let (Some(call), true) = (module.calls.get(name), kind != Use::Order)
                        && module.check_call_instance(call, reference, sink)
                        && !matches!(subject, Subject::ModuleCall(_))
                        && let Some(noted) = self.uses.calls.last_mut()
                    {
                        noted.names_output = true;
                    }
                }
                None => {
                    let is_declarable = matches!(
                        subject,
                        Subject::Variable(_) | Subject::Local(_) | Subject::Action(..)
                    );
                    is_declared |= !is_declarable;
                }
            },
        }
        if !is_declared && !self.withholds {
            let code = match kind {
                Use::Order => Code::UndeclaredDependency,
                _ => Code::UndeclaredReference,
            };
            let address = self.arena.format(format_args!("{}", reference.subject()));
            let advice = self.suggestion(reference.subject());
            sink.report(
                Diagnostic::new(code, reference.label()).with_arguments(&[address, advice]),
            );
        }
    }

    /// Terraform finds modules before anything has a value: only constants can say where. The result says whether
    /// what is referred to can be a constant at all.
    fn constant(
        &self,
        object: Option<Object<'a>>,
        kind: Use<'a>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
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
                        Diagnostic::new(Code::UnknownSource, value.start_label())
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
                Diagnostic::new(Code::SourceReference, there.label())
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

    fn unused(&self, sink: &mut dyn Sink<'a>) {
        if self.withholds {
            return;
        }
        let is_unused = |number: u32| !self.used[number as usize];
        let mut report = |label, kind, name| {
            sink.report(
                Diagnostic::new(Code::UnusedDeclaration, label).with_arguments(&[kind, name]),
            );
        };
        for (each, number) in self.module.variables.iter().zip(0..) {
            if is_unused(number) {
                report(each.block.label_place(0), "variable", each.name);
            }
        }
        for (each, number) in self.module.locals.iter().zip(self.numbers.locals()) {
            if is_unused(number) {
                report(each.attribute.name_label(), "local value", each.name);
            }
        }
        for (each, number) in self.module.resources.iter().zip(self.numbers.resources()) {
            if each.address.mode == Mode::Data && is_unused(number) {
                report(each.block.label_place(1), "data source", each.address.name);
            }
        }
    }

    /// Reports each cycle once, where the first of its local values is declared. Goes depth first, with a list
    /// of the values that are being looked at.
    fn cycles(&self, sink: &mut dyn Sink<'a>) {
        /// Whether a local value has been looked at.
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Mark {
            New,
            /// On the path, at this place.
            Open(usize),
            Done,
        }
        let (edges, locals) = (&self.uses.edges, self.numbers.locals());
        let first_edge = |number: u32| edges.partition_point(|&(from, _)| from < number);
        let place = |number: u32| (number - locals.start) as usize;
        let mut marks = vec![Mark::New; self.module.locals.len()];
        for start in locals.clone() {
            // The path from `start`: each value, and the edge of it that is to be followed.
            let mut path: Vec<(u32, usize)> = Vec::new();
            if marks[place(start)] == Mark::New {
                marks[place(start)] = Mark::Open(0);
                path.push((start, first_edge(start)));
            }
            while let Some((number, edge)) = path.last_mut() {
                let Some(&(_, next)) = edges.get(*edge).filter(|(from, _)| from == number) else {
                    marks[place(*number)] = Mark::Done;
                    path.pop();
                    continue;
                };
                *edge += 1;
                if !locals.contains(&next) {
                    continue;
                }
                match marks[place(next)] {
                    Mark::Done => {}
                    Mark::Open(from) => self.report_cycle(next, &path[from..], sink),
                    Mark::New => {
                        marks[place(next)] = Mark::Open(path.len());
                        path.push((next, first_edge(next)));
                    }
                }
            }
        }
    }

    #[cold]
    fn report_cycle(&self, number: u32, path: &[(u32, usize)], sink: &mut dyn Sink<'a>) {
        /// So many names of a long cycle are shown.
        const SHOWN: usize = 8;
        let local = |number: u32| self.module.locals.at(number - self.numbers.locals);
        let name = |number: u32| local(number).map_or("", |local| local.name);
        let Some(first) = local(number) else { return };
        let mut text = String::new();
        for &(number, _) in path.iter().take(SHOWN) {
            text.push_str("local.");
            text.push_str(name(number));
            text.push_str(" -> ");
        }
        if path.len() > SHOWN {
            text.push_str("… -> ");
        }
        text.push_str("local.");
        text.push_str(first.name);
        let place = first.attribute;
        sink.report(
            Diagnostic::new(Code::CircularReference, place.name_label())
                .with_arguments(&[self.arena.str(&text)]),
        );
    }
}
