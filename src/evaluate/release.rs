//! The first releases of the tools that have a construct of the language.

/// The first release of a tool that has a construct: a block type, an argument, a function, a kind of
/// file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Release {
    /// All that are known here have it: OpenTofu 1.6, Terraform 1.0.
    Always,
    /// The release 1.x with this number.
    In(u8),
    /// None has it.
    Never,
}

impl Release {
    /// The number of the first release 1.x of OpenTofu.
    pub const FIRST_OPENTOFU: u8 = 6;
    /// The number of the first release 1.x of Terraform.
    pub const FIRST_TERRAFORM: u8 = 0;
}

pub(crate) const NEVER: Release = Release::Never;
pub(crate) const ALWAYS: Release = Release::Always;

pub(crate) const fn in_(minor: u8) -> Release {
    Release::In(minor)
}
