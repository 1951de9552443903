//! The Language Server Protocol, version 3.17.
//!
//! One thread owns the [`Workspace`](simd_hcl::workspace::Workspace): it takes changes in the order in
//! which they arrive. Requests that read are answered by other threads from a snapshot, so an edit
//! never waits for them. A request that is cancelled while it waits is not answered from the tree; the
//! answer of one that is cancelled later is dropped.
//!
//! * `protocol` has all types of the protocol.
//! * `lines` converts bytes into positions of UTF-8, UTF-16 or UTF-32, and back.
//! * `session` has the capabilities and folders that the client announced, `documents` the open
//!   files, and `text` their texts.
//! * `opening` reads the folders in a thread of its own, and open files meanwhile.
//! * `waiting` bounds what waits: a client that does not read its answers, or sends faster than they
//!   are computed, waits as well.
//! * `requests` has one file for each request, and the table of all.
//! * `diagnostics` turns findings into diagnostics, and publishes them.
//!
//! Where panics unwind, a panic in a request is an error of that request only. Nothing is written
//! to disk, and no other program is started.

mod diagnostics;
mod documents;
mod lines;
mod opening;
mod protocol;
mod requests;
mod server;
mod session;
mod text;
mod uri;
mod waiting;

use std::path::PathBuf;

use simd_hcl::workspace::Options;

pub use self::requests::{METHODS, Method};
pub use self::server::run;

/// Provides the settings of the program that runs a server.
pub trait Host: Send {
    /// The options of a workspace of some directories, from the settings that apply there.
    ///
    /// # Errors
    /// The settings cannot be read: why, as a text for people.
    fn options(&mut self, directories: &[PathBuf]) -> Result<Options, String>;

    /// Whether a file has settings, so that options are asked for again when it changes.
    fn is_settings(&self, path: &std::path::Path) -> bool;
}
