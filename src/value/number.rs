//! Numbers: their exact text until arithmetic, binary floats afterwards.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use num_bigint::BigUint;

pub use super::float::MAX_DIGITS;
use super::float::{Float, PRECISION, Size, shortest};
use super::limits::TEXT_UNIT;
use crate::arena::Arena;
use crate::lexical::Numeral;

/// Decimal numbers with at most this many digits stay exact when they are converted to floats and
/// back.
const EXACT_DIGITS: usize = 150;
/// Digits after this many only matter by whether one is not zero: a float keeps 155 digits.
const READ_DIGITS: usize = 2_000;
/// The largest exponent of a number that [`Number::to_literal`] writes without it. Beyond it, no float of 64
/// bits has the value, and readers of JSON get the same for both notations.
const MAX_PLAIN: u64 = 400;
/// Numbers with exponents up to this are neither infinite nor zero, however many digits they have.
const USUAL_EXPONENT: u64 = 100_000_000;

/// A number: exact text until arithmetic, then a binary float of up to 512 bits.
///
/// Results of arithmetic equal the reference's bit for bit. Only arithmetic and the text `Inf`
/// produce infinity, never a literal.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::value::Number;
///
/// let arena = Arena::new();
/// let tenth = Number::from_literal("0.1").unwrap();
/// let sum = tenth.add(&arena, Number::from_literal("0.2").unwrap()).unwrap();
/// assert_eq!(sum.to_string(), "0.3");
/// ```
#[derive(Clone, Copy)]
pub struct Number<'a>(Repr<'a>);

#[derive(Clone, Copy)]
enum Repr<'a> {
    /// Valid decimal text: digits, a fraction, an exponent.
    Text(&'a str),
    /// An integer with 64 bits of precision.
    Integer(i64),
    Float(&'a Stored<'a>),
}

/// A float in the arena, which runs no destructors: its mantissa is a slice.
struct Stored<'a> {
    negative: bool,
    precision: u32,
    /// The mantissa; `None` if it is infinite.
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
    /// The number of texts that this thread has parsed as floats.
    pub(super) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A parsed number, see [`Number::ordered`].
#[derive(Debug)]
pub(super) enum Ordered {
    Small(i64),
    Float(Float),
}

impl Ordered {
    /// Orders numbers so that exactly those are equal that [`Number::equals`] considers the same.
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

/// The error of a text that is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// It does not follow the grammar.
    Syntax,
    /// Its exponent is out of bounds.
    Exponent,
}

/// The error of an operation without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArithmeticError {
    /// The sum of opposing infinities.
    OpposingInfinities,
    /// Zero times infinity.
    ZeroTimesInfinity,
    /// Zero by zero, or infinity by infinity.
    Indeterminate,
}

/// The error of a number with more than [`MAX_DIGITS`] digits in fixed notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "the string is not a number",
            Self::Exponent => "the exponent is out of bounds",
        })
    }
}

impl ArithmeticError {
    /// The text of the error, a clause.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::OpposingInfinities => "opposing infinities have no sum",
            Self::ZeroTimesInfinity => "zero cannot be multiplied by infinity",
            Self::Indeterminate => "zero cannot be divided by zero, nor infinity by infinity",
        }
    }
}

impl fmt::Display for ArithmeticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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

/// The parts of a decimal text.
#[derive(Clone, Copy)]
struct Decimal<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
    /// The exponent as it is written, and whether it is a power of two.
    exponent: i64,
    binary: bool,
}

impl<'t> Decimal<'t> {
    /// Parses `[+-]? digits? [. digits?] ([eEpP] [+-]? digits)?` with at least one digit before the
    /// exponent.
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

    fn digits(self) -> impl Iterator<Item = u8> + Clone + use<'t> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    fn is_zero(self) -> bool {
        self.digits().all(|digit| digit == b'0')
    }

    fn to_float(self) -> Result<Float, NumberError> {
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
            let power = Float::rounded(false, 1_u8.into(), self.exponent, 1);
            return scaled.multiply_at(&power, PRECISION).ok_or(overflow);
        }
        let exponent = self.exponent.checked_sub(fraction).ok_or(overflow)?;
        Float::from_decimal(self.negative, &digits, exponent).ok_or(overflow)
    }
}

impl<'a> Number<'a> {
    /// Returns a number in the syntax of JSON and native literals. Its text is kept.
    ///
    /// # Errors
    /// It is not a number, or its exponent is out of bounds or makes it infinite.
    ///
    /// ```
    /// use simd_hcl::value::Number;
    ///
    /// assert_eq!(Number::from_literal("1.50").unwrap().to_string(), "1.5");
    /// assert!(Number::from_literal("a").is_err());
    /// ```
    pub fn from_literal(text: &'a str) -> Result<Self, NumberError> {
        let decimal = Decimal::parse(text)?;
        // Numbers far from the bounds need no arithmetic to check.
        if decimal.exponent.unsigned_abs() + text.len() as u64 > USUAL_EXPONENT {
            let float = decimal.to_float()?;
            if float.is_infinite() {
                return Err(NumberError::Exponent);
            }
        }
        Ok(Self(Repr::Text(text)))
    }

    /// Parses any text that converts to a number: also `+5`, `.5`, `5.`, `1p3`, `Inf`.
    ///
    /// # Errors
    /// It is not a number, or its exponent is out of bounds.
    pub fn parse(arena: &'a Arena, text: &str) -> Result<Self, NumberError> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if unsigned == "Inf" || unsigned == "inf" {
            return Ok(Self::of(arena, Float::infinite(text.starts_with('-'), PRECISION)));
        }
        Ok(Self::of(arena, Decimal::parse(text)?.to_float()?))
    }

    /// Returns an integer, with 64 bits of precision.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Number;
    ///
    /// let arena = Arena::new();
    /// assert_eq!(Number::from_i64(&arena, -3).as_i64(), Some(-3));
    /// ```
    #[must_use]
    pub fn from_i64(_: &'a Arena, value: i64) -> Self {
        Self(Repr::Integer(value))
    }

    /// Returns an integer, with 64 bits of precision.
    #[must_use]
    pub fn from_u64(arena: &'a Arena, value: u64) -> Self {
        match i64::try_from(value) {
            Ok(value) => Self(Repr::Integer(value)),
            Err(_) => Self::of(arena, Float::rounded(false, value.into(), 0, 64)),
        }
    }

    /// Returns a number with 53 bits of precision; infinity for a float that is not finite.
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
        Self::of(arena, Float::rounded(value.is_sign_negative(), mantissa.into(), exponent, BITS))
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
                // Literals have been validated.
                float.unwrap_or_else(|_| Float::zero(false, PRECISION))
            }
        }
    }

    /// Its value, if it is an integer with at most 18 digits, as most are; this needs no
    /// arithmetic. `None` for negative zero.
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

    /// Returns the result of `operation` on two small integers if it is an `i64` and not zero,
    /// because zero may have a sign.
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

    /// Returns the sum, with the larger precision of the operands.
    ///
    /// # Errors
    /// Opposing infinities.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Number;
    ///
    /// let arena = Arena::new();
    /// let sum = Number::from_i64(&arena, 2).add(&arena, Number::from_i64(&arena, 3)).unwrap();
    /// assert_eq!(sum.as_i64(), Some(5));
    /// ```
    pub fn add(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        if let Some(sum) = self.of_small(arena, other, i64::checked_add) {
            return Ok(sum);
        }
        let sum = self.float().add(&other.float()).ok_or(ArithmeticError::OpposingInfinities)?;
        Ok(Self::of(arena, sum))
    }

    /// Returns the difference.
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

    /// Returns the product.
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

    /// Returns the quotient. Any number other than zero divided by zero is infinite.
    ///
    /// # Errors
    /// Zero by zero, infinity by infinity.
    pub fn divide(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        let quotient = self.float().divide(&other.float());
        Ok(Self::of(arena, quotient.ok_or(ArithmeticError::Indeterminate)?))
    }

    /// Returns the remainder of the truncated quotient, with the sign of `self`. With a divisor of
    /// zero, returns `self`.
    ///
    /// # Errors
    /// One of them is infinite.
    pub fn remainder(self, arena: &'a Arena, other: Self) -> Result<Self, ArithmeticError> {
        let remainder = self.float().remainder(&other.float());
        Ok(Self::of(arena, remainder.ok_or(ArithmeticError::ZeroTimesInfinity)?))
    }

    /// Returns the number with the opposite sign; zero becomes negative zero.
    #[must_use]
    pub fn negate(self, arena: &'a Arena) -> Self {
        Self::of(arena, self.float().negated())
    }

    /// Returns the integer part.
    #[must_use]
    pub fn truncate(self, arena: &'a Arena) -> Self {
        Self::of(arena, self.float().truncated())
    }

    /// The approximate length of its decimal text in bytes, at most [`MAX_DIGITS`] more than the
    /// stored length.
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

    /// Returns the same number in another arena.
    pub(super) fn copy_to<'b>(self, arena: &'b Arena) -> Number<'b> {
        match self.0 {
            Repr::Text(text) => Number(Repr::Text(arena.str(text))),
            Repr::Integer(value) => Number(Repr::Integer(value)),
            Repr::Float(float) => Number::of(arena, float.load()),
        }
    }

    /// Returns a form of the number that can be compared without parsing its text again.
    pub(super) fn ordered(self) -> Ordered {
        match self.small() {
            Some(small) => Ordered::Small(small),
            None => Ordered::Float(self.float()),
        }
    }

    /// Compares the values. Negative zero equals zero. Cost: linear in the texts.
    ///
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use simd_hcl::value::Number;
    ///
    /// let [small, large] = ["1.5", "15e-1"].map(|text| Number::from_literal(text).unwrap());
    /// assert_eq!(small.compare(large), Ordering::Equal);
    /// ```
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        match self.small().zip(other.small()) {
            Some((one, other)) => one.cmp(&other),
            None => self.float().compare(&other.float()),
        }
    }

    /// Whether both have the same decimal text. So numbers of different precision are equal if the
    /// shortest digits that identify them are. Cost: linear in the stored texts.
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

    /// Whether it is an integer. Infinity is not.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.small().is_some() || self.float().is_integer()
    }

    /// Whether it is less than zero, or negative zero.
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

    /// Returns its shortest decimal text in fixed notation: all digits before the point, as many
    /// after it as distinguish it from its neighbors, and no exponent. Infinity is `Inf` with a
    /// sign; negative zero keeps its sign.
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

    /// Returns it as a literal of JSON and of native syntax: as [`to_text`](Self::to_text) does, but with an
    /// exponent if that is beyond 400 in either direction. So the text of a number has at most some 600
    /// bytes, however few it has in a file. Infinity, which has no literal, is `Inf` with a sign.
    ///
    /// # Errors
    /// It is the result of arithmetic or of a string, and has more than [`MAX_DIGITS`] digits in fixed
    /// notation.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Number;
    ///
    /// let arena = Arena::new();
    /// let literal = |text| Number::from_literal(text).unwrap().to_literal(&arena).unwrap();
    /// assert_eq!(literal("1e3"), "1000");
    /// assert_eq!(literal("12.50e999999"), "1.25e+1000000");
    /// ```
    pub fn to_literal(self, arena: &'a Arena) -> Result<&'a str, TooLong> {
        match self.0 {
            Repr::Integer(value) => Ok(arena.format(format_args!("{value}"))),
            Repr::Text(text) if is_canonical(text) => Ok(text),
            _ => Ok(arena.str(&self.literal()?)),
        }
    }

    /// Appends it as [`to_literal`](Self::to_literal) returns it. Appends nothing if that is an error.
    pub(crate) fn push_literal(self, out: &mut String) -> Result<(), TooLong> {
        match self.0 {
            Repr::Integer(value) => {
                // Writing into a string does not fail.
                let _ = write!(out, "{value}");
            }
            Repr::Text(text) if is_canonical(text) => out.push_str(text),
            _ => out.push_str(&self.literal()?),
        }
        Ok(())
    }

    /// See [`to_literal`](Self::to_literal).
    pub(super) fn literal(self) -> Result<String, TooLong> {
        if let Repr::Integer(value) = self.0 {
            return Ok(value.to_string());
        }
        let Some((digits, point)) = self.shortest()? else { return Ok(self.infinity()) };
        let exponent = point.saturating_sub(1);
        match digits.is_empty() || exponent.unsigned_abs() <= MAX_PLAIN {
            true => fixed(self.is_negative(), &digits, point),
            false => Ok(scientific(self.is_negative(), &digits, exponent)),
        }
    }

    /// See [`to_text`](Self::to_text).
    fn to_fixed(self) -> Result<String, TooLong> {
        if let Repr::Integer(value) = self.0 {
            return Ok(value.to_string());
        }
        match self.shortest()? {
            Some((digits, point)) => fixed(self.is_negative(), &digits, point),
            None => Ok(self.infinity()),
        }
    }

    fn infinity(self) -> String {
        if self.is_negative() { "-Inf" } else { "+Inf" }.to_owned()
    }

    /// Returns the fewest digits and the point that distinguish it: `0.DIGITS * 10^point`. `None` if it is
    /// infinite.
    fn shortest(self) -> Result<Option<(Vec<u8>, i64)>, TooLong> {
        if let Repr::Text(text) = self.0
            && let Some(exact) = Decimal::parse(text).ok().and_then(exact_digits)
        {
            return Ok(Some(exact));
        }
        let float = self.float();
        match float.is_infinite() {
            true => Ok(None),
            false => shortest(&float, MAX_DIGITS).map(Some).ok_or(TooLong),
        }
    }
}

const fn has_exponent(text: &str) -> bool {
    written_exponent(text) > 0
}

/// Returns the magnitude of the exponent in a decimal text, at most [`MAX_DIGITS`]; 0 if there is
/// none.
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

/// Whether the text is already canonical: an integer of few digits without a sign or leading zeros.
fn is_canonical(text: &str) -> bool {
    text.len() <= EXACT_DIGITS
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

/// Returns the digits and the point of a decimal number that 512 bits represent exactly.
fn exact_digits(decimal: Decimal<'_>) -> Option<(Vec<u8>, i64)> {
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
    Some((digits, point))
}

/// Formats `0.DIGITS * 10^point` in fixed notation.
fn fixed(negative: bool, digits: &[u8], point: i64) -> Result<String, TooLong> {
    let sign = if negative { "-" } else { "" };
    if digits.is_empty() {
        return Ok(format!("{sign}0"));
    }
    if point.unsigned_abs() > MAX_DIGITS {
        return Err(TooLong);
    }
    let places = point.unsigned_abs() as usize;
    let zeros = |count: usize| "0".repeat(count);
    let written = text_of(digits);
    Ok(match written.split_at_checked(places) {
        _ if point <= 0 => format!("{sign}0.{}{written}", zeros(places)),
        Some((whole, "")) => format!("{sign}{whole}"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{written}{}", zeros(places - written.len())),
    })
}

/// Formats a number with one digit before the point, and an exponent.
fn scientific(negative: bool, digits: &[u8], exponent: i64) -> String {
    let sign = if negative { "-" } else { "" };
    let written = text_of(digits);
    let (first, rest) = written.split_at(1);
    let dot = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{dot}{rest}e{exponent:+}")
}

fn text_of(digits: &[u8]) -> String {
    digits.iter().map(|digit| char::from(b'0' + digit)).collect()
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.literal().unwrap_or_else(|TooLong| "…".to_owned()))
    }
}

mod packed;
#[cfg(test)]
mod tests;
