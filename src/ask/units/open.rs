//! Opens a file of Terragrunt with everything that its names may lead to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::arena::Arena;
use crate::ask::Answers;
use crate::ask::unit_file::UnitFile;
use crate::ask::unit_names;
use crate::dialect::Dialect;
use crate::directory::ModuleFiles;
use crate::parsed::ParsedFile;
use crate::source::Access;
use crate::terragrunt::Runs;
use crate::tree::Tree;
use crate::workspace::Snapshot;

/// Asks about a file of a unit or stack of Terragrunt in a snapshot, and returns the result of `ask`,
/// which gets the name of the file in the answers. `None` if the path is not such a file, or if it cannot
/// be read. Open files have their new texts.
///
/// Cost: that of evaluating the unit and those that it depends on, and of reading their modules.
pub fn ask_unit<R>(
    snapshot: &Snapshot,
    path: &Path,
    ask: impl for<'t, 'a> FnOnce(&Answers<'t, 'a>, &str) -> R,
) -> Option<R> {
    let (directory, folder) = snapshot.unit_of(path)?;
    let (arena, options) = (Arena::new(), snapshot.unit_options());
    let tree_options = snapshot.tree_options();
    let parse = |path: &Path| {
        let source = tree_options.decode.open.open(&arena, path, Access::FOUND).ok()?;
        match path.extension().is_some_and(|it| it == "json") {
            true => ParsedFile::parse(&arena, source).ok(),
            false => Some(ParsedFile::native(&arena, source)),
        }
    };
    let path = snapshot.absolute(path);
    let file = parse(&path)?;
    let runs = Runs::open(&arena, directory, &options).ok()?;
    let links = match runs.has(&folder) {
        true => runs.links(&folder),
        false => Default::default(),
    };
    let folders = links.dependencies.values().filter_map(|link| link.module.as_ref());
    let folders = links.module.iter().chain(folders);
    let mut listed: BTreeMap<PathBuf, ModuleFiles> = BTreeMap::new();
    for folder in folders {
        let known = snapshot.module_files(folder);
        let files = known.or_else(|| ModuleFiles::list(folder, Dialect::OpenTofu).ok());
        listed.extend(files.map(|files| (folder.clone(), files)));
    }
    let places: Vec<(PathBuf, PathBuf)> = listed
        .iter()
        .filter_map(|(folder, files)| Some((folder.clone(), files.path.disk()?.to_owned())))
        .collect();
    let tree = Tree::load(&arena, listed.into_values().collect(), &tree_options);
    let modules = places.into_iter().filter_map(|(folder, path)| {
        let mut modules = tree.modules().iter();
        Some((folder, modules.position(|it| it.files.path.disk() == Some(&*path))?))
    });
    let modules = modules.collect();
    let included = links.includes.iter();
    let included = included.filter_map(|(label, path)| Some((label.clone(), parse(path)?)));
    let unit = UnitFile {
        file,
        places: unit_names::places(file),
        included: included.collect(),
        values: links.values.as_deref().and_then(parse),
        modules,
        links,
    };
    let schemas = snapshot.schemas(&arena);
    let answers = Answers::new(&tree, &schemas).with_unit(unit);
    Some(ask(&answers, file.source().name()))
}
