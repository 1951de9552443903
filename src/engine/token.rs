//! A token that the engine selects, and where the text before it ends.

use crate::lexical::is_white;

/// One token.
#[derive(Clone, Copy)]
pub(crate) struct Token {
    /// Its first byte.
    pub(crate) byte: u8,
    /// The offset of that byte in the text.
    pub(crate) offset: u32,
    /// The first byte of the next token, colons and commas included; unspecified for the last
    /// token.
    pub(crate) next_byte: u8,
    /// The offset of the next token; for the last token, the end of the text.
    pub(crate) next: u32,
}

/// Returns the offset after the last byte before `next` that is not whitespace.
#[inline(always)]
pub(crate) fn end_before(text: &[u8], next: usize) -> usize {
    let mut end = next;
    while text.get(end.wrapping_sub(1)).is_some_and(|&byte| is_white(byte)) {
        end -= 1;
    }
    end
}
