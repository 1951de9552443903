//! The effect of a change of configuration on the values of a root module, without a provider or a state.
//!
//! [`review`] evaluates two versions of a root module ([`crate::expand`]) and compares them
//! instance by instance: what is created, deleted, moved, and which values change. The values are
//! those of a plan from an empty state. Values that only a provider knows are unknown, and a value
//! that is unknown in both versions is not reported.
//!
//! # Instances
//!
//! Instances are the same if their addresses are, or if `moved` blocks of the new version, or the
//! moves that the tools make themselves, lead from one to the other. An instance that disappears
//! while a very similar one appears is a [`Rename`]: still a deletion and a creation, since that is
//! what a plan does. If the instances of a resource, or the content of a module, are known in one
//! version only, they are not reported one by one: the action of the resource or module is
//! [`ReviewAction::Unknown`].
//!
//! # Values
//!
//! [`ReviewLeaf`] has the rules. A part that is sensitive in either version is one leaf without
//! values.
//!
//! # Cost
//!
//! Evaluating both versions; memory for the values of both.
//!
//! ```
//! use simd_hcl::Arena;
//! use simd_hcl::directory::{DiscoverOptions, discover};
//! use simd_hcl::expand::Inputs;
//! use simd_hcl::review::{ReviewOptions, Version, review};
//! use simd_hcl::tree::{Tree, TreeOptions};
//!
//! let arena = Arena::new();
//! let found = discover(&["corpus/monorepo/modules/bucket"], &DiscoverOptions::default());
//! let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
//! let inputs = Inputs::new(&arena);
//! let version = Version { tree: &tree, root: 0, inputs: &inputs };
//! // Everything is new.
//! let review = review(None, Some(version), &ReviewOptions::default());
//! assert!(!review.changes.is_empty());
//! // Nothing differs.
//! let same = simd_hcl::review::review(Some(version), Some(version), &ReviewOptions::default());
//! assert!(same.is_empty());
//! ```

mod delta;
mod ignored;
mod instances;
mod json;
mod leaves;
mod model;
mod providers;
mod rank;
mod rename;
mod setup;
mod trigger;

pub use self::delta::review;
pub use self::model::{
    ArgumentChange, BackendChange, CallChange, ProviderChange, Rename, Review, ReviewAction,
    ReviewChange, ReviewGap, ReviewLeaf, ReviewSummary, ReviewValue, VersionName,
};

use crate::expand::Inputs;
use crate::hash::HashMap;
use crate::tree::Tree;
use crate::value::Value;

/// One of the two versions of a root module.
#[derive(Clone, Copy, Debug)]
pub struct Version<'s, 'a> {
    /// The tree that has it.
    pub tree: &'s Tree<'a>,
    /// Its index in [`Tree::modules`].
    pub root: usize,
    /// The inputs of its evaluation.
    pub inputs: &'s Inputs<'s, 'a>,
}

/// The inputs of a review besides the configuration.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReviewOptions {
    /// For types of resources, the arguments whose changes replace the object.
    replace: HashMap<String, Vec<String>>,
    /// Whether sensitive values are compared and shown as others.
    shows_sensitive: bool,
}

impl ReviewOptions {
    /// Adds arguments of a type of resources whose changes replace the object.
    #[must_use]
    pub fn with_replace(mut self, resource_type: &str, arguments: &[String]) -> Self {
        let known = self.replace.entry(resource_type.to_owned()).or_default();
        known.extend_from_slice(arguments);
        self
    }

    /// Shows sensitive values.
    #[must_use]
    pub fn with_sensitive(mut self, shows: bool) -> Self {
        self.shows_sensitive = shows;
        self
    }

    /// Whether a change of an argument replaces an object of a type.
    fn replaces(&self, resource_type: &str, argument: &str) -> bool {
        // The schema of the provider that is built into the tools says so.
        resource_type == "terraform_data" && argument == "triggers_replace"
            || self
                .replace
                .get(resource_type)
                .is_some_and(|arguments| arguments.iter().any(|known| known == argument))
    }

    /// Whether an argument in which two objects of a type differ replaces the first one. Another sensitivity
    /// of the same value replaces nothing.
    fn replaces_by(&self, resource_type: &str, sides: [Value<'_>; 2]) -> bool {
        let names = sides.map(|side| side.as_entries().unwrap_or_default());
        let mut names = names.into_iter().flatten().map(|(name, _)| *name);
        names.any(|name| {
            // A null attribute is the same as none.
            let present = sides.map(|side| side.get(name).filter(|value| !value.is_null()));
            self.replaces(resource_type, name) && leaves::differ(present)
        })
    }
}
