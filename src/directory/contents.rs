//! Modules of files whose content is in memory: in a browser, an archive or a test.

use super::discovery::DiscoverOptions;
use super::location::{Location, MemoryFiles, MemoryPath};
use super::path::components;
use super::walk::{Found, SKIPPED, Wanted};
use super::{ModuleFiles, group};
use crate::dialect::Dialect;

/// Returns the modules of files in memory, for [`Tree::load`](crate::tree::Tree::load) and the
/// functions that decode files: as [`discover`](super::discover()) finds them in directories.
///
/// Names that no tool reads are left out. Only files of `dialect` are found, or those of all
/// dialects.
///
/// Modules that these modules call are looked for among the files, never in the file system.
///
/// Cost: linear in the names, and sorting them. The contents are shared, and copied into the arena
/// when they are decoded.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::directory::{MemoryFiles, in_memory};
/// use simd_hcl::tree::{Tree, TreeOptions};
///
/// let mut files = MemoryFiles::new("");
/// files.insert("main.tf", (*b"module \"net\" {\n  source = \"./net\"\n}\n").into())?;
/// files.insert("net/main.tf", (*b"output \"id\" {\n  value = var.missing\n}\n").into())?;
/// let modules = in_memory(files, None);
/// assert_eq!(modules.len(), 2);
/// let arena = Arena::new();
/// let tree = Tree::load(&arena, modules, &TreeOptions::default());
/// let found: Vec<_> = tree.diagnostics().map(|it| (it.source().name(), it.code().as_str())).collect();
/// assert_eq!(found, [("net/main.tf", "undeclared-reference")]);
/// # Ok::<(), simd_hcl::directory::InvalidPath>(())
/// ```
#[must_use]
pub fn in_memory(files: MemoryFiles, dialect: Option<Dialect>) -> Vec<ModuleFiles> {
    in_memory_below(&files.into_root(), dialect)
}

/// Returns the modules of files in memory in a directory and below; for the path of a file, that file
/// as a module of its own. Otherwise like [`in_memory`].
#[must_use]
pub fn in_memory_below(root: &MemoryPath, dialect: Option<Dialect>) -> Vec<ModuleFiles> {
    if root.content().is_some() {
        return vec![ModuleFiles::of_file(root.clone(), dialect)];
    }
    let wanted = Wanted::of(&DiscoverOptions::default().with_dialect(dialect));
    let found = root.below().filter_map(|relative| {
        let (directories, name) = relative.rsplit_once('/').unwrap_or(("", relative));
        if directories.split('/').any(|part| SKIPPED.contains(&part)) {
            return None;
        }
        let (dialect, kind) = wanted.kind(name.as_ref())?;
        let path = Location::Memory(root.join(relative));
        Some(Found { path, name: name.into(), dialect, kind, is_regular: true })
    });
    let mut modules = group::modules(found.collect());
    modules.sort_by_cached_key(|module| (components(&module.path), module.dialect));
    modules
}
