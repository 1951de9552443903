//! Modules: the files of a directory tree, grouped, with the kind of each.
//!
//! A *module* ([`ModuleFiles`]) is one directory of configuration files of one tool. [`discover()`]
//! finds all modules below some paths by the names of files, without opening any. [`decode()`]
//! reads and parses their files in parallel.
//!
//! ```
//! use simd_hcl::directory::{DecodeOptions, DiscoverOptions, decode, discover};
//! use std::sync::atomic::{AtomicUsize, Ordering};
//!
//! let found = discover(&["corpus/monorepo/modules"], &DiscoverOptions::default());
//! assert!(found.problems.is_empty());
//! let count = AtomicUsize::new(0);
//! decode(&found.modules, &DecodeOptions::default(), |_, _, document| {
//!     count.fetch_add(usize::from(document.is_ok()), Ordering::Relaxed);
//! });
//! assert!(count.into_inner() > 2);
//! ```

mod contents;
mod decode;
mod discover;
mod discovery;
mod group;
mod ignored;
mod list;
mod location;
mod named;
mod path;
mod roots;
#[cfg(feature = "serde")]
mod serialize;
mod walk;
mod whole;

pub use self::contents::{in_memory, in_memory_below};
pub use self::decode::{DecodeOptions, FileOf, NativeFile, Open, decode, decode_native, in_utf8};
pub use self::discover::discover;
pub(crate) use self::discovery::io_message;
pub use self::discovery::{DiscoverOptions, DiscoverProblem, Discovery, Nothing, ProblemKind};
pub use self::location::{InvalidPath, Location, MemoryFiles, MemoryPath};
pub use self::roots::Roots;
pub(crate) use self::whole::decode_together;
pub use self::whole::{FileDocument, decode_modules};

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::Arc;

use crate::dialect::{Dialect, FileKind, List, Syntax};
use crate::hash::HashMap;
use crate::source::{Access, SourceError};

/// The directory of the tests of the module above it.
const TESTS: &str = "tests";

/// The files of one module.
///
/// They are in the order in which the tools read them: primary files, override files, tests (those
/// of the directory `tests` first), variables (`terraform.tfvars` and `terraform.tfvars.json`
/// first). Each list is sorted by the bytes of the name, regardless of the syntax. Packer reads all
/// native files before the JSON files.
///
/// ```
/// use simd_hcl::directory::{DiscoverOptions, discover};
///
/// let found = discover(&["corpus/monorepo/modules/service"], &DiscoverOptions::default());
/// let mut files = found.modules[0].files.iter();
/// assert!(files.any(|file| file.name == "main.tf"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleFiles {
    /// The directory; for a module of one file, the file.
    pub path: Location,
    /// The tool that reads it.
    pub dialect: Dialect,
    /// The files.
    pub files: Vec<ModuleFile>,
}

/// One file of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleFile {
    /// Its name in the module's directory; `tests/NAME` for a test, or for variable values, in the
    /// directory `tests`.
    pub name: OsString,
    /// Where the file is.
    pub path: Location,
    /// The kind of the file.
    pub kind: FileKind,
    /// The name of the file that replaces it in OpenTofu: this one is not read then.
    pub shadowed_by: Option<OsString>,
    /// The reason why it is in the module.
    pub given: Given,
    /// Whether a directory listing reported a regular file, which can be opened without waiting.
    is_regular: bool,
    /// Where it leads, if it is a link that must not be read.
    outside: Option<Arc<Path>>,
    /// Its content, if the caller has it; otherwise it is read.
    content: Option<Arc<[u8]>>,
}

/// The reason why a file is in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Given {
    /// It was found in a requested directory.
    Found,
    /// The user named it.
    Named,
    /// It is in the same directory as a named file, and is read to understand that file. Its own
    /// diagnostics are not reported.
    Beside,
}

impl ModuleFile {
    /// Returns an explicitly named file.
    #[must_use]
    pub fn new(name: OsString, path: impl Into<Location>, kind: FileKind) -> Self {
        let (path, given, is_regular) = (path.into(), Given::Named, false);
        let (shadowed_by, outside, content) = (None, None, None);
        Self { name, path, kind, shadowed_by, given, is_regular, outside, content }
    }

    /// Returns a regular file that was found in a directory.
    fn found(name: OsString, path: Location, kind: FileKind) -> Self {
        Self { given: Given::Found, is_regular: true, ..Self::new(name, path, kind) }
    }

    /// The path of the file in the file system that its content is read from; `None` if it is in
    /// memory, or if the caller has its content. Only such a file can be written.
    #[must_use]
    pub fn on_disk(&self) -> Option<&Path> {
        self.path.disk().filter(|_| self.content.is_none())
    }

    /// Sets the content, which is then not read from the file: that of an editor, for example.
    #[must_use]
    pub fn with_content(mut self, content: Arc<[u8]>) -> Self {
        self.content = Some(content);
        self
    }

    /// Whether its content was requested: it is not [`Given::Beside`] another file.
    #[must_use]
    pub fn is_asked_for(&self) -> bool {
        self.given != Given::Beside
    }

    /// How it may be opened: a file that the user has not named must be a regular file, because
    /// opening a pipe would wait for a writer.
    ///
    /// # Errors
    /// [`SourceError::Outside`]: it is a link that must not be read.
    pub fn access(&self) -> Result<Access, SourceError> {
        match (self.given, &self.outside) {
            (Given::Named, _) => Ok(Access::NAMED),
            (_, Some(target)) => Err(SourceError::Outside { target: target.to_path_buf() }),
            (_, None) if self.is_regular => Ok(Access::FOUND.listed_as_regular()),
            (_, None) => Ok(Access::FOUND),
        }
    }

    /// Whether the tool reads it: it is not shadowed.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.shadowed_by.is_none()
    }

    /// Whether it is in native syntax and not shadowed, so that its structure can be read
    /// ([`decode_native`]).
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.kind.syntax == Syntax::Native && self.shadowed_by.is_none()
    }

    /// Whether it is in the directory `tests`: a test, or variable values for tests.
    pub(crate) fn is_in_tests(&self) -> bool {
        self.name.as_encoded_bytes().contains(&(MAIN_SEPARATOR as u8))
    }

    /// Whether a root module has it: it is configuration, or a file of variables that is loaded
    /// automatically.
    fn is_of_root(&self) -> bool {
        self.is_configuration() || self.kind.list == List::Variables
    }

    /// Whether it can have declarations: it is a primary or an override file.
    fn is_configuration(&self) -> bool {
        self.kind.list.declares()
    }

    /// Whether it can name objects other than variables.
    fn is_configuration_or_test(&self) -> bool {
        self.is_configuration() || self.kind.list == List::Test
    }
}

impl ModuleFiles {
    /// Returns the module of one explicitly named file.
    #[must_use]
    pub fn of_file(path: impl Into<Location>, dialect: Option<Dialect>) -> Self {
        let path = path.into();
        let whole = || path.disk().map(Path::as_os_str).unwrap_or_default();
        let name = path.file_name().unwrap_or_else(whole).to_owned();
        let dialect = Dialect::of_named(&name, dialect);
        let kind = FileKind::of_named(&name, dialect);
        let file = ModuleFile::new(name, path.clone(), kind);
        Self { path, dialect, files: vec![file] }
    }

    /// Returns the module of a directory's files, in any order. Sorts them, and determines which
    /// are shadowed.
    #[must_use]
    pub fn of_directory(
        path: impl Into<Location>,
        dialect: Dialect,
        files: Vec<ModuleFile>,
    ) -> Self {
        Self::sorted(path.into(), dialect, files)
    }

    fn sorted(path: Location, dialect: Dialect, mut files: Vec<ModuleFile>) -> Self {
        let place = |file: &ModuleFile| (file.kind.list, file.kind.rank(), !file.is_in_tests());
        files.sort_by(|one, other| {
            let names = || one.name.as_encoded_bytes().cmp(other.name.as_encoded_bytes());
            place(one).cmp(&place(other)).then_with(names)
        });
        if dialect == Dialect::OpenTofu {
            shadow(&mut files);
        }
        Self { path, dialect, files }
    }

    /// Leaves out files that were found, and that only later releases 1.x of the tool read.
    pub(crate) fn keep_release(&mut self, release: u8) {
        let dialect = self.dialect;
        let before = self.files.len();
        self.files
            .retain(|file| file.given == Given::Named || !file.kind.is_later(dialect, release));
        if self.files.len() < before {
            self.files.iter_mut().for_each(|file| file.shadowed_by = None);
            if dialect == Dialect::OpenTofu {
                shadow(&mut self.files);
            }
        }
    }

    /// Has links that lead outside of some directories not read.
    pub fn refuse_links(&mut self, roots: &Roots) {
        for file in self.files.iter_mut().filter(|file| file.given != Given::Named) {
            if let Some(path) = file.on_disk().filter(|_| !file.is_regular) {
                file.outside = roots.outside(path).map(Arc::from);
            }
        }
    }

    /// Returns which of its files were requested.
    #[must_use]
    pub fn asked_for(&self) -> AskedFor {
        let is_limited = self.files.iter().any(|file| !file.is_asked_for());
        let names = || {
            let files = self.files.iter().filter(|file| file.is_asked_for());
            files.map(|file| file.path.to_string_lossy().into_owned()).collect()
        };
        AskedFor(is_limited.then(names))
    }

    /// Whether it has configuration, not only tests or variables.
    #[must_use]
    pub fn has_configuration(&self) -> bool {
        self.files.iter().any(ModuleFile::is_configuration)
    }
}

/// The requested files of a module: all, unless some of them were named.
#[derive(Clone, Debug)]
pub struct AskedFor(Option<BTreeSet<String>>);

impl AskedFor {
    /// Whether the source with that name ([`crate::Source::name`]) was requested.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(name))
    }

    /// Whether all files were requested.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }
}

/// Marks files that other files of the same list shadow.
fn shadow(files: &mut [ModuleFile]) {
    for list in files.chunk_by_mut(|one, other| one.kind.list == other.kind.list) {
        if !list.iter().any(|file| file.kind.may_shadow()) {
            continue;
        }
        let places: HashMap<_, _> = list
            .iter()
            .enumerate()
            .map(|(place, file)| (file.kind.key(&file.name), place))
            .collect();
        let shadows: Vec<Option<OsString>> = list
            .iter()
            .map(|file| {
                let place = places.get(&file.kind.shadow_key(&file.name)?)?;
                Some(list[*place].name.clone())
            })
            .collect();
        for (file, shadow) in list.iter_mut().zip(shadows) {
            file.shadowed_by = shadow;
        }
    }
}
