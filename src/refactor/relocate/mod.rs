//! Moves an object: to another file of its module, into a module that it calls, or out of a module
//! into the one that calls it.
//!
//! Values that cross the border of a module are passed as variables and outputs, and a `moved`
//! block tells the tools about the new address of a resource.
//!
//! ```
//! use simd_hcl::module::Object;
//! use simd_hcl::refactor::relocate::{Destination, Request};
//!
//! let request = Request::new(0, Object::Local("size"), Destination::File("locals.tf"));
//! assert!(request.has_moved);
//! ```

mod across;
mod item;
mod new_file;
mod request;
mod within;

pub use self::request::{Destination, Request};

use super::change::{Change, Refusal};
use crate::directory::DecodeOptions;
use crate::tree::{Origin, Tree};

/// The edits that move an object.
///
/// Cost: the places of the module and of the other one; the files that change are parsed again.
///
/// # Errors
/// The object cannot be there, or what it uses cannot be passed: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
) -> Result<Change<'a>, Refusal> {
    let refused = |why: &str| Err(Refusal::Unsupported(why.to_owned()));
    let Some(owner) = tree.modules().get(request.module) else { return refused("no such module") };
    if owner.origin == Origin::Installed {
        return refused("the module is installed: change it where it comes from");
    }
    match request.to {
        Destination::File(name) => {
            within::plan(tree, options, (request.module, request.object), name)
        }
        Destination::Call(name) => across::into_call(tree, options, request, name),
        Destination::Module(other) => across::to_module(tree, options, request, other),
    }
}
