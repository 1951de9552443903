//! The references of a program.

use crate::hash::HashMap;
use crate::program::node::{For, Kind, LentProgram};
use crate::program::traversal::LentTraversal;

/// Calls `visit` with every traversal of a program that starts with a variable of the scope, in
/// source order. Variables of a `for` are omitted. Cost: linear in the nodes.
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
    free_variables(program, &mut visit);
}

/// The same for a program with `for`. Not generic: few programs have one, and each caller would
/// compile a copy.
fn free_variables<'t, 'a>(
    program: &LentProgram<'t, 'a>,
    visit: &mut dyn FnMut(LentTraversal<'t, 'a>),
) {
    // The loops around a node: where each one ends.
    let mut open: Vec<(usize, &For<'a>)> = Vec::new();
    let mut locals: HashMap<&str, u32> = HashMap::default();
    let names = |head: &For<'a>| head.key_name.into_iter().chain([head.value_name]);
    for (at, node) in program.nodes.iter().enumerate() {
        while let Some((_, head)) = open.pop_if(|(end, _)| *end <= at) {
            for name in names(head) {
                locals.entry(name).and_modify(|count| *count -= 1);
            }
        }
        match node.kind {
            Kind::ForStart => {
                let head = &program.loops[node.payload as usize];
                let parts = head.key_size + head.value_size + head.condition_size;
                open.push((at + 1 + parts as usize, head));
                for name in names(head) {
                    *locals.entry(name).or_default() += 1;
                }
            }
            Kind::Traversal => {
                let steps = program.traversal(node.payload);
                let traversal = LentTraversal::new(program.source, steps);
                if locals.get(traversal.root_name()).is_none_or(|count| *count == 0) {
                    visit(traversal);
                }
            }
            _ => {}
        }
    }
}
