//! Numbers and positions of the objects of a template.

use super::{Local, Object, Template, Variable};
use crate::diagnostic::Label;
use crate::dialect::BlockKind;
use crate::module::numbering::{Numbering, number_at};

/// The number of kinds of objects.
const KINDS: usize = 6;

/// The index of the kind of variables; that of local values and of data sources follow.
pub(super) const VARIABLES: usize = 0;
pub(super) const LOCALS: usize = 1;
pub(super) const DATA: usize = 2;

/// The numbers of the objects of a template, by kind in the order of [`Object`].
pub(super) type Numbers = Numbering<KINDS>;

impl<'a> Template<'a> {
    /// The numbering of the objects.
    pub(super) fn numbers(&self) -> Numbers {
        Numbers::of([
            self.variables.len(),
            self.locals.len(),
            self.data.len(),
            self.sources.len(),
            self.builds.len(),
            usize::from(self.registry.is_some()),
        ])
    }

    /// The objects, by number: variables, local values, data sources, sources, builds, the
    /// registry, each kind in the order of the files.
    pub fn objects(&self) -> impl Iterator<Item = Object<'a>> {
        let variables = self.variables.iter().map(|each| Object::Variable(each.name));
        let locals = self.locals.iter().map(|each| Object::Local(each.name));
        let data = self.data.iter().map(|each| Object::Data(each.name));
        let sources = self.sources.iter().map(|each| Object::Source(each.name));
        let builds = (0..self.builds.len()).map(Object::Build);
        let registry = self.registry.iter().map(|_| Object::Registry);
        variables.chain(locals).chain(data).chain(sources).chain(builds).chain(registry)
    }

    /// The number of an object: its index in [`Template::objects`]. `None` if the template has no
    /// such object.
    #[must_use]
    pub fn object_number(&self, object: Object<'a>) -> Option<u32> {
        self.number(&self.numbers(), object)
    }

    /// The number of an object. Cost: constant.
    pub(super) fn number(&self, numbers: &Numbers, object: Object<'a>) -> Option<u32> {
        let (kind, place) = match object {
            Object::Variable(name) => (0, self.variables.place(name)?),
            Object::Local(name) => (1, self.locals.place(name)?),
            Object::Data(name) => (2, self.data.place(name)?),
            Object::Source(name) => (3, self.sources.place(name)?),
            Object::Build(place) => (4, u32::try_from(place).ok()?),
            Object::Registry => (5, 0),
        };
        number_at(numbers.kind(kind), place)
    }

    /// The position of an object's declaration: the name of a variable, local value or source,
    /// otherwise the block. `None` if the template has no such object.
    #[must_use]
    pub fn declaration(&self, object: Object<'_>) -> Option<Label<'a>> {
        Some(match object {
            Object::Variable(name) => Variable::name_label(self.variables.get(name)?),
            Object::Local(name) => Local::name_label(self.locals.get(name)?),
            Object::Data(name) => self.data.get(name)?.block.label_place(1),
            Object::Source(name) => self.sources.get(name)?.block.label_place(1),
            Object::Build(place) => self.builds.get(place)?.block.definition_label(),
            Object::Registry => self.registry.as_ref()?.block.definition_label(),
        })
    }
}

impl Object<'_> {
    /// The type of the root block that declares the object.
    #[must_use]
    pub const fn block_kind(self) -> BlockKind {
        match self {
            Self::Variable(_) => BlockKind::Variable,
            Self::Local(_) => BlockKind::Local,
            Self::Data(_) => BlockKind::Data,
            Self::Source(_) => BlockKind::Source,
            Self::Build(_) => BlockKind::Build,
            Self::Registry => BlockKind::HcpPackerRegistry,
        }
    }
}
