//! Loading of trees, for commands that read whole modules.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use simd_hcl::directory::{Discovery, ModuleFiles};
use simd_hcl::tree::{Tree, TreeModule, TreeOptions, TreeTemplate};
use simd_hcl::{Arena, Severity};

use crate::args::{Common, Configuration, ListFormat};
use crate::finding::Finding;
use crate::incomplete::Incomplete;
use crate::root_section::Section;
use crate::settings::Settings;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::{human, input};

/// The input that an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DependsOn {
    /// The files.
    Files,
    /// The files, and the targets of module calls.
    Calls,
    /// The files and units of Terragrunt, which may stand alone.
    Units,
    /// Likewise; the answer says where files of variables matter.
    UnitsWithoutValues,
    /// The files, the targets of module calls, and units, which may stand alone.
    CallsAndUnits,
}

impl DependsOn {
    fn has_calls(self) -> bool {
        matches!(self, Self::Calls | Self::CallsAndUnits)
    }

    fn has_units(self) -> bool {
        matches!(self, Self::Units | Self::UnitsWithoutValues | Self::CallsAndUnits)
    }
}

/// A tree, and its gaps.
pub(crate) struct Loaded<'t, 'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) tree: &'t Tree<'a>,
    pub(crate) incomplete: &'t Incomplete,
}

/// Loads the modules at the given paths, and passes them to `work`, which prints in `format`. Files
/// that cannot be decoded are errors, which are printed on standard error.
pub(crate) fn with_tree<T>(
    configuration: &Configuration,
    common: &Common,
    depends_on: DependsOn,
    format: ListFormat,
    work: impl for<'a> FnOnce(Loaded<'_, 'a>) -> Result<T, Failure>,
) -> Result<(T, Status), Failure> {
    let options = input::decode_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let mut discovery = input::modules(configuration, common)?;
    input::refuse_too_large(&discovery)?;
    let has_units = depends_on.has_units() && input::takes_units(&mut discovery);
    let status = Incomplete::status_with(&discovery, has_units);
    let mut incomplete = Incomplete::of_discovery(&discovery);
    let Discovery { modules, .. } = discovery;
    let settings = Settings::of(&configuration.paths, common)?;
    let roots = Section::roots(settings.roots(), &modules)?;
    let mut arena = Arena::new();
    let result = {
        let how = (common, depends_on, format, roots);
        with_modules(&arena, modules, &mut incomplete, how, &mut stats, work)
    };
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    result.map(|(result, of_files)| (result, status.max(of_files)))
}

/// Loads modules, and passes them to `work`, as [`with_tree`] does. `roots` are the directories of
/// root modules, as far as they are known.
pub(crate) fn with_modules<'a, T>(
    arena: &'a Arena,
    modules: Vec<ModuleFiles>,
    incomplete: &mut Incomplete,
    (common, depends_on, format, roots): (&Common, DependsOn, ListFormat, BTreeSet<PathBuf>),
    stats: &mut Stats,
    work: impl FnOnce(Loaded<'_, 'a>) -> Result<T, Failure>,
) -> Result<(T, Status), Failure> {
    stats.modules = modules.len();
    let options = TreeOptions::default().with_decode(input::decode_options(common)?);
    let tree = Tree::load(arena, modules, &options.with_roots(roots));
    for source in tree.sources() {
        stats.files += 1;
        stats.bytes += source.bytes().len() as u64;
    }
    match depends_on {
        DependsOn::UnitsWithoutValues => incomplete.add_tree_without_values(&tree),
        _ => incomplete.add_tree(&tree),
    }
    if depends_on.has_calls() {
        incomplete.add_calls(&tree);
    }
    let status = print_undecoded(&tree)?;
    let result = work(Loaded { arena, tree: &tree, incomplete });
    // Printed after a failure, too, since a gap may be its cause.
    let is_in_data = if result.is_ok() { format } else { ListFormat::Human };
    incomplete.print(is_in_data, common);
    result.map(|result| (result, status))
}

/// Prints why requested files could not be decoded.
fn print_undecoded(tree: &Tree<'_>) -> Result<Status, Failure> {
    let of_modules = tree.given().flat_map(|module| &module.undecoded);
    let of_templates = tree.templates().iter().flat_map(|template| &template.undecoded);
    let undecoded: BTreeSet<u32> =
        of_modules.chain(of_templates).map(|source| source.id()).collect();
    let mut status = Status::Clean;
    if undecoded.is_empty() {
        return Ok(status);
    }
    let mut out = anstream::stderr().lock();
    for diagnostic in tree.diagnostics() {
        let is_error = diagnostic.severity() == Severity::Error;
        if is_error && undecoded.contains(&diagnostic.source().id()) {
            status = Status::Found;
            human::write(&Finding::of(diagnostic), &mut out)?;
        }
    }
    Ok(status)
}

/// Returns a path without `.`, and without `..` after a name.
pub(crate) fn cleaned(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(cleaned.components().next_back(), Some(Component::Normal(_))) =>
            {
                cleaned.pop();
            }
            part => cleaned.push(part),
        }
    }
    cleaned
}

/// Returns the directory of a module, as it is printed.
pub(crate) fn path_of(module: &TreeModule<'_>) -> String {
    path_of_files(&module.files)
}

/// Returns the directory of a Packer template, as it is printed.
pub(crate) fn path_of_template(template: &TreeTemplate<'_>) -> String {
    path_of_files(&template.files)
}

/// Returns the directory of these files, as it is printed.
pub(crate) fn path_of_files(files: &ModuleFiles) -> String {
    files.path.to_string_lossy().into_owned()
}
