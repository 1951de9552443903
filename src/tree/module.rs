//! One module of a tree: its files decoded, what they declare, and where its calls lead.

use rayon::prelude::*;

use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::List;
use crate::directory::{DecodeOptions, FileDocument, ModuleFile, ModuleFiles, decode_together};
use crate::hash::HashMap;
use crate::module::test::{TestFile, TestValues};
use crate::module::{Assignments, Module, Object, Uses};
use crate::parsed::ParsedFile;
use crate::source::Source;

/// Where a module call leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// To a module of the tree, by its place in [`Tree::modules`](super::Tree::modules).
    Module(usize),
    /// To a directory that does not exist.
    Missing,
    /// To a registry, a repository or an archive, and it is not installed.
    Remote,
    /// To a directory without configuration, to where an expression says, or nowhere.
    Unknown,
}

/// How a module came into a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// It is among the modules that were given.
    Given,
    /// A call by path leads to it, out of what was given.
    Called,
    /// It was installed for a root module, or is called by path from one that was.
    Installed,
}

/// A module of a tree.
#[derive(Debug)]
pub struct TreeModule<'a> {
    /// Its directory and files.
    pub files: ModuleFiles,
    /// How it came into the tree.
    pub origin: Origin,
    /// The files that were read, in the order of `files`.
    pub sources: Vec<Source<'a>>,
    /// Those that have configuration, parsed: primary files, then override files.
    pub configuration: Vec<(List, ParsedFile<'a>)>,
    /// What they declare.
    pub module: Module<'a>,
    /// Its test files.
    pub tests: Vec<TestFile<'a>>,
    /// The values of its files of variables.
    pub assignments: Assignments<'a>,
    /// The values of files of variables in its directory `tests`, which only tests have.
    pub test_assignments: Assignments<'a>,
    /// What is wrong with it: by file in the order of `files`, then by offset.
    pub diagnostics: Vec<Diagnostic<'a>>,
    /// Where each call of `module.calls` leads, in their order.
    pub links: Vec<Link>,
    /// Who refers to whom in it.
    pub(super) uses: Uses<'a>,
    /// The files that could not be read, or have a syntax error: what they declare is not known. Of
    /// a native file all is read that is not part of an error in its structure.
    pub undecoded: Vec<Source<'a>>,
    /// Something is declared in a wrong way, whatever references say.
    pub(super) has_wrong_declarations: bool,
}

impl<'a> TreeModule<'a> {
    /// The source that declares an object of the module.
    #[must_use]
    pub fn declares(&self, object: Object<'_>) -> Option<Source<'a>> {
        self.module.declaration(object).map(|label| label.source)
    }

    /// The place of the module that an object calls, if it is a module call that leads to one of
    /// the tree.
    #[must_use]
    pub fn called_by(&self, object: Object<'_>) -> Option<usize> {
        let Object::ModuleCall(name) = object else { return None };
        let place = self.module.calls.iter().position(|call| call.name == name)?;
        match self.links.get(place)? {
            Link::Module(called) => Some(*called),
            _ => None,
        }
    }

    /// Whether what rests on the absence of a declaration cannot be said: some files could not be
    /// decoded, or not all of them.
    #[must_use]
    pub fn withholds(&self) -> bool {
        !self.undecoded.is_empty()
    }
}

impl<'a> TreeModule<'a> {
    /// Decodes modules: all their files several at a time, then all modules.
    pub(super) fn load_all(
        arena: &'a Arena,
        modules: Vec<(ModuleFiles, Origin)>,
        options: &DecodeOptions,
    ) -> Vec<Self> {
        let (files, origins): (Vec<_>, Vec<_>) = modules.into_iter().unzip();
        let decoded = decode_together(&files, arena, options);
        let modules = files.par_iter().zip(decoded).zip(origins);
        modules
            .map(|((files, decoded), origin)| Self::read(arena, files, decoded, origin))
            .collect()
    }

    /// Reads the parsed files of a module.
    fn read(
        arena: &'a Arena,
        files: &ModuleFiles,
        decoded: Vec<FileDocument<'_, 'a>>,
        origin: Origin,
    ) -> Self {
        let mut diagnostics = Vec::new();
        let mut sources = Vec::new();
        let mut undecoded = Vec::new();
        let mut configuration: Vec<(List, ParsedFile<'a>)> = Vec::new();
        let mut tests = Vec::new();
        let mut assignments = Assignments::default();
        let mut test_assignments = Assignments::default();
        for FileDocument { file, source, parsed } in decoded {
            sources.push(source);
            match parsed {
                Ok(parsed) => {
                    diagnostics.extend_from_slice(parsed.diagnostics());
                    if !parsed.is_complete() {
                        undecoded.push(source);
                    }
                    match file.kind.list {
                        List::Primary | List::Override => {
                            configuration.push((file.kind.list, parsed));
                        }
                        List::Test => {
                            tests.push(TestFile::read(files.dialect, parsed, &mut diagnostics));
                        }
                        List::Variables if file.is_in_tests() => {
                            test_assignments.read(parsed, &mut diagnostics);
                        }
                        List::Variables => assignments.read(parsed, &mut diagnostics),
                    }
                }
                Err(error) => {
                    diagnostics.push(error.to_diagnostic(source));
                    undecoded.push(source);
                }
            }
        }
        let mut module = Self {
            module: Module::default(),
            tests,
            assignments,
            test_assignments,
            files: files.clone(),
            origin,
            sources,
            configuration,
            diagnostics,
            links: Vec::new(),
            uses: Uses::default(),
            undecoded,
            has_wrong_declarations: false,
        };
        let withholds = module.withholds();
        let dialect = module.files.dialect;
        let configuration = module.configuration.iter().copied();
        module.module = Module::read(dialect, configuration, withholds, &mut module.diagnostics);
        module.has_wrong_declarations =
            module.diagnostics.iter().any(|each| each.severity() == Severity::Error);
        let (declared, diagnostics) = (&module.module, &mut module.diagnostics);
        module.uses = declared.analyse(arena, withholds, diagnostics);
        // A test or a file of variables that is named alone says nothing of which objects there
        // are.
        let withholds = withholds || !module.files.has_configuration();
        let is_unread = |file: &ModuleFile| !file.is_read() && file.kind.list == List::Variables;
        let values = TestValues {
            of_module: &module.assignments,
            of_tests: &module.test_assignments,
            is_complete: !module.files.files.iter().any(is_unread) && module.undecoded.is_empty(),
        };
        for test in &module.tests {
            test.check(declared, values, withholds, diagnostics);
        }
        module.assignments.check(declared, withholds, diagnostics);
        module
    }

    pub(super) fn sort_diagnostics(&mut self) {
        sort(&mut self.diagnostics, &self.sources);
    }
}

/// Sorts diagnostics by file, then by offset. Sources are numbered in the order in which they are
/// opened, which threads decide; files are not.
pub(super) fn sort(diagnostics: &mut [Diagnostic<'_>], sources: &[Source<'_>]) {
    let places: HashMap<u32, usize> =
        sources.iter().enumerate().map(|(place, source)| (source.id(), place)).collect();
    let place = |diagnostic: &Diagnostic<'_>| places.get(&diagnostic.source().id()).copied();
    diagnostics.sort_by_key(|diagnostic| (place(diagnostic), diagnostic.span().start));
}
