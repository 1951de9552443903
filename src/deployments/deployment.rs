//! The deployments of a stack, and what is visited of each.

use super::call::calls;
use super::run::{Component, Gap, Run, WithInputs};
use super::values::{Given, TakeExpression, Values};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::evaluate::Budget;
use crate::expand::write_value;
use crate::stacks::Kind;
use crate::tree::Tree;
use crate::value::{Type, Value, write_type};
use crate::write::ObjectWriter;

/// The deployments of a stack.
pub struct Deployments<'r, 'a> {
    run: Run<'r, 'a>,
    stack: usize,
}

impl std::fmt::Debug for Deployments<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deployments").field("stack", &self.stack).finish_non_exhaustive()
    }
}

/// A deployment, or a stack in a stack, with its inputs.
pub struct Deployment<'d, 'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it is to be destroyed; `None` if that is not known.
    pub is_destroyed: Option<bool>,
    values: &'d Values<'d, 'a>,
}

impl std::fmt::Debug for Deployment<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deployment").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'r, 'a> Deployments<'r, 'a> {
    /// Evaluates the stack at an index of [`Tree::modules`]; `None` if there is none. Values are in
    /// `arena`.
    ///
    /// Cost: linear in the tree; values are computed by [`Self::visit`].
    #[must_use]
    pub fn of(
        tree: &'r Tree<'a>,
        stack: usize,
        arena: &'a Arena,
        with_inputs: WithInputs<'r, 'a>,
    ) -> Option<Self> {
        tree.modules().get(stack)?.stack.as_ref()?;
        let targets =
            calls(tree).iter().map(|call| ((call.stack, call.number), call.target)).collect();
        let run = Run::new(arena, tree, (targets, with_inputs), budget(tree));
        Some(Self { run, stack })
    }

    /// Passes each deployment to `take`, in the order of the files.
    pub fn visit(&self, take: &mut dyn FnMut(&Deployment<'_, 'a>)) {
        let run = &self.run;
        (run.with_inputs)(self.stack, &mut |inputs| {
            let of = |given| Values::of(run, self.stack, given, inputs.functions());
            let Some(outside) = of(Given::Unknown) else { return };
            for (number, object) in outside.numbered(Kind::Deployment) {
                let name = object.names[0];
                let is_destroyed = match object.argument("destroy") {
                    None => Some(false),
                    Some(destroy) => outside.settled(number, None, destroy.expression()).as_bool(),
                };
                if is_destroyed.is_none() {
                    run.gap(&object.to_string(), "whether it is destroyed is not known");
                }
                let given = outside.given(number, None, &object.to_string());
                if let Some(values) = of(given) {
                    take(&Deployment { name, is_destroyed, values: &values });
                }
            }
        });
    }

    /// Passes each expression of the stack that is evaluated to `take`: those of deployments once, the others
    /// for each deployment; once without inputs if there are none.
    pub(crate) fn visit_expressions(&self, take: &mut TakeExpression<'_, 'a>) {
        let mut has_deployments = false;
        self.visit(&mut |deployment| {
            has_deployments = true;
            deployment.values.visit_expressions(false, take);
        });
        let run = &self.run;
        (run.with_inputs)(self.stack, &mut |inputs| {
            let outside = Values::of(run, self.stack, Given::Unknown, inputs.functions());
            let Some(outside) = outside else { return };
            outside.visit_expressions(true, take);
            if !has_deployments {
                outside.visit_expressions(false, take);
            }
        });
    }

    /// Whether the budget was not enough for what has been visited.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.run.meter.exhausted().is_some()
    }

    /// The diagnostics of what has been visited, without those of the tree.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic<'a>> {
        let mut found = self.run.found.borrow().clone();
        self.run.tree.withhold(&mut found);
        found
    }

    /// The parts of what has been visited that could not be evaluated, by address.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gap> {
        self.run.gaps()
    }
}

impl<'a> Deployment<'_, 'a> {
    /// Passes each instance of a component to `take`: those of the stack in the order of the files,
    /// then those of stacks in it. A deployment that is to be destroyed has none.
    ///
    /// Cost: that of the modules, as far as `take` asks for their values, and of all modules whose
    /// outputs others use.
    pub fn visit(&self, take: &mut dyn FnMut(&Component<'_, '_, 'a>)) {
        if self.is_destroyed != Some(true) {
            self.values.visit(take);
        }
    }

    /// The outputs of the stack in this deployment, sorted by name.
    #[must_use]
    pub fn outputs(&self) -> Vec<(&'a str, Value<'a>)> {
        match self.is_destroyed {
            Some(true) => Vec::new(),
            _ => self.values.outputs(),
        }
    }

    /// Writes the outputs as members, as [`Expansion::write`](crate::expand::Expansion::write) writes
    /// those of a module. Values that must not be shown are `(sensitive)` unless `shows` is set.
    pub fn write_outputs(&self, shows: bool, members: &mut ObjectWriter<'_, '_>) {
        for (name, value) in self.outputs() {
            let mut output = members.key(name).object();
            output.key("sensitive").bool(value.marks().hides());
            if value.is_wholly_known() {
                let ty = if value.is_null() { Type::Dynamic } else { value.ty() };
                write_type(ty, output.key("type"));
            }
            write_value(value, shows, &mut output);
        }
    }
}

/// The budget of all that is evaluated.
fn budget(tree: &Tree<'_>) -> Budget {
    let sources = tree.modules().iter().flat_map(|module| &module.sources);
    crate::expand::budget_of_bytes(sources.map(|it| it.bytes().len() as u64).sum())
}
