//! Modules of files whose content is in memory: in a browser, an archive or a test.

use super::discovery::DiscoverOptions;
use super::location::{Location, MemoryFiles};
use super::path::components;
use super::walk::{Found, Wanted};
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
    let paths: Vec<String> = files.paths().map(str::to_owned).collect();
    let root = files.into_root();
    let wanted = Wanted::of(&DiscoverOptions::default().with_dialect(dialect));
    let found = paths.iter().filter_map(|path| {
        let path = root.join(path);
        let name = path.name()?.to_owned();
        let (dialect, kind) = wanted.kind(name.as_ref())?;
        let path = Location::Memory(path);
        Some(Found { path, name: name.into(), dialect, kind, is_regular: true })
    });
    let mut modules = group::modules(found.collect());
    modules.sort_by_cached_key(|module| (components(&module.path), module.dialect));
    modules
}
