//! Markup that differs between Markdown and AsciiDoc.

use std::fmt::Write as _;

use super::page::Page;
use super::text;

/// A markup language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    Markdown,
    Asciidoc,
}

impl Markup {
    /// Returns the name of something, which links to itself.
    pub(super) fn anchor(self, page: &Page<'_>, kind: &str, name: &str) -> String {
        let shown = text::name(name, page.style());
        if !page.settings.anchor {
            return shown.into_owned();
        }
        let anchor = format!("{kind}_{name}");
        let target = text::name(&anchor, page.style());
        match self {
            Self::Markdown => format!("<a name=\"{anchor}\"></a> [{shown}](#{target})"),
            Self::Asciidoc => format!("[[{target}]] <<{target},{shown}>>"),
        }
    }

    /// Returns a text that links to a page, if there is one.
    pub(super) fn linked(self, text: &str, url: &str) -> String {
        match self {
            _ if url.is_empty() => text.to_owned(),
            Self::Markdown => format!("[{text}]({url})"),
            Self::Asciidoc => format!("{url}[{text}]"),
        }
    }

    /// Returns code that ends a paragraph: a block if it has several lines.
    pub(super) fn code_paragraph(self, code: &str, language: &str) -> String {
        match self {
            _ if !code.contains('\n') => format!("`{code}`\n"),
            Self::Markdown => fenced(code, language),
            Self::Asciidoc => format!("\n[source,{language}]\n----\n{code}\n----\n"),
        }
    }

    /// Returns a block of code.
    pub(super) fn block(self, code: &str, language: &str) -> String {
        match self {
            Self::Markdown => fenced(code, language),
            Self::Asciidoc => format!("\n\n[source,{language}]\n----\n{code}\n----\n"),
        }
    }

    /// Writes a heading.
    pub(super) fn heading(self, page: &Page<'_>, below: usize, title: &str, out: &mut String) {
        let sign = page.heading(if self == Self::Markdown { "#" } else { "=" }, below);
        out.extend([&sign, " ", title]);
        if page.settings.atx_closed && self == Self::Markdown {
            out.extend([" ", &sign]);
        }
    }

    /// Writes a section without entries. A line break ends it.
    pub(super) fn nothing(self, page: &Page<'_>, title: &str, out: &mut String) {
        if !page.settings.hide_empty {
            self.heading(page, 0, title, out);
            let _ = writeln!(out, "\n\nNo {}.", title.to_ascii_lowercase());
        }
    }
}

/// Returns code between backticks, or as a block if it has several lines.
pub(super) fn code(code: &str) -> String {
    match code.contains('\n') {
        true => fenced(code, ""),
        false => format!("`{code}`"),
    }
}

/// Returns a value as code; `n/a` for an empty one.
pub(super) fn or_code(value: &str) -> String {
    if value.is_empty() { text::NOTHING.to_owned() } else { code(value) }
}

fn fenced(code: &str, language: &str) -> String {
    format!("\n\n```{language}\n{code}\n```\n")
}
