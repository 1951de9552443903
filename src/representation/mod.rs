//! The configuration representation: what `tofu show -json` prints about configuration, of a module and all that
//! it calls.
//!
//! In goes a [`Tree`] and which of its modules is the root; out comes JSON in the shape that the tools print (the
//! member `configuration` of a plan): names, addresses relative to their modules, maps sorted by their keys.
//!
//! An expression is an object with two members, each left out when it has nothing to say:
//!
//! * `constant_value`, if the expression refers to nothing: its value, evaluated without functions. With
//!   [`Options::with_compat`] what the tools print for JSON: the text as it is written, references or not.
//! * `references`: each reference, then the same without its last step, down to the object itself, and what
//!   contains it.
//!
//! Bodies of providers are split into attributes and nested blocks by their schemas ([`Options::with_schemas`]).
//! Without the schema of a type each property is one expression.
//!
//! | left out | because |
//! |---|---|
//! | `module` of a call that leads out of the tree | there is nothing to show |
//! | `module` of a call that closes a cycle, or is [`MAX_DEPTH`] calls deep | the tools do not accept it |
//! | `expressions` that stand in `dynamic` blocks, where a schema is known, or with `compat` | the tools pass them over |

mod body;
mod expression;
mod instances;
mod module;
mod providers;

use std::fmt;

use crate::show::BodySchemas;
use crate::tree::Tree;
use crate::write::Slot;

/// Module calls are followed so deep.
pub const MAX_DEPTH: usize = 200;

/// So many instances of modules are shown: a module that is called at two places stands at two places.
pub const MAX_MODULES: usize = 1_000_000;

/// How configuration is represented.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options<'s, 'a> {
    /// The schemas of providers.
    pub schemas: Option<&'s BodySchemas<'a>>,
    /// As the tools print JSON configuration, what is odd about that included.
    pub compat: bool,
}

impl<'s, 'a> Options<'s, 'a> {
    /// With schemas of providers.
    #[must_use]
    pub const fn with_schemas(mut self, schemas: Option<&'s BodySchemas<'a>>) -> Self {
        self.schemas = schemas;
        self
    }

    /// As the tools print JSON configuration.
    #[must_use]
    pub const fn with_compat(mut self, compat: bool) -> Self {
        self.compat = compat;
        self
    }
}

/// The modules call one another so often that there are more than [`MAX_MODULES`] instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyModules;

impl fmt::Display for TooManyModules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the modules call one another so often that there are more than {MAX_MODULES}")
    }
}

impl std::error::Error for TooManyModules {}

/// Writes the representation of the module at `root` in [`Tree::modules`], and of those that it calls.
///
/// Cost: linear in the bodies of all instances of modules, and in what is written.
///
/// # Errors
/// There are too many instances of modules; then nothing is written.
///
/// # Panics
/// The tree has no module `root`.
pub fn write<'a>(
    tree: &Tree<'a>,
    root: usize,
    options: &Options<'_, 'a>,
    slot: Slot<'_, '_>,
) -> Result<(), TooManyModules> {
    let instances = instances::expand(tree, root)?;
    let providers = providers::Providers::of(tree, &instances);
    let context = module::Context { tree, instances: &instances, providers: &providers, options };
    let mut object = slot.object();
    context.provider_config(&mut object);
    context.module(0, object.key("root_module"));
    Ok(())
}
