//! The files that a template reads, and those that it may read where it is not evaluated.
//!
//! A part that is repeated for the elements of an unknown list is not evaluated, and neither is a template
//! without its variables. The paths that are written there are known in part.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use memchr::memmem;

use super::files::{FileEntry, FileError, FileKind, Files, passes_on};
use super::paths;
use crate::arena::Arena;
use crate::evaluate::shape::{HOLE, Shape, fits};
use crate::evaluate::shape_of_program::{Parts, Question, calls};
use crate::evaluate::{
    Budget, Functions, InScope, KnownFunction, Meter, Scope, evaluate_for, known_function,
};
use crate::native::{Node, Program, Step, StepKind};
use crate::program::LentProgram;
use crate::program::node::Kind;
use crate::value::Value;

/// The steps of evaluating a part of a template.
const STEPS: u64 = 2_000;

/// The steps of evaluating all parts of a template.
const ALL_STEPS: u64 = 100_000;

/// The most paths that are noted for a template.
const MOST: usize = 10_000;

/// The files that a template reads. It notes paths, and passes on those that are known in part at the end.
pub(super) struct Within<'c> {
    pub(super) files: &'c dyn Files,
    pub(super) read: Mutex<Vec<String>>,
    pub(super) has_unknown: AtomicBool,
}

/// The variables of a template.
type Entries<'e, 'a> = &'e [(&'a str, Value<'a>)];

impl Within<'_> {
    /// Tells the files which paths the calls of a template may name that were not evaluated.
    pub(super) fn report<'a>(
        &self,
        program: &Program<'a>,
        (arena, entries, functions): (&'a Arena, Entries<'_, 'a>, &dyn Functions),
        is_known: bool,
    ) {
        let has_unknown = self.has_unknown.swap(false, Ordering::Relaxed);
        let read = std::mem::take(&mut *self.read.lock().unwrap_or_else(PoisonError::into_inner));
        if is_known && !has_unknown {
            return;
        }
        if !self.files.asks_in_part() {
            if has_unknown {
                self.files.reads_unknown();
            }
            return;
        }
        if memmem::find(program.source.bytes(), b"file").is_none() {
            return;
        }
        let is_evaluated = !entries.is_empty();
        let names = Names {
            arena,
            entries,
            functions,
            meter: Meter::new(Budget::new(ALL_STEPS, ALL_STEPS * 8)),
        };
        let reads = |name: &str| known_function(name).is_some_and(KnownFunction::looks_up_path);
        calls(&names, program, &Question::new(), &reads, &mut |call| {
            let mut paths = call.first;
            paths.retain(|path| {
                let cleaned = paths::clean(path);
                let is_read = || read.iter().any(|it| *it == cleaned || fits(&cleaned, it));
                !is_evaluated || has_unknown && path.contains(HOLE) || !is_read()
            });
            if !paths.is_empty() {
                self.files.reads_in_part(call.name, &paths, &call.second);
            }
        });
    }

    fn note(&self, path: &str) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.len() < MOST {
            read.push(path.to_owned());
        }
    }
}

impl Files for Within<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.note(path);
        self.files.read(path)
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        self.note(path);
        self.files.kind(path)
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        self.note(path);
        self.files.entries(path)
    }

    fn reads_unknown(&self) {
        self.has_unknown.store(true, Ordering::Relaxed);
    }

    passes_on!(absolute home looks_for asks_in_part reads_in_part is_unknown_outside takes);
}

/// The names of a template.
struct Names<'n, 'a> {
    arena: &'a Arena,
    entries: Entries<'n, 'a>,
    functions: &'n dyn Functions,
    meter: Meter,
}

impl<'a> Parts<'a, 'a> for Names<'_, 'a> {
    fn arena(&self) -> &'a Arena {
        self.arena
    }

    fn part(&self, program: &LentProgram<'_, 'a>, nodes: &[Node]) -> Value<'a> {
        // The elements of a loop around the part have no value.
        let is_variable = |node: &Node| {
            let root = program.traversal(node.payload).first().map(|step| step.kind);
            matches!(root, Some(StepKind::Root(root)) if self.entries.iter().any(|(name, _)| *name == root))
        };
        let mut traversals = nodes.iter().filter(|node| node.kind == Kind::Traversal);
        if nodes.is_empty() || !traversals.all(is_variable) || self.meter.exhausted().is_some() {
            return Value::dynamic();
        }
        let meter = Meter::new(Budget::new(STEPS, STEPS * 8));
        let scope = Scope::new()
            .with_variables(self.entries)
            .with_functions(self.functions)
            .with_short_circuits();
        let program = LentProgram { nodes, ..*program };
        let names = InScope { scope: &scope, objects: None };
        let value = evaluate_for(self.arena, &program, names, &meter, &mut ());
        let _ = self.meter.spend(STEPS - meter.rest().steps());
        value
    }

    fn defined(&self, _: &[Step<'a>], _: u32, _: &Question) -> Shape {
        Shape::hole()
    }
}
