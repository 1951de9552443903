//! The directory that is written beside the target, and takes its place.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::{ExportError, Result, at};

/// A directory beside the target that is removed unless it is published.
pub(super) struct Staging {
    path: PathBuf,
    /// Locked as long as the export runs.
    _lock: File,
}

impl Staging {
    pub(super) fn create(target: &Path) -> Result<Self> {
        let name = target.file_name().ok_or_else(|| {
            ExportError::Refused(format!("{}: not the name of a directory", target.display()))
        })?;
        let parent = target.parent().unwrap_or(Path::new(""));
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        fs::create_dir_all(parent).map_err(at(parent))?;
        let path = parent.join(format!(".{}.staging", name.to_string_lossy()));
        let lock_path = path.join(".lock");
        if let Ok(lock) = File::open(&lock_path)
            && lock.try_lock().is_err()
        {
            let message = format!("{}: another export is writing it", target.display());
            return Err(ExportError::Refused(message));
        }
        // A killed run has left it.
        if path.exists() {
            fs::remove_dir_all(&path).map_err(at(&path))?;
        }
        fs::create_dir(&path).map_err(at(&path))?;
        let lock = File::create(&lock_path).map_err(at(&lock_path))?;
        lock.lock().map_err(at(&lock_path))?;
        Ok(Self { path, _lock: lock })
    }

    /// The directory.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the directory in the place of the target.
    pub(super) fn publish(self, target: &Path) -> Result<()> {
        let lock = self.path.join(".lock");
        fs::remove_file(&lock).map_err(at(&lock))?;
        if !target.exists() {
            return fs::rename(&self.path, target).map_err(at(target));
        }
        if exchange(&self.path, target).is_ok() {
            // Only the earlier export is left, which `drop` removes.
            return Ok(());
        }
        let old = self.path.with_extension("old");
        fs::rename(target, &old).map_err(at(target))?;
        fs::rename(&self.path, target).map_err(at(target))?;
        fs::remove_dir_all(&old).map_err(at(&old))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // It may have been published.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Exchanges two directories in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The entries of a directory, sorted.
pub(super) fn list(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).map_err(at(directory))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(at(directory))?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Makes a file appear under another name; on file systems without links it is copied.
pub(super) fn link(from: &Path, to: &Path) -> Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(_) => fs::copy(from, to).map(|_| ()).map_err(at(to)),
    }
}
