//! `query`: the blocks and attributes of a tree that a path pattern selects.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::dialect::{List, root_schema};
use simd_hcl::directory::FileOf;
use simd_hcl::query::{Condition, Pattern, Selected, Verdict, select, unknown_type};
use simd_hcl::write::{Layout as JsonLayout, to_string};
use simd_hcl::{Arena, Expression, functions, value};

use crate::args::{self, Common};
use crate::excerpt::Range;
use crate::files::{self, File};
use crate::modules::path_of_files;
use crate::output::{Csv, Layout, Row};
use crate::status::{Failure, Status};
use crate::visible::{abridged, visible};
use crate::written;

/// The maximum length of values for people, in characters.
const SHOWN: usize = 120;

#[derive(Serialize)]
struct Match {
    /// The path of the module.
    path: String,
    address: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    range: Range,
}

pub(crate) fn run(query: &args::Query, common: &Common) -> Result<Status, Failure> {
    let pattern = Pattern::parse(&query.pattern)
        .map_err(|error| Failure::Message(format!("{error}: {}", visible(&query.pattern))))?;
    if let Some(condition) = &query.condition {
        check_condition(condition)?;
    }
    let undecided = AtomicUsize::new(0);
    let (mut status, total) =
        files::list::<Match>(&query.configuration, common, query.format, "row", None, |file| {
            list(file, &pattern, query.condition.as_deref(), &undecided)
        })?;
    let undecided = undecided.into_inner();
    if total == 0
        && undecided == 0
        && let Some(unknown) = unknown_type(&pattern)
    {
        let hint = unknown.suggestion.map(|near| format!("; did you mean `{near}`?"));
        let (name, hint) = (visible(unknown.name), hint.unwrap_or_default());
        return Err(Failure::Message(format!("no block type or variable is named `{name}`{hint}")));
    }
    if undecided > 0 {
        status = status.max(Status::CouldNotRun);
    }
    Ok(status)
}

/// Returns an error if the condition does not parse.
fn check_condition(text: &str) -> Result<(), Failure> {
    let arena = Arena::new();
    let mut error = None;
    let parsed = Condition::parse(&arena, text, &mut error);
    if let Some(error) = error {
        return Err(Failure::Message(format!("invalid condition: {}", error.message())));
    }
    match parsed {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Message(format!("invalid condition: {error}"))),
    }
}

/// Returns the matches of one file.
fn list<'a>(
    file: File<'_, 'a>,
    pattern: &Pattern,
    condition: Option<&str>,
    undecided: &AtomicUsize,
) -> io::Result<()> {
    let File { of, parsed, rows, diagnostics, incomplete, .. } = file;
    let condition =
        condition.and_then(|text| Condition::for_document(parsed, text, &mut ()).ok().flatten());
    let functions = functions::standard();
    for found in select(pattern, parsed, root_schema(of.module.dialect, of.file.kind.list)) {
        match condition.map(|condition| condition.verdict(&found, Some(&functions))) {
            None | Some(Verdict::Holds) => rows.push(&Match::of(&found, of))?,
            Some(Verdict::Fails) => {}
            Some(Verdict::Unknown) => {
                undecided.fetch_add(1, Ordering::Relaxed);
                let expression = found.expression();
                let Range { filename, start, .. } =
                    Range::of(expression.source(), expression.span());
                let place = format!("{filename}:{}:{}", start.line, start.column);
                let why = "not decided: the condition depends on unknown values";
                incomplete.add("row", place, why);
            }
            Some(Verdict::Invalid(error)) => {
                let place = found.expression().start_label();
                diagnostics.push(error.with_related(place, "for this value"));
            }
        }
    }
    Ok(())
}

impl Match {
    fn of(found: &Selected<'_>, file: FileOf<'_>) -> Self {
        let expression = found.expression();
        let value = constant(expression);
        let (address, name) = match file.file.kind.list {
            // No object is declared there.
            List::Lock | List::Other => (String::new(), found.path().to_string()),
            _ => (found.address(), found.name()),
        };
        Self {
            path: path_of_files(file.module),
            address,
            name,
            expression: value.is_none().then(|| source_of(expression)),
            value,
            range: Range::of(expression.source(), found.span()),
        }
    }
}

/// Returns the value of a constant expression.
fn constant(expression: Expression<'_>) -> Option<Box<RawValue>> {
    let mut error = None;
    let value = expression.constant_value(&mut error);
    if error.is_some() || !value.is_wholly_known() {
        return None;
    }
    let mut written = Ok(());
    let text = to_string(JsonLayout::Compact, |slot| written = value::write(value, slot));
    written.ok()?;
    RawValue::from_string(text).ok()
}

/// Returns the text of a template, the JSON of a container on one line, or the source of a native
/// expression.
fn source_of(expression: Expression<'_>) -> String {
    if !expression.is_json() {
        return String::from_utf8_lossy(expression.text()).into_owned();
    }
    match expression.to_str() {
        Some(text) => text.to_owned(),
        None => written::json(expression),
    }
}

impl Row for Match {
    const LAYOUT: Layout = Layout::Lines;
    const COLUMNS: &'static [&'static str] =
        &["path", "address", "name", "value", "expression", "filename", "line", "column"];

    /// Prints `FILE:LINE:COLUMN: ADDRESS.NAME = VALUE`.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Range { filename, start, .. } = &self.range;
        write!(
            out,
            "{}:{}:{}: {}",
            visible(filename),
            start.line,
            start.column,
            visible(&self.address)
        )?;
        if !self.name.is_empty() {
            let is_first = self.address.is_empty() || self.name.starts_with('[');
            let dot = if is_first { "" } else { "." };
            write!(out, "{dot}{}", visible(&self.name))?;
        }
        let value = self.value.as_ref().map(|value| value.get());
        let text = value.or(self.expression.as_deref()).unwrap_or_default();
        writeln!(out, " = {}", visible(&abridged(text, SHOWN)))
    }

    fn records(&self, out: &mut Csv<'_>) {
        let value = self.value.as_ref().map_or("", |value| value.get());
        let expression = self.expression.as_deref().unwrap_or_default();
        let Range { filename, start, .. } = &self.range;
        let [line, column] = [start.line, start.column].map(|it| it.to_string());
        let Self { path, address, name, .. } = self;
        out.record([path, address, name, value, expression, filename, &line, &column]);
    }
}
