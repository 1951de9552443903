//! Static evaluation: what a configuration will create, without a provider.
//!
//! [`Tree::expand`] evaluates a root module and the modules that it calls, as `plan` does with an
//! empty state: variables, local values, outputs, `count`, `for_each` and `enabled` of resources
//! and calls, `dynamic` blocks. Values that only a provider knows are unknown, and so is everything
//! that depends on them. Nothing is guessed.
//!
//! # Method
//!
//! Evaluation is by demand. A [`node`] is a value that others can refer to: a variable, a local
//! value, an output, all instances of a resource. The value of a node is computed on first use and
//! kept. If an expression refers to nodes that have no value yet, [`compute`] puts these on a
//! stack, and evaluates the expression again after them. So nothing recurses on the depth of the
//! configuration, and nothing is evaluated that is not asked for. A node that depends on itself is
//! unknown; [`Tree::load`] has reported it.
//!
//! Instances of resources that nothing refers to are not kept: they are evaluated in an arena of
//! their own, passed to the caller, and freed. Attributes that do not depend on `count` or `each`
//! are evaluated once for all instances of a resource.
//!
//! # Without a schema
//!
//! The schema of a provider decides which attributes a resource has, and their types. If it is not
//! known, the attributes that are configured have the types of the configuration, and every other
//! attribute is unknown. The resource as a whole is unknown then, but its configured attributes are
//! not: `x.y.name` is known, `keys(x.y)` is not. `terraform_data` needs no schema file.
//!
//! # Cost
//!
//! Linear in the expressions that are evaluated, in the instances, and in the output. All of it
//! together has a [budget](Inputs::with_budget). Work that exceeds it is reported at its place, and
//! its result is unknown.
//!
//! ```
//! use simd_hcl::Arena;
//! use simd_hcl::directory::{DiscoverOptions, discover};
//! use simd_hcl::expand::{Inputs, Selection};
//! use simd_hcl::tree::{Tree, TreeOptions};
//! use simd_hcl::write::{Layout, to_string};
//!
//! let arena = Arena::new();
//! let found = discover(&["corpus/monorepo/modules/bucket"], &DiscoverOptions::default());
//! let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
//! let inputs = Inputs::new(&arena);
//! let expansion = tree.expand(0, &inputs);
//! let mut addresses = Vec::new();
//! expansion.visit(&Selection::default(), |instance| addresses.push(instance.address().to_owned()));
//! assert!(!addresses.is_empty());
//! let json = to_string(Layout::Compact, |slot| expansion.write(&Selection::default(), slot));
//! assert!(json.contains(r#""planned_values":{"#));
//! ```

mod body;
mod budget;
mod compute;
mod conditions;
mod engine;
mod evaluation;
mod fill;
mod history;
mod ignored;
mod inputs;
mod instance;
mod keys;
mod names;
mod node;
mod observe;
mod observer;
mod plain;
mod provider;
mod refactored;
mod resource;
mod select;
mod shape;
mod shown;
mod spend;
mod state;
mod trees;
mod trigger;
mod until_apply;
mod variable;
mod why;
mod write;

pub(crate) use self::budget::budget_of_bytes;
pub use self::engine::Expansion;
pub(crate) use self::ignored::{Planned, ignored_by, with_ignored};
pub use self::inputs::Inputs;
pub(crate) use self::observe::ObservedCall;
pub(crate) use self::observer::{Observed, Observer};
pub use self::resource::Instance;
pub use self::select::Selection;
pub(crate) use self::shown::push_known;
pub(crate) use self::trigger::Trigger;
pub use self::why::Origin;
pub(crate) use self::write::write_value;

use crate::tree::Tree;

impl<'a> Tree<'a> {
    /// Evaluates the module at `root` in [`Tree::modules`] and the modules that it calls.
    ///
    /// Cost: constant; values are computed when they are asked for.
    ///
    /// # Panics
    /// The tree has no module `root`.
    #[must_use]
    pub fn expand<'t>(&'t self, root: usize, inputs: &'t Inputs<'t, 'a>) -> Expansion<'t, 'a> {
        Expansion::new(self, root, inputs)
    }
}
