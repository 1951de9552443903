//! The tree that answers come from: its files by name, and the places of its modules, which are computed on
//! first use.

use std::path::Path;
use std::sync::OnceLock;

use super::unit_file::UnitFile;
use crate::dialect::{Dialect, FileKind};
use crate::facts::Places;
use crate::hash::HashMap;
use crate::hidden::Hidden;
use crate::parsed::ParsedFile;
use crate::show::BodySchemas;
use crate::source::Source;
use crate::span::Span;
use crate::tree::{Origin, Tree, TreeModule, TreeTemplate};

/// Bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileSpan {
    /// The name of the file, as its source has it.
    pub file: Box<str>,
    /// The bytes.
    pub span: Span,
}

impl FileSpan {
    pub(super) fn new(source: Source<'_>, span: Span) -> Self {
        Self { file: source.name().into(), span }
    }
}

/// The module or template that a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The module with this index in [`Tree::modules`].
    Module(usize),
    /// The template with this index in [`Tree::templates`].
    Template(usize),
    /// The unit of Terragrunt that is asked about.
    Unit,
}

/// A file of a tree.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) owner: Owner,
    /// The index among the sources of its owner.
    pub(super) at: usize,
    pub(super) source: Source<'a>,
    pub(super) dialect: Dialect,
    pub(super) kind: FileKind,
    parsed: OnceLock<Option<ParsedFile<'a>>>,
}

/// For each module, the calls of it: the index of the calling module, and the number of the call in it.
type Callers = Vec<Vec<(usize, u32)>>;

/// Answers to questions about the files of a tree.
///
/// A file has the name of its source ([`Source::name`]), and a place is an offset in bytes. There is no answer
/// about a file that is not in the tree.
#[derive(Debug)]
pub struct Answers<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) schemas: &'t BodySchemas<'a>,
    files: HashMap<&'a str, Entry<'a>>,
    places: Box<[OnceLock<Places>]>,
    callers: OnceLock<Callers>,
    /// A file of Terragrunt that is asked about.
    pub(super) unit: Option<UnitFile<'a>>,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// Creates answers about a tree. `schemas` has the schemas of its providers.
    ///
    /// Cost: linear in the number of files.
    #[must_use]
    pub fn new(tree: &'t Tree<'a>, schemas: &'t BodySchemas<'a>) -> Self {
        let mut files = HashMap::default();
        let mut add = |owner, dialect, sources: &[Source<'a>]| {
            for (at, &source) in sources.iter().enumerate() {
                let name = Path::new(source.name()).file_name().unwrap_or_default();
                let kind = FileKind::of_named(name, dialect);
                let parsed = OnceLock::new();
                let entry = Entry { owner, at, source, dialect, kind, parsed };
                files.entry(source.name()).or_insert(entry);
            }
        };
        for (place, module) in tree.modules().iter().enumerate() {
            add(Owner::Module(place), module.files.dialect, &module.sources);
        }
        for (place, template) in tree.templates().iter().enumerate() {
            add(Owner::Template(place), Dialect::Packer, &template.sources);
        }
        let places = tree.modules().iter().map(|_| OnceLock::new()).collect();
        let callers = OnceLock::new();
        Self { tree, schemas, files, places, callers, unit: None }
    }

    /// Adds a file of Terragrunt.
    pub(super) fn with_unit(mut self, unit: UnitFile<'a>) -> Self {
        let source = unit.file.source();
        let name = Path::new(source.name()).file_name().unwrap_or_default();
        let dialect = Dialect::OpenTofu;
        let kind = FileKind::of_unit(name).unwrap_or_else(|| FileKind::of_named(name, dialect));
        let parsed = OnceLock::from(Some(unit.file));
        let entry = Entry { owner: Owner::Unit, at: 0, source, dialect, kind, parsed };
        self.files.insert(source.name(), entry);
        self.unit = Some(unit);
        self
    }

    /// The file of Terragrunt that an entry is.
    pub(super) fn unit_in(&self, entry: &Entry<'a>) -> Option<&UnitFile<'a>> {
        self.unit.as_ref().filter(|_| entry.owner == Owner::Unit)
    }

    /// Returns the tree.
    #[must_use]
    pub fn tree(&self) -> &'t Tree<'a> {
        self.tree
    }

    /// Returns whether a file is in the tree.
    #[must_use]
    pub fn has_file(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Returns the source of a file; `None` if it is not in the tree.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<Source<'a>> {
        Some(self.files.get(name)?.source)
    }

    pub(super) fn entry(&self, name: &str) -> Option<&Entry<'a>> {
        self.files.get(name)
    }

    /// Returns the parsed file; `None` if it is JSON with a syntax error.
    pub(super) fn parsed(&self, entry: &Entry<'a>) -> Option<ParsedFile<'a>> {
        *entry.parsed.get_or_init(|| {
            let id = entry.source.id();
            let known = match entry.owner {
                Owner::Module(place) => {
                    let module = &self.tree.modules()[place];
                    let mut all = module.configuration.iter().chain(&module.of_stack);
                    all.find(|(_, file)| file.source().id() == id).map(|(_, file)| *file)
                }
                Owner::Template(_) | Owner::Unit => None,
            };
            known.or_else(|| ParsedFile::read(entry.source.arena(), entry.source).ok())
        })
    }

    pub(super) fn module(&self, place: usize) -> &'t TreeModule<'a> {
        &self.tree.modules()[place]
    }

    pub(super) fn template(&self, place: usize) -> &'t TreeTemplate<'a> {
        &self.tree.templates()[place]
    }

    /// Returns the places of a module.
    pub(super) fn places(&self, module: usize) -> &Places {
        self.places[module].get_or_init(|| self.module(module).places())
    }

    /// Returns the module that a call leads to.
    pub(super) fn called(&self, module: usize, call: u32) -> Option<usize> {
        self.module(module).called_by(self.module(module).module.object(call)?)
    }

    /// Returns the calls of a module: the calling module, and the number of the call in it.
    pub(super) fn callers(&self, module: usize) -> &[(usize, u32)] {
        &self.callers.get_or_init(|| self.tree.callers())[module]
    }

    /// Returns the values to hide, by module.
    pub(super) fn hidden(&self) -> &[Hidden] {
        self.tree.hidden_once()
    }

    /// Returns the values of a template to hide.
    #[cfg(feature = "packer")]
    pub(super) fn hidden_of_template(&self, template: usize) -> &Hidden {
        &self.template(template).hidden
    }

    /// Returns the modules that are not installed. Only these are searched by name.
    pub(super) fn own_modules(&self) -> impl Iterator<Item = (usize, &'t TreeModule<'a>)> {
        let modules = self.tree.modules().iter().enumerate();
        modules.filter(|(_, module)| module.origin != Origin::Installed)
    }
}
