//! Spends the budget of an expansion.
//!
//! Work that costs more than half of the rest is left out, and reported at its place. So no expression,
//! object or printed value takes everything, and the rest goes on.

use super::budget::{Price, price_of_parts, price_of_text};
use super::engine::Expansion;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::evaluate::Budget;
use crate::value::{ConversionError, TEXT_UNIT, Type, Value, convert, is_of};

/// Conversions of values of this size are not counted.
const SMALL: u32 = 256;

impl<'a> Expansion<'_, 'a> {
    /// Half of what is left.
    pub(super) fn half(&self) -> Budget {
        let rest = self.meter.rest();
        Budget::new(rest.steps() / 2, rest.bytes() / 2)
    }

    /// Spends a cost. If it is more than half of what is left, nothing is spent, and that is
    /// reported at `label`.
    pub(super) fn affords(&self, price: Price, label: impl FnOnce() -> Label<'a>) -> bool {
        self.affords_above(self.half(), price, label)
    }

    /// Spends a price, if `least` is left after it. Otherwise nothing is spent, and that is reported at
    /// `label`.
    pub(super) fn affords_above(
        &self,
        least: Budget,
        (steps, bytes): Price,
        label: impl FnOnce() -> Label<'a>,
    ) -> bool {
        if self.meter.exhausted().is_some() {
            return false;
        }
        let rest = self.meter.rest();
        let code = match () {
            () if steps > rest.steps().saturating_sub(least.steps()) => Code::EvaluationTooLong,
            () if bytes > rest.bytes().saturating_sub(least.bytes()) => Code::EvaluationTooLarge,
            () => {
                // This much is left.
                self.meter.spend(steps).ok();
                self.meter.allocate(bytes).ok();
                return true;
            }
        };
        self.report(0, Diagnostic::new(code, label()));
        false
    }

    /// A value that is printed: unknown if its text is longer than what is left of the budget.
    pub(super) fn printed<'v>(
        &self,
        value: Value<'v>,
        label: impl FnOnce() -> Label<'a>,
    ) -> Value<'v> {
        match self.affords(price_of_text(u64::from(value.size()) * TEXT_UNIT as u64), label) {
            true => value,
            false => Value::unknown(Type::Dynamic).with_marks(value.deep_marks()),
        }
    }

    /// Converts a value. A value that is too large to be converted becomes unknown.
    pub(super) fn converted<'v>(
        &self,
        arena: &'v Arena,
        value: Value<'v>,
        ty: Type<'v>,
        label: impl FnOnce() -> Label<'a>,
    ) -> Result<Value<'v>, ConversionError<'v>> {
        match self.affords_conversion(value, |value| is_of(arena, value, ty), label) {
            true => convert(arena, value, ty),
            false => {
                let ty = ty.without_optional_attributes(arena);
                Ok(Value::unknown(ty).with_marks(value.deep_marks()))
            }
        }
    }

    /// Spends the price of converting a value, unless it is of the type already.
    pub(super) fn affords_conversion<'v>(
        &self,
        value: Value<'v>,
        is_of_type: impl FnOnce(Value<'v>) -> bool,
        label: impl FnOnce() -> Label<'a>,
    ) -> bool {
        let parts = u64::from(value.size());
        value.size() <= SMALL || is_of_type(value) || self.affords(price_of_parts(parts), label)
    }
}
