//! Numbers as hcl2json writes them: in decimal, mostly without an exponent.

use crate::arena::Arena;
use crate::value::{Number, TooLong};

/// Returns a number, as it is written in native syntax, as a number of JSON; `None` if its exponent is out of
/// bounds.
pub(super) fn json_number<'a>(arena: &'a Arena, literal: &'a str) -> Option<&'a str> {
    Number::from_literal(literal).ok()?.to_literal(arena).ok()
}

/// Returns a number as text: all its digits, without an exponent.
///
/// # Errors
/// It has more than a million digits.
pub(super) fn decimal<'a>(arena: &'a Arena, literal: &'a str) -> Result<&'a str, TooLong> {
    Number::from_literal(literal).map_err(|_| TooLong)?.to_text(arena)
}

/// Returns a number with at most ten digits, with an exponent if it needs more: the `%.10g` of C.
///
/// Cost: linear in the literal, whatever its exponent.
pub(super) fn general(literal: &str) -> String {
    const DIGITS: usize = 10;
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let Ok(exponent) = exponent.parse::<i32>() else { return literal.to_owned() };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let written = [whole, fraction].concat();
    let zeros = written.len() - written.trim_start_matches('0').len();
    let mut digits: Vec<u8> = written.bytes().skip(zeros).map(|digit| digit - b'0').collect();
    if digits.is_empty() {
        return "0".to_owned();
    }
    // The value is 0.DIGITS times ten to the power of this.
    let mut point = whole.len() as i64 - zeros as i64 + i64::from(exponent);
    if digits.len() > DIGITS {
        let rest = digits.split_off(DIGITS);
        let is_half = rest[0] == 5 && rest[1..].iter().all(|digit| *digit == 0);
        let is_odd = digits[DIGITS - 1] % 2 == 1;
        if rest[0] > 5 || rest[0] == 5 && (!is_half || is_odd) {
            let nines = digits.iter().rev().take_while(|digit| **digit == 9).count();
            digits.truncate(DIGITS - nines);
            match digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    digits.push(1);
                    point += 1;
                }
            }
        }
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    let digits: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let exponent = point - 1;
    // Digits before the point that are not zeros at the end decide, as in Go.
    let limit = match digits.len() {
        len if DIGITS > len && len as i64 >= point => len as i64,
        _ => DIGITS as i64,
    };
    if exponent < -4 || exponent >= limit {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{first}{dot}{rest}e{sign}{:02}", exponent.unsigned_abs());
    }
    match usize::try_from(point) {
        Ok(point) if point >= digits.len() => digits.clone() + &"0".repeat(point - digits.len()),
        Ok(point) if point > 0 => format!("{}.{}", &digits[..point], &digits[point..]),
        _ => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_json() {
        let arena = Arena::new();
        for (literal, expected) in [
            ("0", "0"),
            ("007", "7"),
            ("1.50", "1.5"),
            ("1e3", "1000"),
            ("25E-4", "0.0025"),
            ("1e400", &*("1".to_owned() + &"0".repeat(400))),
            ("001.5e401", "1.5e+401"),
            ("0e9999999", "0"),
        ] {
            assert_eq!(json_number(&arena, literal), Some(expected));
        }
        assert_eq!(json_number(&arena, "1e999999999999"), None);
    }

    #[test]
    fn ten_digits() {
        for (literal, expected) in [
            ("0", "0"),
            ("7", "7"),
            ("10", "10"),
            ("9999999999", "9999999999"),
            ("10000000000", "1e+10"),
            ("12345678901", "1.23456789e+10"),
            ("99999999999", "1e+11"),
            ("1.5", "1.5"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("12345.678905", "12345.6789"),
            ("15e-1", "1.5"),
            ("1e999999", "1e+999999"),
        ] {
            assert_eq!(general(literal), expected);
        }
    }
}
