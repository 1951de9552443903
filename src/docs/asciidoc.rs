//! The formatter `asciidoc table`.
//!
//! Superfluous blank lines are removed afterwards ([`text::tidied`]).

use std::fmt::Write as _;

use super::markup::{Markup, code, or_code};
use super::page::{Page, RESOURCES, yes};
use super::settings::Section;
use super::text;

const MARKUP: Markup = Markup::Asciidoc;

/// Writes a section as tables.
pub(super) fn table(page: &Page<'_>, section: Section, out: &mut String) {
    let Page { inventory, settings, .. } = page;
    let cell = |text: &str| text::asciidoc_cell(text, page.style());
    let anchor = |kind, name: &str| MARKUP.anchor(page, kind, name);
    let or_nothing = |text: &str| if text.is_empty() { text::NOTHING } else { text }.to_owned();
    let in_line = |row: Vec<String>| format!("\n|{}", row.join(" |"));
    match section {
        Section::Header | Section::Footer => page.long_text(section, out),
        Section::Requirements => {
            let rows = inventory.requirements.iter();
            let rows =
                rows.map(|it| vec![anchor("requirement", &it.name), or_nothing(&it.version)]);
            whole_table(page, "Requirements", &["Name", "Version"], rows.map(in_line), out);
        }
        Section::Providers => {
            let rows = inventory.providers.iter();
            let rows =
                rows.map(|it| vec![anchor("provider", &it.full_name()), or_nothing(&it.version)]);
            whole_table(page, "Providers", &["Name", "Version"], rows.map(in_line), out);
        }
        Section::Modules => {
            let rows = inventory.calls.iter();
            let rows = rows
                .map(|it| vec![anchor("module", &it.name), it.source.clone(), it.version.clone()]);
            whole_table(page, "Modules", &["Name", "Source", "Version"], rows.map(in_line), out);
        }
        Section::Resources | Section::DataSources => {
            let rows = page.resources().into_iter();
            let rows =
                rows.map(|it| vec![MARKUP.linked(&it.spec(), &it.url()), it.mode().to_owned()]);
            whole_table(page, RESOURCES, &["Name", "Type"], rows.map(in_line), out);
        }
        Section::Inputs => {
            let mut columns = vec!["Name", "Description"];
            columns.extend(settings.types.then_some("Type"));
            columns.extend(settings.default.then_some("Default"));
            columns.extend(settings.required.then_some("Required"));
            let mut rows = Vec::new();
            for entry in page.inputs() {
                let mut row = vec![anchor("input", entry.name), cell(entry.description)];
                row.extend(settings.types.then(|| cell(&code(entry.written_type))));
                row.extend(settings.default.then(|| cell(&or_code(entry.default))));
                row.extend(settings.required.then(|| yes(entry.is_required).to_owned()));
                rows.push(format!("\n|{}\n", row.join("\n|")));
            }
            whole_table(page, "Inputs", &columns, rows.into_iter(), out);
        }
        Section::Outputs => {
            let has_values = page.values.is_some();
            let mut columns = vec!["Name", "Description"];
            columns.extend(has_values.then_some("Value"));
            columns.extend((has_values && settings.sensitive).then_some("Sensitive"));
            let rows = inventory.outputs.iter().map(|output| {
                let mut row = vec![anchor("output", &output.name), cell(&output.description)];
                if let Some((is_sensitive, value)) = page.value_of(&output.name) {
                    row.push(or_code(&value));
                    row.extend(settings.sensitive.then(|| yes(is_sensitive).to_owned()));
                }
                row
            });
            whole_table(page, "Outputs", &columns, rows.map(in_line), out);
        }
    }
}

fn whole_table(
    page: &Page<'_>,
    title: &str,
    columns: &[&str],
    rows: impl ExactSizeIterator<Item = String>,
    out: &mut String,
) {
    if page.is_without(title, rows.len()) {
        MARKUP.nothing(page, title, out);
        out.push_str("\n\n");
        return;
    }
    MARKUP.heading(page, 0, title, out);
    let widths = vec!["a"; columns.len()].join(",");
    let names = columns.join(" |");
    let _ = write!(out, "\n\n[cols=\"{widths}\",options=\"header,autowidth\"]\n|===\n|{names}");
    out.extend(rows);
    out.push_str("\n|===\n\n");
}
