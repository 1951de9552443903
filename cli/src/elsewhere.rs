//! Places that set a variable of a module and that no refactoring changes: sections of the settings, and
//! files of variables that only a command line names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use simd_hcl::dialect::{Dialect, List};
use simd_hcl::directory::ModuleFiles;
use simd_hcl::refactor::has_word;

use crate::args::Common;
use crate::git::canonical;
use crate::paths::or_here;
use crate::refactored::Repository;
use crate::root_section::Values;
use crate::roots::values_of;
use crate::settings::{self, Settings};
use crate::status::Failure;

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
    let below = FilesBelow::of(repository);
    for &place in modules {
        let module = &repository.tree.modules()[place];
        let Some(directory) = module.files.directory().disk().map(Path::to_owned) else { continue };
        let known = values_of(&module.files, settings.roots(), &mut repository.incomplete)?;
        if let Some((file, why)) = section(&settings, &directory, variable)? {
            repository.incomplete.add("file", file.to_string_lossy(), why);
        }
        let known: Result<BTreeSet<PathBuf>, Failure> =
            known.iter().map(|file| canonical(file)).collect();
        let known = known?;
        for file in below.of_module(or_here(&directory)) {
            if !known.contains(&canonical(file)?) && has_name(file, variable) {
                let why = "not changed: a file of variables that has the name, and that no section \
                           [[root]] of the settings gives to the module";
                repository.incomplete.add("file", file.to_string_lossy(), why);
            }
        }
    }
    Ok(())
}

/// The settings, if they set a variable of the module in a directory, which no refactoring changes: the file,
/// and why it stays.
pub(crate) fn section<'s>(
    settings: &'s Settings,
    directory: &Path,
    variable: &str,
) -> Result<Option<(&'s Path, &'static str)>, Failure> {
    let values = Values::of(settings.roots(), directory)?.unwrap_or_default();
    let is_set = values.variables.iter().any(|(name, _)| name == variable);
    let file = settings.file().unwrap_or(Path::new(settings::NAME));
    let why = "not changed: a section [[root]] sets the variable";
    Ok(is_set.then_some((file, why)))
}

/// The files of variables that the tools read only if they are named, by the directory of the nearest module
/// above them.
struct FilesBelow(BTreeMap<PathBuf, Vec<PathBuf>>);

impl FilesBelow {
    fn of(repository: &Repository<'_>) -> Self {
        let directory_of = |files: &ModuleFiles| files.directory().disk().map(Path::to_owned);
        let modules = repository.tree.given().filter_map(|module| directory_of(&module.files));
        let modules: BTreeSet<PathBuf> = modules.map(|it| or_here(&it).to_owned()).collect();
        let mut files: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for named in repository.named.iter().filter(|it| it.dialect != Dialect::Packer) {
            let Some(directory) = directory_of(named) else { continue };
            let mut above = or_here(&directory).ancestors().map(or_here);
            let Some(module) = above.find(|above| modules.contains(*above)) else { continue };
            let values = named.files.iter().filter(|file| file.kind.list == List::Variables);
            let paths = values.filter_map(|file| file.path.disk()).map(Path::to_owned);
            files.entry(module.to_owned()).or_default().extend(paths);
        }
        Self(files)
    }

    fn of_module(&self, directory: &Path) -> &[PathBuf] {
        self.0.get(directory).map_or(&[], Vec::as_slice)
    }
}

/// Whether a file has a name as a word of its own. One that cannot be read, or is large, may have it.
fn has_name(file: &Path, name: &str) -> bool {
    let is_large = file.metadata().map_or(true, |found| found.len() > MOST_BYTES);
    if is_large {
        return true;
    }
    std::fs::read(file).map_or(true, |text| has_word(&text, name))
}
