//! Files of values that set the variables of several modules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::directory::ModuleFiles;

/// Finds a file of values of some modules that is one of another module, too: the file, and the path of
/// that module. A rename of a variable changes it for both. `values` returns the files of a module.
///
/// Cost: that of `values` for each module, and a query of the file system for each file.
///
/// # Errors
/// Those of `values`.
pub fn set_together<'m, E>(
    modules: impl IntoIterator<Item = &'m ModuleFiles>,
    others: impl IntoIterator<Item = &'m ModuleFiles>,
    mut values: impl FnMut(&ModuleFiles) -> Result<Vec<PathBuf>, E>,
) -> Result<Option<(PathBuf, String)>, E> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut own = BTreeSet::new();
    for module in modules {
        own.extend(values(module)?.iter().map(|file| real(file)));
    }
    if own.is_empty() {
        return Ok(None);
    }
    for other in others {
        if let Some(file) = values(other)?.into_iter().find(|file| own.contains(&real(file))) {
            return Ok(Some((file, other.path.to_string_lossy().into_owned())));
        }
    }
    Ok(None)
}
