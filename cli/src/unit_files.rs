//! Files of Terragrunt that set the variables of a module, or use its outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use simd_hcl::directory::Roots;
use simd_hcl::module::Object;
use simd_hcl::refactor::UnitFile;
use simd_hcl::source::Access;
use simd_hcl::structure::Item;
use simd_hcl::terragrunt::{self, Unit};
use simd_hcl::{Arena, Expression, ParsedFile};

use crate::args::Common;
use crate::git::canonical;
use crate::input;
use crate::modules::cleaned;
use crate::paths::or_here;
use crate::refactored::Repository;
use crate::status::Failure;

/// A file of Terragrunt, and the units that it decides about.
struct Shared<'a> {
    file: ParsedFile<'a>,
    units: Vec<usize>,
}

/// Returns the files that name an object of a module, and adds those to the gaps that may name it, but
/// whose module is not known, or that other modules share.
pub(crate) fn of<'a>(
    repository: &mut Repository<'a>,
    module: usize,
    object: Object<'_>,
    arena: &'a Arena,
    common: &Common,
) -> Result<Vec<UnitFile<'a>>, Failure> {
    let (Object::Variable(name) | Object::Output(name)) = object else { return Ok(Vec::new()) };
    let options = terragrunt::Options::default();
    let options = options.with_details(true).following_links(common.follow_links);
    let found = terragrunt::find(&repository.directory, &options);
    for gap in &found.gaps {
        repository.incomplete.add(gap.what, gap.place.clone(), &gap.why);
    }
    let units = found.units;
    if units.is_empty() {
        return Ok(Vec::new());
    }
    let owner = repository.tree.modules()[module].files.directory();
    let Some(owner) = owner.disk() else { return Ok(Vec::new()) };
    let owner = canonical(or_here(owner))?;
    let is_of_module: Vec<bool> = units.iter().map(|unit| is_of(unit, &owner)).collect();
    let folders: BTreeMap<PathBuf, bool> = units
        .iter()
        .zip(&is_of_module)
        .filter_map(|(unit, is_of_module)| {
            Some((canonical(Path::new(&unit.folder)).ok()?, *is_of_module))
        })
        .collect();

    let mut paths: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (place, unit) in units.iter().enumerate() {
        let own = repository.directory.join(&unit.path).join("terragrunt.hcl");
        let included = unit.include.values().map(|path| repository.directory.join(path));
        for path in std::iter::once(own).chain(included).collect::<BTreeSet<_>>() {
            paths.entry(cleaned(&path)).or_default().push(place);
        }
    }
    let roots = Roots::around([&repository.directory]);
    let mut found = Vec::new();
    for (path, of_units) in paths {
        let source = match input::found(arena, &path, (&roots, Access::FOUND), common) {
            Ok(source) => source,
            Err(error) => {
                repository.incomplete.add_file(&path.to_string_lossy(), &error.to_string());
                continue;
            }
        };
        let shared = Shared { file: ParsedFile::native(arena, source), units: of_units };
        let dependencies = shared.dependencies(&units, &folders);
        let is_of_all = shared.units.iter().all(|place| is_of_module[*place]);
        let is_unknown = shared.units.iter().any(|place| units[*place].module.is_none());
        let is_of_some = shared.units.iter().any(|place| is_of_module[*place]);
        let has_name = has_word(source.bytes(), name);
        let is_left = match object {
            Object::Variable(_) => !is_of_all && (is_of_some || is_unknown),
            _ => dependencies.is_none(),
        };
        if is_left && has_name {
            let why =
                "not changed: a file of Terragrunt that has the name, and may mean another one";
            repository.incomplete.add("file", source.name(), why);
            continue;
        }
        let dependencies = dependencies.unwrap_or_default();
        if is_of_all || !dependencies.is_empty() {
            let file = UnitFile::new(shared.file).with_inputs(is_of_all);
            found.push(file.with_dependencies(dependencies));
        }
    }
    Ok(found)
}

/// Whether a unit runs the module in a directory.
fn is_of(unit: &Unit, owner: &Path) -> bool {
    let module = unit.module.as_deref().map(Path::new);
    module.is_some_and(|module| canonical(module).is_ok_and(|module| module == owner))
}

impl Shared<'_> {
    /// The names of its `dependency` blocks that lead to units of the module. `None` if one of them is
    /// not known, or leads to different modules.
    fn dependencies(
        &self,
        units: &[Unit],
        folders: &BTreeMap<PathBuf, bool>,
    ) -> Option<Vec<String>> {
        let mut names = Vec::new();
        let file = self.file.as_native()?;
        for item in file.body().items() {
            let Item::Block(block) = item else { continue };
            if block.block_type() != "dependency" {
                continue;
            }
            let path = block.body().items().find_map(|item| match item {
                Item::Attribute(path) if path.name() == "config_path" => path.expression().ok(),
                _ => None,
            });
            let path = path.and_then(|path| Expression::from_native(path).to_str())?;
            let mut leads = self.units.iter().map(|place| {
                let folder = Path::new(&units[*place].folder).join(path);
                canonical(&folder).ok().and_then(|folder| folders.get(&folder).copied())
            });
            let first = leads.next().flatten();
            if !leads.all(|other| other == first) {
                return None;
            }
            match first {
                Some(true) => names.extend(block.labels().next().map(str::to_owned)),
                Some(false) => {}
                None => return None,
            }
        }
        Some(names)
    }
}

/// Whether a text has a name as a word of its own.
fn has_word(text: &[u8], name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    String::from_utf8_lossy(text).split(|c| !is_part(c)).any(|word| word == name)
}
