//! How commands end: exit statuses, and why a command could not run.

use std::io;

/// How a command that ran ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing is wrong; warnings may have been found.
    Clean = 0,
    /// An error was found.
    Found = 1,
    /// A part of what was asked for could not be done.
    CouldNotRun = 2,
}

/// Why a command could not run, or go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message for the user.
    Message(String),
    /// Writing the results failed.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
