//! Where links and lists of installed modules may lead: below the given paths, or in the git work trees
//! around them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::path::directory_of;

/// The directories that some paths give access to: each path that is a directory, the directory of
/// each that is a file, and the git work tree around it.
///
/// A link in a repository may lead anywhere, and so may a list of installed modules. What is read or
/// written through it is what its owner wants, not what the user has named.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    paths: Vec<PathBuf>,
    /// The directories without links, looked up when they are first needed.
    real: OnceLock<BTreeSet<PathBuf>>,
}

impl Roots {
    /// Returns the directories that these paths give access to. Cost: constant for each path; the
    /// file system is asked when a path is first looked up.
    pub fn around<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        Self { paths, real: OnceLock::new() }
    }

    /// Returns where a path leads if that is outside of the directories; `None` if it is inside, or
    /// if nothing exists there.
    #[must_use]
    pub fn outside(&self, path: &Path) -> Option<PathBuf> {
        let real = path.canonicalize().ok()?;
        (!self.contains(&real)).then_some(real)
    }

    /// Whether a path without links is in one of the directories. Cost: linear in the parts of the path;
    /// the first time, the file system is asked for the real path of each directory.
    #[must_use]
    pub fn contains(&self, real: &Path) -> bool {
        let directories = self.real.get_or_init(|| {
            let mut directories = BTreeSet::new();
            for path in &self.paths {
                let directory = if path.is_dir() { path } else { directory_of(path) };
                let Ok(directory) = directory.canonicalize() else { continue };
                if is_in(&directory, &directories) {
                    continue;
                }
                let has_git = |it: &&Path| it.join(".git").symlink_metadata().is_ok();
                let widest = directory.ancestors().find(has_git).map(Path::to_owned);
                directories.insert(widest.unwrap_or(directory));
            }
            directories
        });
        is_in(real, directories)
    }
}

fn is_in(path: &Path, directories: &BTreeSet<PathBuf>) -> bool {
    path.ancestors().any(|it| directories.contains(it))
}
