//! One page: its entries, its text, and the new content of its file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simd_hcl::Arena;
use simd_hcl::directory::{DecodeOptions, ModuleFiles, Roots};
use simd_hcl::docs::{
    Extras, Inventory, Named, Settings, Written, has_marker, page, title, written,
};
use simd_hcl::source::{Access, OpenFile, SourceError, Stamp};
use simd_hcl::tree::Secrets;

use super::around::Around;
use crate::args;
use crate::finding::Finding;
use crate::visible;

/// The longest file that a page is written to, or that it includes.
const MAX_BYTES: u64 = 64 << 20;

/// The settings of pages, and the file that they come from, if any.
pub(super) struct Given {
    pub(super) settings: Settings,
    pub(super) file: Option<PathBuf>,
}

impl Given {
    /// An error in the settings.
    pub(super) fn problem(&self, problem: &simd_hcl::docs::Problem) -> String {
        match &self.file {
            Some(file) => format!("{}:{problem}", visible::path(file)),
            None => problem.message.clone(),
        }
    }
}

/// A page to make.
pub(super) struct Page {
    pub(super) directory: PathBuf,
    pub(super) files: ModuleFiles,
    pub(super) given: Arc<Given>,
}

/// The content of a file before a page is written to it.
pub(super) struct Old {
    pub(super) content: Vec<u8>,
    pub(super) stamp: Option<Stamp>,
}

/// Where a page goes.
pub(super) enum Target {
    /// Its file has it already, or is left alone.
    Nothing,
    /// The module could not be read, which its findings say.
    Unread,
    Output(String),
    File {
        path: PathBuf,
        old: Option<Old>,
        text: Vec<u8>,
    },
}

/// A row of the index.
pub(super) struct Entry {
    /// The directory of the module, without links.
    pub(super) directory: PathBuf,
    /// The target of the row's link.
    pub(super) file: PathBuf,
    pub(super) title: String,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) resources: usize,
    /// The number of calls, if it is known.
    pub(super) callers: Option<usize>,
}

/// The result for one page.
pub(super) struct Made {
    pub(super) findings: Vec<Finding>,
    pub(super) target: Result<Target, String>,
    /// The entry of the index.
    pub(super) entry: Option<Entry>,
}

/// Makes pages.
pub(super) struct Maker<'m> {
    pub(super) docs: &'m args::Docs,
    pub(super) options: &'m DecodeOptions,
    pub(super) roots: &'m Roots,
    pub(super) secrets: Option<&'m Secrets>,
    pub(super) around: &'m Around,
    pub(super) marked: bool,
    /// Whether there is an index, for which entries are made.
    pub(super) has_index: bool,
}

impl Maker<'_> {
    pub(super) fn make(&self, arena: &Arena, page: &Page) -> Made {
        let mut findings = Vec::new();
        let settings = &page.given.settings;
        let mut sink =
            |diagnostic: simd_hcl::Diagnostic<'_>| findings.push(Finding::of(&diagnostic));
        let read = Inventory::read_hiding(
            arena,
            &page.files,
            self.options,
            settings,
            self.secrets,
            &mut sink,
        );
        let mut entry = None;
        let target = match read {
            None => Ok(Target::Unread),
            Some(inventory) => {
                let none = Extras::default();
                let needs_real = self.has_index || !self.around.is_empty();
                let real = needs_real.then(|| page.directory.canonicalize().ok()).flatten();
                let extras = real.as_ref().and_then(|real| self.around.get(real)).unwrap_or(&none);
                let real = real.filter(|_| self.has_index);
                entry = real.map(|real| self.entry(page, real, &inventory, extras));
                self.target(page, &inventory, extras)
            }
        };
        Made { findings, target, entry }
    }

    fn entry(&self, of: &Page, real: PathBuf, inventory: &Inventory, extras: &Extras) -> Entry {
        let settings = &of.given.settings;
        let file = match settings.output_file.as_str() {
            "" => real.clone(),
            file => real.join(file),
        };
        Entry {
            directory: real,
            file,
            title: title(settings, &|named| self.read(&of.directory, named)).unwrap_or_default(),
            inputs: inventory.inputs.len(),
            outputs: inventory.outputs.len(),
            resources: inventory.resources.len(),
            callers: extras.callers.as_ref().map(Vec::len),
        }
    }

    fn target(&self, of: &Page, inventory: &Inventory, extras: &Extras) -> Result<Target, String> {
        let Given { settings, .. } = &*of.given;
        let problem = |problem| of.given.problem(&problem);
        let text = page(inventory, settings, extras, &|named| self.read(&of.directory, named));
        let text = text.map_err(problem)?;
        if settings.output_file.is_empty() {
            let what = visible::path(&of.directory);
            return match self.docs.check {
                false => Ok(Target::Output(text + "\n")),
                true => Err(format!("{what}: nothing to check: the settings name no file")),
            };
        }
        let path = of.directory.join(&settings.output_file);
        let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        let fail = |why: &str| format!("{}: {why}", visible::path(&path));
        let old = self.old(&path).map_err(|error| fail(&error.to_string()))?;
        let content = old.as_ref().map(|old| old.content.as_slice());
        let is_marked = content.is_some_and(|content| has_marker(settings, content));
        if self.marked && !is_marked {
            return Ok(Target::Nothing);
        }
        match written(settings, content, &text).map_err(problem)? {
            Written::Content(text) if Some(text.as_slice()) == content => Ok(Target::Nothing),
            Written::Content(text) => Ok(Target::File { path, old, text }),
            Written::Refused(why) => Err(fail(why)),
            _ => Err(fail("it cannot be written")),
        }
    }

    /// Returns the content of the file that a page is written to; `None` if it does not exist.
    pub(super) fn old(&self, path: &Path) -> io::Result<Option<Old>> {
        self.inside(path)?;
        match open(path) {
            Ok(file) => {
                let stamp = file.stamp();
                Ok(Some(Old { content: file.read().map_err(io::Error::other)?, stamp }))
            }
            Err(SourceError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }

    /// Returns the text of a file that settings name; `None` if it does not exist.
    fn read(&self, directory: &Path, named: Named<'_>) -> io::Result<Option<String>> {
        let path = match named {
            Named::InModule(name) => directory.join(name),
            Named::Here(name) => PathBuf::from(name),
        };
        self.inside(&path)?;
        let content = match open(&path).and_then(OpenFile::read) {
            Ok(content) => content,
            Err(SourceError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(error) => return Err(io::Error::other(error.to_string())),
        };
        String::from_utf8(content).map(Some).map_err(io::Error::other)
    }

    /// Settings may be those of a pull request: they get at nothing outside of the repository.
    fn inside(&self, path: &Path) -> io::Result<()> {
        match self.roots.outside(path) {
            None => Ok(()),
            Some(real) => {
                let target = visible::path(&real);
                Err(io::Error::other(format!("it leads to {target}, outside of the given paths")))
            }
        }
    }
}

fn open(path: &Path) -> Result<OpenFile, SourceError> {
    Access::FOUND.with_limit(MAX_BYTES).open(path)
}
