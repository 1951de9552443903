//! Numbers: `[ minus ] int [ frac ] [ exp ]` of RFC 8259, and the parts of similar texts.

/// The error of a number that does not follow the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberFault {
    /// It has no digits.
    NoDigit,
    /// Digits follow a leading zero.
    LeadingZero,
    /// No digit follows the point.
    NoFraction,
    /// No digit follows the letter of the exponent and its sign.
    NoExponent,
}

/// Returns the length of the number at the start of `bytes`; or the error, and the index of the
/// byte that it is at. The bytes after the number are ignored.
#[inline(always)]
pub(crate) fn number_len(bytes: &[u8]) -> Result<usize, (NumberFault, usize)> {
    let digits = |at: usize| at + digits(bytes.get(at..).unwrap_or_default());
    let integer = usize::from(bytes.first() == Some(&b'-'));
    let mut at = digits(integer);
    if at == integer {
        return Err((NumberFault::NoDigit, at));
    }
    if bytes[integer] == b'0' && at != integer + 1 {
        return Err((NumberFault::LeadingZero, integer));
    }
    if bytes.get(at) == Some(&b'.') {
        let fraction = at + 1;
        at = digits(fraction);
        if at == fraction {
            return Err((NumberFault::NoFraction, at));
        }
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let exponent = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits(exponent);
        if at == exponent {
            return Err((NumberFault::NoExponent, at));
        }
    }
    Ok(at)
}

/// Returns the number of digits at the start of `bytes`.
#[inline(always)]
fn digits(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    // Eight at a time, so that short runs need no branch on their length.
    while let Some(&eight) = rest.first_chunk() {
        let others = not_digits(u64::from_le_bytes(eight));
        if others != 0 {
            return bytes.len() - rest.len() + others.trailing_zeros() as usize / 8;
        }
        rest = &rest[8..];
    }
    let last = rest.iter().take_while(|byte| byte.is_ascii_digit());
    bytes.len() - rest.len() + last.count()
}

/// Returns the length of a number without sign and exponent at the start of a word, whose first byte
/// is the lowest, or 0. If it is not followed by the end of a scalar, it may not be the whole number.
#[inline(always)]
pub(crate) fn short_number_len(word: u64) -> usize {
    let others = not_digits(word);
    let byte_at = |index: usize| (word >> (8 * index % 64)) as u8;
    let whole = if byte_at(0) == b'0' { 1 } else { others.trailing_zeros() as usize / 8 };
    if whole > 0 && byte_at(whole) == b'.' {
        let fraction = (others & (others - 1)).trailing_zeros() as usize / 8;
        if fraction > whole + 1 {
            return fraction;
        }
    }
    whole
}

/// Returns the high bit of each byte of a word that is not a digit. The first byte is the lowest.
/// The bits after a byte of 0x80 or more are unspecified.
#[inline(always)]
fn not_digits(word: u64) -> u64 {
    const fn splat(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    // Digits become 0 to 9. Adding sets the high bit of all greater bytes that had none.
    let word = word ^ splat(b'0');
    (word.wrapping_add(splat(0x80 - 10)) | word) & splat(0x80)
}

/// The parts of a text that is written like a number. They are not checked to be digits: a number
/// of the grammar has nothing else in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numeral<'t> {
    /// Whether it starts with a minus sign.
    pub(crate) is_negative: bool,
    /// The digits before the point.
    pub(crate) whole: &'t str,
    /// The digits between the point and the exponent; empty without a point.
    pub(crate) fraction: &'t str,
    /// The digits of the exponent, with their sign; `None` without an exponent.
    pub(crate) exponent: Option<&'t str>,
    /// Whether the letter of the exponent is `p`, for a power of two, which JSON does not have.
    pub(crate) is_binary: bool,
}

impl<'t> Numeral<'t> {
    /// Splits a text that may start with a sign.
    #[inline]
    pub(crate) fn of(text: &'t str) -> Self {
        let (is_negative, text) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let is_letter = |byte: &u8| matches!(byte, b'e' | b'E' | b'p' | b'P');
        let (mantissa, exponent, is_binary) = match text.bytes().position(|byte| is_letter(&byte)) {
            Some(at) => {
                (&text[..at], Some(&text[at + 1..]), matches!(text.as_bytes()[at], b'p' | b'P'))
            }
            None => (text, None, false),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        Self { is_negative, whole, fraction, exponent, is_binary }
    }

    /// The digits before and after the point.
    pub(crate) fn digits(self) -> impl Iterator<Item = u8> + Clone + use<'t> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    /// The exponent of a number of the grammar, 0 if it has none; the nearest `i64` if it does not
    /// fit.
    pub(crate) fn saturated_exponent(self) -> i64 {
        let exponent = self.exponent.unwrap_or_default();
        exponent.parse().unwrap_or(match exponent.as_bytes().first() {
            None => 0,
            Some(b'-') => i64::MIN,
            Some(_) => i64::MAX,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_the_grammar_says() {
        for (text, expected) in [
            ("0", Ok(1)),
            ("-0.50e+07,", Ok(9)),
            ("12]", Ok(2)),
            ("1E5", Ok(3)),
            ("0x1", Ok(1)),
            ("", Err((NumberFault::NoDigit, 0))),
            ("-", Err((NumberFault::NoDigit, 1))),
            ("+1", Err((NumberFault::NoDigit, 0))),
            (".5", Err((NumberFault::NoDigit, 0))),
            ("007", Err((NumberFault::LeadingZero, 0))),
            ("-00", Err((NumberFault::LeadingZero, 1))),
            ("1.", Err((NumberFault::NoFraction, 2))),
            ("1.e5", Err((NumberFault::NoFraction, 2))),
            ("1e", Err((NumberFault::NoExponent, 2))),
            ("1e+", Err((NumberFault::NoExponent, 3))),
        ] {
            assert_eq!(number_len(text.as_bytes()), expected, "{text}");
        }
    }

    /// Digits are counted eight at a time.
    #[test]
    fn numbers_of_every_length_end_after_their_digits() {
        for len in 1..40 {
            let digits = "1234567890".repeat(4);
            for (before, after) in
                [("", ""), ("-", "."), ("0.", "e"), ("2e-", "\u{ff}:"), ("", "/")]
            {
                let text = format!("{before}{}{after}", &digits[..len]);
                let expected = match after {
                    "." => Err((NumberFault::NoFraction, text.len())),
                    "e" => Err((NumberFault::NoExponent, text.len())),
                    _ => Ok(before.len() + len),
                };
                assert_eq!(number_len(text.as_bytes()), expected, "{text}");
            }
        }
    }

    /// A length that is followed by the end of a scalar is that of the number.
    #[test]
    fn short_numbers_are_those_of_the_grammar() {
        let letters = *b"019.e-,\xB1";
        for code in (0..1 << 24).step_by(if cfg!(miri) { 99_991 } else { 7 }) {
            let text: [u8; 9] = std::array::from_fn(|at| match at {
                8 => b',',
                _ => letters[code >> (3 * at) & 7],
            });
            if text[0] == b'-' {
                continue;
            }
            let len = short_number_len(u64::from_le_bytes(*text.first_chunk().unwrap()));
            let expected = number_len(&text);
            if len > 0 && text[len] == b',' {
                assert_eq!(expected, Ok(len), "{text:?}");
            }
            if len == 0 {
                assert!(expected.is_err(), "{text:?}");
            }
            if let Ok(whole) = expected
                && text[whole] == b','
                && !text[..whole].contains(&b'e')
            {
                assert_eq!(len, whole, "{text:?}");
            }
        }
    }

    #[test]
    fn numerals_have_parts() {
        let of = |text| {
            let Numeral { is_negative, whole, fraction, exponent, is_binary } = Numeral::of(text);
            (is_negative, whole, fraction, exponent, is_binary)
        };
        assert_eq!(of("-1.50E+3"), (true, "1", "50", Some("+3"), false));
        assert_eq!(of("+.5"), (false, "", "5", None, false));
        assert_eq!(of("7p-1"), (false, "7", "", Some("-1"), true));
        assert_eq!(of("é"), (false, "é", "", None, false));
        let exponent = |text| Numeral::of(text).saturated_exponent();
        assert_eq!(exponent("1"), 0);
        assert_eq!(exponent("1e+007"), 7);
        assert_eq!(exponent("1e-99999999999999999999"), i64::MIN);
        assert_eq!(exponent("1e99999999999999999999"), i64::MAX);
    }
}
