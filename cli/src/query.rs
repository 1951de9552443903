//! `query`: the blocks and attributes of a tree that a path pattern selects.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::dialect::{List as FileList, root_schema};
use simd_hcl::directory::FileOf;
use simd_hcl::hidden::{HIDDEN, Hidden};
use simd_hcl::query::{
    Condition, Pattern, Selected, Selection, Verdict, record_paths, select, select_in, unknown_type,
};
use simd_hcl::stream::{Record, Records};
use simd_hcl::tree::Secrets;
use simd_hcl::write::{Layout as JsonLayout, to_string};
use simd_hcl::{Arena, Diagnostic, Expression, functions, value};

use crate::args::{self, Common, QueryFormat};
use crate::excerpt::Range;
use crate::files::{self, File, Large, OnLarge, Streamed};
use crate::incomplete::Incomplete;
use crate::modules::path_of_files;
use crate::order::Asked;
use crate::output::{Csv, Layout, List, Row};
use crate::status::{Failure, Status};
use crate::visible::{abridged, as_shown, visible};
use crate::written;

/// The maximum length of values for people, in characters.
const SHOWN: usize = 120;

/// The most bytes of paths and values that are listed of a file: a constant, and a multiple of its
/// length. A value is a part of the values around it, and its path goes through all of them, so in
/// deep data the matches of `**` have the square of its length.
const LISTED: u64 = 4 << 20;
const LISTED_PER_BYTE: u64 = 32;

/// The bytes of values that share an arena.
const PASSING: u64 = 64 << 10;

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
    /// The text as it is written, if that is printed.
    #[serde(skip)]
    raw: Option<String>,
}

pub(crate) fn run(query: &args::Query, common: &Common) -> Result<Status, Failure> {
    let asked = Asked {
        command: "query",
        noun: "pattern",
        first: &query.pattern,
        paths: &query.configuration.paths,
    };
    asked.check()?;
    let pattern = pattern_of(&query.pattern, &asked)?;
    if let Some(condition) = &query.condition {
        check_condition(condition)?;
    }
    let (undecided, unlisted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let search = Search {
        pattern: &pattern,
        condition: query.condition.as_deref(),
        undecided: &undecided,
        unlisted: &unlisted,
        max_record: query.max_record,
        is_raw: query.format == QueryFormat::Text,
    };
    let configuration = &query.configuration;
    let on_large: OnLarge<'_> = &|large, list| search.list_large(large, list);
    let (mut status, total) = files::list::<Match>(
        configuration,
        common,
        (query.format.into(), query.show_sensitive),
        "row",
        Some(on_large),
        &|file| search.list(file),
    )?;
    let (undecided, unlisted) = (undecided.into_inner(), unlisted.into_inner());
    if total == 0 && undecided == 0 {
        selects_nothing(&pattern, &asked, common)?;
        return Ok(status);
    }
    if undecided + unlisted > 0 {
        status = status.max(Status::CouldNotRun);
    }
    Ok(status)
}

/// Says that a pattern selects nothing, and why that may be.
pub(crate) fn selects_nothing(
    pattern: &Pattern,
    asked: &Asked<'_>,
    common: &Common,
) -> Result<(), Failure> {
    let Some(unknown) = unknown_type(pattern) else {
        common.note("the pattern selects nothing");
        return Ok(());
    };
    if let Some(failure) = asked.missing()? {
        return Err(failure);
    }
    let hint = unknown.suggestion.map(|near| format!("; did you mean `{near}`?"));
    let (name, hint) = (unknown.name, hint.unwrap_or_default());
    common.note(&format!(
        "the pattern selects nothing: no block type or variable is named `{name}`{hint}"
    ));
    Ok(())
}

/// Returns the pattern of a command that asks for one.
pub(crate) fn pattern_of(text: &str, asked: &Asked<'_>) -> Result<Pattern, Failure> {
    match Pattern::parse(text) {
        Ok(pattern) => Ok(pattern),
        Err(error) => {
            let message = format!("{error}: {}", visible(text));
            Err(asked.missing()?.unwrap_or(Failure::Message(message)))
        }
    }
}

/// Returns an error if the condition does not parse.
pub(crate) fn check_condition(text: &str) -> Result<(), Failure> {
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

/// The pattern and the condition that are searched for.
#[derive(Clone, Copy)]
struct Search<'q> {
    pattern: &'q Pattern,
    condition: Option<&'q str>,
    undecided: &'q AtomicUsize,
    /// The number of files of which not all matches are listed.
    unlisted: &'q AtomicUsize,
    max_record: usize,
    /// Whether matches are printed as they are written.
    is_raw: bool,
}

/// The targets of matches and of their problems.
struct Found<'f, 'a> {
    push: &'f mut dyn FnMut(&Match) -> io::Result<()>,
    diagnostics: &'f mut Vec<Diagnostic<'a>>,
    incomplete: &'f mut Incomplete,
}

impl Search<'_> {
    /// Lists the matches of one file.
    fn list(self, file: File<'_, '_>) -> io::Result<()> {
        let File { of, secrets, parsed, rows, diagnostics, incomplete } = file;
        let condition = self
            .condition
            .and_then(|text| Condition::for_document(parsed, text, &mut ()).ok().flatten());
        let mut found = Found { push: &mut |row| rows.push(row), diagnostics, incomplete };
        let selected =
            select(self.pattern, parsed, root_schema(of.module.dialect, of.file.kind.list));
        let bytes = parsed.source().bytes().len() as u64;
        let mut room = LISTED + LISTED_PER_BYTE * bytes;
        self.look((of, secrets), selected, (condition, None), &mut room, &mut found)
    }

    /// Lists the matches of a file that is too large to keep, as it is read.
    fn list_large(self, large: Large<'_>, list: &mut List) -> io::Result<Streamed> {
        let Large { of, secrets, input, options } = large;
        let schema = root_schema(of.module.dialect, of.file.kind.list);
        let paths = record_paths(schema);
        // The last path is that of members of the root that are not blocks.
        let others = paths.len() - 1;
        let options = options.with_max_record(self.max_record);
        let mut records = Records::new(input, options, paths).with_names();
        let mut read = Streamed::default();
        let mut room = LISTED;
        let problem = loop {
            let batch = match records.batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => break None,
                Err(problem) => break Some(problem),
            };
            let (mut condition, mut diagnostics) = (None, Vec::new());
            for record in batch {
                if condition.is_none() {
                    condition = self.condition.and_then(|text| {
                        Condition::for_document(record.document(), text, &mut ()).ok().flatten()
                    });
                }
                let mut push = |row: &Match| {
                    read.rows += 1;
                    list.push(row)
                };
                let (diagnostics, incomplete) = (&mut diagnostics, &mut read.incomplete);
                let mut found = Found { push: &mut push, diagnostics, incomplete };
                let selected = select_in(self.pattern, record, schema);
                let place = Some((record, record.path() == others));
                room += LISTED_PER_BYTE * u64::from(record.document().root().span().len());
                self.look((of, secrets), selected, (condition, place), &mut room, &mut found)?;
            }
            read.tell(&diagnostics);
        };
        (read.bytes, read.members) = (records.bytes_read(), records.members().to_vec());
        problem.iter().for_each(|problem| read.fail(problem));
        Ok(read)
    }

    /// Finds the selected values that meet the condition, until there is no room for more. A record is
    /// a part of a file; it may be a member of the root whose neighbours a condition may refer to.
    fn look<'a>(
        self,
        (of, secrets): (FileOf<'_>, Option<&Secrets>),
        selection: Selection<'_, 'a>,
        (condition, record): (Option<Condition<'a>>, Option<(Record<'a>, bool)>),
        room: &mut u64,
        found: &mut Found<'_, 'a>,
    ) -> io::Result<()> {
        let functions = functions::standard();
        let list = of.file.kind.list;
        let mut declared = None;
        let mut last_hidden = None;
        let (mut arena, mut passed) = (Arena::new(), 0);
        for selected in selection {
            let expression = selected.expression();
            let names = names(&selected, of);
            let read = condition.map_or(0, |condition| condition.bytes_read(&selected));
            let bytes = u64::from(expression.span().len()) + read;
            let Some(left) = room.checked_sub(bytes + (names[0].len() + names[1].len()) as u64)
            else {
                self.unlisted.fetch_add(1, Ordering::Relaxed);
                let why = "matches from here on are not listed: the paths and values of those before \
                           have more than 4 MiB and 32 times the bytes of the file; a pattern \
                           without ** selects fewer";
                let Range { filename, start, .. } =
                    Range::of(expression.source(), expression.span());
                let place = format!("{filename}:{}:{}", start.line, start.column);
                found.incomplete.add("row", place, why);
                return Ok(());
            };
            *room = left;
            passed += bytes;
            if passed > PASSING {
                (arena, passed) = (Arena::new(), 0);
            }
            let hidden = secrets.and_then(|secrets| {
                if !selected.may_be_hidden(list) {
                    return selected.hidden(&Hidden::default(), list);
                }
                let (of_files, of_record) =
                    declared.get_or_insert_with(|| declared_by(of, secrets, record));
                let hidden = selected.hidden(of_files, list);
                let hidden = hidden.or_else(|| selected.hidden(of_record.as_ref()?, list));
                hidden.or_else(|| {
                    let (record, _) = record.filter(|(record, _)| needs_the_rest(*record, list))?;
                    let hidden = selected.hidden(&Hidden::unread(), list)?;
                    files::hides_unread(found.incomplete, record.document().root().label());
                    Some(hidden)
                })
            });
            let is_known = !matches!(record, Some((_, true)));
            let verdict = condition.map(|condition| match is_known {
                true => condition.verdict(&selected, Some(&functions)),
                false => Verdict::Unknown,
            });
            match verdict {
                None | Some(Verdict::Holds) => {
                    let range = range_of(&selected, record.map(|(record, _)| record));
                    match hidden {
                        None => {
                            let found_match = Match::of((&arena, expression), names, of, range);
                            let raw = self.is_raw.then(|| raw(&selected));
                            (found.push)(&Match { raw, ..found_match })?;
                        }
                        // All of a hidden value that is selected is one match.
                        Some(hidden) => {
                            let path = hidden.path().to_string();
                            if last_hidden.as_ref() != Some(&path) {
                                let shown = Match::hidden(&arena, &hidden, of, range);
                                let raw = self.is_raw.then(|| HIDDEN.to_owned());
                                (found.push)(&Match { raw, ..shown })?;
                                last_hidden = Some(path);
                            }
                        }
                    }
                }
                Some(Verdict::Fails) => {}
                Some(Verdict::Unknown) => {
                    self.undecided.fetch_add(1, Ordering::Relaxed);
                    let Range { filename, start, .. } =
                        Range::of(expression.source(), expression.span());
                    let place = format!("{filename}:{}:{}", start.line, start.column);
                    let why = match is_known {
                        true => "not decided: the condition depends on unknown values",
                        false => {
                            "not decided: a stream keeps no members of the root for the \
                             condition; --stream-from reads a larger file as a whole"
                        }
                    };
                    found.incomplete.add("row", place, why);
                }
                // The message may quote the value.
                Some(Verdict::Invalid(error)) if hidden.is_some() => {
                    let place = expression.start_label();
                    let message = Diagnostic::new(error.code(), error.primary());
                    let message = message.with_arguments(&[HIDDEN; 3]);
                    found.diagnostics.push(message.with_related(place, "for this value"));
                }
                Some(Verdict::Invalid(error)) => {
                    let place = expression.start_label();
                    found.diagnostics.push(error.with_related(place, "for this value"));
                }
            }
        }
        Ok(())
    }
}

/// The range of a selected value, which may be a record of a file.
fn range_of(selected: &Selected<'_>, record: Option<Record<'_>>) -> Range {
    let expression = selected.expression();
    let mut range = Range::of(expression.source(), selected.span());
    // The name of a record is not in its source.
    if let Some(record) = record
        && expression.span() == record.document().root().span()
        && let Some(start) = record.name_position()
    {
        range.start = start;
    }
    range
}

/// Returns the declarations of the files of a module, and of a record of one file that is too large to be
/// read twice.
fn declared_by(
    of: FileOf<'_>,
    secrets: &Secrets,
    record: Option<(Record<'_>, bool)>,
) -> (Arc<Hidden>, Option<Hidden>) {
    let Some((record, _)) = record else { return (secrets.of(of.module, None), None) };
    let mut hidden = Hidden::default();
    hidden.add_record(record.names(), record.document());
    if let [block_type, name] = record.names()
        && ["module", "component"].contains(&block_type.as_str())
        && let Some(source) = source_of_call(record)
    {
        hidden.add_call(name, &secrets.of_call(of.module, name, source));
    }
    (secrets.of(of.module, Some(&of.file.path)), Some(hidden))
}

/// Whether other parts of the file decide what is secret in a record: calls pass the defaults of
/// variables and local values on, runs of tests name other modules, and stacks other stacks.
fn needs_the_rest(record: Record<'_>, list: FileList) -> bool {
    let heads = ["variable", "variables", "locals", "run", "stack"];
    let head = record.names().first();
    list != FileList::Variables && head.is_some_and(|head| heads.contains(&head.as_str()))
}

/// Returns the source of a module call, if it needs no evaluation.
fn source_of_call(record: Record<'_>) -> Option<&str> {
    let mut arguments = record.document().body().properties();
    arguments.find(|argument| argument.name() == "source")?.expression().to_str()
}

impl Match {
    /// A value that must not be shown.
    fn hidden(arena: &Arena, found: &Selected<'_>, file: FileOf<'_>, range: Range) -> Self {
        let shown = Self::of((arena, found.expression()), names(found, file), file, range);
        let is_constant = shown.value.is_some();
        Self {
            value: if is_constant { written::hidden() } else { None },
            expression: (!is_constant).then(|| HIDDEN.to_owned()),
            ..shown
        }
    }

    fn of(
        (arena, expression): (&Arena, Expression<'_>),
        [address, name]: [String; 2],
        file: FileOf<'_>,
        range: Range,
    ) -> Self {
        let value = constant(arena, expression);
        Self {
            path: path_of_files(file.module),
            address,
            name,
            expression: value.is_none().then(|| source_of(expression)),
            value,
            range,
            raw: None,
        }
    }
}

/// Returns the text of a match: of a value, or of a whole block.
fn raw(selected: &Selected<'_>) -> String {
    let expression = selected.expression();
    let text = match selected.is_native_block() {
        true => selected.item_span().slice(expression.source().bytes()),
        false => expression.text(),
    };
    String::from_utf8_lossy(text).into_owned()
}

/// Returns the address of the object that a value belongs to, and its path in it.
fn names(found: &Selected<'_>, file: FileOf<'_>) -> [String; 2] {
    match file.file.kind.list {
        // No object is declared there.
        FileList::Lock | FileList::Other | FileList::PolicyTest => {
            [String::new(), found.path().to_string()]
        }
        _ => [found.address(), found.name()],
    }
}

/// Returns the value of a constant expression. The value is allocated in `arena`.
fn constant(arena: &Arena, expression: Expression<'_>) -> Option<Box<RawValue>> {
    let mut error = None;
    let value = expression.constant_value_in(arena, &mut error);
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
        None => expression.to_json(),
    }
}

impl Row for Match {
    const MEMBER: Option<&'static str> = Some("matches");
    const LAYOUT: Layout = Layout::Lines;
    const COLUMNS: &'static [&'static str] =
        &["path", "address", "name", "value", "expression", "filename", "line", "column"];

    /// Prints `FILE:LINE:COLUMN: ADDRESS.NAME = VALUE`.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(raw) = &self.raw {
            return writeln!(out, "{}", as_shown(raw));
        }
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
        out.record([path, address, name, value, expression, &**filename, &line, &column]);
    }
}
