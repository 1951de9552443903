//! A move: an object, and its destination.

use crate::module::Object;

/// Where an object goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination<'r> {
    /// The file of the module with this name, which may be a new one.
    File(&'r str),
    /// The module that the call with this name calls.
    Call(&'r str),
    /// The module at this place in [`Tree::modules`](crate::tree::Tree::modules): one that the module
    /// calls, or that calls it.
    Module(usize),
}

/// An object to move, and its destination.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r, 'a> {
    /// The index of the module in [`Tree::modules`](crate::tree::Tree::modules).
    pub module: usize,
    /// The object.
    pub object: Object<'a>,
    /// Where it goes.
    pub to: Destination<'r>,
    /// Whether a `moved` block tells the tools about the new address of a resource.
    pub has_moved: bool,
    /// Whether the tools may have done what an older `moved` block says that leads to the old address: it
    /// then says the reverse, and is taken away otherwise.
    pub is_applied: bool,
}

impl<'r, 'a> Request<'r, 'a> {
    /// A move with a `moved` block, if the address changes.
    #[must_use]
    pub fn new(module: usize, object: Object<'a>, to: Destination<'r>) -> Self {
        Self { module, object, to, has_moved: true, is_applied: false }
    }

    /// Sets whether a `moved` block is written.
    #[must_use]
    pub fn with_moved(self, has_moved: bool) -> Self {
        Self { has_moved, ..self }
    }

    /// Sets whether the tools may have done what a `moved` block says that is taken back.
    #[must_use]
    pub fn with_applied(self, is_applied: bool) -> Self {
        Self { is_applied, ..self }
    }
}
