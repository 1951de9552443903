//! Decimal text of numbers, rounded to a number of digits, with or without an exponent, in Go's
//! formats.

use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::lexical::Numeral;

/// A decimal number: 0.DIGITS times ten to the power of `point`.
#[derive(Clone)]
pub(crate) struct Decimal {
    is_negative: bool,
    is_infinite: bool,
    /// The digits, without leading or trailing zeros.
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// Parses a number: digits with a point and an exponent, or `Inf`, with an optional sign.
    pub(crate) fn of(text: &str) -> Self {
        let numeral = Numeral::of(text);
        let is_negative = numeral.is_negative;
        if numeral.whole == "Inf" {
            return Self { is_negative, is_infinite: true, digits: Vec::new(), point: 0 };
        }
        let leading = numeral.digits().take_while(|&digit| digit == b'0').count();
        let mut digits: Vec<u8> = numeral.digits().skip(leading).collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        let place = numeral.whole.len() as i64 - leading as i64;
        let point =
            if digits.is_empty() { 0 } else { numeral.saturated_exponent().saturating_add(place) };
        Self { is_negative, is_infinite: false, digits, point }
    }

    /// Returns the nearest number with `count` digits. A number halfway between two decimals is
    /// rounded to the even one if it is exactly a float of 512 bits, and otherwise as the float is.
    fn rounded(&self, count: i64) -> Self {
        let mut rounded = self.clone();
        let Ok(count) = usize::try_from(count) else {
            rounded.digits.clear();
            rounded.point = 0;
            return rounded;
        };
        if count >= self.digits.len() {
            return rounded;
        }
        let up = match self.digits[count..] {
            [b'5'] => match self.float_error() {
                Ordering::Equal => count > 0 && self.digits[count - 1] % 2 == 1,
                error => error == Ordering::Greater,
            },
            [first, ..] => first >= b'5',
            [] => false,
        };
        rounded.digits.truncate(count);
        if up {
            while rounded.digits.last() == Some(&b'9') {
                rounded.digits.pop();
            }
            match rounded.digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    rounded.digits.push(b'1');
                    rounded.point += 1;
                }
            }
        }
        while rounded.digits.last() == Some(&b'0') {
            rounded.digits.pop();
        }
        if rounded.digits.is_empty() {
            rounded.point = 0;
        }
        rounded
    }

    /// Compares the nearest float of 512 bits with the number, by magnitude.
    fn float_error(&self) -> Ordering {
        /// The longest fraction, in digits, that is compared. Longer ones are treated as exact.
        const MAX_FRACTION: usize = 4096;

        let whole = usize::try_from(self.point).unwrap_or(0);
        if whole >= self.digits.len() {
            return Ordering::Equal;
        }
        let zeros = usize::try_from(self.point.saturating_neg()).unwrap_or(0);
        if zeros.saturating_add(self.digits.len() - whole) > MAX_FRACTION {
            return Ordering::Equal;
        }
        // The number is an integer divided by a power of ten. These are its first 513 bits, and
        // whether non-zero bits follow.
        let number = BigUint::parse_bytes(&self.digits, 10).unwrap_or_default();
        let divisor = BigUint::from(10_u8).pow((zeros + self.digits.len() - whole) as u32);
        let shift = (514 + divisor.bits()).saturating_sub(number.bits());
        let shifted = number << shift;
        let quotient = &shifted / &divisor;
        let excess = quotient.bits().saturating_sub(513);
        let bits = &quotient >> excess;
        let is_all = (&bits << excess) == quotient && quotient * divisor == shifted;
        match (bits.bit(0), is_all) {
            (false, true) => Ordering::Equal,
            (true, _) => Ordering::Greater,
            (false, false) => Ordering::Less,
        }
    }

    fn start(&self) -> String {
        String::from(if self.is_negative { "-" } else { "" })
    }

    /// Formats it with `places` digits after the point.
    pub(crate) fn fixed(&self, places: usize) -> String {
        let mut text = self.start();
        if self.is_infinite {
            text.push_str("Inf");
            return text;
        }
        let rounded = self.rounded(self.point.saturating_add_unsigned(places as u64));
        let digit = |place: i64| {
            let index = usize::try_from(place).ok();
            index
                .and_then(|index| rounded.digits.get(index))
                .map_or('0', |&digit| char::from(digit))
        };
        if rounded.point > 0 {
            text.extend((0..rounded.point).map(digit));
        } else {
            text.push('0');
        }
        if places > 0 {
            text.push('.');
            text.extend(
                (0..places).map(|place| digit(rounded.point.saturating_add_unsigned(place as u64))),
            );
        }
        text
    }

    /// Formats it with one digit before the point, `places` after it, and an exponent.
    pub(crate) fn scientific(&self, places: usize, letter: char) -> String {
        let mut text = self.start();
        if self.is_infinite {
            text.push_str("Inf");
            return text;
        }
        let rounded = self.rounded(1_i64.saturating_add_unsigned(places as u64));
        let digit = |index| rounded.digits.get(index).map_or('0', |&digit| char::from(digit));
        text.push(digit(0));
        if places > 0 {
            text.push('.');
            text.extend((1..=places).map(digit));
        }
        let exponent = if rounded.digits.is_empty() { 0 } else { rounded.point.saturating_sub(1) };
        let sign = if exponent < 0 { '-' } else { '+' };
        text.push_str(&format!("{letter}{sign}{:02}", exponent.unsigned_abs()));
        text
    }

    /// Formats it in the shorter of the two forms, with at most `precision` digits, or with all
    /// digits.
    pub(crate) fn general(&self, precision: Option<usize>, letter: char) -> String {
        if self.is_infinite {
            return self.fixed(0);
        }
        let rounded = match precision {
            Some(precision) => self.rounded(i64::try_from(precision.max(1)).unwrap_or(i64::MAX)),
            None => self.clone(),
        };
        let count = rounded.digits.len() as i64;
        // The first exponent that is written in scientific notation.
        let mut limit = precision.map_or(6, |precision| precision.max(1) as i64);
        if precision.is_some() && limit > count && count >= rounded.point {
            limit = count;
        }
        let exponent = if count == 0 { -1 } else { rounded.point.saturating_sub(1) };
        if exponent < -4 || exponent >= limit {
            return rounded.scientific(usize::try_from(count - 1).unwrap_or(0), letter);
        }
        rounded.fixed(usize::try_from(count - rounded.point).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinity_has_no_digits() {
        for (text, written) in [("Inf", "Inf"), ("+Inf", "Inf"), ("-Inf", "-Inf")] {
            let infinite = Decimal::of(text);
            assert_eq!(infinite.fixed(2), written);
            assert_eq!(infinite.scientific(2, 'e'), written);
            assert_eq!(infinite.general(None, 'e'), written);
        }
    }

    #[test]
    fn digits_far_after_the_last_place_are_rounded_off() {
        assert_eq!(Decimal::of("0.001").fixed(0), "0");
        assert_eq!(Decimal::of("-0.006").fixed(2), "-0.01");
        // Halfway between two decimals, with more digits than are compared: rounded to the even
        // one.
        for (text, last) in [("5e-5000", '0'), ("15e-5000", '2')] {
            let written = Decimal::of(text).fixed(4_999);
            assert_eq!((written.len(), written.chars().last()), (5_001, Some(last)), "{text}");
            assert_eq!(
                written.chars().filter(|digit| *digit != '0').count(),
                1 + usize::from(last == '2')
            );
        }
    }
}
