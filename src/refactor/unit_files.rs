//! Finds the files of Terragrunt that set the variables of a module, or use its outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::units::UnitFile;
use crate::arena::Arena;
use crate::dialect::{Dialect, FileKind};
use crate::expression::Expression;
use crate::module::Object;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::structure::Item;
use crate::terragrunt::{self, ComponentKind, Gap, Unit};
use crate::tree::clean_path;

/// The files of Terragrunt that name an object of a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FoundUnits<'a> {
    /// The files, by path.
    pub files: Vec<UnitFile<'a>>,
    /// Whether the folder has units or stacks.
    pub has_units: bool,
    /// The gaps of the answer: among them, files that have the name, but whose module is not known, or
    /// that other modules share.
    pub gaps: BTreeSet<Gap>,
}

/// A file of Terragrunt, and the units that it decides about.
struct Shared<'a> {
    file: ParsedFile<'a>,
    units: Vec<usize>,
}

/// Finds the files of Terragrunt in a folder that name an object of the module in the directory
/// `owner`. `read` opens a file.
///
/// Cost: that of [`terragrunt::find()`] with details; the files of the units are parsed.
pub fn find_units<'a>(
    arena: &'a Arena,
    (folder, owner): (&Path, &Path),
    object: Object<'_>,
    follows_links: bool,
    read: &mut dyn FnMut(&Path) -> Result<Source<'a>, String>,
) -> FoundUnits<'a> {
    let (Object::Variable(name) | Object::Output(name)) = object else {
        return FoundUnits::default();
    };
    let options = terragrunt::Options::default();
    let options = options.with_files(true).following_links(follows_links);
    let found = terragrunt::find(folder, &options);
    let (units, mut gaps) = (found.units, found.gaps);
    if units.is_empty() {
        return FoundUnits { gaps, ..FoundUnits::default() };
    }
    let owner = match without_links(owner) {
        Ok(owner) => owner,
        Err(why) => {
            gaps.insert(Gap::new("path", &owner.to_string_lossy(), why));
            return FoundUnits { has_units: true, gaps, ..FoundUnits::default() };
        }
    };
    let is_of_module: Vec<bool> = units.iter().map(|unit| is_of(unit, &owner)).collect();
    let folders: BTreeMap<PathBuf, bool> = units
        .iter()
        .zip(&is_of_module)
        // A stack has the outputs of several modules.
        .filter(|(unit, _)| unit.kind == ComponentKind::Unit)
        .filter_map(|(unit, is_of_module)| {
            Some((without_links(Path::new(&unit.folder)).ok()?, *is_of_module))
        })
        .collect();

    let mut paths: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (place, unit) in units.iter().enumerate() {
        let own = folder.join(&unit.path).join(&unit.config);
        let included = unit.include.values().map(|path| folder.join(path));
        for path in std::iter::once(own).chain(included).collect::<BTreeSet<_>>() {
            paths.entry(clean_path(&path)).or_default().push(place);
        }
    }
    let known: BTreeSet<PathBuf> =
        paths.keys().filter_map(|path| without_links(path).ok()).collect();
    let mut files = Vec::new();
    let mut parsed = Vec::new();
    for (path, of_units) in paths {
        let source = match read(&path) {
            Ok(source) => source,
            Err(why) => {
                let why = format!("not decoded ({why})");
                gaps.insert(Gap::new("file", &path.to_string_lossy(), why));
                continue;
            }
        };
        if has_environment(source.bytes(), object) {
            let why = "not changed: a file of Terragrunt that sets the variable in the environment";
            gaps.insert(Gap::new("file", source.name(), why));
        }
        if path.extension().is_some_and(|it| it == "json") {
            if has_word(source.bytes(), name) {
                let why = "not changed: a file of Terragrunt in JSON that has the name";
                gaps.insert(Gap::new("file", source.name(), why));
            }
            continue;
        }
        parsed.push(Shared { file: ParsedFile::native(arena, source), units: of_units });
    }
    let leads = Leads::of(&parsed, &units, &folders);
    for shared in parsed {
        let source = shared.file.source();
        let dependencies = leads.of_file(&shared);
        let is_of_all = shared.units.iter().all(|place| is_of_module[*place]);
        let is_unknown = shared.units.iter().any(|place| units[*place].module.is_none());
        let is_of_some = shared.units.iter().any(|place| is_of_module[*place]);
        let is_left = match object {
            Object::Variable(_) => !is_of_all && (is_of_some || is_unknown),
            _ => dependencies.is_none(),
        };
        if is_left && has_word(source.bytes(), name) {
            let why =
                "not changed: a file of Terragrunt that has the name, and may mean another one";
            gaps.insert(Gap::new("file", source.name(), why));
            continue;
        }
        let dependencies = dependencies.unwrap_or_default();
        if is_of_all || !dependencies.is_empty() {
            let file = UnitFile::new(shared.file).with_inputs(is_of_all);
            files.push(file.with_dependencies(dependencies));
        }
    }
    // Units that use outputs of these are concerned, too.
    let of_module: Vec<&Unit> =
        units.iter().zip(&is_of_module).filter_map(|(unit, is)| is.then_some(unit)).collect();
    let paths: BTreeSet<&str> = of_module.iter().map(|unit| unit.path.as_str()).collect();
    let folders: BTreeSet<&str> = of_module.iter().map(|unit| unit.folder.as_str()).collect();
    let handled: BTreeSet<PathBuf> = files
        .iter()
        .filter_map(|unit| without_links(Path::new(unit.file.source().name())).ok())
        .collect();
    let mut others: BTreeSet<PathBuf> = BTreeSet::new();
    for unit in &units {
        let is_direct = paths.contains(unit.path.as_str())
            || unit.dependencies.iter().any(|path| paths.contains(path.as_str()));
        // The outputs of a configuration that it reads: no block in its files leads to the module.
        let is_read = !is_direct && unit.needed.iter().any(|it| folders.contains(it.as_str()));
        if !is_direct && !is_read {
            continue;
        }
        for path in unit.files.iter().map(PathBuf::from) {
            // The configuration of modules is searched with the modules.
            let is_known = if is_read { handled.contains(&path) } else { known.contains(&path) };
            if !is_known && !is_configuration(&path) {
                others.extend(exists(&path, &mut gaps).then_some(path));
            }
        }
        if unit.module.as_deref() != Some(unit.folder.as_str()) {
            let own = files_in(Path::new(&unit.folder), &mut gaps);
            others.extend(own.into_iter().filter(|path| !known.contains(path)));
        }
    }
    let base = without_links(folder).unwrap_or_default();
    for path in &others {
        // The files of the module itself are searched anyway.
        if path.parent() == Some(&*owner) {
            continue;
        }
        let shown = path.strip_prefix(&base).map(|rest| clean_path(&folder.join(rest)));
        let source = match read(shown.as_ref().unwrap_or(path)) {
            Ok(source) => source,
            Err(why) => {
                gaps.insert(not_searched(path, &why));
                continue;
            }
        };
        if has_word(source.bytes(), name) || has_environment(source.bytes(), object) {
            let why = "not changed: a file that a unit of Terragrunt uses, and that has the name";
            gaps.insert(Gap::new("file", source.name(), why));
        }
    }
    FoundUnits { files, has_units: true, gaps }
}

/// The gap of a file that cannot be read.
pub(super) fn not_searched(path: &Path, why: &dyn fmt::Display) -> Gap {
    Gap::new("file", &path.to_string_lossy(), format!("not searched ({why})"))
}

/// Whether a path is a file, or something that cannot be told, which is a gap.
fn exists(path: &Path, gaps: &mut BTreeSet<Gap>) -> bool {
    match path.metadata() {
        Ok(found) => found.is_file(),
        Err(error) => {
            if !is_absent(&error) {
                gaps.insert(not_searched(path, &error));
            }
            false
        }
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The files in the folder of a unit, which Terragrunt copies beside those of its module. The folder of a
/// unit that a stack generates may not exist.
pub(super) fn files_in(folder: &Path, gaps: &mut BTreeSet<Gap>) -> Vec<PathBuf> {
    match folder.read_dir().and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(entries) => {
            let paths = entries.into_iter().map(|entry| entry.path());
            paths.filter(|path| exists(path, gaps)).collect()
        }
        Err(error) => {
            if !is_absent(&error) {
                gaps.insert(not_searched(folder, &error));
            }
            Vec::new()
        }
    }
}

fn is_configuration(path: &Path) -> bool {
    let kind = FileKind::of(path.file_name().unwrap_or_default(), Dialect::OpenTofu);
    kind.is_some_and(|kind| kind.list.declares())
}

/// Whether a text sets a variable in the environment.
fn has_environment(text: &[u8], object: Object<'_>) -> bool {
    match object {
        Object::Variable(name) => has_word(text, &format!("TF_VAR_{name}")),
        _ => false,
    }
}

/// Whether a unit runs the module in a directory.
fn is_of(unit: &Unit, owner: &Path) -> bool {
    let module = unit.module.as_deref().map(Path::new);
    module.is_some_and(|module| without_links(module).is_ok_and(|module| module == owner))
}

/// A unit of Terragrunt in a folder that runs the module in the directory `owner`, if there is one: its
/// folder.
///
/// Cost: that of [`terragrunt::find()`] with details.
#[must_use]
pub fn unit_of(folder: &Path, owner: &Path, follows_links: bool) -> Option<String> {
    let options = terragrunt::Options::default();
    let options = options.with_details(true).following_links(follows_links);
    let found = terragrunt::find(folder, &options);
    let owner = without_links(owner).ok()?;
    found.units.into_iter().find(|unit| is_of(unit, &owner)).map(|unit| unit.folder.to_string())
}

/// The absolute path of something that may not exist. Links in the part that exists are followed.
pub(super) fn without_links(path: &Path) -> Result<PathBuf, String> {
    let absolute = std::path::absolute(path).map_err(|error| error.to_string())?;
    for existing in absolute.ancestors() {
        match existing.canonicalize() {
            Ok(found) => {
                let rest = absolute.strip_prefix(existing).unwrap_or(Path::new(""));
                return Ok(rest.components().fold(found, |path, part| path.join(part)));
            }
            Err(error) if is_absent(&error) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(absolute)
}

/// Where the `dependency` blocks of units lead, in whichever of their files they are.
struct Leads {
    /// By unit and name: whether it is a unit of the module; `None` if that is not known.
    names: BTreeMap<(usize, String), Option<bool>>,
}

impl Leads {
    fn of(files: &[Shared<'_>], units: &[Unit], folders: &BTreeMap<PathBuf, bool>) -> Self {
        let mut leads = Self { names: BTreeMap::new() };
        for shared in files {
            let Some(file) = shared.file.as_native() else { continue };
            for item in file.body().items() {
                let Item::Block(block) = item else { continue };
                if block.block_type() != "dependency" {
                    continue;
                }
                let Some(name) = block.labels().next() else { continue };
                let path = block.body().items().find_map(|item| match item {
                    Item::Attribute(path) if path.name() == "config_path" => Some(path),
                    _ => None,
                });
                let path = path.map(|path| path.expression().ok());
                let path = path.map(|path| Expression::from_native(path?).to_str());
                for &place in &shared.units {
                    let lead = path.map(|path| {
                        let folder = Path::new(&units[place].folder).join(path?);
                        folders.get(&without_links(&folder).ok()?).copied()
                    });
                    // Without a path, it adds to a block of another file.
                    let Some(lead) = lead else { continue };
                    let known = leads.names.entry((place, name.to_owned())).or_insert(lead);
                    if *known != lead {
                        *known = None;
                    }
                }
            }
        }
        leads
    }

    /// The names that lead to units of the module, of those that a file has. `None` if one of them is not
    /// known, or leads to different modules.
    fn of_file(&self, shared: &Shared<'_>) -> Option<Vec<String>> {
        let mut names: BTreeMap<&str, Option<bool>> = BTreeMap::new();
        for &place in &shared.units {
            let of_unit = self.names.range((place, String::new())..);
            for ((_, name), lead) in of_unit.take_while(|((unit, _), _)| *unit == place) {
                let known = names.entry(name).or_insert(*lead);
                if known != lead {
                    *known = None;
                }
            }
        }
        names.retain(|name, _| has_word(shared.file.source().bytes(), name));
        if names.values().any(Option::is_none) {
            return None;
        }
        let leading = names.into_iter().filter(|(_, lead)| *lead == Some(true));
        Some(leading.map(|(name, _)| name.to_owned()).collect())
    }
}

/// Whether a text has a name as a word of its own. Cost: linear.
#[must_use]
pub fn has_word(text: &[u8], name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    String::from_utf8_lossy(text).split(|c| !is_part(c)).any(|word| word == name)
}
