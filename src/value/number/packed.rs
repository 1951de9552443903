//! Numbers as bytes.

use super::{Number, Repr, Stored};
use crate::value::packed::Reader;

impl<'a> Number<'a> {
    /// Writes the number with its precision.
    pub(in crate::value) fn pack(self, out: &mut Vec<u8>) {
        match self.0 {
            Repr::Text(text) => {
                out.push(0);
                out.extend((text.len() as u64).to_le_bytes());
                out.extend(text.as_bytes());
            }
            Repr::Integer(value) => {
                out.push(1);
                out.extend(value.to_le_bytes());
            }
            Repr::Float(float) => {
                out.push(if float.mantissa.is_some() { 2 } else { 3 });
                out.push(u8::from(float.negative));
                out.extend(float.precision.to_le_bytes());
                out.extend(float.exponent.to_le_bytes());
                let digits = float.mantissa.unwrap_or_default();
                out.extend((digits.len() as u64).to_le_bytes());
                digits.iter().for_each(|digit| out.extend(digit.to_le_bytes()));
            }
        }
    }

    /// Reads what [`Number::pack`] writes.
    pub(in crate::value) fn unpack(reader: &mut Reader<'_, 'a>) -> Option<Self> {
        let tag = reader.byte()?;
        match tag {
            0 => Self::from_literal(reader.text()?).ok(),
            1 => {
                let value = i64::from_le_bytes(reader.take(8)?.try_into().ok()?);
                Some(Self(Repr::Integer(value)))
            }
            2 | 3 => {
                let negative = reader.byte()? != 0;
                let precision = u32::from_le_bytes(reader.take(4)?.try_into().ok()?);
                let exponent = i64::from_le_bytes(reader.take(8)?.try_into().ok()?);
                let count = reader.number()?;
                let bytes = reader.take(count.checked_mul(4)?)?;
                let digits = bytes.chunks_exact(4).map(|four| {
                    four.iter().rev().fold(0, |digit, byte| digit << 8 | u32::from(*byte))
                });
                let bump = reader.arena().bump();
                let digits = &*bump.alloc_slice_fill_iter(digits.collect::<Vec<_>>());
                let mantissa = (tag == 2).then_some(digits);
                let stored = Stored { negative, precision, mantissa, exponent };
                Some(Self(Repr::Float(bump.alloc(stored))))
            }
            _ => None,
        }
    }
}
