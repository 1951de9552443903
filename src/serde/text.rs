//! Texts that a type keeps as they are written.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};

/// The names by which our deserializers recognise [`Unevaluated`] and [`NumberText`].
pub(super) const UNEVALUATED: &str = "$simd_hcl::Unevaluated";
pub(super) const NUMBER: &str = "$simd_hcl::NumberText";

macro_rules! text {
    ($(#[$doc:meta])* $type:ident, $name:ident, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $type(pub String);

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;

                impl<'de> Visitor<'de> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<$type, E> {
                        Ok($type(text.to_owned()))
                    }

                    fn visit_newtype_struct<D: Deserializer<'de>>(
                        self,
                        _: D,
                    ) -> Result<$type, D::Error> {
                        Err(D::Error::custom(concat!("only simd_hcl knows ", $expected)))
                    }
                }

                deserializer.deserialize_newtype_struct($name, Text)
            }
        }
    };
}

text! {
    /// An expression as it is written, not evaluated: the text of a string (`${var.ami}`), escapes
    /// decoded; the JSON of anything else.
    Unevaluated, UNEVALUATED, "the text of an expression"
}

text! {
    /// A number with all its digits, as it is written: `-1.50e+300`. Of a value that was computed,
    /// all digits in fixed notation.
    NumberText, NUMBER, "the digits of a number"
}
