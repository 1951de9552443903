//! The state that all evaluations of a tree share: its files, parsed once, and configurations that
//! `read_terragrunt_config` has read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::Disk;
use super::log::{Lead, Log, Problem, Request, Watched};
use super::parse::{Parsed, Part};
use super::schema::{self, Kind};
use super::{Options, names};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::functions::paths::{directory, join, relative};
use crate::hash::{HashMap, HashSet};
use crate::hidden::Hidden;
use crate::tree::Secrets;
use crate::value::{Marks, Value};

/// The value of a configuration that was read, and what it depends on.
pub(super) struct Read<'a> {
    pub(super) value: Value<'a>,
    pub(super) tracked: BTreeSet<String>,
    pub(super) also: BTreeSet<String>,
    pub(super) looked_for: BTreeSet<String>,
    pub(super) watched: BTreeSet<Watched>,
    pub(super) mocked: BTreeSet<String>,
    pub(super) needed: BTreeSet<String>,
    pub(super) leads: BTreeSet<Lead>,
    pub(super) problems: BTreeSet<Problem>,
    pub(super) is_relative: bool,
}

/// The variables of the components of a stack, which share them.
pub(super) type Shared<'v> = Arc<[(&'v str, Value<'v>)]>;

/// The most bytes of values that configurations and stacks pass on to others: of configurations that
/// are read, and of `values` of stacks.
const MOST_KEPT: u64 = 1 << 30;
/// The most bytes of one of them: configurations that read each other twice double their values.
const MOST_OF_ONE: u64 = 1 << 23;

/// An `autoinclude` block: a file that a stack would write, whose expressions are evaluated with the
/// variables of the stack.
pub(super) struct Bound<'a> {
    pub(super) parsed: Arc<Parsed<'a>>,
    pub(super) variables: Shared<'a>,
    /// The stack's file.
    pub(super) file: String,
}

/// The file that a stack writes into the folder of a unit or stack.
#[derive(Default)]
pub(super) struct Written<'a> {
    pub(super) values: Option<Value<'a>>,
    pub(super) autoinclude: Option<Arc<Bound<'a>>>,
    /// The files that decide about it: those of the stacks around it.
    pub(super) files: Arc<[String]>,
}

/// A file, or the reason why it has no body.
pub(super) type Loaded<'a> = Result<Arc<Parsed<'a>>, Arc<str>>;

/// The state that all evaluations share.
pub(super) struct World<'a> {
    pub(super) arena: &'a Arena,
    pub(super) disk: Disk<'a>,
    pub(super) options: &'a Options,
    /// By path, and by kind.
    parsed: Mutex<BTreeMap<(String, usize), Loaded<'a>>>,
    reads: Mutex<HashMap<Request, Arc<Read<'a>>>>,
    being_read: Mutex<HashSet<String>>,
    work_trees: Mutex<HashMap<String, Option<String>>>,
    modules: Mutex<HashMap<String, Arc<[String]>>>,
    written: Mutex<BTreeMap<String, Arc<Written<'a>>>>,
    /// The names that the modules of units declare as sensitive, by the folder of the unit.
    outputs: Mutex<HashMap<String, Arc<Hidden>>>,
    /// The values that modules hide, by their folders.
    variables: Mutex<HashMap<String, Arc<Hidden>>>,
    secrets: Secrets,
    /// The bytes of values that are passed on.
    kept: AtomicU64,
    /// The bytes of the files that have been read, without those that stacks would generate.
    bytes: AtomicU64,
    /// Errors of expressions, if they are wanted.
    errors: Option<Mutex<Vec<Diagnostic<'a>>>>,
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> World<'a> {
    /// Texts of the options count instead of those of the disk.
    pub(super) fn new(arena: &'a Arena, disk: Disk<'a>, options: &'a Options) -> Self {
        let disk = disk.with_texts(&options.texts);
        let decode = options.decode();
        Self {
            arena,
            disk,
            options,
            parsed: Mutex::default(),
            reads: Mutex::default(),
            being_read: Mutex::default(),
            work_trees: Mutex::default(),
            modules: Mutex::default(),
            written: Mutex::default(),
            outputs: Mutex::default(),
            variables: Mutex::default(),
            secrets: Secrets::of_modules(&[], &decode),
            kept: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            errors: None,
        }
    }

    /// Keeps the errors of expressions as diagnostics.
    pub(super) fn collecting(mut self) -> Self {
        self.errors = Some(Mutex::default());
        self
    }

    /// Whether errors of expressions are kept.
    pub(super) fn is_checked(&self) -> bool {
        self.errors.is_some()
    }

    /// Whether a stack gives values to a unit or stack, or a file does.
    pub(super) fn has_values(&self, folder: &str) -> bool {
        self.written(folder).is_some() || self.disk.is_file(&join(folder, names::VALUES))
    }

    /// Adds the error of an expression.
    pub(super) fn error(&self, error: &Diagnostic<'a>) {
        if let Some(errors) = &self.errors {
            locked(errors).push(error.clone());
        }
    }

    /// The errors of all files that have been read, and of their expressions, by place.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic<'a>> {
        let mut all: Vec<Diagnostic<'a>> = Vec::new();
        for file in self.all_files() {
            all.extend(file.errors.iter().chain(&file.late_errors).cloned());
        }
        all.extend(self.errors.iter().flat_map(|errors| locked(errors).clone()));
        all.sort_by(|one, other| {
            let key = |it: &Diagnostic<'a>| (it.source().name(), it.span().start, it.code());
            key(one).cmp(&key(other))
        });
        all
    }

    /// Whether a value with these marks may be shown.
    pub(super) fn shows(&self, marks: Marks) -> bool {
        self.options.shows_sensitive || !marks.hides()
    }

    /// A text in which paths in a folder, and in the git work tree around it, are relative to the folder.
    pub(super) fn relative(&self, folder: &str, text: &str) -> String {
        let text = text.replace(&format!("{}/", folder.trim_end_matches('/')), "");
        match self.work_tree(folder) {
            Some(top) if top != folder => match relative(folder, &top) {
                Some(up) => text.replace(&format!("{}/", top.trim_end_matches('/')), &(up + "/")),
                None => text,
            },
            _ => text,
        }
    }

    /// The files that have been read, by path.
    pub(super) fn all_files(&self) -> Vec<Arc<Parsed<'a>>> {
        locked(&self.parsed).values().filter_map(|it| it.as_ref().ok().cloned()).collect()
    }

    pub(super) fn has_experiment(&self, name: &str) -> bool {
        self.options.experiments.contains(name)
    }

    /// The file of the configuration in a folder.
    pub(super) fn config_of(&self, folder: &str) -> String {
        let mut all = names::UNITS.iter().map(|name| join(folder, name));
        all.find(|path| self.disk.is_file(path)).unwrap_or_else(|| join(folder, names::UNIT))
    }

    /// Returns a file, parsed on first use.
    pub(super) fn parsed(&self, path: &str) -> Loaded<'a> {
        self.parsed_as(path, schema::kind_of(path))
    }

    /// Like [`World::parsed`], as a file of a stack.
    pub(super) fn parsed_as(&self, path: &str, kind: &'static Kind) -> Loaded<'a> {
        let key = (path.to_owned(), std::ptr::from_ref(kind) as usize);
        if let Some(known) = locked(&self.parsed).get(&key) {
            return known.clone();
        }
        let loaded = match self.disk.source(path) {
            Ok(source) => {
                if !self.disk.is_generated(&directory(path)) {
                    self.bytes.fetch_add(source.bytes().len() as u64, Ordering::Relaxed);
                }
                Parsed::read(self.arena, source, kind).map(Arc::new)
            }
            Err(error) => Err(format!("{path} {error}")),
        };
        let loaded = loaded.map_err(Arc::from);
        locked(&self.parsed).insert(key, loaded.clone());
        loaded
    }

    /// The bytes of the files that have been read so far, without those that stacks would generate.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns a file that has been read, as each kind of file that it was read as.
    pub(super) fn known(&self, path: &str) -> Vec<Arc<Parsed<'a>>> {
        let all = (path.to_owned(), 0)..=(path.to_owned(), usize::MAX);
        let parsed = locked(&self.parsed);
        parsed.range(all).filter_map(|(_, loaded)| loaded.as_ref().ok().cloned()).collect()
    }

    /// Returns what a module in the file system hides; nothing without a module.
    pub(super) fn hidden_variables(&self, folder: Option<&str>) -> Arc<Hidden> {
        let Some(folder) = folder else { return Arc::default() };
        if let Some(known) = locked(&self.variables).get(folder) {
            return Arc::clone(known);
        }
        let hidden = self.disk.module(folder).map(|files| self.secrets.of(&files, None));
        let hidden = hidden.unwrap_or_default();
        locked(&self.variables).insert(folder.to_owned(), Arc::clone(&hidden));
        hidden
    }

    /// Returns which outputs the module of a unit declares as sensitive, if that has been found out.
    pub(super) fn known_outputs(&self, folder: &str) -> Option<Arc<Hidden>> {
        locked(&self.outputs).get(folder).cloned()
    }

    /// Keeps which outputs the module of a unit declares as sensitive.
    pub(super) fn keep_outputs(&self, folder: &str, hidden: Arc<Hidden>) {
        locked(&self.outputs).insert(folder.to_owned(), hidden);
    }

    /// Forgets the configurations that use mocks of these units.
    pub(super) fn forget_mocked(&self, folders: &HashSet<&str>) {
        let uses = |read: &Read<'_>| read.mocked.iter().any(|it| folders.contains(it.as_str()));
        locked(&self.reads).retain(|_, read| !uses(read));
    }

    /// Returns a part of a file as a file.
    pub(super) fn parsed_block(&self, part: Part<'a>) -> Arc<Parsed<'a>> {
        Arc::new(Parsed::of_block(part))
    }

    /// The files of a module below a folder that Terragrunt tracks.
    pub(super) fn module_files(&self, folder: &str) -> Arc<[String]> {
        if let Some(known) = locked(&self.modules).get(folder) {
            return Arc::clone(known);
        }
        let mut files = self.disk.module_files(folder);
        // A stack writes these into the folder of a unit.
        if let Some(written) = self.written(folder) {
            let has = [written.values.is_some(), written.autoinclude.is_some()];
            let names = [names::VALUES, names::AUTOINCLUDE].into_iter().zip(has);
            let paths = names.filter(|(_, has)| *has).map(|(name, _)| join(folder, name));
            let new: Vec<String> = paths.filter(|path| !files.contains(path)).collect();
            files.extend(new);
        }
        let files: Arc<[String]> = files.into();
        locked(&self.modules).insert(folder.to_owned(), Arc::clone(&files));
        files
    }

    /// The git work tree around a folder.
    pub(super) fn work_tree(&self, folder: &str) -> Option<String> {
        if let Some(known) = locked(&self.work_trees).get(folder) {
            return known.clone();
        }
        let found = self.disk.work_tree(folder);
        locked(&self.work_trees).insert(folder.to_owned(), found.clone());
        found
    }

    /// Copies a value that is passed on. If too much is, it is unknown.
    pub(super) fn copied(&self, value: Value<'_>, log: &Log) -> Value<'a> {
        let bytes = value.bytes(MOST_OF_ONE);
        if bytes >= MOST_OF_ONE {
            let why = "a value that a configuration or a stack passes on has more than 8 MiB";
            log.problem("configuration", why);
            return Value::dynamic();
        }
        if self.kept.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= MOST_KEPT {
            return value.copy_to(self.arena);
        }
        let why = "the values that configurations and stacks pass on have more than 1 GiB";
        log.problem("configuration", why);
        Value::dynamic()
    }

    /// Returns a configuration that has been read.
    pub(super) fn read(&self, path: &str, original: &str) -> Option<Arc<Read<'a>>> {
        let reads = locked(&self.reads);
        let mut request = Request { path: path.to_owned(), original: None };
        if let Some(found) = reads.get(&request) {
            return Some(Arc::clone(found));
        }
        request.original = Some(original.to_owned());
        reads.get(&request).cloned()
    }

    /// Keeps a configuration that has been read.
    pub(super) fn keep(&self, path: &str, original: &str, read: Read<'a>) {
        let original = read.is_relative.then(|| original.to_owned());
        locked(&self.reads).insert(Request { path: path.to_owned(), original }, Arc::new(read));
    }

    pub(super) fn is_being_read(&self, path: &str) -> bool {
        locked(&self.being_read).contains(path)
    }

    /// Notes whether a configuration is being read. Returns whether it was.
    pub(super) fn set_being_read(&self, path: &str, is_being_read: bool) -> bool {
        let mut all = locked(&self.being_read);
        match is_being_read {
            true => !all.insert(path.to_owned()),
            false => all.remove(path),
        }
    }

    /// Returns the file that a stack writes into a folder.
    pub(super) fn written(&self, folder: &str) -> Option<Arc<Written<'a>>> {
        locked(&self.written).get(folder).cloned()
    }

    pub(super) fn write(&self, folder: &str, written: Written<'a>) {
        locked(&self.written).insert(folder.to_owned(), Arc::new(written));
    }
}
