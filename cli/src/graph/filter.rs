//! The part of a graph that flags select.
//!
//! Modules are collapsed first, then the focus is found among the nodes and the objects that they
//! stand for, then types and modules are selected. An edge is kept if both of its ends are. Cost:
//! linear in the graph for each flag.

use std::collections::{BTreeSet, HashMap, HashSet};

use simd_hcl::glob;

use super::drawing::{Drawing, Edge, Node};
use crate::args::{Common, GraphPart};
use crate::printed::nearest;
use crate::status::Failure;
use crate::visible::visible;

/// Returns the selected part of a graph. A pattern that selects nothing is noted on standard error.
///
/// # Errors
/// A flag names an object, a type or a module that the graph does not have.
pub(super) fn apply(
    drawing: Drawing,
    part: &GraphPart,
    common: &Common,
) -> Result<Drawing, Failure> {
    let GraphPart { focus, depth, collapse, types, module } = part;
    if focus.is_empty() && collapse.is_empty() && types.is_empty() && module.is_empty() {
        return Ok(drawing);
    }
    let nodes = &drawing.nodes;
    let modules = || nodes.iter().map(|node| &*node.module);
    let is_in = |glob: &str, node: &Node| matches(glob, &node.module);
    let patterns = |globs: &[String]| -> Vec<String> {
        globs.iter().filter(|glob| glob::is_glob(glob)).cloned().collect()
    };
    note_unused("module", &patterns(collapse), nodes, is_in, common);
    note_unused("module", &patterns(module), nodes, is_in, common);
    check("module", &names_of(collapse), nodes, is_in, modules)?;
    check("module", &names_of(module), nodes, is_in, modules)?;
    let kinds = || nodes.iter().flat_map(|node| node.block_type().into_iter().chain([node.kind]));
    let unused = types.iter().filter(|glob| !nodes.iter().any(|node| is_of_type(glob, node)));
    for glob in unused {
        common.note(&lacks("object of the type", glob, kinds()));
    }
    let names = || nodes.iter().flat_map(|node| [&*node.id, &*node.address, &*node.module]);
    check("object", focus, nodes, is_named, names)?;

    // The node that stands for each object, and the first object of each node.
    let mut places: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut shown: Vec<usize> = Vec::new();
    let mut collapsed: HashMap<&str, usize> = HashMap::new();
    for (number, node) in nodes.iter().enumerate() {
        let mut add = || {
            shown.push(number);
            shown.len() - 1
        };
        let is_collapsed = collapse.iter().any(|glob| matches(glob, &node.module));
        places.push(match is_collapsed {
            true => *collapsed.entry(&node.module).or_insert_with(add),
            false => add(),
        });
    }
    let by_id: HashMap<&str, usize> =
        nodes.iter().zip(&places).map(|(node, place)| (&*node.id, *place)).collect();
    let ends = |edge: &Edge| Some((*by_id.get(&*edge.from)?, *by_id.get(&*edge.to)?));
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    let edges: Vec<(usize, usize)> = drawing
        .edges
        .iter()
        .filter_map(ends)
        .filter(|&(from, to)| from != to || collapse.is_empty())
        .filter(|&edge| seen.insert(edge))
        .collect();

    let mut is_start = vec![false; shown.len()];
    let mut is_wanted = vec![types.is_empty() && module.is_empty(); shown.len()];
    for (node, &place) in nodes.iter().zip(&places) {
        is_start[place] |= focus.iter().any(|name| is_named(name, node));
        is_wanted[place] |= (types.is_empty() || types.iter().any(|glob| is_of_type(glob, node)))
            && (module.is_empty() || module.iter().any(|glob| matches(glob, &node.module)));
    }
    let is_near = match focus.is_empty() {
        true => vec![true; shown.len()],
        false => near(&is_start, &edges, *depth),
    };
    let is_kept: Vec<bool> = (0..shown.len())
        .map(|place| is_start[place] || (is_near[place] && is_wanted[place]))
        .collect();

    let ids: Vec<String> = shown
        .iter()
        .map(|&number| match collapsed.contains_key(&*nodes[number].module) {
            true => nodes[number].module.clone(),
            false => nodes[number].id.clone(),
        })
        .collect();
    let kept = edges.into_iter().filter(|&(from, to)| is_kept[from] && is_kept[to]);
    let edges = kept.map(|(from, to)| Edge { from: ids[from].clone(), to: ids[to].clone() });
    let edges: Vec<Edge> = edges.collect();
    let is_module: Vec<bool> =
        shown.iter().map(|&number| collapsed.contains_key(&*nodes[number].module)).collect();
    let mut place = 0;
    let mut numbers = shown.iter().copied().peekable();
    let mut part = Vec::new();
    for (number, node) in drawing.nodes.into_iter().enumerate() {
        if numbers.next_if_eq(&number).is_none() {
            continue;
        }
        if is_kept[place] {
            part.push(match is_module[place] {
                true => Node {
                    id: node.module.clone(),
                    kind: "module",
                    address: node.module.clone(),
                    module: node.module,
                    version: None,
                },
                false => node,
            });
        }
        place += 1;
    }
    Ok(Drawing { nodes: part, edges, ..drawing })
}

/// Returns the nodes that are at most `depth` edges before or after the starts.
fn near(is_start: &[bool], edges: &[(usize, usize)], depth: u32) -> Vec<bool> {
    let mut is_near = is_start.to_vec();
    for is_reversed in [false, true] {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); is_start.len()];
        for &(from, to) in edges {
            let (from, to) = if is_reversed { (to, from) } else { (from, to) };
            next[from].push(to);
        }
        let mut is_seen = is_start.to_vec();
        let mut work: Vec<usize> = (0..is_start.len()).filter(|&place| is_start[place]).collect();
        for _ in 0..depth {
            let mut found = Vec::new();
            for place in work {
                for &to in &next[place] {
                    if !std::mem::replace(&mut is_seen[to], true) {
                        is_near[to] = true;
                        found.push(to);
                    }
                }
            }
            if found.is_empty() {
                break;
            }
            work = found;
        }
    }
    is_near
}

/// Notes patterns that select nothing.
fn note_unused(
    what: &str,
    globs: &[String],
    nodes: &[Node],
    is_it: impl Fn(&str, &Node) -> bool,
    common: &Common,
) {
    for glob in globs {
        if !nodes.iter().any(|node| is_it(glob, node)) {
            common.note(&format!("the graph has no {what} `{glob}`"));
        }
    }
}

/// Returns the globs that are names.
fn names_of(globs: &[String]) -> Vec<String> {
    globs.iter().filter(|glob| !glob::is_glob(glob)).cloned().collect()
}

/// Fails if one of the names given to a flag is not in the graph, with similar names that are.
fn check<'n, N: Iterator<Item = &'n str>>(
    what: &str,
    wanted: &[String],
    nodes: &'n [Node],
    is_it: impl Fn(&str, &Node) -> bool,
    names: impl Fn() -> N,
) -> Result<(), Failure> {
    for wanted in wanted {
        if nodes.iter().any(|node| is_it(wanted, node)) {
            continue;
        }
        return Err(Failure::Message(visible(&lacks(what, wanted, names())).into_owned()));
    }
    Ok(())
}

/// Says that the graph has no such thing, with similar names that it has.
fn lacks<'n>(what: &str, wanted: &str, names: impl Iterator<Item = &'n str>) -> String {
    let all: BTreeSet<String> = names.map(str::to_owned).collect();
    let near = nearest(wanted, &all);
    let message = format!("the graph has no {what} `{wanted}`");
    if near.is_empty() { message } else { format!("{message}; it has {}", near.join(", ")) }
}

/// Whether a glob is the path of a module, with or without `./` and a last `/`.
fn matches(glob: &str, path: &str) -> bool {
    glob::matches(plain(glob), plain(path))
}

fn plain(path: &str) -> &str {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path)
}

/// Whether a glob is the type of the block, or of the resource.
fn is_of_type(glob: &str, node: &Node) -> bool {
    let is_it = |name: &str| glob::matches(glob, name);
    is_it(node.kind) || node.block_type().is_some_and(is_it)
}

/// Whether a name is that of an object in some module or in this one, or of its module.
fn is_named(name: &str, node: &Node) -> bool {
    let rest = name.strip_suffix(&*node.address);
    let path = rest.and_then(|rest| rest.strip_suffix(':'));
    node.address == name
        || path.is_some_and(|path| plain(path) == plain(&node.module))
        || plain(name) == plain(&node.module)
}
