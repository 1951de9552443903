//! Modules of files whose content is in memory: in a browser, an archive or a test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::path::{components, plain};
use super::walk::{Found, kind_of};
use super::{ModuleFiles, group};
use crate::dialect::Dialect;

/// Returns the modules of named contents, for [`Tree::load`](crate::tree::Tree::load) and the
/// functions that decode files: as [`discover`](super::discover()) finds them in directories.
///
/// A name is a path with `/`, relative to a directory that the tree has in common. Names that no
/// tool reads are left out. Only files of `dialect` are found, or those of all dialects.
///
/// The content of a module that these modules call is looked for in the file system, unless it is
/// among them; where there is no file system, such a module is missing.
///
/// Cost: linear in the names, and sorting them. The contents are shared, and copied into the arena
/// when they are decoded.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::directory::in_memory;
/// use simd_hcl::tree::{Tree, TreeOptions};
///
/// let files = [
///     ("main.tf", "module \"net\" {\n  source = \"./net\"\n}\n"),
///     ("net/main.tf", "output \"id\" {\n  value = var.missing\n}\n"),
/// ];
/// let modules = in_memory(files.map(|(name, text)| (name.into(), text.as_bytes().into())), None);
/// assert_eq!(modules.len(), 2);
/// let arena = Arena::new();
/// let tree = Tree::load(&arena, modules, &TreeOptions::default());
/// let found: Vec<_> = tree.diagnostics().map(|it| (it.source().name(), it.code().as_str())).collect();
/// assert_eq!(found, [("net/main.tf", "undeclared-reference")]);
/// ```
#[must_use]
pub fn in_memory(
    files: impl IntoIterator<Item = (PathBuf, Arc<[u8]>)>,
    dialect: Option<Dialect>,
) -> Vec<ModuleFiles> {
    let contents: BTreeMap<PathBuf, Arc<[u8]>> =
        files.into_iter().map(|(path, content)| (plain(&path), content)).collect();
    let found = contents.keys().filter_map(|path| {
        let name = path.file_name()?;
        let (dialect, kind) = kind_of(name, dialect)?;
        Some(Found { path: path.clone(), name: name.to_owned(), dialect, kind, is_regular: true })
    });
    let mut modules = group::modules(found.collect());
    for module in &mut modules {
        if module.path.as_os_str().is_empty() {
            module.path = Path::new(".").to_owned();
        }
        for file in &mut module.files {
            file.content = contents.get(&file.path).cloned();
        }
    }
    modules.sort_by_cached_key(|module| (components(&module.path), module.dialect));
    modules
}
