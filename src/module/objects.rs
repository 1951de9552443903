//! The objects of a module: in order, by number, and with their positions.

use std::ops::Range;

use super::numbering::number_at;
use super::object::Numbers;
use super::{Module, Object};
use crate::diagnostic::Label;
use crate::reference::Subject;

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
        let numbers = self.numbers();
        (0..numbers.len()).filter_map(move |number| self.object_at(&numbers, number))
    }

    /// The number of objects. Cost: constant.
    #[must_use]
    pub fn object_count(&self) -> u32 {
        self.numbers().len()
    }

    /// The object of a number, its index in [`Module::objects`]. Cost: constant.
    #[must_use]
    pub fn object(&self, number: u32) -> Option<Object<'a>> {
        self.object_at(&self.numbers(), number)
    }

    fn object_at(&self, numbers: &Numbers, number: u32) -> Option<Object<'a>> {
        let place = |range: Range<u32>| range.contains(&number).then(|| number - range.start);
        if let Some(place) = place(numbers.resources()) {
            return Some(Object::Resource(self.resources.at(place)?.address()));
        }
        if let Some(place) = place(numbers.variables()) {
            return Some(Object::Variable(self.variables.at(place)?.name));
        }
        if let Some(place) = place(numbers.locals()) {
            return Some(Object::Local(self.locals.at(place)?.name));
        }
        if let Some(place) = place(numbers.outputs()) {
            return Some(Object::Output(self.outputs.at(place)?.name));
        }
        if let Some(place) = place(numbers.providers()) {
            return Some(Object::Provider(self.providers.at(place)?.config_name()));
        }
        if let Some(place) = place(numbers.calls()) {
            return Some(Object::ModuleCall(self.calls.at(place)?.name));
        }
        if let Some(place) = place(numbers.actions()) {
            return Some(Object::Action(self.actions.at(place)?.address));
        }
        if let Some(place) = place(numbers.checks()) {
            return Some(Object::Check(self.checks.at(place)?.name));
        }
        if let Some(place) = place(numbers.imports()) {
            return Some(Object::Import(place as usize));
        }
        if let Some(place) = place(numbers.moved()) {
            return Some(Object::Moved(place as usize));
        }
        if let Some(place) = place(numbers.removed()) {
            return Some(Object::Removed(place as usize));
        }
        let setting = self.parts.at(place(numbers.settings())?)?;
        Some(Object::Setting(setting.setting))
    }

    /// The number of an object: its index in [`Module::objects`]. `None` if the module has no such
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

    /// The number of the object that a reference names.
    pub(crate) fn subject_number(&self, numbers: &Numbers, subject: Subject<'a>) -> Option<u32> {
        let object = match subject {
            Subject::Variable(name) => Object::Variable(name),
            Subject::Local(name) => Object::Local(name),
            Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                Object::Resource(resource)
            }
            Subject::Action(action, _) => Object::Action(action),
            _ => Object::ModuleCall(subject.module_call()?),
        };
        self.number(numbers, object)
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
