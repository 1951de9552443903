//! The lexical grammar that several layers share: numbers, the ends of strings, identifiers.
//!
//! The functions read one token byte by byte. The kernels of [`scan`](crate::scan) and the
//! [`engine`](crate::engine) check the same rules over whole blocks.

pub(crate) mod decimal;
mod identifier;
mod number;
mod string;

pub(crate) use self::identifier::{FIRST, NAME, identifier_len, is_identifier};
pub(crate) use self::number::{NumberFault, Numeral, number_len, short_number_len};
pub(crate) use self::string::{closing_quote, opening_quote};

/// Whether a byte is whitespace between the tokens of JSON.
#[inline(always)]
pub(crate) const fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
