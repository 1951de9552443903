//! `--against`: the changes of a plan that an older plan does not have.
//!
//! Each plan is a document, a plan file or an event stream. An event stream has no values: then
//! changes are equal if they do the same to the same object.

use std::collections::HashSet;

use simd_hcl::show::redact::Options;
use simd_hcl::show::{
    ActionKind, Change, EventLog, LoggedChange, Plan, PlanIndex, ResourceChange, Shown,
    is_same_value, rows,
};
use simd_hcl::{Arena, Diagnostic};

use super::change::kind_of_action;
use crate::args::{self, Common};
use crate::incomplete::Incomplete;
use crate::plan_file::Part;
use crate::printed::{Input, Read, read, scrub};
use crate::status::Failure;
use crate::visible;

/// The older plan.
pub(crate) struct Old<'a> {
    name: String,
    /// The changes with their values; `None` for an event stream.
    index: Option<PlanIndex<'a>>,
    does: HashSet<Deed>,
}

/// The action of a change: address of the object, previous address, kind, and whether it is
/// imported.
#[derive(PartialEq, Eq, Hash)]
struct Deed {
    address: String,
    kind: ActionKind,
    previous_address: Option<String>,
    is_import: bool,
}

impl Deed {
    fn of(change: ResourceChange<'_>) -> Self {
        Self {
            address: change.address().value().unwrap_or_default().to_owned(),
            kind: change.actions().kind(),
            previous_address: change.previous_address().value().map(str::to_owned),
            is_import: change.change().value().is_some_and(Change::is_import),
        }
    }

    fn of_logged(change: &LoggedChange) -> Self {
        Self {
            address: change.address.clone(),
            kind: kind_of_action(&change.action),
            previous_address: change.previous_address.clone(),
            is_import: change.is_import,
        }
    }
}

impl<'a> Old<'a> {
    /// Reads the older plan into an arena; returns `None` if none is given. Warnings about it go to
    /// `diagnostics`.
    ///
    /// # Errors The file cannot be read, or is not a plan.
    pub(crate) fn read(
        arena: &'a Arena,
        arguments: &args::Plan,
        common: &Common,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = &arguments.against else { return Ok(None) };
        let input = Input {
            file: path,
            stdin_name: &arguments.selection.stdin_name,
            depth: Plan::DIFF_DEPTH,
            part: Part::Plan,
            schemas: arguments.provider_schemas.as_deref(),
            on_log: None,
        };
        let mut said = Vec::new();
        let name = visible::path(path);
        let (index, does) = match read(arena, input, common, &mut said)? {
            Read::Log(text) => {
                let mut log = EventLog::new();
                log.read_all(text.bytes());
                (None, log.changes().iter().map(Deed::of_logged).collect())
            }
            Read::Document(document) => match Plan::of(document, &mut said) {
                Some(plan) => {
                    let index = PlanIndex::new(plan, &mut said);
                    let does = index.changes().iter().copied().map(Deed::of).collect();
                    if !said.is_empty() && !arguments.selection.show_sensitive {
                        let shown = Shown::of_plan(plan, Options::default().with_threads(0));
                        scrub(&mut said, &shown, arena);
                    }
                    (Some(index), does)
                }
                None => return Err(refused(&name, &said)),
            },
            Read::Nothing => return Err(refused(&name, &said)),
        };
        diagnostics.append(&mut said);
        Ok(Some(Self { name, index, does }))
    }

    /// Keeps the changes that the older plan does not have.
    pub(super) fn retain_new(&self, changes: &mut Vec<rows::Change<'a>>) {
        changes.retain(|change| !change.is_quiet() && !self.has(change.entry()));
    }

    /// Returns whether the older plan lacks a change of an event stream.
    pub(crate) fn lacks(&self, change: &LoggedChange) -> bool {
        !self.does.contains(&Deed::of_logged(change))
    }

    /// Returns the parts that are not compared.
    pub(crate) fn gaps(&self, is_log: bool) -> Incomplete {
        let mut gaps = Incomplete::default();
        if is_log || self.index.is_none() {
            let why = "an event stream has no values, so only the objects and actions are compared";
            gaps.add("against", self.name.as_str(), why);
        }
        gaps
    }

    /// Returns whether the older plan has the same change.
    fn has(&self, change: ResourceChange<'a>) -> bool {
        let Some(index) = &self.index else { return self.does.contains(&Deed::of(change)) };
        let address = change.address().value().unwrap_or_default();
        let Some(old) = index.change(address, change.deposed().value()) else { return false };
        let side = |change: ResourceChange<'a>, name| change.change().value()?.object().get(name);
        old.actions() == change.actions()
            && Deed::of(old) == Deed::of(change)
            && ["before", "after", "after_unknown"].into_iter().all(|name| {
                match (side(old, name), side(change, name)) {
                    (Some(old), Some(new)) => old.text() == new.text() || is_same_value(old, new),
                    (old, new) => old.is_some() == new.is_some(),
                }
            })
    }
}

/// Returns the reason why the older plan cannot be used.
fn refused(name: &str, said: &[Diagnostic<'_>]) -> Failure {
    let text = match said.last() {
        Some(diagnostic) => visible::visible(&diagnostic.to_string()).into_owned(),
        None => format!("{name}: this is not a plan"),
    };
    Failure::Message(text)
}
