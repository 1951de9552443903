//! Groups the files of a walk into modules.
//!
//! The files may come in any order; modules are in the order of their first files. A directory has
//! one module for each family of tools whose files it contains.

use std::path::Path;

use super::location::Location;
use super::walk::Found;
use super::{Given, ModuleFile, ModuleFiles, TESTS};
use crate::dialect::{Dialect, List};
use crate::hash::HashMap;

/// The files of one directory that one family of tools reads.
struct Group<'f> {
    /// The bytes of the directory's path, including the separator at its end.
    prefix: &'f [u8],
    directory: Location,
    separator: u8,
    dialect: Dialect,
    has_configuration: bool,
}

/// Returns the modules of the files in `found`. Cost: linear, and sorting the names of each
/// directory.
pub(super) fn modules(found: Vec<Found>) -> Vec<ModuleFiles> {
    let mut places: HashMap<(&[u8], Dialect), usize> = HashMap::default();
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places_of_files = Vec::with_capacity(found.len());
    for Found { path, name, dialect, kind, .. } in &found {
        let bytes = path.as_encoded_bytes();
        let prefix = bytes.strip_suffix(name.as_encoded_bytes()).unwrap_or(bytes);
        let place = *places.entry((prefix, *dialect)).or_insert_with(|| {
            let directory = path.parent().unwrap_or_else(|| path.clone());
            let separator = path.separator();
            let dialect = *dialect;
            groups.push(Group { prefix, directory, separator, dialect, has_configuration: false });
            groups.len() - 1
        });
        groups[place].has_configuration |= kind.list.declares();
        places_of_files.push(place);
    }
    let module_above = |group: &Group<'_>| {
        if !has_tests(group.dialect) {
            return None;
        }
        let place = *places.get(&(above_tests(group.prefix, group.separator)?, group.dialect))?;
        groups[place].has_configuration.then_some(place)
    };
    let places_of_tests: Vec<Option<usize>> = groups.iter().map(module_above).collect();
    let have_configuration: Vec<bool> = groups.iter().map(|it| it.has_configuration).collect();
    let mut modules: Vec<(_, _, Vec<ModuleFile>)> =
        groups.iter().map(|group| (group.directory.clone(), group.dialect, Vec::new())).collect();
    for (Found { path, mut name, kind, is_regular, .. }, mut place) in
        found.into_iter().zip(places_of_files)
    {
        let is_of_tests = match kind.list {
            List::Test => true,
            // Variable values for tests, unless they belong to a separate module.
            List::Variables => !have_configuration[place],
            _ => false,
        };
        if let Some(above) = places_of_tests[place].filter(|_| is_of_tests) {
            place = above;
            name = Path::new(TESTS).join(name).into_os_string();
        }
        let file = ModuleFile::new(name, path, kind);
        modules[place].2.push(ModuleFile { given: Given::Found, is_regular, ..file });
    }
    modules
        .into_iter()
        // The module above may have taken all its tests.
        .filter(|(_, _, files)| !files.is_empty())
        .map(|(path, dialect, files)| ModuleFiles::of_directory(path, dialect, files))
        .collect()
}

/// Whether a tool has a separate directory for tests. Packer does not.
pub(super) fn has_tests(dialect: Dialect) -> bool {
    dialect != Dialect::Packer
}

/// Returns the prefix of the directory above a directory named `tests`.
fn above_tests(prefix: &[u8], separator: u8) -> Option<&[u8]> {
    let above = prefix.strip_suffix(&[separator])?.strip_suffix(TESTS.as_bytes())?;
    // Paths in memory do not start with `./`.
    (above.is_empty() || above.ends_with(&[separator])).then_some(above)
}
