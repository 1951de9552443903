//! Types that keep a text as it is written.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};

/// The names by which our deserializers recognise [`Unevaluated`], [`NumberText`] and
/// [`NativeText`].
pub(super) const UNEVALUATED: &str = "$simd_hcl::Unevaluated";
pub(super) const NUMBER: &str = "$simd_hcl::NumberText";
pub(super) const NATIVE: &str = "$simd_hcl::NativeText";

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
    /// An expression that is not evaluated: the text of a string, with escapes decoded
    /// (`${var.ami}`); a number, a list and anything else as it is written. An expression of a
    /// native file that JSON has no literal for is the equivalent template: `var.ami` is
    /// `${var.ami}`, too.
    Unevaluated, UNEVALUATED, "the text of an expression"
}

text! {
    /// A number with all its digits, as it is written: `-1.50e+300`. A computed value has all its
    /// digits in fixed notation.
    NumberText, NUMBER, "the digits of a number"
}

text! {
    /// An expression in native syntax as it is written, for references, keywords and types:
    /// `aws.west` for both `provider = aws.west` and `"provider": "aws.west"`. JSON that is not a
    /// string is kept as JSON.
    ///
    /// ```
    /// use simd_hcl::serde::{NativeText, from_body_literally};
    /// use simd_hcl::{Arena, Document, ParsedFile, Source};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Resource {
    ///     depends_on: Vec<NativeText>,
    /// }
    ///
    /// let arena = Arena::new();
    /// let json = Document::parse_bytes(&arena, "a.tf.json", br#"{"depends_on": ["aws_vpc.main"]}"#)?;
    /// let source = Source::from_bytes(&arena, "a.tf", b"depends_on = [aws_vpc.main]")?;
    /// for file in [json.into(), ParsedFile::native(&arena, source)] {
    ///     let resource: Resource = from_body_literally(file)?;
    ///     assert_eq!(resource.depends_on, [NativeText("aws_vpc.main".to_owned())]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    NativeText, NATIVE, "an expression in native syntax"
}
