//! The `moved` and `import` blocks that cause changes of a plan.

use std::cmp::Reverse;

use super::endpoint;
use super::module::TreeModule;
use crate::diagnostic::Label;
use crate::hash::{HashMap, HashSet};
use crate::show::{Address, Call, Key};

/// The limit for the addresses that a search for a chain of `moved` blocks visits. The tools reject
/// chains that fork, so there are hardly more addresses than blocks.
const MAX_ADDRESSES: usize = 1000;

/// The `moved` and `import` blocks of modules, by their subject: the place of the module, and an
/// address in it without keys.
#[derive(Debug, Default)]
pub(super) struct Moves<'a> {
    moved: HashMap<(usize, String), Vec<Move<'a>>>,
    /// The resources that are moved to.
    targets: HashSet<(usize, String)>,
    imports: HashMap<(usize, String), Vec<Import<'a>>>,
}

#[derive(Debug)]
struct Move<'a> {
    from: Address<'a>,
    to: Address<'a>,
    label: Label<'a>,
}

#[derive(Debug)]
struct Import<'a> {
    /// `None` if the block computes keys.
    to: Option<Address<'a>>,
    label: Label<'a>,
}

impl<'a> Moves<'a> {
    /// Cost: linear in the blocks.
    pub(super) fn of(modules: &[TreeModule<'a>]) -> Self {
        let mut all = Self::default();
        for (place, module) in modules.iter().enumerate() {
            for block in &module.module.moved {
                let ends =
                    (block.from.and_then(endpoint::address), block.to.and_then(endpoint::address));
                let (Some(from), Some(to)) = ends else { continue };
                let label = block.block.definition_label();
                if to.resource.is_some() {
                    all.targets.insert((place, to.to_configuration().to_string()));
                }
                let name = (place, from.to_configuration().to_string());
                all.moved.entry(name).or_default().push(Move { from, to, label });
            }
            for block in &module.module.imports {
                let Some((to, has_all_keys)) = block.target() else { continue };
                let Some(to) = endpoint::address(to) else { continue };
                let label = block.block.definition_label();
                let name = (place, to.to_configuration().to_string());
                let import = Import { to: has_all_keys.then_some(to), label };
                all.imports.entry(name).or_default().push(import);
            }
        }
        all
    }

    /// The blocks that move an object from one address to another, in order; `None` if there are
    /// none. `way` has the places of the modules on the path of an address.
    ///
    /// Finds a shortest chain within at most [`MAX_ADDRESSES`] addresses. Cost: linear in these
    /// addresses, each looked up by its levels.
    pub(super) fn path<'m>(
        &'m self,
        from: &Address<'m>,
        to: &Address<'_>,
        way: impl Fn(&Address<'_>) -> Vec<usize>,
    ) -> Vec<Label<'a>> {
        let target = to.to_string();
        let mut known: HashSet<String> = HashSet::default();
        known.insert(from.to_string());
        // Each address with its predecessor, by its place, and the block.
        let mut reached: Vec<(Address<'m>, Option<(usize, Label<'a>)>)> =
            vec![(from.clone(), None)];
        let mut at = 0;
        while let Some((address, _)) = reached.get(at) {
            let places = way(address);
            let next: Vec<_> = self.applied(address, &places).collect();
            for (address, block) in next {
                let text = address.to_string();
                let is_target = text == target;
                if !known.insert(text) {
                    continue;
                }
                reached.push((address, Some((at, block.label))));
                if is_target {
                    return labels(&reached);
                }
                if reached.len() == MAX_ADDRESSES {
                    return Vec::new();
                }
            }
            at += 1;
        }
        Vec::new()
    }

    /// The address that an object of a state gets; `None` if no block moves it. A block does not move
    /// an object to an address that `is_taken`: that of a module or an instance, or with `true` that of
    /// a resource as a whole, depending on the block. The error is a chain of blocks that does not end within
    /// [`MAX_ADDRESSES`].
    pub(super) fn follow<'m>(
        &'m self,
        from: &Address<'m>,
        is_taken: &dyn Fn(&Address<'_>, bool) -> bool,
        way: impl Fn(&Address<'_>) -> Vec<usize>,
    ) -> Result<Option<Address<'m>>, ()> {
        let mut moved = None;
        for _ in 0..MAX_ADDRESSES {
            let address = moved.as_ref().unwrap_or(from);
            let places = way(address);
            let next = self.applied(address, &places).find(|(to, block)| {
                let mut whole = to.clone();
                whole.resource = whole.resource.filter(|_| block.to.resource.is_some());
                let is_whole = block.moves_all() && whole.resource.is_some();
                if let Some(resource) = whole.resource.as_mut().filter(|_| is_whole) {
                    resource.key = None;
                }
                to == from || !is_taken(&whole, is_whole)
            });
            match next {
                Some((next, _)) if next == *from => break,
                Some((next, _)) => moved = Some(next),
                None => return Ok(moved),
            }
        }
        Err(())
    }

    /// Whether a block moves a resource or some of its instances, or moves others to them.
    pub(super) fn moves_resource(&self, address: &Address<'_>, way: &[usize]) -> bool {
        let whole = address.to_configuration();
        way.iter().enumerate().any(|(level, place)| {
            let modules = whole.modules.get(level..).unwrap_or_default().to_vec();
            let relative = Address { modules, resource: whole.resource.clone() };
            let name = (*place, relative.to_string());
            self.moved.contains_key(&name) || self.targets.contains(&name)
        })
    }

    /// The new address after one block. As in the tools, a block about an instance comes before one about
    /// all of them, and one about what is inside of a module before one about the module.
    fn applied<'m>(
        &'m self,
        address: &Address<'m>,
        way: &[usize],
    ) -> impl Iterator<Item = (Address<'m>, &'m Move<'a>)> + use<'a, 'm> {
        let mut all = Vec::new();
        for (level, place) in way.iter().enumerate() {
            for block in about(&self.moved, *place, address, level) {
                if let Some(to) = block.apply(address, level) {
                    let from = &block.from;
                    let depth = level + from.modules.len() + usize::from(from.resource.is_some());
                    all.push(((depth, key_of(from).is_some()), to, block));
                }
            }
        }
        all.sort_by_key(|(rank, ..)| Reverse(*rank));
        all.into_iter().map(|(_, to, block)| (to, block))
    }

    /// The blocks that import to an address. There can be several only if keys are computed.
    pub(super) fn imports(&self, to: &Address<'_>, way: &[usize]) -> Vec<Label<'a>> {
        let mut written = Vec::new();
        let mut computed = Vec::new();
        for (level, place) in way.iter().enumerate() {
            let modules = to.modules.get(level..).unwrap_or_default().to_vec();
            let relative = Address { modules, resource: to.resource.clone() };
            let name = (*place, relative.to_configuration().to_string());
            for block in self.imports.get(&name).into_iter().flatten() {
                match &block.to {
                    Some(to) if *to == relative => written.push(block.label),
                    Some(_) => {}
                    None => computed.push(block.label),
                }
            }
        }
        if written.is_empty() { computed } else { written }
    }
}

/// The blocks on the path to the last address.
fn labels<'a>(reached: &[(Address<'_>, Option<(usize, Label<'a>)>)]) -> Vec<Label<'a>> {
    let mut labels = Vec::new();
    let mut last = reached.last();
    while let Some((_, Some((from, label)))) = last {
        labels.push(*label);
        last = reached.get(*from);
    }
    labels.reverse();
    labels
}

/// The blocks of a module whose address, without keys, is that of an object or of one of the
/// modules around it.
fn about<'m, T>(
    blocks: &'m HashMap<(usize, String), Vec<T>>,
    place: usize,
    address: &Address<'_>,
    level: usize,
) -> impl Iterator<Item = &'m T> + use<'m, T> {
    let whole = address.to_configuration();
    let modules = whole.modules.get(level..).unwrap_or_default();
    let resource = Address { modules: modules.to_vec(), resource: whole.resource };
    let ends =
        (1..=modules.len()).map(|len| Address { modules: modules[..len].to_vec(), resource: None });
    let names = std::iter::once(resource).chain(ends).map(|name| name.to_string());
    let found: Vec<&'m Vec<T>> = names.filter_map(|name| blocks.get(&(place, name))).collect();
    found.into_iter().flatten()
}

/// The key of the object itself.
fn key_of<'a>(end: &Address<'a>) -> Option<Key<'a>> {
    match &end.resource {
        Some(resource) => resource.key.clone(),
        None => end.modules.last().and_then(|call| call.key.clone()),
    }
}

impl<'a> Move<'a> {
    /// Whether it moves all instances, each with its key.
    fn moves_all(&self) -> bool {
        key_of(&self.from).is_none() && key_of(&self.to).is_none()
    }

    /// The new address of an absolute address, whose module at this level has the block; `None` if
    /// the block is about another instance.
    ///
    /// If neither end of a block has a key, it moves all instances, each with its key. Keys of the
    /// modules before are those of the moved instance.
    fn apply<'m>(&'m self, address: &Address<'m>, level: usize) -> Option<Address<'m>> {
        let (to_key, moves_all) = (key_of(&self.to), self.moves_all());
        let (outside, inside) = address.modules.split_at_checked(level)?;
        let (calls, below) = inside.split_at_checked(self.from.modules.len())?;
        let mut written = self.from.modules.iter().zip(calls).peekable();
        while let Some((written_call, call)) = written.next() {
            let is_end = written.peek().is_none() && self.from.resource.is_none();
            let is_same_key = written_call.key == call.key || (is_end && moves_all);
            if written_call.name != call.name || !is_same_key {
                return None;
            }
        }
        let mut moved = Address { modules: outside.to_vec(), resource: None };
        moved.modules.extend(self.to.modules.iter().cloned());
        match (&self.from.resource, &self.to.resource) {
            (Some(from), Some(to)) => {
                let resource = address.resource.as_ref().filter(|_| below.is_empty())?;
                if !moves_all && resource.key != from.key {
                    return None;
                }
                let key: Option<Key<'m>> = if moves_all { resource.key.clone() } else { to_key };
                moved.resource = Some(crate::show::ResourceStep { key, ..to.clone() });
            }
            (None, None) => {
                if moves_all {
                    let key = calls.last().and_then(|call| call.key.clone());
                    let call: &mut Call<'m> = moved.modules.last_mut()?;
                    call.key = key;
                }
                moved.modules.extend(below.iter().cloned());
                moved.resource = address.resource.clone();
            }
            _ => return None,
        }
        Some(moved)
    }
}
