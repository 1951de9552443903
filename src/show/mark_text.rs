//! Properties of a tree of marks, determined from its text without a walk over it.

use crate::json::Node;

/// Whether a tree of sensitive values, which may be a scalar, hides anything. Cost: linear in its
/// text; opens nothing.
pub(crate) fn hides(tree: Node<'_>) -> bool {
    value_hides(tree.text())
}

/// Like [`hides`], for the value at the start of a text; the rest of the text is ignored.
pub(crate) fn value_hides(text: &[u8]) -> bool {
    has_mark(text, |first| !matches!(first, b'f' | b'n'))
}

/// Whether all scalars of a tree are `true`, `false` or null. Cost: linear in its text; opens
/// nothing.
pub(crate) fn is_of_marks(tree: Node<'_>) -> bool {
    !has_mark(tree.text(), |first| !matches!(first, b't' | b'f' | b'n'))
}

/// Whether the JSON value at the start of a text is or contains a scalar whose first byte passes
/// `is_wanted`. Names are not scalars.
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
                // Names are short: setting up a search would cost more than this loop.
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
