//! Files that are replaced in one step.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file in one step: if anything fails, an existing file keeps its old text. Links are
/// followed, permissions are kept. A file inside a plan file cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let (path, permissions) = match fs::canonicalize(path) {
        Ok(path) => {
            let metadata = fs::metadata(&path)?;
            if !metadata.is_file() {
                return Err(io::Error::other("it is not a regular file"));
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
        return Err(io::Error::other("it is not a regular file"));
    };
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(text.as_bytes())?;
    let permissions = match permissions {
        Some(permissions) => permissions,
        // A temporary file is for its owner only; a new file has the permissions of any other.
        None => fs::File::create_new(&path)?.metadata()?.permissions(),
    };
    new.as_file().set_permissions(permissions)?;
    new.persist(&path)?;
    Ok(())
}
