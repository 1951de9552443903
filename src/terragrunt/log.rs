//! The files that an evaluation reads, and its problems.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::diagnostic::Diagnostic;

/// A configuration that `read_terragrunt_config` needs and that has not been evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Request {
    /// The file.
    pub(super) path: String,
    /// The configuration whose evaluation it is part of, if its value depends on that.
    pub(super) original: Option<String>,
}

/// Why a part of an answer is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    pub(super) what: &'static str,
    pub(super) why: String,
    /// The text that is shown instead if the expression is made of what must not be shown.
    pub(super) instead: Option<Instead>,
}

/// A text without values, for an expression at a place: the name of its file, and a byte in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instead {
    pub(super) file: String,
    pub(super) at: u32,
    text: String,
}

impl Problem {
    /// The text to show. `hides` tells whether the expression at a place is made of what must not be
    /// shown.
    pub(super) fn text(&self, hides: impl FnOnce(&str, u32) -> bool) -> &str {
        match &self.instead {
            Some(Instead { file, at, text }) if hides(file, *at) => text,
            _ => &self.why,
        }
    }
}

/// Files that decide about a result although they need not exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Watched {
    /// The files of modules in a folder and below.
    Folder(String),
    /// The files that a pattern of Terragrunt matches.
    Pattern(String),
    /// The files that a pattern of `fileset` matches, which starts at a folder.
    Set(String, String),
}

/// A name in a file that leads to another configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lead {
    /// The configuration that is evaluated: that of a unit, or one that it reads.
    pub(crate) config: String,
    /// The file that has the name: the configuration, or one that it includes.
    pub(crate) file: String,
    pub(crate) name: String,
    pub(crate) to: LeadTo,
}

/// Where a name leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum LeadTo {
    /// A `dependency` block leads to the unit in this folder; `None` if it is not known.
    Unit(Option<String>),
    /// A local value is the configuration in this file.
    Configuration(String),
}

/// The files that an evaluation reads, and its problems.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// The files that Terragrunt tracks.
    pub(super) tracked: BTreeSet<String>,
    /// Other files that decide the result.
    pub(super) also: BTreeSet<String>,
    /// Files that do not exist, and would be read otherwise.
    pub(super) looked_for: BTreeSet<String>,
    /// Paths that decide the result as soon as they exist.
    pub(super) watched: BTreeSet<Watched>,
    /// The folders of dependencies whose mocks are used and of which it is not known yet which outputs
    /// are sensitive.
    pub(super) mocked: BTreeSet<String>,
    /// The folders of the dependencies whose outputs are used, also by configurations that are read.
    pub(super) needed: BTreeSet<String>,
    /// Where names lead, also in configurations that are read.
    pub(super) leads: BTreeSet<Lead>,
    /// Whether the result depends on the configuration that was evaluated first.
    pub(super) is_relative: bool,
    /// Configurations that have to be evaluated first.
    pub(super) wanted: Vec<Request>,
    pub(super) problems: BTreeSet<Problem>,
    /// Whether what is read is not tracked, since it is not evaluated to list units.
    pub(super) is_late: bool,
}

/// Places of expressions that problems are about, and whether their values must not be told.
#[derive(Debug, Default)]
pub(super) struct Places {
    all: BTreeMap<(String, u32), bool>,
}

/// The most places that each unit is asked about. Values of more are not told.
const MOST_PLACES: usize = 1_000;

impl Places {
    /// Adds the place of a problem.
    pub(super) fn add(&mut self, problem: &Problem, is_hidden: bool) {
        let is_hidden = is_hidden || self.all.len() >= MOST_PLACES;
        if let Some(Instead { file, at, .. }) = &problem.instead {
            *self.all.entry((file.clone(), *at)).or_default() |= is_hidden;
        }
    }

    /// Has the values at the places not be told that a unit hides.
    pub(super) fn hide(&mut self, touches: impl Fn(&str, u32) -> bool) {
        for ((file, at), is_hidden) in self.all.iter_mut().filter(|(_, is_hidden)| !**is_hidden) {
            *is_hidden = touches(file, *at);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether the values at a place must not be told.
    pub(super) fn hides(&self, file: &str, at: u32) -> bool {
        self.all.get(&(file.to_owned(), at)).copied().unwrap_or_default()
    }
}

/// A log of one evaluation.
#[derive(Debug, Default)]
pub(super) struct Log {
    reads: Mutex<Reads>,
}

impl Reads {
    /// Whether a problem quotes values.
    pub(super) fn quotes(&self) -> bool {
        self.problems.iter().any(|problem| problem.instead.is_some())
    }

    /// Returns the reads that are repeated: local values that an evaluation keeps are not read again.
    pub(super) fn kept(self) -> Self {
        let Self { tracked, also, looked_for, watched, mocked, needed, .. } = self;
        let Self { leads, is_relative, .. } = self;
        let none = Self::default();
        Self { tracked, also, looked_for, watched, mocked, needed, leads, is_relative, ..none }
    }
}

impl Log {
    /// A log that continues another one.
    pub(super) fn of(reads: Reads) -> Self {
        Self { reads: Mutex::new(reads) }
    }

    pub(super) fn get(&self) -> MutexGuard<'_, Reads> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn into_reads(self) -> Reads {
        self.reads.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file that Terragrunt tracks.
    pub(super) fn track(&self, path: String) {
        let mut reads = self.get();
        match reads.is_late {
            true => reads.also.insert(path),
            false => reads.tracked.insert(path),
        };
    }

    /// Adds another file that decides the result.
    pub(super) fn also(&self, path: String) {
        self.get().also.insert(path);
    }

    /// Adds files that decide the result if they exist.
    pub(super) fn look_for(&self, paths: impl IntoIterator<Item = String>) {
        self.get().looked_for.extend(paths);
    }

    /// Adds a folder that is read as a module.
    pub(super) fn folder(&self, path: String, files: &[String]) {
        let mut reads = self.get();
        match reads.is_late {
            true => reads.also.extend(files.iter().cloned()),
            false => reads.tracked.extend(files.iter().cloned()),
        }
        reads.watched.insert(Watched::Folder(path));
    }

    /// Adds another log.
    pub(super) fn append(&self, other: Reads) {
        let mut reads = self.get();
        reads.tracked.extend(other.tracked);
        reads.also.extend(other.also);
        reads.looked_for.extend(other.looked_for);
        reads.watched.extend(other.watched);
        reads.mocked.extend(other.mocked);
        reads.needed.extend(other.needed);
        reads.leads.extend(other.leads);
        reads.problems.extend(other.problems);
        reads.is_relative |= other.is_relative;
    }

    pub(super) fn problem(&self, what: &'static str, why: impl Into<String>) {
        self.get().problems.insert(Problem { what, why: why.into(), instead: None });
    }

    /// Adds a finding about what is written as a problem.
    pub(super) fn finding(&self, what: &'static str, diagnostic: &Diagnostic<'_>) {
        self.problem(what, sentence(diagnostic, &detail_of(diagnostic)));
    }

    /// Adds a finding about values as a problem.
    pub(super) fn error(&self, what: &'static str, diagnostic: &Diagnostic<'_>) {
        let file = diagnostic.source().name().to_owned();
        let text = sentence(diagnostic, diagnostic.summary());
        let instead = Some(Instead { file, at: diagnostic.span().start, text });
        let why = sentence(diagnostic, &detail_of(diagnostic));
        self.get().problems.insert(Problem { what, why, instead });
    }

    /// Runs `work` for parts that Terragrunt does not evaluate to list units.
    pub(super) fn late<T>(&self, is_late: bool, work: impl FnOnce() -> T) -> T {
        let was = std::mem::replace(&mut self.get().is_late, is_late);
        let is_late = was || is_late;
        self.get().is_late = is_late;
        let result = work();
        self.get().is_late = was;
        result
    }
}

fn detail_of(diagnostic: &Diagnostic<'_>) -> String {
    Some(diagnostic.detail())
        .filter(|detail| !detail.is_empty())
        .unwrap_or_else(|| diagnostic.summary().to_owned())
}

/// The place of a finding, and a text about it.
fn sentence(diagnostic: &Diagnostic<'_>, text: &str) -> String {
    let at = diagnostic.source().position(diagnostic.span().start);
    let name = diagnostic.source().name();
    format!("{name}:{}:{}: {}", at.line, at.column, text.trim_end_matches('.'))
}
