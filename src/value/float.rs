//! Binary floats of a given precision, as the reference computes with them.
//!
//! A float is a mantissa of up to 640 bits times a power of two, or infinite. Every operation gives the exact
//! result rounded to the precision asked for, to the nearest, ties to even, so equal operands give the
//! results of Go's `big.Float` bit for bit. Mantissas are odd (or zero): a value has one form.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Bits of parsed numbers.
pub(super) const PRECISION: u32 = 512;

/// Exponents beyond this are infinite, or zero.
const MAX_EXPONENT: i64 = i32::MAX as i64;
const MIN_EXPONENT: i64 = i32::MIN as i64;

/// A float: `mantissa * 2^exponent`, negated if `negative`.
#[derive(Clone, Debug)]
pub(super) struct Float {
    pub(super) negative: bool,
    pub(super) size: Size,
    /// Bits that results are rounded to.
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
        Self { negative, size: Size::Finite(BigUint::zero(), 0), precision }
    }

    pub(super) fn infinite(negative: bool, precision: u32) -> Self {
        Self { negative, size: Size::Infinite, precision }
    }

    pub(super) fn integer(value: i64) -> Self {
        Self::rounded(value < 0, value.unsigned_abs().into(), 0, 64, false)
    }

    /// `mantissa * 2^exponent` rounded; with `sticky`, a little more than that.
    pub(super) fn rounded(
        negative: bool,
        mut mantissa: BigUint,
        mut exponent: i64,
        precision: u32,
        sticky: bool,
    ) -> Self {
        let excess = mantissa.bits() as i64 - i64::from(precision);
        if excess > 0 {
            let half = mantissa.bit(excess as u64 - 1);
            let below = sticky || mantissa.trailing_zeros().unwrap_or(0) < excess as u64 - 1;
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
        // Go counts exponents from before the first bit of the mantissa.
        let scale = exponent.saturating_add(mantissa.bits() as i64);
        match scale {
            MIN_EXPONENT..=MAX_EXPONENT => {
                Self { negative, size: Size::Finite(mantissa, exponent), precision }
            }
            ..MIN_EXPONENT => Self::zero(negative, precision),
            _ => Self::infinite(negative, precision),
        }
    }

    /// The same value with another precision.
    fn with_precision(&self, precision: u32) -> Self {
        match &self.size {
            Size::Finite(mantissa, exponent) => {
                Self::rounded(self.negative, mantissa.clone(), *exponent, precision, false)
            }
            Size::Infinite => Self::infinite(self.negative, precision),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(&self.size, Size::Finite(mantissa, _) if mantissa.is_zero())
    }

    pub(super) fn is_infinite(&self) -> bool {
        self.size == Size::Infinite
    }

    pub(super) fn is_integer(&self) -> bool {
        matches!(&self.size, Size::Finite(mantissa, exponent) if mantissa.is_zero() || *exponent >= 0)
    }

    pub(super) fn negated(&self) -> Self {
        Self { negative: !self.negative, ..self.clone() }
    }

    /// The sum; none for infinities of different signs.
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
        if a.is_zero() && b.is_zero() {
            return Some(Self::zero(self.negative && other.negative, precision));
        }
        if a.is_zero() {
            return Some(other.with_precision(precision));
        }
        if b.is_zero() {
            return Some(self.with_precision(precision));
        }
        // Of operands that are far apart the small one only says on which side of the large one the sum is.
        let (top_a, top_b) = (ea + a.bits() as i64, eb + b.bits() as i64);
        let (large, small) = if top_a >= top_b { (self, other) } else { (other, self) };
        let gap = (top_a - top_b).abs();
        let room = i64::from(precision) + 2;
        let (
            Size::Finite(large_mantissa, large_exponent),
            Size::Finite(small_mantissa, small_exponent),
        ) = (&large.size, &small.size)
        else {
            return None;
        };
        if gap > room.max(large_mantissa.bits() as i64) + 2 {
            let mut shift = room - large_mantissa.bits() as i64;
            shift = shift.max(2);
            let mut mantissa = large_mantissa << shift as u64;
            if large.negative == small.negative {
                mantissa += 1_u8;
            } else {
                mantissa -= 1_u8;
            }
            return Some(Self::rounded(
                large.negative,
                mantissa,
                large_exponent - shift,
                precision,
                false,
            ));
        }
        let exponent = *large_exponent.min(small_exponent);
        let large_mantissa = large_mantissa << (large_exponent - exponent) as u64;
        let small_mantissa = small_mantissa << (small_exponent - exponent) as u64;
        if large.negative == small.negative {
            let sum = large_mantissa + small_mantissa;
            return Some(Self::rounded(large.negative, sum, exponent, precision, false));
        }
        Some(match large_mantissa.cmp(&small_mantissa) {
            Ordering::Equal => Self::zero(false, precision),
            Ordering::Greater => {
                let difference = large_mantissa - small_mantissa;
                Self::rounded(large.negative, difference, exponent, precision, false)
            }
            Ordering::Less => {
                let difference = small_mantissa - large_mantissa;
                Self::rounded(small.negative, difference, exponent, precision, false)
            }
        })
    }

    /// The product; none for zero times infinity.
    pub(super) fn multiply(&self, other: &Self) -> Option<Self> {
        let product = self.multiply_at(other, PRECISION)?;
        // Not rounded further than the product needs.
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
                Some(Self::rounded(negative, a * b, ea.saturating_add(*eb), precision, false))
            }
            _ if self.is_zero() || other.is_zero() => None,
            _ => Some(Self::infinite(negative, precision)),
        }
    }

    /// The quotient; none for zero by zero, and infinity by infinity. Another number by zero is infinite.
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
                // One more bit below the quotient stands for the remainder.
                let mantissa = (quotient << 1_u8) + u8::from(sticky);
                let exponent = ea.saturating_sub(*eb) - shift as i64 - 1;
                Some(Self::rounded(negative, mantissa, exponent, precision, false))
            }
        }
    }

    /// What remains of a division whose quotient is truncated; with a divisor of zero, the number itself. None for
    /// infinity.
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

    /// Without its fraction.
    pub(super) fn truncated(&self) -> Self {
        match &self.size {
            Size::Finite(mantissa, exponent) if *exponent < 0 => {
                let shift = exponent.unsigned_abs();
                let whole =
                    if shift >= mantissa.bits() { BigUint::zero() } else { mantissa >> shift };
                Self::rounded(self.negative, whole, 0, self.precision, false)
            }
            _ => self.clone(),
        }
    }

    /// Its value compared. Negative zero is zero.
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
                    // Equal tops: the mantissas differ by less bits than they have.
                    let exponent = ea.min(eb);
                    (a << (ea - exponent) as u64).cmp(&(b << (eb - exponent) as u64))
                })
            }
            _ => self.is_infinite().cmp(&other.is_infinite()),
        };
        if self.negative { sizes.reverse() } else { sizes }
    }

    /// Its value as a 64-bit integer, if it is one.
    pub(super) fn to_i64(&self) -> Option<i64> {
        let Size::Finite(mantissa, exponent) = &self.size else { return None };
        if mantissa.is_zero() {
            return Some(0);
        }
        let exponent = u32::try_from(*exponent).ok().filter(|&exponent| exponent < 64)?;
        let magnitude = u128::try_from(mantissa).ok()?;
        let magnitude = i128::try_from(magnitude.checked_mul(1 << exponent)?).ok()?;
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    /// The decimal number `digits * 10^exponent`, rounded as Go's parser rounds; none if its size cannot be
    /// told from infinity by the exponent alone.
    pub(super) fn from_decimal(negative: bool, digits: &BigUint, exponent: i64) -> Option<Self> {
        let bits = digits.bits() as i64;
        let scale = bits.checked_add(exponent)?;
        if !(MIN_EXPONENT..=MAX_EXPONENT).contains(&scale) {
            return None;
        }
        if digits.is_zero() {
            return Some(Self::zero(negative, PRECISION));
        }
        let exact =
            Self { negative, size: Size::Finite(digits.clone(), exponent), precision: PRECISION };
        match exponent {
            0 => Some(Self::rounded(negative, digits.clone(), 0, PRECISION, false)),
            1.. => exact.multiply_at(&power_of_five(exponent.unsigned_abs()), PRECISION),
            _ => exact.divide_at(&power_of_five(exponent.unsigned_abs()), PRECISION),
        }
    }
}

/// 5 to a power, rounded as Go's parser rounds it: to 576 bits, by squares of 640 bits.
fn power_of_five(mut power: u64) -> Float {
    const BITS: u32 = PRECISION + 64;
    /// 5 to this power fits 64 bits.
    const EXACT: u64 = 27;
    let five = |power: u64, precision| {
        Float::rounded(false, BigUint::from(5_u8).pow(power as u32), 0, precision, false)
    };
    if power <= EXACT {
        return five(power, BITS);
    }
    let mut result = five(EXACT, BITS);
    power -= EXACT;
    let mut square = five(1, BITS + 64);
    while power > 0 {
        if power & 1 == 1 {
            result = result.multiply_at(&square, BITS).unwrap_or(result);
        }
        square = square.multiply_at(&square, BITS + 64).unwrap_or(square);
        power >>= 1;
    }
    result
}

/// The shortest decimal digits that only this float has at its precision, and the power of ten before the
/// first of them: `[1, 5]` and 1 for 1.5. None if it would take more than `limit` digits to write it out.
pub(super) fn shortest(float: &Float, limit: u64) -> Option<(Vec<u8>, i64)> {
    let Size::Finite(mantissa, exponent) = &float.size else { return None };
    if mantissa.is_zero() {
        return Some((Vec::new(), 0));
    }
    // Decimal digits before or behind the point, roughly.
    let top = exponent + mantissa.bits() as i64;
    if top.unsigned_abs() / 4 > limit {
        return None;
    }
    // In half units of the last place, so that the bounds of rounding are whole numbers.
    let spare = i64::from(float.precision) + 1 - mantissa.bits() as i64;
    let halves = mantissa << spare.max(0) as u64;
    let exponent = exponent - spare.max(0);
    let inclusive = !halves.bit(1);
    // value = numerator / denominator, half a unit = unit / denominator
    let (mut numerator, mut unit, mut denominator) = if exponent >= 0 {
        let shift = exponent as u64;
        (halves << shift, BigUint::one() << shift, BigUint::one())
    } else {
        (halves, BigUint::one(), BigUint::one() << exponent.unsigned_abs())
    };
    // The power of ten so that 0.1 <= value / 10^point < 1.
    let mut point = (top as f64 * std::f64::consts::LOG10_2).floor() as i64;
    let ten = BigUint::from(10_u8);
    if point >= 0 {
        denominator *= ten.pow(point as u32);
    } else {
        let power = ten.pow(point.unsigned_abs() as u32);
        numerator *= &power;
        unit *= power;
    }
    while numerator >= denominator {
        denominator *= 10_u8;
        point += 1;
    }
    while &numerator * 10_u8 < denominator {
        numerator *= 10_u8;
        unit *= 10_u8;
        point -= 1;
    }
    let mut digits = Vec::new();
    loop {
        numerator *= 10_u8;
        unit *= 10_u8;
        let digit = &numerator / &denominator;
        numerator -= &digit * &denominator;
        digits.push(u8::try_from(&digit).unwrap_or(9));
        let down = match numerator.cmp(&unit) {
            Ordering::Less => true,
            Ordering::Equal => inclusive,
            Ordering::Greater => false,
        };
        let up = match (&numerator + &unit).cmp(&denominator) {
            Ordering::Greater => true,
            Ordering::Equal => inclusive,
            Ordering::Less => false,
        };
        let is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        let rounds_up = match (down, up) {
            (false, false) => continue,
            (true, false) => false,
            (false, true) => true,
            (true, true) => match (&numerator * 2_u8).cmp(&denominator) {
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
    while digits.last() == Some(&0) {
        digits.pop();
    }
    Some((digits, point))
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
