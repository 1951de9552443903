//! Finds the files of Terragrunt that set the variables of a module, or use its outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::units::UnitFile;
use crate::arena::Arena;
use crate::dialect::{Dialect, FileKind};
use crate::module::Object;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::terragrunt::{self, ComponentKind, Gap, LeadTo, Unit};
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

/// A file of Terragrunt.
struct Shared<'a> {
    path: PathBuf,
    file: ParsedFile<'a>,
    /// The units whose configuration it has.
    units: Vec<usize>,
    /// The evaluations of configurations that it takes part in.
    evaluations: BTreeSet<usize>,
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
    let mut leads = Leads::default();
    if matches!(object, Object::Output(_)) {
        leads = Leads::of(&units, &folders);
        // Other configurations that units read, as far as they are in the folder.
        if let Ok(base) = without_links(folder) {
            for path in leads.files().filter(|path| !known.contains(*path)) {
                if let Ok(rest) = path.strip_prefix(&base) {
                    paths.entry(clean_path(&folder.join(rest))).or_default();
                }
            }
        }
    }
    let mut files: Vec<UnitFile<'_>> = Vec::new();
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
        let path = without_links(&path).unwrap_or(path);
        let evaluations = leads.evaluations(&path, &of_units);
        let file = ParsedFile::native(arena, source);
        parsed.push(Shared { path, file, units: of_units, evaluations });
    }
    for shared in parsed {
        let source = shared.file.source();
        let dependencies = leads.of_file(&shared);
        let is_of_all =
            !shared.units.is_empty() && shared.units.iter().all(|place| is_of_module[*place]);
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
        let (dependencies, configurations) = dependencies.unwrap_or_default();
        if is_of_all || !dependencies.is_empty() || !configurations.is_empty() {
            let file = UnitFile::new(shared.file).with_inputs(is_of_all);
            let file = file.with_dependencies(dependencies);
            files.push(file.with_configurations(configurations));
        }
    }
    add_includes(&mut files, (folder, &units), object);
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
            let is_known = handled.contains(&path) || !is_read && known.contains(&path);
            if !is_known && !is_configuration(&path) {
                others.extend(exists(&path, &mut gaps).then_some(path));
            }
        }
        if unit.module.as_deref() != Some(unit.folder.as_str()) {
            let own = files_in(Path::new(&unit.folder), &mut gaps);
            let is_known = |path: &PathBuf| known.contains(path) || handled.contains(path);
            others.extend(own.into_iter().filter(|path| !is_known(path)));
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

/// Adds the labels of `include` blocks whose files have an input with the name of a variable, if these are
/// the same in all units with a configuration.
fn add_includes(files: &mut [UnitFile<'_>], (folder, units): (&Path, &[Unit]), object: Object<'_>) {
    let path_of = |file: &UnitFile<'_>| without_links(Path::new(file.file.source().name())).ok();
    let is_setting = |file: &&UnitFile<'_>| {
        matches!(object, Object::Variable(_)) && !file.names(object).0.is_empty()
    };
    let setting: BTreeSet<PathBuf> = files.iter().filter(is_setting).filter_map(path_of).collect();
    if setting.is_empty() {
        return;
    }
    // By configuration: whether the file of each label is one of them.
    let mut labels: BTreeMap<PathBuf, BTreeMap<&str, bool>> = BTreeMap::new();
    for unit in units.iter().filter(|unit| !unit.include.is_empty()) {
        let Ok(own) = without_links(&folder.join(&unit.path).join(&unit.config)) else { continue };
        let of_own = labels.entry(own).or_default();
        for (label, path) in &unit.include {
            let path = without_links(&folder.join(path));
            let is_setting = path.is_ok_and(|path| setting.contains(&path));
            *of_own.entry(label).or_insert(true) &= is_setting;
        }
    }
    for file in files {
        let known = path_of(file).and_then(|path| labels.remove(&path)).unwrap_or_default();
        let setting = known.into_iter().filter(|(_, is_setting)| *is_setting);
        file.includes = setting.map(|(label, _)| label.to_owned()).collect();
    }
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

/// Where the names in the configurations of units lead, and in those that they read.
#[derive(Default)]
struct Leads {
    /// The evaluations that each file takes part in, by its path without links.
    files: BTreeMap<PathBuf, BTreeSet<usize>>,
    /// By evaluation, of which those of units have their numbers, and name of a `dependency` block, in whichever file it is: whether it leads to a unit
    /// of the module; `None` if that is not known.
    units: BTreeMap<(usize, String), Option<bool>>,
    /// By file and name of a local value: the configuration that it is in each evaluation.
    configurations: BTreeMap<(PathBuf, String), BTreeMap<usize, usize>>,
}

/// The names in a file that lead to the module: of dependencies, and of local values that have some.
type Names = (Vec<String>, Vec<(String, Vec<String>)>);

impl Leads {
    fn of(units: &[Unit], folders: &BTreeMap<PathBuf, bool>) -> Self {
        let mut leads = Self::default();
        // Those of configurations that units read follow those of the units.
        let mut read: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for (place, unit) in units.iter().enumerate() {
            let own = Path::new(&unit.folder).join(&unit.config);
            let mut number = |config| {
                let next = units.len() + read.len();
                match Path::new(config) == own {
                    true => place,
                    false => *read.entry((place, config)).or_insert(next),
                }
            };
            for lead in &unit.leads {
                let from = number(&*lead.config);
                let Ok(file) = without_links(Path::new(&lead.file)) else { continue };
                leads.files.entry(file.clone()).or_default().insert(from);
                match &lead.to {
                    LeadTo::Unit(folder) => {
                        let folder = folder.as_deref().map(Path::new);
                        let folder = folder.and_then(|folder| without_links(folder).ok());
                        let lead_to = folder.and_then(|folder| folders.get(&folder).copied());
                        let known = leads.units.entry((from, lead.name.clone())).or_insert(lead_to);
                        if *known != lead_to {
                            *known = None;
                        }
                    }
                    LeadTo::Configuration(config) => {
                        let of_name = leads.configurations.entry((file, lead.name.clone()));
                        of_name.or_default().insert(from, number(config));
                    }
                }
            }
        }
        leads
    }

    /// The files with names that lead somewhere.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    /// The evaluations that a file takes part in, which has the configuration of some units.
    fn evaluations(&self, file: &Path, units: &[usize]) -> BTreeSet<usize> {
        let known = self.files.get(file).into_iter().flatten();
        known.chain(units).copied().collect()
    }

    /// The names that lead to units of the module, of those that a file has. `None` if one of them is not
    /// known, or leads to different modules.
    fn of_file(&self, shared: &Shared<'_>) -> Option<Names> {
        let text = shared.file.source().bytes();
        let dependencies = self.leading(shared.evaluations.iter().copied(), text)?;
        let mut configurations = Vec::new();
        let first = (shared.path.clone(), String::new());
        let locals = self.configurations.range(first..);
        for ((_, local), read) in locals.take_while(|((file, _), _)| *file == shared.path) {
            let names = self.leading(read.values().copied(), text)?;
            if names.is_empty() {
                continue;
            }
            if !shared.evaluations.iter().all(|evaluation| read.contains_key(evaluation)) {
                return None;
            }
            configurations.push((local.clone(), names));
        }
        Some((dependencies, configurations))
    }

    /// The names of dependencies in evaluations that lead to units of the module, of those that a text has.
    /// `None` if one of them is not known, or leads to different modules.
    fn leading(&self, all: impl Iterator<Item = usize>, text: &[u8]) -> Option<Vec<String>> {
        let mut names: BTreeMap<&str, Option<bool>> = BTreeMap::new();
        for evaluation in all {
            let of_it = self.units.range((evaluation, String::new())..);
            for ((_, name), lead) in of_it.take_while(|((from, _), _)| *from == evaluation) {
                let known = names.entry(name).or_insert(*lead);
                if known != lead {
                    *known = None;
                }
            }
        }
        names.retain(|name, _| has_word(text, name));
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
