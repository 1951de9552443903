//! The calls between modules, in both directions.

use super::answers::{Answers, FileSpan, Owner};
use super::named::Named;
use crate::module::Object;
use crate::span::Span;

/// A module in a hierarchy of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleItem {
    /// The index of the module in [`Tree::modules`](crate::tree::Tree::modules).
    pub module: usize,
    /// Its directory.
    pub directory: Box<str>,
    /// The start of its first file; `None` if it has none.
    pub place: Option<FileSpan>,
}

/// Calls of a module, or by a module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleCalls {
    /// The other module: the calling one of incoming calls, the called one of outgoing calls.
    pub item: ModuleItem,
    /// The names of the calls where they are declared, sorted.
    pub calls: Vec<FileSpan>,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// The module to start from: that of the call at an offset, or else the module of the file.
    #[must_use]
    pub fn module_at(&self, file: &str, offset: u32) -> Option<ModuleItem> {
        let entry = self.entry(file)?;
        let Owner::Module(own) = entry.owner else { return None };
        let found = self.place_at(entry, offset);
        let call = found.and_then(|found| {
            let named = self.named(found).into_iter().next()?;
            match named.object {
                Object::ModuleCall(_) => self.module(named.module).called_by(named.object),
                _ => None,
            }
        });
        Some(self.module_item(call.unwrap_or(own)))
    }

    /// The modules that call a module. `None` if there is no such module.
    #[must_use]
    pub fn incoming_calls(&self, module: usize) -> Option<Vec<ModuleCalls>> {
        self.tree.modules().get(module)?;
        let calls = self.callers(module).iter().map(|&(caller, call)| (caller, caller, call));
        Some(self.grouped(calls.collect()))
    }

    /// The modules that a module calls. `None` if there is no such module.
    #[must_use]
    pub fn outgoing_calls(&self, module: usize) -> Option<Vec<ModuleCalls>> {
        let own = self.tree.modules().get(module)?;
        let calls = own.module.calls.iter().filter_map(|call| {
            let object = Object::ModuleCall(call.name);
            let called = own.called_by(object)?;
            Some((called, module, own.module.object_number(object)?))
        });
        Some(self.grouped(calls.collect()))
    }

    /// The calls by the other module: that module, the calling one, and the number of the call.
    fn grouped(&self, mut calls: Vec<(usize, usize, u32)>) -> Vec<ModuleCalls> {
        calls.sort_unstable();
        let groups = calls.chunk_by(|one, other| one.0 == other.0);
        let mut found: Vec<ModuleCalls> = groups
            .filter_map(|group| {
                let &(module, ..) = group.first()?;
                let mut calls: Vec<_> = group
                    .iter()
                    .flat_map(|&(_, caller, call)| {
                        let object = self.module(caller).module.object(call);
                        let named = object.map(|object| Named { module: caller, object });
                        named.into_iter().flat_map(|named| self.declarations(named))
                    })
                    .collect();
                calls.sort();
                Some(ModuleCalls { item: self.module_item(module), calls })
            })
            .collect();
        found.sort_by(|one, other| one.item.directory.cmp(&other.item.directory));
        found
    }

    fn module_item(&self, module: usize) -> ModuleItem {
        let declared = self.module(module);
        let place = declared.sources.first().map(|source| FileSpan::new(*source, Span::at(0)));
        ModuleItem { module, directory: declared.files.path.to_string_lossy().into(), place }
    }
}
