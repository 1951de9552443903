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
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
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
