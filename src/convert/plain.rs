//! Strings of JSON whose native text is known without parsing it: most strings of real files.

use super::text::push_escaped;
use super::walk::JsonArgument;
use crate::dialect::Reading;
use crate::lexical::identifier_len;
use crate::value::{is_heredoc, needs_escape};

/// A string as native syntax has it. See [`JsonArgument::as_plain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonText<'a> {
    /// A text in quotes. All that it has besides characters are references in `${…}`.
    Quoted(&'a str),
    /// A reference: names, with dots or constant indexes.
    Reference(&'a str),
}

impl JsonText<'_> {
    /// Appends the native text. Cost: linear in it.
    pub fn push_native(self, out: &mut String) {
        let text = match self {
            Self::Reference(text) => return out.push_str(text),
            Self::Quoted(text) => text,
        };
        out.push('"');
        let mut rest = text;
        while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"${") {
            let end = at + sequence_len(&rest[at..]).unwrap_or(rest.len() - at);
            push_escaped(out, &rest[..at]);
            out.push_str(&rest[at..end]);
            rest = &rest[end..];
        }
        push_escaped(out, rest);
        out.push('"');
    }
}

impl<'a> JsonArgument<'a> {
    /// The text of a string, if it is a reference, or characters and references: what needs no parser.
    /// `None` for all others, among them control characters, `$${` and what becomes a heredoc. Its
    /// native text is that of [`to_native`](Self::to_native). Cost: linear in the text.
    #[must_use]
    pub fn as_plain(self) -> Option<JsonText<'a>> {
        let string = self.node.as_string()?;
        let text = string.to_str();
        if self.reading == Reading::Bare {
            return is_reference(text).then_some(JsonText::Reference(text));
        }
        if self.is_whole && text.ends_with('\n') && is_heredoc(text) || !has_plain_characters(text)
        {
            return None;
        }
        if !string.may_be_template() {
            return Some(JsonText::Quoted(text));
        }
        if self.reading != Reading::Template || has_before_brace(text, b'%') {
            return None;
        }
        let mut rest = text;
        while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"${") {
            if at > 0 && rest.as_bytes()[at - 1] == b'$' {
                return None;
            }
            let len = sequence_len(&rest[at..])?;
            if len == text.len() {
                return Some(JsonText::Reference(&text[2..len - 1]));
            }
            rest = &rest[at + len..];
        }
        Some(JsonText::Quoted(text))
    }
}

/// Whether native syntax has each character as it is, or with an escape of two characters.
fn has_plain_characters(text: &str) -> bool {
    // Without a branch in the loop, it is vectorised.
    let is_other = |byte: u8| !(b' '..0x7F).contains(&byte);
    if !text.bytes().fold(false, |found, byte| found | is_other(byte)) {
        return true;
    }
    text.chars().all(|it| matches!(it, '\n' | '\r' | '\t') || !needs_escape(it))
}

fn has_before_brace(text: &str, sign: u8) -> bool {
    memchr::memmem::find(text.as_bytes(), &[sign, b'{']).is_some()
}

/// The length of the interpolation at the start of a text, if it is a reference.
fn sequence_len(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("${")?;
    let len = inside.find('}')?;
    is_reference(&inside[..len]).then_some(len + 3)
}

/// Whether a text is names, with dots or constant indexes. A name that is a keyword somewhere does not
/// start one.
fn is_reference(text: &str) -> bool {
    let first = identifier_len(text);
    if matches!(&text[..first], "" | "true" | "false" | "null" | "for" | "in" | "if") {
        return false;
    }
    let mut rest = &text[first..];
    while let Some(sign) = rest.bytes().next() {
        let len = match sign {
            b'.' => match identifier_len(&rest[1..]) {
                0 => return false,
                len => 1 + len,
            },
            b'[' => match index_len(rest) {
                Some(len) => len,
                None => return false,
            },
            _ => return false,
        };
        rest = &rest[len..];
    }
    true
}

/// The length of an index in brackets at the start of a text: digits, or a key without escapes.
fn index_len(text: &str) -> Option<usize> {
    let len = text.find(']')?;
    let index = text[..len].strip_prefix('[')?;
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    let key = index.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_key = key.is_some_and(|key| {
        let is_plain =
            |byte| matches!(byte, b' '..b'\x7F') && !matches!(byte, b'"' | b'\\' | b'$' | b'%');
        key.bytes().all(is_plain)
    });
    (is_number || is_key).then_some(len + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use crate::document::Document;
    use crate::write::push_string;

    /// Texts of every kind, and mixtures of them.
    fn texts() -> Vec<String> {
        let parts = [
            "",
            "a",
            "é",
            "\"",
            "\\",
            "\n",
            "\t",
            "\u{7}",
            "\u{7f}",
            "\u{2028}",
            "${a}",
            "${a.b}",
            "${a.b[0].c}",
            "${a[\"x y\"].c}",
            "${a[\"}\"]}",
            "${ a.b }",
            "${a.b * 2}",
            "${true}",
            "${for}",
            "${a.0}",
            "${a.1.2}",
            "${a.*.b}",
            "${a[*].b}",
            "${a-b.c-d}",
            "${1}",
            "$${a}",
            "%{if a}b%{endif}",
            "%",
            "$",
            "{",
            "}",
            "${a",
            "a.b",
            "true",
            "null",
            "for",
            "string",
            "é.b",
            "${é.b}",
        ];
        let pairs =
            parts.iter().flat_map(|left| parts.iter().map(move |right| format!("{left}{right}")));
        pairs.chain(parts.iter().map(|part| format!("x\n{part}\n"))).collect()
    }

    #[test]
    fn plain_texts_are_those_of_the_parser() {
        let mut plain = 0;
        for text in texts() {
            let mut json = String::new();
            push_string(&mut json, &text);
            let arena = Arena::new();
            let document = Document::parse_bytes(&arena, "a.json", json.as_bytes()).unwrap();
            for reading in [Reading::Template, Reading::Literal, Reading::Bare] {
                for is_whole in [true, false] {
                    let argument = JsonArgument { node: document.root(), reading, is_whole };
                    let Some(found) = argument.as_plain() else { continue };
                    plain += 1;
                    let mut native = String::new();
                    found.push_native(&mut native);
                    let mut errors = Vec::new();
                    assert_eq!(native, argument.to_native(&mut errors), "{text:?} {reading:?}");
                    assert!(errors.is_empty(), "{text:?}");
                }
            }
        }
        assert!(plain > 1000, "{plain}");
    }
}
