//! Facts about one module that outlive its files: owned, without a lifetime, cheap to keep and to
//! compare.
//!
//! * [`Interface`]: all that a caller of the module may see.
//! * [`Places`]: everything in the files of a module that names an object, with its bytes.
//!
//! Facts refer to objects by their numbers ([`Module::objects`](crate::module::Module::objects)),
//! and to files by their indexes in a list of names. A reader that wants more, such as the text around
//! a place, opens the file again.

mod build;
mod collect;
mod files;
mod interface;
mod opened;
mod outside;
mod parts;
mod place;
mod providers;
mod sorted;
mod step;
mod target;
mod text;
mod wording;

pub use self::collect::{FoundReference, Referred};
pub use self::interface::{Input, Interface, Needs, OutputFacts, ValidationFacts, VariableFacts};
pub(crate) use self::opened::Opened;
pub use self::parts::Parts;
pub use self::place::{Place, PlaceUse, Places};
pub use self::providers::{ConfigName, ProviderAddress, Providers};
pub(crate) use self::step::name_of;
pub use self::target::Target;
