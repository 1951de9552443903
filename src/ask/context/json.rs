//! The blocks and the value around an offset of a JSON document.
//!
//! The text before the offset is read byte by byte, with a stack of open containers. Nothing after
//! the offset is read, and errors are passed over, so an unfinished document has the answers of its
//! first part.

use super::frame::{Around, Header, Spot, Value, word_at};
use super::native;
use crate::dialect::{Grammar, Reading};

/// An open container.
#[derive(Debug)]
struct Frame {
    is_object: bool,
    /// The name of the member that is being read.
    key: Option<String>,
    /// Whether the value of a member is read.
    is_value: bool,
}

/// Returns the context of an offset of a JSON document, whose bodies have a grammar.
///
/// Cost: linear in the offset.
pub(super) fn around(bytes: &[u8], offset: u32, grammar: Grammar) -> Around {
    let before = &bytes[..bytes.len().min(offset as usize)];
    let mut frames: Vec<Frame> = Vec::new();
    let mut at = 0;
    let mut open_string = None;
    while let Some(&byte) = before.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => {
                frames.push(Frame { is_object: byte == b'{', key: None, is_value: false });
            }
            b'}' | b']' => {
                frames.pop();
            }
            b',' => {
                if let Some(frame) = frames.last_mut() {
                    (frame.key, frame.is_value) = (None, false);
                }
            }
            b':' => {
                if let Some(frame) = frames.last_mut() {
                    frame.is_value = true;
                }
            }
            b'"' => {
                let start = at;
                let Some(end) = string_end(before, start) else {
                    open_string = Some(start);
                    break;
                };
                at = end + 1;
                if let Some(frame) = frames.last_mut().filter(|it| it.is_object && !it.is_value) {
                    frame.key = Some(decoded(&before[start..end]));
                }
            }
            _ => {}
        }
    }
    let mut path: Vec<String> = Vec::new();
    let count = frames.len();
    let mut is_key = false;
    for (place, frame) in frames.into_iter().enumerate() {
        if !frame.is_object {
            continue;
        }
        let is_last = place + 1 == count;
        is_key = is_last && !frame.is_value;
        if frame.is_value {
            path.extend(frame.key);
        }
    }
    let text = open_string.map(|start| decoded(&before[start..]));
    let word = word_at(bytes, offset);
    place(path, is_key, text, word, grammar)
}

/// The end of a string: the place of its closing quote.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            // A string ends with its line: the quote was forgotten.
            b'\n' => return Some(at),
            _ => at += 1,
        }
    }
}

/// The text of a string, or of its first part. Escapes that are not valid are left out.
fn decoded(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    let mut text = String::with_capacity(raw.len());
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('u') => {
                let digits: String = characters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                text.extend(code);
            }
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}

/// Divides the names of members into blocks, an argument and the keys in its value.
fn place(
    path: Vec<String>,
    is_key: bool,
    text: Option<String>,
    word: crate::span::Span,
    mut grammar: Grammar,
) -> Around {
    let is_quoted = text.is_some();
    let mut blocks: Vec<Header> = Vec::new();
    let mut names = path.into_iter();
    while let Some(name) = names.next() {
        let Some((labels, inner)) = grammar.block(&name) else {
            let rest: Vec<String> = names.collect();
            let reading = grammar.reading(&name);
            return value(blocks, (name, rest), is_key, text, word, reading);
        };
        let mut header = Header { block_type: name, labels: Vec::new() };
        for at in 0..labels {
            let Some(label) = names.next() else {
                let spot = if is_key { Spot::Label(header, at) } else { Spot::Nothing };
                return Around { blocks, spot, word, is_quoted };
            };
            header.labels.push(label);
        }
        blocks.push(header);
        grammar = inner;
    }
    let spot = if is_key { Spot::Item } else { Spot::Nothing };
    Around { blocks, spot, word, is_quoted }
}

fn value(
    blocks: Vec<Header>,
    (argument, path): (String, Vec<String>),
    is_key: bool,
    text: Option<String>,
    word: crate::span::Span,
    reading: Reading,
) -> Around {
    let is_quoted = text.is_some();
    if is_key {
        let value = Value { argument, path, is_key, ..Value::default() };
        return Around { blocks, spot: Spot::Value(value), word, is_quoted };
    }
    let mut value = match text {
        Some(text) if reading != Reading::Literal => {
            native::value_around(&text, &argument, reading != Reading::Bare)
        }
        // Only a template in quotes can refer to anything.
        _ => Value { is_text: reading != Reading::Bare, ..Value::default() },
    };
    value.argument = argument;
    value.path = path.into_iter().chain(value.path).collect();
    Around { blocks, spot: Spot::Value(value), word, is_quoted }
}
