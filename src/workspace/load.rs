//! Reads modules, checks them, and computes their facts.

use std::sync::Arc;

use super::context::Context;
use super::facts::{self, ModuleFacts};
use crate::directory::ModuleFiles;
use crate::owned::OwnedTree;
use crate::rules;

/// Reads a whole tree, or a part of it; of a part, the facts of the given modules only.
pub(super) fn load(
    context: &Context,
    modules: Vec<ModuleFiles>,
    is_part: bool,
) -> (OwnedTree, Vec<Arc<ModuleFacts>>) {
    let mut made = Vec::new();
    let options = &context.options;
    let given = (is_part.then_some(&context.around), options.schemas.as_ref());
    let tree = OwnedTree::load_around(modules, &context.tree_options(), given, |tree, schemas| {
        tree.check_bodies(schemas);
        tree.check_files();
        tree.check_roots(|_| None);
        // A part of a tree lacks the callers of its modules.
        let found = match options.selection.reads_callers() {
            true => rules::check(tree, &options.selection),
            false => rules::check_apart(tree, &options.selection),
        };
        let given = (options.judge.as_deref(), &*context.buffers);
        made = facts::of_tree(tree, found, given, context.units.generated(), is_part);
    });
    (tree, made)
}
