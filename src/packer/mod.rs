//! Templates of Packer: everything that the files of a directory declare.
//!
//! [`Template::read`] takes the parsed files of one template, in the order in which Packer reads
//! them, and returns typed, ordered lists of what they declare. Each block type has its own file:
//! its schema, its type, and how its arguments are read (literally, as expressions, as references
//! to sources).
//!
//! * In blocks that belong to a plugin (sources, data sources, provisioners, post-processors), only
//!   the arguments of Packer itself are read; the rest stays an unopened [`crate::Body`].
//! * Duplicate names in one JSON object are separate blocks, in their order.
//! * Of two declarations of one name the first counts, and the second is reported.
//! * A template in the format before HCL (`builders` at the root) is reported as such and not read.
//!
//! ```
//! use simd_hcl::dialect::List;
//! use simd_hcl::packer::{Options, Template};
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let json = br#"{"source": {"docker": {"base": {}}}, "build": {"sources": ["docker.base"]}}"#;
//! let document = Document::parse_bytes(&arena, "image.pkr.json", json)?;
//! let mut diagnostics = Vec::new();
//! let template = Template::read([(List::Primary, document)], &Options::default(), &mut diagnostics);
//! template.analyse(&arena, false, &mut diagnostics);
//! let used = template.builds[0].sources[0].name.unwrap();
//! assert_eq!(used.to_string(), "docker.base");
//! assert!(template.sources.get(used).is_some() && diagnostics.is_empty());
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

mod analysis;
mod assemble;
mod assignment;
mod build;
mod data;
mod dynamic;
#[cfg(feature = "serde")]
pub(crate) mod inventory;
mod local;
mod name;
mod object;
mod plugin;
mod post_processor;
mod provisioner;
mod read;
mod reference;
mod registry;
mod settings;
mod source;
mod values;
mod variable;
mod visit;

use std::fmt;
use std::str::FromStr;

pub use self::analysis::Uses;
pub use self::assignment::Assignment;
pub use self::build::{Build, BuildSource};
pub use self::data::Data;
pub use self::dynamic::Dynamic;
#[cfg(feature = "serde")]
pub use self::inventory::Inventory;
pub use self::local::Local;
pub use self::name::ObjectName;
pub use self::plugin::RequiredPlugin;
pub use self::post_processor::{PostProcessor, PostProcessors};
pub use self::provisioner::Provisioner;
pub use self::reference::{Object, Reference, Scope, Subject};
pub use self::registry::Registry;
pub use self::settings::Settings;
pub use self::source::Source;
pub use self::variable::{Validation, Variable};
pub use self::visit::{Reading, Site};

use crate::body::Block;
use crate::module::Declarations;
use crate::module::declarations::declared;

/// How defaults of variables are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defaults {
    /// As Packer reads them: as templates that may call `env` and refer to nothing.
    #[default]
    Actual,
    /// As Packer's documentation says: literally.
    Documented,
}

impl fmt::Display for Defaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Actual => "actual",
            Self::Documented => "documented",
        })
    }
}

/// An unknown name of a reading of defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDefaults;

impl fmt::Display for UnknownDefaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("defaults are read as actual or as documented")
    }
}

impl std::error::Error for UnknownDefaults {}

impl FromStr for Defaults {
    type Err = UnknownDefaults;

    fn from_str(name: &str) -> Result<Self, UnknownDefaults> {
        match name {
            "actual" => Ok(Self::Actual),
            "documented" => Ok(Self::Documented),
            _ => Err(UnknownDefaults),
        }
    }
}

/// Options for reading a template.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// How defaults of variables are read.
    pub defaults: Defaults,
}

impl Options {
    /// Sets how defaults of variables are read.
    #[must_use]
    pub const fn with_defaults(mut self, defaults: Defaults) -> Self {
        self.defaults = defaults;
        self
    }
}

declared! {
    Variable: &'k str = |variable| variable.name;
    Local: &'k str = |local| local.name;
    Data: ObjectName<'k> = |data| data.name;
    Source: ObjectName<'k> = |source| source.name;
}

/// The declarations of a template's files.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Template<'a> {
    /// `packer` blocks, in order.
    pub settings: Vec<Settings<'a>>,
    /// Variables, of `variable` and `variables` blocks, by name.
    pub variables: Declarations<&'a str, Variable<'a>>,
    /// Local values, of `local` and `locals` blocks, by name.
    pub locals: Declarations<&'a str, Local<'a>>,
    /// Data sources, by type and name.
    pub data: Declarations<ObjectName<'a>, Data<'a>>,
    /// Sources, by type and name.
    pub sources: Declarations<ObjectName<'a>, Source<'a>>,
    /// Builds, in order.
    pub builds: Vec<Build<'a>>,
    /// The `hcp_packer_registry` block at the root.
    pub registry: Option<Registry<'a>>,
    /// Root blocks of other types, which Packer accepts and skips: `communicator`.
    pub others: Vec<Block<'a>>,
    /// Values of variables, in the order of the files of variables.
    pub assignments: Vec<Assignment<'a>>,
    /// Files in the format before HCL, which are not read.
    pub legacy: Vec<crate::Source<'a>>,
}
