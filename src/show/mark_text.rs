//! Properties of a tree of marks that its text shows, without a walk over it.

use crate::json::Node;

/// Whether a tree of sensitive values hides anything, be it a container or a scalar. Cost: linear
/// in its text; opens nothing.
pub(crate) fn hides(tree: Node<'_>) -> bool {
    value_hides(tree.text())
}

/// The same of the value that a text starts with; what follows it is ignored.
pub(crate) fn value_hides(text: &[u8]) -> bool {
    has_mark(text, |first| !matches!(first, b'f' | b'n'))
}

/// Whether all scalars of a tree are `true`, `false` or null. Cost: linear in its text; opens
/// nothing.
pub(crate) fn is_of_marks(tree: Node<'_>) -> bool {
    !has_mark(tree.text(), |first| !matches!(first, b't' | b'f' | b'n'))
}

/// Whether the JSON value that a text starts with is or has a scalar whose first byte is asked for.
/// Names are no scalars.
pub(crate) fn has_mark(text: &[u8], is_wanted: impl Fn(u8) -> bool) -> bool {
    let mut at = 0;
    let mut depth = 0_u32;
    while let Some(&first) = text.get(at) {
        at += 1;
        match first {
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => continue,
            b'{' | b'[' => {
                depth += 1;
                continue;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                // Names are short: a search for their end would cost more to begin than to run.
                while let Some(&byte) = text.get(at) {
                    at += 1 + usize::from(byte == b'\\');
                    if byte == b'"' {
                        break;
                    }
                }
                let rest = text.get(at..).unwrap_or_default();
                if rest.first() == Some(&b':') || rest.trim_ascii_start().first() == Some(&b':') {
                    continue;
                }
                if is_wanted(first) {
                    return true;
                }
            }
            _ if is_wanted(first) => return true,
            // The rest of a word or a number.
            _ => {
                while text.get(at).is_some_and(|byte| !matches!(byte, b',' | b'}' | b']' | b' ')) {
                    at += 1;
                }
            }
        }
        if depth == 0 {
            break;
        }
    }
    false
}
