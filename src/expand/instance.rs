//! Instances of modules.

use std::rc::Rc;

use super::keys::Key;
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::tree::TreeModule;
use crate::value::Value;

/// An instance of a module.
pub(super) struct ModuleInstance<'t, 'a> {
    /// The index of the module in the tree, and what it declares.
    pub(super) place: usize,
    pub(super) declared: &'t TreeModule<'a>,
    /// The call; `None` for the root module.
    pub(super) call: Option<CallSite<'a>>,
    /// Empty for the root module, otherwise such as `module.a["x"].module.b`.
    pub(super) address: String,
    /// The value of `path`.
    pub(super) path: Value<'a>,
    /// The number of calls around it.
    pub(super) depth: usize,
}

/// The call that an instance of a module belongs to.
pub(super) struct CallSite<'a> {
    /// The instance of the calling module.
    pub(super) module: u32,
    /// The index of the call among the calls of that module.
    pub(super) place: u32,
    /// The key of this instance, and the argument `for_each` that has it.
    pub(super) key: Key<'a>,
    pub(super) for_each: Option<Expression<'a>>,
    /// The arguments, by the names of variables.
    pub(super) arguments: Rc<HashMap<&'a str, Expression<'a>>>,
}

/// The called modules of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    /// The number of the first instance. The others follow.
    Modules(u32),
    /// The module is not known, or calls itself.
    Unknown,
}
