//! The bytes of a name in a step of a traversal.

use crate::native::{Key, LentTraversal, Step, StepKind};
use crate::span::Span;

/// The bytes of the name in a step: without the dot, or without the brackets and quotes of a key.
/// `None` if the name is not written as it is: with escapes, or in another normal form.
pub(crate) fn name_of(traversal: LentTraversal<'_, '_>, step: &Step<'_>) -> Option<Span> {
    let bytes = step.span.slice(traversal.source().bytes());
    let (name, start) = match step.kind {
        StepKind::Root(name) => (name, (bytes == name.as_bytes()).then_some(0)?),
        // Spaces and comments may be before the name, but nothing is after it.
        StepKind::Attribute(name) => {
            let start = bytes.len().checked_sub(name.len())?;
            (name, (bytes.get(start..)? == name.as_bytes()).then_some(start)?)
        }
        StepKind::Index(Key::String(name)) => {
            let start = memchr::memmem::find(bytes, name.as_bytes())?;
            let is_quoted = bytes.get(start.checked_sub(1)?) == Some(&b'"');
            (name, is_quoted.then_some(start)?)
        }
        StepKind::Index(_) | StepKind::Splat => return None,
    };
    let start = step.span.start + u32::try_from(start).ok()?;
    Some(Span::new(start, start + u32::try_from(name.len()).ok()?))
}
