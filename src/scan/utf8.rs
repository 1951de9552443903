//! UTF-8 validation of windows that are not all ASCII.

use std::ops::Range;

use super::rejected::Rejected;

/// Validates `text[piece]`, which starts at the border of a character. If the text continues after
/// the piece (`last` is false), a character that is cut off at its end is left for the next check.
/// Returns the offset up to which all characters are complete and valid.
#[cold]
#[inline(never)]
pub(super) fn check(text: &[u8], piece: Range<usize>, last: bool) -> Result<usize, Rejected> {
    let start = piece.start;
    let bytes = text.get(piece).ok_or(Rejected)?;
    let complete = if last { bytes } else { &bytes[..complete_len(bytes)] };
    match simdutf8::basic::from_utf8(complete) {
        Ok(_) => Ok(start + complete.len()),
        Err(_) => Err(Rejected),
    }
}

/// Returns the length of `bytes` without an incomplete character at the end.
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
        return if present < needed { bytes.len() - present } else { bytes.len() };
    }
    bytes.len()
}
