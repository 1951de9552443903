//! A plan as comma-separated values: a record for each change, or for each of its leaves.

use std::io::{self, Write};

use simd_hcl::Diagnostic;
use simd_hcl::show::{Action, Content, Leaf, ResourceChange, Shown};
use simd_hcl::write::{Layout, to_string};

use super::change::instance;
use super::report::{Changed, Report, line_of};
use super::source::Source;
use crate::args;
use crate::output::{self, Csv};
use crate::values::Instance;

/// The columns of a change before those of its instance.
const ADDRESSES: [&str; 3] = ["address", "previous_address", "module_address"];
/// The columns of a change after those of its instance.
const CHANGE: [&str; 4] = ["provider_name", "actions", "action_reason", "importing"];

/// Writes the names of the columns.
pub(super) fn write_header(
    arguments: &args::Plan,
    has_sources: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of_change: &[&str] = match arguments.diff || arguments.values {
        true => &["path", "before", "after", "unknown", "sensitive", "forces_replacement"],
        false => &["changed", "forces_replacement"],
    };
    let of_source: &[&str] = if has_sources { &["source"] } else { &[] };
    let columns = ADDRESSES.iter().chain(&Instance::COLUMNS).chain(&CHANGE);
    let mut text = Vec::new();
    Csv::new(&mut text).record(columns.chain(of_source).chain(of_change));
    out.write_all(&text)
}

impl<'a> Report<'_, 'a> {
    pub(super) fn write_csv(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        output::data(|out| {
            write_header(self.arguments, self.sources.is_some(), out)?;
            self.write_rows(out, diagnostics)
        })
    }

    /// Writes the records of the changes.
    pub(super) fn write_rows(
        &self,
        out: &mut dyn Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        let has_leaves = self.arguments.diff || self.arguments.values;
        let mut text = Vec::new();
        for change in &self.changes {
            let mut csv = Csv::new(&mut text);
            match has_leaves {
                true => self.record_leaves(&mut csv, *change, diagnostics),
                false => self.record(&mut csv, *change, diagnostics),
            }
            out.write_all(&text)?;
            text.clear();
        }
        Ok(())
    }

    fn record_leaves(
        &self,
        csv: &mut Csv<'_>,
        entry: ResourceChange<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let Some(change) = entry.change().value() else { return };
        let mut cells = self.cells(entry);
        let own = cells.len();
        let mut leaves = self.leaves(change, entry.address().value().unwrap_or_default());
        while let Some(leaf) = leaves.next() {
            let is_hidden = self.shown.hides(&leaf);
            let side = |leaf: &Leaf<'_>| match leaf.content {
                Content::Known(node) if !is_hidden => {
                    to_string(Layout::Compact, |slot| slot.node(node))
                }
                Content::Null if !is_hidden => "null".to_owned(),
                _ => String::new(),
            };
            let is_unknown =
                matches!(leaf.after.content, Content::Unknown) || leaf.after.is_partly_unknown;
            cells.truncate(own);
            cells.extend([self.shown.path(leaves.path()), side(&leaf.before), side(&leaf.after)]);
            let is_sensitive = leaf.is_sensitive() || is_hidden;
            let flags = [is_unknown, is_sensitive, leaf.forces_replacement];
            cells.extend(flags.map(|flag| flag.to_string()));
            csv.record(&cells);
        }
        diagnostics.extend_from_slice(leaves.misfits());
    }

    fn record(
        &self,
        csv: &mut Csv<'_>,
        entry: ResourceChange<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let mut cells = self.cells(entry);
        let address = entry.address().value().unwrap_or_default();
        let changed = entry
            .change()
            .value()
            .map(|change| Changed::of(change, address, usize::MAX, self.shown, diagnostics));
        let paths: Vec<&str> =
            changed.iter().flat_map(Changed::iter).map(|(path, _)| path).collect();
        let forced: Vec<&str> = changed.iter().flat_map(Changed::forced).collect();
        cells.extend([paths, forced].map(|paths| paths.join(" ")));
        csv.record(&cells);
    }

    fn cells(&self, entry: ResourceChange<'a>) -> Vec<String> {
        let mut cells = cells(entry, self.shown);
        if let Some(sources) = self.sources {
            cells.push(match sources.of(entry) {
                Source::Declared((range, _)) => line_of(&range),
                Source::Nowhere | Source::Unknown(..) => String::new(),
            });
        }
        cells
    }
}

/// Returns the cells of a change, without its values.
fn cells(entry: ResourceChange<'_>, shown: &Shown) -> Vec<String> {
    let change = entry.change().value();
    let of = entry.object().node();
    let importing = change.filter(|change| change.is_import()).map_or_else(String::new, |change| {
        let id = change.importing().value().and_then(|importing| importing.id().value());
        shown.text(of, id.unwrap_or("true")).into_owned()
    });
    let actions: Vec<&str> = entry.actions().iter().map(Action::name).collect();
    let text = |text: Option<&str>| shown.name(of, text.unwrap_or_default()).into_owned();
    let reason = entry.action_reason().value();
    let mut cells = vec![
        text(entry.address().value()),
        text(entry.previous_address().value()),
        text(entry.module_address().value()),
    ];
    cells.extend(instance(entry, shown).cells());
    cells.extend([
        text(entry.provider_name().value()),
        actions.join(" "),
        reason.map_or("", |reason| reason.name()).to_owned(),
        importing,
    ]);
    cells
}
