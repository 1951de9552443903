//! The configuration in a plan file: the modules and their files at the time of the plan.

use std::collections::BTreeMap;

use super::archive::Archive;
use super::error::PlanFileError;
use crate::arena::Arena;
use crate::document::Document;
use crate::hash::HashMap;
use crate::json::Node;
use crate::relative::{is_absolute, join};
use crate::source::Source;

const MANIFEST: &str = "tfconfig/modules.json";
const PREFIX: &str = "tfconfig/m-";

/// The maximal number of `..` at the start of a directory.
const MAX_LEVELS: usize = 64;

/// A module of the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SnapshotModule<'a> {
    /// The names of the calls that lead to it, joined by dots; empty for the root module.
    pub key: &'a str,
    /// The source of the call; empty for the root module.
    pub source: &'a str,
    /// The installed version; empty if it did not come from a registry.
    pub version: &'a str,
    /// Its directory, relative to that of the plan: a path with `/`, without `.`, and with `..` only
    /// at its start, if a call of a module leads there; `.` for that of the plan.
    pub directory: &'a str,
    /// Its files, by name.
    pub files: Vec<SnapshotFile<'a>>,
}

/// A file of a module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SnapshotFile<'a> {
    /// Its name in the directory of the module.
    pub name: &'a str,
    /// Its text.
    pub source: Source<'a>,
}

/// Reads all modules, the root module first. Each file belongs to a module of the manifest.
pub(super) fn read<'a>(
    arena: &'a Arena,
    archive: &Archive<'a>,
) -> Result<Vec<SnapshotModule<'a>>, PlanFileError> {
    let damaged = |why: &str| PlanFileError::damaged(MANIFEST, why.to_owned());
    let Some(manifest) = archive.source(arena, MANIFEST)? else {
        return Err(damaged("it is missing"));
    };
    let document = Document::parse(arena, manifest).map_err(|error| damaged(&error.to_string()))?;
    let entries = document.root().as_array().ok_or_else(|| damaged("it must be an array"))?;
    let mut modules: BTreeMap<&str, (SnapshotModule<'a>, Node<'a>)> = BTreeMap::new();
    for entry in entries.elements() {
        let entry = entry.as_object().ok_or_else(|| damaged("each entry must be an object"))?;
        let text = |name| entry.get(name).and_then(Node::to_str).unwrap_or_default();
        let (key, source, version, directory) =
            (text("Key"), text("Source"), text("Version"), text("Dir"));
        let module = SnapshotModule { key, source, version, directory, files: Vec::new() };
        let place = entry.get("Dir").unwrap_or(entry.node());
        if modules.insert(key, (module, place)).is_some() {
            return Err(damaged("two entries have the same key"));
        }
    }
    let mut directories: HashMap<&'a str, &'a str> = HashMap::default();
    // Callers come first.
    for (key, (module, place)) in &mut modules {
        let caller = key.rsplit_once('.').map_or("", |(caller, _)| caller);
        let caller = directories.get(caller).copied().filter(|_| !key.is_empty());
        let outside = || {
            let (start, _) = place.source().range(place.span());
            PlanFileError::Outside {
                place: format!("{MANIFEST}:{}:{}", start.line, start.column).into(),
                path: module.directory.into(),
            }
        };
        let directory = directory_of(module, caller).ok_or_else(outside)?;
        let directory = arena.str(&directory);
        directories.insert(key, directory);
        module.directory = if directory.is_empty() { "." } else { directory };
    }
    if !modules.contains_key("") {
        return Err(damaged("the root module is missing"));
    }
    let mut names: Vec<&str> = archive.names().filter(|name| name.starts_with(PREFIX)).collect();
    names.sort_unstable();
    for full in names {
        let Some((key, name)) = full[PREFIX.len()..].rsplit_once('/') else { continue };
        if name.is_empty() || name == "." {
            continue;
        }
        let (module, _) = modules.get_mut(key).ok_or_else(|| {
            PlanFileError::damaged(full, "its module is not in the manifest".into())
        })?;
        if let Some(source) = archive.source(arena, full)? {
            module.files.push(SnapshotFile { name: arena.str(name), source });
        }
    }
    Ok(modules.into_values().map(|(module, _)| module).collect())
}

/// Returns the directory of a module in its plain form; `None` if it leads out of the directory of
/// the plan, unless the path in the call of the module leads to the same directory: a root module
/// may call modules beside it. The tools use the separator of their system.
fn directory_of(module: &SnapshotModule<'_>, caller: Option<&str>) -> Option<String> {
    if is_absolute(module.directory) {
        return None;
    }
    let directory = join("", module.directory);
    let levels = directory.split('/').filter(|part| *part == "..").count();
    if levels > 0 {
        let is_local = module.source.starts_with("./") || module.source.starts_with("../");
        let is_called = is_local && join(caller?, module.source) == directory;
        return (is_called && levels <= MAX_LEVELS).then_some(directory);
    }
    Some(directory)
}
