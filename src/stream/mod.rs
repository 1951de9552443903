//! JSON of any length in bounded memory.
//!
//! [`Reader`] returns the events of an input, and [`Parser`] those of bytes that are fed to it, for
//! callers that must not wait. Verdicts, diagnostics and events are those of whole files
//! ([`Document`](crate::Document)), wherever the input was cut, apart from these:
//!
//! * Events before an error are returned before the error.
//! * An error is an [`OwnedDiagnostic`](crate::OwnedDiagnostic), whose positions are those in the stream.
//! * A name, a string or a number that is longer than [`Options::max_token`] is an error.
//! * A stream in UTF-16 or compressed is not converted.
//!
//! [`records()`] returns the values that a path selects, one document each, and validates everything
//! else without keeping it.
//!
//! [`Templates`] returns the strings with templates.
//!
//! [`Options::is_sequence`] allows documents one after another, as in newline-delimited JSON.
//!
//! Memory: about a megabyte and a half, the events of half a megabyte of text (at most eight times
//! as much), and twice the longest token. Time: linear in the input.
//!
//! ```
//! use simd_hcl::event::Kind;
//! use simd_hcl::stream::Reader;
//!
//! let mut reader = Reader::new(&b"{\"a\": 1,}"[..]);
//! let mut names = 0;
//! let problem = loop {
//!     match reader.next() {
//!         Ok(Some(event)) => names += u32::from(event.kind() == Kind::Key),
//!         Ok(None) => unreachable!("the comma is an error"),
//!         Err(problem) => break problem,
//!     }
//! };
//! assert_eq!((names, problem.range.start.column), (1, 8));
//! assert!(problem.to_string().starts_with("stream:1:8: error[trailing-comma]: "));
//! ```

mod core;
mod event;
mod options;
mod path;
mod records;
mod templates;
#[cfg(test)]
mod tests;

pub use self::event::{Event, Parser, Reader};
pub use self::options::Options;
pub use self::path::{Path, PathError};
pub use self::records::{Record, Records, records};
pub use self::templates::{Template, Templates};
