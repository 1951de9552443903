//! Paths of files and directories, and when they are the same.

use std::path::{Path, PathBuf, is_separator};

/// The directory of a file.
pub(super) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Bytes that compare as the components of the path do, one after the other: no name holds a NUL.
/// The current directory comes before all others.
pub(super) fn components(path: &Path) -> Vec<u8> {
    if path == Path::new(".") {
        return Vec::new();
    }
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|&byte| if is_separator(byte.into()) { 0 } else { byte }).collect()
}

/// A path without `./` at its start.
pub(super) fn plain(path: &Path) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(rest) if !rest.as_os_str().is_empty() => rest.to_owned(),
        _ => path.to_owned(),
    }
}

/// The path without links; as it is where the system does not say.
pub(super) fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| real_place(path, false))
}

/// The path without links; that of a file, which goes by its own name, without links in its
/// directory. As it is where the system does not say.
pub(super) fn real_place(path: &Path, is_directory: bool) -> PathBuf {
    let real = match path.file_name() {
        Some(name) if !is_directory => {
            directory_of(path).canonicalize().map(|parent| parent.join(name))
        }
        _ => path.canonicalize(),
    };
    real.unwrap_or_else(|_| path.to_owned())
}
