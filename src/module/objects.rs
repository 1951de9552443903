//! The objects of a module: in order, by number, and with their positions.

use super::numbering::number_at;
use super::object::Numbers;
use super::{Module, Object};
use crate::diagnostic::Label;

impl<'a> Module<'a> {
    /// The numbering of the objects.
    pub(crate) fn numbers(&self) -> Numbers {
        Numbers::of([
            self.variables.len(),
            self.locals.len(),
            self.outputs.len(),
            self.providers.len(),
            self.resources.len(),
            self.calls.len(),
            self.actions.len(),
            self.checks.len(),
            self.imports.len(),
            self.moved.len(),
            self.removed.len(),
            self.parts.len(),
        ])
    }

    /// The objects, by number. Their order is that of [`Object`], and within a kind that of the
    /// files.
    pub fn objects(&self) -> impl Iterator<Item = Object<'a>> {
        let variables = self.variables.iter().map(|each| Object::Variable(each.name));
        let locals = self.locals.iter().map(|each| Object::Local(each.name));
        let outputs = self.outputs.iter().map(|each| Object::Output(each.name));
        let providers = self.providers.iter().map(|each| Object::Provider(each.config_name()));
        let resources = self.resources.iter().map(|each| Object::Resource(each.address));
        let calls = self.calls.iter().map(|each| Object::ModuleCall(each.name));
        let actions = self.actions.iter().map(|each| Object::Action(each.address));
        let checks = self.checks.iter().map(|each| Object::Check(each.name));
        let imports = (0..self.imports.len()).map(Object::Import);
        let moved = (0..self.moved.len()).map(Object::Moved);
        let removed = (0..self.removed.len()).map(Object::Removed);
        let settings = self.parts.iter().map(|each| Object::Setting(each.setting));
        let values = variables.chain(locals).chain(outputs).chain(providers);
        let objects = values.chain(resources).chain(calls).chain(actions).chain(checks);
        objects.chain(imports).chain(moved).chain(removed).chain(settings)
    }

    /// The number of an object: its place in [`Module::objects`]. `None` if the module has no such
    /// object.
    #[must_use]
    pub fn object_number(&self, object: Object<'a>) -> Option<u32> {
        self.number(&self.numbers(), object)
    }

    /// The number of an object. Cost: constant.
    pub(crate) fn number(&self, numbers: &Numbers, object: Object<'a>) -> Option<u32> {
        let (range, place) = match object {
            Object::Variable(name) => (numbers.variables(), self.variables.place(name)?),
            Object::Local(name) => (numbers.locals(), self.locals.place(name)?),
            Object::Output(name) => (numbers.outputs(), self.outputs.place(name)?),
            Object::Provider(name) => (numbers.providers(), self.providers.place(name)?),
            Object::Resource(name) => (numbers.resources(), self.resources.place(name)?),
            Object::ModuleCall(name) => (numbers.calls(), self.calls.place(name)?),
            Object::Action(name) => (numbers.actions(), self.actions.place(name)?),
            Object::Check(name) => (numbers.checks(), self.checks.place(name)?),
            Object::Import(place) => (numbers.imports(), u32::try_from(place).ok()?),
            Object::Moved(place) => (numbers.moved(), u32::try_from(place).ok()?),
            Object::Removed(place) => (numbers.removed(), u32::try_from(place).ok()?),
            Object::Setting(setting) => (numbers.settings(), self.parts.place(setting)?),
        };
        number_at(range, place)
    }

    /// The position of an object's declaration: the block, or the attribute of a local value or of
    /// a required provider. `None` if the module has no such object.
    #[must_use]
    pub fn declaration(&self, object: Object<'_>) -> Option<Label<'a>> {
        let block = match object {
            Object::Variable(name) => self.variables.get(name)?.block,
            Object::Local(name) => {
                return Some(self.locals.get(name)?.attribute.label());
            }
            Object::Output(name) => self.outputs.get(name)?.block,
            Object::Provider(name) => self.providers.get(name)?.block,
            Object::Resource(address) => self.resources.get(address)?.block,
            Object::ModuleCall(name) => self.calls.get(name)?.block,
            Object::Action(action) => self.actions.get(action)?.block,
            Object::Check(name) => self.checks.get(name)?.block,
            Object::Import(place) => self.imports.get(place)?.block,
            Object::Moved(place) => self.moved.get(place)?.block,
            Object::Removed(place) => self.removed.get(place)?.block,
            Object::Setting(setting) => return Some(self.parts.get(setting)?.label),
        };
        Some(block.definition_label())
    }
}
