//! Files as tools and shells write them: with a line before the document, a byte order mark, or in
//! UTF-16.
//!
//! | input | result |
//! |---|---|
//! | UTF-8 | read as it is |
//! | with a byte order mark | read after it, with a warning |
//! | UTF-16, as PowerShell writes, with a byte order mark or without | converted, with a warning; offsets are those of the text in UTF-8 |
//! | UTF-16 with half a character | an error |
//! | gzip or zstd (feature `compression`) | decompressed, up to `compression::DEFAULT_MAX_BYTES`; offsets are those of the text |
//! | lines before the first `{`, as wrapper scripts print | taken for white space, with a warning; offsets stay true |
//! | lines after the document that are not another document | skipped, with a warning |

use super::foreign::explain;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::document::Document;
use crate::encoding::from_utf16;
use crate::event::ParseOptions;
use crate::source::Source;
use crate::span::Span;

/// The maximal offset of the document in its file, in bytes.
const LONGEST_PREFACE: usize = 64 * 1024;

/// Parses a document that a tool printed, and reports its deviations to the sink.
///
/// Use the skeleton depth of the expected document: [`Plan::DIFF_DEPTH`](super::Plan::DIFF_DEPTH),
/// [`State::DEPTH`](super::State::DEPTH), [`Schemas::DEPTH`](super::Schemas::DEPTH), or the
/// default.
///
/// A compressed source is decompressed first; call `compression::decompress` yourself for another
/// limit.
///
/// # Errors
/// The first syntax error, the reason why the source cannot be decompressed, or the kind of the
/// file if it is not a document ([`explain`]).
pub fn document<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    options: &ParseOptions,
    sink: &mut dyn Sink<'a>,
) -> Result<Document<'a>, Diagnostic<'a>> {
    #[cfg(feature = "compression")]
    let source = decompressed(arena, source)?;
    let (source, warning) = prepared(arena, source);
    let document = match Document::read(arena, source, options) {
        Ok(document) => document,
        Err(error) => {
            let Some(shorter) = without_trailing_text(arena, source, &error) else {
                return Err(explain(error));
            };
            let Ok(document) = Document::read(arena, shorter, options) else {
                return Err(explain(error));
            };
            let place = Label::new(source, error.span());
            sink.report(Diagnostic::new(Code::TextAfterDocument, place));
            document
        }
    };
    warning.into_iter().for_each(|warning| sink.report(warning));
    for diagnostic in document.diagnostics() {
        let is_mark = diagnostic.code() == Code::ByteOrderMark;
        let severity = if is_mark { Severity::Warning } else { diagnostic.severity() };
        sink.report(diagnostic.clone().with_severity(severity));
    }
    Ok(document)
}

/// The source up to lines that a wrapper script prints after the document. `None` if there are no
/// such lines, or if they may be another document.
fn without_trailing_text<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    error: &Diagnostic<'_>,
) -> Option<Source<'a>> {
    if error.code() != Code::ExtraneousData {
        return None;
    }
    let (document, rest) = source.bytes().split_at_checked(error.span().start as usize)?;
    let is_on_new_line = document[document.trim_ascii_end().len()..].contains(&b'\n');
    if !is_on_new_line || matches!(rest.first(), Some(b'{' | b'[' | b'"')) {
        return None;
    }
    Source::from_bytes(arena, source.name(), document).ok()
}

#[cfg(feature = "compression")]
fn decompressed<'a>(arena: &'a Arena, source: Source<'a>) -> Result<Source<'a>, Diagnostic<'a>> {
    use crate::compression::{DEFAULT_MAX_BYTES, decompress};
    decompress(arena, source, DEFAULT_MAX_BYTES).map_err(|error| {
        Diagnostic::new(Code::UnreadableFile, Label::new(source, Span::at(0)))
            .with_arguments(&[arena.str(&error.to_string())])
    })
}

/// The source itself, or a readable copy of it.
fn prepared<'a>(arena: &'a Arena, source: Source<'a>) -> (Source<'a>, Option<Diagnostic<'a>>) {
    let (source, converted) = in_utf8(arena, source);
    let (source, without) = without_preface(arena, source);
    (source, converted.or(without))
}

/// Converts a source in UTF-16 to UTF-8, and returns a warning with it. Other sources are returned
/// unchanged; the parser rejects those that are not UTF-8. Cost: reads two bytes; a conversion is
/// linear.
pub fn in_utf8<'a>(arena: &'a Arena, source: Source<'a>) -> (Source<'a>, Option<Diagnostic<'a>>) {
    // The parser reports a source that cannot be converted, as not UTF-8.
    let Some(text) = from_utf16(source.bytes()) else { return (source, None) };
    let Ok(converted) = Source::from_bytes(arena, source.name(), arena.str(&text).as_bytes())
    else {
        return (source, None);
    };
    let warning = Diagnostic::new(Code::ConvertedEncoding, Label::new(converted, Span::new(0, 0)));
    (converted, Some(warning))
}

fn without_preface<'a>(
    arena: &'a Arena,
    source: Source<'a>,
) -> (Source<'a>, Option<Diagnostic<'a>>) {
    let bytes = source.bytes();
    let start = if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) { 3 } else { 0 };
    let first = bytes[start..].iter().find(|byte| !byte.is_ascii_whitespace());
    if first.is_none_or(|byte| *byte == b'{') {
        return (source, None);
    }
    // The document must start at the start of a line.
    let window = &bytes[..bytes.len().min(LONGEST_PREFACE)];
    let Some(line) = memchr::memmem::find(window, b"\n{") else { return (source, None) };
    let mut blank = bytes.to_vec();
    for byte in &mut blank[..line] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    let bytes = arena.bump().alloc_slice_copy(&blank);
    match Source::from_bytes(arena, source.name(), bytes) {
        Ok(document) => {
            let place = Span::new(0, line as u32);
            (document, Some(Diagnostic::new(Code::TextBeforeDocument, Label::new(source, place))))
        }
        Err(_) => (source, None),
    }
}
