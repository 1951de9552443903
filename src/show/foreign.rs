//! Recognizes files of another kind than the expected one.
//!
//! There are two functions. Both return an error `unexpected-document` that says what the file is
//! and which command reads it:
//!
//! * [`explain`] replaces the syntax error of a file that is not a JSON document.
//! * [`as_configuration`] rejects a JSON document of another kind where a configuration file is
//!   expected.

use std::path::Path;

use super::address::Address;
use super::kind::DocumentKind;
use super::log::is_event_log;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::document::Document;
use crate::source::Source;
use crate::span::Span;

/// The number of bytes examined to recognise the output of a tool.
const WINDOW: usize = 4096;

/// The starts of first lines that the tools print for people, without colours, frames and the name
/// of the tool.
const PRINTED: &[&str] = &[
    "used the selected providers to generate",
    "will perform the following actions",
    "planned the following actions",
    "has been successfully initialized",
    "has compared your real infrastructure",
    "No changes.",
    "Error: ",
    "Warning: ",
    "Note: Objects have changed outside of",
    "An execution plan has been generated",
    "Changes to Outputs:",
    "Plan: ",
    "Apply complete!",
    "Destroy complete!",
    "Success! The configuration is valid",
    "Acquiring state lock",
    "Initializing ",
    "Refreshing state",
    "Running plan in ",
    "The state file is empty",
    "No state.",
];

/// Names the kind of a file that is not a JSON document, if it is recognized; otherwise returns the
/// syntax error itself. Cost: reads the first comments and the first line, or 4 KiB.
#[must_use]
pub fn explain(error: Diagnostic<'_>) -> Diagnostic<'_> {
    let source = error.source();
    let bytes = source.bytes();
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
    let start = source.bytes().len() - bytes.trim_ascii_start().len();
    let kind = if let Some(kind) = DocumentKind::of_name(source.name()) {
        Some(kind)
    } else if error.code() == Code::ExtraneousData {
        is_event_log(bytes).then_some(DocumentKind::Message)
    } else if error.span().start as usize == start || bytes.starts_with(b"PK\x03\x04") {
        DocumentKind::of_text(bytes)
    } else {
        None
    };
    match kind {
        Some(kind) => unexpected(kind, "a JSON document", error.span(), source),
        None => error,
    }
}

/// The document, or an error if it is certainly not a configuration file. With `is_packer`,
/// Packer's own rules report a template from before HCL. Cost: one pass over the members of the
/// root.
pub(crate) fn as_configuration(
    document: Document<'_>,
    is_packer: bool,
) -> Result<Document<'_>, Diagnostic<'_>> {
    let root = document.root();
    match DocumentKind::instead_of_configuration(root) {
        None => Ok(document),
        Some(DocumentKind::LegacyTemplate) if is_packer => Ok(document),
        Some(kind) => {
            Err(unexpected(kind, "a configuration file", root.start_span(), root.source()))
        }
    }
}

fn unexpected<'a>(
    kind: DocumentKind,
    expected: &'static str,
    place: Span,
    source: Source<'a>,
) -> Diagnostic<'a> {
    let place = Label::new(source, place);
    if kind == DocumentKind::Encrypted {
        return Diagnostic::new(Code::EncryptedDocument, place);
    }
    let arguments = [kind.name(), expected, kind.advice()];
    Diagnostic::new(Code::UnexpectedDocument, place).with_arguments(&arguments)
}

impl DocumentKind {
    /// The kind of a file that is not JSON by its name; `None` if the name says nothing.
    fn of_name(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "rst" | "adoc" => Some(Self::Prose),
            "yaml" | "yml" => Some(Self::Yaml),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }

    /// The kind of a text that is not a JSON document, by its start; `None` if it is not
    /// recognized. Cost: reads the first comments and the first line, or 4 KiB.
    #[must_use]
    pub fn of_text(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"PK\x03\x04") {
            return Some(Self::PlanFile);
        }
        let text = bytes.trim_ascii_start();
        if text.first() == Some(&b'<')
            && text.get(1).is_some_and(|next| b"!?/".contains(next) || next.is_ascii_alphabetic())
        {
            return Some(Self::Page);
        }
        if is_printed(text) {
            return Some(Self::ToolOutput);
        }
        is_native(text).then_some(Self::NativeSyntax)
    }
}

/// Whether a text is output of the tools for people.
fn is_printed(text: &[u8]) -> bool {
    let window = String::from_utf8_lossy(&text[..text.len().min(WINDOW)]);
    let mut lines = window.lines().map(plain);
    let Some(line) = lines.find(|line| !line.is_empty()) else { return false };
    let line = line.strip_prefix("Terraform ").or(line.strip_prefix("OpenTofu ")).unwrap_or(&line);
    if PRINTED.iter().any(|start| line.starts_with(start)) {
        return true;
    }
    // `aws_instance.a: Refreshing state... [id=i-1]`, `aws_instance.a: Creating...`
    let is_address = |text: &str| Address::parse(text).is_ok_and(|it| it.resource.is_some());
    if let Some((address, progress)) = line.split_once(": ") {
        return progress.contains("...") && is_address(address);
    }
    // `show` starts each resource with a comment: `# aws_instance.a:`, `# aws_instance.a:
    // (tainted)`.
    line.strip_prefix("# ").and_then(|line| line.strip_suffix(':')).is_some_and(is_address)
}

/// A line without escape sequences for colours, and without the frame of a message.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((text, sequence)) = rest.split_once("\u{1b}[") {
        plain.push_str(text);
        rest = sequence.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = rest.get(1..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain.trim_matches(|c: char| c.is_whitespace() || "╷│╵─".contains(c)).to_owned()
}

/// Whether a text starts with a block or an argument of native syntax, after comments.
fn is_native(text: &[u8]) -> bool {
    let Some(text) = without_comments(text) else { return false };
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(mut rest) = without_name(line) else { return false };
    let mut has_labels = false;
    loop {
        rest = rest.trim_ascii_start();
        match rest {
            [b'{', ..] => return true,
            [b'=', b'=' | b'>' | b'~', ..] => return false,
            [b'=', ..] => return !has_labels,
            [b'"', label @ ..] => {
                let Some(end) = memchr::memchr(b'"', label) else { return false };
                rest = &label[end + 1..];
            }
            _ => match without_name(rest) {
                Some(after) => rest = after,
                None => return false,
            },
        }
        has_labels = true;
    }
}

/// The text after leading white space and comments; `None` if a comment does not end.
fn without_comments(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = text.trim_ascii_start();
        text = match text {
            [b'#', ..] | [b'/', b'/', ..] => &text[memchr::memchr(b'\n', text)?..],
            [b'/', b'*', inner @ ..] => &inner[memchr::memmem::find(inner, b"*/")? + 2..],
            _ => return Some(text),
        };
    }
}

/// The text after a leading name; `None` if it does not start with a name.
fn without_name(text: &[u8]) -> Option<&[u8]> {
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let is_next = |byte: u8| is_first(byte) || byte.is_ascii_digit() || byte == b'-';
    text.first().copied().filter(|&byte| is_first(byte))?;
    let end = text.iter().position(|&byte| !is_next(byte)).unwrap_or(text.len());
    Some(&text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Option<DocumentKind> {
        DocumentKind::of_text(text.as_bytes())
    }

    #[test]
    fn native_syntax_is_recognised() {
        for text in [
            "resource \"aws_instance\" \"a\" {\n}\n",
            "# comment\n\n// more\nterraform {\n  required_version = \"1\"\n}",
            "/* c\n c */ variable \"x\" {}",
            "locals {",
            "region = \"eu\"",
            "a=1",
            "\n\nmodule vpc {",
        ] {
            assert_eq!(kind(text), Some(DocumentKind::NativeSyntax), "{text}");
        }
    }

    #[test]
    fn what_tools_print_is_recognised() {
        for text in [
            "\nTerraform used the selected providers to generate the following execution plan.",
            "\u{1b}[1m\u{1b}[31mError: \u{1b}[0mInvalid",
            "╷\n│ Error: Invalid\n│\n",
            "\u{1b}[31m╷\u{1b}[0m\u{1b}[0m\n\u{1b}[31m│\u{1b}[0m \u{1b}[0m\u{1b}[1m\u{1b}[31mError: \u{1b}[0mNo",
            "No changes. Your infrastructure matches the configuration.",
            "aws_instance.a[0]: Refreshing state... [id=i-1]",
            "module.m[\"k\"].data.aws_ami.a: Reading...",
            "# aws_instance.a:\nresource \"aws_instance\" \"a\" {",
            "OpenTofu will perform the following actions:",
        ] {
            assert_eq!(kind(text), Some(DocumentKind::ToolOutput), "{text}");
        }
        assert_eq!(kind("<!DOCTYPE html>"), Some(DocumentKind::Page));
        assert_eq!(kind("<?xml version=\"1.0\"?>"), Some(DocumentKind::Page));
        assert_eq!(kind("PK\u{3}\u{4}"), Some(DocumentKind::PlanFile));
    }

    #[test]
    fn other_texts_are_not() {
        for text in [
            "",
            "tru",
            "nan",
            "// comment\n{\"a\": 1}",
            "# only a comment",
            "/* unclosed",
            "a: 1\nb: 2",
            "---\nresource:\n",
            "a == 1",
            "a => 1",
            "x \"y",
            "module.exports = {",
            "<",
            "<<<<<<< HEAD",
            "var x = {",
            "\u{1b}[",
            "#",
            "Error",
        ] {
            assert_eq!(kind(text), None, "{text}");
        }
    }
}
