//! Paths as they are written in output, and as the system takes them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use simd_hcl::suggest::nearest;

/// Returns a path with `/` between its names.
pub(crate) fn text(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Whether a path with slashes is that of a file that declares a unit of Terragrunt, or a stack of them.
pub(crate) fn is_unit(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["terragrunt.hcl", "terragrunt.stack.hcl"].contains(&name)
}

/// Returns the working directory for an empty path.
pub(crate) fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Returns a path from the working directory, if it is below it; otherwise the path itself.
pub(crate) fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).to_owned()
}

/// The entry of its directory whose name is most like that of a path which does not exist.
pub(crate) fn nearest_entry(path: &Path) -> Option<PathBuf> {
    let entries = or_here(path.parent()?).read_dir().into_iter().flatten().flatten();
    let names: BTreeSet<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let name = path.file_name()?.to_string_lossy();
    nearest(&name, names.iter().map(String::as_str)).map(|near| path.with_file_name(near))
}
