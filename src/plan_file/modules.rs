//! The configuration in a plan file as modules in memory.

use super::error::PlanFileError;
use super::{PlanFile, Tool};
use crate::dialect::{Dialect, FileKind};
use crate::directory::{MemoryFiles, ModuleFile, ModuleFiles};
use crate::hash::HashSet;
use crate::plan_file::SnapshotModule;
use crate::write::{Layout, to_string};

/// The name of the directory in which the plan was made, which the file does not have.
const ROOT: &str = "configuration";

/// The name of the directories between it and the uppermost directory with a module.
const ABOVE: &str = "_";

impl<'a> PlanFile<'a> {
    /// The modules of the configuration as modules in memory, for
    /// [`Tree::load`](crate::tree::Tree::load): the root module first, each directory once. Messages
    /// name their files `PLAN/configuration/DIRECTORY/NAME`.
    ///
    /// # Errors
    /// A part is damaged or too large, or a path leads out of the file.
    pub fn module_files(&self) -> Result<Vec<ModuleFiles>, PlanFileError> {
        let dialect = match self.tool() {
            Tool::OpenTofu => Dialect::OpenTofu,
            _ => Dialect::Terraform,
        };
        let snapshot = self.modules()?;
        let places = Places::of(&snapshot);
        let mut files = MemoryFiles::new(self.archive.name());
        let mut insert = |path: String, content: &[u8]| {
            let inserted = files.insert(&path, content.into());
            inserted.map_err(|error| PlanFileError::damaged(&path, error.to_string()))
        };
        for module in &snapshot {
            for file in &module.files {
                insert(places.of_file(module.directory, file.name), file.source.bytes())?;
            }
        }
        let installed = places.of_file(".", ".terraform/modules/modules.json");
        insert(installed, manifest(&snapshot).as_bytes())?;
        let top = files.into_root();
        let mut known = HashSet::default();
        // Two calls may lead to one directory.
        let modules = snapshot.iter().filter(|module| known.insert(module.directory));
        let modules = modules.map(|module| {
            let directory = top.join(&places.of_file(module.directory, ""));
            let files = module.files.iter().map(|file| {
                let kind = FileKind::of_named(file.name.as_ref(), dialect);
                ModuleFile::new(file.name.into(), directory.join(file.name), kind)
            });
            let files = files.collect();
            ModuleFiles::of_directory(directory, dialect, files)
        });
        Ok(modules.collect())
    }
}

/// Where directories of a snapshot are in memory: modules may be beside the root module or above it.
struct Places {
    /// The parts of the path of the root module.
    root: Vec<&'static str>,
}

impl Places {
    fn of(snapshot: &[SnapshotModule<'_>]) -> Self {
        let highest = snapshot.iter().map(|module| levels(module.directory)).max();
        let mut root = vec![ABOVE; highest.unwrap_or(0).saturating_sub(1)];
        root.push(ROOT);
        Self { root }
    }

    fn of_file(&self, directory: &str, name: &str) -> String {
        let up = levels(directory);
        let below = directory.split('/').skip(up).filter(|part| *part != ".").chain([name]);
        let around = self.root.iter().take(self.root.len().saturating_sub(up)).copied();
        around.chain(below).collect::<Vec<_>>().join("/")
    }
}

/// How far above the root module a directory starts.
fn levels(directory: &str) -> usize {
    directory.split('/').take_while(|part| *part == "..").count()
}

/// The list of installed modules, as the tools write it beside a root module.
fn manifest(snapshot: &[SnapshotModule<'_>]) -> String {
    to_string(Layout::Compact, |slot| {
        let mut object = slot.object();
        let mut list = object.key("Modules").array();
        for module in snapshot {
            let mut entry = list.element().object();
            entry.key("Key").string(module.key);
            entry.key("Source").string(module.source);
            entry.key("Version").string(module.version);
            entry.key("Dir").string(module.directory);
        }
    })
}
