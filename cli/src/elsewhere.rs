//! Places that set a variable of a module and that no refactoring changes: sections of the settings, and
//! files of variables that only a command line names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use simd_hcl::dialect::{FileKind, List};
use simd_hcl::refactor::has_word;

use crate::args::Common;
use crate::git::canonical;
use crate::paths::or_here;
use crate::refactored::Repository;
use crate::root_section::Values;
use crate::roots::values_of;
use crate::settings::{self, Settings};
use crate::status::Failure;

/// The most directories below a module that are searched, and their depth.
const MOST_DIRECTORIES: usize = 1_000;
const DEEPEST: usize = 3;
/// The most bytes of a file that is searched.
const MOST_BYTES: u64 = 1 << 20;

/// Adds the places that set a variable of some modules to the gaps of a repository.
pub(crate) fn add(
    repository: &mut Repository<'_>,
    modules: &[usize],
    variable: &str,
    common: &Common,
) -> Result<(), Failure> {
    let settings = Settings::of(std::slice::from_ref(&repository.directory), common)?;
    for &place in modules {
        let module = &repository.tree.modules()[place];
        let Some(directory) = module.files.directory().disk().map(Path::to_owned) else { continue };
        let values = Values::of(settings.roots(), &directory)?.unwrap_or_default();
        let known = values_of(module, settings.roots(), &mut repository.incomplete)?;
        let dialect = module.files.dialect;
        if values.variables.iter().any(|(name, _)| name == variable) {
            let file = settings.file().unwrap_or(Path::new(settings::NAME));
            let why = "not changed: a section [[root]] sets the variable";
            repository.incomplete.add("file", file.to_string_lossy(), why);
        }
        let known: Result<BTreeSet<PathBuf>, Failure> =
            known.iter().map(|file| canonical(file)).collect();
        let known = known?;
        for file in below(or_here(&directory)) {
            let kind = FileKind::of_known(file.file_name().unwrap_or_default(), dialect);
            if kind.is_some_and(|kind| kind.list == List::Variables)
                && !known.contains(&canonical(&file)?)
                && has_name(&file, variable)
            {
                let why = "not changed: a file of variables that has the name, and that no section \
                           [[root]] of the settings gives to the module";
                repository.incomplete.add("file", file.to_string_lossy(), why);
            }
        }
    }
    Ok(())
}

/// The files in the directories below a module that are no modules themselves.
fn below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![(directory.to_owned(), 0)];
    let mut count = 0;
    while let Some((directory, depth)) = open.pop() {
        count += 1;
        if count > MOST_DIRECTORIES {
            break;
        }
        let entries = directory.read_dir().into_iter().flatten().flatten();
        let (mut own, mut is_module) = (Vec::new(), false);
        let mut inner = Vec::new();
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEEPEST && !name.as_encoded_bytes().starts_with(b".") {
                inner.push((path, depth + 1));
            } else if kind.is_file() {
                let text = name.to_string_lossy();
                is_module |= [".tf", ".tofu", ".tf.json", ".tofu.json"]
                    .iter()
                    .any(|end| text.ends_with(end));
                own.push(path);
            }
        }
        match depth {
            0 => open.extend(inner),
            _ if is_module => {}
            _ => {
                files.append(&mut own);
                open.extend(inner);
            }
        }
    }
    files.sort();
    files
}

/// Whether a file has a name as a word of its own. One that cannot be read, or is large, may have it.
fn has_name(file: &Path, name: &str) -> bool {
    let is_large = file.metadata().map_or(true, |found| found.len() > MOST_BYTES);
    if is_large {
        return true;
    }
    std::fs::read(file).map_or(true, |text| has_word(&text, name))
}
