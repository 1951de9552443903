//! Facts about the declarations of a file: how often they are used, and which root modules they affect.

use super::answers::{Answers, Owner};
use super::named::{Named, name_of};
use crate::facts::{PlaceUse, Target};
use crate::hash::HashSet;
use crate::module::Object;
use crate::span::Span;

/// Facts about a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lens {
    /// The bytes of the name.
    pub span: Span,
    /// The address of the object.
    pub address: Box<str>,
    /// The number of references to it.
    pub references: usize,
    /// The directories of the root modules that contain its module, sorted.
    pub roots: Vec<Box<str>>,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// Facts about the variables, local values, outputs, resources and calls that a file declares, in
    /// the order of the text.
    ///
    /// Cost: the places of the module and of those that call it.
    #[must_use]
    pub fn lenses(&self, file: &str) -> Vec<Lens> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let Owner::Module(module) = entry.owner else { return Vec::new() };
        let places = self.places(module);
        let mut roots: Vec<Box<str>> = self.all_roots_of(module);
        roots.sort();
        let declared = places.iter().filter(|place| {
            place.file() == entry.at && place.usage() == PlaceUse::Declaration && place.has_effect()
        });
        let mut found: Vec<Lens> = declared
            .filter_map(|place| {
                let Target::Object(number) = places.target(place) else { return None };
                let object = self.module(module).module.object(number)?;
                let is_counted = matches!(
                    object,
                    Object::Variable(_)
                        | Object::Local(_)
                        | Object::Output(_)
                        | Object::Resource(_)
                        | Object::ModuleCall(_)
                        | Object::Provider(_)
                );
                if !is_counted {
                    return None;
                }
                let references = self.references_of(Named { module, object }, false).len();
                Some(Lens {
                    span: name_of(place),
                    address: object.to_string().into(),
                    references,
                    roots: roots.clone(),
                })
            })
            .collect();
        found.sort_by_key(|lens| lens.span.start);
        found
    }

    /// The directories of all modules above a module that nothing calls.
    fn all_roots_of(&self, module: usize) -> Vec<Box<str>> {
        let mut seen: HashSet<usize> = HashSet::default();
        let mut open = vec![module];
        let mut found = Vec::new();
        while let Some(module) = open.pop() {
            if !seen.insert(module) {
                continue;
            }
            let callers = self.callers(module);
            if callers.is_empty() {
                found.push(self.module(module).files.path.to_string_lossy().into());
            }
            open.extend(callers.iter().map(|(caller, _)| *caller));
        }
        found
    }
}
