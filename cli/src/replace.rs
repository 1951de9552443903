//! Atomic replacement of files.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file atomically: if anything fails, an existing file keeps its old text. Follows links,
/// keeps permissions. A file inside a plan file cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let (path, permissions) = match fs::canonicalize(path) {
        Ok(path) => {
            let metadata = fs::metadata(&path)?;
            if !metadata.is_file() {
                return Err(io::Error::other("not a regular file"));
            }
            if metadata.permissions().readonly() {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            (path, Some(metadata.permissions()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), None),
        Err(error) => return Err(error),
    };
    let Some(directory) = path.parent() else {
        return Err(io::Error::other("not a regular file"));
    };
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(text.as_bytes())?;
    let permissions = match permissions {
        Some(permissions) => permissions,
        // Only the owner can read a temporary file; a new file gets the default permissions.
        None => fs::File::create_new(&path)?.metadata()?.permissions(),
    };
    new.as_file().set_permissions(permissions)?;
    new.persist(&path)?;
    Ok(())
}
