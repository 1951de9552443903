//! Instances of resources as nodes, and edges between those of blocks that depend on one another.

use std::collections::HashMap;

use simd_hcl::show::Address;

use super::{Picture, PictureNode};
use crate::visible::visible;

/// More edges are not drawn. Each argument of a block with many instances may depend on each
/// instance of another.
pub(crate) const MAX_EDGES: usize = 100_000;

/// The nodes of instances, by the address of their block without keys.
#[derive(Default)]
pub(crate) struct Instances {
    blocks: HashMap<String, Vec<usize>>,
}

impl Instances {
    /// Adds the node of an instance, and returns its index. `shown` is the address as it may be printed.
    pub(crate) fn add(
        &mut self,
        picture: &mut Picture,
        (address, shown): (&str, &str),
        kind: &'static str,
    ) -> usize {
        let (label, group) = match Address::parse(shown) {
            Ok(Address { modules, resource: Some(resource) }) => {
                let step = |call| Address { modules: vec![call], resource: None }.to_string();
                (resource.to_string(), modules.into_iter().map(step).collect())
            }
            _ => (shown.to_owned(), Vec::new()),
        };
        let group = group.iter().map(|step: &String| visible(step).into_owned()).collect();
        let node = picture.add(visible(&label).into_owned(), kind, group);
        if let Some(block) = block_of(address) {
            self.blocks.entry(block).or_default().push(node);
        }
        node
    }

    /// Whether a block has a node.
    pub(crate) fn has(&self, block: &str) -> bool {
        self.blocks.contains_key(block)
    }

    /// The blocks with nodes, sorted by address.
    pub(crate) fn blocks(&self) -> Vec<&str> {
        let mut blocks: Vec<&str> = self.blocks.keys().map(String::as_str).collect();
        blocks.sort_unstable();
        blocks
    }

    /// Adds edges from the instances of a block to those of another. Instances of a module, up to the
    /// depth `scope`, need objects of the same instance, and instances with a key those with the same one.
    /// Returns whether all edges were added.
    pub(crate) fn link(
        &self,
        picture: &mut Picture,
        (from, to): (&str, &str),
        scope: usize,
    ) -> bool {
        let (Some(from), Some(to)) = (self.blocks.get(from), self.blocks.get(to)) else {
            return true;
        };
        let Picture { nodes, edges, modules, .. } = picture;
        // The nodes by the instances of the modules that both are in, and those with the same key.
        let mut same: HashMap<&[String], Vec<usize>> = HashMap::new();
        let mut keyed: HashMap<(&str, usize), Vec<usize>> = HashMap::new();
        for &node in to {
            let group = &modules[nodes[node].2];
            same.entry(&group[..scope.min(group.len())]).or_default().push(node);
            if let Some(key) = key_of(&nodes[node]) {
                keyed.entry(key).or_default().push(node);
            }
        }
        for &from in from {
            let group = &modules[nodes[from].2];
            let same = same.get(&group[..scope.min(group.len())]);
            let twins = key_of(&nodes[from]).and_then(|key| keyed.get(&key));
            for &to in twins.or(same).into_iter().flatten() {
                if edges.len() / 2 >= MAX_EDGES {
                    return false;
                }
                edges.extend([from, to]);
            }
        }
        true
    }
}

/// The module of an address as it is shown; empty for the root module.
pub(crate) fn module_in(address: &str) -> String {
    match Address::parse(address) {
        Ok(Address { modules, .. }) if !modules.is_empty() => {
            visible(&Address { modules, resource: None }.to_string()).into_owned()
        }
        _ => String::new(),
    }
}

/// Returns the address of the block of an instance: without keys. `None` if it is no address.
pub(crate) fn block_of(address: &str) -> Option<String> {
    let mut address = Address::parse(address).ok()?;
    address.modules.iter_mut().for_each(|call| call.key = None);
    if let Some(resource) = &mut address.resource {
        resource.key = None;
    }
    Some(address.to_string())
}

/// Returns the number of module calls, from the root, that the addresses of two blocks have in common.
pub(crate) fn common_depth(one: &str, other: &str) -> usize {
    match (Address::parse(one), Address::parse(other)) {
        (Ok(one), Ok(other)) => {
            let calls = one.modules.iter().zip(&other.modules);
            calls.take_while(|(one, other)| one.name == other.name).count()
        }
        _ => 0,
    }
}

/// Returns the key and the group that instances of one object share. `None` if the node has no key.
fn key_of(PictureNode(label, _, group): &PictureNode) -> Option<(&str, usize)> {
    let at = label.find('[')?;
    Some((&label[at..], *group))
}
