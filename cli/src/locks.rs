//! Lock files of modules, `.terraform.lock.hcl`. Discovery leaves them out unless they are named.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use simd_hcl::dialect::Dialect;
use simd_hcl::directory::Roots;
use simd_hcl::module::LockFile;
use simd_hcl::source::{Access, SourceError};
use simd_hcl::tree::Tree;
use simd_hcl::{Arena, ParsedFile};

use crate::args::Common;
use crate::incomplete::Incomplete;
use crate::input;

const NAME: &str = ".terraform.lock.hcl";

/// The number of bytes that a lock file may have.
const MAX_BYTES: u64 = 1 << 22;

/// A provider whose version is locked.
pub(crate) struct Locked {
    /// Host, namespace and type.
    pub(crate) parts: [String; 3],
    pub(crate) version: Option<String>,
}

/// Returns the locked providers of the given modules of a tree. A file that cannot be read is a gap.
pub(crate) fn of_tree(
    tree: &Tree<'_>,
    common: &Common,
    incomplete: &mut Incomplete,
) -> Vec<Locked> {
    let arena = Arena::new();
    let mut all = Vec::new();
    for (dialect, file) in files_of(&arena, tree, common, incomplete) {
        let locks = LockFile::read(dialect, file.body(), &mut ());
        all.extend(locks.providers.iter().map(|provider| Locked {
            parts: provider.source.parts_in(dialect),
            version: provider.version.map(str::to_owned),
        }));
    }
    all
}

/// Returns the lock files of the given modules of a tree, with the dialects of the modules. A file that
/// cannot be read is a gap.
pub(crate) fn files_of<'a>(
    arena: &'a Arena,
    tree: &Tree<'_>,
    common: &Common,
    incomplete: &mut Incomplete,
) -> Vec<(Dialect, ParsedFile<'a>)> {
    let mut all = Vec::new();
    let given = tree.given().map(|module| module.files.directory());
    let roots = Roots::around(given.filter_map(|it| it.disk().map(Path::to_owned)));
    // A module and a stack may be in one directory.
    let mut seen = BTreeSet::new();
    for module in tree.given() {
        let directory = module.files.directory();
        let Some(path) = directory.disk().map(|directory| directory.join(NAME)) else { continue };
        if !seen.insert(path.clone()) {
            continue;
        }
        let name = path.to_string_lossy();
        let access = Access::FOUND.with_limit(MAX_BYTES);
        let source = match input::found(arena, &path, (&roots, access), common) {
            Ok(source) => source,
            Err(SourceError::Io(error)) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => {
                incomplete.add_file(&name, &error.to_string());
                continue;
            }
        };
        let file = ParsedFile::native(arena, source);
        if !file.is_complete() {
            incomplete.add_file(&name, "it has a syntax error");
        }
        all.push((module.files.dialect, file));
    }
    all
}
