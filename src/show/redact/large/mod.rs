//! Redaction of input of any length: it is read several times, record by record.
//!
//! A *record* is a change, a resource among values, in a configuration or in a state file. All
//! other text is the *skeleton*, an ordinary document in which one empty object stands for each row
//! of records. It is kept, as are marks and the texts of secrets. The passes are:
//!
//! 1. The skeleton, and the marks of all changes.
//! 2. The secrets of all records. Resources among values have the marks of changes, too.
//! 3. Resources without own marks, if a change has marks and its value was not found.
//! 4. The configuration, if a mark was found after it.
//! 5. Each record is searched for all secrets, and written.
//!
//! The result is the same as for a whole document, since both read the same parts with the same
//! code.

mod core;
mod first;
mod interned;
mod origin;
mod pieces;
mod read;
mod row;
mod search;

pub use self::core::Large;
pub use self::pieces::{Input, Refusal};
pub use self::row::{Row, RowKind};
