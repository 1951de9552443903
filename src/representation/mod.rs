//! The configuration representation: the `configuration` that `tofu show -json` prints for a module
//! and all modules that it calls.
//!
//! For a [`Tree`] and one of its modules as the root, it writes JSON in the format of the tools:
//! names, addresses relative to their modules, maps sorted by their keys.
//!
//! An expression is an object with two optional members:
//!
//! * `constant_value`, if the expression refers to nothing: its value, evaluated without functions.
//!   With [`Options::with_compat`], the text as written even if it has references, as the tools
//!   print it for JSON.
//! * `references`: each reference, then the same without its last step, down to the object itself,
//!   and the object's container.
//!
//! Schemas split bodies of providers into attributes and nested blocks ([`Options::with_schemas`]).
//! Without the schema of a type, each property is one expression.
//!
//! Values that must not be shown are `"(sensitive)"`, unless [`Options::with_sensitive`] is set:
//! those of [`hidden`](crate::hidden), and constants that calls give to sensitive or ephemeral
//! variables, directly or through variables of their own.
//!
//! | left out | because |
//! |---|---|
//! | `module` of a call that leads out of the tree | the module is not known |
//! | `module` of a call that closes a cycle, or is [`MAX_DEPTH`] calls deep | the tools do not accept it |
//! | `expressions` in `dynamic` blocks, with a schema or with `compat` | the tools skip them |
//!
//! ```
//! use simd_hcl::Arena;
//! use simd_hcl::directory::{DiscoverOptions, discover};
//! use simd_hcl::representation::{self, Options};
//! use simd_hcl::tree::{Tree, TreeOptions};
//! use simd_hcl::write::{Layout, to_string};
//!
//! let found = discover(&["corpus/monorepo/modules/bucket"], &DiscoverOptions::default());
//! let arena = Arena::new();
//! let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
//! let json = to_string(Layout::Compact, |slot| {
//!     representation::write(&tree, 0, &Options::default(), slot).unwrap();
//! });
//! assert!(json.contains(r#""root_module":{"#));
//! ```

mod body;
mod expression;
mod instances;
mod module;
mod options;
mod providers;

pub use self::instances::{MAX_DEPTH, MAX_MODULES, MAX_REPEATED, TooManyModules};
pub use self::options::Options;

use crate::tree::Tree;
use crate::write::Slot;

/// Writes the representation of the module at `root` in [`Tree::modules`], and of the modules that
/// it calls.
///
/// Cost: linear in the bodies of all instances of modules, and in the output. Both are linear in the
/// files of the modules and in [`MAX_REPEATED`].
///
/// # Errors
/// There are too many instances of modules, or too large ones. Nothing is written then.
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
    let secrets = tree.hidden();
    let context = module::Context {
        tree,
        instances: &instances,
        providers: &providers,
        options,
        secrets: &secrets,
    };
    let mut object = slot.object();
    context.provider_config(&mut object);
    context.module(0, object.key("root_module"));
    Ok(())
}
