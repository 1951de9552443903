//! The dependencies of stacks of Terraform: what their expressions read, and what the modules of their
//! components read with the inputs of each deployment.

use std::cell::RefCell;

use super::inputs::{Outer, Part, Plan, Reads, State};
use crate::deployments::{Deployments, calls};
use crate::expand::{Inputs, ObservedCall};
use crate::hash::{HashMap, HashSet};
use crate::stacks::Kind;
use crate::tree::Tree;

/// The modules and stacks that the stacks of a tree call.
#[derive(Debug, Default)]
pub(super) struct StackCalls {
    targets: HashMap<usize, Vec<usize>>,
    /// The modules that are evaluated for a deployment.
    run: HashSet<usize>,
}

impl StackCalls {
    /// Cost: linear in the modules and the objects of stacks.
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let mut all = Self::default();
        for call in calls(tree) {
            all.targets.entry(call.stack).or_default().push(call.target);
        }
        for (place, module) in tree.modules().iter().enumerate() {
            let stack = module.stack.as_ref();
            if stack.is_some_and(|it| it.of_kind(Kind::Deployment).next().is_some()) {
                let called = all.called_by(place);
                all.run.extend(called.into_iter().filter(|it| *it != place));
            }
        }
        all
    }

    /// A stack, and what it calls, directly or through stacks.
    pub(super) fn called_by(&self, stack: usize) -> Vec<usize> {
        let mut all = vec![stack];
        let mut seen: HashSet<usize> = all.iter().copied().collect();
        let mut at = 0;
        while let Some(place) = all.get(at) {
            at += 1;
            let targets = self.targets.get(place).into_iter().flatten();
            let new: Vec<usize> = targets.copied().filter(|it| seen.insert(*it)).collect();
            all.extend(new);
        }
        all
    }

    /// Whether a deployment runs a module.
    pub(super) fn runs(&self, module: usize) -> bool {
        self.run.contains(&module)
    }
}

/// The instances of a component that was evaluated, whether that is all, and the component.
type Visited<'a> = (Vec<(usize, Option<ObservedCall>)>, bool, Part<'a>);

impl Plan<'_> {
    /// Returns the dependencies of a stack.
    ///
    /// Cost: that of evaluating the modules of its components for each deployment.
    pub(super) fn reads_of_stack<'a>(&self, tree: &Tree<'a>, stack: usize) -> Reads<'a> {
        let mut all = Reads::of(stack, true);
        all.instances.push((stack, None));
        let module = &tree.modules()[stack];
        let Some(arena) = module.sources.first().map(|source| source.arena()) else { return all };
        // One for each evaluation around another one.
        let open: RefCell<Vec<Option<Visited<'a>>>> = RefCell::default();
        let found: RefCell<Vec<(State, Visited<'a>)>> = RefCell::default();
        let with_inputs = |place: usize, work: &mut dyn FnMut(Inputs<'_, 'a>)| {
            open.borrow_mut().push(None);
            let state = self.watch(tree, place, None, work);
            let visited = open.borrow_mut().pop().flatten();
            found.borrow_mut().extend(state.zip(visited));
        };
        let Some(deployments) = Deployments::of(tree, stack, arena, &with_inputs) else {
            return all;
        };
        deployments.visit(&mut |deployment| {
            deployment.visit(&mut |component| {
                let Some(expansion) = component.expansion else { return };
                let is_complete = expansion.observe();
                let part =
                    Part { address: arena.str(component.address), label: component.object.label() };
                if let Some(last) = open.borrow_mut().last_mut() {
                    *last = Some((expansion.instances(), is_complete, part));
                }
            });
        });
        for (state, (instances, is_complete, part)) in found.take() {
            all.take(state, is_complete, instances, Some(Outer::Part(0, part)));
        }
        let inputs = self.space.directory(&module.files.directory());
        let Some(inputs) = inputs.map(|directory| self.plain_inputs(arena, &directory)) else {
            return all;
        };
        self.add(&mut all, (tree, stack, None), inputs, &|expansion| {
            deployments.visit_expressions(&mut |object, expression, names| {
                // References to these use them.
                let passes_on = matches!(object.kind, Kind::Local | Kind::Deployment);
                expansion.observe_other(expression, names, passes_on);
            });
            true
        });
        all.is_complete &= !deployments.is_exhausted();
        all
    }
}
