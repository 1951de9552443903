//! Defaults of attributes in the types of variables: `optional(string, "a")`.

use crate::arena::Arena;
use crate::document::Document;
use crate::expression::Expression;
use crate::native::{Construct, Kind, Native};
use crate::source::Source;
use crate::span::Span;
use crate::value::HIDDEN;
use crate::write::{Layout, to_string};

/// Whether a type has a default, or a syntax error, so that this is not known.
///
/// Cost: linear in the type.
pub(crate) fn has_defaults(written: Expression<'_>) -> bool {
    defaults(written).is_none_or(|found| !found.is_empty())
}

/// Returns the type of a hidden variable as it is shown: without the defaults of attributes, which are values of
/// the variable. The rest is as it is written. A type with a syntax error is `"(sensitive)"`.
///
/// Cost: linear in the type. A changed type is kept in the arena of its source.
///
/// ```
/// use simd_hcl::hidden::shown_type;
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let text = b"type = object({ key = optional(string, \"hunter2\") })\n";
/// let source = Source::from_bytes(&arena, "main.tf", text)?;
/// let file = ParsedFile::native(&arena, source);
/// let written = file.body().just_attributes(&mut ())[0].expression();
/// assert_eq!(shown_type(written).text(), b"object({ key = optional(string) })");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[must_use]
pub fn shown_type(written: Expression<'_>) -> Expression<'_> {
    let (source, span) = (written.source(), written.span());
    let arena = source.arena();
    let shown = match defaults(written) {
        Some(found) if found.is_empty() => return written,
        None => None,
        Some(found) => {
            let (mut text, mut at) = (Vec::new(), span.start);
            for Span { start, end } in found {
                // One default may be in another.
                if start >= at {
                    text.extend_from_slice(Span::new(at, start).slice(source.bytes()));
                    at = end;
                }
            }
            text.extend_from_slice(Span::new(at, span.end.max(at)).slice(source.bytes()));
            expression(arena, source.name(), text, written.is_json())
        }
    };
    shown.unwrap_or_else(|| {
        let hidden = to_string(Layout::Compact, |slot| slot.string(HIDDEN));
        expression(arena, source.name(), hidden.into_bytes(), true).unwrap_or(written)
    })
}

/// The defaults in a type, each with the comma before it, in their order; `None` if there is a syntax error.
fn defaults(written: Expression<'_>) -> Option<Vec<Span>> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    open.extend(written.as_native());
    while let Some(native) = open.pop() {
        match native.construct() {
            _ if native.is(Kind::Invalid) => return None,
            Construct::Call(call) if call.name == "optional" => {
                if let [ty, _, ..] = call.arguments.as_slice() {
                    let last = call.arguments.last().unwrap_or(ty);
                    found.push(Span::new(ty.span().end, last.span().end));
                }
            }
            _ => {}
        }
        open.extend(native.operands());
    }
    found.sort_unstable_by_key(|span| span.start);
    Some(found)
}

/// Parses a text as an expression of a file in one of the syntaxes.
fn expression<'a>(
    arena: &'a Arena,
    name: &str,
    text: Vec<u8>,
    is_json: bool,
) -> Option<Expression<'a>> {
    let text = arena.str(&String::from_utf8(text).ok()?).as_bytes();
    if is_json {
        let document = Document::parse_bytes(arena, name, text).ok()?;
        return Some(Expression::from_json(document.root()));
    }
    let source = Source::from_bytes(arena, name, text).ok()?;
    Some(Expression::from_native(Native::expression(arena, source, &mut ())))
}
