//! Copies of files that have URLs, and paths that could not be read.

use std::borrow::Cow;
use std::path::{PathBuf, is_separator};
use std::sync::Arc;

/// A path that could not be read, or only in part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The path.
    pub path: String,
    /// Why.
    pub why: String,
}

/// Copies of files that have URLs. Rows name the URLs.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    of: Arc<[(PathBuf, String)]>,
    pub(crate) missing: Arc<[Gap]>,
}

impl Copies {
    /// Files and directories, each with its URL, without a slash at the end; and what could not be
    /// copied.
    #[must_use]
    pub fn new(copies: Vec<(PathBuf, String)>, missing: Vec<Gap>) -> Self {
        Self { of: copies.into(), missing: missing.into() }
    }

    /// Whether nothing is a copy.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Returns the name that rows give a path: its URL, if it is one of a copy.
    #[must_use]
    pub fn name_of<'p>(&self, path: &'p str) -> Cow<'p, str> {
        for (directory, url) in &*self.of {
            let rest = path.strip_prefix(&*directory.to_string_lossy());
            if let Some(rest) = rest.filter(|it| it.is_empty() || it.starts_with(is_separator)) {
                return format!("{url}{}", rest.replace(is_separator, "/")).into();
            }
        }
        path.into()
    }
}
