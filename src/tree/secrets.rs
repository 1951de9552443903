//! Values that must not be shown because of declarations in other modules: those that calls, and
//! runs of tests, pass to sensitive and ephemeral variables.
//!
//! A variable or a local value that is passed on to such a variable, by an expression that refers to
//! nothing else, is hidden as well, through any number of calls and local values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Link, Origin, Tree, TreeModule, TreeOptions, path};
use crate::arena::Arena;
use crate::body::Block;
use crate::dialect::{Dialect, FileKind, List, root_schema};
use crate::directory::{DecodeOptions, Location, ModuleFile, ModuleFiles, Roots};
use crate::expression::Expression;
use crate::file::or_here;
use crate::hash::{HashMap, HashSet};
use crate::hidden::{Hidden, declares};
use crate::module::SourceAddress;
use crate::native::StepKind;
use crate::parsed::ParsedFile;
use crate::write::{Layout, to_string};

/// Modules that are read before all are read together: a multiple of their number, and a constant.
const READ_PER_MODULE: usize = 4;
const READ_FIRST: usize = 64;

/// The name of a file that only has a call.
const CALL: &str = "call.tf.json";

/// A variable or a local value: the place of its module, and its name.
type Passed<'a> = (usize, Named<'a>);

/// A name in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Named<'a> {
    Variable(&'a str),
    Local(&'a str),
}

/// Local values by their names.
type Locals<'a> = HashMap<&'a str, Expression<'a>>;

impl<'a> Tree<'a> {
    /// Returns the values that must not be shown of each module, in the order of [`Tree::modules`].
    ///
    /// Cost: linear in the configuration files, and the arguments of calls.
    #[must_use]
    pub fn hidden(&self) -> Vec<Hidden> {
        let mut all: Vec<Hidden> = self.modules.iter().map(declared).collect();
        let mut work: Vec<Passed<'a>> = Vec::new();
        // Names that are passed on to the variables of called modules.
        let mut passed: HashMap<(usize, &str), Vec<Passed<'a>>> = HashMap::default();
        for (place, module) in self.modules.iter().enumerate() {
            let variables = module.module.variables.iter().map(|variable| variable.name);
            let hidden = variables.filter(|name| all[place].has_variable(name));
            work.extend(hidden.map(|name| (place, Named::Variable(name))));
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                let Link::Module(called) = *link else { continue };
                let escaped = call.escape.into_iter().flat_map(|block| block.body().properties());
                for argument in call.arguments.iter().copied().chain(escaped) {
                    if let Some(named) = only_name(argument.expression()) {
                        passed.entry((called, argument.name())).or_default().push((place, named));
                    }
                }
            }
        }
        let mut locals: HashMap<usize, Locals<'a>> = HashMap::default();
        let mut seen = HashSet::default();
        while let Some(next) = work.pop() {
            if !seen.insert(next) {
                continue;
            }
            match next {
                (place, Named::Variable(name)) => {
                    all[place].add_variable(name);
                    work.extend(passed.remove(&(place, name)).into_iter().flatten());
                }
                (place, Named::Local(name)) => {
                    all[place].add_local_value(name);
                    let of_module = || self.modules[place].module.locals.iter();
                    let locals = locals
                        .entry(place)
                        .or_insert_with(|| of_module().map(|it| (it.name, it.value())).collect());
                    let named = locals.get(name).and_then(|value| only_name(*value));
                    work.extend(named.map(|named| (place, named)));
                }
            }
        }
        self.add_calls(&mut all);
        all
    }

    /// Like [`Self::hidden`], which is found once.
    pub(crate) fn hidden_once(&self) -> &[Hidden] {
        self.hidden.get_or_init(|| self.hidden())
    }

    /// Adds what calls and runs pass to the hidden variables of each module.
    fn add_calls(&self, all: &mut [Hidden]) {
        let places: HashMap<Location, usize> =
            (self.modules.iter().enumerate()).map(|(at, it)| (it.files.directory(), at)).collect();
        for (place, module) in self.modules.iter().enumerate() {
            let calls = module.module.calls.iter().zip(&module.links);
            let calls = calls.filter_map(|(call, link)| match link {
                Link::Module(called) => Some((call.name, *called, false)),
                _ => None,
            });
            let runs = module.tests.iter().flat_map(|file| &file.runs).filter_map(|run| {
                let Some(SourceAddress::Local(source)) = run.module.as_ref()?.address else {
                    return None;
                };
                let directory = path::local(&module.files.directory(), source)?;
                Some((run.name, *places.get(&directory)?, true))
            });
            for (name, called, is_run) in calls.chain(runs) {
                let variables = Arc::clone(all[called].variables());
                match is_run {
                    true => all[place].give(name, &variables),
                    false => all[place].pass(name, &variables),
                }
            }
        }
    }
}

/// Returns the secrets that the files of a module declare.
fn declared(module: &TreeModule<'_>) -> Hidden {
    let mut hidden = Hidden::default();
    for (list, file) in module.configuration.iter().chain(&module.of_stack) {
        hidden.add(module.files.dialect, *list, *file);
    }
    hidden
}

/// Adds the local values of a block.
fn add_locals<'a>(block: Block<'a>, locals: &mut Locals<'a>) {
    locals.extend(block.body().properties().map(|it| (it.name(), it.expression())));
}

/// Hides the local values of deployments that these pass to hidden variables of their stack.
fn add_deployments(module: &ModuleFiles, files: &[ParsedFile<'_>], hidden: &mut Hidden) {
    let Some(schema) = root_schema(module.dialect, List::Deployment) else { return };
    let (mut locals, mut work) = (Locals::default(), Vec::new());
    for file in files {
        file.body().visit_blocks(schema, &mut (), |block, _| match block.block_type() {
            "locals" => add_locals(block, &mut locals),
            "deployment" => {
                let inputs = block.as_expression().member("inputs").and_then(Expression::as_map);
                for (variable, value) in inputs.into_iter().flatten() {
                    if hidden.has_variable(variable.to_str()) {
                        work.extend(only_name(value));
                    }
                }
            }
            _ => {}
        });
    }
    // A deployment has no variables.
    work.retain(|named| matches!(named, Named::Local(_)));
    hide_named(work, &locals, hidden);
}

/// Hides variables and local values of one module, with what these local values pass on.
fn hide_named<'a>(mut work: Vec<Named<'a>>, locals: &Locals<'a>, hidden: &mut Hidden) {
    let mut seen = HashSet::default();
    while let Some(named) = work.pop() {
        if seen.insert(named) {
            match named {
                Named::Variable(name) => hidden.add_variable(name),
                Named::Local(name) => {
                    hidden.add_local_value(name);
                    work.extend(locals.get(name).and_then(|value| only_name(*value)));
                }
            }
        }
    }
}

/// The variable or the local value that an expression refers to, if it refers to nothing else.
fn only_name(value: Expression<'_>) -> Option<Named<'_>> {
    let mut traversals = value.variables();
    let (only, more) = (traversals.next()?, traversals.next());
    let [root, step, ..] = only.steps() else { return None };
    match (root.kind, step.kind) {
        _ if more.is_some() => None,
        (StepKind::Root("var"), StepKind::Attribute(name)) => Some(Named::Variable(name)),
        (StepKind::Root("local"), StepKind::Attribute(name)) => Some(Named::Local(name)),
        _ => None,
    }
}

/// A module: its directory or file, and its dialect.
type Key = (Location, Dialect);

fn key(module: &ModuleFiles) -> Key {
    (module.path.clone(), module.dialect)
}

/// The values that must not be shown of modules, for code that reads them file by file. A module is read
/// when it is first asked for, with those that it calls.
///
/// Cost: each module is read about [`READ_PER_MODULE`] times if modules share what they call; then all are read
/// together. Keeps names only. No lock is held while files are read.
#[derive(Debug)]
pub struct Secrets {
    options: DecodeOptions,
    modules: Vec<ModuleFiles>,
    /// Those with tests, of which a call does not read everything.
    with_tests: BTreeSet<String>,
    /// The hidden values of files of units, by their directories without links.
    of_units: BTreeMap<PathBuf, Hidden>,
    known: Mutex<HashMap<Key, Arc<Hidden>>>,
    /// The number of modules that were read.
    read: AtomicUsize,
    reads_all: AtomicBool,
}

impl Secrets {
    /// Returns the secrets of modules, of which nothing is read yet.
    #[must_use]
    pub fn of_modules(modules: &[ModuleFiles], options: &DecodeOptions) -> Self {
        let has_tests =
            |module: &&ModuleFiles| module.files.iter().any(|it| it.kind.list == List::Test);
        let with_tests = modules.iter().filter(has_tests);
        Self {
            options: options.clone(),
            with_tests: with_tests.map(|it| it.path.to_string_lossy().into_owned()).collect(),
            modules: modules.to_vec(),
            of_units: BTreeMap::new(),
            known: Mutex::default(),
            read: AtomicUsize::new(0),
            reads_all: AtomicBool::new(false),
        }
    }

    /// Adds what is hidden in files of units, by their directories without links: the result of
    /// `terragrunt::hidden`. Directories in memory have their paths there.
    #[must_use]
    pub fn with_units(mut self, of_units: BTreeMap<PathBuf, Hidden>) -> Self {
        self.of_units = of_units;
        self
    }

    /// Returns what units hide in the files in the directory of a module.
    fn of_units(&self, module: &ModuleFiles) -> Option<&Hidden> {
        if self.of_units.is_empty() {
            return None;
        }
        match module.directory() {
            Location::Disk(path) => self.of_units.get(&or_here(&path).canonicalize().ok()?),
            Location::Memory(path) => self.of_units.get(Path::new(path.as_str())),
        }
    }

    fn get(&self, module: &ModuleFiles) -> Option<Arc<Hidden>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&key(module)).cloned()
    }

    /// Returns the values that must not be shown of a module, by its files and the modules that it calls,
    /// without the file `except`, which the caller reads.
    #[must_use]
    pub fn of(&self, module: &ModuleFiles, except: Option<&Location>) -> Arc<Hidden> {
        if let Some(hidden) = self.get(module) {
            return hidden;
        }
        let mut declaring = self.around(module);
        let is_read = |list| declares(list) || list == List::Deployment;
        declaring.files.retain(|file| is_read(file.kind.list) && Some(&file.path) != except);
        let arena = Arena::new();
        let files = declaring.decode(&arena, &self.options).into_iter();
        let files = files.filter_map(|file| Some((file.file.kind.list, file.parsed.ok()?)));
        let files: Vec<_> = files.collect();
        self.of_parsed(module, declaring, &files)
    }

    /// Returns the module, with the files beside it if it is one file: these may declare that its values
    /// are secret.
    fn around(&self, module: &ModuleFiles) -> ModuleFiles {
        let Some(mut around) = module.around(declares) else { return module.clone() };
        if let (false, Location::Disk(directory)) = (self.options.follow_links, &around.path) {
            let roots = Roots::around([directory]);
            around.refuse_links(&roots);
        }
        around
    }

    /// Does the same with the files of the module, which are parsed already.
    #[cfg(feature = "docs")]
    pub(crate) fn of_read<'a>(
        &self,
        module: &ModuleFiles,
        files: &[(List, ParsedFile<'a>)],
    ) -> Arc<Hidden> {
        if let Some(hidden) = self.get(module) {
            return hidden;
        }
        let mut declaring = module.clone();
        declaring.files.retain(|file| declares(file.kind.list));
        self.of_parsed(module, declaring, files)
    }

    fn of_parsed(
        &self,
        module: &ModuleFiles,
        declaring: ModuleFiles,
        files: &[(List, ParsedFile<'_>)],
    ) -> Arc<Hidden> {
        let mut hidden = Hidden::default();
        for (list, parsed) in files {
            hidden.add(module.dialect, *list, *parsed);
        }
        let of = |wanted: List| -> Vec<ParsedFile<'_>> {
            files.iter().filter(|(list, _)| *list == wanted).map(|(_, parsed)| *parsed).collect()
        };
        self.add_components(module, &of(List::Component), &mut hidden);
        add_deployments(module, &of(List::Deployment), &mut hidden);
        if hidden.calls_others() {
            hidden.extend(&self.with_called(declaring));
        }
        if let Some(of_units) = self.of_units(module) {
            hidden.extend(of_units);
        }
        let hidden = Arc::new(hidden);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(key(module)).or_insert(hidden))
    }

    /// Adds what the components of a stack pass to hidden variables of their modules, and its stacks to
    /// those of other stacks.
    fn add_components(&self, module: &ModuleFiles, files: &[ParsedFile<'_>], hidden: &mut Hidden) {
        let Some(schema) = root_schema(module.dialect, List::Component) else { return };
        let mut known: HashMap<(bool, Location), Hidden> = HashMap::default();
        let (mut locals, mut work) = (Locals::default(), Vec::new());
        for file in files {
            file.body().visit_blocks(schema, &mut (), |block, _| {
                let is_stack = match block.block_type() {
                    "component" => false,
                    "stack" => true,
                    "locals" => return add_locals(block, &mut locals),
                    _ => return,
                };
                let body = block.as_expression();
                let source = body.member("source").and_then(Expression::to_str);
                let (Some(name), Some(source)) = (block.label(0), source) else { return };
                let Some(place) = path::local(&module.directory(), source) else { return };
                let called =
                    known.entry((is_stack, place)).or_insert_with_key(
                        |(_, place)| match is_stack {
                            true => self.stack_at(module, place),
                            false => self.of_call(module, name, source),
                        },
                    );
                hidden.add_call(name, called);
                let inputs = body.member("inputs").and_then(Expression::as_map);
                for (variable, value) in inputs.into_iter().flatten() {
                    if called.has_variable(variable.to_str()) {
                        work.extend(only_name(value));
                    }
                }
            });
        }
        hide_named(work, &locals, hidden);
    }

    /// Returns the secrets that the components of an inner stack declare.
    fn stack_at(&self, outer: &ModuleFiles, directory: &Location) -> Hidden {
        let mut hidden = Hidden::default();
        let given = self.modules.iter().find(|module| module.directory() == *directory).cloned();
        let listed = || {
            let (path, outer) = (directory.disk()?, outer.directory());
            let outer = outer.disk()?;
            let mut files = ModuleFiles::list_components(path).ok()?;
            if !self.options.follow_links {
                // A path may lead anywhere, and a link only where those of the outer one may.
                let own = path.ancestors().take_while(|it| !outer.starts_with(it));
                if { own }.any(Path::is_symlink) && Roots::around([outer]).outside(path).is_some() {
                    return None;
                }
                files.refuse_links(&Roots::around([outer, path]));
            }
            Some(files)
        };
        let Some(module) = given.or_else(listed) else { return hidden };
        let arena = Arena::new();
        for file in module.decode(&arena, &self.options) {
            if let Ok(parsed) = file.parsed {
                hidden.add(module.dialect, file.file.kind.list, parsed);
            }
        }
        hidden
    }

    /// The same for a module, with the marks of the modules that it calls. These become known, too.
    fn with_called(&self, module: ModuleFiles) -> Hidden {
        let is_much = || {
            let limit = READ_FIRST + READ_PER_MODULE * self.modules.len();
            self.read.load(Ordering::Relaxed) > limit
        };
        let wanted = key(&module);
        // The module itself comes first, since a file of it may be left out.
        let mut given = vec![module];
        if is_much() && !self.reads_all.swap(true, Ordering::Relaxed) {
            let others = self.modules.iter().filter(|module| key(module) != wanted);
            given.extend(others.cloned());
        }
        let arena = Arena::new();
        let options = TreeOptions::default().with_decode(self.options.clone());
        let tree = Tree::link(&arena, given, &options, None);
        self.read.fetch_add(tree.modules().len(), Ordering::Relaxed);
        let mut own = Hidden::default();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for (module, mut hidden) in tree.modules().iter().zip(tree.hidden()) {
            let key = key(&module.files);
            if let Some(of_units) = self.of_units(&module.files) {
                hidden.extend(of_units);
            }
            if key == wanted {
                own.extend(&hidden);
            } else if module.origin == Origin::Given || !self.has_tests(&module.files) {
                known.entry(key).or_insert_with(|| Arc::new(hidden));
            }
        }
        own
    }

    /// Returns the values that must not be shown of the module that a call leads to, if its source needs no
    /// evaluation. The call need not be in a file of the module: see `except` of [`Secrets::of`].
    #[must_use]
    pub fn of_call(&self, module: &ModuleFiles, name: &str, source: &str) -> Hidden {
        let call = to_string(Layout::Compact, |slot| {
            let mut root = slot.object();
            let mut calls = root.key("module").object();
            calls.key(name).object().key("source").string(source);
        });
        let directory = module.directory();
        let file = match &directory {
            Location::Disk(path) => path.join(CALL).into(),
            Location::Memory(path) => Location::Memory(path.join(CALL)),
        };
        let kind = FileKind::of_named(CALL.as_ref(), module.dialect);
        let file = ModuleFile::new(CALL.into(), file, kind).with_content(call.into_bytes().into());
        let calling = ModuleFiles::of_directory(directory, module.dialect, vec![file]);
        let arena = Arena::new();
        let options = TreeOptions::default().with_decode(self.options.clone());
        let tree = Tree::link(&arena, vec![calling], &options, None);
        let called = tree.modules().first().and_then(|module| module.links.first());
        match called {
            Some(Link::Module(called)) => {
                let mut hidden = tree.hidden().swap_remove(*called);
                let of_units = tree.modules().get(*called).and_then(|it| self.of_units(&it.files));
                of_units.into_iter().for_each(|of_units| hidden.extend(of_units));
                hidden
            }
            _ => Hidden::default(),
        }
    }

    fn has_tests(&self, module: &ModuleFiles) -> bool {
        self.with_tests.contains(&*module.path.to_string_lossy())
    }
}
