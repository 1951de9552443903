//! Gaps of an answer: what could not be read, resolved or known. Every format prints them, so that
//! an empty answer means that there is nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use simd_hcl::Severity;
use simd_hcl::dialect::List;
use simd_hcl::directory::{Discovery, ProblemKind};
use simd_hcl::impact::UnknownPlace;
use simd_hcl::module::ModuleCall;
use simd_hcl::tree::{Link, Origin, Tree, TreeModule};
use simd_hcl::write::ArrayWriter;
use simd_hcl::{Code, Diagnostic, Source};

use crate::args::{Common, ListFormat};
use crate::finding::Finding;
use crate::status::Status;
use crate::visible::visible;

/// The number of places of a gap that are named for people.
const SHOWN_PLACES: usize = 3;

/// The gaps of an answer, printed as a list of `{"what", "where", "why"}`: the kind of the gap, its
/// paths or addresses, and the reason, which is the same for all of them.
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

/// Writes gaps, one element for each place.
pub(crate) fn write_gaps(list: &mut ArrayWriter<'_, '_>, gaps: &Incomplete) {
    for gap in gaps.iter() {
        for place in gap.places {
            let mut out = list.element().object();
            out.key("what").string(gap.what);
            out.key("where").string(place);
            out.key("why").string(gap.why);
        }
    }
}

/// Writes gaps, one element for those that differ only in their places, as `serde` writes them.
pub(crate) fn write_grouped(list: &mut ArrayWriter<'_, '_>, gaps: &Incomplete) {
    for gap in gaps.iter() {
        let mut object = list.element().object();
        object.key("what").string(gap.what);
        let mut places = object.key("where").array();
        gap.places.iter().for_each(|place| places.element().string(place));
        places.end();
        object.key("why").string(gap.why);
    }
}

/// Returns why a file is not decoded or a directory not listed. If it cannot be read, this is the
/// message of the operating system.
pub(crate) fn reason(diagnostic: &Diagnostic<'_>) -> String {
    match diagnostic.code() {
        Code::UnreadableFile | Code::UnreadableDirectory | Code::LinkOutside => {
            diagnostic.detail().trim_end_matches('.').to_owned()
        }
        _ => diagnostic.summary().to_owned(),
    }
}

/// Does the same for a finding.
pub(crate) fn reason_of(finding: &Finding) -> String {
    let codes = [Code::UnreadableFile, Code::UnreadableDirectory, Code::LinkOutside];
    match codes.iter().any(|code| code.as_str() == finding.code) {
        true => finding.detail.trim_end_matches('.').to_owned(),
        false => finding.summary.clone().into_owned(),
    }
}

/// Returns a path as files below it are named: without `./`, and without a last `/`.
fn as_shown(path: &str) -> &str {
    let plain = path.trim_end_matches('/');
    match plain.strip_prefix("./").unwrap_or(plain) {
        "" if path.starts_with('/') => "/",
        "" => ".",
        plain => plain,
    }
}

/// Whether a file with this error is not decoded, or not as a whole.
fn is_undecodable(code: Code) -> bool {
    code.topic() == "Files" || code.is_syntax_error()
}

/// Returns why the directory of a call cannot be listed; `None` if it can.
fn unreadable_directory(module: &TreeModule<'_>, call: &ModuleCall<'_>) -> Option<String> {
    let place = call.source?.expression().label();
    let is_it = |it: &&Diagnostic<'_>| {
        matches!(it.code(), Code::UnreadableDirectory | Code::LinkOutside)
            && (it.source().id(), it.span()) == (place.source.id(), place.span)
    };
    module.diagnostics.iter().find(is_it).map(reason)
}

impl Incomplete {
    /// Adds unread files that belong to no module, such as lists of installed modules: for answers that
    /// do not print the messages of findings.
    pub(crate) fn add_unread(&mut self, tree: &Tree<'_>) {
        for it in tree.modules().iter().flat_map(|module| &module.diagnostics) {
            let is_unread = matches!(it.code(), Code::UnreadableFile | Code::LinkOutside);
            if is_unread && it.source().bytes().is_empty() {
                self.add_file(it.source().name(), &reason(it));
            }
        }
    }

    /// The kind of gap whose places are addresses instead of paths.
    pub(crate) const MODULE_CALL: &'static str = "module-call";

    /// Adds a place to the gap with this kind and reason.
    pub(crate) fn add(
        &mut self,
        what: &'static str,
        place: impl Into<String>,
        why: impl Into<String>,
    ) {
        self.gaps.entry((what, why.into())).or_default().insert(place.into());
    }

    /// Whether there is a gap with this kind and reason.
    pub(crate) fn has(&self, what: &'static str, why: &str) -> bool {
        self.gaps.keys().any(|(known, reason)| *known == what && reason == why)
    }

    /// Adds all gaps of another answer.
    pub(crate) fn append(&mut self, other: Self) {
        for (gap, places) in other.gaps {
            self.gaps.entry(gap).or_default().extend(places);
        }
    }

    /// Returns the status of a command that was asked to fail because of gaps.
    pub(crate) fn failure(&self, is_asked: bool) -> Status {
        if is_asked && !self.is_empty() { Status::Found } else { Status::Clean }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.gaps.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Gap<'_>> {
        self.gaps.iter().map(|((what, why), places)| Gap { what, places, why })
    }

    /// Returns the paths that were not found, and those without anything to read below them.
    pub(crate) fn of_discovery(discovery: &Discovery) -> Self {
        let mut incomplete = Self::default();
        for problem in &discovery.problems {
            let what = match problem.kind {
                ProblemKind::UnreadableDirectory => "directory",
                ProblemKind::UnreadableIgnoreFile => "ignore-file",
                _ => "path",
            };
            incomplete.add(what, as_shown(&problem.path.to_string_lossy()), &problem.message);
        }
        for (path, nothing) in &discovery.nothing {
            // An empty directory is not a gap if others have modules.
            let says_itself = nothing.entries == 0 && nothing.skipped_directories == 0;
            if !says_itself || discovery.modules.is_empty() {
                let why = format!("nothing to read ({nothing})");
                incomplete.add("path", as_shown(&path.to_string_lossy()), why);
            }
        }
        incomplete
    }

    /// Returns the status of a command that reads these modules: it could not run if a path is
    /// missing, or if there is nothing to read.
    pub(crate) fn status(discovery: &Discovery) -> Status {
        Self::status_with(discovery, false)
    }

    /// Does the same for a command that reads units of Terragrunt, too.
    pub(crate) fn status_with(discovery: &Discovery, has_units: bool) -> Status {
        match discovery.modules.is_empty() && !has_units {
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

    /// Adds the files of a tree that could not be decoded, including those of called modules
    /// outside the given paths.
    pub(crate) fn add_tree(&mut self, tree: &Tree<'_>) {
        self.add_files(tree, |_, _| true);
    }

    /// Does the same without files of variables.
    pub(crate) fn add_tree_without_values(&mut self, tree: &Tree<'_>) {
        self.add_files(tree, |module, source| !module.has_values(source));
    }

    fn add_files(
        &mut self,
        tree: &Tree<'_>,
        is_wanted: impl Fn(&TreeModule<'_>, Source<'_>) -> bool,
    ) {
        for module in tree.modules() {
            let undecoded = module.undecoded.iter().filter(|it| is_wanted(module, **it)).copied();
            self.add_undecoded(&undecoded.collect::<Vec<_>>(), &module.diagnostics);
            for file in &module.files.files {
                if file.kind.list == List::Other {
                    let why = "not part of a module: its block types are unknown";
                    self.add("file", file.path.to_string_lossy(), why);
                }
            }
        }
        for template in tree.templates() {
            self.add_undecoded(&template.undecoded, &template.diagnostics);
        }
    }

    /// Does the same for an answer with diagnostics, which already report the undecoded files of
    /// the requested modules.
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

    /// Adds the module calls whose modules were not read.
    pub(crate) fn add_calls(&mut self, tree: &Tree<'_>) {
        for module in tree.modules() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                let Some(why) = link.missing() else { continue };
                let reason = match link {
                    Link::Unknown => unreadable_directory(module, call),
                    _ => None,
                };
                let why = match reason {
                    Some(reason) => format!("{why} ({reason})"),
                    None => why.to_owned(),
                };
                let path = module.files.path.to_string_lossy();
                self.add(Self::MODULE_CALL, format!("{path}:module.{}", call.name), why);
            }
        }
    }

    /// Adds the paths that the operating system could not resolve.
    pub(crate) fn add_places(&mut self, unknown: &[UnknownPlace]) {
        for place in unknown {
            self.add("path", place.path.to_string_lossy(), &place.message);
        }
    }

    /// Adds a file that could not be read or has a syntax error.
    pub(crate) fn add_file(&mut self, name: &str, reason: &str) {
        self.add("file", name, format!("not decoded ({reason})"));
    }

    /// Adds files that could not be read or have a syntax error.
    fn add_undecoded(&mut self, undecoded: &[Source<'_>], diagnostics: &[Diagnostic<'_>]) {
        for source in undecoded {
            let is_cause = |it: &&Diagnostic<'_>| {
                it.severity() == Severity::Error || is_undecodable(it.code())
            };
            let mut errors =
                diagnostics.iter().filter(|it| it.source().id() == source.id()).filter(is_cause);
            let first = errors.clone().next();
            // Errors in declarations of a file are reported beside its syntax errors, and may come
            // first.
            let cause = errors.find(|it| is_undecodable(it.code())).or(first);
            self.add_file(source.name(), &cause.map(reason).unwrap_or_default());
        }
    }

    /// Prints a line for each gap on standard error; with `--quiet`, only if the format has no
    /// place for gaps.
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
    /// Writes the first places, and the reason.
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
