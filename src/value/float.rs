//! Binary floats of a given precision, with the reference's rounding.
//!
//! A float is a mantissa of up to 640 bits times a power of two, or infinite. Every operation
//! returns the exact result rounded to the requested precision, to the nearest, ties to even, so
//! equal operands give the results of Go's `big.Float` bit for bit. Mantissas are odd (or zero), so
//! each value has one form.

use std::cmp::Ordering;

use num_bigint::BigUint;

/// The longest decimal text that is written for a number, in digits.
pub const MAX_DIGITS: u64 = 1_000_000;

/// The precision of parsed numbers, in bits.
pub(super) const PRECISION: u32 = 512;

/// Numbers with a larger exponent are infinite, with a smaller one zero.
const MAX_EXPONENT: i64 = i32::MAX as i64;
const MIN_EXPONENT: i64 = i32::MIN as i64;

/// A float: `mantissa * 2^exponent`, negated if `negative`.
#[derive(Clone, Debug)]
pub(super) struct Float {
    pub(super) negative: bool,
    pub(super) size: Size,
    /// The number of bits that results are rounded to.
    pub(super) precision: u32,
}

/// The magnitude of a float.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// Zero, or an odd mantissa.
    Finite(BigUint, i64),
    Infinite,
}

impl Float {
    pub(super) fn zero(negative: bool, precision: u32) -> Self {
        Self { negative, size: Size::Finite(BigUint::ZERO, 0), precision }
    }

    pub(super) fn infinite(negative: bool, precision: u32) -> Self {
        Self { negative, size: Size::Infinite, precision }
    }

    pub(super) fn integer(value: i64) -> Self {
        Self::rounded(value < 0, value.unsigned_abs().into(), 0, 64)
    }

    /// Returns `mantissa * 2^exponent`, rounded.
    pub(super) fn rounded(
        negative: bool,
        mut mantissa: BigUint,
        mut exponent: i64,
        precision: u32,
    ) -> Self {
        let excess = mantissa.bits() as i64 - i64::from(precision);
        if excess > 0 {
            let half = mantissa.bit(excess as u64 - 1);
            let below = mantissa.trailing_zeros().unwrap_or(0) < excess as u64 - 1;
            mantissa >>= excess as u64;
            exponent += excess;
            if half && (below || mantissa.bit(0)) {
                mantissa += 1_u8;
            }
        }
        let Some(zeros) = mantissa.trailing_zeros() else {
            return Self::zero(negative, precision);
        };
        mantissa >>= zeros;
        exponent += zeros as i64;
        // Go's exponents count from before the first bit of the mantissa.
        let scale = exponent.saturating_add(mantissa.bits() as i64);
        match scale {
            MIN_EXPONENT..=MAX_EXPONENT => {
                Self { negative, size: Size::Finite(mantissa, exponent), precision }
            }
            ..MIN_EXPONENT => Self::zero(negative, precision),
            _ => Self::infinite(negative, precision),
        }
    }

    /// Returns the same value with another precision.
    fn with_precision(&self, precision: u32) -> Self {
        match &self.size {
            Size::Finite(mantissa, exponent) => {
                Self::rounded(self.negative, mantissa.clone(), *exponent, precision)
            }
            Size::Infinite => Self::infinite(self.negative, precision),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(&self.size, Size::Finite(mantissa, _) if is_zero(mantissa))
    }

    pub(super) fn is_infinite(&self) -> bool {
        self.size == Size::Infinite
    }

    pub(super) fn is_integer(&self) -> bool {
        matches!(&self.size, Size::Finite(mantissa, exponent) if is_zero(mantissa) || *exponent >= 0)
    }

    pub(super) fn negated(&self) -> Self {
        Self { negative: !self.negative, ..self.clone() }
    }

    /// Returns the sum; `None` for infinities of different signs.
    pub(super) fn add(&self, other: &Self) -> Option<Self> {
        self.add_at(other, self.precision.max(other.precision))
    }

    fn add_at(&self, other: &Self, precision: u32) -> Option<Self> {
        let (Size::Finite(a, ea), Size::Finite(b, eb)) = (&self.size, &other.size) else {
            return match (self.is_infinite(), other.is_infinite()) {
                (true, true) if self.negative != other.negative => None,
                (true, _) => Some(Self::infinite(self.negative, precision)),
                _ => Some(Self::infinite(other.negative, precision)),
            };
        };
        if is_zero(a) && is_zero(b) {
            return Some(Self::zero(self.negative && other.negative, precision));
        }
        if is_zero(a) {
            return Some(other.with_precision(precision));
        }
        if is_zero(b) {
            return Some(self.with_precision(precision));
        }
        // If the operands are far apart, the small one only decides on which side of the large one
        // the sum is.
        let (top_a, top_b) = (ea + a.bits() as i64, eb + b.bits() as i64);
        let (one, two) = ((self.negative, a, *ea), (other.negative, b, *eb));
        let (large, small) = if top_a >= top_b { (one, two) } else { (two, one) };
        let (negative, large, large_exponent) = large;
        let (small_negative, small, small_exponent) = small;
        let is_sum = negative == small_negative;
        let gap = (top_a - top_b).abs();
        let room = i64::from(precision) + 2;
        if gap > room.max(large.bits() as i64) + 2 {
            let shift = (room - large.bits() as i64).max(2);
            let mut mantissa = large << shift as u64;
            if is_sum {
                mantissa += 1_u8;
            } else {
                mantissa -= 1_u8;
            }
            return Some(Self::rounded(negative, mantissa, large_exponent - shift, precision));
        }
        let exponent = large_exponent.min(small_exponent);
        let large = large << (large_exponent - exponent) as u64;
        let small = small << (small_exponent - exponent) as u64;
        if is_sum {
            return Some(Self::rounded(negative, large + small, exponent, precision));
        }
        Some(match large.cmp(&small) {
            Ordering::Equal => Self::zero(false, precision),
            Ordering::Greater => Self::rounded(negative, large - small, exponent, precision),
            Ordering::Less => Self::rounded(small_negative, small - large, exponent, precision),
        })
    }

    /// Returns the product; `None` for zero times infinity.
    pub(super) fn multiply(&self, other: &Self) -> Option<Self> {
        let product = self.multiply_at(other, PRECISION)?;
        // The product keeps as many bits as it needs.
        let needed = match &product.size {
            Size::Finite(mantissa, _) => mantissa.bits() as u32,
            Size::Infinite => 0,
        };
        let precision = self.precision.max(other.precision).max(needed);
        Some(product.with_precision(precision))
    }

    pub(super) fn multiply_at(&self, other: &Self, precision: u32) -> Option<Self> {
        let negative = self.negative != other.negative;
        match (&self.size, &other.size) {
            (Size::Finite(a, ea), Size::Finite(b, eb)) => {
                Some(Self::rounded(negative, a * b, ea.saturating_add(*eb), precision))
            }
            _ if self.is_zero() || other.is_zero() => None,
            _ => Some(Self::infinite(negative, precision)),
        }
    }

    /// Returns the quotient; `None` for zero by zero, and infinity by infinity. Any other number
    /// divided by zero is infinite.
    pub(super) fn divide(&self, other: &Self) -> Option<Self> {
        self.divide_at(other, self.precision.max(other.precision))
    }

    pub(super) fn divide_at(&self, other: &Self, precision: u32) -> Option<Self> {
        let negative = self.negative != other.negative;
        match (&self.size, &other.size) {
            (Size::Infinite, Size::Infinite) => None,
            (Size::Infinite, _) => Some(Self::infinite(negative, precision)),
            (_, Size::Infinite) => Some(Self::zero(negative, precision)),
            _ if self.is_zero() && other.is_zero() => None,
            _ if other.is_zero() => Some(Self::infinite(negative, precision)),
            _ if self.is_zero() => Some(Self::zero(negative, precision)),
            (Size::Finite(a, ea), Size::Finite(b, eb)) => {
                let bits = i64::from(precision) + 2 + b.bits() as i64 - a.bits() as i64;
                let shift = bits.max(0) as u64;
                let shifted = a << shift;
                let quotient = &shifted / b;
                let sticky = &quotient * b != shifted;
                // One more bit below the quotient represents the remainder.
                let mantissa = (quotient << 1_u8) + u8::from(sticky);
                let exponent = ea.saturating_sub(*eb) - shift as i64 - 1;
                Some(Self::rounded(negative, mantissa, exponent, precision))
            }
        }
    }

    /// Returns the remainder of a division whose quotient is truncated; with a divisor of zero, the
    /// number itself. `None` for infinity.
    pub(super) fn remainder(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return Some(self.clone());
        }
        if self.is_infinite() || other.is_infinite() {
            return None;
        }
        let mut quotient = self.divide(other)?.truncated().with_precision(self.precision);
        // Integers have no negative zero.
        quotient.negative &= !quotient.is_zero();
        let whole = other.multiply_at(&quotient, self.precision)?;
        self.add_at(&whole.negated(), self.precision)
    }

    /// Returns its integer part.
    pub(super) fn truncated(&self) -> Self {
        match &self.size {
            Size::Finite(mantissa, exponent) if *exponent < 0 => {
                let shift = exponent.unsigned_abs();
                let whole =
                    if shift >= mantissa.bits() { BigUint::ZERO } else { mantissa >> shift };
                Self::rounded(self.negative, whole, 0, self.precision)
            }
            _ => self.clone(),
        }
    }

    /// Compares the values. Negative zero equals zero.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let sign = |float: &Self| match (float.is_zero(), float.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let signs = sign(self).cmp(&sign(other));
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        let sizes = match (&self.size, &other.size) {
            (Size::Finite(a, ea), Size::Finite(b, eb)) => {
                let tops = (ea + a.bits() as i64).cmp(&(eb + b.bits() as i64));
                tops.then_with(|| {
                    // The top bits are equal, so aligning the mantissas needs fewer bits than they
                    // have.
                    let exponent = ea.min(eb);
                    (a << (ea - exponent) as u64).cmp(&(b << (eb - exponent) as u64))
                })
            }
            _ => self.is_infinite().cmp(&other.is_infinite()),
        };
        if self.negative { sizes.reverse() } else { sizes }
    }

    /// Whether both are written with the same decimal digits. Floats of the same precision are if
    /// they are equal; floats of different precisions may differ by less than the coarser one can
    /// represent.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        if self.compare(other) == Ordering::Equal {
            return true;
        }
        if self.precision == other.precision
            || self.negative != other.negative
            || self.is_integer()
            || other.is_integer()
            || !self.is_near(other)
        {
            return false;
        }
        let digits = shortest(self, MAX_DIGITS);
        digits.is_some() && digits == shortest(other, MAX_DIGITS)
    }

    /// Whether two positive floats differ by at most one unit in the last place of the coarser one.
    fn is_near(&self, other: &Self) -> bool {
        let (Size::Finite(a, ea), Size::Finite(b, eb)) = (&self.size, &other.size) else {
            return false;
        };
        let (top_a, top_b) = (ea + a.bits() as i64, eb + b.bits() as i64);
        if (top_a - top_b).abs() > 1 {
            return false;
        }
        let exponent = *ea.min(eb);
        let a = a << (ea - exponent) as u64;
        let b = b << (eb - exponent) as u64;
        let difference = if a > b { a - b } else { b - a };
        let unit = top_a.max(top_b) - i64::from(self.precision.min(other.precision));
        exponent + difference.bits() as i64 <= unit + 1
    }

    /// Returns its value as a 64-bit integer, if it is one.
    pub(super) fn to_i64(&self) -> Option<i64> {
        let Size::Finite(mantissa, exponent) = &self.size else { return None };
        if is_zero(mantissa) {
            return Some(0);
        }
        let exponent = u32::try_from(*exponent).ok().filter(|&exponent| exponent < 64)?;
        let magnitude = u128::try_from(mantissa).ok()?;
        let magnitude = i128::try_from(magnitude.checked_mul(1 << exponent)?).ok()?;
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    /// Returns the decimal number `digits * 10^exponent`, rounded as Go's parser does; `None` if
    /// its exponent alone shows that it is infinite.
    pub(super) fn from_decimal(negative: bool, digits: &BigUint, exponent: i64) -> Option<Self> {
        let bits = digits.bits() as i64;
        let scale = bits.checked_add(exponent)?;
        if !(MIN_EXPONENT..=MAX_EXPONENT).contains(&scale) {
            return None;
        }
        if is_zero(digits) {
            return Some(Self::zero(negative, PRECISION));
        }
        let exact =
            Self { negative, size: Size::Finite(digits.clone(), exponent), precision: PRECISION };
        match exponent {
            0 => Some(Self::rounded(negative, digits.clone(), 0, PRECISION)),
            1.. => exact.multiply_at(&power_of_five(exponent.unsigned_abs()), PRECISION),
            _ => exact.divide_at(&power_of_five(exponent.unsigned_abs()), PRECISION),
        }
    }
}

/// Returns a power of 5, rounded as Go's parser does: to 576 bits, by squares of 640 bits.
fn power_of_five(power: u64) -> Float {
    power_of_five_at(power, PRECISION + 64)
}

/// Returns a power of 5, computed with `bits` bits by squares of 64 bits more.
fn power_of_five_at(mut power: u64, bits: u32) -> Float {
    /// The largest power of 5 that fits in 64 bits.
    const EXACT: u64 = 27;
    let five = |power: u64, precision| {
        Float::rounded(false, BigUint::from(5_u8).pow(power as u32), 0, precision)
    };
    if power <= EXACT {
        return five(power, bits);
    }
    let mut result = five(EXACT, bits);
    power -= EXACT;
    let mut square = five(1, bits + 64);
    while power > 0 {
        if power & 1 == 1 {
            result = result.multiply_at(&square, bits).unwrap_or(result);
        }
        square = square.multiply_at(&square, bits + 64).unwrap_or(square);
        power >>= 1;
    }
    result
}

/// Returns the shortest decimal digits that identify this float at its precision, and the power of
/// ten before the first digit: `[1, 5]` and 1 for 1.5. `None` if its fixed notation would have more
/// than `limit` digits.
///
/// Cost: bounded, however large the exponent is.
pub(super) fn shortest(float: &Float, limit: u64) -> Option<(Vec<u8>, i64)> {
    /// With more bits than this before or after the point, the power of ten is rounded.
    const FAR: u64 = 4096;
    let Size::Finite(mantissa, exponent) = &float.size else { return None };
    if is_zero(mantissa) {
        return Some((Vec::new(), 0));
    }
    #[cfg(test)]
    DIGITS.set(DIGITS.get() + 1);
    // The approximate number of decimal digits before or after the point.
    let top = exponent + mantissa.bits() as i64;
    if top.unsigned_abs() / 4 > limit {
        return None;
    }
    if top.unsigned_abs() > FAR
        && let Some(digits) = Scaled::rounded(float, mantissa, *exponent).digits()
    {
        return Some(digits);
    }
    Scaled::exact(float, mantissa, *exponent).digits()
}

fn is_zero(integer: &BigUint) -> bool {
    integer.bits() == 0
}

#[cfg(test)]
thread_local! {
    /// The number of floats that this thread has converted to digits.
    pub(super) static DIGITS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A float as `numerator / denominator * 10^point`, with half a unit in its last place as `unit /
/// denominator`.
struct Scaled {
    numerator: BigUint,
    unit: BigUint,
    denominator: BigUint,
    /// The maximum error of the numerator and the unit; zero if they are exact.
    error: BigUint,
    point: i64,
    /// Whether the bounds between floats round to this one: ties go to even mantissas.
    inclusive: bool,
}

impl Scaled {
    /// Returns the mantissa and exponent in half units of the last place, so that the rounding
    /// bounds are integers; whether the bounds round to the float; and the power of ten that scales
    /// the value to about 0.1 to 1.
    fn halves(float: &Float, mantissa: &BigUint, exponent: i64) -> (BigUint, i64, bool, i64) {
        let top = exponent + mantissa.bits() as i64;
        let spare = i64::from(float.precision) + 1 - mantissa.bits() as i64;
        let halves = mantissa << spare.max(0) as u64;
        let inclusive = !halves.bit(1);
        let point = (top as f64 * std::f64::consts::LOG10_2).floor() as i64;
        (halves, exponent - spare.max(0), inclusive, point)
    }

    fn exact(float: &Float, mantissa: &BigUint, exponent: i64) -> Self {
        let (halves, exponent, inclusive, point) = Self::halves(float, mantissa, exponent);
        let (mut numerator, mut unit, mut denominator) = if exponent >= 0 {
            let shift = exponent as u64;
            (halves << shift, BigUint::from(1_u8) << shift, BigUint::from(1_u8))
        } else {
            (halves, BigUint::from(1_u8), BigUint::from(1_u8) << exponent.unsigned_abs())
        };
        let ten = BigUint::from(10_u8);
        if point >= 0 {
            denominator *= ten.pow(point as u32);
        } else {
            let power = ten.pow(point.unsigned_abs() as u32);
            numerator *= &power;
            unit *= power;
        }
        Self { numerator, unit, denominator, error: BigUint::ZERO, point, inclusive }
    }

    /// Like `exact`, but with a power of ten of 1,536 bits, so that no integer is longer than a few
    /// thousand bits.
    fn rounded(float: &Float, mantissa: &BigUint, exponent: i64) -> Self {
        const BITS: u32 = 1536;
        /// The number of correct bits in the results.
        const RIGHT: u64 = BITS as u64 - 36;
        let (halves, exponent, inclusive, point) = Self::halves(float, mantissa, exponent);
        let power = power_of_five_at(point.unsigned_abs(), BITS);
        let (five, five_exponent) = match power.size {
            Size::Finite(five, exponent) => (five, exponent),
            Size::Infinite => (BigUint::from(1_u8), 0),
        };
        // 10^point is five * 2^(five_exponent + point), or its reciprocal.
        let (numerator, unit, shift) = if point >= 0 {
            let shift = 2 * u64::from(BITS);
            let numerator = (halves << shift) / &five;
            let unit = (BigUint::from(1_u8) << shift) / five;
            (numerator, unit, shift as i64 + five_exponent + point - exponent)
        } else {
            let numerator = halves * &five;
            (numerator, five, -(exponent + five_exponent + point.abs()))
        };
        let error = (BigUint::from(1_u8) << numerator.bits().saturating_sub(RIGHT)) + 2_u8;
        // The value is below ten, so the shift is not negative.
        let denominator = BigUint::from(1_u8) << shift.max(0) as u64;
        Self { numerator, unit, denominator, error, point, inclusive }
    }

    /// Returns the digits; `None` if the error makes them ambiguous.
    fn digits(self) -> Option<(Vec<u8>, i64)> {
        let Self { mut numerator, mut unit, mut denominator, mut error, mut point, inclusive } =
            self;
        let is_exact = is_zero(&error);
        let mut is_open = false;
        // Compares two numbers that may each be off by `error`, twice at most.
        let mut compare = |one: &BigUint, other: &BigUint, error: &BigUint| {
            let ordering = one.cmp(other);
            if !is_exact {
                let difference = if one > other { one - other } else { other - one };
                is_open |= difference <= error * 4_u8;
            }
            ordering
        };
        // 10^point is at most twice and more than a tenth of the value.
        while compare(&numerator, &denominator, &error).is_ge() {
            denominator *= 10_u8;
            point += 1;
        }
        debug_assert!(&numerator * 10_u8 >= denominator, "the first digit is not zero");
        let mut digits = Vec::new();
        loop {
            numerator *= 10_u8;
            unit *= 10_u8;
            error *= 10_u8;
            let digit = &numerator / &denominator;
            numerator -= &digit * &denominator;
            digits.push(u8::try_from(&digit).unwrap_or(9));
            // Checks that the digit itself is certain.
            compare(&numerator, &BigUint::ZERO, &error);
            compare(&numerator, &denominator, &error);
            let down = match compare(&numerator, &unit, &error) {
                Ordering::Less => true,
                Ordering::Equal => inclusive,
                Ordering::Greater => false,
            };
            let up = match compare(&(&numerator + &unit), &denominator, &error) {
                Ordering::Greater => true,
                Ordering::Equal => inclusive,
                Ordering::Less => false,
            };
            let is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
            let rounds_up = match (down, up) {
                (false, false) => continue,
                (true, false) => false,
                (false, true) => true,
                (true, true) => match compare(&(&numerator * 2_u8), &denominator, &error) {
                    Ordering::Less => false,
                    Ordering::Equal => is_odd,
                    Ordering::Greater => true,
                },
            };
            if rounds_up {
                round_up(&mut digits, &mut point);
            }
            break;
        }
        debug_assert_ne!(digits.last(), Some(&0), "the digit before it would have been the last");
        (!is_open).then_some((digits, point))
    }
}

fn round_up(digits: &mut Vec<u8>, point: &mut i64) {
    while digits.last() == Some(&9) {
        digits.pop();
    }
    match digits.last_mut() {
        Some(digit) => *digit += 1,
        None => {
            digits.push(1);
            *point += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a rounded power of ten, the digits are the same, or ambiguous.
    #[test]
    fn far_exponents_have_the_same_digits() {
        let mut seed = 1_u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let mut open = 0;
        for round in 0..300 {
            let words: Vec<u32> = (0..16).map(|_| random() as u32).collect();
            let mantissa = match round % 5 {
                0 => BigUint::from(random() % 1000 + 1),
                1 => BigUint::from(5_u8).pow(random() as u32 % 220),
                _ => BigUint::from_slice(&words) >> (random() % 500),
            };
            let precision = [512, 64, 53, 576][round % 4];
            let exponent = (random() % 12_000) as i64 - 6_000;
            let float = Float::rounded(false, mantissa, exponent, precision);
            let Size::Finite(mantissa, exponent) = &float.size else { continue };
            if is_zero(mantissa) {
                continue;
            }
            let exact = Scaled::exact(&float, mantissa, *exponent).digits();
            match Scaled::rounded(&float, mantissa, *exponent).digits() {
                Some(digits) => assert_eq!(Some(digits), exact, "{float:?}"),
                None => open += 1,
            }
            assert_eq!(shortest(&float, MAX_DIGITS), exact);
        }
        assert!(open < 100, "{open} left open");
    }
}
