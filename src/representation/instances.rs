//! Instances of modules: one for each call.

use std::collections::hash_map::Entry;
use std::fmt;

use crate::hash::HashMap;
use crate::module::ModuleCall;
use crate::tree::{Link, Tree, TreeModule};

/// The maximal depth of module calls.
pub const MAX_DEPTH: usize = 200;

/// The maximal number of instances. A module that is called at two places has two instances.
pub const MAX_MODULES: usize = 1_000_000;

/// The maximal number of bytes of files that are repeated, because their modules have more than one
/// instance, and of addresses of instances, which are written beside each of their objects: 64 MiB.
/// Each call of a module may double both.
pub const MAX_REPEATED: u64 = 64 << 20;

/// The modules call one another too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooManyModules {
    /// There are more than [`MAX_MODULES`] instances.
    Instances,
    /// More than [`MAX_REPEATED`] bytes are repeated.
    Repeated,
}

impl fmt::Display for TooManyModules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the modules call one another so often that ")?;
        match self {
            Self::Instances => write!(f, "there are more than {MAX_MODULES}"),
            Self::Repeated => write!(f, "more than {MAX_REPEATED} bytes of them are repeated"),
        }
    }
}

impl std::error::Error for TooManyModules {}

/// An instance of a module.
pub(super) struct Instance<'t, 'a> {
    /// Its index in [`Tree::modules`].
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
    let mut weights: HashMap<usize, Weight> = HashMap::default();
    weights.insert(root, Weight::of(&tree.modules()[root]));
    let mut left = MAX_REPEATED;
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
                return Err(TooManyModules::Instances);
            }
            let (weight, is_repeated) = match weights.entry(called) {
                Entry::Occupied(known) => (*known.get(), true),
                Entry::Vacant(new) => (*new.insert(Weight::of(&tree.modules()[called])), false),
            };
            let bytes = weight.bytes(&new.address, is_repeated);
            left = left.checked_sub(bytes).ok_or(TooManyModules::Repeated)?;
            let index = instances.len();
            instances[at].children[place] = Some(index);
            instances.push(new);
        }
        at += 1;
    }
    Ok(instances)
}

/// The size that an instance of a module adds to the output, about.
#[derive(Clone, Copy)]
struct Weight {
    /// The length of its files.
    bytes: u64,
    /// The number of objects that are written with the address of the instance.
    objects: u64,
}

impl Weight {
    fn of(module: &TreeModule<'_>) -> Self {
        let bytes = module.sources.iter().map(|source| source.bytes().len() as u64).sum();
        let own = &module.module;
        let objects = own.resources.len() + own.actions.len() + own.checks.len();
        let providers = own.providers.len() + own.required_providers().count();
        // The instance itself, and its providers without a configuration.
        Self { bytes, objects: (2 * objects + providers + 1) as u64 }
    }

    fn bytes(self, address: &str, is_repeated: bool) -> u64 {
        let of_files = if is_repeated { self.bytes } else { 0 };
        of_files.saturating_add(self.objects.saturating_mul(address.len() as u64))
    }
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
