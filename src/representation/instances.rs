//! Instances of modules: one for each call.

use std::fmt;

use crate::module::ModuleCall;
use crate::tree::{Link, Tree};

/// The maximal depth of module calls.
pub const MAX_DEPTH: usize = 200;

/// The maximal number of instances. A module that is called at two places has two instances.
pub const MAX_MODULES: usize = 1_000_000;

/// The modules call one another so often that there are more than [`MAX_MODULES`] instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyModules;

impl fmt::Display for TooManyModules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the modules call one another so often that there are more than {MAX_MODULES}")
    }
}

impl std::error::Error for TooManyModules {}

/// An instance of a module.
pub(super) struct Instance<'t, 'a> {
    /// Its place in [`Tree::modules`].
    pub(super) module: usize,
    /// Its address, `module.a.module.b`; empty for the root.
    pub(super) address: String,
    /// The calling instance, and the call.
    pub(super) caller: Option<(usize, &'t ModuleCall<'a>)>,
    /// The instance of each call of the module, if the call leads into the tree.
    pub(super) children: Vec<Option<usize>>,
    depth: usize,
}

impl Instance<'_, '_> {
    /// The key of a provider configuration with this local name.
    pub(super) fn key(&self, name: &str) -> String {
        match self.address.as_str() {
            "" => name.to_owned(),
            address => format!("{address}:{name}"),
        }
    }
}

/// All instances: the root first, then the instances of its calls, and so on.
pub(super) fn expand<'t, 'a>(
    tree: &'t Tree<'a>,
    root: usize,
) -> Result<Vec<Instance<'t, 'a>>, TooManyModules> {
    let instance = |module: usize, address, caller, depth| {
        let links = tree.modules()[module].links.len();
        Instance { module, address, caller, children: vec![None; links], depth }
    };
    let mut instances = vec![instance(root, String::new(), None, 0)];
    let mut at = 0;
    while at < instances.len() {
        let module = &tree.modules()[instances[at].module];
        for (place, (call, link)) in module.module.calls.iter().zip(&module.links).enumerate() {
            let Link::Module(called) = *link else { continue };
            let caller = &instances[at];
            if caller.depth == MAX_DEPTH || is_around(&instances, at, called) {
                continue;
            }
            let dot = if caller.address.is_empty() { "" } else { "." };
            let address = format!("{}{dot}module.{}", caller.address, call.name);
            let new = instance(called, address, Some((at, call)), caller.depth + 1);
            if instances.len() == MAX_MODULES {
                return Err(TooManyModules);
            }
            let index = instances.len();
            instances[at].children[place] = Some(index);
            instances.push(new);
        }
        at += 1;
    }
    Ok(instances)
}

/// Whether `module` is the module of an instance, or of one of its callers.
fn is_around(instances: &[Instance<'_, '_>], at: usize, module: usize) -> bool {
    let mut next = Some(at);
    while let Some(at) = next {
        if instances[at].module == module {
            return true;
        }
        next = instances[at].caller.map(|(caller, _)| caller);
    }
    false
}
