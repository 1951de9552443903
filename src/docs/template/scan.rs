//! Tokens of a template: text and actions, and the tokens of an action.

use std::borrow::Cow;

use super::failed::{Failed, failed};
use super::number::{fractional, whole};

/// A part of a template.
pub(super) enum Part<'t> {
    Text(&'t str),
    /// The bytes between the braces, without signs for trimming, and where they start.
    Action(&'t str, usize),
}

/// Splits a template into texts and actions. Comments are left out. Cost: linear.
pub(super) fn parts(text: &str) -> Result<Vec<Part<'_>>, Failed> {
    let mut parts = Vec::new();
    let mut at = 0;
    let mut is_trimmed = false;
    while at < text.len() {
        let open = text[at..].find("{{").map(|found| at + found);
        let mut plain = &text[at..open.unwrap_or(text.len())];
        if is_trimmed {
            plain = plain.trim_start_matches(is_space);
        }
        let Some(open) = open else {
            parts.push(Part::Text(plain));
            break;
        };
        let mut start = open + 2;
        let inside = &text.as_bytes()[start..];
        if inside.first() == Some(&b'-')
            && inside.get(1).is_some_and(|next| next.is_ascii_whitespace())
        {
            plain = plain.trim_end_matches(is_space);
            start += 2;
        }
        parts.push(Part::Text(plain));
        let begin = start + text[start..].len() - text[start..].trim_start_matches(is_space).len();
        let end = if text[begin..].starts_with("/*") {
            match text[begin..].find("*/") {
                Some(found) => {
                    let behind = begin + found + 2;
                    let rest = text[behind..].trim_start_matches(is_space);
                    if !rest.starts_with("}}") && !rest.starts_with("-}}") {
                        return failed(open, "a comment must be an action of its own");
                    }
                    behind
                }
                None => return failed(open, "the comment is not closed"),
            }
        } else {
            begin
                + length(&text[begin..]).ok_or(Failed { at: open, message: UNCLOSED.to_owned() })?
        };
        let close = text[end..].find("}}").map(|found| end + found);
        let Some(close) = close else { return failed(open, UNCLOSED) };
        is_trimmed = false;
        let mut content = &text[begin..close];
        if let Some(before) = content.strip_suffix('-')
            && (before.ends_with(is_space) || before.is_empty() && start > begin.saturating_sub(1))
        {
            content = before;
            is_trimmed = true;
        }
        if !content.starts_with("/*") {
            parts.push(Part::Action(content, begin));
        }
        at = close + 2;
    }
    Ok(parts)
}

const UNCLOSED: &str = "the action is not closed";

const fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\r' | '\n')
}

/// Returns the length of an action, up to the braces that close it: those in strings do not.
fn length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'}' if bytes.get(at + 1) == Some(&b'}') => return Some(at),
            quote @ (b'"' | b'\'') => at += quoted(&bytes[at..], quote)?,
            b'`' => at += 2 + memchr::memchr(b'`', &bytes[at + 1..])?,
            _ => at += 1,
        }
    }
    None
}

/// Returns the length of a quoted text.
fn quoted(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if *byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// A name: a keyword, a function, `true`, `false` or `nil`.
    Name(&'t str),
    /// A name behind a point, which has no space before it if it continues another token.
    Field(&'t str, bool),
    /// A name with a dollar sign.
    Variable(&'t str),
    Dot,
    Text(Cow<'t, str>),
    Int(i64),
    Float(f64),
    /// A sign: `|`, `(`, `)`, `,`, `=`, `:=`.
    Sign(&'static str),
}

/// Returns the tokens of an action, each with its place. Cost: linear.
pub(super) fn tokens(text: &str, start: usize) -> Result<Vec<(Token<'_>, usize)>, Failed> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut has_space = true;
    while let Some(char) = text[at..].chars().next() {
        let place = start + at;
        let rest = &text[at..];
        let (token, len) = match char {
            char if is_space(char) => {
                has_space = true;
                at += 1;
                continue;
            }
            '|' => (Token::Sign("|"), 1),
            '(' => (Token::Sign("("), 1),
            ')' => (Token::Sign(")"), 1),
            ',' => (Token::Sign(","), 1),
            ':' if rest.starts_with(":=") => (Token::Sign(":="), 2),
            '=' => (Token::Sign("="), 1),
            '.' => match word(&rest[1..]) {
                "" if rest[1..].starts_with(|char: char| char.is_ascii_digit()) => {
                    number(rest, place)?
                }
                "" => (Token::Dot, 1),
                name => (Token::Field(name, has_space), 1 + name.len()),
            },
            '$' => {
                let name = &rest[..1 + word(&rest[1..]).len()];
                (Token::Variable(name), name.len())
            }
            '"' => {
                let Some(len) = quoted(rest.as_bytes(), b'"') else {
                    return failed(place, "the string is not closed");
                };
                (Token::Text(unquoted(&rest[1..len - 1], place)?), len)
            }
            '\'' => {
                let Some(len) = quoted(rest.as_bytes(), b'\'') else {
                    return failed(place, "the character is not closed");
                };
                let text = unquoted(&rest[1..len - 1], place)?;
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(char), None) => (Token::Int(i64::from(u32::from(char))), len),
                    _ => return failed(place, "a character has one letter between its quotes"),
                }
            }
            '`' => {
                let Some(len) = rest[1..].find('`') else {
                    return failed(place, "the string is not closed");
                };
                (Token::Text(rest[1..=len].into()), len + 2)
            }
            '+' | '-' | '0'..='9' => number(rest, place)?,
            _ => match word(rest) {
                "" => return failed(place, format!("unexpected \"{char}\"")),
                name => (Token::Name(name), name.len()),
            },
        };
        tokens.push((token, place));
        at += len;
        has_space = false;
    }
    Ok(tokens)
}

fn word(text: &str) -> &str {
    let is_start = text.starts_with(|char: char| char.is_alphabetic() || char == '_');
    let end = text.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(text.len());
    if is_start { &text[..end] } else { "" }
}

fn number(text: &str, place: usize) -> Result<(Token<'_>, usize), Failed> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_');
    let sign = usize::from(text.starts_with(['+', '-']));
    let mut len = sign;
    while let Some(char) = text[len..].chars().next() {
        let is_exponent_sign = matches!(char, '+' | '-')
            && text[..len].ends_with(['e', 'E'])
            && !text[sign..].starts_with("0x");
        if !is_part(char) && !is_exponent_sign {
            break;
        }
        len += 1;
    }
    let written = &text[..len];
    let fail = |message: &str| Failed { at: place, message: message.to_owned() };
    if let Some(value) = whole(written).map_err(fail)? {
        return Ok((Token::Int(value), len));
    }
    // A name such as `inf` is not a number here.
    let is_fractional =
        written.contains(|char: char| char.is_ascii_digit()) && written.contains(['.', 'e', 'E']);
    match fractional(&written.replace('_', "")).map_err(fail)?.filter(|_| is_fractional) {
        Some(value) => Ok((Token::Float(value), len)),
        None => failed(place, format!("\"{}\" is not a number", &text[..len.max(1)])),
    }
}

/// Returns the text of a quoted string of Go.
fn unquoted(text: &str, place: usize) -> Result<Cow<'_, str>, Failed> {
    if !text.contains('\\') {
        return Ok(text.into());
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find('\\') {
        out.push_str(&rest[..found]);
        rest = &rest[found + 1..];
        let escape = rest.chars().next().unwrap_or_default();
        rest = &rest[escape.len_utf8().min(rest.len())..];
        let digits = match escape {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let code = rest.get(..digits).and_then(|it| u32::from_str_radix(it, 16).ok());
            let Some(char) = code.and_then(char::from_u32) else {
                return failed(place, "the escape in the string is not a character");
            };
            out.push(char);
            rest = &rest[digits..];
            continue;
        }
        out.push(match escape {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' | '"' | '\'' => escape,
            _ => return failed(place, format!("unknown escape \"\\{escape}\" in the string")),
        });
    }
    out.push_str(rest);
    Ok(out.into())
}
