//! Where the objects of a plan are declared.
//!
//! The block that declares a resource is found by following the module calls from the root module, by the address of
//! the change. A resource that is no longer declared may have a `removed` block. Where something on the way is not read,
//! the answer is not known, and says why.

use super::module::{Link, TreeModule};
use crate::diagnostic::Label;
use crate::hash::HashMap;
use crate::reference::{Mode, ResourceName};
use crate::show::{Address, ResourceMode};

/// The declarations behind the changes of a plan: modules of a tree, seen from the root module.
#[derive(Debug)]
pub struct PlanSources<'t, 'a> {
    modules: &'t [TreeModule<'a>],
    root: usize,
    /// `removed` blocks by the module and the address in it, without keys.
    removed: HashMap<(usize, String), Label<'a>>,
}

/// Where the resource of a change is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanSource<'a> {
    /// In this block.
    Declared(Label<'a>),
    /// Nowhere any more: this `removed` block says so.
    Removed(Label<'a>),
    /// Nowhere: all files of the modules on the way are read, and none declares it.
    Nowhere,
    /// That is not known: something on the way is not read. The place, among those of the tree, of the module where the
    /// way ends, and why.
    Unknown(usize, SourceGap),
}

/// Why it is not known where a resource is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceGap {
    /// The module has files in native syntax.
    NativeSyntax,
    /// A file of the module could not be read, or has a syntax error.
    Undecoded,
    /// The module that is called is not installed.
    NotInstalled,
    /// The directory of the module that is called does not exist.
    Missing,
    /// The module that is called could not be read.
    Unreadable,
    /// The address leads through more than 200 modules.
    TooDeep,
}

/// An address leads through so many modules at most.
const MAX_MODULES: usize = 200;

impl<'t, 'a> PlanSources<'t, 'a> {
    /// The declarations that a root module leads to, given by its place among the modules of a tree.
    ///
    /// Cost: linear in the `removed` blocks.
    pub(super) fn new(modules: &'t [TreeModule<'a>], root: usize) -> Self {
        let mut removed = HashMap::default();
        for (place, module) in modules.iter().enumerate() {
            for block in &module.module.removed {
                if let Some(from) = block.from {
                    let label = block.block.definition_label();
                    removed.entry((place, from.to_string())).or_insert(label);
                }
            }
        }
        Self { modules, root, removed }
    }

    /// Where the resource of an instance is declared, by the absolute address of the instance.
    ///
    /// Cost: linear in the address, and in its square where a `removed` block is looked for; it leads through at most 200
    /// modules.
    #[must_use]
    pub fn find(&self, address: &Address<'_>) -> PlanSource<'a> {
        if address.modules.len() > MAX_MODULES {
            return PlanSource::Unknown(self.root, SourceGap::TooDeep);
        }
        let mut way = vec![self.root];
        for call in &address.modules {
            let Some((place, module)) = self.last(&way) else { return PlanSource::Nowhere };
            let Some(at) = module.module.calls.place(call.name) else {
                return self.absent(address, &way);
            };
            match module.links.get(at as usize) {
                Some(Link::Module(next)) => way.push(*next),
                Some(Link::Remote) => return PlanSource::Unknown(place, SourceGap::NotInstalled),
                Some(Link::Missing) => return PlanSource::Unknown(place, SourceGap::Missing),
                Some(Link::Unknown) | None => {
                    return PlanSource::Unknown(place, SourceGap::Unreadable);
                }
            }
        }
        match self.last(&way).and_then(|(_, module)| declared(module, address)) {
            Some(label) => PlanSource::Declared(label),
            None => self.absent(address, &way),
        }
    }

    fn last(&self, way: &[usize]) -> Option<(usize, &'t TreeModule<'a>)> {
        let place = *way.last()?;
        Some((place, self.modules.get(place)?))
    }

    /// What is said of an address whose way ends at the last module.
    fn absent(&self, address: &Address<'_>, way: &[usize]) -> PlanSource<'a> {
        let whole = address.to_configuration();
        for (level, place) in way.iter().enumerate() {
            let modules = whole.modules.get(level..).unwrap_or_default();
            // The resource itself, or a module that it was in.
            let resource = Address { modules: modules.to_vec(), resource: whole.resource.clone() };
            let ends = (1..=modules.len())
                .map(|len| Address { modules: modules[..len].to_vec(), resource: None });
            for from in std::iter::once(resource).chain(ends) {
                if let Some(label) = self.removed.get(&(*place, from.to_string())) {
                    return PlanSource::Removed(*label);
                }
            }
        }
        match self.last(way) {
            Some((place, module)) if module.files.has_native_files() => {
                PlanSource::Unknown(place, SourceGap::NativeSyntax)
            }
            Some((place, module)) if !module.undecoded.is_empty() => {
                PlanSource::Unknown(place, SourceGap::Undecoded)
            }
            _ => PlanSource::Nowhere,
        }
    }
}

/// The block of the module that declares the resource at the end of an address; data sources of checks are among them.
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
        data.into_iter().find(|data| data.address == name).map(|data| data.block)
    };
    let block = module.module.resources.get(name).map(|resource| resource.block);
    block.or_else(of_checks).map(|block| block.definition_label())
}
