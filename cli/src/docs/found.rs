//! The modules that get a page, and the settings of each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simd_hcl::Dialect;
use simd_hcl::directory::{ModuleFiles, Roots};
use simd_hcl::docs::Settings;
use simd_hcl::source::{Access, OpenFile, SourceError};

use super::page::{Given, Page};
use crate::args::{self, Common, Configuration};
use crate::incomplete::Incomplete;
use crate::input;
use crate::paths::{from_here, or_here};
use crate::settings::Docs;
use crate::status::{Failure, Status};
use crate::visible;

/// The names of the file of settings, in a directory.
const NAMES: [&str; 2] = [".terraform-docs.yml", ".config/.terraform-docs.yml"];

/// The longest file of settings, in bytes.
const MAX_BYTES: u64 = 1 << 20;

pub(super) struct Found {
    pub(super) pages: Vec<Page>,
    /// Whether everything could be read.
    pub(super) status: Status,
}

/// Returns the pages of the given paths.
pub(super) fn pages(
    docs: &args::Docs,
    named: Option<&Path>,
    wanted: &Docs,
    roots: &Roots,
    common: &Common,
) -> Result<Found, Failure> {
    let mut found = Found { pages: Vec::new(), status: Status::Clean };
    if docs.recursive {
        return tree(docs, named, wanted, roots, common);
    }
    for path in &docs.paths {
        let given = match named {
            Some(file) => read(file, Access::NAMED, Settings::default())?,
            None => nearest([path, Path::new(".")])?,
        };
        let given = Arc::new(with_flags(given, docs, wanted));
        if !given.settings.recursive || given.settings.include_main {
            found.pages.push(Page {
                directory: path.clone(),
                files: list(path)?,
                given: Arc::clone(&given),
            });
        }
        if given.settings.recursive {
            below(path, &given, named, (docs, wanted), &mut found)?;
        }
    }
    Ok(found)
}

/// Returns the settings with the flags, and with those of this program.
fn with_flags(mut given: Given, docs: &args::Docs, wanted: &Docs) -> Given {
    given.settings.with_attributes = wanted.attributes;
    given.settings.with_optional_defaults = wanted.optional_defaults;
    if let Some(format) = docs.format {
        given.settings = given.settings.with_formatter(format.into());
    }
    given
}

/// Returns the files of a module.
fn list(directory: &Path) -> Result<ModuleFiles, Failure> {
    let shown = visible::path(directory);
    if directory.is_file() {
        let around = visible::path(or_here(directory.parent().unwrap_or(directory)));
        return Err(Failure::Message(format!(
            "{shown} is a file, but a module is a directory; try `simd-hcl docs {around}`"
        )));
    }
    let fail = |error| Failure::Message(format!("{shown}: {error}"));
    let mut files = ModuleFiles::list(directory, Dialect::OpenTofu).map_err(fail)?;
    // Variables of a template of Packer are listed, too.
    files.files.extend(ModuleFiles::list(directory, Dialect::Packer).map_err(fail)?.files);
    Ok(files)
}

/// Returns the settings of the first directory that has some.
fn nearest<'p>(directories: impl IntoIterator<Item = &'p Path>) -> Result<Given, Failure> {
    for directory in directories {
        if let Some(file) = NAMES.iter().map(|name| directory.join(name)).find(|it| it.exists()) {
            return read(&file, Access::FOUND, Settings::default());
        }
    }
    Ok(Given { settings: Settings::default(), file: None })
}

/// Reads a file of settings on top of others.
fn read(file: &Path, access: Access, mut settings: Settings) -> Result<Given, Failure> {
    // A directory around the given paths is found without links.
    let shown = from_here(file);
    let fail = |why: String| Failure::Message(format!("{}: {why}", visible::path(&shown)));
    let text = access.with_limit(MAX_BYTES).open(file).and_then(OpenFile::read);
    let text = text.map_err(|error: SourceError| fail(error.to_string()))?;
    let text = String::from_utf8(text).map_err(|error| fail(error.to_string()))?;
    let result = settings.read(&text);
    let given = Given { settings, file: Some(shown) };
    match result {
        Ok(()) => Ok(given),
        Err(problem) => Err(Failure::Message(given.problem(&problem))),
    }
}

/// Adds the modules below `recursive.path`, as terraform-docs finds them: those of directories whose names
/// do not start with a point and are not excluded. Each may have settings of its own on top of these.
fn below(
    directory: &Path,
    given: &Arc<Given>,
    named: Option<&Path>,
    (docs, wanted): (&args::Docs, &Docs),
    found: &mut Found,
) -> Result<(), Failure> {
    let Settings { recursive_path, exclude, .. } = &given.settings;
    // Paths are printed without `.` in them. The last one is next.
    let start = directory.join(recursive_path).components().collect();
    let mut rest: Vec<PathBuf> = vec![start];
    let mut is_top = true;
    while let Some(directory) = rest.pop() {
        let fail = |error: std::io::Error| {
            Failure::Message(format!("{}: {error}", visible::path(&directory)))
        };
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&directory).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            let is_excluded = exclude.iter().any(|excluded| name == excluded.as_str());
            if entry.file_type().map_err(fail)?.is_dir() && !is_hidden && !is_excluded {
                names.push(name);
            }
        }
        names.sort_unstable_by(|one, other| other.cmp(one));
        rest.extend(names.into_iter().map(|name| directory.join(name)));
        let files = list(&directory)?;
        if !std::mem::take(&mut is_top) && !files.files.is_empty() {
            let own = directory.join(named.unwrap_or(Path::new(NAMES[0])));
            let given = match own.exists() {
                true => {
                    let given = read(&own, Access::FOUND, given.settings.clone())?;
                    Arc::new(with_flags(given, docs, wanted))
                }
                false => Arc::clone(given),
            };
            found.pages.push(Page { directory, files, given });
        }
    }
    Ok(())
}

/// Returns the pages of all modules at and below the paths: each with the settings of all directories
/// around it in the repository, the nearest last.
fn tree(
    docs: &args::Docs,
    named: Option<&Path>,
    wanted: &Docs,
    roots: &Roots,
    common: &Common,
) -> Result<Found, Failure> {
    let configuration = Configuration {
        paths: docs.paths.clone(),
        ignore_files: docs.ignore_files,
        ..Configuration::of_directory(PathBuf::new(), None)
    };
    let discovery = input::modules(&configuration, common)?;
    let status = Incomplete::status(&discovery);
    Incomplete::of_discovery(&discovery).print(args::ListFormat::Human, common);
    let mut directories: BTreeMap<PathBuf, ModuleFiles> = BTreeMap::new();
    for module in discovery.modules.into_iter().filter(ModuleFiles::has_configuration) {
        let Some(directory) = module.directory().disk().map(Path::to_owned) else { continue };
        let mut module = module;
        module.files.retain(|file| file.kind.list.declares());
        directories
            .entry(directory)
            .and_modify(|known| known.files.append(&mut module.files.clone()))
            .or_insert(module);
    }
    let of_all = match named {
        Some(file) => {
            let read = read(file, Access::NAMED, Settings::default())?;
            Some(Arc::new(with_flags(read, docs, wanted)))
        }
        None => None,
    };
    let mut known: BTreeMap<PathBuf, Arc<Given>> = BTreeMap::new();
    let mut pages = Vec::new();
    for (directory, files) in directories {
        let given = match &of_all {
            Some(given) => Arc::clone(given),
            None => {
                let named = or_here(&directory);
                let fail = |error| Failure::Message(format!("{}: {error}", visible::path(named)));
                merged(&named.canonicalize().map_err(fail)?, (docs, wanted), roots, &mut known)?
            }
        };
        let is_excluded = |name: &std::ffi::OsStr| {
            given.settings.exclude.iter().any(|excluded| name == excluded.as_str())
        };
        if directory.iter().any(is_excluded) {
            continue;
        }
        pages.push(Page { directory, files, given });
    }
    Ok(Found { pages, status })
}

/// Returns the settings of a directory: those of the directory around it, and on top of them its own. The
/// first ones are at the top of the repository.
fn merged(
    directory: &Path,
    (docs, wanted): (&args::Docs, &Docs),
    roots: &Roots,
    known: &mut BTreeMap<PathBuf, Arc<Given>>,
) -> Result<Arc<Given>, Failure> {
    let inside: Vec<&Path> = directory.ancestors().take_while(|it| roots.contains(it)).collect();
    let none = Given { settings: Settings::default(), file: None };
    let mut given = Arc::new(with_flags(none, docs, wanted));
    for directory in inside.into_iter().rev() {
        if let Some(found) = known.get(directory) {
            given = Arc::clone(found);
            continue;
        }
        let file = NAMES.iter().map(|name| directory.join(name)).find(|file| file.exists());
        if let Some(file) = file {
            let read = read(&file, Access::FOUND, given.settings.clone())?;
            given = Arc::new(with_flags(read, docs, wanted));
        }
        known.insert(directory.to_owned(), Arc::clone(&given));
    }
    Ok(given)
}
