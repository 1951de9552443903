//! The answer of `affected`, whatever the format is.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use simd_hcl::Position;
use simd_hcl::impact::{AffectedModule, Reason};

use crate::excerpt::Range;
use crate::incomplete::Incomplete;

#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) format_version: &'static str,
    pub(super) modules: Vec<Module>,
    /// Modules of the revision that no longer exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) removed: Vec<Removed>,
    /// Changed files that nothing depends on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unrelated: Vec<String>,
    pub(super) incomplete: Incomplete,
    /// All root modules, which run if the answer is incomplete.
    #[serde(skip)]
    pub(super) roots: Vec<String>,
    /// The root modules that run before each one.
    #[serde(skip)]
    pub(super) order: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Serialize)]
pub(super) struct Module {
    pub(super) path: String,
    pub(super) root: bool,
    pub(super) because: Vec<Step>,
    /// The objects that differ from the revision, in a module with changed files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) objects: Vec<Object>,
}

#[derive(Clone, Serialize)]
pub(super) struct Removed {
    pub(super) path: String,
    pub(super) root: bool,
}

impl Removed {
    /// Adds a root module, or marks a known module as one.
    pub(super) fn add_root(removed: &mut Vec<Self>, path: String) {
        match removed.iter_mut().find(|it| it.path == path) {
            Some(known) => known.root = true,
            None => removed.push(Self { path, root: true }),
        }
    }
}

#[derive(Clone, Serialize)]
pub(super) struct Object {
    pub(super) address: String,
    pub(super) action: &'static str,
}

/// One step on the shortest path from a changed file to the module.
#[derive(Clone, Serialize)]
pub(super) struct Step {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    pub(super) module: String,
    /// In the first step: the whole path, with its places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) via: Vec<Via>,
}

/// One step with its place.
#[derive(Clone, Serialize)]
pub(super) struct Via {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    pub(super) module: String,
    pub(super) range: Place,
}

/// A place in a configuration file, or the start of a changed file.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Place {
    Range(Range),
    Start { filename: String, start: Position, end: Position },
}

impl Place {
    /// The place as people read it: `file:line`.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Range(range) => format!("{}:{}", range.filename, range.start.line),
            Self::Start { filename, .. } => filename.clone(),
        }
    }
}

impl Module {
    pub(super) fn of(module: &AffectedModule<'_>) -> Self {
        Self {
            path: module.path.to_string_lossy().into_owned(),
            root: module.is_root,
            because: Step::all(&module.because),
            objects: Vec::new(),
        }
    }
}

impl Step {
    /// The steps of a reason. The first one has the places of all.
    pub(super) fn all(reasons: &[Reason<'_>]) -> Vec<Self> {
        let mut steps: Vec<Self> = reasons.iter().map(Self::of).collect();
        if let Some(first) = steps.first_mut() {
            first.via = reasons.iter().map(Via::of).collect();
        }
        steps
    }

    fn of(reason: &Reason<'_>) -> Self {
        Self {
            file: reason.file.as_ref().map(|file| file.to_string_lossy().into_owned()),
            address: reason.address(),
            module: reason.module.to_string_lossy().into_owned(),
            via: Vec::new(),
        }
    }
}

impl Via {
    fn of(reason: &Reason<'_>) -> Self {
        let module = reason.module.to_string_lossy().into_owned();
        let range = match reason.label {
            Some(label) => Place::Range(Range::of(label.source, label.span)),
            None => {
                let file = reason.file.as_ref().map(|file| file.to_string_lossy().into_owned());
                let start = Position { line: 1, column: 1, byte: 0 };
                Place::Start { filename: file.unwrap_or_else(|| module.clone()), start, end: start }
            }
        };
        Self { address: reason.address(), module, range }
    }
}

impl Answer {
    /// The paths that a pipeline runs, and whether each is affected for certain. If the answer is
    /// incomplete, all root modules are among them, and at least one entry.
    pub(super) fn to_run(&self, only_roots: bool) -> Vec<(&str, bool)> {
        let modules = self.modules.iter().filter(|module| module.root || !only_roots);
        let mut all: Vec<(&str, bool)> = modules.map(|module| (&*module.path, true)).collect();
        if !self.incomplete.is_empty() {
            let known: HashSet<&str> = all.iter().map(|(path, _)| *path).collect();
            let others = self.roots.iter().filter(|root| !known.contains(root.as_str()));
            all.extend(others.map(|root| (root.as_str(), false)));
            all.sort_unstable();
            if all.is_empty() {
                all.push((".", false));
            }
        }
        all
    }
}
