//! Finds the places of a module.

use std::fmt::{self, Write};

use super::files::Files;
use super::parts::Parts;
use super::place::{Draft, NONE, Place, PlaceUse, Places};
use super::step::name_of;
use super::target::{Target, Targets};
use crate::diagnostic::Label;
use crate::expression::Seen;
use crate::hash::HashSet;
use crate::module::object::Numbers;
use crate::module::written::Written;
use crate::module::{Module, Object, ProviderConfigName, ProviderReference, Reading, Site, Use};
use crate::native::{LentTraversal, StepKind, Traversal};
use crate::program::LentProgram;
use crate::reference::{InstanceKey, Mode, ResourceName, Subject};
use crate::span::Span;

/// The object and the reason of a place.
#[derive(Clone, Copy)]
pub(super) struct By {
    pub(super) user: u32,
    pub(super) usage: PlaceUse,
}

/// A reference as it is found, before it is kept.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FoundReference<'n, 'a> {
    /// The number of the object that it belongs to.
    pub user: u32,
    /// How it uses the target.
    pub usage: PlaceUse,
    /// The bytes of all of it.
    pub label: Label<'a>,
    /// The target.
    pub to: Referred<'n, 'a>,
}

/// The target of a reference.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Referred<'n, 'a> {
    /// A subject; `None` if it is not a valid reference.
    Value(LentTraversal<'n, 'a>, Option<Subject<'a>>),
    /// A function of a provider, `provider::NAME::FUNCTION`.
    Function(&'n str),
}

/// Receives references as they are found.
pub(super) type Visit<'m, 'a> = &'m mut dyn FnMut(FoundReference<'_, 'a>);

pub(super) struct Collector<'m, 'a> {
    module: &'m Module<'a>,
    numbers: Numbers,
    targets: Targets,
    files: Files<'a>,
    list: Vec<Place>,
    /// The text of an address, in memory that is used again.
    text: String,
    /// The places that have been found, once files are visited that may have no effect.
    known: HashSet<(u32, u32, u32, u32)>,
    has_effect: bool,
    is_complete: bool,
    /// Gets the references. No place is kept then.
    visit: Option<Visit<'m, 'a>>,
}

impl<'m, 'a> Collector<'m, 'a> {
    /// Passes references on, and keeps no place.
    pub(super) fn visiting(parts: &Parts<'m, 'a>, visit: Visit<'m, 'a>) -> Self {
        Self { visit: Some(visit), ..Self::new(parts) }
    }

    pub(super) fn new(parts: &Parts<'m, 'a>) -> Self {
        let numbers = parts.module.numbers();
        Self {
            module: parts.module,
            numbers,
            targets: Targets::new(numbers.len()),
            files: Files::new(parts),
            list: Vec::new(),
            text: String::new(),
            known: HashSet::default(),
            has_effect: true,
            is_complete: parts.is_complete,
            visit: None,
        }
    }

    /// From now on, places that have been found are left out, and others have no effect.
    pub(super) fn go_on_without_effect(&mut self) {
        self.known = self.list.iter().map(Place::identity).collect();
        self.has_effect = false;
    }

    pub(super) fn finish(mut self) -> Places {
        self.list.shrink_to_fit();
        Places {
            list: self.list,
            targets: self.targets,
            files: self.files.into_names(),
            is_complete: self.is_complete,
            ..Places::default()
        }
    }
}

impl<'a> Collector<'_, 'a> {
    /// The number of an object.
    pub(super) fn number(&self, object: Object<'a>) -> Option<u32> {
        self.module.number(&self.numbers, object)
    }

    fn number_or_none(&self, object: Object<'a>) -> u32 {
        self.number(object).unwrap_or(NONE)
    }

    /// The key of a target. If there are too many, the places are incomplete.
    fn key(&mut self, target: Target<'_>) -> u32 {
        let key = self.targets.key(target);
        self.is_complete &= key.is_some();
        key.unwrap_or(NONE)
    }

    /// Adds a place.
    pub(super) fn add(
        &mut self,
        by: By,
        target: Target<'_>,
        label: Label<'a>,
        name: Option<Span>,
        is_part: bool,
    ) {
        if self.visit.is_some() {
            return;
        }
        let target = self.key(target);
        let (file, is_json) = self.files.of(label.source);
        let draft = Draft {
            target,
            user: by.user,
            usage: by.usage,
            file,
            span: label.span,
            name,
            has_effect: self.has_effect,
            is_part,
            is_json,
        };
        let Some(place) = draft.place().filter(|_| target != NONE) else {
            self.is_complete = false;
            return;
        };
        if self.has_effect || self.known.insert(place.identity()) {
            self.list.push(place);
        }
    }

    /// Adds a place whose target is an address.
    fn add_address(
        &mut self,
        by: By,
        kind: Address,
        address: impl fmt::Display,
        (label, name): (Label<'a>, Option<Span>),
        is_part: bool,
    ) {
        if self.visit.is_some() {
            return;
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        // Writing to a string does not fail.
        let _ = write!(text, "{address}");
        self.add(by, kind.target(&text), label, name, is_part);
        self.text = text;
    }

    /// Adds the place of a name that stands alone, in quotes or not.
    pub(super) fn add_name(&mut self, by: By, target: Target<'_>, label: Label<'a>) {
        let (label, name) = unquoted(label);
        self.add(by, target, label, name, false);
    }

    /// Adds the place of a name of a variable that the module does not declare.
    pub(super) fn add_undeclared_name(&mut self, by: By, name: &'a str, label: Label<'a>) {
        let object = Object::Variable(name);
        self.add_address(by, Address::Undeclared, object, unquoted(label), false);
    }

    /// Adds the place of a reference to an earlier run of a test.
    pub(super) fn add_run(&mut self, by: By, name: &'a str, traversal: Traversal<'a>) {
        let step = traversal.steps().get(1).and_then(|step| name_of(traversal, step));
        let run = Dotted(["run", name].into_iter());
        self.add_address(by, Address::BuiltIn, run, (traversal.label(), step), false);
    }

    pub(super) fn written(&mut self, written: Written<'_, 'a>) {
        match written {
            Written::Expression(site) => self.site(site),
            Written::Name(object, label) => {
                let user = self.number_or_none(object);
                let by = By { user, usage: PlaceUse::Declaration };
                match user {
                    // A name that only a shadowed file or a refused block declares.
                    NONE => {
                        self.add_address(by, Address::Undeclared, object, unquoted(label), false);
                    }
                    number => self.add_name(by, Target::Object(number), label),
                }
            }
            Written::Scoped(check, data, label) => {
                let user = self.number_or_none(Object::Check(check));
                let by = By { user, usage: PlaceUse::Declaration };
                self.add_address(by, Address::Within(user), data, unquoted(label), false);
            }
            Written::Alias(traversal) => {
                let name = ProviderConfigName::of(traversal);
                let by = By { user: NONE, usage: PlaceUse::Declaration };
                let span = provider_name_span(traversal);
                self.add(by, Target::Inherited(name), traversal.label(), span, false);
            }
            Written::Argument(call, name, label) => {
                let call = self.number_or_none(Object::ModuleCall(call));
                let by = By { user: call, usage: PlaceUse::Key };
                self.add_name(by, Target::Argument { call, name }, label);
            }
            Written::Pass(call, pass) => {
                let call = self.number_or_none(Object::ModuleCall(call));
                let by = By { user: call, usage: PlaceUse::Key };
                let inner = pass.inner.traversal();
                let target = Target::Passed { call, name: pass.inner.name() };
                self.add(by, target, inner.label(), provider_name_span(inner), false);
            }
            Written::Implied(object, name, label) => {
                let by = By { user: self.number_or_none(object), usage: PlaceUse::Implied };
                let target = self.provider(name);
                self.add(by, target, label, None, false);
            }
        }
    }

    /// The target of a reference to a provider configuration.
    pub(super) fn provider<'n>(&self, name: ProviderConfigName<'a>) -> Target<'n>
    where
        'a: 'n,
    {
        match self.number(Object::Provider(name)) {
            Some(number) => Target::Object(number),
            None => Target::Inherited(name),
        }
    }

    pub(super) fn site(&mut self, site: &Site<'_, 'a>) {
        let user = match site.usage {
            _ if self.visit.is_some() => site.number,
            Use::Argument(name) => self.key(Target::Argument { call: site.number, name }),
            Use::Pass(name) => self.key(Target::Passed { call: site.number, name }),
            _ => site.number,
        };
        let by = By { user, usage: PlaceUse::of(site.usage) };
        match site.reading {
            Reading::Literal(_) => {}
            Reading::Provider(reference) => self.provider_reference(by, reference),
            Reading::Traversal(traversal) if site.usage == Use::Address => {
                self.address(by, traversal);
            }
            _ if site.usage == Use::Address => {
                let mut is_first = true;
                site.visit(|seen| {
                    let Seen::Traversal(traversal) = seen else { return };
                    match std::mem::take(&mut is_first) {
                        true => self.address(by, traversal),
                        false => self.reference(instance(by), traversal),
                    }
                });
            }
            Reading::Traversal(traversal) if site.usage == Use::Method => {
                let name = traversal.steps().last().and_then(|last| name_of(traversal, last));
                let at = (traversal.label(), name);
                self.add_address(by, Address::BuiltIn, traversal, at, false);
            }
            _ if site.usage.is_reference() => site.visit(|seen| match seen {
                Seen::Traversal(traversal) => self.reference(by, traversal),
                Seen::Template(program) => self.functions(by, program),
                Seen::Broken(_) => {}
            }),
            _ => {}
        }
    }

    pub(super) fn provider_reference(&mut self, by: By, reference: ProviderReference<'a>) {
        let traversal = reference.traversal();
        let target = self.provider(reference.name());
        self.add(by, target, traversal.label(), provider_name_span(traversal), false);
        if let Some(key) = reference.computed_key() {
            key.visit_variables(|seen| {
                if let Seen::Traversal(traversal) = seen {
                    self.reference(instance(by), traversal);
                }
            });
        }
    }

    /// Adds the places of the functions of providers that a template calls.
    fn functions(&mut self, by: By, program: &LentProgram<'_, 'a>) {
        for call in program.own_calls() {
            let Some(rest) = call.name.strip_prefix("provider::") else { continue };
            let span = call.name_span;
            let label = Label::new(program.source, span);
            if let Some(visit) = &mut self.visit {
                let (user, usage, to) = (by.user, by.usage, Referred::Function(call.name));
                visit(FoundReference { user, usage, label, to });
                continue;
            }
            let is_plain = span.slice(program.source.bytes()) == call.name.as_bytes();
            let start = span.start + "provider::".len() as u32;
            let len = rest.split("::").next().map_or(0, str::len) as u32;
            let name = (is_plain && len > 0).then(|| Span::new(start, start + len));
            self.add(by, Target::Function(call.name), label, name, false);
        }
    }

    /// Adds the place of a reference to a value.
    pub(super) fn reference(&mut self, by: By, traversal: LentTraversal<'_, 'a>) {
        let label = traversal.label();
        let reference = self.module.reference(traversal);
        if let Some(visit) = &mut self.visit {
            let to = Referred::Value(traversal, reference.ok().map(|it| it.subject()));
            return visit(FoundReference { user: by.user, usage: by.usage, label, to });
        }
        let Ok(reference) = reference else {
            self.add_address(by, Address::Undeclared, traversal, (label, None), false);
            return;
        };
        let subject = reference.subject();
        let step = |at: usize| traversal.steps().get(at).and_then(|step| name_of(traversal, step));
        let name = match subject {
            Subject::Variable(_) | Subject::Local(_) => step(1),
            Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                step(1 + usize::from(has_mode(traversal, resource)))
            }
            Subject::Action(..) => step(2),
            Subject::ModuleCall(_) | Subject::ModuleInstance(..) | Subject::ModuleOutput { .. } => {
                return self.of_call(by, subject, traversal);
            }
            _ => {
                self.add_address(by, Address::BuiltIn, subject, (label, None), false);
                return;
            }
        };
        if let Some(number) = self.module.subject_number(&self.numbers, subject) {
            self.add(by, Target::Object(number), label, name, false);
            return;
        }
        let resource = subject.resource();
        let check = resource.and_then(|resource| self.module.scoping_check(resource));
        let check = check.and_then(|check| self.number(Object::Check(check)));
        match (check, resource) {
            (Some(check), Some(data)) => {
                self.add_address(by, Address::Within(check), data, (label, name), false);
            }
            _ => {
                let whole = Whole(subject);
                self.add_address(by, Address::Undeclared, whole, (label, name), false);
            }
        }
    }

    /// Adds the places of a reference to a module call: that of an output, and that of the call.
    fn of_call(&mut self, by: By, subject: Subject<'a>, traversal: LentTraversal<'_, 'a>) {
        let label = traversal.label();
        let step = |at: usize| traversal.steps().get(at).and_then(|step| name_of(traversal, step));
        let Some(name) = subject.module_call() else { return };
        let Some(call) = self.number(Object::ModuleCall(name)) else {
            self.add_address(by, Address::Undeclared, Whole(subject), (label, step(1)), false);
            return;
        };
        let is_repeated = self
            .module
            .calls
            .get(name)
            .is_some_and(|it| it.count.is_some() || it.for_each.is_some());
        // If a module has one instance, `["name"]` is the output of that name.
        let (output, at) = match subject {
            Subject::ModuleInstance(_, InstanceKey::String(name))
            | Subject::ModuleOutput { key: Some(InstanceKey::String(name)), .. }
                if !is_repeated =>
            {
                (Some(name), 2)
            }
            Subject::ModuleOutput { key, output, .. } => {
                (Some(output), 2 + usize::from(key.is_some()))
            }
            _ => (None, 0),
        };
        if let Some(name) = output {
            self.add(by, Target::Output { call, name }, label, step(at), false);
        }
        self.add(by, Target::Object(call), label, step(1), output.is_some());
    }

    /// Adds the places of an address: `module.m.aws_instance.web`, `aws_instance.web[0]`.
    pub(super) fn address(&mut self, by: By, traversal: LentTraversal<'_, 'a>) {
        let steps = traversal.steps();
        let label = traversal.label();
        let name = |at: usize| match steps.get(at).map(|step| step.kind) {
            Some(StepKind::Root(name) | StepKind::Attribute(name)) => Some(name),
            _ => None,
        };
        let span = |at: usize| steps.get(at).and_then(|step| name_of(traversal, step));
        let ("module", Some(call)) = (traversal.root_name(), name(1)) else {
            return self.resource_address(by, traversal);
        };
        let Some(number) = self.number(Object::ModuleCall(call)) else {
            self.add_address(by, Address::Undeclared, traversal, (label, span(1)), false);
            return;
        };
        let is_key = |at: usize| {
            matches!(steps.get(at).map(|it| it.kind), Some(StepKind::Index(_) | StepKind::Splat))
        };
        let rest = 2 + usize::from(is_key(2));
        let inner = steps.get(rest..).unwrap_or_default();
        let last = (0..steps.len()).rev().find(|&at| !is_key(at));
        if inner.is_empty() {
            self.add(by, Target::Object(number), label, span(1), false);
            return;
        }
        let names = inner.iter().filter_map(|step| match step.kind {
            StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
            _ => None,
        });
        let at = (label, last.and_then(span));
        self.add_address(by, Address::Within(number), Dotted(names), at, false);
        self.add(by, Target::Object(number), label, span(1), true);
    }

    fn resource_address(&mut self, by: By, traversal: LentTraversal<'_, 'a>) {
        let label = traversal.label();
        let Ok(reference) = self.module.reference(traversal) else {
            self.add_address(by, Address::Undeclared, traversal, (label, None), false);
            return;
        };
        let Some(resource) = reference.subject().resource() else {
            return self.reference(by, traversal);
        };
        let step = traversal.steps().get(1 + usize::from(has_mode(traversal, resource)));
        let at = (label, step.and_then(|step| name_of(traversal, step)));
        match self.number(Object::Resource(resource)) {
            Some(number) => self.add(by, Target::Object(number), at.0, at.1, false),
            None => self.add_address(by, Address::Undeclared, resource, at, false),
        }
    }
}

/// The same user, with the key of an instance as its use.
fn instance(by: By) -> By {
    By { usage: PlaceUse::Instance, ..by }
}

/// A kind of target that is an address.
#[derive(Clone, Copy)]
enum Address {
    Undeclared,
    BuiltIn,
    /// Within the object of this number.
    Within(u32),
}

impl Address {
    fn target(self, address: &str) -> Target<'_> {
        match self {
            Self::Undeclared => Target::Undeclared(address),
            Self::BuiltIn => Target::BuiltIn(address),
            Self::Within(object) => Target::Within { object, address },
        }
    }
}

/// The subject without keys and attributes: the object that could be declared.
struct Whole<'a>(Subject<'a>);

impl fmt::Display for Whole<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.0.resource(), self.0.module_call()) {
            (_, Some(resource), _) => resource.fmt(f),
            (_, _, Some(call)) => write!(f, "module.{call}"),
            (Subject::Action(action, _), ..) => action.fmt(f),
            (subject, ..) => subject.fmt(f),
        }
    }
}

/// Names with dots between them.
struct Dotted<I>(I);

impl<'n, I: Iterator<Item = &'n str> + Clone> fmt::Display for Dotted<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.0.clone().enumerate() {
            f.write_str(if place > 0 { "." } else { "" })?;
            f.write_str(name)?;
        }
        Ok(())
    }
}

/// Whether a reference to a resource starts with its mode.
fn has_mode(traversal: LentTraversal<'_, '_>, resource: ResourceName<'_>) -> bool {
    resource.mode == Mode::List
        || matches!(traversal.root_name(), "data" | "ephemeral" | "resource")
}

/// The place of a name without its quotes, and its bytes unless it has escapes.
fn unquoted(label: Label<'_>) -> (Label<'_>, Option<Span>) {
    let span = match label.span.slice(label.source.bytes()) {
        [b'"', .., b'"'] => Span::new(label.span.start + 1, label.span.end - 1),
        _ => label.span,
    };
    let has_escape = memchr::memchr(b'\\', span.slice(label.source.bytes())).is_some();
    (Label::new(label.source, span), (!has_escape && !span.is_empty()).then_some(span))
}

/// The bytes of the alias, or else of the local name, in a reference to a provider configuration.
fn provider_name_span(traversal: Traversal<'_>) -> Option<Span> {
    let steps = traversal.steps();
    let step = match steps.get(1).map(|step| step.kind) {
        Some(StepKind::Attribute(_)) => steps.get(1),
        _ => steps.first(),
    };
    step.and_then(|step| name_of(traversal, step))
}
