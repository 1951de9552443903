//! The configuration in a plan file: the modules and their files at the time of the plan.

use std::collections::BTreeMap;

use super::archive::Archive;
use super::error::PlanFileError;
use crate::arena::Arena;
use crate::document::Document;
use crate::json::Node;
use crate::source::Source;

const MANIFEST: &str = "tfconfig/modules.json";
const PREFIX: &str = "tfconfig/m-";

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
    /// Its directory, relative to that of the plan.
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

/// Reads all modules. Each file belongs to a module of the manifest.
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
    let mut modules = BTreeMap::new();
    for entry in entries.elements() {
        let entry = entry.as_object().ok_or_else(|| damaged("each entry must be an object"))?;
        let text = |name| entry.get(name).and_then(Node::to_str).unwrap_or_default();
        let (key, source, version, directory) =
            (text("Key"), text("Source"), text("Version"), text("Dir"));
        let module = SnapshotModule { key, source, version, directory, files: Vec::new() };
        if modules.insert(key, module).is_some() {
            return Err(damaged("two entries have the same key"));
        }
    }
    let mut names: Vec<&str> = archive.names().filter(|name| name.starts_with(PREFIX)).collect();
    names.sort_unstable();
    for full in names {
        let Some((key, name)) = full[PREFIX.len()..].rsplit_once('/') else { continue };
        // A hostile name must not lead to another directory.
        if name.is_empty() || name == "." || name == ".." || name.contains('\\') {
            continue;
        }
        let module = modules.get_mut(key).ok_or_else(|| {
            PlanFileError::damaged(full, "its module is not in the manifest".into())
        })?;
        if let Some(source) = archive.source(arena, full)? {
            module.files.push(SnapshotFile { name: arena.str(name), source });
        }
    }
    Ok(modules.into_values().collect())
}
