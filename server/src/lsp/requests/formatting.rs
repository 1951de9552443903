//! The canonical layout of a file, or of some of its lines.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use simd_hcl::dialect::Syntax;
use simd_hcl::format::{Style, format};
use simd_hcl::structure::File;
use simd_hcl::{Arena, Dialect, Source};

use super::{Refused, Request, path};
use crate::lsp::lines::Lines;
use crate::lsp::protocol::{DocumentParams, Parameters, Range, RangeParams, TextEdit, TypedParams};
use crate::lsp::server::parse;

pub(super) fn whole(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: DocumentParams = parse(params)?;
    let path = path(&params.text_document.uri)?;
    answer(request, &path, |_, _| None)
}

pub(super) fn range(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: RangeParams = parse(params)?;
    let path = path(&params.text_document.uri)?;
    answer(request, &path, |text, lines| {
        let bytes = lines.bytes(params.range);
        Some(Part { bytes: around(text, bytes), kept: None })
    })
}

/// The characters after which an editor asks for the layout of what was typed.
pub(super) const TYPED: [&str; 2] = ["}", "\n"];

/// Lays out what is around the character that was typed. After a line feed, the line of the cursor stays
/// as it is: it is still being written.
pub(super) fn on_type(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: TypedParams = parse(params)?;
    let path = path(&params.text_document.uri)?;
    answer(request, &path, |text, lines| {
        let cursor = lines.bytes(Range { start: params.position, end: params.position }).start;
        let line = text[..cursor].rfind('\n').map_or(0, |end| end + 1);
        let is_new_line = params.ch == "\n";
        let typed = if is_new_line { line.saturating_sub(1) } else { cursor };
        Some(Part { bytes: around(text, typed..typed), kept: is_new_line.then_some(line) })
    })
}

/// A part of a text that is laid out.
struct Part {
    bytes: std::ops::Range<usize>,
    /// The start of a line that stays as it is.
    kept: Option<usize>,
}

/// The edits that lay a text out, or the part of it that `part` returns.
fn answer(
    request: &Request,
    path: &Path,
    part: impl Fn(&str, &Lines<'_>) -> Option<Part>,
) -> Result<Value, Refused> {
    let Some(style) = style(request, path) else { return Ok(Value::Null) };
    let text: Arc<[u8]> =
        request.snapshot.text(path).map_err(|error| Refused::failed(error.to_string()))?;
    let text = str::from_utf8(&text).map_err(|_| Refused::failed("the file is not UTF-8"))?;
    let lines = Lines::new(text.as_bytes(), request.encoding());
    let Part { bytes, kept } =
        part(text, &lines).unwrap_or(Part { bytes: 0..text.len(), kept: None });
    let old = &text[bytes.clone()];
    let new = laid_out(path, old, style);
    let new = match kept.and_then(|line| line.checked_sub(bytes.start)) {
        Some(line) => new.and_then(|new| with_line(old, &new, line)),
        None => new,
    };
    let Some(new) = new else { return Ok(Value::Null) };
    let edits = edits(text, bytes, &new, &lines);
    Ok(serde_json::to_value(edits).unwrap_or_default())
}

/// The style of a native file; `None` for others.
fn style(request: &Request, path: &Path) -> Option<Style> {
    let Some(file) = request.snapshot.file(path) else {
        let name = path.file_name()?.to_str()?;
        return name.ends_with(".hcl").then_some(Style::Packer);
    };
    let module = &request.snapshot.modules()[file.module];
    let kind = module.files.files[file.file].kind;
    let is_plain = module.dialect() == Dialect::Packer || kind.is_foreign();
    let style = if is_plain { Style::Packer } else { Style::Tofu };
    (kind.syntax == Syntax::Native).then_some(style)
}

/// The layout of a text; `None` if it has an error.
fn laid_out(path: &Path, text: &str, style: Style) -> Option<String> {
    let arena = Arena::new();
    let source = Source::copy_from(&arena, &path.to_string_lossy(), text.as_bytes()).ok()?;
    let mut found = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    let new = format(file, style, &mut found);
    new.filter(|_| found.is_empty())
}

/// Returns the new text with a line of the old one in the place of its own; `None` if they have other
/// numbers of lines.
fn with_line(old: &str, new: &str, line: usize) -> Option<String> {
    let number = old.get(..line)?.matches('\n').count();
    let (before, mut after): (Vec<&str>, Vec<&str>) =
        (old.split('\n').collect(), new.split('\n').collect());
    if before.len() != after.len() {
        return None;
    }
    *after.get_mut(number)? = before.get(number)?;
    Some(after.join("\n"))
}

/// The whole items around some bytes, with those beside them without an empty line between: what is
/// laid out together.
fn around(text: &str, bytes: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let arena = Arena::new();
    let Ok(source) = Source::copy_from(&arena, "", text.as_bytes()) else { return bytes };
    let file = File::parse(&arena, source, &mut ());
    let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    let mut start = line_of(bytes.start.min(text.len()));
    let mut end = line_end(bytes.end.min(text.len()));
    let items: Vec<(usize, usize)> = file
        .body()
        .items()
        .map(|item| (line_of(item.span().start as usize), line_end(item.span().end as usize)))
        .collect();
    for &(from, to) in &items {
        if from < end && to > start {
            (start, end) = (start.min(from), end.max(to));
        }
    }
    let is_joined = |from: usize, to: usize| {
        text.get(from..to).is_some_and(|gap| !gap.lines().any(|line| line.trim().is_empty()))
    };
    // From the nearest one on, away from the range.
    for &(from, to) in items.iter().rev() {
        if to <= start && is_joined(to, start) {
            start = from;
        }
    }
    for &(from, to) in &items {
        if from >= end && is_joined(end, from) {
            end = to;
        }
    }
    start..end
}

/// The edits that make `new` of some bytes of a text: one for each run of lines that differ.
fn edits(text: &str, bytes: std::ops::Range<usize>, new: &str, lines: &Lines<'_>) -> Vec<TextEdit> {
    let old = &text[bytes.clone()];
    if old == new {
        return Vec::new();
    }
    let (before, after): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let edit = |from: usize, to: usize, new_text: String| TextEdit {
        range: lines.range(bytes.start + from, bytes.start + to),
        new_text,
    };
    if before.len() != after.len() {
        let first = before.iter().zip(&after).take_while(|(one, two)| one == two).count();
        let rest = before[first..].iter().rev().zip(after[first..].iter().rev());
        let last = rest.take_while(|(one, two)| one == two).count();
        let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
        let from = length(&before[..first]);
        let to = old.len() - length(&before[before.len() - last..]);
        return vec![edit(from, to, after[first..after.len() - last].concat())];
    }
    let mut edits = Vec::new();
    let mut at = 0;
    let mut place = 0;
    while place < before.len() {
        let count = |range: std::ops::RangeFrom<usize>| {
            let pairs = before[range.clone()].iter().zip(&after[range]);
            pairs.take_while(|(one, two)| one != two).count()
        };
        let differ = count(place..);
        if differ == 0 {
            at += before[place].len();
            place += 1;
            continue;
        }
        let length: usize = before[place..place + differ].iter().map(|line| line.len()).sum();
        edits.push(edit(at, at + length, after[place..place + differ].concat()));
        at += length;
        place += differ;
    }
    edits
}
