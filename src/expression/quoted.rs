//! Expressions and blocks of native files as the equivalent JSON.

use std::borrow::Cow;

use super::search::has_introducer;
use super::written::{Key, Level, MapKey, literal_text, of_item};
use super::{Expression, Syntax, Written};
use crate::format;
use crate::hash::{HashMap, HashSet};
use crate::lexical::number_len;
use crate::native::{Kind, Native};
use crate::write::{Layout, push_string, to_string};

/// A part of a value that is still to be written.
enum Part<'a> {
    Text(&'static str),
    Key(Cow<'a, str>),
    Value(Written<'a>),
    /// An attribute, or the blocks of one type in one body.
    Items {
        values: Vec<Written<'a>>,
        is_list: bool,
    },
}

impl<'a> Expression<'a> {
    /// Returns the value as JSON on one line: the source of a JSON value, and the equivalent of a
    /// native one. Its objects and lists are written as such, its literals as those of JSON, other
    /// expressions as the string with a template. Nothing is evaluated. A block is the object in
    /// its labels. The blocks of one type in its body are a list, as in JSON without a schema them;
    /// one `dynamic` block, and its `content`, is an object.
    ///
    /// Cost: linear in its source.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let text = b"a = { (var.key) = [var.size, 1 + 1] }\n";
    /// let file = ParsedFile::native(&arena, Source::from_bytes(&arena, "a.tf", text)?);
    /// let a = file.body().just_attributes(&mut ())[0].expression();
    /// assert_eq!(a.to_json(), r#"{"${var.key}":["${var.size}","${1 + 1}"]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_json(self) -> String {
        if let Some(node) = self.as_json() {
            return to_string(Layout::Compact, |slot| slot.node(node));
        }
        let mut out = String::new();
        let mut work = vec![Part::Value(self.written)];
        while let Some(part) = work.pop() {
            let from = work.len();
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Key(key) => {
                    push_string(&mut out, &key);
                    out.push(':');
                }
                Part::Value(written) => match Self::new(written).syntax() {
                    Syntax::Json(node) => {
                        out.push_str(&to_string(Layout::Compact, |slot| slot.node(node)));
                    }
                    Syntax::Native(native) => push_native(native, &mut out, &mut work),
                    Syntax::Block(level) => push_level(level, &mut work),
                },
                Part::Items { values, is_list } => {
                    work.extend(is_list.then_some(Part::Text("[")));
                    for (place, value) in values.into_iter().enumerate() {
                        work.extend((place > 0).then_some(Part::Text(",")));
                        work.push(Part::Value(value));
                    }
                    work.extend(is_list.then_some(Part::Text("]")));
                }
            }
            // The first part is popped first.
            work.get_mut(from..).unwrap_or_default().reverse();
        }
        out
    }
}

impl<'a> MapKey<'a> {
    /// The decoded text; for a native key that is an expression or a template, the equivalent name
    /// in JSON: `${var.a}`. Cost: linear if it has escapes.
    #[must_use]
    pub fn to_str(self) -> &'a str {
        match self.0 {
            Key::Json(name) => name.to_str(),
            // A reference, such as a key of `providers`.
            Key::Native(key) if key.is(Kind::AmbiguousKey) => key.text(),
            Key::Native(key) => match literal_text(key) {
                Some(text) if !has_introducer(text.as_bytes()) => text,
                _ => match json_key(key) {
                    Cow::Borrowed(text) => text,
                    Cow::Owned(text) => key.source().arena().str(&text),
                },
            },
            Key::Row(handle) => handle.name(),
            Key::Label(_, label) => label.text,
        }
    }
}

/// Writes an expression, or pushes its parts.
fn push_native<'a>(native: Native<'a>, out: &mut String, work: &mut Vec<Part<'a>>) {
    if native.is(Kind::Tuple) {
        work.push(Part::Text("["));
        for (place, element) in native.operands().into_iter().enumerate() {
            work.extend((place > 0).then_some(Part::Text(",")));
            work.push(Part::Value(Written::native(element)));
        }
        work.push(Part::Text("]"));
        return;
    }
    if native.is(Kind::Object) {
        let operands = native.operands();
        let (items, _) = operands.as_chunks();
        if has_json_keys(items) {
            work.push(Part::Text("{"));
            for (place, &[key, value]) in items.iter().enumerate() {
                work.extend((place > 0).then_some(Part::Text(",")));
                work.push(Part::Key(json_key(key)));
                work.push(Part::Value(Written::native(value)));
            }
            work.push(Part::Text("}"));
            return;
        }
    }
    match json_scalar(native) {
        Some(text) => out.push_str(text),
        None => push_string(out, &json_template(native)),
    }
}

/// Pushes the parts of a block, or of the content of one of its labels.
fn push_level<'a>(level: Level<'a>, work: &mut Vec<Part<'a>>) {
    work.push(Part::Text("{"));
    if let Some(label) = level.labels_left().first() {
        work.push(Part::Key(label.text.into()));
        work.push(Part::Value(Written::level(level.below(1))));
    } else {
        let mut members: Vec<(&'a str, Vec<Written<'a>>)> = Vec::new();
        let mut places: HashMap<&'a str, usize> = HashMap::default();
        for item in level.body().items() {
            let name = item.handle().name();
            let place = *places.entry(name).or_insert_with(|| {
                members.push((name, Vec::new()));
                members.len() - 1
            });
            members[place].1.push(of_item(item));
        }
        for (place, (name, values)) in members.into_iter().enumerate() {
            work.extend((place > 0).then_some(Part::Text(",")));
            work.push(Part::Key(name.into()));
            let is_block = values.iter().any(|it| matches!(it, Written::Block { .. }));
            let is_known = matches!(name, "dynamic" | "content");
            let is_list = values.len() > 1 || is_block && !is_known;
            work.push(Part::Items { values, is_list });
        }
    }
    work.push(Part::Text("}"));
}

/// Whether an object can be one of JSON: no two keys are equal, and none may turn out to be. JSON
/// refuses equal keys; in native syntax the last one counts.
pub(crate) fn has_json_keys(items: &[[Native<'_>; 2]]) -> bool {
    let mut keys = HashSet::default();
    items
        .iter()
        .all(|&[key, _]| (items.len() == 1 || is_plain_key(key)) && keys.insert(json_key(key)))
}

/// Whether a key is literal text.
pub(crate) fn is_plain_key(key: Native<'_>) -> bool {
    literal_text(key).is_some() || json_scalar(key).is_some()
}

/// Returns a literal that JSON writes the same way: `null`, a boolean, or a number in JSON's
/// syntax.
pub(crate) fn json_scalar(native: Native<'_>) -> Option<&str> {
    let text = native.text();
    let is_scalar = native.is(Kind::Null)
        || native.is(Kind::True)
        || native.is(Kind::False)
        || (native.is(Kind::Number) || native.is(Kind::Negate))
            && number_len(text.as_bytes()).is_ok_and(|len| len == text.len());
    is_scalar.then_some(text)
}

/// Returns the equivalent template in a JSON string: the text of a string, or `${…}`.
pub(crate) fn json_template(native: Native<'_>) -> Cow<'_, str> {
    match literal_text(native) {
        Some(text) => literal_template(text),
        None => template_of(native).into(),
    }
}

/// Returns the equivalent name in a JSON object for the key of an object.
pub(crate) fn json_key(key: Native<'_>) -> Cow<'_, str> {
    let text = key.text();
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = key.is(Kind::True)
        || key.is(Kind::False)
        || key.is(Kind::Null)
        || is_digits && (text == "0" || !text.starts_with('0'));
    if is_plain { text.into() } else { json_template(key) }
}

/// Returns a native expression as the template of a JSON string.
fn template_of(mut native: Native<'_>) -> String {
    // Parentheses around the whole expression are redundant in an interpolation.
    while native.is(Kind::Parentheses)
        && let Some(inner) = native.operands().first()
    {
        native = *inner;
    }
    let text = native.text();
    let quoted = if native.is(Kind::Template) || native.is(Kind::Wrap) {
        // A heredoc must end with a line feed.
        format::template_pieces(&format!("{text}\n")).and_then(|pieces| joined(&pieces))
    } else {
        None
    };
    // The name that ends a heredoc stands alone on its line.
    let line_feed = if ends_with_heredoc(text) { "\n" } else { "" };
    quoted.unwrap_or_else(|| format!("${{{text}{line_feed}}}"))
}

/// Whether an expression may end with a heredoc.
fn ends_with_heredoc(text: &str) -> bool {
    let last = text.rsplit_once('\n').map(|(_, last)| last.trim());
    let is_name = |last: &str| last.chars().all(|c| c == '-' || unicode_ident::is_xid_continue(c));
    last.is_some_and(is_name) && text.contains("<<")
}

/// Joins the pieces of a native template to the text of a JSON string; `None` if an escape decodes
/// to a part of a sequence, or strip markers would take other spaces.
fn joined(pieces: &[format::Piece<'_>]) -> Option<String> {
    // Strip markers take the line breaks that are written as escapes; in JSON they take those of one
    // line only.
    let has_break = |piece: &format::Piece<'_>| matches!(piece, format::Piece::Quoted(text) if text.contains('\\'));
    let has_marker = |piece: &format::Piece<'_>| {
        matches!(piece, format::Piece::Verbatim(text)
            if text.starts_with("${~") || text.starts_with("%{~") || text.ends_with("~}"))
    };
    if pieces.iter().any(has_marker) && pieces.iter().any(has_break) {
        return None;
    }
    let mut text = String::new();
    for piece in pieces {
        match *piece {
            format::Piece::Quoted(quoted) => unescape(&mut text, quoted)?,
            format::Piece::Verbatim(verbatim) => text.push_str(verbatim),
        }
    }
    Some(text)
}

/// Appends literal text of a quoted string with its escapes decoded.
fn unescape(out: &mut String, quoted: &str) -> Option<()> {
    let mut rest = quoted;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes().get(at + 1)?;
        let (character, len) = match escape {
            b'n' => ('\n', 2),
            b'r' => ('\r', 2),
            b't' => ('\t', 2),
            b'"' => ('"', 2),
            b'\\' => ('\\', 2),
            b'u' | b'U' => {
                let len = if *escape == b'u' { 6 } else { 10 };
                let digits = rest.get(at + 2..at + len)?;
                (char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, len)
            }
            _ => return None,
        };
        if matches!(character, '$' | '%' | '{') {
            return None;
        }
        out.push(character);
        rest = &rest[at + len..];
    }
    out.push_str(rest);
    Some(())
}

/// Returns the template that evaluates to this literal text.
pub(crate) fn literal_template(text: &str) -> Cow<'_, str> {
    if text.contains("${") || text.contains("%{") {
        text.replace("${", "$${").replace("%{", "%%{").into()
    } else {
        text.into()
    }
}
