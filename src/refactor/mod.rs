//! Refactorings: changes of an object and of everything that names it, across the modules of a tree.
//!
//! Each is a file with a function `plan`, which returns a [`Change`] or a [`Refusal`]. Nothing is
//! written here.
//!
//! ```
//! use simd_hcl::Arena;
//! use simd_hcl::directory::DecodeOptions;
//! use simd_hcl::module::Object;
//! use simd_hcl::refactor::rename::{Request, plan};
//! use simd_hcl::tree::Tree;
//!
//! let arena = Arena::new();
//! let tree = Tree::open(&arena, &["corpus/monorepo"])?;
//! let has_name = |place: &usize| {
//!     tree.modules()[*place].module.objects().any(|it| it == Object::Variable("readers"))
//! };
//! let bucket = (0..tree.modules().len()).find(has_name).unwrap();
//! let request = Request::new(bucket, Object::Variable("readers"), "consumers");
//! let change = plan(&tree, &DecodeOptions::default(), &request)?;
//! assert!(change.files.iter().all(|file| file.edited.text().contains("consumers")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod callers;
mod change;
mod components;
mod elements;
mod errors;
pub mod extract;
mod files;
pub mod inline;
pub mod keys;
mod overrides;
pub mod parameter;
mod readers;
pub mod relocate;
pub mod rename;
mod runs;
mod search;
mod shared;
#[cfg(feature = "packer")]
pub mod template;
mod text;
mod together;
#[cfg(feature = "terragrunt")]
mod unit_files;
#[cfg(feature = "terragrunt")]
mod unit_names;
mod units;
pub mod unused;
pub mod upgrade;

pub use self::change::{Change, ChangedFile, NotChanged, Refusal, TakenBack, Why};
pub use self::errors::Errors;
#[cfg(feature = "ask")]
pub(crate) use self::text::Keys;
pub use self::together::set_together;
#[cfg(feature = "terragrunt")]
pub use self::unit_files::{FoundUnits, find_units, has_word, unit_of};
#[cfg(feature = "terragrunt")]
pub use self::unit_names::UnitTexts;
pub use self::units::{Beside, UnitFile};
