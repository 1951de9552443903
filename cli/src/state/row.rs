//! One resource instance of a state, and its outputs, in each format.

use std::io::{self, Write};

use simd_hcl::show::Shown;
use simd_hcl::show::rows::{Instance, Output, Value};
use simd_hcl::write::ObjectWriter;

use crate::args;
use crate::output::Csv;
use crate::printed::{BOLD, DIM, RESET, readable};
use crate::rows::{self, ValueText, text};
use crate::visible::visible;

/// The columns of an instance.
const COLUMNS: [&str; 10] = [
    "address",
    "module_address",
    "mode",
    "type",
    "name",
    "index",
    "deposed",
    "tainted",
    "provider_name",
    "schema_version",
];
/// The columns of a value of an instance.
const ATTRIBUTE: [&str; 3] = ["path", "value", "sensitive"];

/// Stands for the address of a resource that has none.
pub(super) const NO_ADDRESS: &str = "(no address)";

/// Prints outputs for people.
pub(super) fn print_outputs(
    outputs: &[Output<'_>],
    out: &mut dyn Write,
    arguments: &args::State,
    shown: &Shown,
) -> io::Result<()> {
    for output in outputs {
        let value = output_text(*output, arguments, shown);
        let name = text(output.name(shown));
        writeln!(out, "{BOLD}output.{}{RESET} = {value}", visible(&name))?;
    }
    Ok(())
}

/// Returns the value of an output for people.
pub(super) fn output_text(output: Output<'_>, arguments: &args::State, shown: &Shown) -> String {
    match output.value(shown) {
        _ if is_hidden_output(output, arguments, shown) => "(sensitive)".into(),
        Value::Known(node) => {
            visible(&readable(&String::from_utf8_lossy(node.text()))).into_owned()
        }
        Value::Null => "null".to_owned(),
        _ => "(not known)".to_owned(),
    }
}

/// Returns whether the value of an output is not printed.
fn is_hidden_output(output: Output<'_>, arguments: &args::State, shown: &Shown) -> bool {
    output.is_sensitive(shown) && !arguments.selection.show_sensitive
}

/// Writes an output as JSON.
pub(super) fn write_output(
    output: Output<'_>,
    mut object: ObjectWriter<'_, '_>,
    arguments: &args::State,
    shown: &Shown,
) {
    rows::write(&mut object, output, &["name", "type", "sensitive"], shown);
    if arguments.values && !is_hidden_output(output, arguments, shown) {
        rows::write(&mut object, output, &["value"], shown);
    }
}

/// Adds the names of the columns of CSV.
pub(super) fn header(csv: &mut Csv<'_>, arguments: &args::State) {
    let of_values: &[&str] = if arguments.values { &ATTRIBUTE } else { &[] };
    csv.record(COLUMNS.iter().chain(of_values));
}

/// Prints an instance for people.
pub(super) fn print(
    row: Instance<'_>,
    out: &mut dyn Write,
    shown: &Shown,
    arguments: &args::State,
) -> io::Result<()> {
    let address = row.address(shown);
    write!(out, "{BOLD}{}{RESET}", visible(address.as_deref().unwrap_or(NO_ADDRESS)))?;
    if let Some(deposed) = row.deposed(shown) {
        write!(out, " {DIM}(deposed object {}){RESET}", visible(&deposed))?;
    }
    if row.is_tainted(shown) {
        write!(out, " {DIM}(tainted){RESET}")?;
    }
    writeln!(out, " {DIM}{}{RESET}", visible(&text(row.provider_name(shown))))?;
    let mut attributes = row.attributes();
    while arguments.values
        && let Some(attribute) = attributes.next()
    {
        let value = ValueText { value: attribute.value(shown), is_partly_unknown: false };
        writeln!(out, "      {}: {value}", visible(&text(attribute.path(shown))))?;
    }
    Ok(())
}

/// Adds a record, or with `--values` one for each value.
pub(super) fn record(row: Instance<'_>, csv: &mut Csv<'_>, shown: &Shown, arguments: &args::State) {
    let mut cells: Vec<String> = rows::cells(row, &COLUMNS, shown).collect();
    let own = cells.len();
    if !arguments.values {
        csv.record(&cells);
        return;
    }
    let mut attributes = row.attributes();
    while let Some(attribute) = attributes.next() {
        cells.truncate(own);
        cells.extend(rows::cells(attribute, &ATTRIBUTE, shown));
        csv.record(&cells);
    }
}

/// Writes an instance as JSON.
pub(super) fn write(
    row: Instance<'_>,
    mut object: ObjectWriter<'_, '_>,
    shown: &Shown,
    arguments: &args::State,
) {
    rows::write(&mut object, row, &COLUMNS, shown);
    if !arguments.values {
        return;
    }
    let mut list = object.key("values").array();
    let mut attributes = row.attributes();
    while let Some(attribute) = attributes.next() {
        rows::write(&mut list.element().object(), attribute, &ATTRIBUTE, shown);
    }
}
