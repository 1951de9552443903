//! Documents, files and trees that own their arena, for caches, servers and other long-lived data.
//!
//! Views borrow from an [`Arena`], and cannot leave the function that created it. An owning handle
//! keeps both together, and can be stored, shared between threads and dropped as a whole. It passes
//! its view to a closure, because the view must not outlive the handle.
//!
//! ```
//! use std::collections::HashMap;
//! use simd_hcl::OwnedDocument;
//!
//! let mut cache: HashMap<&str, OwnedDocument> = HashMap::new();
//! cache.insert("a", OwnedDocument::parse("a.tf.json", br#"{"variable": {"x": {}}}"#)?);
//! let is_object = cache["a"].with(|document| document.root().is_object());
//! assert!(is_object);
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```
//!
//! ```compile_fail
//! let owned = simd_hcl::OwnedDocument::parse("a.json", b"{}").unwrap();
//! let root = owned.with(|document| document.root());
//! drop(owned);
//! root.is_object();
//! ```
//!
//! Data that is decoded through a handle stays in memory until the handle is dropped.
#![allow(unsafe_code, reason = "`self_cell` writes it")]

use std::fmt;
use std::path::Path;
#[cfg(feature = "model")]
use std::sync::OnceLock;

use self_cell::self_cell;

use crate::arena::Arena;
#[cfg(feature = "model")]
use crate::directory::ModuleFiles;
use crate::document::Document;
use crate::event::ParseOptions;
use crate::parsed::ParsedFile;
use crate::report::OwnedDiagnostic;
#[cfg(feature = "model")]
use crate::show::{BodySchemas, SchemaText};
use crate::source::{Source, SourceError};
#[cfg(feature = "workspace")]
use crate::tree::Around;
#[cfg(feature = "model")]
use crate::tree::{Tree, TreeOptions};

self_cell! {
    struct DocumentCell {
        owner: Arena,
        #[not_covariant]
        dependent: Document,
    }
}

self_cell! {
    struct FileCell {
        owner: Arena,
        #[not_covariant]
        dependent: ParsedFile,
    }
}

#[cfg(feature = "model")]
self_cell! {
    struct TreeCell {
        owner: TreeOwner,
        #[not_covariant]
        dependent: TreeView,
    }
}

/// The bytes that a tree borrows.
#[cfg(feature = "model")]
struct TreeOwner {
    arena: Arena,
    schemas: Option<SchemaText>,
}

/// A tree, and the schemas of its providers.
#[cfg(feature = "model")]
struct TreeView<'a> {
    tree: Tree<'a>,
    schemas: OnceLock<BodySchemas<'a>>,
}

/// A [`Document`] and its arena. See [`OwnedFile`] for files in native syntax.
pub struct OwnedDocument(DocumentCell);

impl OwnedDocument {
    /// Reads and parses a file.
    ///
    /// # Errors
    /// The file is unreadable, or has a syntax error. The first one is returned.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Box<OwnedDiagnostic>> {
        let path = path.as_ref();
        let name = path.to_string_lossy();
        Self::make(&name, &ParseOptions::default(), |arena| Source::read(arena, path))
    }

    /// Parses a copy of `bytes`, in a source with that name.
    ///
    /// # Errors
    /// The first syntax error, or more than [`crate::source::MAX_LEN`] bytes.
    ///
    /// ```
    /// use simd_hcl::OwnedDocument;
    ///
    /// let owned = OwnedDocument::parse("a.json", br#"{"a": 1}"#)?;
    /// assert_eq!(owned.with(|document| document.root().as_object().unwrap().len()), 1);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, Box<OwnedDiagnostic>> {
        Self::parse_with(name, bytes, &ParseOptions::default())
    }

    /// Like [`parse`](Self::parse), with options. Cost: see [`Document::parse_with`].
    ///
    /// # Errors
    /// See [`parse`](Self::parse).
    pub fn parse_with(
        name: &str,
        bytes: &[u8],
        options: &ParseOptions,
    ) -> Result<Self, Box<OwnedDiagnostic>> {
        Self::make(name, options, |arena| Source::copy_from(arena, name, bytes))
    }

    fn make(
        name: &str,
        options: &ParseOptions,
        source: impl for<'a> FnOnce(&'a Arena) -> Result<Source<'a>, SourceError>,
    ) -> Result<Self, Box<OwnedDiagnostic>> {
        let cell = DocumentCell::try_new(Arena::new(), |arena| {
            let source =
                source(arena).map_err(|error| OwnedDiagnostic::unreadable(name, &error))?;
            Document::parse_with(arena, source, options)
        });
        cell.map(Self)
    }

    /// Calls `read` with the document, and returns its result.
    pub fn with<R>(&self, read: impl for<'a> FnOnce(Document<'a>) -> R) -> R {
        self.0.with_dependent(|_, document| read(*document))
    }
}

impl fmt::Debug for OwnedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|document| write!(f, "OwnedDocument({:?})", document.source().name()))
    }
}

/// A [`ParsedFile`] in either syntax and its arena.
///
/// ```
/// use simd_hcl::OwnedFile;
///
/// let services = OwnedFile::open("examples/services.hcl")?;
/// assert!(services.with(|file| file.diagnostics().is_empty()));
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
pub struct OwnedFile(FileCell);

impl OwnedFile {
    /// Reads and parses a file. See [`ParsedFile::parse`].
    ///
    /// # Errors
    /// The file is unreadable, or the first syntax error of a JSON document.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Box<OwnedDiagnostic>> {
        let path = path.as_ref();
        Self::make(&path.to_string_lossy(), |arena| Source::read(arena, path))
    }

    /// Parses a copy of `bytes`, in a source with that name, which decides the syntax. See
    /// [`ParsedFile::parse`].
    ///
    /// # Errors
    /// The first syntax error of a JSON document, or more than [`crate::source::MAX_LEN`] bytes.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, Box<OwnedDiagnostic>> {
        Self::make(name, |arena| Source::copy_from(arena, name, bytes))
    }

    fn make(
        name: &str,
        source: impl for<'a> FnOnce(&'a Arena) -> Result<Source<'a>, SourceError>,
    ) -> Result<Self, Box<OwnedDiagnostic>> {
        let cell = FileCell::try_new(Arena::new(), |arena| {
            let source =
                source(arena).map_err(|error| OwnedDiagnostic::unreadable(name, &error))?;
            ParsedFile::parse(arena, source)
        });
        cell.map(Self)
    }

    /// Calls `read` with the file, and returns its result.
    pub fn with<R>(&self, read: impl for<'a> FnOnce(ParsedFile<'a>) -> R) -> R {
        self.0.with_dependent(|_, file| read(*file))
    }
}

impl fmt::Debug for OwnedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|file| write!(f, "OwnedFile({:?})", file.source().name()))
    }
}

#[cfg(feature = "model")]
/// A [`Tree`] and its arena.
pub struct OwnedTree(TreeCell);

#[cfg(feature = "model")]
impl TreeOwner {
    fn new(schemas: Option<&SchemaText>) -> Self {
        Self { arena: Arena::new(), schemas: schemas.cloned() }
    }

    fn schemas(&self) -> BodySchemas<'_> {
        match &self.schemas {
            Some(text) => text.read(&self.arena),
            None => BodySchemas::built_in(&self.arena),
        }
    }
}

#[cfg(feature = "model")]
impl OwnedTree {
    /// Decodes modules and links them. See [`Tree::load`].
    ///
    /// ```
    /// use simd_hcl::OwnedTree;
    /// use simd_hcl::directory::{DiscoverOptions, discover};
    /// use simd_hcl::tree::TreeOptions;
    ///
    /// let found = discover(&["corpus/monorepo"], &DiscoverOptions::default());
    /// let tree = OwnedTree::load(found.modules, &TreeOptions::default());
    /// let resources = std::thread::spawn(move || {
    ///     tree.with(|tree| tree.modules().iter().map(|it| it.module.resources.len()).sum::<usize>())
    /// });
    /// assert!(resources.join().unwrap() > 0);
    /// ```
    #[must_use]
    pub fn load(modules: Vec<ModuleFiles>, options: &TreeOptions) -> Self {
        Self::load_with(modules, options, |_, _| ())
    }

    /// Like [`load`](Self::load), and calls `prepare` with the arena and the tree, for checks that
    /// add diagnostics to it.
    ///
    /// ```
    /// use simd_hcl::OwnedTree;
    /// use simd_hcl::directory::{DiscoverOptions, discover};
    /// use simd_hcl::show::BodySchemas;
    /// use simd_hcl::tree::TreeOptions;
    ///
    /// let found = discover(&["corpus/monorepo"], &DiscoverOptions::default());
    /// let tree = OwnedTree::load_with(found.modules, &TreeOptions::default(), |arena, tree| {
    ///     tree.check_bodies(&BodySchemas::built_in(arena));
    /// });
    /// assert_eq!(tree.with(|tree| tree.diagnostics().count()), 0);
    /// ```
    #[must_use]
    pub fn load_with(
        modules: Vec<ModuleFiles>,
        options: &TreeOptions,
        prepare: impl for<'a> FnOnce(&'a Arena, &mut Tree<'a>),
    ) -> Self {
        Self(TreeCell::new(TreeOwner::new(None), |owner| {
            let mut tree = Tree::load_around(&owner.arena, modules, options, None);
            prepare(&owner.arena, &mut tree);
            TreeView { tree, schemas: OnceLock::new() }
        }))
    }

    /// Like [`load_with`](Self::load_with), with the schemas of providers; with `around`, the modules are
    /// a part of a larger tree.
    #[cfg(feature = "workspace")]
    pub(crate) fn load_around(
        modules: Vec<ModuleFiles>,
        options: &TreeOptions,
        (around, schemas): (Option<&Around>, Option<&SchemaText>),
        prepare: impl for<'a> FnOnce(&mut Tree<'a>, &BodySchemas<'a>),
    ) -> Self {
        Self(TreeCell::new(TreeOwner::new(schemas), |owner| {
            let mut tree = Tree::load_around(&owner.arena, modules, options, around);
            let schemas = owner.schemas();
            prepare(&mut tree, &schemas);
            TreeView { tree, schemas: schemas.into() }
        }))
    }

    /// Calls `read` with the tree, and returns its result.
    pub fn with<R>(&self, read: impl for<'t, 'a> FnOnce(&'t Tree<'a>) -> R) -> R {
        self.0.with_dependent(|_, view| read(&view.tree))
    }

    /// Calls `read` with the tree and the schemas of its providers, and returns its result. Without
    /// schemas, these are the ones that are built into the tools.
    pub fn with_schemas<R>(
        &self,
        read: impl for<'t, 'a> FnOnce(&'t Tree<'a>, &'t BodySchemas<'a>) -> R,
    ) -> R {
        self.0.with_dependent(|owner, view| {
            let schemas = view.schemas.get_or_init(|| owner.schemas());
            read(&view.tree, schemas)
        })
    }
}

#[cfg(feature = "model")]
impl fmt::Debug for OwnedTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|tree| write!(f, "OwnedTree({} modules)", tree.modules().len()))
    }
}
