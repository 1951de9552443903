//! Edits of files: changes of attributes, blocks and values in either syntax, which keep every other
//! byte.
//!
//! * [`FileEdits`]: the changes of one file. They are recorded by the bytes of the parsed file,
//!   made together in the file's own style, and proven: the new text is parsed again, and if its
//!   content is not the intended one, nothing is edited.
//! * [`TextEdits`]: bytes to replace, in order, without overlaps: the result of all edits.
//!
//! Layout, and the bytes around a change:
//!
//! * A removed item takes with it its lines, the comments that belong to it, and one of the runs of
//!   blank lines around it.
//! * An added attribute has the indentation of its neighbours. If the lines that it joins were
//!   aligned, they are aligned again; otherwise they are left as they are.
//! * An object or a list keeps its form: on one line or several, with or without commas at the end,
//!   with keys in quotes or without.
//! * JSON keeps its separators, minified or pretty. A second block of a type makes an array of an object.
//! * Line ends, tabs and a byte order mark stay as they are. A new heredoc whose lines would end otherwise,
//!   which is a part of its value, becomes a string in quotes.

mod align;
mod body;
mod bytes;
mod constructor;
mod file;
mod json;
mod layout;
mod lines;
mod node;
mod prove;
mod refusal;
mod template;
mod value;

pub use self::bytes::{Conflict, Edit, TextEdits};
pub use self::file::{Edited, FileEdits};
pub(crate) use self::layout::reindented;
pub(crate) use self::lines::comments_of_item;
pub use self::refusal::Refusal;
pub(crate) use self::template::TemplateNames;
pub use self::value::{InvalidText, NewBlock, NewValue, ValueStep};
