//! Dialects: the rules of OpenTofu, Terraform and Packer.
//!
//! This module has the names of files ([`FileKind`]) and the block types at the root of a file
//! ([`BlockKind`], [`root_schema`]), and the arguments of all blocks (`arguments`).

mod address;
pub(crate) mod arguments;
mod block;
pub(crate) mod ended;
#[cfg(feature = "fuzzing")]
pub(crate) mod generate;
mod grammar;
mod name;
pub(crate) mod table;

use std::fmt;
use std::str::FromStr;

pub use self::address::block_address;
pub use self::block::{BlockKind, joined_bodies, root_schema};
pub(crate) use self::block::{only_beside_modules, only_in_modules, only_in_packer, only_in_tests};
pub(crate) use self::grammar::Grammar;
pub(crate) use self::name::has_only_backend;
pub use self::name::{
    FileKind, List, Syntax, is_backend_file, is_known_name, name_in_other_syntax,
};
pub(crate) use self::table::{Reading, Table};

/// The tool whose rules a configuration follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenTofu: `.tf.json` and `.tofu.json`.
    #[default]
    OpenTofu,
    /// Terraform: `.tf.json`.
    Terraform,
    /// Packer: `.pkr.json`.
    Packer,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::OpenTofu, Self::Terraform, Self::Packer];

    /// `"opentofu"`, `"terraform"` or `"packer"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenTofu => "opentofu",
            Self::Terraform => "terraform",
            Self::Packer => "packer",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not the name of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the dialects are opentofu, terraform and packer")
    }
}

impl std::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name).ok_or(UnknownDialect)
    }
}
