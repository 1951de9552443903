//! Names without their quotes.

use crate::span::Span;

/// Bytes without the quotes around them.
pub(super) fn unquoted(span: Span, bytes: &[u8]) -> Span {
    match span.slice(bytes) {
        [b'"', .., b'"'] => Span::new(span.start + 1, span.end - 1),
        _ => span,
    }
}
