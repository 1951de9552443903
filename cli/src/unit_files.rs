//! Files of Terragrunt that set the variables of a module, or use its outputs.

use simd_hcl::Arena;
use simd_hcl::directory::Roots;
use simd_hcl::module::Object;
use simd_hcl::refactor::{FoundUnits, UnitFile, UnitTexts, find_units};
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
    let FoundUnits { files, has_units, gaps, .. } =
        find_units(arena, places, object, common.follow_links, &mut |path| {
            let found = input::found(arena, path, (&roots, Access::FOUND), common);
            found.map_err(|error| error.to_string())
        });
    repository.has_units |= has_units;
    for gap in gaps {
        repository.incomplete.add(gap.what, gap.place, gap.why);
    }
    files
}

/// The texts that units put beside the files of their modules. What is not known is added to the gaps.
pub(crate) fn texts<'a>(
    repository: &mut Repository<'a>,
    arena: &'a Arena,
    common: &Common,
) -> UnitTexts {
    if repository.is_stdin {
        return UnitTexts::default();
    }
    let roots = Roots::around([&repository.directory]);
    let texts = UnitTexts::find(&repository.directory, common.follow_links, &mut |path| {
        let found = input::found(arena, path, (&roots, Access::FOUND), common);
        found.map_err(|error| error.to_string())
    });
    repository.has_units |= texts.has_units;
    for gap in &texts.gaps {
        repository.incomplete.add(gap.what, gap.place.clone(), gap.why.clone());
    }
    texts
}

/// Adds a text that names an object of modules to the gaps: it does not follow.
pub(crate) fn add_naming<'a>(
    repository: &mut Repository<'a>,
    modules: &[usize],
    object: Object<'_>,
    arena: &'a Arena,
    common: &Common,
) {
    let texts = texts(repository, arena, common);
    for &place in modules {
        let directory = repository.tree.modules()[place].files.directory();
        let Some(directory) = directory.disk().map(or_here) else { continue };
        if let Some(text) = texts.naming(directory, object) {
            let why = "not changed: a text that a unit of Terragrunt puts beside the module, and that has the name";
            repository.incomplete.add("file", text, why);
        }
    }
}

/// The objects of modules that such a text names, or may name.
pub(crate) fn naming<'a>(
    repository: &mut Repository<'a>,
    modules: &[usize],
    arena: &'a Arena,
    common: &Common,
) -> Vec<(usize, Object<'a>)> {
    let texts = texts(repository, arena, common);
    let mut named = Vec::new();
    for &place in modules {
        let module = &repository.tree.modules()[place];
        let directory = module.files.directory();
        let Some(directory) = directory.disk().map(or_here) else { continue };
        let objects = module.module.objects();
        let is_named = |object: &Object<'_>| texts.naming(directory, *object).is_some();
        named.extend(objects.filter(is_named).map(|object| (place, object)));
    }
    named
}
