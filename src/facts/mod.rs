//! Facts about one module that outlive its files: owned, without a lifetime, cheap to keep and to
//! compare.
//!
//! * [`Places`]: everything in the files of a module that names an object, with its bytes.
//!
//! Facts refer to objects by their numbers ([`Module::objects`](crate::module::Module::objects)),
//! and to files by their places in a list of names. A reader that wants more, such as the text around
//! a place, opens the file again.

mod build;
mod collect;
mod files;
mod outside;
mod parts;
mod place;
mod step;
mod target;
mod text;

pub use self::parts::Parts;
pub use self::place::{Place, PlaceUse, Places};
pub use self::target::Target;
