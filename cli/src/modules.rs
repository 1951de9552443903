//! Trees for the commands that read whole modules.

use simd_hcl::Arena;
use simd_hcl::directory::Discovery;
use simd_hcl::tree::{Tree, TreeModule, TreeOptions, TreeTemplate};

use crate::args::{Common, Configuration};
use crate::check::report_absence;
use crate::stats::Stats;
use crate::{Failure, Status, input};

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
    let (discovery, stdin) = input::modules(configuration, common);
    if stdin {
        return Err(Failure::Message("this command reads files and directories only".to_owned()));
    }
    let status = report_absence(&discovery, stdin, common);
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
    module.files.path.to_string_lossy().into_owned()
}

/// The same of a template of Packer.
pub(crate) fn path_of_template(template: &TreeTemplate<'_>) -> String {
    template.files.path.to_string_lossy().into_owned()
}
