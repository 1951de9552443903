//! `overview`: a repository on one screen, in one JSON document, or as a page.
//!
//! It checks everything as `check` does without flags, and counts: [`answer`]. A file for each format
//! writes the result: [`human`], [`html`].

mod answer;
mod html;
mod human;
mod next;

use crate::args::{self, Check, Common, Format, ListFormat, OverviewFormat};
use crate::check::examine;
use crate::finding::Policy;
use crate::locks;
use crate::output;
use crate::settings::Settings;
use crate::status::{Failure, Status};

use self::answer::Answer;
use self::next::Next;

pub(crate) fn run(overview: &args::Overview, common: &Common) -> Result<Status, Failure> {
    let paths = &overview.configuration.paths;
    let settings = Settings::of(paths, common)?;
    let mut check = Check::of(overview.configuration.clone());
    settings.complete(&mut check);
    // All findings count, those of the baseline, too.
    check.baseline = None;
    let policy = Policy { settings: Some(&settings), ..Policy::default() };
    let (status, stats) = examine(&check, policy, common, &mut |found| {
        let mut incomplete = found.incomplete;
        // The findings that say why are not all printed.
        incomplete.add_tree(found.tree);
        incomplete.add_unread(found.tree);
        found.notes.iter().for_each(|note| common.note(note));
        let locked = locks::of_tree(found.tree, common, &mut incomplete);
        let answer = Answer::of(found.tree, found.units, (&found.findings, locked), incomplete)?;
        let next = Next::of(&answer, &found.findings, (paths, settings.directory().is_some()))?;
        match overview.format {
            OverviewFormat::Human => human::print(&answer, &next, paths)?,
            OverviewFormat::Json => output::value(Format::Json, common.style(), &answer)?,
            OverviewFormat::Ndjson => output::value(Format::Ndjson, common.style(), &answer)?,
            OverviewFormat::Html => {
                let (facts, page) = (
                    (found.tree, &found.findings),
                    (&*human::title(paths), overview.link.as_ref()),
                );
                html::print(&answer, &next, facts, page)?;
            }
        }
        let carrier = match overview.format {
            OverviewFormat::Json | OverviewFormat::Ndjson => ListFormat::Json,
            OverviewFormat::Human | OverviewFormat::Html => ListFormat::Human,
        };
        // The text has them already.
        if overview.format != OverviewFormat::Human {
            answer.incomplete.print(carrier, common);
        }
        Ok(found.status.max(answer.incomplete.failure(overview.fail_if_incomplete)))
    })?;
    stats.print(common);
    Ok(status)
}
