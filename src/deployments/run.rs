//! The state that the stacks of an evaluation share, and an instance of a component.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{Budget, Meter};
use crate::expand::{Expansion, Inputs};
use crate::hash::HashMap;
use crate::stacks::Object;
use crate::tree::Tree;

/// Passes the inputs for the module at an index of [`Tree::modules`] to a function: the functions
/// and schemas that its values are computed with. Values of variables come from the stack.
pub type WithInputs<'w, 'a> = &'w dyn Fn(usize, &mut dyn FnMut(Inputs<'_, 'a>));

/// A part of a stack that could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Gap {
    /// Its address: `component.net`, `deployment.prod`.
    pub address: String,
    /// Why.
    pub why: String,
}

/// The state that all stacks of an evaluation share.
pub(super) struct Run<'r, 'a> {
    pub(super) arena: &'a Arena,
    pub(super) tree: &'r Tree<'a>,
    /// The targets of calls, by stack and number of the object.
    pub(super) targets: HashMap<(usize, usize), usize>,
    pub(super) with_inputs: WithInputs<'r, 'a>,
    pub(super) meter: Meter,
    pub(super) found: RefCell<Vec<Diagnostic<'a>>>,
    gaps: RefCell<BTreeSet<Gap>>,
}

impl<'r, 'a> Run<'r, 'a> {
    pub(super) fn new(
        arena: &'a Arena,
        tree: &'r Tree<'a>,
        (targets, with_inputs): (HashMap<(usize, usize), usize>, WithInputs<'r, 'a>),
        budget: Budget,
    ) -> Self {
        Self {
            arena,
            tree,
            targets,
            with_inputs,
            meter: Meter::new(budget),
            found: RefCell::default(),
            gaps: RefCell::default(),
        }
    }

    pub(super) fn gap(&self, address: &str, why: impl Into<String>) {
        self.gaps.borrow_mut().insert(Gap { address: address.to_owned(), why: why.into() });
    }

    /// The gaps, by address.
    pub(super) fn gaps(&self) -> Vec<Gap> {
        self.gaps.borrow().iter().cloned().collect()
    }
}

/// An instance of a component in a deployment.
#[derive(Debug)]
#[non_exhaustive]
pub struct Component<'c, 't, 'a> {
    /// Its address in the deployment: `component.net`, `stack.eu["a"].component.net`; with `[*]` where
    /// the instances are not known.
    pub address: &'c str,
    /// The component.
    pub object: &'c Object<'a>,
    /// The source of its module.
    pub source: &'a str,
    /// Whether it stands for all instances, which are not known.
    pub is_placeholder: bool,
    /// The values of its module; `None` if the tree does not have it.
    pub expansion: Option<&'c Expansion<'t, 'a>>,
}
