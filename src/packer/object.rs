//! Numbers of the objects of a template, and where each is declared.

use std::ops::Range;

use super::{Local, Object, Template, Variable};
use crate::diagnostic::Label;
use crate::dialect::BlockKind;

/// How many kinds of objects there are.
const KINDS: usize = 6;

/// Where the numbers of each kind start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// By kind, in the order of [`Object`]; at the end the number of all objects.
    starts: [u32; KINDS + 1],
}

impl Numbers {
    const fn kind(&self, kind: usize) -> Range<u32> {
        self.starts[kind]..self.starts[kind + 1]
    }

    /// The numbers of local values.
    pub(super) const fn locals(&self) -> Range<u32> {
        self.kind(1)
    }

    /// The numbers of data sources.
    pub(super) const fn data(&self) -> Range<u32> {
        self.kind(2)
    }

    /// How many objects there are.
    pub(super) const fn len(&self) -> u32 {
        self.starts[KINDS]
    }
}

impl<'a> Template<'a> {
    /// How the objects are numbered.
    pub(super) fn numbers(&self) -> Numbers {
        let counts: [usize; KINDS] = [
            self.variables.len(),
            self.locals.len(),
            self.data.len(),
            self.sources.len(),
            self.builds.len(),
            usize::from(self.registry.is_some()),
        ];
        let mut starts = [0; KINDS + 1];
        for (kind, count) in counts.into_iter().enumerate() {
            starts[kind + 1] = starts[kind] + count as u32;
        }
        Numbers { starts }
    }

    /// The objects, by number: variables, local values, data sources, sources, builds, the registry, each kind in the
    /// order of the files.
    pub fn objects(&self) -> impl Iterator<Item = Object<'a>> {
        let variables = self.variables.iter().map(|each| Object::Variable(each.name));
        let locals = self.locals.iter().map(|each| Object::Local(each.name));
        let data = self.data.iter().map(|each| Object::Data(each.name));
        let sources = self.sources.iter().map(|each| Object::Source(each.name));
        let builds = (0..self.builds.len()).map(Object::Build);
        let registry = self.registry.iter().map(|_| Object::Registry);
        variables.chain(locals).chain(data).chain(sources).chain(builds).chain(registry)
    }

    /// The number of an object: its place in [`Template::objects`]. None if the template has no such object.
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
        let range = numbers.kind(kind);
        let number = range.start.checked_add(place)?;
        range.contains(&number).then_some(number)
    }

    /// Where an object is declared: the name of a variable, local value or source, otherwise the block. None if the
    /// template has no such object.
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
    /// The type of the root block that declares such an object.
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
