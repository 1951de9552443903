//! Numbers: their exact text, their integer value, and the nearest float.

use super::Node;
use crate::lexical::Numeral;
use crate::span::Span;

/// A number, kept as its text.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"9007199254740993"#)?;
/// let number = document.root().as_number().unwrap();
/// assert_eq!(number.as_u64(), Some(9_007_199_254_740_993));
/// assert_eq!(number.to_f64_lossy(), 9_007_199_254_740_992.0);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy)]
pub struct JsonNumber<'a> {
    node: Node<'a>,
}

impl<'a> JsonNumber<'a> {
    pub(super) fn new(node: Node<'a>) -> Self {
        Self { node }
    }

    /// The number as it is written, such as `-1.50e+3`.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.node.utf8(self.node.span())
    }

    /// Its bytes.
    #[must_use]
    pub fn span(self) -> Span {
        self.node.span()
    }

    /// The number as an unsigned integer, if it is one that fits. `1.0` and `1e2` are integers.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"[3, -3]"#)?;
    /// let elements: Vec<_> = document.root().as_array().unwrap().elements().collect();
    /// assert_eq!(elements[0].as_number().unwrap().as_u64(), Some(3));
    /// assert_eq!(elements[1].as_number().unwrap().as_u64(), None);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        match integer(self.text())? {
            (true, 1..) => None,
            (_, magnitude) => Some(magnitude),
        }
    }

    /// The number as a signed integer, if it is one that fits. `1.0` and `1e2` are integers.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match integer(self.text())? {
            (false, magnitude) => i64::try_from(magnitude).ok(),
            (true, magnitude) => 0_i64.checked_sub_unsigned(magnitude),
        }
    }

    /// The nearest double-precision float; infinite for numbers that are too large. For exact
    /// values use [`JsonNumber::text`].
    #[must_use]
    pub fn to_f64_lossy(self) -> f64 {
        self.text().parse().unwrap_or(f64::NAN)
    }
}

/// Writes the number as in the source. See [`JsonNumber::text`].
impl std::fmt::Display for JsonNumber<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.text())
    }
}

impl std::fmt::Debug for JsonNumber<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

/// Returns the sign and the magnitude of a JSON number that is an integer below 2⁶⁴.
fn integer(text: &str) -> Option<(bool, u64)> {
    let numeral = Numeral::of(text);
    let negative = numeral.is_negative;
    let mut magnitude = 0_u64;
    let mut scale =
        numeral.saturated_exponent().saturating_sub_unsigned(numeral.fraction.len() as u64);
    let mut zeros = 0_u32;
    // Zeros are counted until a digit follows: at the end of the mantissa they only change the
    // scale.
    for digit in numeral.digits().map(|byte| byte - b'0') {
        if digit == 0 {
            zeros = zeros.saturating_add(1);
            continue;
        }
        if magnitude != 0 {
            magnitude = 10_u64.checked_pow(zeros).and_then(|power| magnitude.checked_mul(power))?;
        }
        magnitude = magnitude.checked_mul(10)?.checked_add(u64::from(digit))?;
        zeros = 0;
    }
    if magnitude == 0 {
        return Some((negative, 0));
    }
    scale = scale.saturating_add(i64::from(zeros));
    let power = 10_u64.checked_pow(u32::try_from(scale).ok()?)?;
    Some((negative, magnitude.checked_mul(power)?))
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn integers_in_any_notation() {
        for (text, expected) in [
            ("0", Some((false, 0))),
            ("-0", Some((true, 0))),
            ("-0.00e99999999999999999999", Some((true, 0))),
            ("18446744073709551615", Some((false, u64::MAX))),
            ("18446744073709551616", None),
            ("1.0", Some((false, 1))),
            ("-1e2", Some((true, 100))),
            ("10.50e+1", Some((false, 105))),
            ("1200e-2", Some((false, 12))),
            ("1201e-2", None),
            ("0.001e3", Some((false, 1))),
            ("1e20", None),
            ("1e-99999999999999999999", None),
            ("0.1", None),
            ("100000000000000000000000e-5", Some((false, 1_000_000_000_000_000_000))),
        ] {
            assert_eq!(integer(text), expected, "{text}");
        }
    }
}
