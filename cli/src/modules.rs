//! Trees for the commands that read whole modules.

use simd_hcl::Arena;
use simd_hcl::directory::{Discovery, ModuleFiles};
use simd_hcl::tree::{Tree, TreeModule, TreeOptions, TreeTemplate};

use crate::args::{Common, Configuration};
use crate::check::report_absence;
use crate::input;
use crate::stats::Stats;
use crate::status::{Failure, Status};

/// Loads everything that the paths name, and hands it to `work`.
pub(crate) fn with_tree<T>(
    configuration: &Configuration,
    common: &Common,
    work: impl FnOnce(&Tree<'_>) -> Result<T, Failure>,
) -> Result<(T, Status), Failure> {
    with_tree_in(configuration, common, |_, tree| work(tree))
}

/// The same, with the arena that the tree lives in.
pub(crate) fn with_tree_in<T>(
    configuration: &Configuration,
    common: &Common,
    work: impl for<'a> FnOnce(&'a Arena, &Tree<'a>) -> Result<T, Failure>,
) -> Result<(T, Status), Failure> {
    let options = input::decode_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let discovery = input::modules(configuration, common)?;
    let status = report_absence(&discovery, common);
    let Discovery { modules, .. } = discovery;
    let pool = input::thread_pool(common)?;
    stats.threads = pool.current_num_threads();
    stats.modules = modules.len();
    let mut arena = Arena::new();
    let result = {
        let options = TreeOptions::default().with_decode(options);
        let tree = pool.install(|| Tree::load(&arena, modules, &options));
        for source in tree.sources() {
            stats.files += 1;
            stats.bytes += source.bytes().len() as u64;
        }
        work(&arena, &tree)?
    };
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok((result, status))
}

/// A module's directory, as it is printed.
pub(crate) fn path_of(module: &TreeModule<'_>) -> String {
    path_of_files(&module.files)
}

/// The same of a template of Packer.
pub(crate) fn path_of_template(template: &TreeTemplate<'_>) -> String {
    path_of_files(&template.files)
}

/// The path of some files, or the name of standard input, as it is printed.
pub(crate) fn path_of_files(files: &ModuleFiles) -> String {
    let name = input::stdin_name(&files.path).map(str::to_owned);
    name.unwrap_or_else(|| files.path.to_string_lossy().into_owned())
}
