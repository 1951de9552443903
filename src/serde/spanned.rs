//! Values with the bytes that they were read from.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::value::U32Deserializer;
use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor,
};

use super::Error;
use crate::diagnostic::Label;
use crate::span::Span;

/// The name and the fields by which our deserializers recognise [`Spanned`].
pub(super) const NAME: &str = "$simd_hcl::Spanned";
const FIELDS: &[&str] = &["value", "start", "end"];

/// A value, and the bytes of the file that it was read from.
///
/// Can only be read by this crate: other formats do not have spans, and report an error.
///
/// ```
/// use simd_hcl::serde::{Spanned, from_node};
///
/// let arena = simd_hcl::Arena::new();
/// let document = simd_hcl::Document::parse_bytes(&arena, "a.json", br#"{"size": 12}"#)?;
/// let sizes: std::collections::BTreeMap<String, Spanned<u8>> = from_node(document.root())?;
/// assert_eq!(sizes["size"].value, 12);
/// assert_eq!(document.source().position(sizes["size"].span.start).column, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its bytes: with quotes and brackets; for a block, the bytes of its body.
    pub span: Span,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Parts<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Parts<T> {
            type Value = Spanned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with its bytes, which only simd_hcl knows")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Spanned<T>, A::Error> {
                if parts.next_key::<&str>()? != Some("value") {
                    return Err(de::Error::custom("only simd_hcl knows the bytes of a value"));
                }
                let value = parts.next_value()?;
                let mut bound = || -> Result<u32, A::Error> {
                    let key = parts.next_key::<&str>()?;
                    key.ok_or_else(|| de::Error::custom("missing bytes"))?;
                    parts.next_value()
                };
                let span = Span::new(bound()?, bound()?);
                Ok(Spanned { value, span })
            }
        }

        deserializer.deserialize_struct(NAME, FIELDS, Parts(PhantomData))
    }
}

/// A deserializer that knows the bytes of its value once the value has been read.
pub(super) trait Located<'de>: Deserializer<'de, Error = Error> {
    /// Reads the value, and returns its place with it.
    fn locate<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Option<Label<'de>>), Error>;
}

/// Passes a value and its bytes to the visitor of [`Spanned`].
pub(super) fn visit<'de, D: Located<'de>, V: Visitor<'de>>(
    value: D,
    visitor: V,
) -> Result<V::Value, Error> {
    visitor.visit_map(Parts { value: Some(value), bounds: None, field: 0 })
}

struct Parts<D> {
    value: Option<D>,
    bounds: Option<Span>,
    field: usize,
}

impl<'de, D: Located<'de>> MapAccess<'de> for Parts<D> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(&field) = FIELDS.get(self.field) else { return Ok(None) };
        self.field += 1;
        seed.deserialize(de::value::BorrowedStrDeserializer::new(field)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        if let Some(value) = self.value.take() {
            let (value, label) = value.locate(seed)?;
            self.bounds = label.map(|label| label.span);
            return Ok(value);
        }
        let span = self.bounds.ok_or_else(|| {
            <Error as de::Error>::custom("a value that comes from no file has no bytes")
        })?;
        let bound = if self.field == 2 { span.start } else { span.end };
        let bound: U32Deserializer<Error> = bound.into_deserializer();
        seed.deserialize(bound)
    }
}
