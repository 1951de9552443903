//! Parsed templates of strings.

use crate::diagnostic::Diagnostic;
use crate::json::JsonString;
use crate::native::{self, Program, Text, parse_template};
use crate::source::Source;

/// Returns the template in a string; `None` for plain text. It is parsed once, on first use.
pub(super) fn template(string: JsonString<'_>) -> Option<Result<&Program<'_>, &Diagnostic<'_>>> {
    if !string.may_be_template() {
        return None;
    }
    let node = string.node();
    Some(node.program(|source| parse(source, string)))
}

/// Parses a string as a template.
pub(super) fn parse<'a>(
    source: Source<'a>,
    string: JsonString<'a>,
) -> Result<&'a Program<'a>, &'a Diagnostic<'a>> {
    let arena = source.arena();
    let text = Text::of_string(source, string);
    let mut error: Option<Diagnostic<'a>> = None;
    match (parse_template(arena, &text, native::MAX_DEPTH, &mut error), error) {
        (Some(program), _) => Ok(program),
        (None, Some(error)) => Err(arena.bump().alloc(error)),
        (None, None) => Ok(arena.bump().alloc(Program::empty(source))),
    }
}
