//! The dependencies of each root module besides its configuration: files, directories, patterns.
//!
//! A root module and the modules that it calls are evaluated ([`crate::expand`]). A file that a
//! function opens is a dependency, and so is a file or directory whose path is the value of a
//! string. The dependency belongs to the object that uses the value, such as a resource with an
//! argument, not to a local value that passes it on. A value that cannot be evaluated is a
//! dependency on all paths that fit its known parts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use super::entries::reached;
use super::reader::{CallInPart, Log, PathPattern, Reader};
use super::space::{Listing, Space};
use super::tails::Targets;
use crate::arena::Arena;
use crate::command_line::{self, is_dots};
use crate::diagnostic::Label;
use crate::evaluate::shape::{HOLE, fits};
use crate::evaluate::{KnownFunction, known_function};
use crate::expand::{Expansion, Inputs, Observed, ObservedCall, Observer};
use crate::expression::Expression;
#[cfg(feature = "functions")]
use crate::functions::Environment;
use crate::hash::{HashMap, HashSet};
use crate::module::Object;
use crate::relative;
use crate::span::Span;
use crate::tree::{Tree, TreeModule};
use crate::value::Value;

/// The kind of path that a dependency is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DependencyKind {
    /// A file, or a directory with everything in it.
    Path,
    /// The files that match a pattern of `fileset`.
    Glob,
    /// A path that is known in part: `*` stands for what is not. A changed file that fits may be
    /// meant.
    Unknown,
}

/// A dependency of an object of a root module, or of a module that it calls.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Dependency<'a> {
    /// The kind of its path.
    pub kind: DependencyKind,
    /// The index of the root module among the modules of the tree.
    pub root: usize,
    /// The place of the module of the object.
    pub module: usize,
    /// The object; `None` if it cannot be told.
    pub object: Option<Object<'a>>,
    /// The path, absolute and without links (for files in memory: from their root), or the pattern.
    pub path: String,
}

/// A dependency as it is found.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) kind: DependencyKind,
    pub(super) path: PathBuf,
    /// The instance of the module, by its number.
    pub(super) instance: u32,
    /// The source, by its number, and the bytes of the expression.
    pub(super) place: (u32, Span),
}

/// The reason why a module has an instance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outer<'a> {
    /// An instance calls it.
    Call(ObservedCall),
    /// A part of the instance of this number, which is no object of a module, runs it: `run.first`.
    Part(u32, Part<'a>),
    /// The tests of the module evaluate it. Callers do not depend on them.
    Tests,
}

/// A part of a test file or a stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) address: &'a str,
    pub(super) label: Label<'a>,
}

/// The dependencies of a root module.
#[derive(Debug)]
pub(super) struct Reads<'a> {
    pub(super) root: usize,
    /// The instances of modules: the index of each in the tree, and why it is there.
    pub(super) instances: Vec<(usize, Option<Outer<'a>>)>,
    pub(super) reads: Vec<Read>,
    /// Calls in these instances whose sources depend on values, and whose modules are not known: the
    /// instance, the number of the call.
    pub(super) missed: Vec<(u32, u32)>,
    /// Whether everything was evaluated.
    pub(super) is_complete: bool,
}

impl<'a> Reads<'a> {
    pub(super) fn of(root: usize, is_complete: bool) -> Self {
        let (instances, reads, missed) = (Vec::new(), Vec::new(), Vec::new());
        Self { root, instances, reads, missed, is_complete }
    }

    /// Takes the findings of an evaluation. `outer` is the reason for its first instance.
    pub(super) fn take(
        &mut self,
        state: State,
        is_complete: bool,
        instances: Vec<(usize, Option<ObservedCall>)>,
        outer: Option<Outer<'a>>,
    ) {
        let first = self.instances.len() as u32;
        let shifted =
            |call: ObservedCall| Outer::Call(ObservedCall { module: call.module + first, ..call });
        let instances = instances.into_iter();
        self.instances.extend(instances.map(|(place, call)| (place, call.map(shifted).or(outer))));
        self.is_complete &= is_complete && state.is_complete;
        let reads = state.reads.into_iter();
        self.reads.extend(reads.map(|read| Read { instance: read.instance + first, ..read }));
        self.missed.extend(state.missed.into_iter().map(|(module, call)| (module + first, call)));
    }
}

/// Values of variables of root modules, beside those that the tools find themselves.
pub trait RootInputs: Sync {
    /// Returns the inputs of a root module: one for each way in which it is run.
    fn inputs<'i, 'a>(
        &self,
        module: &TreeModule<'a>,
        plain: &dyn Fn() -> Inputs<'i, 'a>,
    ) -> Vec<Inputs<'i, 'a>>;

    /// Whether there are values that the tools do not find themselves.
    fn has_inputs(&self, module: &TreeModule<'_>) -> bool;

    /// Returns the files of variables of a root module, and those with settings of its backend, wherever they
    /// are.
    fn files(&self, module: &TreeModule<'_>) -> Vec<PathBuf>;

    /// Returns texts with the settings that are given to the backend of a root module, such as by
    /// `-backend-config`; `None` if it is not known whether there are some. The first text that has a setting
    /// counts. Each has a name that ends with `.json` if it is JSON, and is `None` if it is not known.
    fn backend(&self, module: &TreeModule<'_>) -> Option<Vec<(String, Option<String>)>> {
        let _ = module;
        None
    }
}

/// The start of the names of functions of providers, which may read files.
const OF_PROVIDER: &str = "provider::";

/// How root modules are evaluated.
pub(super) struct Plan<'p> {
    pub(super) space: &'p Space,
    /// The paths that are asked for; `None` if all are.
    pub(super) targets: Option<&'p Targets>,
    /// The number of root modules that share the memory.
    pub(super) roots: usize,
    pub(super) given: Option<&'p dyn RootInputs>,
}

impl Plan<'_> {
    /// Returns the dependencies of a root module.
    ///
    /// Cost: that of evaluating it.
    pub(super) fn reads<'a>(&self, tree: &Tree<'a>, root: usize) -> Reads<'a> {
        let module = &tree.modules()[root];
        let location = module.files.directory();
        let Some(directory) = self.space.directory(&location) else {
            return Reads::of(root, false);
        };
        let mut all = Reads::of(root, true);
        // Values live as long as the tree, whose lifetime does not shrink.
        let Some(arena) = module.sources.first().map(|source| source.arena()) else { return all };
        for inputs in self.workspaces(tree, root, arena, &directory) {
            self.add(&mut all, (tree, root, None), inputs, &|expansion| expansion.observe());
        }
        all
    }

    /// The inputs of a root module, for each way in which it is run; `None` if it is not run by itself, or
    /// cannot be located.
    pub(super) fn all_ways<'i, 'a>(
        &self,
        tree: &Tree<'a>,
        root: usize,
    ) -> Option<Vec<Inputs<'i, 'a>>> {
        let module = &tree.modules()[root];
        let directory = self.space.directory(&module.files.directory())?;
        let arena = module.sources.first()?.arena();
        Some(self.workspaces(tree, root, arena, &directory)).filter(|ways| !ways.is_empty())
    }

    /// The inputs of a root module, for each way and workspace in which it is run.
    fn workspaces<'i, 'a>(
        &self,
        tree: &Tree<'a>,
        root: usize,
        arena: &'a Arena,
        directory: &Path,
    ) -> Vec<Inputs<'i, 'a>> {
        let module = &tree.modules()[root];
        let plain = || self.plain_inputs(arena, directory);
        let mut ways = self.ways(module, &plain);
        // Who runs the tool chooses the workspace. The one that is always there gives certain answers.
        if has_workspace(tree, root) {
            let others = self.ways(module, &|| plain().with_any_workspace());
            ways.extend(others.into_iter().filter(Inputs::has_any_workspace));
        }
        ways
    }

    /// Adds the dependencies of a module that is evaluated with some inputs, as far as `work` evaluates it.
    /// `work` returns whether that is all.
    pub(super) fn add<'a>(
        &self,
        all: &mut Reads<'a>,
        (tree, place, outer): (&Tree<'a>, usize, Option<Outer<'a>>),
        inputs: Inputs<'_, 'a>,
        work: &dyn Fn(&Expansion<'_, 'a>) -> bool,
    ) {
        let (mut instances, mut is_complete) = (Vec::new(), false);
        let state = self.watch(tree, place, Some(inputs), &mut |inputs| {
            let expansion = tree.expand(place, &inputs);
            is_complete = work(&expansion);
            instances = expansion.instances();
        });
        match state {
            Some(state) => all.take(state, is_complete, instances, outer),
            None => all.is_complete = false,
        }
    }

    /// Returns what is read in the directory of a module while `work` evaluates with some inputs, or with those
    /// that the tools find themselves; `None` if the directory cannot be located.
    pub(super) fn watch<'a>(
        &self,
        tree: &Tree<'a>,
        place: usize,
        inputs: Option<Inputs<'_, 'a>>,
        work: &mut dyn FnMut(Inputs<'_, 'a>),
    ) -> Option<State> {
        let module = &tree.modules()[place];
        let location = module.files.directory();
        let directory = self.space.directory(&location)?;
        let arena = module.sources.first()?.arena();
        let reader = Reader::of(&location, self.space);
        let state = RefCell::new(State { is_complete: true, ..State::default() });
        let top = self.space.listing(&directory);
        let observer = Watch { plan: self, directory: &directory, top, reader: &reader, state };
        #[cfg(feature = "functions")]
        let functions = Environment::new().with_files(&reader);
        let inputs = inputs.unwrap_or_else(|| self.plain_inputs(arena, &directory));
        let inputs = inputs.with_observer(&observer);
        #[cfg(feature = "functions")]
        let inputs = inputs.with_functions(&functions);
        work(inputs);
        Some(observer.state.take())
    }

    /// The inputs of a root module, for each way in which it is run.
    fn ways<'i, 'a>(
        &self,
        module: &TreeModule<'a>,
        plain: &dyn Fn() -> Inputs<'i, 'a>,
    ) -> Vec<Inputs<'i, 'a>> {
        match self.given {
            Some(given) => given.inputs(module, plain),
            None => vec![plain()],
        }
    }

    pub(super) fn plain_inputs<'i, 'a>(
        &self,
        arena: &'a Arena,
        directory: &Path,
    ) -> Inputs<'i, 'a> {
        let inputs = Inputs::new(arena).with_roots(self.roots);
        match directory.to_str() {
            Some(path) if directory.is_absolute() => inputs.with_directory(path),
            // If the directory around a path in memory is not known, the root of all stands for it.
            Some(path) => inputs.with_directory(&format!("{}/{path}", self.space.top())),
            None => inputs,
        }
    }
}

/// Whether a root module, or a module that it calls, may name the workspace.
fn has_workspace(tree: &Tree<'_>, root: usize) -> bool {
    let modules = reached(tree, root).into_iter().map(|place| &tree.modules()[place]);
    let mut sources = modules.flat_map(|module| &module.sources);
    sources.any(|source| memmem::find(source.bytes(), b".workspace").is_some())
}

/// Collects the dependencies of one root module.
struct Watch<'w> {
    plan: &'w Plan<'w>,
    directory: &'w Path,
    /// The content of the directory.
    top: Arc<Listing>,
    reader: &'w Reader,
    state: RefCell<State>,
}

/// The instance, and the source and the first byte of the expression. If all files are asked about, a
/// path counts once for an instance, since most texts are no paths.
type ReadBy = (u32, Option<(u32, u32)>);

/// The findings of an evaluation.
#[derive(Default)]
pub(super) struct State {
    reads: Vec<Read>,
    /// The reads so far.
    known: HashSet<(DependencyKind, ReadBy, PathBuf)>,
    /// The instance, the source, and the first byte of each expression.
    seen: HashSet<(u32, u32, u32)>,
    missed: Vec<(u32, u32)>,
    /// The directories whose files `fileset` lists, by instance.
    listed: HashMap<u32, HashSet<PathBuf>>,
    is_complete: bool,
}

/// The texts that may be paths have at most this many bytes.
const LONGEST: usize = 1024;

impl<'a> Observer<'a> for Watch<'_> {
    fn starts(&self) {
        drop(self.reader.take());
    }

    fn sees(
        &self,
        evaluation: &dyn Observed<'a>,
        expression: Expression<'a>,
        value: Value<'_>,
        has_failed: bool,
    ) {
        let instance = evaluation.instance();
        self.state.borrow_mut().seen.insert(key(instance, expression));
        let at = At { instance, place: (expression.source().id(), expression.span()) };
        let Log { files, patterns, in_part, has_unknown } = self.reader.take();
        files.iter().for_each(|file| self.add_path(at, file));
        patterns.iter().for_each(|pattern| self.add_glob(at, pattern));
        let is_supposed = evaluation.is_supposed();
        let has = |text: &[u8]| memmem::find(expression.text(), text).is_some();
        in_part.iter().for_each(|call| self.add_in_part(at, call));
        if has_unknown || has_failed || has(b"for") || has(OF_PROVIDER.as_bytes()) {
            let is_of_listed = !patterns.is_empty() && value.is_wholly_known();
            let log =
                Evaluated { has_unknown, has_failed, is_supposed, is_of_listed, files: &files };
            self.add_unknown_reads(at, evaluation, expression, &log);
        }
        if evaluation.passes_on() {
            return;
        }
        let argument = argument_name(expression);
        let own = evaluation.module_path();
        value.visit_distinct(|part| {
            if let Some(text) = part.unmark().0.as_str() {
                self.add_text(at, text, argument, own);
            }
        });
        if !value.is_wholly_known() && may_have_texts(expression) {
            let texts = evaluation.texts(expression).into_iter();
            // The elements that other inputs give may be as many as a directory has files.
            for text in texts.filter(|text| !is_supposed || !text.starts_with(HOLE)) {
                let text = without_scheme(&text);
                let Some(hole) = text.find(HOLE) else {
                    // One of several, which a condition or a key chooses.
                    self.add_text(at, text, argument, own);
                    continue;
                };
                if is_command(argument) {
                    command_line::paths(text, |word| match word.find(HOLE) {
                        None => self.add_path(at, word),
                        Some(hole) if word[..hole].contains('/') => self.add_unknown(at, word),
                        Some(_) => {}
                    });
                    continue;
                }
                let is_name = || {
                    let end = text.rsplit(HOLE).next().unwrap_or_default();
                    names_files(argument) && (hole > 0 || !end.trim_matches('/').is_empty())
                };
                if text[..hole].contains('/') || is_name() {
                    self.add_unknown(at, text);
                }
            }
        }
    }

    fn has_seen(&self, module: u32, expression: Expression<'a>) -> bool {
        self.state.borrow().seen.contains(&key(module, expression))
    }

    fn misses(&self, module: u32, call: u32, is_unknown: bool) {
        let mut state = self.state.borrow_mut();
        match is_unknown {
            true => state.missed.push((module, call)),
            false => state.is_complete = false,
        }
    }
}

/// The files that the evaluation of an expression has read, and what it has not.
struct Evaluated<'l> {
    files: &'l [String],
    has_unknown: bool,
    has_failed: bool,
    is_supposed: bool,
    /// Whether its value is made of files that are listed, and of nothing unknown.
    is_of_listed: bool,
}

/// Where a dependency is found.
#[derive(Clone, Copy)]
struct At {
    instance: u32,
    place: (u32, Span),
}

impl Watch<'_> {
    /// Adds a string that an object uses.
    fn add_text(&self, at: At, text: &str, argument: &str, own: Option<&str>) {
        if text.is_empty() || text.len() > LONGEST && argument != "command" {
            return;
        }
        if is_command(argument) {
            command_line::paths(text, |word| self.add_path(at, word));
        }
        let text = without_scheme(text);
        if text.len() > LONGEST || text.contains(['\n', '\0']) {
            return;
        }
        // Such a text is often no path, but a separator, or the directory that names are relative to.
        if (is_dots(text) || own == Some(text)) && !names_files(argument) {
            return;
        }
        self.add_path(at, text);
    }

    fn add_path(&self, at: At, text: &str) {
        if let Some(targets) = self.plan.targets
            && let Some(name) = self.plan.space.plain_name(&self.top, text)
            && !targets.have_name(name)
        {
            return;
        }
        let found = self.plan.space.resolve(self.directory, text);
        let below = self.plan.space.links_below(&found.path);
        let links = found.links.into_iter().chain(below.iter().cloned());
        for path in links.chain([found.path]) {
            let is_wanted = match self.plan.targets {
                Some(targets) => targets.have(&path),
                None => path.starts_with(self.plan.space.boundary()),
            };
            if is_wanted {
                self.add(at, DependencyKind::Path, path);
            }
        }
    }

    fn add_glob(&self, at: At, pattern: &str) {
        let (directory, rest) = PathPattern::split(pattern);
        let found = self.plan.space.resolve(self.directory, directory);
        found.links.into_iter().for_each(|link| self.add(at, DependencyKind::Path, link));
        let mut state = self.state.borrow_mut();
        state.listed.entry(at.instance).or_default().insert(found.path.clone());
        drop(state);
        let mut whole = PathPattern::escaped(&found.path.to_string_lossy());
        if !rest.is_empty() {
            whole.push('/');
            whole.push_str(rest);
        }
        self.add(at, DependencyKind::Glob, whole.into());
    }

    /// Adds the paths of functions that are not known, as far as they are.
    fn add_unknown_reads<'a>(
        &self,
        at: At,
        evaluation: &dyn Observed<'a>,
        expression: Expression<'a>,
        log: &Evaluated<'_>,
    ) {
        // The instances and elements that other inputs give may be as many as a directory has files.
        let is_meant = |text: &str| !log.is_supposed || !text.starts_with(HOLE);
        let is_unknown = log.has_unknown || log.has_failed;
        let mut is_found = !log.has_unknown || log.is_supposed;
        let may_read = |name: &str| {
            known_function(name).is_some_and(KnownFunction::looks_up_path)
                || name.starts_with(OF_PROVIDER)
        };
        evaluation.calls(expression, &may_read, &mut |call| {
            // All that was evaluated is known. What is repeated for no element was not, and functions of
            // providers are not.
            let is_read = |path: &str| {
                // Functions clean paths.
                let cleaned = match path.starts_with('/') {
                    true => format!("/{}", relative::join("", path)),
                    false => relative::join("", path),
                };
                log.files
                    .iter()
                    .any(|file| file == path || fits(path, file) || fits(&cleaned, file))
            };
            let is_of_provider = call.name.starts_with(OF_PROVIDER);
            for path in call.first {
                let may_be_meant = match is_of_provider {
                    // Most values that are passed to providers are no paths.
                    true => !path.starts_with(HOLE),
                    false => is_unknown || call.is_repeated && !is_read(&path),
                };
                if !may_be_meant || !is_meant(&path) {
                    continue;
                }
                is_found |= !is_of_provider;
                let is_listed = || {
                    (!is_unknown || log.is_supposed)
                        && (log.is_of_listed || self.is_listed(at, &path))
                };
                if call.name == "fileset" || !path.contains(HOLE) || !is_listed() {
                    self.add_call(at, call.name, &path, &call.second);
                }
            }
        });
        // A template that the function evaluates reads it.
        if !is_found && Reader::IS_CERTAIN {
            self.add(at, DependencyKind::Unknown, HOLE.to_string().into());
        }
    }

    /// Adds a call in a template whose path is known in part.
    fn add_in_part(&self, at: At, (name, first, second): &CallInPart) {
        for path in first.iter().filter(|path| !path.contains(HOLE) || !self.is_listed(at, path)) {
            self.add_call(at, name, path, second);
        }
    }

    /// Adds a call of a function with a path, and for `fileset` patterns, which may have holes.
    fn add_call(&self, at: At, name: &str, path: &str, patterns: &[String]) {
        if name != "fileset" {
            return match path.contains(HOLE) {
                true => self.add_unknown(at, path),
                false => self.add_path(at, path),
            };
        }
        for pattern in patterns {
            let whole = format!("{path}/{pattern}");
            // Only functions know patterns.
            match whole.contains(HOLE) || !Reader::IS_CERTAIN {
                true => {
                    let any = |c: char| if is_special(c) { HOLE } else { c };
                    self.add_unknown(at, &whole.chars().map(any).collect::<String>());
                }
                false => self.add_glob(at, &whole),
            }
        }
    }

    /// Whether a path with holes starts with a directory of which, or below which, files are listed.
    fn is_listed(&self, at: At, text: &str) -> bool {
        let fixed = text.split(HOLE).next().unwrap_or_default();
        let directory = fixed.rfind('/').map_or(".", |end| &fixed[..end]);
        let found = self.plan.space.resolve(self.directory, directory);
        let state = self.state.borrow();
        let mut listed = state.listed.get(&at.instance).into_iter().flatten();
        listed.any(|listed| listed.starts_with(&found.path))
    }

    /// Adds a path with holes.
    fn add_unknown(&self, at: At, text: &str) {
        let Some(hole) = text.find(HOLE) else { return self.add_path(at, text) };
        let fixed = text[..hole].rfind('/').map_or("", |end| &text[..=end]);
        let names = text[fixed.len()..].split('/').filter(|name| !matches!(*name, "" | "."));
        let names: Vec<&str> = names.collect();
        // A path that goes up from an unknown name leads anywhere.
        if let Some(up) = names.iter().rposition(|name| *name == "..") {
            let mut pattern = HOLE.to_string();
            names[up + 1..].iter().for_each(|name| pattern.extend(["/", *name]));
            return self.add(at, DependencyKind::Unknown, pattern.into());
        }
        let rest = names.join("/");
        let pattern = if fixed.is_empty() {
            match rest.starts_with(HOLE) {
                true => rest,
                false => format!("{}/{rest}", self.directory.to_string_lossy()),
            }
        } else {
            let found = self.plan.space.resolve(self.directory, fixed);
            format!("{}/{rest}", found.path.to_string_lossy())
        };
        self.add(at, DependencyKind::Unknown, pattern.into());
    }

    fn add(&self, At { instance, place }: At, kind: DependencyKind, path: PathBuf) {
        let state = &mut *self.state.borrow_mut();
        let expression = self.plan.targets.map(|_| (place.0, place.1.start));
        if state.known.insert((kind, (instance, expression), path.clone())) {
            state.reads.push(Read { kind, path, instance, place });
        }
    }
}

fn is_special(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '\\')
}

fn key(instance: u32, expression: Expression<'_>) -> (u32, u32, u32) {
    (instance, expression.source().id(), expression.start_span().start)
}

/// Whether parts of the text of an unknown value may be known: it writes some, or refers to a definition.
fn may_have_texts(expression: Expression<'_>) -> bool {
    let text = expression.text();
    let roots: [&[u8]; 6] = [b"local.", b"module.", b"var.", b"each.", b"${", b"%{"];
    text.contains(&b'/')
        || text.contains(&b'?')
        || text.contains(&b'(')
        || roots.iter().any(|root| memmem::find(text, root).is_some())
}

/// The name of the argument whose value an expression is, by the text before it; empty if it is a part
/// of another expression.
fn argument_name(expression: Expression<'_>) -> &str {
    let bytes = expression.source().bytes();
    let before = bytes.get(..expression.start_span().start as usize).unwrap_or_default();
    let before = before.trim_ascii_end();
    let Some(before) = before.strip_suffix(b"=").or(before.strip_suffix(b":")) else { return "" };
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = before.iter().rev().take_while(is_name).count();
    std::str::from_utf8(&before[before.len() - length..]).unwrap_or_default()
}

/// Whether an argument of this name is a command line.
fn is_command(argument: &str) -> bool {
    matches!(argument, "arguments" | "args" | "command" | "commands" | "cmd" | "program")
}

/// A text without the scheme of files before it.
fn without_scheme(text: &str) -> &str {
    text.strip_prefix("file://").or(text.strip_prefix("fileb://")).unwrap_or(text)
}

/// Whether an argument of this name is usually a path.
fn names_files(argument: &str) -> bool {
    let whole = [
        "chart",
        "context",
        "dir",
        "directory",
        "file",
        "filename",
        "folder",
        "path",
        "script",
        "scripts",
        "source",
        "src",
        "template",
    ];
    let ends = ["_dir", "_directory", "_file", "_folder", "_path", "_source"];
    let starts = ["source_", "src_"];
    whole.contains(&argument)
        || ends.iter().any(|end| argument.ends_with(end))
        || starts.iter().any(|start| argument.starts_with(start))
}

/// Finds the dependencies that changed files meet.
#[derive(Default)]
pub(super) struct Index {
    /// By path: the root modules and their reads, by their numbers.
    paths: BTreeMap<PathBuf, Vec<(u32, u32)>>,
    /// Each pattern once.
    globs: Vec<(PathPattern, Vec<(u32, u32)>)>,
    unknown: Vec<(u32, u32)>,
}

impl Index {
    pub(super) fn of(all: &[Reads<'_>]) -> Self {
        let mut index = Self::default();
        let mut globs: BTreeMap<&Path, Vec<(u32, u32)>> = BTreeMap::new();
        for (root, reads) in (0..).zip(all) {
            for (at, read) in (0..).zip(&reads.reads) {
                match read.kind {
                    DependencyKind::Path => {
                        index.paths.entry(read.path.clone()).or_default().push((root, at));
                    }
                    DependencyKind::Glob => globs.entry(&read.path).or_default().push((root, at)),
                    DependencyKind::Unknown => index.unknown.push((root, at)),
                }
            }
        }
        let read =
            |(text, all): (&Path, _)| Some((PathPattern::new(&text.to_string_lossy())?, all));
        index.globs = globs.into_iter().filter_map(read).collect();
        index
    }

    /// The reads that a file meets for certain.
    pub(super) fn of_file(&self, file: &Path) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        for path in file.ancestors() {
            found.extend(self.paths.get(path).into_iter().flatten());
        }
        let text = file.to_string_lossy();
        let globs = self.globs.iter().filter(|(pattern, _)| pattern.matches(&text));
        found.extend(globs.flat_map(|(_, all)| all));
        found
    }

    /// The reads that files below a directory meet for certain.
    pub(super) fn below(&self, directory: &Path) -> Vec<(u32, u32)> {
        let inside = self.paths.range::<Path, _>((Bound::Included(directory), Bound::Unbounded));
        let inside = inside.take_while(|(path, _)| path.starts_with(directory));
        let text = directory.to_string_lossy();
        let globs = self.globs.iter().filter(|(pattern, _)| pattern.reaches(&text));
        let all = inside.map(|(_, all)| all).chain(globs.map(|(_, all)| all));
        all.flatten().copied().collect()
    }

    /// The reads that a file, or the files below a directory, may meet. `near` are the directories of the modules that a path without
    /// a known start is looked for in.
    pub(super) fn perhaps(
        &self,
        all: &[Reads<'_>],
        file: &Path,
        is_directory: bool,
        near: impl Fn(&Reads<'_>, &Read) -> bool,
    ) -> Vec<(u32, u32)> {
        let fits = |&&at: &&(u32, u32)| {
            let (read, reads) = (read_at(all, at), &all[at.0 as usize]);
            let (pattern, path) = (read.path.to_string_lossy(), file.to_string_lossy());
            (is_in(&pattern, &path) || is_directory && fits_below(&pattern, &path))
                && (!pattern.starts_with(HOLE) || near(reads, read))
        };
        self.unknown.iter().filter(fits).copied().collect()
    }
}

pub(super) fn read_at<'r>(all: &'r [Reads<'_>], (root, read): (u32, u32)) -> &'r Read {
    &all[root as usize].reads[read as usize]
}

/// Whether a path, or a directory around it, fits a pattern.
fn is_in(pattern: &str, path: &str) -> bool {
    fits(pattern, path) || path.match_indices('/').any(|(end, _)| fits(pattern, &path[..end]))
}

/// Whether a path below a directory may fit a pattern.
fn fits_below(pattern: &str, directory: &str) -> bool {
    let known = pattern.split(HOLE).next().unwrap_or_default();
    let rest = known.strip_prefix(directory);
    directory.starts_with(known) || rest.is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{fits, fits_below, is_in};

    #[test]
    fn paths_are_in_directories_that_fit_patterns() {
        for (pattern, path, expected) in [
            ("/a/\0/src", "/a/b/src", true),
            ("/a/\0/src", "/a/b/src/c/d", true),
            ("/a/\0/src", "/a/b/srcs", false),
            ("/a/\0/src", "/a/b/c", false),
            ("/a/x-\0", "/a/x-1/b", true),
            ("\0/src", "/a/src/b", true),
        ] {
            assert_eq!(is_in(pattern, path), expected, "{pattern:?} {path}");
        }
    }

    #[test]
    fn paths_below_directories_fit_patterns() {
        for (pattern, directory, expected) in [
            ("/a/b/\0.json", "/a", true),
            ("/a/b/\0.json", "/a/b", true),
            ("/a/b/\0/x", "/a/b/c", true),
            ("/a/b/\0.json", "/a/bc", false),
            ("/a/b/\0.json", "/c", false),
            ("\0/x", "/c", true),
        ] {
            assert_eq!(fits_below(pattern, directory), expected, "{pattern:?} {directory}");
        }
    }

    #[test]
    fn paths_fit_patterns() {
        for (pattern, path, expected) in [
            ("/a/\0.json", "/a/b.json", true),
            ("/a/\0.json", "/a/b/c.json", true),
            ("/a/\0.json", "/a/b.txt", false),
            ("/a/x\0y\0z", "/a/xyz", true),
            ("/a/x\0y\0z", "/a/xzy", false),
            ("\0", "/x", true),
            ("\0/in.txt", "/a/in.txt", true),
            ("/a", "/a", true),
            ("/a", "/ab", false),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern:?} {path}");
        }
    }
}
