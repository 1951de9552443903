//! New texts in native syntax, with the line ends and the indentation of a file.
//!
//! The lines of a heredoc are a part of its value, with their line ends and their indentation.

use std::ops::Range;

use super::refusal::Refusal;
use crate::arena::Arena;
use crate::format::{TokenKind, tokens};
use crate::native::{Construct, Native};
use crate::source::Source;
use crate::value::quote;

/// The text of a value or a block with the line ends of a file. A heredoc whose lines end otherwise
/// becomes a string in quotes with the same value.
///
/// # Errors
/// Such a heredoc cannot be a string in quotes, because it has directives or other heredocs.
pub(super) fn with_line_ends(text: &str, newline: &str) -> Result<String, Refusal> {
    if !text.contains('\n') {
        return Ok(text.to_owned());
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for heredoc in heredocs(text) {
        push_lines(&mut out, &text[at..heredoc.start], newline);
        at = heredoc.end;
        let heredoc = &text[heredoc];
        match has_line_ends(heredoc, newline) {
            true => out.push_str(heredoc),
            false => out.push_str(&quoted(heredoc, newline).ok_or(Refusal::Heredoc)?),
        }
    }
    push_lines(&mut out, &text[at..], newline);
    Ok(out)
}

/// The text with this indentation of its lines after the first one, but for those of heredocs.
pub(super) fn indented(text: &str, indent: &str) -> String {
    reindented(text, "", indent)
}

/// The text with another indentation of its lines after the first one, but for those of heredocs.
pub(crate) fn reindented(text: &str, from: &str, to: &str) -> String {
    if from == to || !text.contains('\n') {
        return text.to_owned();
    }
    let mut heredocs = heredocs(text).into_iter().peekable();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        while heredocs.next_if(|heredoc| heredoc.end <= at).is_some() {}
        let is_inside = heredocs.peek().is_some_and(|heredoc| heredoc.start < at);
        let is_moved = at > 0 && !is_inside && !line.trim_end_matches(['\r', '\n']).is_empty();
        at += line.len();
        match is_moved {
            true => {
                out.push_str(to);
                out.push_str(
                    line.strip_prefix(from).unwrap_or(line.trim_start_matches([' ', '\t'])),
                );
            }
            false => out.push_str(line),
        }
    }
    out
}

/// The bytes of the heredocs of a text that are not in another one.
fn heredocs(text: &str) -> Vec<Range<usize>> {
    if !text.contains("<<") {
        return Vec::new();
    }
    // The name of the last one may end the text.
    let with_end = format!("{text}\n");
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for token in tokens(&with_end) {
        match token.kind() {
            TokenKind::HeredocOpen => open.push(token.start()),
            TokenKind::HeredocClose => {
                if let Some(start) = open.pop().filter(|_| open.is_empty()) {
                    found.push(start..token.end().min(text.len()));
                }
            }
            _ => {}
        }
    }
    found
}

fn push_lines(out: &mut String, text: &str, newline: &str) {
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                out.push_str(line.strip_suffix('\r').unwrap_or(line));
                out.push_str(newline);
            }
            None => out.push_str(line),
        }
    }
}

fn has_line_ends(text: &str, newline: &str) -> bool {
    let ends = memchr::memmem::find_iter(text.as_bytes(), newline).count();
    let returns = memchr::memchr_iter(b'\r', text.as_bytes()).count();
    let is_pair = newline.starts_with('\r');
    ends == memchr::memchr_iter(b'\n', text.as_bytes()).count() && (is_pair || returns == 0)
}

/// The string in quotes with the value of a heredoc.
fn quoted(heredoc: &str, newline: &str) -> Option<String> {
    let arena = Arena::new();
    let text = format!("({heredoc}\n)");
    let source = Source::copy_from(&arena, "heredoc", text.as_bytes()).ok()?;
    let native = Native::expression(&arena, source, &mut ()).inner();
    let parts = match native.construct() {
        Construct::Template(parts) => parts,
        Construct::Text(_) => vec![native],
        _ => return None,
    };
    let mut sequences = sequences(heredoc)?.into_iter();
    let mut out = String::from("\"");
    for part in parts {
        match part.as_text() {
            Some(text) => {
                let mut piece = String::new();
                // Writing to a string does not fail.
                let _ = quote(text, &mut piece);
                out.push_str(piece.strip_prefix('"')?.strip_suffix('"')?);
            }
            None => {
                out.push_str("${");
                push_lines(&mut out, sequences.next()?, newline);
                out.push('}');
            }
        }
    }
    out.push('"');
    sequences.next().is_none().then_some(out)
}

/// The expressions of the interpolations of a heredoc. `None` if it has directives or other heredocs.
fn sequences(heredoc: &str) -> Option<Vec<&str>> {
    let with_end = format!("{heredoc}\n");
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for (place, token) in tokens(&with_end).iter().enumerate() {
        match token.kind() {
            TokenKind::HeredocOpen if place > 0 => return None,
            TokenKind::Directive if open.is_empty() => return None,
            TokenKind::Interpolation | TokenKind::Directive => open.push(token.end()),
            TokenKind::SequenceEnd => {
                if let Some(start) = open.pop().filter(|_| open.is_empty()) {
                    found.push(heredoc.get(start..token.start())?);
                }
            }
            _ => {}
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heredocs_keep_their_values() {
        let cases = [
            ("<<EOT\na \"b\" \\\n$${c}\nEOT", r#""a \"b\" \\\n$${c}\n""#),
            ("<<-EOT\n    a\n      b\n  EOT", r#""a\n  b\n""#),
            ("<<EOT\n  a ${ b } c\n${~ d ~}\n e\nEOT", r#""  a ${ b } c${ d } e\n""#),
            ("<<EOT\n${[for x in y : \"${x}\"]}\nEOT", r#""${[for x in y : "${x}"]}\n""#),
            ("<<EOT\nEOT", r#""""#),
        ];
        for (heredoc, expected) in cases {
            let text = with_line_ends(&format!("{{\n  a = {heredoc}\n}}"), "\r\n").unwrap();
            assert_eq!(text, format!("{{\r\n  a = {expected}\r\n}}"), "{heredoc}");
            assert_eq!(with_line_ends(heredoc, "\n").as_deref(), Ok(heredoc));
            let crlf = heredoc.replace('\n', "\r\n");
            assert_eq!(with_line_ends(&crlf, "\r\n"), Ok(crlf));
        }
        let crlf = with_line_ends("[<<EOT\r\na\r\nEOT\r\n]", "\n");
        assert_eq!(crlf.as_deref(), Ok("[\"a\\r\\n\"\n]"));
        for heredoc in ["<<EOT\n%{ if a }b%{ endif }\nEOT", "<<EOT\n${<<X\na\nX\n}\nEOT"] {
            assert_eq!(with_line_ends(heredoc, "\r\n"), Err(Refusal::Heredoc), "{heredoc}");
        }
    }

    #[test]
    fn lines_of_heredocs_are_not_indented() {
        let text = "a {\n  b = <<EOT\nc\n\nEOT\n\n  d = 1\n}";
        assert_eq!(indented(text, "  "), "a {\n    b = <<EOT\nc\n\nEOT\n\n    d = 1\n  }");
        assert_eq!(indented(text, ""), text);
        assert_eq!(reindented("{\n    a = 1\n\n  }", "  ", ""), "{\n  a = 1\n\n}");
        // A line with less indentation gets the new one alone.
        assert_eq!(reindented("[\n a,\n  ]", "  ", "\t"), "[\n\ta,\n\t]");
    }
}
