//! The files with settings of backends that `-backend-config` names: `prod.s3.tfbackend`, `backend.hcl`.
//!
//! The tools read them only if a command line names them, so that any of those in the folder of a root
//! module, or below it, may be meant.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use super::{TreeModule, path};
use crate::arena::Arena;
use crate::dialect::is_backend_file;
use crate::directory::Location;
use crate::parsed::ParsedFile;
use crate::source::Source;

/// The number of folders between a root module and its files.
pub(crate) const DEPTH: usize = 2;

/// The most files of a root module that are read.
const MOST_FILES: usize = 1_000;

/// The most bytes of a file that is read.
const LONGEST: u64 = 1 << 20;

/// The folders of modules.
pub(super) struct Folders<'t> {
    is_module: &'t dyn Fn(&Location) -> bool,
    base: PathBuf,
}

impl<'t> Folders<'t> {
    pub(super) fn of(is_module: &'t dyn Fn(&Location) -> bool) -> Self {
        // Without a working directory, paths are compared as they are.
        Self { is_module, base: std::env::current_dir().unwrap_or_default() }
    }

    /// The absolute path of the directory of a module.
    pub(super) fn absolute(&self, module: &TreeModule<'_>) -> Location {
        self.absolute_path(&module.files.directory())
    }

    /// The absolute path of a directory.
    pub(super) fn absolute_path(&self, directory: &Location) -> Location {
        path::absolute(&self.base, directory)
    }

    /// The files of a root module, sorted. Links are not read.
    ///
    /// Cost: that of listing its folder and those below that are no modules.
    pub(super) fn files(&self, module: &TreeModule<'_>) -> Vec<Location> {
        let (mut files, mut open) = (Vec::new(), vec![(self.absolute(module), 0)]);
        while let Some((folder, depth)) = open.pop() {
            for (name, is_directory) in entries(&folder) {
                let below = path::resolve(&folder, &name);
                if !is_directory {
                    if is_backend_file(OsStr::new(&name)) && files.len() < MOST_FILES {
                        files.push(below);
                    }
                } else if depth < DEPTH && !name.starts_with('.') && !(self.is_module)(&below) {
                    open.push((below, depth + 1));
                }
            }
        }
        files.sort_by(|one, other| one.to_string_lossy().cmp(&other.to_string_lossy()));
        files
    }
}

/// The names in a folder that are UTF-8, and whether each is a folder. A folder that cannot be listed
/// has none: it has a gap in the answers that read it.
fn entries(folder: &Location) -> Vec<(String, bool)> {
    match folder {
        Location::Memory(path) => path.entries().into_iter().collect(),
        Location::Disk(path) => {
            let entries = fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
            let entries = entries.filter_map(|entry| {
                let is_directory = entry.file_type().ok()?.is_dir();
                Some((entry.file_name().into_string().ok()?, is_directory))
            });
            entries.collect()
        }
    }
}

/// Returns a file; `None` if it is a link, cannot be read, or is not valid.
pub(super) fn read<'a>(arena: &'a Arena, file: &Location) -> Option<ParsedFile<'a>> {
    let source = match file {
        Location::Disk(path) => {
            let found = path.symlink_metadata().ok()?;
            if !found.is_file() || found.len() > LONGEST {
                return None;
            }
            Source::read(arena, path).ok()?
        }
        Location::Memory(path) => path.source(arena).ok()?,
    };
    let parsed = ParsedFile::read(arena, source).ok()?;
    parsed.is_complete().then_some(parsed)
}
