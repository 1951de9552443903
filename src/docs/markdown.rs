//! The formatter `markdown table`.
//!
//! Superfluous blank lines are removed afterwards ([`text::tidied`]).

use std::fmt::Write as _;

use super::inventory::Provider;
use super::markup::{Markup, code, or_code};
use super::page::{Page, RESOURCES, yes};
use super::settings::Section;
use super::text;

const MARKUP: Markup = Markup::Markdown;

/// Writes a section as tables.
pub(super) fn table(page: &Page<'_>, section: Section, out: &mut String) {
    let Page { inventory, settings, .. } = page;
    let cell = |text: &str| text::markdown_cell(text, page.style());
    let anchor = |kind, name: &str| MARKUP.anchor(page, kind, name);
    let or_nothing = |text: &str| if text.is_empty() { text::NOTHING } else { text }.to_owned();
    match section {
        Section::Header | Section::Footer => page.long_text(section, out),
        Section::Requirements => {
            let rows = inventory.requirements.iter();
            let rows =
                rows.map(|it| vec![anchor("requirement", &it.name), or_nothing(&it.version)]);
            whole_table(page, "Requirements", &["Name", "Version"], rows, out);
        }
        Section::Providers => {
            let row =
                |it: &Provider| vec![anchor("provider", &it.full_name()), or_nothing(&it.version)];
            let rows = inventory.providers.iter().map(row);
            whole_table(page, "Providers", &["Name", "Version"], rows, out);
        }
        Section::Modules => {
            let rows = inventory.calls.iter().map(|it| {
                vec![anchor("module", &it.name), it.source.clone(), or_nothing(&it.version)]
            });
            whole_table(page, "Modules", &["Name", "Source", "Version"], rows, out);
        }
        Section::Resources | Section::DataSources => {
            let rows = page.resources().into_iter();
            let rows =
                rows.map(|it| vec![MARKUP.linked(&it.spec(), &it.url()), it.mode().to_owned()]);
            whole_table(page, RESOURCES, &["Name", "Type"], rows, out);
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
                rows.push(row);
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
                    row.push(cell(&or_code(&value)));
                    row.extend(settings.sensitive.then(|| yes(is_sensitive).to_owned()));
                }
                row
            });
            whole_table(page, "Outputs", &columns, rows, out);
        }
    }
}

fn whole_table(
    page: &Page<'_>,
    title: &str,
    columns: &[&str],
    rows: impl ExactSizeIterator<Item = Vec<String>>,
    out: &mut String,
) {
    if page.is_without(title, rows.len()) {
        MARKUP.nothing(page, title, out);
        out.push_str("\n\n");
        return;
    }
    MARKUP.heading(page, 0, title, out);
    out.push_str("\n\n|");
    for column in columns {
        let _ = write!(out, " {column} |");
    }
    out.push_str("\n|");
    for column in columns {
        let is_centred = matches!(*column, "Required" | "Sensitive");
        let line = "-".repeat(column.len() - if is_centred { 2 } else { 0 });
        let _ = match is_centred {
            true => write!(out, " :{line}: |"),
            false => write!(out, " {line} |"),
        };
    }
    for row in rows {
        out.push_str("\n|");
        for cell in row {
            let _ = write!(out, " {cell} |");
        }
    }
    out.push_str("\n\n");
}
