//! Functions of numbers. `log` and `pow` compute with 64-bit floats, as in OpenTofu; everything
//! else is exact.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::builtin::{Builtin, function};
use super::call::{Call, Outcome, failed, wrong};
use crate::value::{Number, Quotation, Type, Value};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("abs", |call| {
        let number = call.number(0)?;
        let is_negative = call.digits(number).is_ok_and(|text| text.starts_with('-'));
        Ok(Value::number(if is_negative { number.negate(call.arena) } else { number }))
    }),
    function("ceil", |call| round(call, Ordering::Greater)),
    function("floor", |call| round(call, Ordering::Less)),
    function("log", |call| {
        float_value(call, logarithm(float(call, 0)?) / logarithm(float(call, 1)?))
    }),
    function("max", |call| extreme(call, Ordering::Greater)),
    function("min", |call| extreme(call, Ordering::Less)),
    function("parseint", parse_int),
    function("pow", |call| float_value(call, power(float(call, 0)?, float(call, 1)?))),
    function("signum", |call| Ok(call.integer_value(call.integer(0)?.signum()))),
];

/// Parses decimal text.
fn decimal<'a>(call: Call<'_, 'a>, text: &str) -> Outcome<'a> {
    Number::parse(call.arena, call.arena.str(text))
        .map(Value::number)
        .map_err(|error| call.uncomputed(error))
}

/// Returns the next integer in a direction, or the number itself if it is one.
fn round<'a>(call: Call<'_, 'a>, direction: Ordering) -> Outcome<'a> {
    let number = call.number(0)?;
    if number.is_integer() {
        return Ok(Value::number(number));
    }
    let text = call.digits(number).map_err(|_| wrong(0, "the number is too long"))?;
    let Some((integer, _)) = text.split_once('.') else { return Ok(Value::number(number)) };
    let away = if integer.starts_with('-') { Ordering::Less } else { Ordering::Greater };
    let toward_zero = decimal(call, if integer == "-0" { "0" } else { integer })?;
    let Some(truncated) = toward_zero.as_number().filter(|_| direction == away) else {
        return Ok(toward_zero);
    };
    let one = if away == Ordering::Less { -1 } else { 1 };
    truncated
        .add(call.arena, Number::from_i64(call.arena, one))
        .map(Value::number)
        .map_err(|error| call.uncomputed(error))
}

fn extreme<'a>(call: Call<'_, 'a>, wanted: Ordering) -> Outcome<'a> {
    let mut best = None;
    for index in 0..call.arguments.len() {
        let number = call.number(index)?;
        if best.is_none_or(|best: Number<'a>| number.compare(best) == wanted) {
            best = Some(number);
        }
    }
    best.map(Value::number).ok_or_else(|| failed("at least one number is required"))
}

/// Returns the argument at `index` as the nearest float.
fn float<'a>(call: Call<'_, 'a>, index: usize) -> Outcome<'a, f64> {
    let number = call.number(index)?;
    let float = number.to_f64_lossy();
    if float.is_infinite() && call.digits(number).is_ok_and(|text| !text.ends_with("Inf")) {
        return Err(wrong(index, "the number is too large for a 64-bit float"));
    }
    Ok(float)
}

fn float_value<'a>(call: Call<'_, 'a>, float: f64) -> Outcome<'a> {
    if float.is_nan() {
        return Err(failed("the result is not a real number"));
    }
    // The tools compute with it, and fail without a place when they write it.
    if float.is_infinite() {
        return Err(failed("the result is infinite"));
    }
    Ok(Value::number(Number::from_f64(call.arena, float)))
}

/// Computes a power with Go's algorithm, because it determines the last digits of the result: a
/// fractional part of the exponent by logarithms, the rest by squares of the mantissa.
fn power(base: f64, exponent: f64) -> f64 {
    let special = exponent == 0.0 || base == 0.0 || !base.is_finite() || !exponent.is_finite();
    if !special && exponent.abs() == 0.5 {
        let root = base.sqrt();
        return if exponent < 0.0 { 1.0 / root } else { root };
    }
    let mut whole = exponent.abs().trunc();
    let mut fraction = exponent.abs() - whole;
    // Beyond 63 bits, the only results are 0, 1 and infinity.
    if special || base == 1.0 || exponent == 1.0 || whole >= 2_f64.powi(63) {
        return base.powf(exponent);
    }
    if fraction != 0.0 && base < 0.0 {
        return f64::NAN;
    }
    let mut mantissa = 1.0;
    let mut binary = 0_i64;
    if fraction != 0.0 {
        if fraction > 0.5 {
            fraction -= 1.0;
            whole += 1.0;
        }
        mantissa = (fraction * logarithm(base)).exp();
    }
    let (mut square, mut square_exponent) = split(base);
    #[allow(clippy::cast_possible_truncation, reason = "below 2^63 and whole")]
    let mut rest = whole as i64;
    while rest != 0 {
        if square_exponent.abs() > 1 << 12 {
            // Overflow or underflow is certain.
            binary += square_exponent;
            break;
        }
        if rest & 1 == 1 {
            mantissa *= square;
            binary += square_exponent;
        }
        square *= square;
        square_exponent *= 2;
        if square < 0.5 {
            square += square;
            square_exponent -= 1;
        }
        rest >>= 1;
    }
    if exponent < 0.0 {
        mantissa = 1.0 / mantissa;
        binary = -binary;
    }
    scale(mantissa, binary)
}

/// Computes the natural logarithm with Go's series, that of FreeBSD's `e_log.c`: for 1 + f with f
/// between -0.3 and 0.42, ln(1 + f) is 2 artanh(s) with s = f / (2 + f).
fn logarithm(float: f64) -> f64 {
    const SQUARES: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

    if float.is_nan() || float <= 0.0 || float.is_infinite() {
        return float.ln();
    }
    let (mut mantissa, mut exponent) = split(float);
    if mantissa < std::f64::consts::FRAC_1_SQRT_2 {
        mantissa *= 2.0;
        exponent -= 1;
    }
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let (z, w) = (s * s, s * s * (s * s));
    let [l1, l2, l3, l4, l5, l6, l7] = SQUARES;
    let odd = z * (l1 + w * (l3 + w * (l5 + w * l7)));
    let even = w * (l2 + w * (l4 + w * l6));
    let half = 0.5 * f * f;
    let k = exponent as f64;
    k * LN_2_HIGH - ((half - (s * (half + (odd + even)) + k * LN_2_LOW)) - f)
}

/// Returns a mantissa from 0.5 to 1 (exclusive), and its power of two.
fn split(float: f64) -> (f64, i64) {
    const EXPONENT: u64 = 0x7ff << 52;
    if float == 0.0 {
        return (float, 0);
    }
    let (normal, shift) =
        if float.is_normal() { (float, 0) } else { (float * 2_f64.powi(54), -54) };
    let bits = normal.to_bits();
    let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0) - 1022 + shift;
    (f64::from_bits(bits & !EXPONENT | 1022 << 52), exponent)
}

/// Returns `float` times a power of two, rounded once.
fn scale(float: f64, exponent: i64) -> f64 {
    let (mantissa, own) = split(float);
    let exponent = exponent.saturating_add(own).clamp(-1200, 1200);
    let power = |exponent: i64| 2_f64.powi(i32::try_from(exponent).unwrap_or(0));
    match exponent {
        1025.. => mantissa * f64::INFINITY,
        // Both factors are exact until the last multiplication.
        -1021..=1024 => mantissa * 2.0 * power(exponent - 1),
        _ => mantissa * power(-1021) * power(exponent + 1021),
    }
}

/// The maximum number of digits that `parseint` reads.
const MAX_DIGITS: usize = 4096;

fn parse_int<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    if !matches!(call.value(0)?.ty(), Type::String) {
        return Err(wrong(0, "a string is required"));
    }
    let (text, base) = (call.str(0)?, call.integer(1)?);
    let Some(base) = u32::try_from(base).ok().filter(|base| (2..=62).contains(base)) else {
        return Err(wrong(1, "the base must be from 2 to 62"));
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.len() > MAX_DIGITS {
        return Err(call.wrong(
            0,
            "there are more than {} digits",
            &[Quotation::Plain(&MAX_DIGITS)],
        ));
    }
    let quotations = [Quotation::Text(text), Quotation::Value(&base)];
    let invalid = || call.wrong(0, "{} is not an integer in base {}", &quotations);
    if digits.is_empty() {
        return Err(invalid());
    }
    let values: Option<Vec<u8>> = digits.bytes().map(|byte| digit(byte, base)).collect();
    let number = BigUint::from_radix_be(&values.ok_or_else(invalid)?, base).unwrap_or_default();
    let sign = if text.starts_with('-') && number != BigUint::ZERO { "-" } else { "" };
    decimal(call, &format!("{sign}{number}"))
}

/// In bases above 36, capital letters are separate digits.
fn digit(byte: u8, base: u32) -> Option<u8> {
    let digit = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' if base <= 36 => byte - b'A' + 10,
        b'A'..=b'Z' => byte - b'A' + 36,
        _ => return None,
    };
    Some(digit).filter(|&digit| u32::from(digit) < base)
}
