//! Names and keys in the format of addresses.

use std::fmt::{self, Write};

use unicode_normalization::char::is_combining_mark;

use crate::lexical::is_identifier;

/// Writes a text as a quoted string of native syntax.
pub(crate) struct Quoted<'t>(pub(crate) &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", Escaped(self.0))
    }
}

/// Writes the text between the quotes: quotes, backslashes, controls and the introducers of
/// templates are escaped.
pub(crate) struct Escaped<'t>(pub(crate) &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.chars().peekable();
        while let Some(character) = rest.next() {
            match character {
                '$' | '%' if rest.peek() == Some(&'{') => write!(f, "{character}{character}")?,
                _ => write_escaped(f, character)?,
            }
        }
        Ok(())
    }
}

/// Writes the text of a template in quotes: like [`Quoted`], but introducers are not escaped.
pub(crate) struct QuotedTemplate<'t>(pub(crate) &'t str);

impl fmt::Display for QuotedTemplate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.0.chars().try_for_each(|character| write_escaped(f, character))?;
        f.write_char('"')
    }
}

/// Writes a key of a value as a step of an address: an identifier after a dot, unless it is the
/// first; anything else quoted, in brackets.
pub(crate) fn write_name(f: &mut impl Write, name: &str, is_first: bool) -> fmt::Result {
    write_step(f, name, is_first, Quoted(name))
}

/// Like [`write_name`], for a name in configuration, which may be a template.
pub(crate) fn write_template_name(f: &mut impl Write, name: &str, is_first: bool) -> fmt::Result {
    write_step(f, name, is_first, QuotedTemplate(name))
}

fn write_step(
    f: &mut impl Write,
    name: &str,
    is_first: bool,
    quoted: impl fmt::Display,
) -> fmt::Result {
    if !is_identifier(name) {
        write!(f, "[{quoted}]")
    } else if is_first {
        f.write_str(name)
    } else {
        f.write_char('.')?;
        f.write_str(name)
    }
}

/// Writes a character of a quoted string.
fn write_escaped(f: &mut impl fmt::Write, character: char) -> fmt::Result {
    match character {
        '"' => f.write_str("\\\""),
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        _ if is_printable(character) => f.write_char(character),
        _ if u32::from(character) > 0xFFFF => write!(f, "\\U{:08x}", u32::from(character)),
        _ => write!(f, "\\u{:04x}", u32::from(character)),
    }
}

/// Whether the tools print a character without escaping it: like `Debug`, except for combining
/// marks.
fn is_printable(character: char) -> bool {
    match character {
        ' '..='~' => true,
        '\0'..='\u{9F}' => false,
        _ => is_combining_mark(character) || character.escape_debug().len() == 1,
    }
}
