//! Finds the modules that a set of changed files affects, and the reasons.
//!
//! A changed file affects the module that it belongs to: as a file that a tool reads in the
//! module's directory, or as a file of variables there, which may be named on a command line; as
//! the list of installed modules, as the dependency lock file, or as a file that functions such as
//! `file` read by a literal path. An affected module affects those that call
//! it, whether or not they use an output, and those that read its state ([`Tree::module_graph`]).
//!
//! Files are compared by identity: `x`, `./x`, an absolute path, and a link and its target are the
//! same file. A deleted file belongs to the module in whose directory it was. A deleted directory
//! affects the modules whose calls lead to it.
//!
//! ```no_run
//! use simd_hcl::directory::{DiscoverOptions, discover};
//! use simd_hcl::tree::{Tree, TreeOptions};
//!
//! let arena = simd_hcl::Arena::new();
//! let modules = discover(&["."], &DiscoverOptions::default()).modules;
//! let tree = Tree::load(&arena, modules, &TreeOptions::default());
//! for affected in tree.affected(&["modules/vpc/main.tf.json"]).modules {
//!     println!("{}", affected.path);
//! }
//! ```

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::inputs::{Base, Input};
use super::places::{Places, UnknownPlace};
use super::{Link, ModuleEdge, Origin, Tree, TreeModule, path};
use crate::dialect::{Dialect, FileKind, List};
use crate::directory::{Location, ModuleFiles};
use crate::hash::{HashMap, HashSet};
use crate::module::{Object, SourceAddress};

/// The modules that changed files affect.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Affected<'a> {
    /// The modules and templates of Packer, in the order of the tree: modules first.
    pub modules: Vec<AffectedModule<'a>>,
    /// The parts that the answer does not cover.
    pub gaps: Vec<Gap<'a>>,
    /// Changed files, as given, that some tool reads for modules that the tree does not tell: files
    /// of variables outside of all modules, and files of other tools, such as `terragrunt.hcl`.
    pub unassigned: Vec<PathBuf>,
    /// Changed files, and files and directories of modules, that could not be located. A module
    /// that a changed file belongs to may be missing because of them.
    pub unknown_places: Vec<UnknownPlace>,
}

/// A module, or a template of Packer, that is affected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AffectedModule<'a> {
    /// The module or template.
    pub place: Place,
    /// Its directory.
    pub path: Location,
    /// Whether it is a root module ([`Tree::roots`]); a template of Packer always is.
    pub is_root: bool,
    /// A shortest way from a changed file to the module: each step affects the next one. Of more than
    /// 100 steps, only the first one and the last 99.
    pub because: Vec<Reason<'a>>,
}

/// One step from a changed file to a module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reason<'a> {
    /// The changed file, as given; only in the first step.
    pub file: Option<PathBuf>,
    /// The affected object of the module: the call of the previous module, the data source that
    /// reads its state, or the object that reads the file. `None` if the file belongs to the
    /// module.
    pub object: Option<Object<'a>>,
    /// The directory of the module.
    pub module: Location,
}

/// A module or object that may be affected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Gap<'a> {
    /// The directory of the module.
    pub module: Location,
    /// The object in the module; `None` if the whole module may be affected.
    pub object: Option<Object<'a>>,
    /// The reason why this is not known.
    pub why: GapKind,
}

/// Why it is not known whether a module or object is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GapKind {
    /// The source of a module call is known only when it is evaluated.
    UnknownSource,
    /// A data source reads a state whose place is known only when it is evaluated.
    UnknownState,
    /// A function reads a file whose path is known only when it is evaluated.
    UnknownFile,
    /// Some files of the module could not be read, so their calls are not known.
    UnreadFiles,
}

impl GapKind {
    /// The reason, a clause that follows the name of an object or module.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownSource => "calls a module whose source is known only when it is evaluated",
            Self::UnknownState => "reads a state whose place is known only when it is evaluated",
            Self::UnknownFile => "reads a file whose path is known only when it is evaluated",
            Self::UnreadFiles => "has files that are not read, and may call other modules there",
        }
    }
}

/// A module or a template of Packer in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A module, by its place in [`Tree::modules`].
    Module(usize),
    /// A template of Packer, by its place in [`Tree::templates`].
    Template(usize),
}

/// The reason why a module is affected.
#[derive(Clone, Copy)]
struct Cause<'a> {
    /// The number of the changed file.
    file: Option<usize>,
    object: Option<Object<'a>>,
    /// The module that affects it.
    from: Option<usize>,
    /// The first module on the way, unless it is this one.
    first: Option<usize>,
}

/// The maximum number of steps of a way.
const MOST_STEPS: usize = 100;

impl<'a> Tree<'a> {
    /// The modules that changes of some files affect. Added, changed and deleted files count alike;
    /// pass both names of a renamed file. A directory stands for all modules in it and below.
    /// Relative paths start from the working directory.
    ///
    /// Cost: that of [`Tree::module_graph`], a query of the status of every file of the tree, and
    /// parsing the templates of modules that call functions such as `file`.
    #[must_use]
    pub fn affected<P: AsRef<Path>>(&self, changed: &[P]) -> Affected<'a> {
        let changed: Vec<&Path> = changed.iter().map(AsRef::as_ref).collect();
        let places = Places::default();
        let files: Vec<PathBuf> = changed.iter().map(|file| places.of(file)).collect();
        let graph = self.module_graph();
        let owners = Owners::of(self, &places);
        let (causes, queue) = (HashMap::default(), VecDeque::new());
        let mut search = Search { tree: self, places: &places, causes, queue };
        for (number, file) in files.iter().enumerate() {
            let cause = Cause { file: Some(number), object: None, from: None, first: None };
            owners.of_file(file, &places).for_each(|place| search.reach(place, cause));
            if places.is_directory(file) {
                owners.below(file).into_iter().for_each(|place| search.reach(place, cause));
            }
        }
        let callers = Callers::of(self, &graph.edges);
        let mut gaps = Vec::new();
        search.files_read(&files, &callers, &owners, &mut gaps);
        search.missing_modules(&files);
        search.follow(&callers);
        search.gaps(&graph.unknown_states, &mut gaps);
        let causes: HashSet<usize> = search.causes.values().filter_map(|it| it.file).collect();
        let is_unassigned = |number: usize, file: &Path| {
            is_read_by_name(file) && !causes.contains(&number) && !owners.has(file, &places)
        };
        let unassigned = (0..).zip(&files).filter(|(number, file)| is_unassigned(*number, file));
        let unassigned = unassigned.map(|(number, _)| changed[number].to_owned()).collect();
        let modules = search.into_modules(&changed);
        Affected { modules, gaps, unassigned, unknown_places: places.into_unknown() }
    }
}

/// A breadth-first search from files to modules.
struct Search<'t, 'a> {
    tree: &'t Tree<'a>,
    places: &'t Places,
    causes: HashMap<Place, Cause<'a>>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'_, 'a> {
    fn reach(&mut self, place: Place, cause: Cause<'a>) {
        if self.causes.contains_key(&place) {
            return;
        }
        self.causes.insert(place, cause);
        if let Place::Module(module) = place {
            self.queue.push_back(module);
        }
    }

    /// Reaches the modules with functions that read a changed file.
    fn files_read(
        &mut self,
        files: &[PathBuf],
        callers: &Callers<'a>,
        owners: &Owners,
        gaps: &mut Vec<Gap<'a>>,
    ) {
        let modules = self.tree.modules();
        let inputs: Vec<Vec<Input<'a>>> = modules.par_iter().map(Input::of).collect();
        // Files that are configuration of a module are rarely read as text.
        let places = self.places;
        let is_other = |file: &PathBuf| !owners.has(file, places);
        for (place, inputs) in inputs.iter().enumerate().filter(|(_, inputs)| !inputs.is_empty()) {
            let Location::Disk(own) = modules[place].files.directory() else { continue };
            let own = places.of(&own);
            let mut roots = None;
            for input in inputs {
                let object = Some(input.object);
                if input.is_unknown() {
                    let below = |file: &&PathBuf| is_other(file) && file.starts_with(&own);
                    if files.iter().any(|file| below(&file)) {
                        let module = modules[place].files.path.clone();
                        gaps.push(Gap { module, object, why: GapKind::UnknownFile });
                    }
                    continue;
                }
                let from_roots = roots.get_or_insert_with(|| callers.roots_of(place));
                let bases: Vec<PathBuf> = match input.base {
                    Base::Module => vec![own.clone()],
                    Base::Root => from_roots
                        .iter()
                        .filter_map(|&root| match modules[root].files.directory() {
                            Location::Disk(path) => Some(places.of(&path)),
                            Location::Memory(_) => None,
                        })
                        .collect(),
                };
                for (number, file) in files.iter().enumerate() {
                    if bases.iter().any(|base| input.reads(base, file)) {
                        let cause = Cause { file: Some(number), object, from: None, first: None };
                        self.reach(Place::Module(place), cause);
                    }
                }
            }
        }
    }

    /// Reaches the modules with calls that lead to a deleted directory in which a file was changed.
    fn missing_modules(&mut self, files: &[PathBuf]) {
        for (place, module) in self.tree.modules().iter().enumerate() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                let (Link::Missing | Link::Unknown, Some(SourceAddress::Local(source))) =
                    (*link, call.source_address())
                else {
                    continue;
                };
                let directory = path::local(&module.files.directory(), source);
                let Some(Location::Disk(directory)) = directory else { continue };
                let directory = self.places.of(&directory);
                let is_in = |file: &PathBuf| {
                    file.parent() == Some(&*directory) && is_configuration(file, module)
                };
                if let Some(number) = files.iter().position(is_in) {
                    let object = Some(Object::ModuleCall(call.name));
                    self.reach(
                        Place::Module(place),
                        Cause { file: Some(number), object, from: None, first: None },
                    );
                }
            }
        }
    }

    /// Reaches the modules that depend on each reached one.
    fn follow(&mut self, callers: &Callers<'a>) {
        while let Some(module) = self.queue.pop_front() {
            let first = self.causes.get(&Place::Module(module)).and_then(|cause| cause.first);
            for edge in callers.of_module(module) {
                let cause = Cause {
                    file: None,
                    object: Some(edge.object),
                    from: Some(module),
                    first: first.or(Some(module)),
                };
                self.reach(Place::Module(edge.from), cause);
            }
        }
    }

    /// Collects the modules that may be affected, except those that are affected for certain.
    fn gaps(&self, unknown_states: &[(usize, Object<'a>)], gaps: &mut Vec<Gap<'a>>) {
        if self.causes.is_empty() {
            return;
        }
        let is_affected = |place: usize| self.causes.contains_key(&Place::Module(place));
        for (place, module) in self.tree.modules().iter().enumerate() {
            if is_affected(place) || module.origin == Origin::Installed {
                continue;
            }
            let path = || module.files.path.clone();
            if module.withholds() {
                gaps.push(Gap { module: path(), object: None, why: GapKind::UnreadFiles });
            }
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                if *link == Link::Unknown && call.source_address().is_none() {
                    let object = Some(Object::ModuleCall(call.name));
                    gaps.push(Gap { module: path(), object, why: GapKind::UnknownSource });
                }
            }
        }
        let unknown = unknown_states.iter().filter(|(place, _)| !is_affected(*place));
        gaps.extend(unknown.map(|&(place, object)| Gap {
            module: self.tree.modules()[place].files.path.clone(),
            object: Some(object),
            why: GapKind::UnknownState,
        }));
    }

    fn into_modules(self, changed: &[&Path]) -> Vec<AffectedModule<'a>> {
        let roots = self.tree.roots();
        let mut affected = Vec::new();
        for (place, module) in self.tree.modules().iter().enumerate() {
            if self.causes.contains_key(&Place::Module(place)) {
                affected.push(AffectedModule {
                    place: Place::Module(place),
                    path: module.files.path.clone(),
                    is_root: roots[place],
                    because: self.because(place, changed),
                });
            }
        }
        for (place, template) in self.tree.templates().iter().enumerate() {
            if let Some(cause) = self.causes.get(&Place::Template(place)) {
                let module = template.files.path.clone();
                let file = cause.file.map(|number| changed[number].to_owned());
                affected.push(AffectedModule {
                    place: Place::Template(place),
                    path: module.clone(),
                    is_root: true,
                    because: vec![Reason { file, object: None, module }],
                });
            }
        }
        affected
    }

    /// The steps from the file to the module.
    fn because(&self, module: usize, changed: &[&Path]) -> Vec<Reason<'a>> {
        let mut steps = Vec::new();
        let mut next = Some(module);
        while let Some(place) = next {
            let Some(cause) = self.causes.get(&Place::Module(place)) else { break };
            steps.push(Reason {
                file: cause.file.map(|number| changed[number].to_owned()),
                object: cause.object,
                module: self.tree.modules()[place].files.path.clone(),
            });
            next = if steps.len() == MOST_STEPS - 1 { cause.first } else { cause.from };
        }
        steps.reverse();
        steps
    }
}

/// The modules that depend on each module.
struct Callers<'a> {
    /// Sorted by the module that is depended on.
    edges: Vec<ModuleEdge<'a>>,
    /// Where the edges of each module start; has one more entry for the end.
    starts: Vec<usize>,
}

impl<'a> Callers<'a> {
    fn of(tree: &Tree<'a>, edges: &[ModuleEdge<'a>]) -> Self {
        let mut edges = edges.to_vec();
        edges.sort_by_key(|edge| edge.to);
        let places = 0..=tree.modules().len();
        let starts = places.map(|place| edges.partition_point(|edge| edge.to < place)).collect();
        Self { edges, starts }
    }

    fn of_module(&self, module: usize) -> &[ModuleEdge<'a>] {
        &self.edges[self.starts[module]..self.starts[module + 1]]
    }

    /// The modules that call a module, directly or not, and that nothing calls; the module itself
    /// if nothing calls it.
    fn roots_of(&self, module: usize) -> Vec<usize> {
        let is_call = |edge: &&ModuleEdge<'_>| matches!(edge.object, Object::ModuleCall(_));
        let mut seen = vec![false; self.starts.len()];
        let mut open = vec![module];
        let mut roots = Vec::new();
        while let Some(module) = open.pop() {
            if std::mem::replace(&mut seen[module], true) {
                continue;
            }
            let calls = self.of_module(module).iter().filter(is_call);
            let before = open.len();
            open.extend(calls.map(|edge| edge.from));
            if open.len() == before {
                roots.push(module);
            }
        }
        roots
    }
}

/// The modules that files belong to.
struct Owners {
    /// By directory, with links resolved.
    directories: HashMap<PathBuf, Vec<Place>>,
    /// Links, by their targets, and modules of one file.
    files: HashMap<PathBuf, Vec<Place>>,
    dialects: HashMap<Place, Dialect>,
}

impl Owners {
    fn of(tree: &Tree<'_>, places: &Places) -> Self {
        let modules = (0..).zip(tree.modules()).map(|(at, it)| (Place::Module(at), &it.files));
        let templates =
            (0..).zip(tree.templates()).map(|(at, it)| (Place::Template(at), &it.files));
        let all: Vec<(Place, &ModuleFiles)> = modules.chain(templates).collect();
        let found: Vec<(Option<PathBuf>, Vec<PathBuf>)> = all
            .par_iter()
            .map(|(_, files)| {
                let links = files.files.iter().filter_map(|file| {
                    let is_one = files.is_one_file();
                    let path = file.path.disk()?;
                    let is_meant = is_one || places.is_link(path);
                    is_meant.then(|| places.of_target(path))
                });
                let directory = files.path.disk().filter(|_| !files.is_one_file());
                (directory.map(|path| places.of(path)), links.collect())
            })
            .collect();
        let mut owners = Self {
            directories: HashMap::default(),
            files: HashMap::default(),
            dialects: all.iter().map(|(place, files)| (*place, files.dialect)).collect(),
        };
        for ((place, _), (directory, files)) in all.iter().zip(found) {
            if let Some(directory) = directory {
                owners.directories.entry(directory).or_default().push(*place);
            }
            for file in files {
                owners.files.entry(file).or_default().push(*place);
            }
        }
        owners
    }

    /// The modules in a directory and below it.
    fn below(&self, directory: &Path) -> Vec<Place> {
        let inside = self.directories.iter().filter(|(path, _)| path.starts_with(directory));
        let mut places: Vec<Place> = inside.flat_map(|(_, places)| places).copied().collect();
        places.sort_unstable();
        places
    }

    /// Whether a file belongs to a module.
    fn has(&self, file: &Path, places: &Places) -> bool {
        self.of_file(file, places).next().is_some()
    }

    /// The modules that a file belongs to.
    fn of_file<'f>(
        &'f self,
        file: &'f Path,
        places: &Places,
    ) -> impl Iterator<Item = Place> + use<'f> {
        let target = places.of_target(file);
        let by_link = [self.files.get(file), self.files.get(&target)].into_iter().flatten();
        let name = file.file_name().unwrap_or_default();
        let is_lock = name == ".terraform.lock.hcl";
        let is_manifest = file.ends_with(".terraform/modules/modules.json");
        let directory = if is_manifest { file.ancestors().nth(3) } else { file.parent() };
        let places = |directory: Option<&Path>| {
            directory.and_then(|directory| self.directories.get(directory)).into_iter().flatten()
        };
        let is_read = move |place: &&Place| {
            let dialect = self.dialects.get(*place).copied().unwrap_or_default();
            is_manifest || is_lock || is_for(name, dialect)
        };
        // Tests of a module, and values for them, may be in a directory of their own.
        let tests = directory.filter(|it| it.ends_with("tests")).and_then(Path::parent);
        let is_test = move |place: &&Place| {
            let dialect = self.dialects.get(*place).copied().unwrap_or_default();
            FileKind::of(name, dialect)
                .is_some_and(|kind| matches!(kind.list, List::Test | List::Variables))
        };
        by_link
            .flatten()
            .chain(places(directory).filter(is_read))
            .chain(places(tests).filter(is_test))
            .copied()
    }
}

/// Whether the tool of a module reads files of this name.
fn is_configuration(file: &Path, module: &TreeModule<'_>) -> bool {
    let name = file.file_name().unwrap_or_default();
    FileKind::of(name, module.files.dialect).is_some()
}

/// Whether the tool reads files of this name in a directory, or as variables if they are named.
fn is_for(name: &OsStr, dialect: Dialect) -> bool {
    let is_named =
        || FileKind::of_known(name, dialect).is_some_and(|it| it.list == List::Variables);
    FileKind::of(name, dialect).is_some() || is_named()
}

/// Whether a file of this name is read if it is named: by the tools as variables, or by another
/// tool.
fn is_read_by_name(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    let list = FileKind::of_named(name, Dialect::of_named(name, None)).list;
    matches!(list, List::Variables | List::Other)
}
