//! The inputs of root modules for `affected`: those of the settings; without settings, every file
//! of variables in the directory of a root module counts, since a command line may name it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use simd_hcl::Arena;
use simd_hcl::dialect::{Dialect, FileKind, List};
use simd_hcl::directory::{Location, ModuleFiles};
use simd_hcl::expand::Inputs;
use simd_hcl::impact::RootInputs;
use simd_hcl::terragrunt::{Run as UnitRun, RunArgument};
use simd_hcl::tree::{Tree, TreeModule};

use super::ChangedSettings;
use crate::args::Common;
use crate::expand;
use crate::incomplete::Incomplete;
use crate::paths::or_here;
use crate::root_section::{Section, Values};
use crate::status::Failure;
use crate::unit_impact::RunValues;

/// The number of files of variables in one directory that are tried.
const MOST_FILES: usize = 32;

/// How the root modules of a tree are run.
pub(crate) struct Run<'c> {
    common: &'c Common,
    /// The values of the settings, by directory.
    settings: BTreeMap<PathBuf, Values>,
    /// The directories of modules that are not run by themselves.
    left_out: BTreeSet<PathBuf>,
    /// The settings, and the directories whose values they change.
    changed: Option<(PathBuf, BTreeSet<PathBuf>)>,
    /// The files of variables that may be named, by directory.
    named: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// The directories with more files than are tried, of the modules that were evaluated.
    cut: Mutex<BTreeSet<PathBuf>>,
}

impl<'c> Run<'c> {
    /// Returns the inputs of all modules of a tree, and adds files of variables that do not exist to the
    /// gaps.
    pub(crate) fn of(
        tree: &Tree<'_>,
        sections: &[Section],
        common: &'c Common,
        incomplete: &mut Incomplete,
    ) -> Result<Self, Failure> {
        let mut run = Self {
            common,
            settings: BTreeMap::new(),
            left_out: BTreeSet::new(),
            changed: None,
            named: BTreeMap::new(),
            cut: Mutex::default(),
        };
        for module in tree.given() {
            let Location::Disk(directory) = module.files.directory() else { continue };
            if let Some(values) = Values::of(sections, &directory)? {
                super::add_missing(&values, incomplete);
                run.settings.insert(directory, values);
                continue;
            }
            let files = named(&directory, module.files.dialect, incomplete);
            if !files.is_empty() {
                run.named.insert(directory, files);
            }
        }
        Ok(run)
    }

    /// Leaves out the modules that are not run by themselves, by their directories.
    ///
    /// # Errors
    /// Those of `is_run`.
    pub(crate) fn leave_out(
        &mut self,
        tree: &Tree<'_>,
        is_run: impl Fn(&str) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        for module in tree.given() {
            if let Location::Disk(directory) = module.files.directory()
                && is_run(&directory.to_string_lossy())?
            {
                self.left_out.insert(directory);
            }
        }
        Ok(())
    }

    /// Has changed settings affect the root modules that they run with other values.
    pub(crate) fn add_changed(
        &mut self,
        tree: &Tree<'_>,
        settings: &ChangedSettings,
        sections: &[Section],
    ) {
        let directories =
            tree.given().filter_map(|it| it.files.directory().disk().map(Path::to_owned));
        let directories = directories.filter(|directory| settings.affects(sections, directory));
        self.changed = Some((settings.file().to_owned(), directories.collect()));
    }

    fn is_left_out(&self, module: &TreeModule<'_>) -> bool {
        let directory = module.files.directory();
        directory.disk().is_some_and(|directory| self.left_out.contains(directory))
    }

    /// Adds the files of variables that were not tried.
    pub(crate) fn add_gaps(&self, incomplete: &mut Incomplete) {
        for directory in self.cut.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let count = self.named.get(directory).map_or(0, Vec::len);
            let why = format!(
                "{MOST_FILES} of its {count} files of variables are tried; sections [[root]] of \
                 simd-hcl.toml say which are used"
            );
            incomplete.add("directory", directory.to_string_lossy(), why);
        }
    }

    fn settings_of(&self, module: &TreeModule<'_>) -> Option<&Values> {
        self.settings.get(module.files.directory().disk()?)
    }

    fn named_of(&self, module: &TreeModule<'_>) -> &[PathBuf] {
        let directory = module.files.directory();
        let named = directory.disk().and_then(|directory| self.named.get(directory));
        named.map_or(&[], Vec::as_slice)
    }
}

/// Returns the files of variables that are given to a root module, or may be, and adds those that do not
/// exist to the gaps.
pub(crate) fn values_of(
    files: &ModuleFiles,
    sections: &[Section],
    incomplete: &mut Incomplete,
) -> Result<Vec<PathBuf>, Failure> {
    let Location::Disk(directory) = files.directory() else { return Ok(Vec::new()) };
    let Some(values) = Values::of(sections, &directory)? else {
        return Ok(named(&directory, files.dialect, incomplete));
    };
    super::add_missing(&values, incomplete);
    Ok(values.existing().map(Path::to_owned).collect())
}

/// Files of variables beside some files that the tool reads only if they are named.
pub(crate) fn named_beside(files: &ModuleFiles, incomplete: &mut Incomplete) -> Vec<PathBuf> {
    match files.directory() {
        Location::Disk(directory) => named(&directory, files.dialect, incomplete),
        Location::Memory(_) => Vec::new(),
    }
}

/// Files of variables in a directory that the tools read only if they are named.
fn named(directory: &Path, dialect: Dialect, incomplete: &mut Incomplete) -> Vec<PathBuf> {
    let directory = or_here(directory);
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in entries_of(directory, incomplete) {
        let name = entry.file_name();
        let is_variables =
            FileKind::of_known(&name, dialect).is_some_and(|kind| kind.list == List::Variables);
        if is_variables && FileKind::of(&name, dialect).is_none() {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}

/// The entries of a directory. An entry that cannot be read is a gap.
pub(super) fn entries_of(directory: &Path, incomplete: &mut Incomplete) -> Vec<DirEntry> {
    let mut gap = |error: &io::Error| {
        incomplete.add("directory", directory.to_string_lossy(), error.to_string());
    };
    let entries = directory.read_dir().inspect_err(&mut gap).into_iter().flatten();
    entries.collect::<Vec<_>>().into_iter().filter_map(|it| it.inspect_err(&mut gap).ok()).collect()
}

/// Adds the values of a file of variables.
fn with_file<'i, 'a>(inputs: Inputs<'i, 'a>, file: &Path, common: &Common) -> Inputs<'i, 'a> {
    let arena: &'a Arena = inputs.arena();
    // A problem of a file is an error of the commands that evaluate.
    match expand::file(arena, file, common) {
        Ok(file) => inputs.with_file(file, &mut ()),
        Err(_) => inputs,
    }
}

/// Adds the values of the settings.
fn with_settings<'i, 'a>(
    mut inputs: Inputs<'i, 'a>,
    values: &Values,
    common: &Common,
) -> Inputs<'i, 'a> {
    if let Some(workspace) = &values.workspace {
        inputs = inputs.with_workspace(workspace);
    }
    let inputs = values.existing().fold(inputs, |inputs, file| with_file(inputs, file, common));
    let variables = values.variables.iter();
    variables.fold(inputs, |inputs, (name, text)| inputs.with_variable(name, text))
}

/// The values of units of Terragrunt besides their inputs: those of the settings, which name units by their
/// folders, and over them those of the arguments of the command.
pub(crate) struct UnitValues<'c> {
    pub(crate) sections: &'c [Section],
    pub(crate) changed: Option<&'c ChangedSettings>,
    pub(crate) common: &'c Common,
}

impl UnitValues<'_> {
    fn settings(&self, run: &UnitRun<'_>) -> Option<Values> {
        Values::of(self.sections, Path::new(&run.folder)).ok().flatten()
    }
}

impl RunValues for UnitValues<'_> {
    fn with_values<'i, 'b>(
        &self,
        run: &UnitRun<'_>,
        plain: &dyn Fn() -> Inputs<'i, 'b>,
    ) -> Inputs<'i, 'b> {
        let mut inputs = plain();
        if let Some(values) = self.settings(run) {
            inputs = with_settings(inputs, &values, self.common);
        }
        run.arguments.iter().fold(inputs, |inputs, argument| match argument {
            RunArgument::Variable(name, text) => inputs.with_variable(name, text),
            RunArgument::File(path) => with_file(inputs, path.as_ref(), self.common),
            _ => inputs,
        })
    }

    fn has_values(&self, run: &UnitRun<'_>) -> bool {
        self.settings(run).is_some() || self.changed.is_some()
    }

    fn files(&self, run: &UnitRun<'_>) -> Vec<PathBuf> {
        let settings = self.settings(run).unwrap_or_default();
        let files = settings.files.into_iter().map(|file| file.path);
        let arguments = run.arguments.iter().filter_map(|argument| match argument {
            RunArgument::File(path) => Some(PathBuf::from(path)),
            _ => None,
        });
        let changed = self.changed;
        let changed = changed.filter(|it| it.affects(self.sections, Path::new(&run.folder)));
        let changed = changed.map(|settings| settings.file().to_owned());
        files.chain(arguments).chain(changed).collect()
    }
}

impl RootInputs for Run<'_> {
    fn inputs<'i, 'a>(
        &self,
        module: &TreeModule<'a>,
        plain: &dyn Fn() -> Inputs<'i, 'a>,
    ) -> Vec<Inputs<'i, 'a>> {
        if self.is_left_out(module) {
            return Vec::new();
        }
        if let Some(values) = self.settings_of(module) {
            return vec![with_settings(plain(), values, self.common)];
        }
        let named = self.named_of(module);
        if named.len() > MOST_FILES
            && let Some(directory) = module.files.directory().disk()
        {
            let mut cut = self.cut.lock().unwrap_or_else(PoisonError::into_inner);
            cut.insert(directory.to_owned());
        }
        let named = named.iter().take(MOST_FILES);
        let named = named.map(|file| with_file(plain(), file, self.common));
        [plain()].into_iter().chain(named).collect()
    }

    fn has_inputs(&self, module: &TreeModule<'_>) -> bool {
        if self.is_left_out(module) {
            return false;
        }
        self.settings_of(module).is_some() || !self.named_of(module).is_empty()
    }

    fn files(&self, module: &TreeModule<'_>) -> Vec<PathBuf> {
        let mut files = Vec::new();
        if let Some(values) = self.settings_of(module) {
            let named = values.files.iter().chain(values.backend_files());
            files.extend(named.map(|file| file.path.clone()));
        }
        if let Some((file, directories)) = &self.changed
            && let Some(directory) = module.files.directory().disk()
            && directories.contains(directory)
        {
            files.push(file.clone());
        }
        files
    }

    fn backend(&self, module: &TreeModule<'_>) -> Option<Vec<(String, Option<String>)>> {
        self.settings_of(module)?.backend_texts()
    }
}
