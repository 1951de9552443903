//! Files of Terragrunt that set the variables of a module, or use its outputs.

use simd_hcl::Arena;
use simd_hcl::directory::Roots;
use simd_hcl::module::Object;
use simd_hcl::refactor::{FoundUnits, UnitFile, find_units};
use simd_hcl::source::Access;

use crate::args::Common;
use crate::input;
use crate::paths::or_here;
use crate::refactored::Repository;

/// Returns the files that name an object of a module, and adds those to the gaps that may name it, but
/// whose module is not known, or that other modules share.
pub(crate) fn of<'a>(
    repository: &mut Repository<'a>,
    module: usize,
    object: Object<'_>,
    arena: &'a Arena,
    common: &Common,
) -> Vec<UnitFile<'a>> {
    let owner = repository.tree.modules()[module].files.directory();
    let Some(owner) = owner.disk() else { return Vec::new() };
    let roots = Roots::around([&repository.directory]);
    let places = (&*repository.directory, or_here(owner));
    let FoundUnits { files, gaps, .. } =
        find_units(arena, places, object, common.follow_links, &mut |path| {
            let found = input::found(arena, path, (&roots, Access::FOUND), common);
            found.map_err(|error| error.to_string())
        });
    for gap in gaps {
        repository.incomplete.add(gap.what, gap.place, gap.why);
    }
    files
}
