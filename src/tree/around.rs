//! The facts that a part of a tree needs about the modules around it.
//!
//! A tree can be loaded in parts: some modules, and what they call. Facts that depend on callers
//! (whether a module is called, where modules are installed, which links may be followed) come from
//! here, so that a part has the same findings for its modules as the whole tree. Only cycles of
//! calls need all modules.

use std::sync::Arc;

use crate::directory::{Location, ModuleFiles, Roots};
use crate::hash::{HashMap, HashSet};

/// The modules around a part of a tree. Keys are absolute paths without `.` and `..`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    /// The files of the given modules of the whole tree.
    pub(crate) known: Arc<HashMap<Location, Arc<ModuleFiles>>>,
    /// The modules that another one calls.
    pub(crate) called: Arc<HashSet<Location>>,
    /// The modules that an uncalled one calls by a path that starts with `./`.
    pub(crate) below_roots: Arc<HashSet<Location>>,
    /// The directories of given modules that have a list of installed modules, in order.
    pub(crate) manifests: Arc<[Location]>,
    /// Where links may lead.
    pub(crate) roots: Arc<Roots>,
}
