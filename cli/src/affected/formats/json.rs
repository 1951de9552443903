//! The answer as JSON, and as JSON Lines.

use std::io;

use serde::Serialize;

use super::super::answer::{Answer, Removed, Via};
use crate::args::Format;
use crate::incomplete::Incomplete;
use crate::output::{self, Style};

#[derive(Serialize)]
struct Gone<'r> {
    removed: &'r Removed,
}

#[derive(Serialize)]
struct Unrelated<'u> {
    unrelated: &'u [String],
}

/// All paths to a module.
#[derive(Serialize)]
struct Explained<'e> {
    format_version: &'static str,
    path: &'e str,
    paths: Vec<Path<'e>>,
    incomplete: &'e Incomplete,
}

#[derive(Serialize)]
struct Path<'e> {
    file: &'e str,
    via: &'e [Via],
}

pub(super) fn print(answer: &Answer, style: Style) -> io::Result<()> {
    output::value(Format::Json, style, answer)
}

pub(super) fn print_lines(answer: &Answer, style: Style) -> io::Result<()> {
    output::data(|out| {
        for module in &answer.modules {
            output::line(out, style, module)?;
        }
        for removed in &answer.removed {
            output::line(out, style, &Gone { removed })?;
        }
        if !answer.unrelated.is_empty() {
            output::line(out, style, &Unrelated { unrelated: &answer.unrelated })?;
        }
        output::rest(&answer.incomplete, out)
    })
}

pub(crate) fn explain(
    root: &str,
    paths: &[(String, Vec<Via>)],
    incomplete: &Incomplete,
    format: Format,
    style: Style,
) -> io::Result<()> {
    let paths = paths.iter().map(|(file, via)| Path { file, via }).collect();
    let format_version = output::FORMAT_VERSION;
    output::value(format, style, &Explained { format_version, path: root, paths, incomplete })
}
