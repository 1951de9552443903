//! Deployments of Terraform's stacks: what the components of each one create, without a provider.
//!
//! [`Deployments::visit`] evaluates the inputs of each deployment, and the modules of the components
//! with the inputs that these get from there, as [`Tree::expand`](crate::tree::Tree::expand) evaluates
//! a root module. A reference to a component has the outputs of its module, and one to a stack in the
//! stack those of that stack.
//!
//! Tokens, stores, and values of other stacks and deployments are unknown, and so is everything that
//! depends on them. [`Deployments::gaps`] has what could not be evaluated.
//!
//! # Cost
//!
//! That of evaluating each instance of a component once to visit it, and once more for each stack
//! around it if others refer to it. All of it together has the budget of one expansion. Stacks in
//! stacks are entered up to 20 levels.
//!
//! ```
//! use simd_hcl::Arena;
//! use simd_hcl::deployments::{Deployments, WithInputs};
//! use simd_hcl::directory::{DiscoverOptions, discover};
//! use simd_hcl::expand::Inputs;
//! use simd_hcl::tree::{Tree, TreeOptions};
//!
//! let folder = std::env::temp_dir().join(format!("simd-hcl-deployments-{}", std::process::id()));
//! std::fs::create_dir_all(folder.join("net"))?;
//! let component = "variable \"size\" { type = number }\n\
//!                  component \"net\" {\n  source = \"./net\"\n  inputs = { size = var.size + 1 }\n}\n";
//! std::fs::write(folder.join("a.tfcomponent.hcl"), component)?;
//! std::fs::write(folder.join("a.tfdeploy.hcl"), "deployment \"prod\" { inputs = { size = 1 } }\n")?;
//! std::fs::write(folder.join("net/main.tf"), "variable \"size\" {}\n")?;
//!
//! let arena = Arena::new();
//! let found = discover(&[&folder], &DiscoverOptions::default());
//! let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
//! let stack = tree.modules().iter().position(|module| module.stack.is_some()).unwrap();
//! let with_inputs: WithInputs<'_, '_> = &|_, work| work(Inputs::new(&arena));
//! let deployments = Deployments::of(&tree, stack, &arena, with_inputs).unwrap();
//! let mut sizes = Vec::new();
//! deployments.visit(&mut |deployment| {
//!     deployment.visit(&mut |component| {
//!         let size = component.expansion.unwrap().variable("size").unwrap();
//!         sizes.push((component.address.to_owned(), size.as_number().and_then(|it| it.as_i64())));
//!     });
//! });
//! assert_eq!(sizes, [("component.net".to_owned(), Some(2))]);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod call;
mod deployment;
mod run;
mod values;

pub use self::call::{Call, calls, uncalled};
pub use self::deployment::{Deployment, Deployments};
pub use self::run::{Component, Gap, WithInputs};
