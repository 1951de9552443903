//! One module of a tree: its decoded files, its declarations, and the targets of its calls.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use super::facts::Facts;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::dialect::List;
use crate::directory::{DecodeOptions, FileDocument, ModuleFile, ModuleFiles, decode_together};
use crate::facts::{Interface, Needs, Parts, Places};
use crate::hash::HashMap;
use crate::module::test::{MockFile, TestFile, TestValues};
use crate::module::{Assignments, LockFile, Module, Object, Uses, migration, policy_file};
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::stacks::Stack;

/// The target of a module call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// A module of the tree, by its index in [`Tree::modules`](super::Tree::modules).
    Module(usize),
    /// A directory that does not exist.
    Missing,
    /// A registry, a repository or an archive that is not installed.
    Remote,
    /// A directory that is not read. Where an installed module is, that is neither below the root module
    /// or a given module, nor in the git repository around the root module; see also
    /// [`DecodeOptions::within`](crate::directory::DecodeOptions::within).
    Outside,
    /// A directory without configuration, a source that must be evaluated, or an invalid source.
    Unknown,
}

impl Link {
    /// Why the called module is not in the tree; `None` if it is.
    #[must_use]
    pub const fn missing(self) -> Option<&'static str> {
        Some(match self {
            Self::Module(_) => return None,
            Self::Missing => "the called directory does not exist",
            Self::Remote => "the called module is not installed",
            Self::Outside => "the called module is outside of the directories that are read",
            Self::Unknown => "the called module is not read",
        })
    }
}

/// How a module became part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// It was given.
    Given,
    /// A call by path leads to it from a given module.
    Called,
    /// It is installed for a root module, or called by path from an installed module.
    Installed,
}

/// A module of a tree.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::tree::{Link, Tree};
///
/// let arena = Arena::new();
/// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
/// let mut links = tree.modules().iter().flat_map(|module| &module.links);
/// assert!(links.any(|link| matches!(link, Link::Module(_))));
/// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
/// ```
#[derive(Debug)]
pub struct TreeModule<'a> {
    /// Its directory and files.
    pub files: ModuleFiles,
    /// How it became part of the tree.
    pub origin: Origin,
    /// The files that were read, in the order of `files`.
    pub sources: Vec<Source<'a>>,
    /// The parsed configuration files: primary files, then override files, then queries.
    pub configuration: Vec<(List, ParsedFile<'a>)>,
    /// The declarations.
    pub module: Module<'a>,
    /// The parsed files of a stack.
    pub of_stack: Vec<(List, ParsedFile<'a>)>,
    /// The stack that they declare (Terraform).
    pub stack: Option<Stack<'a>>,
    /// Its test files.
    pub tests: Vec<TestFile<'a>>,
    /// The values of its files of variables.
    pub assignments: Assignments<'a>,
    /// The values of files of variables in its directory `tests`, which only tests use.
    pub test_assignments: Assignments<'a>,
    /// The diagnostics, by file in the order of `files`, then by offset.
    pub diagnostics: Vec<Diagnostic<'a>>,
    /// The target of each call of `module.calls`, in order.
    pub links: Vec<Link>,
    /// The modules that the runs of each file of `tests` run, in order; `None` for the module itself.
    pub(crate) run_links: Vec<Vec<Option<Link>>>,
    /// The dependencies within the module.
    pub(super) uses: Uses<'a>,
    /// The facts that callers see, if another module calls it.
    pub(super) facts: Option<Box<Facts<'a>>>,
    /// The files that could not be read, or have a syntax error, so that their declarations are not
    /// known. In a native file, everything outside of an error in its structure is read.
    pub undecoded: Vec<Source<'a>>,
    /// Whether one of them is configuration, or another tool adds its files to a module elsewhere.
    lacks_configuration: bool,
    /// The first file with something that is not known.
    broken: Option<Source<'a>>,
    /// Whether another module calls it.
    pub(crate) is_called: bool,
    /// Whether [`TreeOptions::roots`](super::TreeOptions::roots) names it.
    pub(super) is_named_root: bool,
    /// Whether a declaration is invalid, apart from references.
    pub(super) has_wrong_declarations: bool,
}

impl<'a> TreeModule<'a> {
    /// The source that declares an object of the module.
    #[must_use]
    pub fn declares(&self, object: Object<'_>) -> Option<Source<'a>> {
        self.module.declaration(object).map(|label| label.source)
    }

    /// The place of the module that an object calls, if it is a module call with a target in the
    /// tree.
    #[must_use]
    pub fn called_by(&self, object: Object<'_>) -> Option<usize> {
        let Object::ModuleCall(name) = object else { return None };
        match self.links.get(self.module.calls.place(name)? as usize)? {
            Link::Module(called) => Some(*called),
            _ => None,
        }
    }

    /// The dependencies within the module, and the parts of the called modules that it uses.
    #[cfg(feature = "rules")]
    pub(crate) fn uses(&self) -> &Uses<'a> {
        &self.uses
    }

    /// Returns the interface of the module; `None` if no module of the tree calls it.
    #[must_use]
    pub fn interface(&self) -> Option<&Arc<Interface>> {
        self.facts.as_ref().map(|facts| &facts.interface)
    }

    /// Whether a declaration is invalid, apart from references.
    #[cfg(feature = "workspace")]
    pub(crate) fn has_wrong_declarations(&self) -> bool {
        self.has_wrong_declarations
    }

    /// Whether missing declarations cannot be reported, because some files of the configuration were
    /// not given or could not be decoded. Tests and values of variables declare nothing.
    #[must_use]
    pub fn withholds(&self) -> bool {
        self.lacks_configuration
    }

    /// A file that could not be read as a whole: a syntax error hides what is written there, even if it
    /// is in one expression. `None` if everything that the module refers to is known.
    ///
    /// Unlike [`withholds`](Self::withholds), this covers tests, files of variables, and the expressions of
    /// files that were read. It is a file of variables only if all others could be read.
    #[must_use]
    pub fn broken(&self) -> Option<Source<'a>> {
        self.broken
    }

    /// Whether a file of the module gives values to variables, and names nothing else.
    ///
    /// Cost: linear in the files.
    #[must_use]
    pub fn has_values(&self, source: Source<'_>) -> bool {
        let mut files = self.files.files.iter();
        let file = files.find(|file| file.path.to_string_lossy() == source.name());
        file.is_some_and(|file| file.kind.list == List::Variables)
    }
}

impl<'a> TreeModule<'a> {
    /// All places of the module: declarations, references, addresses, arguments of calls, in its
    /// configuration, tests and files of variables. The files of places are those of
    /// [`sources`](Self::sources), in their order.
    ///
    /// Files that others shadow are not read: [`Self::written_places`] has their places, too.
    ///
    /// Cost: that of [`Places::of`].
    #[must_use]
    pub fn places(&self) -> Places {
        self.places_with(&[])
    }

    /// Like [`Self::places`], with the places of shadowed files, which are read. They come last, and
    /// have no effect.
    #[must_use]
    pub fn written_places(&self, options: &DecodeOptions) -> Places {
        self.written(options).0
    }

    /// The places of [`Self::written_places`], and the shadowed files.
    pub(crate) fn written(&self, options: &DecodeOptions) -> (Places, Vec<(List, ParsedFile<'a>)>) {
        let Some(arena) = self.sources.first().map(|source| source.arena()) else {
            return (self.places(), Vec::new());
        };
        let shadowed = self.files.shadowed(arena, options);
        let is_read = shadowed.iter().all(|file| file.parsed.is_ok());
        let parsed: Vec<_> = shadowed
            .into_iter()
            .filter_map(|file| Some((file.file.kind.list, file.parsed.ok()?)))
            .collect();
        let mut places = self.places_with(&parsed);
        places.and_complete(is_read);
        (places, parsed)
    }

    fn places_with(&self, shadowed: &[(List, ParsedFile<'a>)]) -> Places {
        let values = [&self.assignments, &self.test_assignments];
        let parts = Parts::new(&self.module, &self.configuration)
            .with_shadowed(shadowed)
            .with_tests(&self.tests)
            .with_values(&values)
            .with_sources(&self.sources)
            .with_complete(!self.withholds());
        Places::of(&parts)
    }

    /// Decodes modules in parallel: first all files, then all modules. `parts` are the directories that lack
    /// configuration.
    pub(super) fn load_all(
        arena: &'a Arena,
        modules: Vec<(ModuleFiles, Origin)>,
        parts: &BTreeSet<PathBuf>,
        (options, release): (&DecodeOptions, Option<u8>),
    ) -> Vec<Self> {
        let (mut files, origins): (Vec<_>, Vec<_>) = modules.into_iter().unzip();
        if let Some(release) = release {
            files.iter_mut().for_each(|files| files.keep_release(release));
        }
        let decoded = decode_together(&files, arena, options);
        let modules = files.par_iter().zip(decoded).zip(origins);
        let is_part = |files: &ModuleFiles| {
            !parts.is_empty() && files.directory().disk().is_some_and(|it| parts.contains(it))
        };
        modules
            .map(|((files, decoded), origin)| {
                Self::read(arena, files, decoded, (origin, is_part(files)))
            })
            .collect()
    }

    /// Reads the parsed files of a module.
    fn read(
        arena: &'a Arena,
        files: &ModuleFiles,
        decoded: Vec<FileDocument<'_, 'a>>,
        (origin, is_part): (Origin, bool),
    ) -> Self {
        let mut diagnostics = Vec::new();
        let mut sources = Vec::new();
        let mut undecoded = Vec::new();
        let mut configuration: Vec<(List, ParsedFile<'a>)> = Vec::new();
        let mut tests = Vec::new();
        let mut assignments = Assignments::default();
        let mut test_assignments = Assignments::default();
        let mut lacks_configuration = is_part;
        let mut of_stack: Vec<(List, ParsedFile<'a>)> = Vec::new();
        let mut migrations = Vec::new();
        for FileDocument { file, source, parsed } in decoded {
            sources.push(source);
            if !parsed.as_ref().is_ok_and(|parsed| parsed.is_complete()) {
                undecoded.push(source);
                lacks_configuration |= file.kind.list.declares();
                if file.kind.list == List::Variables && !file.is_in_tests() {
                    assignments.skip(source);
                }
            }
            match parsed {
                Ok(parsed) => {
                    diagnostics.extend_from_slice(parsed.diagnostics());
                    match file.kind.list {
                        List::Primary | List::Override | List::Query => {
                            configuration.push((file.kind.list, parsed));
                        }
                        List::Mock => MockFile::read(parsed, &mut diagnostics),
                        List::Policy => policy_file::check(parsed, &mut diagnostics),
                        List::PolicyTest => policy_file::check_test(parsed, &mut diagnostics),
                        List::Migration => migrations.push(parsed.body()),
                        List::Component | List::Deployment => {
                            of_stack.push((file.kind.list, parsed));
                        }
                        List::Test => {
                            tests.push(TestFile::read(files.dialect, parsed, &mut diagnostics));
                        }
                        List::Variables if file.is_in_tests() => {
                            test_assignments.read(parsed, &mut diagnostics);
                        }
                        List::Variables => assignments.read(parsed, &mut diagnostics),
                        List::Lock => {
                            LockFile::read(files.dialect, parsed.body(), &mut diagnostics);
                        }
                        List::Other => {}
                    }
                }
                Err(error) => diagnostics.push(error),
            }
        }
        migration::check(&migrations, &mut diagnostics);
        let stack = (!of_stack.is_empty()).then(|| {
            let stack = Stack::read(of_stack.iter().copied(), &mut diagnostics);
            // A file that is given alone does not show what the others declare.
            let is_alone = files.files.first().is_some_and(|file| file.path == files.path);
            let is_whole = undecoded.is_empty() && !is_alone;
            stack.check(arena, !is_whole, &mut diagnostics);
            stack
        });
        let mut module = Self {
            module: Module::default(),
            of_stack,
            stack,
            tests,
            assignments,
            test_assignments,
            files: files.clone(),
            origin,
            sources,
            configuration,
            diagnostics,
            links: Vec::new(),
            run_links: Vec::new(),
            uses: Uses::default(),
            facts: None,
            undecoded,
            lacks_configuration,
            broken: None,
            is_called: false,
            is_named_root: false,
            has_wrong_declarations: false,
        };
        module.read_declarations(arena);
        module
    }

    /// Reads what the configuration declares, and checks tests and values with it.
    fn read_declarations(&mut self, arena: &'a Arena) {
        let module = self;
        let withholds = module.withholds();
        let dialect = module.files.dialect;
        let configuration = module.configuration.iter().copied();
        module.module = Module::read(dialect, configuration, withholds, &mut module.diagnostics);
        module.module.evaluate_sources(&module.assignments, withholds);
        module.has_wrong_declarations =
            module.diagnostics.iter().any(|each| each.severity() == Severity::Error);
        let (declared, diagnostics) = (&module.module, &mut module.diagnostics);
        module.uses = declared.analyse(arena, withholds, diagnostics);
        // A test or a file of variables that is given alone does not show which objects exist.
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
        let hidden = diagnostics.iter().filter(|found| found.code().is_syntax_error());
        let broken = module.undecoded.iter().copied().chain(hidden.map(Diagnostic::source));
        let broken: Vec<Source<'a>> = broken.collect();
        let other = broken.iter().find(|source| !module.has_values(**source));
        module.broken = other.or(broken.first()).copied();
        // The only use may be where the syntax error is.
        if module.broken.is_some() {
            module.diagnostics.retain(|found| found.code() != Code::UnusedDeclaration);
        }
    }

    /// Adds the inputs that the module needs to its interface.
    pub(super) fn set_needs(&mut self, needs: Option<Needs>) {
        let interface = self.facts.as_mut().and_then(|facts| Arc::get_mut(&mut facts.interface));
        if let Some((interface, needs)) = interface.zip(needs) {
            interface.set_needs(needs);
        }
    }

    pub(super) fn sort_diagnostics(&mut self) {
        sort(&mut self.diagnostics, &self.sources);
    }
}

/// Sorts diagnostics by file, then by offset. Source numbers depend on the order in which threads
/// open files; the order of `sources` does not.
pub(super) fn sort(diagnostics: &mut [Diagnostic<'_>], sources: &[Source<'_>]) {
    let places: HashMap<u32, usize> =
        sources.iter().enumerate().map(|(place, source)| (source.id(), place)).collect();
    let place = |diagnostic: &Diagnostic<'_>| places.get(&diagnostic.source().id()).copied();
    diagnostics.sort_by_key(|diagnostic| (place(diagnostic), diagnostic.span().start));
}
