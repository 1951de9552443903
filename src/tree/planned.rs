//! Finds the declarations of the objects of a plan.
//!
//! The address of a change leads through the module calls from the root module to the block that
//! declares the resource. A resource that is no longer declared may have a `removed` block. If a
//! module on the path could not be read, the result is unknown, with the reason.

use super::endpoint;
use super::module::{Link, TreeModule};
use super::moves::Moves;
use crate::diagnostic::Label;
use crate::hash::{HashMap, HashSet};
use crate::reference::{Mode, ResourceName};
use crate::show::{Address, Key, ResourceMode, ResourceStep};

/// The declarations of the changed objects of a plan, seen from the root module.
#[derive(Debug)]
pub struct PlanSources<'t, 'a> {
    modules: &'t [TreeModule<'a>],
    root: usize,
    /// `removed` blocks by the module and the address in it, without keys.
    removed: HashMap<(usize, String), Removed<'a>>,
    moves: Moves<'a>,
}

/// A `removed` block.
#[derive(Clone, Copy, Debug)]
struct Removed<'a> {
    label: Label<'a>,
    /// Whether the objects still exist afterwards.
    keeps: bool,
}

/// Where the resource of a change is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanSource<'a> {
    /// In this block.
    Declared(Label<'a>),
    /// No longer declared; this `removed` block is the reason.
    Removed(Label<'a>),
    /// Not declared: all files of the modules on the path were read.
    Nowhere,
    /// Unknown, since something on the path could not be read: the place of the module where the
    /// path ends, and the reason.
    Unknown(usize, SourceGap),
}

/// The blocks that cause a part of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanCause<'a> {
    /// These blocks; empty if no block causes it.
    Blocks(Vec<Label<'a>>),
    /// Unknown, since a file that may have the block could not be read: the place of the module,
    /// and the reason.
    Unknown(usize, SourceGap),
}

/// Why the declaration of a resource is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceGap {
    /// A file of the module could not be read, or has a syntax error.
    Undecoded,
    /// The called module is not installed.
    NotInstalled,
    /// The directory of the called module does not exist.
    Missing,
    /// The called module could not be read.
    Unreadable,
    /// The address leads through more than 200 modules.
    TooDeep,
}

/// Follows the address of a resource as a whole, which may be that of an instance, too.
const WHOLE: &str = "[";

/// The maximal number of modules that an address may lead through.
const MAX_MODULES: usize = 200;

impl<'t, 'a> PlanSources<'t, 'a> {
    /// The declarations below a root module, which is given by its index among the modules of a
    /// tree.
    ///
    /// Cost: linear in the `moved`, `import` and `removed` blocks.
    pub(super) fn new(modules: &'t [TreeModule<'a>], root: usize) -> Self {
        let mut removed = HashMap::default();
        for (place, module) in modules.iter().enumerate() {
            for block in &module.module.removed {
                if let Some(from) = block.from.and_then(endpoint::address) {
                    let label = block.block.definition_label();
                    let keeps = block.destroy == Some(false);
                    let entry = removed.entry((place, from.to_string()));
                    entry.or_insert(Removed { label, keeps });
                }
            }
        }
        Self { modules, root, removed, moves: Moves::of(modules) }
    }

    /// The declaration of a resource, by the absolute address of an instance.
    ///
    /// Cost: linear in the address; quadratic if a `removed` block is looked up. An address has at
    /// most 200 modules.
    #[must_use]
    pub fn find(&self, address: &Address<'_>) -> PlanSource<'a> {
        let way = self.way(address);
        if let Some((place, gap)) = way.gap {
            return PlanSource::Unknown(place, gap);
        }
        let declared = |(_, module)| declared(module, address);
        match self.last(&way.places).filter(|_| way.is_whole).and_then(declared) {
            Some(label) => PlanSource::Declared(label),
            None => self.absent(address, &way.places),
        }
    }

    /// Whether a `removed` block takes an object out of the state, and keeps it.
    ///
    /// Cost: that of [`PlanSources::find`].
    pub(crate) fn forgets(&self, address: &Address<'_>) -> bool {
        let PlanSource::Removed(_) = self.find(address) else { return false };
        self.removed_by(address, &self.way(address).places).is_some_and(|block| block.keeps)
    }

    /// The `moved` blocks that moved an object from one address to another, in order. Empty if no
    /// block did: the tools move an object themselves when `count` is added or removed.
    ///
    /// Cost: follows each `moved` block at most once, and looks it up by each module of the
    /// address.
    #[must_use]
    pub fn moves(&self, from: &Address<'_>, to: &Address<'_>) -> PlanCause<'a> {
        if from.modules.len() > MAX_MODULES || to.modules.len() > MAX_MODULES {
            return PlanCause::Unknown(self.root, SourceGap::TooDeep);
        }
        let labels = self.moves.path(from, to, |address| self.way(address).places);
        self.cause(labels, [from, to])
    }

    /// The address that an instance of a state gets by `moved` blocks, or because `count` was added or
    /// removed; `None` if it keeps its own. An address that `is_taken`, of a module or an instance, or
    /// with `true` of a resource as a whole, is kept by the object that has it. The error is that the address is not known.
    ///
    /// Cost: linear in the blocks on the way, of which at most 1,000 are followed.
    pub(crate) fn moved<'m>(
        &'m self,
        from: &Address<'m>,
        is_taken: &dyn Fn(&Address<'_>, bool) -> bool,
    ) -> Result<Option<Address<'m>>, ()> {
        // An instance gets or loses its key before its module moves.
        let counted = self.counted(from, is_taken);
        let start = counted.as_ref().unwrap_or(from);
        let moved = self.moves.follow(start, is_taken, |address| self.way(address).places)?;
        let Some(moved) = moved else { return Ok(counted) };
        let kind = |address: &Address<'m>| Some(address.resource.as_ref()?.resource_type);
        if kind(&moved) == kind(from) { Ok(Some(moved)) } else { Err(()) }
    }

    /// The address that an instance gets because `count` was added to its resource or removed. No block
    /// moves the resource.
    fn counted<'m>(
        &self,
        from: &Address<'m>,
        is_taken: &dyn Fn(&Address<'_>, bool) -> bool,
    ) -> Option<Address<'m>> {
        let way = self.way(from);
        let (_, module) = self.last(&way.places).filter(|_| way.is_whole && way.gap.is_none())?;
        let step = from.resource.as_ref().filter(|it| it.mode == ResourceMode::Managed)?;
        let (resource_type, name) = (step.resource_type, step.name);
        let name = ResourceName { mode: Mode::Managed, resource_type, name };
        let resource = module.module.resources.get(name)?;
        let key = match (&step.key, resource.count(), resource.for_each()) {
            (None, Some(_), _) => Some(Key::Number("0")),
            (Some(Key::Number("0")), None, None) => None,
            _ => return None,
        };
        let resource = Some(ResourceStep { key, ..step.clone() });
        let to = Address { modules: from.modules.clone(), resource };
        let is_free = !is_taken(&to, false) && !self.moves.moves_resource(from, &way.places);
        is_free.then_some(to)
    }

    /// The addresses that a state has for instances that were moved, by their new addresses, as
    /// [`PlanSources::moved`] finds them; `None` for an address whose object has moved away, or is not
    /// known. `addresses` are all of the state.
    ///
    /// Cost: that of `moved` for each address.
    pub(crate) fn recorded<'s>(
        &self,
        addresses: impl Iterator<Item = &'s str>,
    ) -> HashMap<String, Option<&'s str>> {
        let mut moved: HashMap<String, Option<&'s str>> = HashMap::default();
        let known: Vec<(&'s str, Address<'s>)> = addresses
            .filter_map(|address| Some((address, Address::parse(address).ok()?)))
            .collect();
        let mut taken: HashSet<String> = HashSet::default();
        for (text, address) in &known {
            let mut address = address.clone();
            taken.insert((*text).to_owned());
            if let Some(resource) = &mut address.resource {
                resource.key = None;
            }
            taken.insert(address.to_string() + WHOLE);
            address.resource = None;
            taken.insert(address.to_string());
        }
        let is_taken = |address: &Address<'_>, is_whole: bool| {
            taken.contains(&(address.to_string() + if is_whole { WHOLE } else { "" }))
        };
        for (old, address) in &known {
            let new = match self.moved(address, &is_taken) {
                Ok(None) => continue,
                Ok(Some(new)) => Some(new.to_string()),
                Err(()) => None,
            };
            moved.insert((*old).to_owned(), None);
            if let Some(new) = new {
                // Two objects at one address are an error.
                moved.entry(new).and_modify(|other| *other = None).or_insert(Some(old));
            }
        }
        moved
    }

    /// The `import` blocks that import an object to this address; empty if there is none. There are
    /// several if their keys are computed, so that any of them may be the cause.
    ///
    /// Cost: linear in the address, for each of its modules.
    #[must_use]
    pub fn imports(&self, to: &Address<'_>) -> PlanCause<'a> {
        if to.modules.len() > MAX_MODULES {
            return PlanCause::Unknown(self.root, SourceGap::TooDeep);
        }
        self.cause(self.moves.imports(to, &self.way(to).places), [to])
    }

    /// The blocks that were found; unknown if there are none, but some files could not be read.
    fn cause<const N: usize>(
        &self,
        labels: Vec<Label<'a>>,
        addresses: [&Address<'_>; N],
    ) -> PlanCause<'a> {
        let gap = || {
            addresses.into_iter().find_map(|address| {
                let way = self.way(address);
                way.gap.or_else(|| way.places.iter().find_map(|place| self.unread(*place)))
            })
        };
        match labels.is_empty().then(gap).flatten() {
            Some((place, gap)) => PlanCause::Unknown(place, gap),
            None => PlanCause::Blocks(labels),
        }
    }

    /// The modules on the path of an address.
    fn way(&self, address: &Address<'_>) -> Way {
        let mut way = Way { places: vec![self.root], gap: None, is_whole: true };
        if address.modules.len() > MAX_MODULES {
            way.gap = Some((self.root, SourceGap::TooDeep));
            return way;
        }
        for call in &address.modules {
            let Some((place, module)) = self.last(&way.places) else { break };
            let Some(at) = module.module.calls.place(call.name) else {
                way.is_whole = false;
                break;
            };
            let gap = match module.links.get(at as usize) {
                Some(Link::Module(next)) => {
                    way.places.push(*next);
                    continue;
                }
                Some(Link::Remote) => SourceGap::NotInstalled,
                Some(Link::Missing) => SourceGap::Missing,
                Some(Link::Outside | Link::Unknown) | None => SourceGap::Unreadable,
            };
            way.gap = Some((place, gap));
            break;
        }
        way
    }

    fn last(&self, way: &[usize]) -> Option<(usize, &'t TreeModule<'a>)> {
        let place = *way.last()?;
        Some((place, self.modules.get(place)?))
    }

    /// The result for an address that is not declared, by the last module on its path.
    fn absent(&self, address: &Address<'_>, way: &[usize]) -> PlanSource<'a> {
        if let Some(block) = self.removed_by(address, way) {
            return PlanSource::Removed(block.label);
        }
        match way.last().and_then(|place| self.unread(*place)) {
            Some((place, gap)) => PlanSource::Unknown(place, gap),
            None => PlanSource::Nowhere,
        }
    }

    /// The block that removes a resource, or a module that contained it.
    fn removed_by(&self, address: &Address<'_>, way: &[usize]) -> Option<Removed<'a>> {
        let whole = address.to_configuration();
        way.iter().enumerate().find_map(|(level, place)| {
            let modules = whole.modules.get(level..).unwrap_or_default();
            let resource = Address { modules: modules.to_vec(), resource: whole.resource.clone() };
            let ends = (1..=modules.len())
                .map(|len| Address { modules: modules[..len].to_vec(), resource: None });
            let mut all = std::iter::once(resource).chain(ends);
            all.find_map(|from| self.removed.get(&(*place, from.to_string())).copied())
        })
    }

    /// The reason why a module is not fully read.
    fn unread(&self, place: usize) -> Option<(usize, SourceGap)> {
        let module = self.modules.get(place)?;
        (!module.undecoded.is_empty()).then_some((place, SourceGap::Undecoded))
    }
}

/// The known modules on the path of an address.
struct Way {
    places: Vec<usize>,
    /// The reason why the path ends early.
    gap: Option<(usize, SourceGap)>,
    /// Whether all modules are declared.
    is_whole: bool,
}

/// The block of the module that declares the resource at the end of an address, including data
/// sources of checks.
fn declared<'a>(module: &TreeModule<'a>, address: &Address<'_>) -> Option<Label<'a>> {
    let step = address.resource.as_ref()?;
    let mode = match step.mode {
        ResourceMode::Managed => Mode::Managed,
        ResourceMode::Data => Mode::Data,
        ResourceMode::Ephemeral => Mode::Ephemeral,
        _ => return None,
    };
    let name = ResourceName { mode, resource_type: step.resource_type, name: step.name };
    let of_checks = || {
        let data = module.module.checks.iter().filter_map(|check| check.data);
        data.into_iter().find(|data| data.address() == name).map(|data| data.block)
    };
    let block = module.module.resources.get(name).map(|resource| resource.block);
    block.or_else(of_checks).map(|block| block.definition_label())
}
