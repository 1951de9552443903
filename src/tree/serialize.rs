//! Serializes modules and templates of a tree.

use serde_core::ser::{Serialize, SerializeMap, Serializer};

use super::module::TreeModule;
use super::template::TreeTemplate;
use super::{Origin, Tree};
use crate::directory::{AskedFor, ModuleFiles};
use crate::expression::Expression;
use crate::module;
#[cfg(feature = "packer")]
use crate::packer;
use crate::serde::object::Object;
use crate::source::Source;

/// An array of the given modules, then of the templates of Packer.
impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let modules = self.modules().iter().filter(|module| module.origin == Origin::Given);
        let templates = self.templates().iter().map(Item::Template);
        serializer.collect_seq(modules.map(Item::Module).chain(templates))
    }
}

enum Item<'t, 'a> {
    Module(&'t TreeModule<'a>),
    Template(&'t TreeTemplate<'a>),
}

impl Serialize for Item<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Module(module) => module.serialize(serializer),
            Self::Template(template) => template.serialize(serializer),
        }
    }
}

/// An object: `path`, `dialect`, `files`, `undecoded` with the names of files that could not be
/// read (if there are any), and the lists of [`module::Inventory`] for the given files.
impl<'a> Serialize for TreeModule<'a> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values: fn(Expression<'a>) -> Expression<'a> = |value| value;
        let mut object = Object::start(serializer, &values)?;
        write_files(&mut object, &self.files, &self.undecoded)?;
        let is_shown = shown(self.files.asked_for());
        module::Inventory::of(&self.module).in_files(&is_shown).write(&mut object)?;
        object.end()
    }
}

/// An object: `path`, `dialect`, `files`, `undecoded` with the names of files that could not be
/// read (if there are any), and, with the feature `packer`, the lists of `packer::Inventory` for
/// the given files.
impl<'a> Serialize for TreeTemplate<'a> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values: fn(Expression<'a>) -> Expression<'a> = |value| value;
        let mut object = Object::start(serializer, &values)?;
        write_files(&mut object, &self.files, &self.undecoded)?;
        #[cfg(feature = "packer")]
        {
            let is_shown = shown(self.files.asked_for());
            packer::Inventory::of(&self.template).in_files(&is_shown).write(&mut object)?;
        }
        object.end()
    }
}

fn shown<'a>(asked_for: AskedFor) -> impl Fn(Source<'a>) -> bool {
    move |source| asked_for.contains(source.name())
}

fn write_files<M: SerializeMap, V>(
    to: &mut Object<'_, M, V>,
    files: &ModuleFiles,
    undecoded: &[Source<'_>],
) -> Result<(), M::Error> {
    to.member("path", files.path.to_string_lossy())?;
    to.member("dialect", files.dialect.name())?;
    to.list("files", files.files.iter().filter(|file| file.is_asked_for()))?;
    to.list_unless_empty("undecoded", undecoded.iter().map(|source| source.name()))
}
