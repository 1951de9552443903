//! The references of a program.

use crate::program::node::{Kind, LentProgram};
use crate::program::traversal::LentTraversal;

/// Calls `visit` with every traversal of a program that starts from a variable of the scope, in the order of the text;
/// names that a `for` brings in are none. Cost: linear in the nodes, times the depth of loops.
pub(crate) fn variables<'t, 'a>(
    program: &LentProgram<'t, 'a>,
    mut visit: impl FnMut(LentTraversal<'t, 'a>),
) {
    if program.loops.is_empty() {
        let traversals = program.nodes.iter().filter(|node| node.kind == Kind::Traversal);
        for node in traversals {
            visit(LentTraversal::new(program.source, program.traversal(node.payload)));
        }
        return;
    }
    // Loops around a node: the names they bring in, and the node that they end before.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (at, node) in program.nodes.iter().enumerate() {
        while open.last().is_some_and(|(end, _)| *end <= at) {
            open.pop();
        }
        match node.kind {
            Kind::ForStart => {
                if let Some(head) = program.loops.get(node.payload as usize) {
                    let parts = head.key_size + head.value_size + head.condition_size;
                    open.push((at + 1 + parts as usize, node.payload));
                }
            }
            Kind::Traversal => {
                let steps = program.traversal(node.payload);
                let traversal = LentTraversal::new(program.source, steps);
                let name = traversal.root_name();
                let is_local = open.iter().any(|(_, place)| {
                    program
                        .loops
                        .get(*place as usize)
                        .is_some_and(|head| head.value_name == name || head.key_name == Some(name))
                });
                if !is_local {
                    visit(traversal);
                }
            }
            _ => {}
        }
    }
}
