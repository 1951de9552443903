//! Objects of a module: what can refer to something, or be referred to, each with a number.
//!
//! Numbers count from 0, kind by kind in the order of [`Module::objects`]; within a kind they follow the files. A
//! graph of a module needs nothing but them ([`super::Uses`]).

use std::fmt;
use std::ops::Range;

use super::numbering::{Numbering, number_at};
use super::{Module, ProviderConfigName};
use crate::diagnostic::Label;
use crate::dialect::BlockKind;
use crate::reference::{ActionName, Mode, ResourceName};

/// An object of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Object<'a> {
    /// A variable.
    Variable(&'a str),
    /// A local value.
    Local(&'a str),
    /// An output.
    Output(&'a str),
    /// A provider configuration.
    Provider(ProviderConfigName<'a>),
    /// A resource, data source or ephemeral resource.
    Resource(ResourceName<'a>),
    /// A module call.
    ModuleCall(&'a str),
    /// An action (Terraform).
    Action(ActionName<'a>),
    /// A check, with the data source in it.
    Check(&'a str),
    /// An `import` block, by its place among them, from 0.
    Import(usize),
    /// A `moved` block, by its place among them, from 0.
    Moved(usize),
    /// A `removed` block, by its place among them, from 0.
    Removed(usize),
    /// A part of the `terraform` blocks.
    Setting(Setting<'a>),
}

/// A part of the `terraform` blocks of a module, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Setting<'a> {
    /// `backend`: where the state is kept. Of several blocks the one that counts ([`Module::backend`]).
    Backend,
    /// `cloud`: the same, in HCP Terraform or a similar service.
    Cloud,
    /// `state_store`: the same, by a provider (Terraform).
    StateStore,
    /// `encryption`: how states and plans are encrypted (OpenTofu).
    Encryption,
    /// `provider_meta`: what the provider of that local name is told about the module.
    ProviderMeta(&'a str),
    /// An entry of `required_providers`, by its local name.
    RequiredProvider(&'a str),
}

impl fmt::Display for Object<'_> {
    /// The address within the module: `var.name`, `aws_instance.web`, `provider.aws.east`, `terraform.backend`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "var.{name}"),
            Self::Local(name) => write!(f, "local.{name}"),
            Self::Output(name) => write!(f, "output.{name}"),
            Self::Provider(name) => write!(f, "provider.{name}"),
            Self::Resource(resource) => resource.fmt(f),
            Self::ModuleCall(name) => write!(f, "module.{name}"),
            Self::Action(action) => action.fmt(f),
            Self::Check(name) => write!(f, "check.{name}"),
            Self::Import(place) => write!(f, "import[{place}]"),
            Self::Moved(place) => write!(f, "moved[{place}]"),
            Self::Removed(place) => write!(f, "removed[{place}]"),
            Self::Setting(setting) => setting.fmt(f),
        }
    }
}

impl fmt::Display for Setting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backend => f.write_str("terraform.backend"),
            Self::Cloud => f.write_str("terraform.cloud"),
            Self::StateStore => f.write_str("terraform.state_store"),
            Self::Encryption => f.write_str("terraform.encryption"),
            Self::ProviderMeta(name) => write!(f, "terraform.provider_meta.{name}"),
            Self::RequiredProvider(name) => write!(f, "terraform.required_providers.{name}"),
        }
    }
}

impl Object<'_> {
    /// The type of the root block that declares such an object.
    #[must_use]
    pub const fn block_kind(self) -> BlockKind {
        match self {
            Self::Variable(_) => BlockKind::Variable,
            Self::Local(_) => BlockKind::Locals,
            Self::Output(_) => BlockKind::Output,
            Self::Provider(_) => BlockKind::Provider,
            Self::Resource(resource) => match resource.mode {
                Mode::Managed => BlockKind::Resource,
                Mode::Data => BlockKind::Data,
                Mode::Ephemeral => BlockKind::Ephemeral,
            },
            Self::ModuleCall(_) => BlockKind::Module,
            Self::Action(_) => BlockKind::Action,
            Self::Check(_) => BlockKind::Check,
            Self::Import(_) => BlockKind::Import,
            Self::Moved(_) => BlockKind::Moved,
            Self::Removed(_) => BlockKind::Removed,
            Self::Setting(_) => BlockKind::Terraform,
        }
    }
}

/// How many kinds of objects there are.
const KINDS: usize = 12;

/// The numbers of the objects of a module, by kind in the order of [`Object`].
pub(crate) type Numbers = Numbering<KINDS>;

impl Numbers {
    /// The numbers of variables.
    pub(crate) const fn variables(&self) -> Range<u32> {
        self.kind(0)
    }

    /// The numbers of local values.
    pub(crate) const fn locals(&self) -> Range<u32> {
        self.kind(1)
    }

    /// The numbers of outputs.
    pub(crate) const fn outputs(&self) -> Range<u32> {
        self.kind(2)
    }

    /// The numbers of provider configurations.
    pub(crate) const fn providers(&self) -> Range<u32> {
        self.kind(3)
    }

    /// The numbers of resources.
    pub(crate) const fn resources(&self) -> Range<u32> {
        self.kind(4)
    }

    /// The numbers of module calls.
    pub(crate) const fn calls(&self) -> Range<u32> {
        self.kind(5)
    }

    /// The numbers of actions.
    pub(crate) const fn actions(&self) -> Range<u32> {
        self.kind(6)
    }

    /// The numbers of checks.
    pub(crate) const fn checks(&self) -> Range<u32> {
        self.kind(7)
    }

    /// The numbers of `import` blocks.
    pub(crate) const fn imports(&self) -> Range<u32> {
        self.kind(8)
    }

    /// The numbers of `moved` blocks.
    pub(crate) const fn moved(&self) -> Range<u32> {
        self.kind(9)
    }

    /// The numbers of `removed` blocks.
    pub(crate) const fn removed(&self) -> Range<u32> {
        self.kind(10)
    }

    /// The numbers of parts of `terraform` blocks.
    pub(crate) const fn settings(&self) -> Range<u32> {
        self.kind(11)
    }
}

impl<'a> Module<'a> {
    /// How the objects are numbered.
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

    /// The objects, by number. Their order is that of [`Object`], and within a kind that of the files.
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

    /// The number of an object: its place in [`Module::objects`]. None if the module has no such object.
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

    /// Where an object is declared: the block, or the attribute of a local value or of a required provider. None if
    /// the module has no such object.
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
