//! Warnings about values that are known only after an apply, but have to be known for a plan: `count`,
//! `for_each`, `enabled`, and what `import` blocks say.

use super::engine::Expansion;
use super::instance::ModuleInstance;
use super::keys::{Key, Keys};
use super::node::Node;
use super::select::join;
use super::why::{Subject, Written, name};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic};
use crate::evaluate::follow_known;
use crate::expression::{Expression, Seen};
use crate::hash::HashSet;
use crate::module::Import;
use crate::native::{Step, StepKind};
use crate::reference::{Mode, ResourceName};
use crate::value::Type;

/// The maximum number of expressions that a search goes through.
const MOST: usize = 1_000;

/// The functions that a plan does not run.
const RUN_IN_APPLY: [&str; 3] = ["bcrypt", "timestamp", "uuid"];

/// An expression, the instance of a module whose names it uses, and what `each` and `count` in it come from.
type Scoped<'a> = (Expression<'a>, u32, Option<Repeated<'a>>);

#[derive(Clone, Copy)]
enum Repeated<'a> {
    Subject(Subject<'a>),
    /// Elements of the value of an expression of the root module.
    Of(Expression<'a>),
}

impl<'t, 'a> Expansion<'t, 'a> {
    /// Warns of resources and calls of an instance of a module of which it is not known which instances there
    /// are. Without a state, a plan fails.
    ///
    /// Cost: for each of them, that of at most [`MOST`] expressions.
    pub(super) fn check_until_apply(&self, number: u32) {
        if self.inputs.state.is_some() {
            return;
        }
        let module = self.module(number);
        let declared = &module.declared.module;
        let resources = (0..).zip(&declared.resources).map(|(at, resource)| {
            let enabled = resource.lifecycle().and_then(|lifecycle| lifecycle.enabled());
            let deciding =
                [resource.count(), resource.for_each(), enabled.map(Attribute::expression)];
            (Node::ResourceKeys(number, at), deciding)
        });
        let calls = (0..).zip(&declared.calls).map(|(at, call)| {
            let deciding = [call.count, call.for_each, call.enabled.map(Attribute::expression)];
            (Node::CallKeys(number, at), deciding)
        });
        for (node, deciding) in resources.chain(calls) {
            let names = ["count", "for_each", "enabled"];
            let mut written = names.into_iter().zip(deciding);
            let written = written.find_map(|(name, expression)| Some((name, expression?)));
            if let Some((name, expression)) = written
                && matches!(self.force_keys(node), Keys::Unknown(_))
                && !self.is_decided(number, expression)
            {
                self.warn_until_apply((expression, number, None), name);
            }
        }
    }

    /// Like [`check_until_apply`](Self::check_until_apply), of an `import` block. `has_unknown_id` tells whether the
    /// ID of an instance is not known.
    pub(super) fn check_import_until_apply(&self, block: &Import<'a>, has_unknown_id: bool) {
        if self.inputs.state.is_some() {
            return;
        }
        if let Some(each) = block.for_each.filter(|each| !self.is_decided(0, *each)) {
            self.warn_until_apply((each, 0, None), "for_each");
        }
        if let Some(id) = block.id.filter(|_| has_unknown_id) {
            self.warn_until_apply((id, 0, block.for_each.map(Repeated::Of)), "id");
        }
    }

    /// Whether a plan knows the keys and the number of the elements of the value of an expression.
    fn is_decided(&self, number: u32, expression: Expression<'a>) -> bool {
        let arena = (self.inputs.arena, false);
        let value = self.settled((number, Key::None, arena), |it| it.value(expression));
        match value.ty() {
            // A set with an unknown element is known, and its elements are not.
            Type::Set(_) => value.is_wholly_known(),
            _ => value.is_known(),
        }
    }

    /// Warns of an expression whose value is computed in an apply.
    fn warn_until_apply(&self, scoped: Scoped<'a>, argument: &'static str) {
        if let Some(reason) = self.reason(scoped) {
            let (expression, number, _) = scoped;
            let found = Diagnostic::new(Code::UnknownUntilApply, expression.start_label());
            self.report(number, found.with_arguments(&[argument, self.inputs.arena.str(&reason)]));
        }
    }

    /// The first attribute that only a provider sets, or function that runs in an apply, among what an expression
    /// refers to, through local values, arguments and outputs.
    fn reason(&self, scoped: Scoped<'a>) -> Option<String> {
        let mut seen: HashSet<Subject<'a>> = HashSet::default();
        let mut has_elements = false;
        let mut work = vec![scoped];
        while let Some((expression, number, repeated)) = work.pop() {
            let mut called = None;
            expression.visit_variables(|seen| {
                if let Seen::Template(program) = seen {
                    let names = program.own_calls().map(|call| call.name);
                    let mut names = names.map(|name| name.strip_prefix("core::").unwrap_or(name));
                    called = called.or_else(|| names.find(|name| RUN_IN_APPLY.contains(name)));
                }
            });
            if let Some(name) = called {
                return Some(format!("{name}() runs in an apply"));
            }
            for traversal in expression.variables() {
                let steps = traversal.steps();
                let module = self.module(number);
                if is_set_by_provider(&module, steps) {
                    let name = join(&module.address, &traversal.to_string());
                    return Some(format!("a provider sets {name}"));
                }
                let (subject, rest) = match (steps.first().and_then(name), repeated) {
                    (Some("each"), Some(Repeated::Of(elements))) => {
                        if !std::mem::replace(&mut has_elements, true) {
                            work.push((elements, 0, None));
                        }
                        continue;
                    }
                    (Some("each" | "count"), Some(Repeated::Subject(subject))) => {
                        (subject, &[][..])
                    }
                    _ => match self.subject(number, steps) {
                        Some(found) => found,
                        None => continue,
                    },
                };
                if seen.len() >= MOST || !seen.insert(subject) {
                    continue;
                }
                let Some(Written { expression: Some(inner), value, scope, repeated, .. }) =
                    self.written(subject)
                else {
                    continue;
                };
                if !follow_known(self.inputs.arena, value, rest).is_wholly_known() {
                    let repeated = repeated.map(|(subject, _)| Repeated::Subject(subject));
                    work.push((inner, scope, repeated));
                }
            }
        }
        None
    }
}

/// Whether a traversal names an attribute of a managed resource that the configuration does not set.
fn is_set_by_provider(module: &ModuleInstance<'_, '_>, steps: &[Step<'_>]) -> bool {
    let [first, second, rest @ ..] = steps else { return false };
    let (Some(resource_type), Some(own)) = (name(first), name(second)) else { return false };
    let address = ResourceName { mode: Mode::Managed, resource_type, name: own };
    let Some(resource) = module.declared.module.resources.get(address) else { return false };
    let rest = match rest.first().map(|step| step.kind) {
        Some(StepKind::Index(_) | StepKind::Splat) => &rest[1..],
        _ => rest,
    };
    let Some(attribute) = rest.first().and_then(name) else { return false };
    resource.escape().is_none()
        && !resource.config().properties().any(|property| property.is_named(attribute))
}
