//! Numbers: exact text until arithmetic, then binary floats.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

pub use super::float::MAX_DIGITS;
use super::float::{Float, PRECISION, Size, shortest};
use super::limits::TEXT_UNIT;
use crate::arena::Arena;
use crate::lexical::Numeral;

/// Decimal numbers of up to so many digits keep them when they become floats and text again.
const EXACT_DIGITS: usize = 150;
/// Of more digits than this, the rest only says whether something follows: a float keeps 155 digits.
const READ_DIGITS: usize = 2_000;
/// Exponents whose numbers are far from infinite and from zero, however they are written.
const USUAL_EXPONENT: u64 = 100_000_000;

/// A number: exact text until arithmetic, then a binary float of up to 512 bits.
///
/// Results of arithmetic equal the reference's bit for bit. Infinity comes from arithmetic and from the text
/// `Inf` only, never from a literal.
#[derive(Clone, Copy)]
pub struct Number<'a>(Repr<'a>);

#[derive(Clone, Copy)]
enum Repr<'a> {
    /// Valid decimal text: digits, a fraction, an exponent.
    Text(&'a str),
    /// With 64 bits of precision.
    Integer(i64),
    Float(&'a Stored<'a>),
}

/// A float in the arena, which runs no destructors: its mantissa is a slice.
struct Stored<'a> {
    negative: bool,
    precision: u32,
    /// None if it is infinite.
    mantissa: Option<&'a [u32]>,
    exponent: i64,
}

impl Stored<'_> {
    fn load(&self) -> Float {
        let size = match self.mantissa {
            Some(digits) => Size::Finite(BigUint::from_slice(digits), self.exponent),
            None => Size::Infinite,
        };
        Float { negative: self.negative, size, precision: self.precision }
    }
}

#[cfg(test)]
thread_local! {
    /// How many texts of numbers this thread has read as floats.
    pub(super) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A number that has been read, see [`Number::ordered`].
#[derive(Debug)]
pub(super) enum Ordered {
    Small(i64),
    Float(Float),
}

impl Ordered {
    /// An order in which exactly the numbers that [`Number::equals`] takes for the same are equal.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let compare = |one: &Float, other: &Float| {
            if one.is_same(other) { Ordering::Equal } else { one.compare(other) }
        };
        match (self, other) {
            (Self::Small(one), Self::Small(other)) => one.cmp(other),
            (Self::Small(one), Self::Float(other)) => compare(&Float::integer(*one), other),
            (Self::Float(one), Self::Small(other)) => compare(one, &Float::integer(*other)),
            (Self::Float(one), Self::Float(other)) => compare(one, other),
        }
    }
}

/// Why a text is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// It does not follow the grammar.
    Syntax,
    /// Its exponent is out of bounds.
    Exponent,
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticError {
    /// The sum of opposing infinities.
    OpposingInfinities,
    /// Zero times infinity.
    ZeroTimesInfinity,
    /// Zero by zero, or infinity by infinity.
    Indeterminate,
}

/// A number takes more than [`MAX_DIGITS`] digits to write out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "a number is required",
            Self::Exponent => "the exponent is out of bounds",
        })
    }
}

impl fmt::Display for ArithmeticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpposingInfinities => "opposing infinities have no sum",
            Self::ZeroTimesInfinity => "zero cannot be multiplied by infinity",
            Self::Indeterminate => "zero cannot be divided by zero, nor infinity by infinity",
        })
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the number has more than {MAX_DIGITS} digits")
    }
}

impl std::error::Error for NumberError {}
impl std::error::Error for ArithmeticError {}
impl std::error::Error for TooLong {}

/// A decimal text taken apart.
struct Decimal<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
    /// The written exponent, and whether it is one of two.
    exponent: i64,
    binary: bool,
}

impl<'t> Decimal<'t> {
    /// `[+-]? digits? [. digits?] ([eEpP] [+-]? digits)?` with at least one digit before the exponent.
    fn parse(text: &'t str) -> Result<Self, NumberError> {
        let Numeral {
            is_negative: negative,
            whole,
            fraction,
            exponent: written,
            is_binary: binary,
        } = Numeral::of(text);
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(whole) || !is_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
            return Err(NumberError::Syntax);
        }
        let exponent = match written {
            None => 0,
            Some(written) => {
                let digits = written.strip_prefix(['+', '-']).unwrap_or(written);
                if digits.is_empty() || !is_digits(digits) {
                    return Err(NumberError::Syntax);
                }
                written.parse().map_err(|_| NumberError::Exponent)?
            }
        };
        Ok(Self { negative, whole, fraction, exponent, binary })
    }

    fn digits(&self) -> impl Iterator<Item = u8> + Clone + use<'t> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    fn is_zero(&self) -> bool {
        self.digits().all(|digit| digit == b'0')
    }

    fn to_float(&self) -> Result<Float, NumberError> {
        #[cfg(test)]
        READ.set(READ.get() + 1);
        let mut digits = self.digits().skip_while(|&digit| digit == b'0');
        let mut text: Vec<u8> = digits.by_ref().take(READ_DIGITS).collect();
        let (mut unread, mut is_exact) = (0, true);
        for digit in digits {
            unread += 1;
            is_exact &= digit == b'0';
        }
        if !is_exact {
            text.push(b'1');
            unread -= 1;
        }
        let digits = BigUint::parse_bytes(&text, 10).unwrap_or_default();
        let fraction = self.fraction.len() as i64 - unread;
        let overflow = NumberError::Exponent;
        if self.binary {
            let scaled = Float::from_decimal(self.negative, &digits, -fraction).ok_or(overflow)?;
            let power = Float::rounded(false, 1_u8.into(), self.exponent, 1, false);
            return scaled.multiply_at(&power, PRECISION).ok_or(overflow);
        }
        let exponent = self.exponent.checked_sub(fraction).ok_or(overflow)?;
        Float::from_decimal(self.negative, &digits, exponent).ok_or(overflow)
    }
}

impl<'a> Number<'a> {
    /// A number as JSON and native syntax write it. Its text is kept.
    ///
    /// # Errors
    /// Its exponent is out of bounds, or it is infinite by it; or it is no number.
    pub fn from_literal(text: &'a str) -> Result<Self, NumberError> {
        let decimal = Decimal::parse(text)?;
        // Whatever is far from the bounds needs no arithmetic to be told so.
        if decimal.exponent.unsigned_abs() + text.len() as u64 > USUAL_EXPONENT {
            let float = decimal.to_float()?;
            if float.is_infinite() {
                return Err(NumberError::Exponent);
            }
        }
        Ok(Self(Repr::Text(text)))
    }

    /// A number from any text that converts to one: also `+5`, `.5`, `5.`, `1p3`, `Inf`.
    ///
    /// # Errors
    /// It is no number, or its exponent is out of bounds.
    pub fn parse(arena: &'a Arena, text: &str) -> Result<Self, NumberError> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if unsigned == "Inf" || unsigned == "inf" {
            return Ok(Self::of(arena, Float::infinite(text.starts_with('-'), PRECISION)));
        }
        Ok(Self::of(arena, Decimal::parse(text)?.to_float()?))
    }

    /// An integer, with 64 bits of precision.
    #[must_use]
    pub fn from_i64(_: &'a Arena, value: i64) -> Self {
        Self(Repr::Integer(value))
    }

    /// An integer, with 64 bits of precision.
    #[must_use]
    pub fn from_u64(arena: &'a Arena, value: u64) -> Self {
        match i64::try_from(value) {
            Ok(value) => Self(Repr::Integer(value)),
            Err(_) => Self::of(arena, Float::rounded(false, value.into(), 0, 64, false)),
        }
    }

    /// A finite double-precision float, with 53 bits of precision; infinite for one that is not finite.
    #[must_use]
    pub fn from_f64(arena: &'a Arena, value: f64) -> Self {
        const BITS: u32 = 53;
        if !value.is_finite() {
            return Self::of(arena, Float::infinite(value < 0.0, BITS));
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7FF) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        Self::of(
            arena,
            Float::rounded(value.is_sign_negative(), mantissa.into(), exponent, BITS, false),
        )
    }

    fn of(arena: &'a Arena, float: Float) -> Self {
        let bump = arena.bump();
        let (mantissa, exponent) = match &float.size {
            Size::Finite(mantissa, exponent) => {
                (Some(&*bump.alloc_slice_copy(&mantissa.to_u32_digits())), *exponent)
            }
            Size::Infinite => (None, 0),
        };
        let Float { negative, precision, .. } = float;
        Self(Repr::Float(bump.alloc(Stored { negative, precision, mantissa, exponent })))
    }

    fn float(self) -> Float {
        match self.0 {
            Repr::Float(float) => float.load(),
            Repr::Integer(value) => Float::integer(value),
            Repr::Text(text) => {
                let float = Decimal::parse(text).and_then(|decimal| decimal.to_float());
                // Literals have been tried.
                float.unwrap_or_else(|_| Float::zero(false, PRECISION))
            }
        }
    }

    /// Its value, if it is an integer that is written in up to 18 digits, as most are: no arithmetic is needed to
    /// tell. Negative zero is none.
    fn small(self) -> Option<i64> {
        const DIGITS: usize = 18;
        match self.0 {
            Repr::Integer(value) => Some(value),
            Repr::Text(text) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                let is_small = digits.len() <= DIGITS && is_canonical(digits) && text != "-0";
                is_small.then(|| text.parse().ok())?
            }
            Repr::Float(_) => None,
        }
    }

    /// The result of `operation` on two small integers, if it is an `i64` and not zero: zero may have a sign.
    fn of_small(
        self,
        arena: &'a Arena,
        other: Self,
        operation: impl FnOnce(i64, i64) -> Option<i64>,
    ) -> Option<Self> {
        let result = operation(self.small()?, other.small()?).filter(|&result| result != 0)?;
        Some(match (self.0, other.0) {
            (Repr::Integer(_), Repr::Integer(_)) => Self(Repr::Integer(result)),
            // Text has the precision of parsed numbers.
            _ => Self(Repr::Text(arena.format(format_args!("{result}")))),
        })
    }

    /// The sum. The precision is the larger one of the operands.
    ///
    /// # Errors
    /// Opposing infinities.
    pub fn add(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        if let Some(sum) = self.of_small(arena, other, i64::checked_add) {
            return Ok(sum);
        }
        let sum = self.float().add(&other.float()).ok_or(ArithmeticError::OpposingInfinities)?;
        Ok(Self::of(arena, sum))
    }

    /// The difference.
    ///
    /// # Errors
    /// Equal infinities.
    pub fn subtract(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        if let Some(difference) = self.of_small(arena, other, i64::checked_sub) {
            return Ok(difference);
        }
        let negated = other.float().negated();
        let difference = self.float().add(&negated).ok_or(ArithmeticError::OpposingInfinities)?;
        Ok(Self::of(arena, difference))
    }

    /// The product.
    ///
    /// # Errors
    /// Zero times infinity.
    pub fn multiply(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        if let Some(product) = self.of_small(arena, other, i64::checked_mul) {
            return Ok(product);
        }
        let product = self.float().multiply(&other.float());
        Ok(Self::of(arena, product.ok_or(ArithmeticError::ZeroTimesInfinity)?))
    }

    /// The quotient. A number other than zero by zero is infinite.
    ///
    /// # Errors
    /// Zero by zero, infinity by infinity.
    pub fn divide(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        let quotient = self.float().divide(&other.float());
        Ok(Self::of(arena, quotient.ok_or(ArithmeticError::Indeterminate)?))
    }

    /// What remains when the quotient is truncated, with the sign of `self`. By zero, `self`.
    ///
    /// # Errors
    /// One of them is infinite.
    pub fn remainder(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        let remainder = self.float().remainder(&other.float());
        Ok(Self::of(arena, remainder.ok_or(ArithmeticError::ZeroTimesInfinity)?))
    }

    /// The number with the other sign; zero becomes negative zero.
    #[must_use]
    pub fn negate(self, arena: &'a Arena) -> Self {
        Self::of(arena, self.float().negated())
    }

    /// Without its fraction.
    #[must_use]
    pub fn truncate(self, arena: &'a Arena) -> Self {
        Self::of(arena, self.float().truncated())
    }

    /// How many bytes its decimal text takes, roughly, and at most [`MAX_DIGITS`] more than are kept of it.
    pub(super) const fn len(self) -> usize {
        match self.0 {
            Repr::Integer(_) => 0,
            Repr::Text(text) if text.len() < TEXT_UNIT && !has_exponent(text) => 0,
            Repr::Text(text) => text.len() + written_exponent(text),
            Repr::Float(float) => {
                // A bit takes a third of a digit.
                let digits = float.exponent.unsigned_abs() / 3;
                (if digits < MAX_DIGITS { digits } else { MAX_DIGITS }) as usize + 160
            }
        }
    }

    /// Whether its decimal text takes at most a few hundred bytes.
    #[must_use]
    pub const fn is_short(self) -> bool {
        self.len() <= 400
    }

    /// The same number in another arena.
    pub(super) fn copy_to<'b>(self, arena: &'b Arena) -> Number<'b> {
        match self.0 {
            Repr::Text(text) => Number(Repr::Text(arena.str(text))),
            Repr::Integer(value) => Number(Repr::Integer(value)),
            Repr::Float(float) => Number::of(arena, float.load()),
        }
    }

    /// The number as what compares without reading its text again.
    pub(super) fn ordered(self) -> Ordered {
        match self.small() {
            Some(small) => Ordered::Small(small),
            None => Ordered::Float(self.float()),
        }
    }

    /// How its value compares. Negative zero is zero. Cost: linear in the texts.
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        match self.small().zip(other.small()) {
            Some((one, other)) => one.cmp(&other),
            None => self.float().compare(&other.float()),
        }
    }

    /// Whether it is the same number: the same text when written out. So numbers of different precision are
    /// compared by what identifies them. Cost: linear in the texts as they are kept.
    #[must_use]
    pub fn equals(self, other: Self) -> bool {
        if let Some((one, other)) = self.small().zip(other.small()) {
            return one == other;
        }
        if let (Repr::Text(one), Repr::Text(other)) = (self.0, other.0)
            && one == other
        {
            return true;
        }
        self.float().is_same(&other.float())
    }

    /// Whether it has no fraction. Infinity has none to speak of, but is no integer.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.small().is_some() || self.float().is_integer()
    }

    /// Whether it is below zero, or negative zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        match self.0 {
            Repr::Integer(value) => value < 0,
            Repr::Float(float) => float.negative,
            Repr::Text(text) => text.starts_with('-'),
        }
    }

    /// Whether it is infinite.
    #[must_use]
    pub fn is_infinite(self) -> bool {
        matches!(self.0, Repr::Float(float) if float.mantissa.is_none())
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        match self.0 {
            Repr::Integer(value) => value == 0,
            Repr::Float(float) => float.mantissa.is_some_and(<[u32]>::is_empty),
            Repr::Text(text) => Decimal::parse(text).is_ok_and(|decimal| decimal.is_zero()),
        }
    }

    /// Its value, if it is an integer that fits.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.small().or_else(|| self.float().to_i64())
    }

    /// Its value, if it is an integer that fits.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        match self.as_i64() {
            Some(value) => u64::try_from(value).ok(),
            None => {
                let float = self.float();
                let Size::Finite(mantissa, exponent) = &float.size else {
                    return None;
                };
                let shift = u32::try_from(*exponent).ok().filter(|&shift| shift < 64)?;
                let magnitude = u128::try_from(mantissa).ok()?.checked_mul(1 << shift)?;
                u64::try_from(magnitude).ok().filter(|_| !float.negative)
            }
        }
    }

    /// Its value, if it is an integer that fits.
    #[must_use]
    pub fn as_usize(self) -> Option<usize> {
        usize::try_from(self.as_u64()?).ok()
    }

    /// The nearest double-precision float.
    #[must_use]
    pub fn to_f64_lossy(self) -> f64 {
        match self.0 {
            Repr::Integer(value) => value as f64,
            Repr::Text(text) => text.parse().unwrap_or(f64::NAN),
            Repr::Float(stored) => {
                let float = stored.load();
                let Some((digits, point)) = shortest(&float, 2_000) else {
                    let is_small = matches!(&float.size, Size::Finite(_, e) if *e < 0);
                    let size = if is_small { 0.0 } else { f64::INFINITY };
                    return if float.negative { -size } else { size };
                };
                let digits: String = digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
                let sign = if float.negative { "-" } else { "" };
                format!("{sign}0.{digits}0e{point}").parse().unwrap_or(f64::NAN)
            }
        }
    }

    /// Its shortest decimal text, in fixed notation: all digits before the point, those behind it that tell it
    /// from its neighbours, no exponent. `Inf` with a sign if it is infinite; negative zero keeps its sign.
    ///
    /// # Errors
    /// It has more than [`MAX_DIGITS`] digits.
    pub fn to_text(self, arena: &'a Arena) -> Result<&'a str, TooLong> {
        match self.0 {
            Repr::Integer(value) => Ok(arena.format(format_args!("{value}"))),
            Repr::Text(text) if is_canonical(text) => Ok(text),
            _ => Ok(arena.str(&self.to_fixed()?)),
        }
    }

    /// See [`to_text`](Self::to_text).
    pub(super) fn to_fixed(self) -> Result<String, TooLong> {
        if let Repr::Integer(value) = self.0 {
            return Ok(value.to_string());
        }
        if let Repr::Text(text) = self.0
            && let Ok(decimal) = Decimal::parse(text)
            && let Some((digits, point)) = exact_digits(&decimal)
        {
            return fixed(decimal.negative, &digits, point);
        }
        let float = self.float();
        if float.is_infinite() {
            return Ok(if float.negative { "-Inf" } else { "+Inf" }.to_owned());
        }
        let (digits, point) = shortest(&float, MAX_DIGITS).ok_or(TooLong)?;
        fixed(float.negative, &digits, point)
    }
}

const fn has_exponent(text: &str) -> bool {
    written_exponent(text) > 0
}

/// The exponent of a decimal text without its sign, at most [`MAX_DIGITS`]; 0 if it has none.
const fn written_exponent(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut exponent, mut is_exponent) = (0, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'e' | b'E' | b'p' | b'P' => is_exponent = true,
            digit @ b'0'..=b'9' if is_exponent && exponent < MAX_DIGITS as usize => {
                exponent = exponent * 10 + (digit - b'0') as usize;
            }
            _ => {}
        }
        at += 1;
    }
    if exponent < MAX_DIGITS as usize { exponent } else { MAX_DIGITS as usize }
}

/// Digits that are written as they are: an integer of few digits without a sign or leading zero.
fn is_canonical(text: &str) -> bool {
    text.len() <= EXACT_DIGITS
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

/// The digits and the point of a decimal number that survives 512 bits unchanged.
fn exact_digits(decimal: &Decimal<'_>) -> Option<(Vec<u8>, i64)> {
    if decimal.binary {
        return None;
    }
    let leading = decimal.digits().take_while(|&digit| digit == b'0').count();
    let mut digits: Vec<u8> =
        decimal.digits().skip(leading).take(EXACT_DIGITS + 1).map(|digit| digit - b'0').collect();
    let total = decimal.whole.len() + decimal.fraction.len() - leading;
    if total > EXACT_DIGITS {
        return None;
    }
    let point = (decimal.whole.len() as i64 - leading as i64).checked_add(decimal.exponent)?;
    while digits.last() == Some(&0) {
        digits.pop();
    }
    (digits.is_empty() || point.unsigned_abs() <= MAX_DIGITS).then_some((digits, point))
}

/// Fixed notation of `0.DIGITS * 10^point`.
fn fixed(negative: bool, digits: &[u8], point: i64) -> Result<String, TooLong> {
    let len = digits.len() as i64;
    if point.unsigned_abs() > MAX_DIGITS || digits.len() as u64 > MAX_DIGITS {
        return Err(TooLong);
    }
    let mut text = String::new();
    if negative {
        text.push('-');
    }
    if digits.is_empty() || point <= 0 {
        text.push('0');
    }
    let character = |at: i64| {
        usize::try_from(at)
            .ok()
            .and_then(|at| digits.get(at))
            .map_or('0', |digit| char::from(b'0' + digit))
    };
    if digits.is_empty() {
        return Ok(text);
    }
    text.extend((0..point).map(character));
    if len > point {
        text.push('.');
        text.extend((point..len).map(character));
    }
    Ok(text)
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longer texts are cut: nobody reads a million digits.
        const SHOWN: usize = 1000;
        match self.to_fixed() {
            Ok(text) if text.len() > SHOWN => write!(f, "{}…", text.get(..SHOWN / 2).unwrap_or("")),
            Ok(text) => f.write_str(&text),
            Err(TooLong) => f.write_str("…"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: Result<Number<'_>, NumberError>) -> String {
        format!("{:?}", number.unwrap_or_else(|error| panic!("{error}")))
    }

    #[test]
    fn literals_are_written_in_fixed_notation() {
        for (literal, expected) in [
            ("0", "0"),
            ("-0", "-0"),
            ("007", "7"),
            ("1.50", "1.5"),
            ("1e3", "1000"),
            ("-1.5e-3", "-0.0015"),
            ("0.1", "0.1"),
            ("100", "100"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1e-300", &format!("0.{}1", "0".repeat(299))),
        ] {
            assert_eq!(text(Number::from_literal(literal)), expected, "{literal}");
        }
        assert_eq!(Number::from_literal("1e3000000000").err(), Some(NumberError::Exponent));
        assert_eq!(Number::from_literal("1e700000000").err(), Some(NumberError::Exponent));
        assert!(Number::from_literal("1e-700000000").is_ok());
        assert!(Number::from_literal("1e400000000").is_ok());
        let arena = Arena::new();
        let huge = Number::from_literal("1e400000000").ok();
        assert_eq!(huge.map(|number| number.to_text(&arena)), Some(Err(TooLong)));
    }

    /// The digits of a literal are those of its float, as far as it has no more than survive.
    #[test]
    fn digits_are_exact() {
        let digits = "1234567890987654321".repeat(8)[..EXACT_DIGITS].to_owned();
        for digits in ["1", "99999", &digits, &digits[..149]] {
            for exponent in [-9_999, -1_000, -201, -7, 201, 249, 999, 9_999] {
                let text = format!("{digits}e{exponent}");
                let decimal = Decimal::parse(&text).ok();
                let exact = decimal.as_ref().and_then(exact_digits);
                let float = decimal.and_then(|decimal| decimal.to_float().ok());
                assert!(exact.is_some());
                assert_eq!(exact, float.and_then(|float| shortest(&float, MAX_DIGITS)), "{text}");
            }
        }
    }

    #[test]
    fn many_digits() {
        let arena = Arena::new();
        let many = |digits: &str, times| format!("1{}", digits.repeat(times));
        let texts = [many("23", 20_000), many("0", 50_000), format!("0.{}", many("23", 30_000))];
        for text in &texts {
            let exact = Decimal::parse(text).map(|decimal| {
                let digits: Vec<u8> = decimal.digits().collect();
                let digits = BigUint::parse_bytes(&digits, 10).unwrap_or_default();
                Float::from_decimal(false, &digits, -(decimal.fraction.len() as i64))
            });
            let exact = exact.ok().flatten().map(|float| Number::of(&arena, float));
            let number = Number::from_literal(text).ok();
            let difference = number.zip(exact).map(|(one, other)| one.compare(other));
            assert_eq!(difference, Some(Ordering::Equal), "{} digits", text.len());
        }
        // Linear, so in no time.
        let long = many("23", 1_000_000);
        assert!(
            Number::from_literal(&long).is_ok_and(|number| number.to_text(&arena) == Err(TooLong))
        );
        let fraction = format!("0.{long}");
        let number = Number::from_literal(&fraction).ok();
        let text = number.and_then(|number| number.to_text(&arena).ok());
        assert_eq!(text.map(str::len), Some(158));
        let number = Number::from_literal("1e999999").ok();
        let text = number.and_then(|number| number.to_text(&arena).ok());
        assert_eq!(text.map(str::len), Some(1_000_000));
    }

    /// Numbers compare by their floats, whatever it would take to write them out.
    #[test]
    fn comparing_writes_nothing_out() {
        let arena = Arena::new();
        let number = |text: &str| {
            Number::from_literal(arena.str(text)).unwrap_or_else(|error| panic!("{error}"))
        };
        let before = super::super::float::DIGITS.get();
        for (one, other) in [
            ("1e-999999", "2e-999999"),
            ("1e-2000000", "2e-2000000"),
            ("1e999999", "2e999999"),
            ("1e-300000000", "1e-300000001"),
            ("-1e-999999", "1e-999999"),
        ] {
            let (one, other) = (number(one), number(other));
            assert!(!one.equals(other) && one.compare(other) != Ordering::Equal);
            assert!(one.equals(one) && other.ordered().compare(&other.ordered()).is_eq());
            let third = one.divide(&arena, number("3")).unwrap_or(one);
            assert!(!third.equals(one) && third.equals(third));
        }
        assert_eq!(super::super::float::DIGITS.get(), before);
        // Of two precisions, the same by their digits.
        assert!(Number::from_f64(&arena, 0.1).equals(number("0.1")));
        assert!(!Number::from_f64(&arena, 0.1).equals(number("0.10000000000000001")));
    }

    #[test]
    fn arithmetic_is_that_of_the_reference() {
        let arena = Arena::new();
        let number = |text| Number::from_literal(text).unwrap_or_else(|error| panic!("{error}"));
        let binary = |one, operator, other| {
            let (one, other) = (number(one), number(other));
            let result = match operator {
                '+' => one.add(&arena, other),
                '-' => one.subtract(&arena, other),
                '*' => one.multiply(&arena, other),
                '/' => one.divide(&arena, other),
                _ => one.remainder(&arena, other),
            };
            result.map_or_else(|error| error.to_string(), |result| format!("{result:?}"))
        };
        assert_eq!(binary("0.1", '+', "0.2"), "0.3");
        assert_eq!(binary("1e160", '+', "1"), format!("1{}", "0".repeat(160)));
        assert_eq!(binary("7", '%', "-3"), "1");
        assert_eq!(binary("-7", '%', "3"), "-1");
        assert_eq!(binary("5", '%', "0"), "5");
        assert_eq!(binary("-0", '%', "3"), "-0");
        assert_eq!(binary("-3", '%', "3"), "0");
        assert_eq!(binary("1", '/', "0"), "+Inf");
        assert_eq!(binary("1", '*', "1e400000000"), "…");
        assert_eq!(binary("1e400000000", '-', "1"), "…");
        assert!(binary("0", '/', "0").contains("zero"));
        let third = binary("1", '/', "3");
        assert_eq!(third.len(), 157, "{third}");
        assert_eq!(binary("11", '%', "5.1").len(), 157);
    }

    /// Small integers are computed with as integers; written with a zero in front they are not.
    #[test]
    fn small_integers_give_what_floats_give() {
        let arena = Arena::new();
        let largest = "999999999999999999";
        let values = ["0", "1", "-1", "2", "-3", "10", "-400", "4294967297", largest];
        let number = |text: &str| {
            Number::from_literal(arena.str(text)).unwrap_or_else(|error| panic!("{error}"))
        };
        let long = |text: &str| match text.strip_prefix('-') {
            Some(digits) => number(&format!("-0{digits}")),
            None => number(&format!("0{text}")),
        };
        for one in values {
            for other in values {
                let (a, b, c, d) = (number(one), number(other), long(one), long(other));
                assert!(a.small().is_some() && c.small().is_none());
                for operation in [Number::add, Number::subtract, Number::multiply] {
                    let (fast, slow) = (operation(a, &arena, b), operation(c, &arena, d));
                    let (Ok(fast), Ok(slow)) = (fast, slow) else { panic!("{one} {other}") };
                    assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "{one} {other}");
                    assert_eq!(fast.float().precision, slow.float().precision, "{one} {other}");
                }
                assert_eq!(a.compare(b), c.compare(d));
                assert_eq!(a.equals(b), c.equals(d));
                assert!(a.equals(c) && a.is_integer() && a.as_i64() == c.as_i64());
                let (Some(i), Some(j)) = (a.as_i64(), b.as_i64()) else { panic!("{one}") };
                let (i, j) = (Number::from_i64(&arena, i), Number::from_i64(&arena, j));
                for operation in [Number::add, Number::subtract, Number::multiply] {
                    let mixed = operation(i, &arena, j).map(|result| format!("{result:?}"));
                    let text = operation(a, &arena, b).map(|result| format!("{result:?}"));
                    assert_eq!(mixed, text);
                }
            }
        }
    }

    /// Lines of `corpus/conformance/values/arithmetic.txt`: operands, and what Go's `big.Float` makes of them.
    #[test]
    fn random_arithmetic_is_that_of_the_reference() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/conformance/values/arithmetic.txt");
        let cases = std::fs::read_to_string(path).unwrap_or_default();
        assert!(cases.lines().count() > 100);
        let arena = Arena::new();
        for line in cases.lines() {
            let [one, operator, other, written, expected] = line.split(' ').collect::<Vec<_>>()[..]
            else {
                panic!("{line}");
            };
            let number =
                |text| Number::from_literal(text).unwrap_or_else(|error| panic!("{error}"));
            let (one, other) = (number(one), number(other));
            assert_eq!(format!("{one:?}"), written, "{line}");
            let result = match operator {
                "+" => one.add(&arena, other),
                "-" => one.subtract(&arena, other),
                "*" => one.multiply(&arena, other),
                _ => one.divide(&arena, other),
            };
            let result = result.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(format!("{result:?}"), expected, "{line}");
        }
    }
}
