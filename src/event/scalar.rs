//! Numbers and literals: their kind and length.

use crate::lexical::{number_len, short_number_len};
use crate::scan::Rejected;
use crate::word::Kind;

/// Returns the kind and the length of the number or literal at `start`, whose first byte is `first`.
#[inline(always)]
pub(super) fn scalar(text: &[u8], start: u32, first: u8) -> Result<(Kind, usize), Rejected> {
    let rest = &text[start as usize..];
    // Nearly all are shorter than eight bytes, and nearly all texts longer.
    if let Some(&eight) = rest.first_chunk() {
        let word = u64::from_le_bytes(eight);
        let (kind, len) = match first {
            b'0'..=b'9' => (Kind::Number, short_number_len(word)),
            b'-' => match short_number_len(word >> 8) {
                0 => return Err(Rejected),
                len => (Kind::Number, 1 + len),
            },
            _ if word as u32 == u32::from_le_bytes(*b"true") => (Kind::True, 4),
            _ if word as u32 == u32::from_le_bytes(*b"null") => (Kind::Null, 4),
            _ if word << 24 == u64::from_le_bytes(*b"\0\0\0false") => (Kind::False, 5),
            _ => return Err(Rejected),
        };
        if ends(rest, len) {
            return Ok((kind, len));
        }
    }
    any_scalar(rest)
}

/// Returns the kind and the length of the number or literal at the start of `rest`.
#[inline(never)]
fn any_scalar(rest: &[u8]) -> Result<(Kind, usize), Rejected> {
    let (kind, len) = match rest.first() {
        Some(b't') if rest.starts_with(b"true") => (Kind::True, 4),
        Some(b'f') if rest.starts_with(b"false") => (Kind::False, 5),
        Some(b'n') if rest.starts_with(b"null") => (Kind::Null, 4),
        _ => (Kind::Number, number_len(rest).map_err(|_| Rejected)?),
    };
    if ends(rest, len) { Ok((kind, len)) } else { Err(Rejected) }
}

/// Whether the first scalar of `rest` ends after `len` bytes.
#[inline(always)]
fn ends(rest: &[u8], len: usize) -> bool {
    /// Whitespace, operators and quotes.
    const ENDS: [bool; 256] = {
        let mut table = [false; 256];
        let bytes = b" \t\n\r{}[]:,\"";
        let mut i = 0;
        while i < bytes.len() {
            table[bytes[i] as usize] = true;
            i += 1;
        }
        table
    };
    rest.get(len).is_none_or(|&byte| ENDS[byte as usize])
}
