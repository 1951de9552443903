//! `units`: the units and stacks of Terragrunt, as `terragrunt find --json` and `render --json` print
//! them.

use std::io::{self, Write};

use simd_hcl::terragrunt::{ComponentKind, ExcludeBlock, Unit, find};
use simd_hcl::write::{Layout, ObjectWriter, Slot};

use crate::args::{self, Common, ListFormat};
use crate::incomplete::{Incomplete, write_grouped};
use crate::output::{self, Csv, Style};
use crate::paths::text;
use crate::status::{Failure, Status};
use crate::unit_run;
use crate::visible::visible;

pub(crate) fn run(units: &args::Units, common: &Common) -> Result<Status, Failure> {
    let has_lists =
        units.dag || units.dependencies || units.include || units.reading || units.exclude;
    let options = unit_run::options(&units.unit, common)
        .with_details(has_lists)
        .with_files(units.reading)
        .with_values(units.render)
        .with_stacks(units.stacks)
        .without_hidden(units.no_hidden)
        .with_filters(true)
        .for_command(units.queue_construct_as.clone())
        .with_sensitive(units.show_sensitive);
    let (mut rows, mut incomplete) = (Vec::new(), Incomplete::default());
    let (mut is_missing, mut is_unread) = (false, false);
    for path in &units.paths {
        let found = find(path, &options);
        let prefix = match units.paths.len() {
            1 => None,
            _ => Some(text(path)),
        };
        let named = |name: &str| named(prefix.as_deref(), name);
        for gap in &found.gaps {
            is_missing |= gap.what == "path";
            is_unread |= matches!(gap.what, "file" | "directory");
            incomplete.add(gap.what, named(&gap.place), &gap.why);
        }
        rows.extend(found.units.into_iter().map(|unit| (named(&unit.path), prefix.clone(), unit)));
    }
    if units.render {
        rows.retain(|(_, _, unit)| unit.kind == ComponentKind::Unit);
    }
    if units.dag {
        // Units in a cycle have no level, and come last.
        rows.sort_by_key(|(_, _, unit)| unit.level.unwrap_or(usize::MAX));
    }
    print(units, &rows, &incomplete, common.style())?;
    incomplete.print(units.format, common);
    is_unread |= units.fail_if_incomplete && !incomplete.is_empty();
    Ok(match (is_missing, is_unread) {
        (true, _) => Status::CouldNotRun,
        (false, true) => Status::Found,
        (false, false) => Status::Clean,
    })
}

/// A path below one of several given ones.
fn named(prefix: Option<&str>, path: &str) -> String {
    match (prefix, path) {
        (None, path) => path.to_owned(),
        (Some(prefix), ".") => prefix.to_owned(),
        (Some(prefix), path) => format!("{}/{path}", prefix.trim_end_matches('/')),
    }
}

type Rows = [(String, Option<String>, Unit)];

fn print(
    units: &args::Units,
    rows: &Rows,
    incomplete: &Incomplete,
    style: Style,
) -> io::Result<()> {
    let write = |slot: Slot<'_, '_>, (path, prefix, unit): &(String, Option<String>, Unit)| {
        let mut object = slot.object();
        write_unit(units, path, prefix.as_deref(), unit, &mut object);
    };
    match units.format {
        ListFormat::Human => {
            output::text(|out| rows.iter().try_for_each(|row| print_unit(units, row, out)))
        }
        ListFormat::Json => output::document(Layout::Pretty, style, |slot| {
            let mut object = slot.object();
            object.key("format_version").string("1.0");
            let mut list = object.key("units").array();
            rows.iter().for_each(|row| write(list.element(), row));
            list.end();
            write_grouped(&mut object.key("incomplete").array(), incomplete);
        }),
        ListFormat::Ndjson => output::data(|out| {
            for row in rows {
                let text = simd_hcl::write::to_string(Layout::Compact, |slot| write(slot, row));
                writeln!(out, "{text}")?;
            }
            output::rest(incomplete, out)
        }),
        ListFormat::Csv => output::data(|out| {
            let mut text = Vec::new();
            let mut csv = Csv::new(&mut text, style);
            csv.record(["type", "path", "dependencies", "include", "reading"]);
            for (path, prefix, unit) in rows {
                let all = |list: &[String]| {
                    let named = list.iter().map(|it| named(prefix.as_deref(), it));
                    named.collect::<Vec<_>>().join(" ")
                };
                let include: Vec<String> = unit.include.values().cloned().collect();
                let cells = [all(&unit.dependencies), all(&include), all(&unit.reading)];
                let [dependencies, include, reading] = &cells;
                csv.record([kind(unit.kind), path, dependencies, include, reading]);
            }
            out.write_all(&text)
        }),
    }
}

fn kind(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Unit => "unit",
        ComponentKind::Stack => "stack",
    }
}

/// Writes the members of a row that are asked for; empty ones are left out.
fn write_unit(
    units: &args::Units,
    path: &str,
    prefix: Option<&str>,
    unit: &Unit,
    object: &mut ObjectWriter<'_, '_>,
) {
    if let Some(rendered) = &unit.rendered {
        object.key("path").string(path);
        rendered.write(object);
        return;
    }
    object.key("type").string(kind(unit.kind));
    object.key("path").string(path);
    if let (true, Some(exclude)) = (units.exclude, &unit.exclude) {
        write_exclude(exclude, object.key("exclude"));
    }
    if units.include && !unit.include.is_empty() {
        let mut include = object.key("include").object();
        for (label, path) in &unit.include {
            include.key(label).string(&named(prefix, path));
        }
    }
    let mut list = |name: &str, all: &[String]| {
        if !all.is_empty() {
            let mut list = object.key(name).array();
            all.iter().for_each(|path| list.element().string(&named(prefix, path)));
        }
    };
    if units.dependencies {
        list("dependencies", &unit.dependencies);
    }
    if units.reading {
        list("reading", &unit.reading);
        list("also_reading", &unit.also_reading);
    }
}

fn write_exclude(exclude: &ExcludeBlock, slot: Slot<'_, '_>) {
    let mut object = slot.object();
    let flags = [
        ("if", exclude.condition),
        ("exclude_dependencies", exclude.exclude_dependencies),
        ("no_run", exclude.no_run),
    ];
    for (name, flag) in flags {
        if let Some(flag) = flag {
            object.key(name).bool(flag);
        }
    }
    let mut actions = object.key("actions").array();
    exclude.actions.iter().for_each(|action| actions.element().string(action));
}

/// Prints a row for people.
fn print_unit(
    units: &args::Units,
    (path, prefix, unit): &(String, Option<String>, Unit),
    out: &mut dyn Write,
) -> io::Result<()> {
    let stack = if unit.kind == ComponentKind::Stack { " (stack)" } else { "" };
    writeln!(out, "{}{stack}", visible(path))?;
    if let Some(rendered) = &unit.rendered {
        writeln!(out, "    inputs: {}", visible(&rendered.inputs))?;
        writeln!(out, "    locals: {}", visible(&rendered.locals))?;
        for path in &rendered.unknown {
            writeln!(out, "    unknown: {}", visible(path))?;
        }
    }
    if let (true, Some(exclude)) = (units.exclude, &unit.exclude) {
        let state = match exclude.condition {
            Some(true) => "excluded from",
            Some(false) => "not excluded from",
            None => "perhaps excluded from",
        };
        writeln!(out, "    {state}: {}", visible(&exclude.actions.join(", ")))?;
    }
    let mut lines = |what: &str, all: &[String]| {
        let named = all.iter().map(|path| named(prefix.as_deref(), path));
        named.into_iter().try_for_each(|path| writeln!(out, "    {what} {}", visible(&path)))
    };
    if units.dependencies {
        lines("depends on", &unit.dependencies)?;
    }
    if units.include {
        let include: Vec<String> = unit.include.values().cloned().collect();
        lines("includes", &include)?;
    }
    if units.reading {
        lines("reads", &unit.reading)?;
        lines("reads", &unit.also_reading)?;
    }
    Ok(())
}
