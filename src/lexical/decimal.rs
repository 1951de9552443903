//! Exact equality of JSON numbers as decimals: `1.50` equals `15e-1`, and 2⁵³ does not equal 2⁵³ +
//! 1. Cost: linear in the digits, for any exponent.

use super::Numeral;

/// Whether two numbers of the JSON grammar have the same value. `-0` is `0`.
pub(crate) fn equal(left: &str, right: &str) -> bool {
    left == right || Decimal::of(left).equals(&Decimal::of(right))
}

/// ± 0.DIGITS × 10^(exponent + shift), without leading or trailing zeros in the digits.
struct Decimal<'t> {
    is_negative: bool,
    whole: &'t [u8],
    fraction: &'t [u8],
    exponent: &'t str,
    shift: i64,
}

impl<'t> Decimal<'t> {
    fn of(text: &'t str) -> Self {
        let Numeral { is_negative, whole, fraction, exponent, .. } = Numeral::of(text);
        let exponent = exponent.unwrap_or("0");
        let mut whole = whole.trim_start_matches('0');
        let mut shift = whole.len() as i64;
        let mut fraction = fraction.trim_end_matches('0');
        if whole.is_empty() {
            let digits = fraction.trim_start_matches('0');
            shift = -((fraction.len() - digits.len()) as i64);
            fraction = digits;
        } else if fraction.is_empty() {
            whole = whole.trim_end_matches('0');
        }
        let (whole, fraction) = (whole.as_bytes(), fraction.as_bytes());
        Self { is_negative, whole, fraction, exponent, shift }
    }

    fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    fn equals(&self, other: &Self) -> bool {
        if self.is_zero() || other.is_zero() {
            return self.is_zero() && other.is_zero();
        }
        let digits = |of: &Self| (of.whole.len() + of.fraction.len(), of.whole, of.fraction);
        let (left, right) = (digits(self), digits(other));
        self.is_negative == other.is_negative
            && left.0 == right.0
            && left.1.iter().chain(left.2).eq(right.1.iter().chain(right.2))
            && difference(self.exponent, other.exponent) == Some(other.shift - self.shift)
    }
}

/// Returns the difference of two integers of any length; `None` if it is greater than any shift.
fn difference(left: &str, right: &str) -> Option<i64> {
    const LARGEST: i64 = 1 << 40;
    let split = |text: &str| -> (i64, usize) {
        let sign = if text.starts_with('-') { -1 } else { 1 };
        (sign, text.len() - text.trim_start_matches(['-', '+']).len())
    };
    let ((left_sign, left_start), (right_sign, right_start)) = (split(left), split(right));
    let (left, right) = (&left.as_bytes()[left_start..], &right.as_bytes()[right_start..]);
    let len = left.len().max(right.len());
    let digit = |text: &[u8], place: usize| -> i64 {
        let padding = len - text.len();
        place.checked_sub(padding).map_or(0, |at| i64::from(text[at] - b'0'))
    };
    let mut sum = 0_i64;
    for place in 0..len {
        sum = sum * 10 + left_sign * digit(left, place) - right_sign * digit(right, place);
        // A digit changes the sum by at most 18, so a sum of this size never decreases again.
        if sum.abs() > LARGEST {
            return None;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn values_not_texts() {
        for (left, right) in [
            ("0", "-0.000e7"),
            ("1", "1.0"),
            ("1.50", "15e-1"),
            ("100", "1E+2"),
            ("0.001", "1e-3"),
            ("120e-1", "1.2e1"),
            ("10e99999999999999999999999", "1e100000000000000000000000"),
            ("0.1e-99999999999999999999999", "1e-100000000000000000000000"),
            ("1e007", "10000000"),
        ] {
            assert!(equal(left, right) && equal(right, left), "{left} {right}");
        }
        for (left, right) in [
            ("1", "-1"),
            ("9007199254740992", "9007199254740993"),
            ("1e400", "1e401"),
            ("0", "1e-400"),
            ("12", "1.2"),
            ("1e99999999999999999999999", "1e-99999999999999999999999"),
            ("0.1", "0.10000000000000000000000000000001"),
        ] {
            assert!(!equal(left, right) && !equal(right, left), "{left} {right}");
        }
    }

    #[test]
    fn a_million_digits() {
        let long = "7".repeat(1_000_000);
        assert!(equal(&long, &format!("{long}.0")));
        assert!(!equal(&long, &format!("{long}.1")));
    }
}
