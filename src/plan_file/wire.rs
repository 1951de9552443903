//! Reads the fields of protobuf messages one by one. Nothing is copied, and nested messages are
//! read on demand.

use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::error::Malformed;

/// A field that the formats use. Fields of other wire types are skipped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field<'a> {
    /// An integer, a boolean or a value of an enumeration.
    Number(u64),
    /// Text, bytes or a message.
    Bytes(&'a [u8]),
}

impl<'a> Field<'a> {
    /// An integer; 0 for a field of another type.
    pub(super) fn number(&self) -> u64 {
        match *self {
            Self::Number(number) => number,
            Self::Bytes(_) => 0,
        }
    }

    /// The bytes; empty for a field of another type.
    pub(super) fn bytes(&self) -> &'a [u8] {
        match *self {
            Self::Number(_) => &[],
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The bytes as text.
    pub(super) fn text(&self) -> Result<&'a str, Malformed> {
        simdutf8::basic::from_utf8(self.bytes()).map_err(|_| Malformed("a text is not UTF-8"))
    }
}

/// The fields of a message.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn of(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    fn read(&mut self) -> Result<Option<(u32, Field<'a>)>, prost::DecodeError> {
        while !self.rest.is_empty() {
            let (tag, wire_type) = decode_key(&mut self.rest)?;
            match wire_type {
                WireType::Varint => {
                    return Ok(Some((tag, Field::Number(decode_varint(&mut self.rest)?))));
                }
                WireType::LengthDelimited => {
                    let mut content = self.rest;
                    skip_field(wire_type, tag, &mut self.rest, DecodeContext::default())?;
                    let len = decode_varint(&mut content)? as usize;
                    return Ok(Some((tag, Field::Bytes(&content[..len]))));
                }
                _ => skip_field(wire_type, tag, &mut self.rest, DecodeContext::default())?,
            }
        }
        Ok(None)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, Field<'a>), Malformed>;

    /// The next field. There are no fields after an error.
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.read();
        if field.is_err() {
            self.rest = &[];
        }
        field.map_err(|_| Malformed("a protobuf message is damaged")).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<(u32, u64, Vec<u8>)>, Malformed> {
        let field = |field: Result<(u32, Field<'_>), Malformed>| {
            field.map(|(tag, field)| (tag, field.number(), field.bytes().to_vec()))
        };
        Fields::of(bytes).map(field).collect()
    }

    #[test]
    fn fields_of_all_wire_types() {
        let bytes =
            b"\x08\x96\x01\x12\x02hi\x19\0\0\0\0\0\0\0\0\x25\0\0\0\0\x2B\x08\x01\x2C\x30\x07";
        let expected = vec![(1, 150, vec![]), (2, 0, b"hi".to_vec()), (6, 7, vec![])];
        assert_eq!(read(bytes), Ok(expected));
    }

    #[test]
    fn damage_is_an_error() {
        let groups = b"\x0B".repeat(100_000);
        let damaged: [&[u8]; 8] = [
            b"\x08",                                         // no value
            b"\x12\x05hi",                                   // too long
            b"\x12\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", // far too long
            b"\x00\x01",                                     // field 0
            b"\x0F\x01",                                     // wire type 7
            b"\x0C",                                         // the end of no group
            b"\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", // more than 64 bits
            &groups,                                         // groups in groups
        ];
        for bytes in damaged {
            assert!(read(bytes).is_err(), "{bytes:x?}");
        }
    }
}
