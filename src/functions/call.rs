//! The context of a function's body: typed access to its arguments, and results within limits.

use crate::arena::Arena;
use crate::evaluate::{FunctionError, Meter};
use crate::value::{Clause, ConversionError, Number, Quotation, TEXT_UNIT, TooLong, Type, Value};

/// The maximum number of bytes in a function's result.
pub(super) const MAX_TEXT: usize = 64 << 20;

/// The maximum number of elements in a function's result.
pub(super) const MAX_ELEMENTS: usize = 1 << 20;

/// A result or an error.
pub(super) type Outcome<'a, T = Value<'a>> = Result<T, FunctionError<'a>>;

/// A call of a function.
#[derive(Clone, Copy)]
pub(super) struct Call<'c, 'a> {
    pub(super) arena: &'a Arena,
    pub(super) arguments: &'c [Value<'a>],
    /// The budget for new values.
    pub(super) meter: &'c Meter,
}

impl<'a> Call<'_, 'a> {
    /// The argument at `index`.
    pub(super) fn value(&self, index: usize) -> Outcome<'a> {
        self.arguments.get(index).copied().ok_or(wrong(index, "the argument is missing"))
    }

    /// The argument at `index`, which must be a string.
    pub(super) fn str(&self, index: usize) -> Outcome<'a, &'a str> {
        self.value(index)?.as_str().ok_or(wrong(index, "a string is required"))
    }

    /// The argument at `index`, which must be a number.
    pub(super) fn number(&self, index: usize) -> Outcome<'a, Number<'a>> {
        self.value(index)?.as_number().ok_or(wrong(index, "a number is required"))
    }

    /// The argument at `index`, which must be a whole number.
    pub(super) fn integer(&self, index: usize) -> Outcome<'a, i64> {
        self.number(index)?.as_i64().ok_or(wrong(index, WHOLE_NUMBER))
    }

    /// Checks the limit and the budget before a text of this many bytes is created.
    pub(super) fn room(&self, bytes: usize) -> Outcome<'a, ()> {
        if bytes > MAX_TEXT {
            return Err(self.too_long());
        }
        Ok(self.meter.reserve(bytes as u64)?)
    }

    /// Checks the limit and the budget before this many elements are created.
    pub(super) fn room_for(&self, elements: usize) -> Outcome<'a, ()> {
        if elements > MAX_ELEMENTS {
            return Err(self.too_many());
        }
        Ok(self.meter.reserve(elements as u64 * size_of::<Value<'a>>() as u64)?)
    }

    /// Returns all digits of a number.
    pub(super) fn digits(&self, number: Number<'a>) -> Result<&'a str, TooLong> {
        let size = Value::number(number).size() as usize;
        self.meter.text(size * TEXT_UNIT).map_err(|_| TooLong)?;
        number.to_text(self.arena)
    }

    /// Returns a list, and spends its cost.
    pub(super) fn list(&self, element: Type<'a>, elements: &[Value<'a>]) -> Value<'a> {
        self.take(elements.len());
        Value::list(self.arena, element, elements)
    }

    /// Returns a set, and spends its cost.
    pub(super) fn set(&self, element: Type<'a>, elements: &[Value<'a>]) -> Value<'a> {
        self.take(elements.len());
        Value::set(self.arena, element, elements)
    }

    /// Returns a tuple, and spends its cost.
    pub(super) fn tuple(&self, elements: &[Value<'a>]) -> Value<'a> {
        self.take(elements.len());
        Value::tuple(self.arena, elements)
    }

    /// Returns a map, and spends its cost.
    pub(super) fn map(&self, element: Type<'a>, entries: &[(&'a str, Value<'a>)]) -> Value<'a> {
        self.take(entries.len());
        Value::map(self.arena, element, entries)
    }

    /// Returns an object, and spends its cost.
    pub(super) fn object(&self, entries: &[(&'a str, Value<'a>)]) -> Value<'a> {
        self.take(entries.len());
        Value::object(self.arena, entries)
    }

    /// Spends the cost of parts. The elements exist already, so an exhausted budget is reported
    /// later.
    fn take(&self, parts: usize) {
        self.meter.parts(parts).ok();
    }

    /// Returns a text as a result, copied into the arena.
    pub(super) fn string(&self, text: &str) -> Outcome<'a> {
        if text.len() > MAX_TEXT {
            return Err(self.too_long());
        }
        self.meter.text(text.len())?;
        Ok(Value::string(self.arena, self.arena.str(text)))
    }

    /// Returns an integer as a result.
    pub(super) fn integer_value(&self, number: i64) -> Value<'a> {
        Value::number(Number::from_i64(self.arena, number))
    }

    /// Returns an error of the argument at `index`, with quotations: each `{}` of the template stands
    /// for the next one.
    pub(super) fn wrong(
        &self,
        index: usize,
        template: &'static str,
        quotations: &[Quotation<'_>],
    ) -> FunctionError<'a> {
        FunctionError::of_argument(index, self.clause(template, quotations))
    }

    /// Returns an error of the call as a whole, with quotations.
    pub(super) fn failed(
        &self,
        template: &'static str,
        quotations: &[Quotation<'_>],
    ) -> FunctionError<'a> {
        FunctionError::new(self.clause(template, quotations))
    }

    fn clause(&self, template: &'static str, quotations: &[Quotation<'_>]) -> Clause<'a> {
        Clause::quoting(self.arena, template, quotations)
    }

    /// Returns the error of the argument at `index`, or a part of it, that does not convert.
    pub(super) fn unconverted(
        &self,
        index: usize,
        error: &ConversionError<'_>,
    ) -> FunctionError<'a> {
        FunctionError::of_argument(index, Clause::of_conversion(self.arena, error))
    }

    /// Returns the error of arguments that do not convert to a common type.
    pub(super) fn incompatible(&self, error: &ConversionError<'_>) -> FunctionError<'a> {
        FunctionError::new(Clause::of_conversion(self.arena, error))
    }

    /// Returns the error of a number that has no result.
    pub(super) fn uncomputed(&self, error: impl std::fmt::Display) -> FunctionError<'a> {
        self.failed("{}", &[Quotation::Plain(&error)])
    }

    /// Returns the error of a result with more than [`MAX_TEXT`] bytes.
    pub(super) fn too_long(&self) -> FunctionError<'a> {
        let limit = Quotation::Plain(&MAX_TEXT);
        self.failed("the result would have more than {} bytes", &[limit])
    }

    /// Returns the error of a result with more than [`MAX_ELEMENTS`] elements.
    pub(super) fn too_many(&self) -> FunctionError<'a> {
        let limit = Quotation::Plain(&MAX_ELEMENTS);
        self.failed("the result would have more than {} elements", &[limit])
    }
}

/// The error of a number that must be an integer.
pub(super) const WHOLE_NUMBER: &str = "a whole number of at most 64 bits is required";

/// Returns an error of the argument at `index` that quotes nothing.
pub(super) const fn wrong<'a>(index: usize, message: &'static str) -> FunctionError<'a> {
    FunctionError { argument: Some(index), message: Clause::fixed(message) }
}

/// Returns an error of the call as a whole that quotes nothing.
pub(super) const fn failed<'a>(message: &'static str) -> FunctionError<'a> {
    FunctionError { argument: None, message: Clause::fixed(message) }
}
