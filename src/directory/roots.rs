//! Where links and lists of installed modules may lead: below the given paths, or in the git work trees
//! around them.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::path::directory_of;
use crate::file::{Resolved, or_here, resolve_inside};

/// The directories that some paths give access to: each path that is a directory, the directory of
/// each that is a file, and the git work tree around it.
///
/// A link in a repository may lead anywhere, and so may a list of installed modules. Files that are
/// read or written through it are those that its owner has chosen, not those that the user has
/// named.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    paths: Vec<PathBuf>,
    /// The directories around all others, without links, unless it is empty.
    within: Vec<PathBuf>,
    /// The directories without links, looked up when they are first needed.
    /// Their real paths, and the first failure to find one.
    real: OnceLock<(BTreeSet<PathBuf>, Option<String>)>,
}

impl Roots {
    /// Returns the directories that these paths give access to. Cost: constant for each path; the
    /// file system is asked when a path is first looked up.
    pub fn around<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        Self { paths, within: Vec::new(), real: OnceLock::new() }
    }

    /// Has nothing outside of some directories count, the git work tree around a path included. Their paths
    /// have no links. Without directories, nothing changes.
    #[must_use]
    pub fn within(mut self, directories: &[PathBuf]) -> Self {
        self.within = directories.to_vec();
        self.real = OnceLock::new();
        self
    }

    /// Returns where a path leads if that is outside of the directories; `None` if it is inside, or if
    /// nothing exists inside. If its last part is a link, nothing outside is looked up, so that the
    /// answer does not tell what exists there.
    #[must_use]
    pub fn outside(&self, path: &Path) -> Option<PathBuf> {
        // The user may have named links to directories.
        let around = path.ancestors().skip(1);
        let mut known = around.filter_map(|it| Some((it, or_here(it).canonicalize().ok()?)));
        let Some((around, real)) = known.next() else {
            return (!self.contains(path)).then(|| path.to_owned());
        };
        let name = path.strip_prefix(around).ok()?;
        let whole = real.join(name);
        if !self.contains(&real) && !self.contains(&whole) {
            return Some(whole);
        }
        let is_inside = |it: &Path| self.contains(it);
        match resolve_inside(&real, name, &self.directories(), &is_inside) {
            Ok(Resolved::Outside(target)) => Some(target),
            Ok(Resolved::Inside(_)) | Err(_) => None,
        }
    }

    /// Whether a path without links is in one of the directories. Cost: linear in the parts of the path;
    /// the first time, the file system is asked for the real path of each directory.
    #[must_use]
    pub fn contains(&self, real: &Path) -> bool {
        is_in(real, &self.located().0)
    }

    /// The directories, without links. Cost: as that of [`contains`](Self::contains).
    #[must_use]
    pub fn directories(&self) -> Vec<&Path> {
        self.located().0.iter().map(PathBuf::as_path).collect()
    }

    /// Why some directory could not be located, other than that it does not exist. Its files seem
    /// to be outside.
    #[cfg(feature = "terragrunt")]
    pub(crate) fn problem(&self) -> Option<&str> {
        self.located().1.as_deref()
    }

    fn located(&self) -> &(BTreeSet<PathBuf>, Option<String>) {
        self.real.get_or_init(|| {
            let mut directories = BTreeSet::new();
            let mut problem = None;
            let mut note = |error: io::Error| {
                if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                    problem.get_or_insert_with(|| error.to_string());
                }
            };
            for path in &self.paths {
                let is_directory = match path.metadata() {
                    Ok(found) => found.is_dir(),
                    Err(error) => {
                        note(error);
                        false
                    }
                };
                let directory = if is_directory { path } else { directory_of(path) };
                let directory = match directory.canonicalize() {
                    Ok(directory) => directory,
                    Err(error) => {
                        note(error);
                        continue;
                    }
                };
                let counts = |it: &&Path| {
                    self.within.is_empty() || self.within.iter().any(|root| it.starts_with(root))
                };
                if is_in(&directory, &directories) || !counts(&&*directory) {
                    continue;
                }
                let has_git = |it: &&Path| match it.join(".git").symlink_metadata() {
                    Ok(_) => true,
                    Err(error) => {
                        note(error);
                        false
                    }
                };
                let around = directory.ancestors().take_while(counts);
                let widest = { around }.find(has_git).map(Path::to_owned);
                directories.insert(widest.unwrap_or(directory));
            }
            (directories, problem)
        })
    }
}

fn is_in(path: &Path, directories: &BTreeSet<PathBuf>) -> bool {
    path.ancestors().any(|it| directories.contains(it))
}
