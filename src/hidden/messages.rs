//! Messages about values that must not be shown.

use memchr::memmem;

use super::Hidden;
use super::extent::Extent;
use crate::arena::Arena;
use crate::body::Body;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, FileKind, List, Syntax, root_schema};
use crate::expression::{Expression, MapKey};
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;
use crate::value::HIDDEN;

/// The most names of a path; of what is deeper, all of it is hidden.
const DEEPEST: usize = 32;

/// The places in a file whose values must not be shown.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// In their order. None is in another one.
    spans: Vec<Span>,
}

impl Places {
    /// Takes out of a diagnostic about the file what it repeats of values that must not be shown.
    pub fn withhold(&self, found: &mut Diagnostic<'_>) {
        let at = found.span().start;
        let before = self.spans.partition_point(|place| place.start <= at);
        if before.checked_sub(1).is_some_and(|last| at < self.spans[last].end) {
            *found = found.without_values(HIDDEN);
        }
    }
}

impl Hidden {
    /// Finds the places in a file of the module whose values must not be shown. A file of JSON with a syntax
    /// error has none.
    ///
    /// Cost: linear in the file, which is parsed again.
    #[must_use]
    pub fn places(&self, (dialect, kind): (Dialect, FileKind), file: Source<'_>) -> Places {
        if self.is_empty() && kind.list != List::Component && !may_mark(file.bytes()) {
            return Places::default();
        }
        let arena = Arena::new();
        let copy = Source::copy_from(&arena, file.name(), file.bytes()).ok();
        let parsed = copy.and_then(|copy| match kind.syntax {
            Syntax::Json => ParsedFile::read(&arena, copy).ok(),
            Syntax::Native => Some(ParsedFile::native(&arena, copy)),
        });
        let spans = parsed.map(|it| self.spans((dialect, kind), it.body())).unwrap_or_default();
        Places { spans }
    }

    /// The values that must not be shown, with the names before them.
    fn spans(&self, (dialect, kind): (Dialect, FileKind), body: Body<'_>) -> Vec<Span> {
        let (list, mut open) = (kind.list, Vec::new());
        match root_schema(dialect, list) {
            Some(schema) => body.visit_blocks(schema, &mut (), |block, _| {
                let names = [block.block_type()].into_iter().chain(block.labels()).collect();
                open.push((names, block.as_expression(), block.span()));
            }),
            None => {
                for attribute in body.just_attributes(&mut ()) {
                    open.push((vec![attribute.name()], attribute.expression(), attribute.span()));
                }
            }
        }
        let mut found = Vec::new();
        while let Some((names, value, span)) = open.pop() {
            match self.extent(list, &names, Some(value)) {
                None => continue,
                Some(Extent::Part) if names.len() < DEEPEST => {}
                Some(_) => {
                    found.push(span);
                    continue;
                }
            }
            let has_marked = |value: Expression<'_>| {
                value.as_map().into_iter().flatten().any(|(key, _)| key.marks_itself())
            };
            let parts = if has_marked(value) { Vec::new() } else { parts(&names, value) };
            match parts.is_empty() {
                true => found.push(span),
                false => open.extend(parts),
            }
        }
        found.sort_unstable_by_key(|span| span.start);
        found
    }
}

/// Whether an expression of a file may mark its value: it has the name of the function, or escapes.
fn may_mark(text: &[u8]) -> bool {
    [&b"sensitive"[..], b"\\u"].iter().any(|word| memmem::find(text, word).is_some())
}

/// A value: the names that lead to it, and its place with the last of them.
type Part<'v> = (Vec<&'v str>, Expression<'v>, Span);

/// The parts of a value that is written as an object or a list.
fn parts<'v>(names: &[&'v str], value: Expression<'v>) -> Vec<Part<'v>> {
    // A list is no object of its own.
    if let Some(elements) = value.as_list() {
        return elements.map(|it| (names.to_vec(), it, it.span())).collect();
    }
    let entries = value.as_map().into_iter().flatten();
    let part = |(key, value): (MapKey<'v>, Expression<'v>)| {
        let (key, value, place) = (key.to_str(), value, key.span());
        let span = Span::new(place.start.min(value.span().start), value.span().end.max(place.end));
        (names.iter().copied().chain([key]).collect(), value, span)
    };
    entries.map(part).collect()
}
