//! UTF-8 validation of the windows that hold more than ASCII.

use std::ops::Range;

use super::Rejected;

/// The result of a check.
pub(super) struct Checked {
    /// All characters before this offset are complete and valid.
    pub(super) valid_to: usize,
    /// Whether the piece holds a byte of 0x80 or more.
    pub(super) non_ascii: bool,
}

/// Validates `text[piece]`, which starts at the border of a character. When the text goes on behind the
/// piece (`last` is false), a character that the end of the piece cuts is left for the next check.
#[cold]
#[inline(never)]
pub(super) fn check(text: &[u8], piece: Range<usize>, last: bool) -> Result<Checked, Rejected> {
    let start = piece.start;
    let bytes = text.get(piece).ok_or(Rejected)?;
    let complete = if last {
        bytes
    } else {
        &bytes[..complete_len(bytes)]
    };
    match simdutf8::basic::from_utf8(complete) {
        Ok(_) => Ok(Checked {
            valid_to: start + complete.len(),
            non_ascii: !bytes.is_ascii(),
        }),
        Err(_) => Err(Rejected),
    }
}

/// Length of `bytes` without a character at the end that lacks some of its bytes.
fn complete_len(bytes: &[u8]) -> usize {
    for (back, &byte) in bytes.iter().rev().take(3).enumerate() {
        let needed = match byte {
            0x80..=0xBF => continue,
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xFF => 4,
            _ => 1,
        };
        let present = back + 1;
        return if present < needed {
            bytes.len() - present
        } else {
            bytes.len()
        };
    }
    bytes.len()
}
