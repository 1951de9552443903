//! `extract`: an expression becomes a local value or a variable.

use std::path::{Path, PathBuf};

use simd_hcl::refactor::Change;
use simd_hcl::refactor::extract::{Kind, Request, plan};
use simd_hcl::{Arena, Source};

use crate::args::{self, Common};
use crate::git::canonical;
use crate::input;
use crate::refactored::Repository;
use crate::status::{Failure, Status};

pub(crate) fn run(extract: &args::Extract, common: &Common) -> Result<Status, Failure> {
    let (path, line, column) = place(&extract.place)?;
    let arena = Arena::new();
    let repository = Repository::load(&arena, path.clone(), &extract.tree, common)?;
    match change(&repository, &path, (line, column), extract) {
        Ok(change) => repository.finish(change, &extract.change, common),
        Err(failure) => Err(repository.failure(failure, &extract.change, common)?),
    }
}

fn change<'a>(
    repository: &Repository<'a>,
    path: &Path,
    (line, column): (u32, u64),
    extract: &args::Extract,
) -> Result<Change<'a>, Failure> {
    let shown = path.display();
    let missing = || Failure::Message(format!("{shown} is not a file of a module"));
    let real = canonical(path)?;
    let mut found = None;
    for module in repository.modules_at(path)? {
        for source in &repository.tree.modules()[module].sources {
            let is_meant = match source.path() {
                _ if input::is_dash(path) => true,
                Some(path) => canonical(path)? == real,
                None => false,
            };
            if is_meant && found.is_none() {
                found = Some((module, *source));
            }
        }
    }
    let (module, source) = found.ok_or_else(missing)?;
    let offset = offset(source, line, column)
        .ok_or_else(|| Failure::Message(format!("{shown} has no line {line}, column {column}")))?;
    let kind = if extract.variable { Kind::Variable } else { Kind::Local };
    let request = Request::new(module, source.name(), offset, &extract.name).with_kind(kind);
    let change = plan(&repository.tree, &repository.options.decode, &request);
    change.map_err(|why| Failure::Message(format!("nothing is extracted: {why}")))
}

/// Splits `PATH:LINE:COLUMN`.
fn place(text: &str) -> Result<(PathBuf, u32, u64), Failure> {
    let mut parts = text.rsplitn(3, ':');
    let column = parts.next().and_then(|part| part.parse().ok());
    let line = parts.next().and_then(|part| part.parse().ok());
    match (parts.next(), line, column) {
        (Some(path), Some(line), Some(column)) if !path.is_empty() => {
            Ok((PathBuf::from(path), line, column))
        }
        _ => Err(Failure::Message(format!(
            "{text} is not a place: it would be PATH:LINE:COLUMN, such as main.tf:3:10"
        ))),
    }
}

/// The byte at a line and a column, both counted from 1.
fn offset(source: Source<'_>, line: u32, column: u64) -> Option<u32> {
    let bytes = source.bytes();
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let start = std::iter::once(0).chain(ends).nth(line.checked_sub(1)? as usize)?;
    let span = source.line_span(start as u32);
    let text = str::from_utf8(span.slice(bytes)).ok()?;
    let starts: Vec<u32> = text.char_indices().map(|(at, _)| span.start + at as u32).collect();
    // A character of several code points is one column.
    let after = starts.partition_point(|at| source.position(*at).column < column);
    starts.get(after).copied().filter(|at| source.position(*at).column == column)
}
