//! Files that `.gitignore` and `.ignore` hide, in a directory and in all above it.
//!
//! The patterns are those of git; a pattern in a lower directory takes precedence, and any pattern of
//! `.ignore` over those of `.gitignore`. The files are opened here, and not by the crate that reads
//! the patterns, since it would read a link to a device, which has no end.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::discovery::{DiscoverProblem, ProblemKind};
use crate::source::{Access, OpenFile};

/// The number of bytes that an ignore file may have.
const MAX_BYTES: u64 = 1 << 20;

/// The patterns that apply to the entries of a directory.
#[derive(Clone, Debug)]
pub(super) struct Ignored {
    /// The directory without links.
    real: PathBuf,
    rules: Option<Arc<Rules>>,
}

/// The patterns of a directory, and of those above it.
#[derive(Debug)]
struct Rules {
    ignore: Gitignore,
    gitignore: Gitignore,
    above: Option<Arc<Rules>>,
}

impl Ignored {
    /// Reads the files of a directory, and of all above it.
    pub(super) fn of(directory: &Path, problems: &mut Vec<DiscoverProblem>) -> Self {
        // A directory that does not exist cannot be listed either.
        let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let all: Vec<&Path> = real.ancestors().collect();
        let rules = all.into_iter().rev().fold(None, |rules, each| {
            let named = if each == real { directory } else { each };
            Rules::of(named, each, rules, problems)
        });
        Self { real, rules }
    }

    /// Reads the files of a directory with that name in this one.
    pub(super) fn enter(
        &self,
        name: &OsStr,
        directory: &Path,
        problems: &mut Vec<DiscoverProblem>,
    ) -> Self {
        let real = self.real.join(name);
        let rules = Rules::of(directory, &real, self.rules.clone(), problems);
        Self { real, rules }
    }

    /// Whether an entry of the directory is hidden.
    pub(super) fn hides(&self, name: &OsStr, is_directory: bool) -> bool {
        if self.rules.is_none() {
            return false;
        }
        let path = self.real.join(name);
        let nearest = |of: fn(&Rules) -> &Gitignore| {
            let mut rules = self.rules.as_deref();
            while let Some(here) = rules {
                let found = of(here).matched(&path, is_directory);
                if !found.is_none() {
                    return found;
                }
                rules = here.above.as_deref();
            }
            Match::None
        };
        nearest(|rules| &rules.ignore).or(nearest(|rules| &rules.gitignore)).is_ignore()
    }
}

impl Rules {
    /// Returns the patterns of a directory and those above it. A problem names the directory as
    /// `named`.
    fn of(
        named: &Path,
        real: &Path,
        above: Option<Arc<Self>>,
        problems: &mut Vec<DiscoverProblem>,
    ) -> Option<Arc<Self>> {
        let mut read = |name: &str| {
            let opened = Access::FOUND.with_limit(MAX_BYTES).open(real.join(name));
            match opened.and_then(OpenFile::read) {
                Ok(text) => patterns(real, &text),
                Err(error) => {
                    if !error.is_missing() {
                        problems.push(DiscoverProblem {
                            path: named.join(name),
                            kind: ProblemKind::UnreadableIgnoreFile,
                            message: error.to_string(),
                        });
                    }
                    Gitignore::empty()
                }
            }
        };
        let (ignore, gitignore) = (read(".ignore"), read(".gitignore"));
        if ignore.is_empty() && gitignore.is_empty() {
            return above;
        }
        Some(Arc::new(Self { ignore, gitignore, above }))
    }
}

/// Reads the patterns of a file. As git does, it leaves out lines that are not patterns.
fn patterns(directory: &Path, text: &[u8]) -> Gitignore {
    let text = String::from_utf8_lossy(text);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let mut builder = GitignoreBuilder::new(directory);
    for line in text.lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
