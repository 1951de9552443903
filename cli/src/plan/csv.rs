//! A plan as comma-separated values: a record for each change, or for each of its leaves.

use std::io::{self, Write};

use simd_hcl::Diagnostic;
use simd_hcl::show::rows::Change;

use super::change::{Changed, View, line_of};
use super::report::Report;
use super::source::Source;
use crate::output::{self, Csv};
use crate::rows;

/// The columns of a change.
const COLUMNS: [&str; 11] = [
    "address",
    "previous_address",
    "module_address",
    "mode",
    "type",
    "name",
    "index",
    "deposed",
    "provider_name",
    "actions",
    "action_reason",
];
/// The columns of a leaf.
const LEAF: [&str; 6] = ["path", "before", "after", "unknown", "sensitive", "forces_replacement"];

/// Writes the names of the columns.
pub(super) fn write_header(view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let of_change: &[&str] = match view.has_leaves() {
        true => &LEAF,
        false => &["changed", "forces_replacement"],
    };
    let of_source: &[&str] = if view.sources.is_some() { &["source"] } else { &[] };
    let columns = COLUMNS.iter().chain(&["importing"]);
    let mut text = Vec::new();
    Csv::new(&mut text, view.style).record(columns.chain(of_source).chain(of_change));
    out.write_all(&text)
}

impl<'a> Report<'_, 'a> {
    pub(super) fn write_csv(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        output::data(|out| {
            write_header(self.view, out)?;
            self.view.write_rows(&self.changes, out, diagnostics)
        })
    }
}

impl View<'_> {
    /// Writes the records of changes.
    pub(super) fn write_rows<'a>(
        &self,
        changes: &[Change<'a>],
        out: &mut dyn Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        let mut text = Vec::new();
        for change in changes {
            let mut csv = Csv::new(&mut text, self.style);
            match self.has_leaves() {
                true => self.record_leaves(&mut csv, *change, diagnostics),
                false => self.record(&mut csv, *change, diagnostics),
            }
            out.write_all(&text)?;
            text.clear();
        }
        Ok(())
    }

    fn record_leaves<'a>(
        &self,
        csv: &mut Csv<'_>,
        change: Change<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let Some(mut leaves) = self.leaves(change) else { return };
        let mut cells = self.cells(change);
        let own = cells.len();
        while let Some(leaf) = leaves.next_row(change.entry().object().node()) {
            cells.truncate(own);
            cells.extend(rows::cells(leaf, &LEAF, self.shown));
            csv.record(&cells);
        }
        diagnostics.extend_from_slice(leaves.misfits());
    }

    fn record<'a>(
        &self,
        csv: &mut Csv<'_>,
        change: Change<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) {
        let mut cells = self.cells(change);
        let changed = Changed::of(change, usize::MAX, self.shown, diagnostics);
        let paths: Vec<&str> =
            changed.iter().flat_map(Changed::iter).map(|(path, _)| path).collect();
        let forced: Vec<&str> = changed.iter().flat_map(Changed::forced).collect();
        cells.extend([paths, forced].map(|paths| paths.join(" ")));
        csv.record(&cells);
    }

    fn cells(&self, change: Change<'_>) -> Vec<String> {
        let mut cells: Vec<String> = rows::cells(change, &COLUMNS, self.shown).collect();
        cells.push(match change.import_id(self.shown) {
            Some(id) => id.into_owned(),
            None if change.is_import(self.shown) => "true".to_owned(),
            None => String::new(),
        });
        if let Some(sources) = self.sources {
            cells.push(match sources.of(change.entry()) {
                Source::Declared((range, _)) => line_of(&range),
                Source::Nowhere | Source::Unknown(..) => String::new(),
            });
        }
        cells
    }
}
