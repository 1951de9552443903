//! What could not be read, resolved or known. It is part of every answer about a tree, in every
//! format, so that an empty answer means that there is nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use simd_hcl::Severity;
use simd_hcl::directory::{Discovery, ProblemKind};
use simd_hcl::module::ModuleCall;
use simd_hcl::tree::{Link, Origin, Tree, TreeModule, UnknownPlace};
use simd_hcl::{Code, Diagnostic, Source};

use crate::args::{Common, ListFormat};
use crate::status::Status;
use crate::visible::visible;

/// For people this many places of a gap are named.
const SHOWN_PLACES: usize = 3;

/// The gaps of an answer. Printed as a list of `{"what", "where", "why"}`: the kind of the gap, the
/// paths or addresses where it is, and one reason that holds for all of these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incomplete {
    gaps: BTreeMap<(&'static str, String), BTreeSet<String>>,
}

/// One gap.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Gap<'g> {
    pub(crate) what: &'static str,
    #[serde(rename = "where")]
    pub(crate) places: &'g BTreeSet<String>,
    pub(crate) why: &'g str,
}

/// Why a file is not decoded, or a directory not listed: if it cannot be read, what the operating
/// system says.
pub(crate) fn reason(diagnostic: &Diagnostic<'_>) -> String {
    match diagnostic.code() {
        Code::UnreadableFile | Code::UnreadableDirectory => {
            diagnostic.detail().trim_end_matches('.').to_owned()
        }
        _ => diagnostic.summary().to_owned(),
    }
}

/// Why the directory of a call cannot be listed, if so.
fn unreadable_directory(module: &TreeModule<'_>, call: &ModuleCall<'_>) -> Option<String> {
    let place = call.source?.expression().label();
    let is_it = |it: &&Diagnostic<'_>| {
        it.code() == Code::UnreadableDirectory
            && (it.source().id(), it.span()) == (place.source.id(), place.span)
    };
    module.diagnostics.iter().find(is_it).map(reason)
}

impl Incomplete {
    /// The kind of gap whose places are addresses, not paths.
    pub(crate) const MODULE_CALL: &'static str = "module-call";

    /// Adds a place to the gap of that kind and reason.
    pub(crate) fn add(
        &mut self,
        what: &'static str,
        place: impl Into<String>,
        why: impl Into<String>,
    ) {
        self.gaps.entry((what, why.into())).or_default().insert(place.into());
    }

    /// Adds all gaps of another answer.
    pub(crate) fn append(&mut self, other: Self) {
        for (gap, places) in other.gaps {
            self.gaps.entry(gap).or_default().extend(places);
        }
    }

    /// The same with other names of places.
    pub(crate) fn with_places(self, name: impl Fn(&str) -> String) -> Self {
        let named = |places: BTreeSet<String>| places.iter().map(|place| name(place)).collect();
        Self { gaps: self.gaps.into_iter().map(|(gap, places)| (gap, named(places))).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.gaps.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Gap<'_>> {
        self.gaps.iter().map(|((what, why), places)| Gap { what, places, why })
    }

    /// What was not found, and paths below which there is nothing to read.
    pub(crate) fn of_discovery(discovery: &Discovery) -> Self {
        let mut incomplete = Self::default();
        for problem in &discovery.problems {
            let what = match problem.kind {
                ProblemKind::UnreadableDirectory => "directory",
                _ => "path",
            };
            incomplete.add(what, problem.path.to_string_lossy(), &problem.message);
        }
        for (path, nothing) in &discovery.nothing {
            // An empty directory beside others is complete.
            let says_itself = nothing.entries == 0 && nothing.skipped_directories == 0;
            if !says_itself || discovery.modules.is_empty() {
                let why = format!("nothing to read ({nothing})");
                incomplete.add("path", path.to_string_lossy(), why);
            }
        }
        incomplete
    }

    /// How a command ends that reads what was found: it could not run if a path is missing, or if
    /// there is nothing to read.
    pub(crate) fn status(discovery: &Discovery) -> Status {
        match discovery.modules.is_empty() {
            true => Status::CouldNotRun,
            false => {
                let mut problems = discovery.problems.iter();
                match problems.any(|it| it.kind == ProblemKind::Missing) {
                    true => Status::CouldNotRun,
                    false if !discovery.problems.is_empty() => Status::Found,
                    false => Status::Clean,
                }
            }
        }
    }

    /// What is not known of the modules of a tree, those included that were not asked for, but are
    /// called.
    pub(crate) fn add_tree(&mut self, tree: &Tree<'_>) {
        for module in tree.modules() {
            self.add_undecoded(&module.undecoded, &module.diagnostics);
        }
        for template in tree.templates() {
            self.add_undecoded(&template.undecoded, &template.diagnostics);
        }
    }

    /// The same for an answer that has diagnostics: these say of the modules that were asked for
    /// which files could not be decoded.
    pub(crate) fn add_tree_of_findings(&mut self, tree: &Tree<'_>) {
        for module in tree.modules() {
            if module.origin != Origin::Given || !module.files.asked_for().is_all() {
                self.add_undecoded(&module.undecoded, &module.diagnostics);
            }
        }
        for template in tree.templates().iter().filter(|it| !it.files.asked_for().is_all()) {
            self.add_undecoded(&template.undecoded, &template.diagnostics);
        }
    }

    /// The module calls that lead to nothing that is known.
    pub(crate) fn add_calls(&mut self, tree: &Tree<'_>) {
        for module in tree.modules() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                let why = match link {
                    Link::Module(_) => continue,
                    Link::Missing => "the called directory does not exist".to_owned(),
                    Link::Remote => "the called module is not installed".to_owned(),
                    _ => match unreadable_directory(module, call) {
                        Some(reason) => format!("the called module is not read ({reason})"),
                        None => "the called module is not read".to_owned(),
                    },
                };
                let path = module.files.path.to_string_lossy();
                self.add(Self::MODULE_CALL, format!("{path}:module.{}", call.name), why);
            }
        }
    }

    /// The paths of which the operating system does not say where they are.
    pub(crate) fn add_places(&mut self, unknown: &[UnknownPlace]) {
        for place in unknown {
            self.add("path", place.path.to_string_lossy(), &place.message);
        }
    }

    /// A file that could not be read, or has a syntax error, and which.
    pub(crate) fn add_file(&mut self, name: &str, reason: &str) {
        self.add("file", name, format!("not decoded ({reason})"));
    }

    /// Files that could not be read, or have a syntax error.
    fn add_undecoded(&mut self, undecoded: &[Source<'_>], diagnostics: &[Diagnostic<'_>]) {
        for source in undecoded {
            let is_reason = |it: &&Diagnostic<'_>| {
                it.source().id() == source.id() && it.severity() == Severity::Error
            };
            let reason = diagnostics.iter().find(is_reason).map(reason).unwrap_or_default();
            self.add_file(source.name(), &reason);
        }
    }

    /// Says on standard error what is missing, a line for each gap: with `--quiet` only if the
    /// format has no place for it.
    pub(crate) fn print(&self, format: ListFormat, common: &Common) {
        let is_in_data = matches!(format, ListFormat::Json | ListFormat::Ndjson);
        if common.quiet && is_in_data {
            return;
        }
        for gap in self.iter() {
            anstream::eprintln!("incomplete: {gap}");
        }
    }
}

impl fmt::Display for Gap<'_> {
    /// Some places, and the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, place) in self.places.iter().take(SHOWN_PLACES).enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{}", visible(place))?;
        }
        match self.places.len().saturating_sub(SHOWN_PLACES) {
            0 => {}
            more => write!(f, " and {more} more")?,
        }
        write!(f, ": {}", visible(self.why))
    }
}

impl Serialize for Incomplete {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.gaps.len()))?;
        for gap in self.iter() {
            list.serialize_element(&gap)?;
        }
        list.end()
    }
}
