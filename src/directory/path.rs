//! Compares and normalizes the paths of files and directories.

use std::path::{Path, PathBuf, is_separator};

use super::location::Location;
use crate::file::or_here;

/// Returns the directory of a file.
pub(super) fn directory_of(path: &Path) -> &Path {
    or_here(path.parent().unwrap_or(Path::new("")))
}

/// Returns bytes that compare like the components of the path, one after the other: names have no
/// NUL bytes. The current directory comes before all others.
pub(super) fn components(path: &Location) -> Vec<u8> {
    let is_separator = |byte: u8| match path {
        Location::Disk(_) => is_separator(byte.into()),
        Location::Memory(_) => byte == b'/',
    };
    let bytes = match path.as_encoded_bytes() {
        b"." => &[],
        bytes => bytes,
    };
    bytes.iter().map(|&byte| if is_separator(byte) { 0 } else { byte }).collect()
}

/// Returns a path without `./` at its start.
pub(super) fn plain(path: &Path) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(rest) if !rest.as_os_str().is_empty() => rest.to_owned(),
        _ => path.to_owned(),
    }
}

/// Returns the path without links, or unchanged if the system reports an error.
pub(super) fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| real_place(path, false))
}

/// Returns the path without links; for a file, which keeps its own name, only its directory is
/// without links. Returns it unchanged if the system reports an error.
pub(super) fn real_place(path: &Path, is_directory: bool) -> PathBuf {
    let real = match path.file_name() {
        Some(name) if !is_directory => {
            directory_of(path).canonicalize().map(|parent| parent.join(name))
        }
        _ => path.canonicalize(),
    };
    real.unwrap_or_else(|_| path.to_owned())
}
