//! How deep types may nest, how text counts, and how much a conversion may add.

/// How deep types may nest where they are compared with one another, converted or unified. Whatever
/// nests deeper has no conversion.
pub(super) const MAX_DEPTH: usize = 256;

/// The bytes of text that count as one value, see [`Value::size`](super::Value::size).
pub(crate) const TEXT_UNIT: usize = 16;

/// How many attributes may be filled in while a value is converted: many elements times many
/// optional attributes are more than memory holds, though both are written in few bytes.
pub(crate) struct Room(usize);

impl Room {
    /// Four million, and a few for each part of a value of this size.
    pub(crate) fn of(size: u32) -> Self {
        Self((4 << 20) + 4 * size as usize)
    }

    /// Takes the attributes of an object. Returns false if there is no room for them.
    pub(crate) fn take(&mut self, attributes: usize) -> bool {
        match self.0.checked_sub(attributes) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }
}
