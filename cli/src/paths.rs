//! Paths as they are written in output, and as the system takes them.

use std::path::Path;

/// Returns a path with `/` between its names.
pub(crate) fn text(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Returns the working directory for an empty path.
pub(crate) fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}
