//! Finds the modules that a set of changed files affects, and the reasons.
//!
//! A changed file affects the module that it belongs to: as a file that a tool reads in the
//! module's directory, or as a file of variables there, which may be named on a command line; as
//! the list of installed modules, as the dependency lock file. It affects the root modules in which an
//! object [depends](Dependency) on it: a function reads it, or an argument names it or a directory
//! around it. An affected module affects those that call it, whether or not they use an output, and
//! those that read its state ([`Tree::module_graph`]). Runs of modules by another tool, which have states
//! of their own, are passed as [`RunStates`].
//!
//! Files are compared by identity: `x`, `./x`, an absolute path, and a link and its target are the
//! same file. A deleted file belongs to the module in whose directory it was. A deleted directory
//! affects the modules whose calls lead to it.
//!
//! # Method
//!
//! [`inputs`] evaluates root modules and records their dependencies; [`tails`] finds those that
//! need no evaluation for the files in question. [`owners`] knows which files belong to modules.
//! [`walk`] goes from both to everything that depends on them.
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

mod answer;
mod callers;
mod entries;
mod inputs;
mod owners;
mod reader;
mod space;
mod stacks;
mod states;
mod tails;
mod tests;
mod walk;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

pub use self::answer::{Affected, AffectedModule, Gap, GapKind, Place, ReadBy, Reason};
use self::callers::Callers;
use self::entries::{entries, reached};
pub use self::inputs::{Dependency, DependencyKind, RootInputs};
use self::inputs::{Index, Outer, Plan, Read, Reads, read_at};
use self::owners::{Owners, is_configuration, is_read_by_name};
use self::space::Space;
pub use self::space::UnknownPlace;
use self::stacks::StackCalls;
use self::states::StateReads;
use self::tails::{Ends, Targets, may_read};
use self::tests::run_by;
use self::walk::{Cause, Node, Reference, Walk};
use crate::diagnostic::Label;
use crate::directory::Location;
use crate::evaluate::shape::HOLE;
use crate::hash::{HashMap, HashSet};
use crate::module::{Object, Reading, SourceAddress};
use crate::tree::{
    Backends, Link, Origin, RunStates, Tree, TreeTemplate, UnknownState, absolute_source,
    local_path,
};

/// How the impact of changes is found.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct ImpactOptions<'o> {
    /// The values of variables of root modules, if the tools are not the only ones that know some.
    pub inputs: Option<&'o dyn RootInputs>,
    /// Whether a changed path that is a link is the link itself, as version control lists it; otherwise
    /// it is also what the link leads to.
    pub links: bool,
    /// The absolute path of the directory that files in memory are those of.
    pub top: Option<&'o str>,
    /// The states of runs of modules by another tool.
    pub runs: Option<&'o RunStates>,
}

impl std::fmt::Debug for ImpactOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImpactOptions")
            .field("inputs", &self.inputs.is_some())
            .field("links", &self.links)
            .field("top", &self.top)
            .field("runs", &self.runs.is_some())
            .finish()
    }
}

impl<'o> ImpactOptions<'o> {
    /// Sets the values of variables of root modules.
    #[must_use]
    pub fn with_inputs(mut self, inputs: &'o dyn RootInputs) -> Self {
        self.inputs = Some(inputs);
        self
    }

    /// Sets the absolute path of the directory that files in memory are those of: absolute paths below it
    /// name them.
    #[must_use]
    pub fn with_top(mut self, top: &'o str) -> Self {
        self.top = Some(top);
        self
    }

    /// Sets the states of runs of modules by another tool.
    #[must_use]
    pub fn with_runs(mut self, runs: &'o RunStates) -> Self {
        self.runs = Some(runs);
        self
    }

    /// Sets whether a changed path that is a link is the link itself. A link that nothing goes
    /// through is what it leads to, all the same.
    #[must_use]
    pub fn with_links(mut self, links: bool) -> Self {
        self.links = links;
        self
    }
}

impl<'a> Tree<'a> {
    /// The modules that changes of some files affect. Added, changed and deleted files count alike;
    /// pass both names of a renamed file. A directory stands for all files in it and below: a path that
    /// ends with `/`, or that is one now.
    /// Relative paths start from the working directory; for modules in memory, from the root of their
    /// files.
    ///
    /// Cost: that of [`Tree::module_graph`], a query of the status of every file of the tree, one pass
    /// over the bytes of all files, and evaluating the root modules that may depend on the changed
    /// files.
    #[must_use]
    pub fn affected<P: AsRef<Path>>(&self, changed: &[P]) -> Affected<'a> {
        self.affected_with(changed, &ImpactOptions::default())
    }

    /// Like [`affected`](Self::affected), with options.
    #[must_use]
    pub fn affected_with<P: AsRef<Path>>(
        &self,
        changed: &[P],
        options: &ImpactOptions<'_>,
    ) -> Affected<'a> {
        let changed: Vec<&Path> = changed.iter().map(AsRef::as_ref).collect();
        Impact::of(self, Some(&changed), options).affected(&changed)
    }

    /// Returns the dependencies of all root modules, for questions about any files.
    ///
    /// Cost: that of evaluating all root modules.
    #[must_use]
    pub fn impact(&self, options: &ImpactOptions<'_>) -> Impact<'_, 'a> {
        Impact::of(self, None, options)
    }

    /// Like [`impact`](Self::impact), for questions about these files only: root modules that cannot
    /// depend on one of them are not evaluated.
    #[must_use]
    pub fn impact_of<P: AsRef<Path>>(
        &self,
        changed: &[P],
        options: &ImpactOptions<'_>,
    ) -> Impact<'_, 'a> {
        let changed: Vec<&Path> = changed.iter().map(AsRef::as_ref).collect();
        Impact::of(self, Some(&changed), options)
    }
}

/// Takes what changed files enter, with the reason.
type Reach<'r, 'a> = dyn FnMut(Node, Cause<'a>) + 'r;

/// The bytes of the expressions of a module: the source, the first byte, the number of the object.
type Sites = Vec<(u32, u32, u32)>;

/// The dependencies of the modules of a tree.
pub struct Impact<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The directories of the runs of modules by another tool.
    runs: Vec<Location>,
    space: Space,
    /// The files that are asked about; `None` if all are.
    asked: Option<Asked>,
    owners: Owners,
    callers: Callers<'a>,
    unknown_states: Vec<UnknownState<'a>>,
    /// Those that an evaluated root module reads, with its number.
    unknown_of_roots: Vec<(u32, UnknownState<'a>)>,
    /// The runs that read states which nothing has for certain, and what may have them.
    unknown_of_runs: Vec<(usize, Vec<Arc<[usize]>>)>,
    reads: Vec<Reads<'a>>,
    index: Index,
    /// Files of variables outside of the directories of their root modules.
    variables: HashMap<PathBuf, Vec<usize>>,
    sites: Mutex<HashMap<usize, Arc<Sites>>>,
    /// Whether a changed link is the link itself.
    links: bool,
}

impl std::fmt::Debug for Impact<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Impact").field("roots", &self.reads.len()).finish_non_exhaustive()
    }
}

impl<'t, 'a> Impact<'t, 'a> {
    fn of(tree: &'t Tree<'a>, changed: Option<&[&Path]>, options: &ImpactOptions<'_>) -> Self {
        let space = Space::of(tree, options.top);
        let no_runs = RunStates::default();
        let runs = options.runs.unwrap_or(&no_runs);
        let calls = StackCalls::of(tree);
        let all = subjects(tree, &calls);
        let (targets, given) = (None, options.inputs);
        let every = Plan { space: &space, targets, roots: all.len().max(1), given };
        let backends = Backends {
            given: &|place| given.and_then(|given| given.backend(&tree.modules()[place])),
            evaluate: &|place, expression| states::text_of(tree, &every, place, expression),
        };
        let (graph, of_runs, mut states) = tree.module_graph_with(runs, &backends);
        let read = StateReads::of(tree, &calls, &every, &graph.unknown_states, &mut states);
        let owners = Owners::of(tree, &space);
        let mut callers = Callers::of(tree, graph.edges, of_runs.edges);
        // Any file below a directory may be read.
        let changed = changed.filter(|all| !all.iter().any(|it| space.is_changed_directory(it)));
        let targets = changed.map(|changed| {
            let mut files: Vec<PathBuf> = Vec::new();
            for file in changed {
                files.extend([space.place(file), space.own_place(file), space.target(file)]);
            }
            Targets::of(files.iter(), space.boundary())
        });
        let asked = targets.map(|targets| Asked::of(tree, &space, targets));
        let wanted = match &asked {
            Some(asked) => asked.wanted(tree, &calls, all, options.inputs),
            None => all,
        };
        let plan = Plan {
            space: &space,
            targets: asked.as_ref().map(|asked| &asked.targets),
            roots: wanted.len().max(1),
            given: options.inputs,
        };
        let reads_of = |subject: &Subject| match *subject {
            Subject::Root(place) => plan.reads(tree, place),
            Subject::Tests(place) => plan.reads_of_tests(tree, place),
            Subject::Stack(place) => plan.reads_of_stack(tree, place),
        };
        let mut reads: Vec<Reads<'a>> = wanted.par_iter().map(reads_of).collect();
        callers.add_evaluated(tree, &reads);
        let mut unknown_states = graph.unknown_states;
        unknown_states.retain(|state| !read.has(state));
        let first = reads.len() as u32;
        callers.add_states(read.edges.into_iter().map(|edge| (edge.to, edge.reader(first))));
        let unknown = read.unknown.into_iter();
        let unknown_of_roots = unknown.map(|(root, state)| (first + root, state)).collect();
        reads.extend(read.roots);
        let index = Index::of(&reads);
        let mut variables: HashMap<PathBuf, Vec<usize>> = HashMap::default();
        if let Some(inputs) = options.inputs {
            for (place, module) in tree.modules().iter().enumerate() {
                for file in inputs.files(module).iter().flat_map(|file| space.places(file)) {
                    variables.entry(file).or_default().push(place);
                }
            }
        }
        let runs = runs.paths();
        let unknown_of_runs = of_runs.unknown;
        let (sites, links) = (Mutex::default(), options.links);
        Self {
            tree,
            runs,
            space,
            asked,
            owners,
            callers,
            unknown_states,
            unknown_of_roots,
            unknown_of_runs,
            reads,
            index,
            variables,
            sites,
            links,
        }
    }

    /// Returns the dependencies of root modules besides their configuration, root by root.
    pub fn dependencies(&self) -> impl Iterator<Item = Dependency<'a>> {
        let all = self.reads.iter().flat_map(|reads| reads.reads.iter().map(move |it| (reads, it)));
        all.map(|(reads, read)| {
            let module = reads.instances[read.instance as usize].0;
            let path = read.path.to_string_lossy();
            Dependency {
                kind: read.kind,
                root: reads.root,
                module,
                object: self.object(module, read),
                path: path.replace(HOLE, "*"),
            }
        })
    }

    /// The modules that changes of some files affect, as [`Tree::affected`] finds them.
    ///
    /// Cost: linear in the changed files, and in the answer.
    #[must_use]
    pub fn affected<P: AsRef<Path>>(&self, changed: &[P]) -> Affected<'a> {
        self.affected_with_runs(changed, &[])
    }

    /// Like [`affected`](Self::affected), with runs that are known to be affected, each by one of the changed
    /// files: the indexes of both.
    ///
    /// Cost: linear in the changed files and the runs, and in the answer.
    #[must_use]
    pub fn affected_with_runs<P: AsRef<Path>>(
        &self,
        changed: &[P],
        runs: &[(usize, usize)],
    ) -> Affected<'a> {
        let changed: Vec<&Path> = changed.iter().map(AsRef::as_ref).collect();
        let files: Vec<PathBuf> = changed.iter().map(|file| self.space.place(file)).collect();
        let mut walk = Walk::new(self.tree, &self.callers, &self.reads, &self.runs);
        self.start(&mut |node, cause| walk.reach(node, cause), &changed, &files);
        let read = walk.files();
        for &(run, file) in runs {
            walk.reach(Node::Run(run), Cause::of_file(file, (None, None)));
        }
        walk.follow();
        let (gaps, perhaps) = self.gaps(&walk, &changed, &files);
        let (mut unassigned, mut unrelated) = (Vec::new(), Vec::new());
        for (number, file) in files.iter().enumerate() {
            if read.contains(&number) || self.owners.has(file, &self.space) {
                continue;
            }
            match is_read_by_name(file) {
                true => unassigned.push(changed[number].to_owned()),
                false if perhaps.contains(&number) => {}
                false => unrelated.push(changed[number].to_owned()),
            }
        }
        let modules = self.modules(&walk, &changed);
        let given: HashSet<Place> = runs.iter().map(|(run, _)| Place::Run(*run)).collect();
        let others = walk.runs().into_iter().filter(|place| !given.contains(place));
        let runs = others.map(|place| walk.affected(place, true, &changed)).collect();
        let unknown_places = self.space.unknown();
        Affected { modules, runs, gaps, unassigned, unrelated, unknown_places }
    }

    /// The modules and templates that depend on files directly, and how, without duplicates.
    ///
    /// Cost: linear in the files, and in the answer.
    #[must_use]
    pub fn readers<P: AsRef<Path>>(&self, files: &[P]) -> Vec<(Place, ReadBy<'a>)> {
        let given: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
        let files: Vec<PathBuf> = given.iter().map(|file| self.space.place(file)).collect();
        let mut found = Vec::new();
        let mut known = HashSet::default();
        let mut add = |node: Node, cause: Cause<'a>| {
            let place = node.place(&self.reads);
            let by = match (cause.object, node) {
                (Some(object), _) => ReadBy::Object(object),
                (None, Node::Instance(root, at)) if self.is_of_tests(root, at) => {
                    ReadBy::Tests(cause.label)
                }
                (None, _) => ReadBy::Module,
            };
            let at = match by {
                ReadBy::Tests(label) => Some(label.map(|it| (it.source.id(), it.span.start))),
                ReadBy::Module | ReadBy::Object(_) => None,
            };
            if known.insert((place, cause.object, at)) {
                found.push((place, by));
            }
        };
        self.start(&mut add, &given, &files);
        found
    }

    /// Whether an instance stands for the tests of a module.
    fn is_of_tests(&self, root: u32, at: u32) -> bool {
        matches!(self.reads[root as usize].instances[at as usize].1, Some(Outer::Tests))
    }

    /// Whether the module at a place may read one of the files that are asked about, or may have them as
    /// parts, if it is run with other values: `values` has their texts in quotes. If not, evaluating
    /// it with these values finds nothing.
    ///
    /// Cost: linear in the texts, and in the modules that it reaches.
    #[must_use]
    pub fn may_read(&self, place: usize, values: &str) -> bool {
        let Some(asked) = &self.asked else { return true };
        if self.tree.modules().get(place).is_none() {
            return true;
        }
        let ends = Ends::of_values(values, &asked.targets, self.space.boundary());
        asked.may_be_read(self.tree, &[place], Some(&ends), |_| false)
    }

    /// The files and directories of modules that could not be located.
    #[must_use]
    pub fn unknown_places(&self) -> Vec<UnknownPlace> {
        self.space.unknown()
    }

    /// All ways from changed files to a module or template, shortest first: at most `most`.
    #[must_use]
    pub fn explain<P: AsRef<Path>>(
        &self,
        changed: &[P],
        place: Place,
        most: usize,
    ) -> Vec<Vec<Reason<'a>>> {
        let changed: Vec<&Path> = changed.iter().map(AsRef::as_ref).collect();
        let files: Vec<PathBuf> = changed.iter().map(|file| self.space.place(file)).collect();
        let mut walk = Walk::new(self.tree, &self.callers, &self.reads, &self.runs);
        self.start(&mut |node, cause| walk.reach(node, cause), &changed, &files);
        walk.follow();
        walk.all_ways(place, &changed, most)
    }

    /// Passes what the changed files belong to, and what depends on them, to `reach`.
    fn start(&self, reach: &mut Reach<'_, 'a>, changed: &[&Path], files: &[PathBuf]) {
        for (number, file) in files.iter().enumerate() {
            if self.links
                && self.space.is_link(changed[number])
                && self.start_link(reach, changed[number], number)
            {
                continue;
            }
            let cause = Cause::of_file(number, (None, None));
            self.owners.of_file(file, &self.space).for_each(|it| reach(node(it), cause));
            let is_directory = self.space.is_changed_directory(changed[number]);
            if is_directory {
                self.owners.below(file).into_iter().for_each(|it| reach(node(it), cause));
            }
            for &place in self.variables.get(file).into_iter().flatten() {
                reach(Node::Module(place), cause);
            }
            // A link that leads elsewhere now, and what it leads to.
            let mut names = vec![file.clone()];
            for other in [self.space.own_place(changed[number]), self.space.target(changed[number])]
            {
                if !names.contains(&other) {
                    names.push(other);
                }
            }
            for name in &names {
                let mut all = self.index.of_file(name);
                if is_directory {
                    all.extend(self.index.below(name));
                }
                for at in all {
                    let (instance, object) = self.start_of(at);
                    reach(instance, Cause::of_file(number, object));
                }
            }
        }
        self.missing_modules(reach, files);
    }

    /// Passes what depends on a link itself. False if nothing does.
    fn start_link(&self, reach: &mut Reach<'_, 'a>, changed: &Path, number: usize) -> bool {
        let own = self.space.own_place(changed);
        let mut is_used = false;
        for place in self.owners.of_link(&own) {
            reach(node(place), Cause::of_file(number, (None, None)));
            is_used = true;
        }
        for &place in self.variables.get(&own).into_iter().flatten() {
            reach(Node::Module(place), Cause::of_file(number, (None, None)));
            is_used = true;
        }
        // Below a link to a directory are files that patterns match.
        let below = self.space.is_directory(changed).then(|| self.index.below(&own));
        for at in self.index.of_file(&own).into_iter().chain(below.into_iter().flatten()) {
            let (instance, object) = self.start_of(at);
            reach(instance, Cause::of_file(number, object));
            is_used = true;
        }
        for (place, module) in self.tree.modules().iter().enumerate() {
            let Some(directory) = self.space.directory(&module.files.directory()) else { continue };
            for call in &module.module.calls {
                let Some(SourceAddress::Local(source)) = call.source_address() else { continue };
                if self.space.resolve(&directory, source).links.contains(&own) {
                    let label = call.source.map(|source| source.expression().label());
                    let object = (Some(Object::ModuleCall(call.name)), label);
                    reach(Node::Module(place), Cause::of_file(number, object));
                    is_used = true;
                }
            }
        }
        is_used
    }

    /// The instance of a module that has a dependency, its object, and where it is.
    fn start_of(&self, at: (u32, u32)) -> (Node, Reference<'a>) {
        let read = read_at(&self.reads, at);
        let module = self.reads[at.0 as usize].instances[read.instance as usize].0;
        let sources = &self.tree.modules()[module].sources;
        let source = sources.iter().find(|source| source.id() == read.place.0);
        let label = source.map(|source| Label::new(*source, read.place.1));
        (Node::Instance(at.0, read.instance), (self.object(module, read), label))
    }

    /// The object of a module that a dependency belongs to: that of the expression before it.
    fn object(&self, module: usize, read: &Read) -> Option<Object<'a>> {
        let declared = &self.tree.modules()[module].module;
        let known = || {
            let mut sites: Sites = Vec::new();
            declared.visit_expressions(|site| {
                if let Reading::Template(expression) | Reading::Literal(expression) = site.reading {
                    let start = expression.start_span().start;
                    sites.push((expression.source().id(), start, site.number));
                }
            });
            sites.sort_unstable();
            Arc::new(sites)
        };
        let mut all = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let sites = Arc::clone(all.entry(module).or_insert_with(known));
        let place = (read.place.0, read.place.1.start, u32::MAX);
        let after = sites.partition_point(|site| *site <= place);
        let &(source, _, number) = sites.get(after.checked_sub(1)?)?;
        declared.object(number).filter(|_| source == read.place.0)
    }

    /// Passes the modules with calls that lead to a deleted directory in which a file was changed.
    fn missing_modules(&self, reach: &mut Reach<'_, 'a>, files: &[PathBuf]) {
        for (place, module) in self.tree.modules().iter().enumerate() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                let here = module.files.directory();
                let directory = match (*link, call.source_address()) {
                    (Link::Missing | Link::Unknown, Some(SourceAddress::Local(source))) => {
                        local_path(&here, source)
                    }
                    (Link::Remote, Some(SourceAddress::Remote(source))) => {
                        absolute_source(&here, source).map(Location::Disk)
                    }
                    _ => None,
                };
                let Some(directory) = directory.and_then(|it| self.space.directory(&it)) else {
                    continue;
                };
                let is_in = |file: &PathBuf| {
                    file.parent() == Some(&*directory) && is_configuration(file, module)
                        || directory.starts_with(file)
                };
                if let Some(number) = files.iter().position(is_in) {
                    let label = call.source.map(|source| source.expression().label());
                    let object = (Some(Object::ModuleCall(call.name)), label);
                    reach(Node::Module(place), Cause::of_file(number, object));
                }
            }
        }
    }

    /// The parts that may be affected, except those that are affected for certain, and the numbers of the files
    /// that they may read.
    fn gaps(
        &self,
        walk: &Walk<'_, 'a>,
        changed: &[&Path],
        files: &[PathBuf],
    ) -> (Vec<Gap<'a>>, HashSet<usize>) {
        let (mut gaps, mut perhaps): (Vec<Gap<'a>>, _) = (Vec::new(), HashSet::default());
        for (template, named) in self.templates_naming(walk, files) {
            let (module, why) = (template.files.path.clone(), GapKind::UnknownFile);
            gaps.push(Gap { module, object: None, why });
            perhaps.extend(named);
        }
        let mut known: HashSet<(usize, Option<Object<'a>>, GapKind)> = HashSet::default();
        let mut add = |module: usize, object: Option<Object<'a>>, why: GapKind| {
            if known.insert((module, object, why)) {
                let module = self.tree.modules()[module].files.path.clone();
                gaps.push(Gap { module, object, why });
            }
        };
        for (number, (given, file)) in changed.iter().zip(files).enumerate() {
            let is_link = self.links && self.space.is_link(given);
            let own = is_link.then(|| self.space.own_place(given));
            let file = own.as_ref().unwrap_or(file);
            let is_directory = !is_link && self.space.is_changed_directory(given);
            let is_owned = self.owners.has(file, &self.space);
            let near = |reads: &Reads<'_>, read: &Read| {
                let module = reads.instances[read.instance as usize].0;
                let is_below = |place: usize| {
                    let directory = self.tree.modules()[place].files.directory();
                    self.space.directory(&directory).is_some_and(|it| file.starts_with(it))
                };
                !is_owned && (is_below(module) || is_below(reads.root))
            };
            for at in self.index.perhaps(&self.reads, file, is_directory, near) {
                if !walk.has_root(at.0) {
                    let read = read_at(&self.reads, at);
                    let module = self.reads[at.0 as usize].instances[read.instance as usize].0;
                    add(module, self.object(module, read), GapKind::UnknownFile);
                    perhaps.insert(number);
                }
            }
            for (root, reads) in (0..).zip(&self.reads) {
                if !is_owned && !reads.is_complete && !walk.has_root(root) {
                    add(reads.root, None, GapKind::Unevaluated);
                    perhaps.insert(number);
                }
            }
            for (place, module) in self.tree.modules().iter().enumerate() {
                let is_affected = walk.has(Place::Module(place));
                if !is_owned && !is_affected && module.assignments.has_lost() {
                    add(place, None, GapKind::UnreadValues);
                    perhaps.insert(number);
                }
            }
        }
        if walk.files().is_empty() {
            return (gaps, perhaps);
        }
        let is_affected = |place: usize| walk.has(Place::Module(place));
        for (place, module) in self.tree.modules().iter().enumerate() {
            if is_affected(place) || module.origin == Origin::Installed {
                continue;
            }
            if module.withholds() {
                add(place, None, GapKind::UnreadFiles);
            }
            for (number, (call, link)) in (0..).zip(module.module.calls.iter().zip(&module.links)) {
                let is_known = self.callers.is_known(place, number);
                let has_source = *link != Link::Unknown || call.source_address().is_some();
                if !is_known.unwrap_or(has_source) {
                    add(place, Some(Object::ModuleCall(call.name)), GapKind::UnknownSource);
                }
            }
        }
        // Data sources share groups.
        let mut groups: HashMap<*const usize, bool> = HashMap::default();
        let count = self.tree.modules().len();
        let is_owner_affected = |owner: usize| match owner.checked_sub(count) {
            Some(run) => walk.has(Place::Run(run)),
            None => is_affected(owner),
        };
        let mut has_affected = |owners: &[Arc<[usize]>]| {
            owners.iter().any(|owners| {
                let any = || owners.iter().any(|&owner| is_owner_affected(owner));
                *groups.entry(owners.as_ptr()).or_insert_with(any)
            })
        };
        for state in self.unknown_states.iter().filter(|it| !is_affected(it.module)) {
            if has_affected(&state.owners) {
                add(state.module, Some(state.object), GapKind::UnknownState);
            }
        }
        for (_, state) in self.unknown_of_roots.iter().filter(|(root, _)| !walk.has_root(*root)) {
            if has_affected(&state.owners) {
                add(state.module, Some(state.object), GapKind::UnknownState);
            }
        }
        for (run, owners) in &self.unknown_of_runs {
            if !walk.has(Place::Run(*run)) && has_affected(owners) {
                let (module, why) = (self.runs[*run].clone(), GapKind::UnknownState);
                gaps.push(Gap { module, object: None, why });
            }
        }
        (gaps, perhaps)
    }

    /// The templates of Packer with a text that may name a changed file, and the numbers of these files:
    /// templates are not evaluated.
    fn templates_naming<'i>(
        &'i self,
        walk: &'i Walk<'_, 'a>,
        files: &'i [PathBuf],
    ) -> impl Iterator<Item = (&'i TreeTemplate<'a>, Vec<usize>)> {
        let templates = (0..).zip(self.tree.templates());
        let mut templates = templates.filter(|(at, _)| !walk.has(Place::Template(*at))).peekable();
        let others = files.iter().filter(|file| !self.owners.has(file, &self.space));
        let targets = templates.peek().map(|_| Targets::of(others, self.space.boundary()));
        templates.filter_map(move |(_, template)| {
            let directory = self.space.directory(&template.files.directory())?;
            let found = Ends::targets_in(template.sources.iter().copied(), targets.as_ref()?);
            // The names of the directories around are often other names, too.
            let mut found =
                found.into_iter().filter(|target| !directory.starts_with(target)).peekable();
            found.peek()?;
            let found: HashSet<PathBuf> = found.collect();
            let is_named = |file: &PathBuf| file.ancestors().any(|it| found.contains(it));
            let named = files.iter().enumerate().filter(|(_, file)| is_named(file));
            Some((template, named.map(|(number, _)| number).collect()))
        })
    }

    fn modules(&self, walk: &Walk<'_, 'a>, changed: &[&Path]) -> Vec<AffectedModule<'a>> {
        let roots = self.tree.roots();
        let modules = (0..self.tree.modules().len()).map(|at| (Place::Module(at), roots[at]));
        let templates = (0..self.tree.templates().len()).map(|at| (Place::Template(at), true));
        let all = modules.chain(templates).filter(|(place, _)| walk.has(*place));
        all.map(|(place, is_root)| walk.affected(place, is_root, changed)).collect()
    }
}

fn node(place: Place) -> Node {
    match place {
        Place::Module(place) => Node::Module(place),
        Place::Template(place) => Node::Template(place),
        Place::Run(run) => Node::Run(run),
    }
}

/// A part of a tree that is evaluated.
#[derive(Clone, Copy)]
enum Subject {
    /// A root module.
    Root(usize),
    /// The tests of a module.
    Tests(usize),
    /// A stack of Terraform.
    Stack(usize),
}

impl Subject {
    /// The modules that are evaluated as root modules.
    fn roots(self, tree: &Tree<'_>, calls: &StackCalls) -> Vec<usize> {
        match self {
            Self::Root(place) => vec![place],
            Self::Tests(place) => run_by(tree, place),
            Self::Stack(place) => calls.called_by(place),
        }
    }
}

/// The parts of a tree that are evaluated.
fn subjects(tree: &Tree<'_>, calls: &StackCalls) -> Vec<Subject> {
    let modules = tree.modules().iter().enumerate();
    let own = modules.filter(|(_, module)| module.origin != Origin::Installed);
    let tested = own.filter(|(_, module)| !module.tests.is_empty());
    let tests = tested.map(|(place, _)| Subject::Tests(place));
    let modules = tree.modules().iter().enumerate();
    let stacks = modules.filter(|(_, module)| module.stack.is_some());
    let stacks = stacks.map(|(place, _)| Subject::Stack(place));
    // Modules of components get their values from stacks.
    let is_root = tree.roots();
    let roots = entries(tree).into_iter().filter(|&it| is_root[it] || !calls.runs(it));
    roots.map(Subject::Root).chain(tests).chain(stacks).collect()
}

/// The files that are asked about, and the ends of the texts of all modules.
struct Asked {
    targets: Targets,
    /// The ends and the directory of each module.
    modules: Vec<(Ends, Option<PathBuf>)>,
}

impl Asked {
    /// Cost: one pass over the bytes of all files.
    fn of(tree: &Tree<'_>, space: &Space, targets: Targets) -> Self {
        let modules = tree.modules().par_iter().map(|module| {
            let ends = Ends::of(module, &targets, space.boundary());
            (ends, space.directory(&module.files.directory()))
        });
        Self { modules: modules.collect(), targets }
    }

    /// Whether one of some root modules may read one of the files, with values that have the `given`
    /// ends. `has_inputs` tells which ones have other values, which may end as any file.
    fn may_be_read(
        &self,
        tree: &Tree<'_>,
        roots: &[usize],
        given: Option<&Ends>,
        has_inputs: impl Fn(usize) -> bool,
    ) -> bool {
        let mut all: Vec<usize> = roots.iter().flat_map(|&root| reached(tree, root)).collect();
        all.sort_unstable();
        all.dedup();
        let has_variable_source = |place: &usize| {
            let mut calls = tree.modules()[*place].module.calls.iter();
            calls.any(|call| call.variable_source().is_some())
        };
        let ends = all.iter().map(|&place| {
            let (ends, directory) = &self.modules[place];
            (ends, directory.as_deref())
        });
        let ends: Vec<(&Ends, Option<&Path>)> =
            ends.chain(given.map(|given| (given, None))).collect();
        // Values decide which modules are called.
        all.iter().any(has_variable_source)
            || roots.iter().any(|&root| {
                let Some(directory) = &self.modules[root].1 else { return true };
                has_inputs(root) || may_read(directory, &ends, &self.targets)
            })
    }

    /// The parts of a tree that may depend on one of the files.
    fn wanted(
        &self,
        tree: &Tree<'_>,
        calls: &StackCalls,
        all: Vec<Subject>,
        inputs: Option<&dyn RootInputs>,
    ) -> Vec<Subject> {
        let has_inputs =
            |root: usize| inputs.is_some_and(|inputs| inputs.has_inputs(&tree.modules()[root]));
        let is_wanted = |subject: &Subject| {
            self.may_be_read(tree, &subject.roots(tree, calls), None, has_inputs)
        };
        all.into_par_iter().filter(is_wanted).collect()
    }
}
