//! `csvdecode`: reads RFC 4180 as strictly as Go's reader.
//!
//! This reader is our own because the `csv` crate accepts every text: a quote within a field
//! (`a"b`), text behind a closing quote (`"a"b`) and a field that is not closed are values there,
//! and errors in OpenTofu. The crate has no setting that rejects them, and afterwards a field no
//! longer shows how it was written. Without these rules, only a split at commas is left.

use std::borrow::Cow;

use super::builtin::{Builtin, function};
use super::call::{Call, MAX_ELEMENTS, Outcome, failed};
use crate::value::{Quotation, Type, Value};

pub(super) const FUNCTIONS: &[Builtin] = &[function("csvdecode", decode)];

fn decode<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let arena = call.arena;
    let mut reader = Reader { rest: call.str(0)?, line: 0 };
    let refused = |line: usize, message: &'static str| {
        call.failed("line {}: {}", &[Quotation::Plain(&line), Quotation::Plain(&message)])
    };
    let header = reader.record().map_err(|message| refused(reader.line, message))?;
    let Some(header) = header else {
        return Err(failed("the line with the names of the columns is missing"));
    };
    let names: Vec<&'a str> = header.iter().map(|name| arena.str(name)).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(call.failed("two columns are called {}", &[Quotation::Text(pair[0])]));
    }
    let null = Value::null(Type::String);
    let blank: Vec<_> = names.iter().map(|&name| (name, null)).collect();
    let element = Value::object(arena, &blank).ty();
    let mut rows = Vec::new();
    let mut cells = 0;
    loop {
        let fields = reader.record().map_err(|message| refused(reader.line, message))?;
        let Some(fields) = fields else { break };
        if fields.len() != names.len() {
            return Err(refused(reader.line, "every row must have as many fields as columns"));
        }
        cells += fields.len();
        if cells > MAX_ELEMENTS {
            return Err(call.too_many());
        }
        let values: Outcome<'a, Vec<_>> = names
            .iter()
            .zip(&fields)
            .map(|(&name, field)| Ok((name, call.string(field)?)))
            .collect();
        rows.push(call.object(&values?));
    }
    Ok(call.list(element, &rows))
}

/// Splits a text into records.
struct Reader<'t> {
    rest: &'t str,
    /// The line where the last record starts, from 1.
    line: usize,
}

impl<'t> Reader<'t> {
    /// Returns the next record that is not an empty line; `None` at the end.
    fn record(&mut self) -> Result<Option<Vec<Cow<'t, str>>>, &'static str> {
        let mut line = loop {
            if self.rest.is_empty() {
                return Ok(None);
            }
            let line = self.line();
            if !line.is_empty() {
                break line;
            }
        };
        let mut fields = Vec::new();
        loop {
            let Some(mut quoted) = line.strip_prefix('"') else {
                let (field, after) = match line.split_once(',') {
                    Some((field, after)) => (field, Some(after)),
                    None => (line, None),
                };
                if field.contains('"') {
                    return Err("a quote in a field without quotes");
                }
                fields.push(Cow::Borrowed(field));
                match after {
                    Some(after) => line = after,
                    None => return Ok(Some(fields)),
                }
                continue;
            };
            let mut field = String::new();
            let after = loop {
                let Some((before, after)) = quoted.split_once('"') else {
                    if self.rest.is_empty() {
                        return Err("a quoted field is not closed");
                    }
                    field.push_str(quoted);
                    field.push('\n');
                    quoted = self.line();
                    continue;
                };
                field.push_str(before);
                match after.strip_prefix('"') {
                    Some(after) => {
                        field.push('"');
                        quoted = after;
                    }
                    None => break after,
                }
            };
            fields.push(Cow::Owned(field));
            match after.strip_prefix(',') {
                Some(after) => line = after,
                None if after.is_empty() => return Ok(Some(fields)),
                None => return Err("a quote within a quoted field"),
            }
        }
    }

    /// Returns the next line, without the line feed at its end and the carriage return before it. A
    /// carriage return at the end of the text is dropped, too.
    fn line(&mut self) -> &'t str {
        self.line += 1;
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        line.strip_suffix('\r').unwrap_or(line)
    }
}
