//! Limits of the depth of types, the size of text, and the attributes that a conversion adds.

/// The maximum depth of types that are compared, converted or unified. More deeply nested types
/// have no conversion.
pub(super) const MAX_DEPTH: usize = 256;

/// The number of bytes of text that count as one value, see [`Value::size`](super::Value::size).
pub(crate) const TEXT_UNIT: usize = 16;

/// The number of attributes that a conversion may still fill in: many elements times many optional
/// attributes can exceed memory, although both are short in the source.
pub(crate) struct Room(usize);

impl Room {
    /// Returns room for four million attributes, and a few for each part of a value of this size.
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
