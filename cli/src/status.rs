//! Exit statuses of commands, and failures.

use std::io;

/// The exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// No error was found; there may be warnings.
    Clean = 0,
    /// An error was found.
    Found = 1,
    /// The command, or a part of it, could not run.
    CouldNotRun = 2,
}

/// The reason why a command could not run or continue.
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
