//! The modules and stacks that components of Terraform's stacks call.

use std::collections::HashMap;
use std::path::PathBuf;

use simd_hcl::directory::Location;
use simd_hcl::stacks::{Kind, Object};
use simd_hcl::tree::{Tree, TreeModule};

use crate::modules::cleaned;

/// A component, or a stack in a stack, with a local source.
pub(crate) struct Call<'t, 'a> {
    /// The index of the stack in the tree.
    pub(crate) stack: usize,
    pub(crate) object: &'t Object<'a>,
    /// Its index among the objects of the stack.
    pub(crate) number: usize,
    /// The index in the tree of what it calls.
    pub(crate) target: usize,
}

/// The calls of all stacks of a tree that lead to directories of the tree.
pub(crate) fn calls<'t, 'a>(tree: &'t Tree<'a>) -> Vec<Call<'t, 'a>> {
    let stacks = || tree.modules().iter().enumerate().filter(|(_, it)| it.stack.is_some());
    if stacks().next().is_none() {
        return Vec::new();
    }
    let of = |module: &TreeModule<'_>| match module.files.directory() {
        Location::Disk(path) => Some(cleaned(&path)),
        Location::Memory(_) => None,
    };
    let places: HashMap<PathBuf, usize> =
        tree.modules().iter().enumerate().filter_map(|(at, it)| Some((of(it)?, at))).collect();
    let mut calls = Vec::new();
    for (stack, module) in stacks() {
        let (Some(directory), Some(declared)) = (of(module), &module.stack) else { continue };
        for (number, object) in declared.objects.iter().enumerate() {
            let is_call = matches!(object.kind, Kind::Component | Kind::Stack);
            let source = object.argument("source").filter(|_| is_call);
            let Some(source) = source.and_then(|it| it.expression().to_str()) else { continue };
            if !source.starts_with('.') {
                continue;
            }
            if let Some(&target) = places.get(&cleaned(&directory.join(source))) {
                calls.push(Call { stack, object, number, target });
            }
        }
    }
    calls
}
