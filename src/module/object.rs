//! Objects of a module: everything that can refer, or be referred to. Each has a number.
//!
//! Numbers count from 0, kind by kind in the order of [`Module::objects`](super::Module::objects);
//! within a kind they follow the files. They are enough to describe a graph of a module
//! ([`super::Uses`]).

use std::fmt;
use std::ops::Range;

use super::ProviderConfigName;
use super::numbering::Numbering;
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
    /// An `import` block, by its index among them, from 0.
    Import(usize),
    /// A `moved` block, by its index among them, from 0.
    Moved(usize),
    /// A `removed` block, by its index among them, from 0.
    Removed(usize),
    /// A part of the `terraform` blocks.
    Setting(Setting<'a>),
}

/// A part of the `terraform` blocks of a module, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Setting<'a> {
    /// `backend`: where the state is stored. If there are several blocks, the one that counts
    /// ([`Module::backend`](super::Module::backend)).
    Backend,
    /// `cloud`: stores the state in HCP Terraform or a similar service.
    Cloud,
    /// `state_store`: stores the state by a provider (Terraform).
    StateStore,
    /// `encryption`: how states and plans are encrypted (OpenTofu).
    Encryption,
    /// `provider_meta`: metadata of the module for the provider with that local name.
    ProviderMeta(&'a str),
    /// An entry of `required_providers`, by its local name.
    RequiredProvider(&'a str),
}

impl fmt::Display for Object<'_> {
    /// The address within the module: `var.name`, `aws_instance.web`, `provider.aws.east`,
    /// `terraform.backend`.
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
    /// The type of the root block that declares the object.
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
                Mode::List => BlockKind::List,
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

/// The number of kinds of objects.
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
