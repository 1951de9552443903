//! The addresses of the nodes of a graph.

use std::fmt;

use simd_hcl::tree::{GraphNode, Tree};

use crate::modules::path_of;

/// Returns the address of an object, after the path of its module if the tree has several modules.
pub(crate) fn id(tree: &Tree<'_>, node: &GraphNode<'_>) -> String {
    id_in(tree, &path_of(&tree.modules()[node.module]), &node.object)
}

/// Does the same for an object of a module or template.
pub(crate) fn id_in(tree: &Tree<'_>, path: &str, object: &dyn fmt::Display) -> String {
    match tree.modules().len() + tree.templates().len() {
        1 => object.to_string(),
        _ => format!("{path}:{object}"),
    }
}
