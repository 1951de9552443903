//! Trees: all modules below some directories, decoded in parallel and linked by their calls.
//!
//! A [`Tree`] is loaded from the modules that [`crate::directory::discover()`] finds. For every
//! directory it has the [`Module`](crate::module::Module) that the files declare, its diagnostics,
//! and the target of every module call. A directory is decoded once however often it is called.
//! Packer's directories are [`TreeTemplate`]s beside the modules.
//!
//! All data is in one arena, which all threads use. The result does not depend on the number of
//! threads.
//!
//! ```
//! use simd_hcl::Arena;
//! use simd_hcl::directory::Location;
//! use simd_hcl::tree::Tree;
//!
//! let arena = Arena::new();
//! let tree = Tree::open(&arena, &["corpus/monorepo/modules"])?;
//! let is_bucket = |path: &Location| path.file_name().is_some_and(|name| name == "bucket");
//! let bucket = tree.modules().iter().find(|it| is_bucket(&it.files.path)).unwrap();
//! assert!(!bucket.module.resources.is_empty());
//! # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
//! ```

mod around;
mod backend_files;
mod bodies;
mod by_directory;
mod called;
mod callee;
mod cycle;
mod dependency;
mod endpoint;
mod facts;
mod files;
mod graph;
mod inherited;
mod known_texts;
mod link;
mod manifest;
mod module;
mod modules;
mod moves;
mod path;
mod planned;
mod providers;
mod reach;
mod root;
mod secrets;
#[cfg(feature = "serde")]
mod serialize;
mod state_runs;
mod states;
mod template;
mod test_runs;
mod validation;
mod withheld;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;

pub(crate) use self::around::Around;
pub(crate) use self::backend_files::DEPTH as BACKEND_FILE_DEPTH;
pub(crate) use self::by_directory::PlaceByDirectory;
pub(crate) use self::endpoint::address as written_address;
use self::facts::Facts;
pub use self::graph::{Dependent, Graph, GraphNode};
pub use self::module::{Link, Origin, TreeModule};
pub(crate) use self::modules::StateEdge;
pub use self::modules::{ModuleEdge, ModuleGraph};
pub(crate) use self::path::{
    absolute_source, clean as clean_path, here as absolute_directory, local as local_path,
};
pub use self::planned::{PlanCause, PlanSource, PlanSources, SourceGap};
use self::reach::Reach;
pub use self::secrets::Secrets;
pub use self::state_runs::{RunStates, StateRun};
pub use self::states::UnknownState;
pub(crate) use self::states::{
    ANY_WORKSPACE, Backends, Identity as StateIdentity, READERS as STATE_READERS, StateArguments,
    States, read_with as states_read_with,
};
pub use self::template::TreeTemplate;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::directory::{
    DecodeOptions, DiscoverOptions, DiscoverProblem, ModuleFiles, decode_together, discover,
};
use crate::hidden::Hidden;
use crate::module::Object;
#[cfg(feature = "packer")]
use crate::packer;
use crate::show::BodySchemas;
use crate::source::Source;

/// Options for loading a tree.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TreeOptions {
    /// How each file is read and parsed.
    pub decode: DecodeOptions,
    /// How templates of Packer are read.
    #[cfg(feature = "packer")]
    pub packer: packer::Options,
    /// The directories of modules that are root modules, whatever they declare, and even if others call them.
    pub roots: BTreeSet<PathBuf>,
    /// The directories whose files another tool adds to a module elsewhere: what they lack may be there.
    pub parts: BTreeSet<PathBuf>,
    /// The release 1.x of the tool that modules are read for: files that only later ones read are left
    /// out, and backends that it still has are known. `None` for all releases.
    pub release: Option<u8>,
}

impl TreeOptions {
    /// Sets the release 1.x of the tool that modules are read for.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use simd_hcl::directory::MemoryFiles;
    /// use simd_hcl::tree::{Tree, TreeOptions};
    /// use simd_hcl::{Arena, Dialect};
    ///
    /// let mut files = MemoryFiles::default();
    /// files.insert("main.tf", Arc::from(&b"terraform {\n  backend \"etcd\" {}\n}\n"[..]))?;
    /// let modules = simd_hcl::directory::in_memory(files, Some(Dialect::Terraform));
    /// let arena = Arena::new();
    /// let count = |release| {
    ///     let options = TreeOptions::default().with_release(release);
    ///     Tree::load(&arena, modules.clone(), &options).diagnostics().count()
    /// };
    /// assert_eq!((count(Some(2)), count(Some(3)), count(None)), (0, 1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_release(mut self, release: Option<u8>) -> Self {
        self.release = release;
        self
    }

    /// Sets the directories of modules that are root modules, whatever they declare, and even if others
    /// call them, as [`ModuleFiles::directory`] has them.
    #[must_use]
    pub fn with_roots(mut self, roots: BTreeSet<PathBuf>) -> Self {
        self.roots = roots;
        self
    }

    /// Sets the directories whose files another tool adds to a module elsewhere, as
    /// [`ModuleFiles::directory`] has them. Missing declarations are not reported there.
    #[must_use]
    pub fn with_parts(mut self, parts: BTreeSet<PathBuf>) -> Self {
        self.parts = parts;
        self
    }

    /// Sets the options for reading and parsing.
    #[must_use]
    pub fn with_decode(mut self, decode: DecodeOptions) -> Self {
        self.decode = decode;
        self
    }

    /// Sets the options for templates of Packer.
    #[cfg(feature = "packer")]
    #[must_use]
    pub fn with_packer(mut self, packer: packer::Options) -> Self {
        self.packer = packer;
        self
    }
}

/// All modules of some directories, linked by their calls.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::tree::Tree;
///
/// let arena = Arena::new();
/// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
/// let variables = tree.modules().iter().map(|it| it.module.variables.iter().count());
/// assert!(variables.sum::<usize>() > 0);
/// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
/// ```
#[derive(Debug)]
pub struct Tree<'a> {
    modules: Vec<TreeModule<'a>>,
    templates: Vec<TreeTemplate<'a>>,
    /// The values that must not be shown of each module, when they are first asked for.
    hidden: OnceLock<Vec<Hidden>>,
}

impl<'a> Tree<'a> {
    /// Finds all modules below some paths, decodes them and links them, with default options. See
    /// [`discover()`] and [`Tree::load`] for the options and the cost.
    ///
    /// # Errors
    /// The first path that does not exist or cannot be examined.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::tree::Tree;
    ///
    /// let arena = Arena::new();
    /// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
    /// assert_eq!(tree.diagnostics().count(), 0);
    /// assert!(Tree::open(&arena, &["no/such/directory"]).is_err());
    /// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
    /// ```
    pub fn open<P: AsRef<Path> + Sync>(
        arena: &'a Arena,
        paths: &[P],
    ) -> Result<Self, DiscoverProblem> {
        let found = discover(paths, &DiscoverOptions::default());
        match found.problems.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(Self::load(arena, found.modules, &TreeOptions::default())),
        }
    }

    /// Decodes modules and links them.
    ///
    /// Calls may lead to modules that were not given: to directories beside them, and to modules
    /// that are installed for a root module (`.terraform/modules/modules.json`). These are decoded
    /// too, so that calls can be checked, but their errors are not diagnostics of the tree.
    ///
    /// Cost: every file is parsed once, with the events of all levels whatever the skeleton depth of
    /// `options` is, and every template parsed.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::directory::{DiscoverOptions, discover};
    /// use simd_hcl::tree::{Tree, TreeOptions};
    ///
    /// let arena = Arena::new();
    /// let found = discover(&["corpus/monorepo/payments"], &DiscoverOptions::default());
    /// let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    /// // The modules that they call are read as well.
    /// assert!(tree.modules().len() > tree.given().count());
    /// ```
    #[must_use]
    pub fn load(arena: &'a Arena, modules: Vec<ModuleFiles>, options: &TreeOptions) -> Self {
        Self::load_around(arena, modules, options, None)
    }

    /// Like [`Tree::load`]; with `around`, the modules are a part of a larger tree, and have the
    /// diagnostics that they have there.
    pub(crate) fn load_around(
        arena: &'a Arena,
        modules: Vec<ModuleFiles>,
        options: &TreeOptions,
        around: Option<&Around>,
    ) -> Self {
        let mut tree = Self::link(arena, modules, options, around);
        tree.withhold_own();
        tree
    }

    /// Like [`Tree::load_around`], but its diagnostics may repeat values that must not be shown.
    fn link(
        arena: &'a Arena,
        modules: Vec<ModuleFiles>,
        options: &TreeOptions,
        around: Option<&Around>,
    ) -> Self {
        let (templates, modules): (Vec<_>, Vec<_>) =
            modules.into_iter().partition(|module| module.dialect == Dialect::Packer);
        let decoded = decode_together(&templates, arena, &options.decode);
        let templates = templates
            .par_iter()
            .zip(decoded)
            .map(|(files, decoded)| TreeTemplate::read(arena, files, decoded, options))
            .collect();
        let parse = options.decode.parse;
        // The analysis reads everything. Containers that are opened later take more memory.
        let parse = parse.with_skeleton_depth(u32::MAX);
        let decode = options.decode.clone().with_parse(parse);
        let modules = modules.into_iter().map(|files| (files, Origin::Given)).collect();
        let as_release = (&decode, options.release);
        let mut modules = TreeModule::load_all(arena, modules, &options.parts, as_release);
        let reach = Reach::extend(arena, &mut modules, as_release, around);
        let links: Vec<_> = modules.par_iter().map(|module| link::links(module, &reach)).collect();
        called::mark(&mut modules, &links, |module| reach.is_called_outside(module));
        if !options.roots.is_empty() {
            for module in &mut modules {
                let directory = module.files.directory();
                module.is_named_root =
                    directory.disk().is_some_and(|it| options.roots.contains(it));
            }
        }
        modules.par_iter_mut().filter(|module| module.is_called).for_each(|module| {
            let withholds = module.withholds();
            let facts = Facts::of(&module.module, &module.uses, withholds, arena);
            module.facts = Some(Box::new(facts));
        });
        let diagnostics: Vec<_> = modules
            .par_iter()
            .zip(&links)
            .map(|(module, links)| link::check(module, &modules, links, &reach, arena))
            .collect();
        let mut between = cycle::cycles(&modules, &links, arena);
        let (found, needs) = dependency::check(&modules, &links, arena);
        between.extend(found);
        between.extend(called::check(&modules, &links, &reach));
        between.extend(providers::check(&modules, &links, arena));
        between.extend(test_runs::check(&modules, &reach));
        for (module, needs) in modules.iter_mut().zip(needs) {
            module.set_needs(needs);
            module.run_links = test_runs::links(module, &reach);
        }
        for (module, (links, diagnostics)) in
            modules.iter_mut().zip(links.into_iter().zip(diagnostics))
        {
            module.links = links;
            module.diagnostics.extend(diagnostics);
        }
        // The state of a called module is never stored, so its backend does not matter.
        for module in &mut modules {
            let is_known = options.release.is_some_and(|it| module.module.has_backend_of(it));
            if module.is_called || is_known {
                module.diagnostics.retain(|it| it.code() != Code::UnknownBackend);
            }
        }
        for (place, diagnostic) in between {
            modules[place].diagnostics.push(diagnostic);
        }
        modules.iter_mut().for_each(TreeModule::sort_diagnostics);
        Self { modules, templates, hidden: OnceLock::new() }
    }

    /// Adds diagnostics for the bodies that providers and provisioners read, by their schemas, and
    /// for other expressions by the types of resources and called modules. Call it once.
    ///
    /// Cost: that of [`typed::check`](crate::typed::check()) for each given module, in parallel,
    /// and of evaluating expressions that refer to resources and calls.
    pub fn check_bodies(&mut self, schemas: &BodySchemas<'a>) {
        let modules = &self.modules;
        let found = modules.par_iter().map(|module| bodies::check(module, modules, schemas));
        let found = found.collect();
        self.add(found);
    }

    /// Adds diagnostics for files that functions read: `file("${path.module}/x")` is an error if
    /// there is no such file. Call it once.
    ///
    /// Reads no file. It queries the file system for literal paths after `path.module` that stay
    /// below the directory of a given module.
    ///
    /// Cost: that of visiting the expressions of modules that write `path.module`, and one query of
    /// the file system for each of the first 10,000 paths of a module.
    pub fn check_files(&mut self) {
        let is_checked = |module: &TreeModule<'a>| {
            module.origin == Origin::Given && !module.has_wrong_declarations
        };
        let found = self.modules.par_iter().map(|module| match is_checked(module) {
            true => files::check(module),
            false => Vec::new(),
        });
        let found: Vec<_> = found.collect();
        self.add(found);
    }

    /// Adds diagnostics to each module, without what they repeat of values that must not be shown.
    fn add(&mut self, found: Vec<Vec<Diagnostic<'a>>>) {
        for (at, mut found) in found.into_iter().enumerate() {
            if !found.is_empty() {
                self.withhold_in_module(at, &mut found);
                self.modules[at].diagnostics.extend(found);
                self.modules[at].sort_diagnostics();
            }
        }
    }

    /// Adds diagnostics that apply only to root modules. Call it once. `is_root` may decide for a
    /// module; if it returns `None`, [`Tree::roots`] decides, and modules with unread files do not
    /// count. Test files run their module as a root module, so errors in outputs of a root module
    /// apply to them, too.
    pub fn check_roots(&mut self, is_root: impl Fn(&TreeModule<'a>) -> Option<bool>) {
        let roots = self.roots();
        let check = |(module, seems_root): (&TreeModule<'a>, bool)| {
            if module.origin != Origin::Given || module.has_wrong_declarations {
                return Vec::new();
            }
            match is_root(module) {
                Some(true) => root::check(module),
                Some(false) => Vec::new(),
                None if module.withholds() => Vec::new(),
                None if seems_root => root::check(module),
                None if root::is_tested(module) => module.uses.of_root.clone(),
                None => Vec::new(),
            }
        };
        let found = self.modules.iter().zip(roots).map(check).collect();
        self.add(found);
    }

    /// The declarations of the objects of a plan whose root module has this index among the
    /// modules.
    ///
    /// Cost: linear in the `moved`, `import` and `removed` blocks.
    #[must_use]
    pub fn plan_sources(&self, root: usize) -> PlanSources<'_, 'a> {
        PlanSources::new(&self.modules, root)
    }

    /// The modules: the given ones in order, then those that only calls lead to. See
    /// [`TreeModule::origin`].
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::tree::Tree;
    ///
    /// let arena = Arena::new();
    /// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
    /// let mut resources = tree.modules().iter().flat_map(|it| &it.module.resources);
    /// assert!(resources.any(|it| it.address().to_string() == "aws_ecs_service.this"));
    /// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
    /// ```
    #[must_use]
    pub fn modules(&self) -> &[TreeModule<'a>] {
        &self.modules
    }

    /// The calls of each module: the places of the calling modules, and the numbers of the calls there.
    ///
    /// Cost: linear in the calls.
    pub(crate) fn callers(&self) -> Vec<Vec<(usize, u32)>> {
        let mut callers = vec![Vec::new(); self.modules.len()];
        for (place, module) in self.modules.iter().enumerate() {
            for (link, call) in module.links.iter().zip(module.module.calls.iter()) {
                let number = module.module.object_number(Object::ModuleCall(call.name));
                if let (Link::Module(called), Some(number)) = (*link, number) {
                    callers[called].push((place, number));
                }
            }
        }
        callers
    }

    /// The given modules, in order.
    pub fn given(&self) -> impl Iterator<Item = &TreeModule<'a>> {
        self.modules.iter().filter(|module| module.origin == Origin::Given)
    }

    /// The templates of Packer, in order of discovery.
    #[must_use]
    pub fn templates(&self) -> &[TreeTemplate<'a>] {
        &self.templates
    }

    /// The files of all modules and templates that were read.
    pub fn sources(&self) -> impl Iterator<Item = Source<'a>> {
        let of_modules = self.modules.iter().flat_map(|module| &module.sources);
        of_modules.chain(self.templates.iter().flat_map(|template| &template.sources)).copied()
    }

    /// The diagnostics of the given modules and templates: module by module, then template by
    /// template. If only some files of a module are given, those of these files.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::tree::Tree;
    ///
    /// let arena = Arena::new();
    /// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
    /// assert!(tree.diagnostics().next().is_none());
    /// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
    /// ```
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic<'a>> {
        let of_modules = self.given().map(|module| (&module.files, &module.diagnostics));
        let of_templates = self.templates.iter().map(|it| (&it.files, &it.diagnostics));
        of_modules.chain(of_templates).flat_map(|(files, diagnostics)| {
            let asked_for = files.asked_for();
            diagnostics.iter().filter(move |it| asked_for.contains(it.source().name()))
        })
    }
}
