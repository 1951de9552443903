//! The page `docs/tables.md`, from the definitions of the tables.

use std::fmt::Write as _;

use crate::columns::TABLES;
use crate::table::{Column, Origin, PLACE, Table, VERSION};

/// The text before the tables.
const HEAD: &str = include_str!("head.md");

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn add_columns<'c>(columns: impl Iterator<Item = &'c Column>, page: &mut String) {
    page.push_str("| column | type | content |\n|---|---|---|\n");
    for column in columns {
        // Writing into memory does not fail.
        let _ =
            writeln!(page, "| `{}` | {} | {} |", column.name, column.kind.name(), cell(column.doc));
    }
}

fn add_table(table: &Table, page: &mut String) {
    let origin = match table.origin {
        Origin::File => "each file of configuration alone",
        Origin::Module => "the files of a module together",
        Origin::Tree if table.name == "units" => "the files of Terragrunt of a repository together",
        Origin::Tree => "the modules of a repository together",
        Origin::Plan => "plans",
        Origin::State => "states",
        Origin::Schemas => "schemas of providers",
    };
    let doc = table.doc_line();
    let _ = writeln!(page, "\n### `{}`\n\n{doc}\n\nRead from {origin}.\n", table.name);
    add_columns(table.columns.iter(), page);
}

/// The page, with the functions of SQL that the program adds, each with its doc.
#[must_use]
pub fn page(functions: &[(&str, &str)]) -> String {
    let mut page = HEAD.replace("VERSION", &format!("{}.{}", VERSION.0, VERSION.1));
    page.push_str("\n## Functions\n\n| function | result |\n|---|---|\n");
    for (name, doc) in functions {
        let _ = writeln!(page, "| `{name}` | {} |", cell(doc));
    }
    page.push_str("\n## Tables\n\nEvery table ends with these columns:\n\n");
    add_columns(PLACE.iter(), &mut page);
    for table in TABLES {
        add_table(table, &mut page);
    }
    page
}
