//! Paths of tools, which must be inside of the roots.

use std::path::{Component, Path, PathBuf};

/// The directories that tools may read.
pub(super) struct Roots {
    /// Without links.
    real: Vec<PathBuf>,
    /// Where relative paths start.
    base: PathBuf,
}

impl Roots {
    pub(super) fn new(roots: &[PathBuf]) -> Self {
        let real: Vec<_> = roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
        let base = real.first().cloned().unwrap_or_default();
        Self { real, base }
    }

    /// A path of a tool as an argument of a command: a regular file, or a directory, since a pipe may
    /// have no end.
    ///
    /// # Errors
    /// It leads out of the roots, does not exist, or is another kind of file.
    pub(super) fn path(&self, written: &str) -> Result<PathBuf, String> {
        let path = self.base.join(written);
        let goes_up = path.components().any(|part| part == Component::ParentDir);
        let real = path.canonicalize();
        // A path that does not exist must not tell that something else does.
        let outside = || format!("{written}: not inside of the roots of the server, or missing");
        let real = real.map_err(|_| outside())?;
        if !self.contains(&real) {
            return Err(outside());
        }
        if !real.is_file() && !real.is_dir() {
            return Err(format!("{written}: not a regular file"));
        }
        Ok(if goes_up || Path::new(written).is_absolute() { real } else { written.into() })
    }

    /// A changed file of a tool, which may have been deleted.
    ///
    /// # Errors
    /// It leads out of the roots.
    pub(super) fn changed(&self, written: &str) -> Result<PathBuf, String> {
        if let Ok(path) = self.path(written) {
            return Ok(path);
        }
        let path = Path::new(written);
        let is_plain =
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let around = self.base.join(path);
        let nearest = around.ancestors().skip(1).find_map(|above| above.canonicalize().ok());
        let exists = around.symlink_metadata().is_ok();
        match is_plain && !exists && nearest.is_some_and(|above| self.contains(&above)) {
            true => Ok(path.to_owned()),
            false => Err(format!("{written}: not inside of the roots of the server")),
        }
    }

    fn contains(&self, real: &Path) -> bool {
        self.real.iter().any(|root| real.starts_with(root))
    }
}
