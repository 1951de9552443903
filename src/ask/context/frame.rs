//! The context of an offset, read from the text before it.

use crate::span::Span;

/// A block around an offset, as far as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Header {
    pub(in super::super) block_type: String,
    pub(in super::super) labels: Vec<String>,
}

/// The kind of name or value that can be written at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Spot {
    /// The name of an argument, or the type of a block.
    Item,
    /// A label of the block that begins here, by its index.
    Label(Header, usize),
    /// The value of an argument.
    Value(Value),
    /// Nothing that is known: a comment, a number, an operator.
    Nothing,
}

/// A value around an offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Value {
    /// The argument.
    pub(in super::super) argument: String,
    /// The keys of the objects around the offset, in the value.
    pub(in super::super) path: Vec<String>,
    /// Whether the name of an item of an object is written.
    pub(in super::super) is_key: bool,
    /// Whether the offset is in literal text.
    pub(in super::super) is_text: bool,
    /// Whether the word at the offset is a number.
    pub(in super::super) is_number: bool,
    /// The names before the offset that are joined to it by dots: `module`, `net` in `module.net.`.
    pub(in super::super) steps: Vec<String>,
    /// The innermost call around the offset: the function, and the place of the argument.
    pub(in super::super) call: Option<(String, usize)>,
}

/// The context of an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Around {
    /// The blocks, outermost first.
    pub(in super::super) blocks: Vec<Header>,
    pub(in super::super) spot: Spot,
    /// The word that is written there, which a completion replaces.
    pub(in super::super) word: Span,
    /// Whether the word is between quotes.
    pub(in super::super) is_quoted: bool,
}

/// Whether a byte can be a part of a name.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}

/// The bytes of the name around an offset.
pub(super) fn word_at(bytes: &[u8], offset: u32) -> Span {
    let offset = offset.min(bytes.len() as u32);
    let at = offset as usize;
    let before = bytes[..at].iter().rev().take_while(|byte| is_name_byte(**byte)).count();
    let after = bytes[at..].iter().take_while(|byte| is_name_byte(**byte)).count();
    Span::new(offset - before as u32, offset + after as u32)
}
