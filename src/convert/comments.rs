//! Comments of both syntaxes, and whether a conversion keeps them.

use crate::diagnostic::Label;
use crate::format::{TokenKind, tokens};
use crate::hash::HashSet;
use crate::json::{JsonValue, Node};
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;
use crate::structure::FileAttribute;

/// Returns the comments of a file that its conversion does not have. A comment is kept if each of its
/// lines is a line of a comment of the other file, or is in a text there.
///
/// ```
/// use simd_hcl::convert::lost_comments;
/// use simd_hcl::{Arena, Document, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = [\n  1, # one\n]\n")?;
/// let file = ParsedFile::native(&arena, source);
/// let mut lost = |json: &'static str| {
///     let document = Document::parse_bytes(&arena, "main.tf.json", json.as_bytes()).unwrap();
///     lost_comments(file, ParsedFile::json(document)).len()
/// };
/// assert_eq!(lost(r#"{"//": "one", "a": [1]}"#), 0);
/// assert_eq!(lost(r#"{"a": [1]}"#), 1);
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
///
/// Cost: linear in both files; if a line is not found as a whole, linear in the texts of the
/// conversion.
#[must_use]
pub fn lost_comments<'a>(source: ParsedFile<'a>, converted: ParsedFile<'_>) -> Vec<Label<'a>> {
    let mut comments: Vec<(Label<'a>, String)> = Vec::new();
    visit(source, &mut |label, text, is_comment| {
        if is_comment {
            comments.push((label, text.to_owned()));
        }
    });
    if comments.is_empty() {
        return Vec::new();
    }
    let mut lines: HashSet<String> = HashSet::default();
    visit(converted, &mut |_, text, _| lines.extend(lines_of(text).map(str::to_owned)));
    let is_within = |line: &str| {
        let mut is_found = false;
        visit(converted, &mut |_, text, _| is_found |= text.contains(line));
        is_found
    };
    let is_kept = |text: &str| lines_of(text).all(|line| lines.contains(line) || is_within(line));
    comments.into_iter().filter(|(_, text)| !is_kept(text)).map(|(label, _)| label).collect()
}

/// The lines of a comment or a text that say something, without what makes them comments.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |character: char| character.is_whitespace() || "#/*".contains(character);
    text.lines().map(move |line| line.trim_matches(is_around)).filter(|line| !line.is_empty())
}

/// Visits the comments of a file, and the texts of one in JSON.
fn visit<'a>(file: ParsedFile<'a>, visit: &mut dyn FnMut(Label<'a>, &str, bool)) {
    match (file.as_native(), file.as_json()) {
        (Some(file), _) => {
            for comment in file.comments() {
                visit(Label::new(file.body().source(), comment.span()), comment.text(), true);
            }
            for attribute in file.attributes() {
                in_attribute(attribute, visit);
            }
        }
        (_, Some(document)) => in_json(document.root(), visit),
        _ => {}
    }
}

/// Visits the comments in the expression of an attribute.
fn in_attribute<'a>(attribute: FileAttribute<'a>, visit: &mut dyn FnMut(Label<'a>, &str, bool)) {
    let text = attribute.text();
    if !may_have_comments(text) {
        return;
    }
    let start = attribute.value_span().start;
    for token in tokens(&format!("{text}\n")) {
        if token.kind() == TokenKind::Comment {
            let from = start + token.start() as u32;
            let span = Span::new(from, from + token.text().len() as u32);
            visit(Label::new(attribute.source(), span), token.text(), true);
        }
    }
}

/// Visits the members `"//"` of a value as comments, and its texts.
fn in_json<'a>(root: Node<'a>, visit: &mut dyn FnMut(Label<'a>, &str, bool)) {
    let mut work = vec![(root, false)];
    while let Some((node, is_comment)) = work.pop() {
        match node.value() {
            JsonValue::Object(object) => {
                work.extend(object.members().map(|it| (it.value(), it.name().is("//"))));
            }
            JsonValue::Array(array) => work.extend(array.elements().map(|it| (it, false))),
            JsonValue::String(text) => visit(node.start_label(), text.to_str(), is_comment),
            _ => {}
        }
    }
}

/// Whether a text has what begins a comment, maybe within strings.
pub(super) fn may_have_comments(text: &str) -> bool {
    memchr::memchr(b'#', text.as_bytes()).is_some()
        || memchr::memchr_iter(b'/', text.as_bytes())
            .any(|at| matches!(text.as_bytes().get(at + 1), Some(b'/' | b'*')))
}

/// Finds comments between the parts of an object or a tuple: no string is there.
pub(super) fn between<'a>(source: Source<'a>, span: Span, found: &mut Vec<(u32, &'a str)>) {
    let Ok(text) = str::from_utf8(span.slice(source.bytes())) else { return };
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let len = match rest.as_bytes() {
            [b'#', ..] | [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => rest.find("*/").map_or(rest.len(), |end| end + "*/".len()),
            _ => {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
        };
        found.push((span.start + at as u32, &rest[..len]));
        at += len;
    }
}
