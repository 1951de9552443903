//! The text of places: their traversals, read again from the bytes of a file.

use super::place::{Place, Places};
use crate::native::{MAX_DEPTH, Native, Text, Traversal, parse_expression, parse_pattern};
use crate::source::Source;

impl Places {
    /// The traversal of a place, read from the file that the place is in. `None` for places that are
    /// not traversals (declarations, keys), and if the file has changed.
    ///
    /// Cost: linear in the bytes of the place.
    #[must_use]
    pub fn traversal<'a>(&self, place: &Place, source: Source<'a>) -> Option<Traversal<'a>> {
        let span = place.span();
        let bytes = span.slice(source.bytes());
        let written = str::from_utf8(bytes).ok().filter(|text| !text.is_empty())?;
        let text = match place.is_in_json() {
            true => Text::of_raw(source, written, span.start),
            false => Text::as_written(source, written, span.start),
        };
        let program = parse_expression(source.arena(), &text, MAX_DEPTH, &mut ());
        let traversal = program.and_then(Native::of).and_then(Native::as_traversal);
        // Targets of overrides in tests may have `[*]`.
        traversal.or_else(|| parse_pattern(&text))
    }
}
