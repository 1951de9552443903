//! What the body of a function gets: arguments read as what they should be, and results within
//! limits.

use std::fmt;

use crate::arena::Arena;
use crate::evaluate::{FunctionError, Meter};
use crate::value::{Number, TEXT_UNIT, TooLong, Type, Value};

/// The bytes that one function may produce.
pub(super) const MAX_TEXT: usize = 64 << 20;

/// The elements that one function may produce.
pub(super) const MAX_ELEMENTS: usize = 1 << 20;

/// A result, or what is wrong.
pub(super) type Outcome<'a, T = Value<'a>> = Result<T, FunctionError<'a>>;

/// One call of a function.
#[derive(Clone, Copy)]
pub(super) struct Call<'c, 'a> {
    pub(super) arena: &'a Arena,
    pub(super) arguments: &'c [Value<'a>],
    /// Takes what is made.
    pub(super) meter: &'c Meter,
}

impl<'a> Call<'_, 'a> {
    /// The argument at `index`.
    pub(super) fn value(&self, index: usize) -> Outcome<'a> {
        self.arguments
            .get(index)
            .copied()
            .ok_or(FunctionError { argument: Some(index), message: "the argument is missing" })
    }

    /// The argument at `index`, a string.
    pub(super) fn str(&self, index: usize) -> Outcome<'a, &'a str> {
        self.value(index)?.as_str().ok_or(wrong(index, "a string is required"))
    }

    /// The argument at `index`, a number.
    pub(super) fn number(&self, index: usize) -> Outcome<'a, Number<'a>> {
        self.value(index)?.as_number().ok_or(wrong(index, "a number is required"))
    }

    /// The argument at `index`, a whole number.
    pub(super) fn integer(&self, index: usize) -> Outcome<'a, i64> {
        self.number(index)?.as_i64().ok_or(wrong(index, WHOLE_NUMBER))
    }

    /// Checks that a text of this many bytes may be made, before it is.
    pub(super) fn room(&self, bytes: usize) -> Outcome<'a, ()> {
        if bytes > MAX_TEXT {
            return Err(self.too_long());
        }
        Ok(self.meter.reserve(bytes as u64)?)
    }

    /// Checks that this many elements may be made, before they are.
    pub(super) fn room_for(&self, elements: usize) -> Outcome<'a, ()> {
        if elements > MAX_ELEMENTS {
            return Err(self.too_many());
        }
        Ok(self.meter.reserve(elements as u64 * size_of::<Value<'a>>() as u64)?)
    }

    /// The digits of a number, all of them.
    pub(super) fn digits(&self, number: Number<'a>) -> Result<&'a str, TooLong> {
        let size = Value::number(number).size() as usize;
        self.meter.text(size * TEXT_UNIT).map_err(|_| TooLong)?;
        number.to_text(self.arena)
    }

    /// A list, taken from the budget.
    pub(super) fn list(&self, element: Type<'a>, elements: &[Value<'a>]) -> Value<'a> {
        self.take(elements.len());
        Value::list(self.arena, element, elements)
    }

    /// A set, taken from the budget.
    pub(super) fn set(&self, element: Type<'a>, elements: &[Value<'a>]) -> Value<'a> {
        self.take(elements.len());
        Value::set(self.arena, element, elements)
    }

    /// A tuple, taken from the budget.
    pub(super) fn tuple(&self, elements: &[Value<'a>]) -> Value<'a> {
        self.take(elements.len());
        Value::tuple(self.arena, elements)
    }

    /// A map, taken from the budget.
    pub(super) fn map(&self, element: Type<'a>, entries: &[(&'a str, Value<'a>)]) -> Value<'a> {
        self.take(entries.len());
        Value::map(self.arena, element, entries)
    }

    /// An object, taken from the budget.
    pub(super) fn object(&self, entries: &[(&'a str, Value<'a>)]) -> Value<'a> {
        self.take(entries.len());
        Value::object(self.arena, entries)
    }

    /// Takes this many parts. The elements exist already, so an exhausted budget is reported later.
    fn take(&self, parts: usize) {
        self.meter.parts(parts).ok();
    }

    /// Text as a result. It is copied into the arena.
    pub(super) fn string(&self, text: &str) -> Outcome<'a> {
        if text.len() > MAX_TEXT {
            return Err(self.too_long());
        }
        self.meter.text(text.len())?;
        Ok(Value::string(self.arena, self.arena.str(text)))
    }

    /// An integer as a result.
    pub(super) fn integer_value(&self, number: i64) -> Value<'a> {
        Value::number(Number::from_i64(self.arena, number))
    }

    /// An error of the argument at `index`.
    pub(super) fn wrong(&self, index: usize, message: fmt::Arguments<'_>) -> FunctionError<'a> {
        wrong(index, self.arena.format(message))
    }

    /// An error of the call as a whole.
    pub(super) fn failed(&self, message: fmt::Arguments<'_>) -> FunctionError<'a> {
        FunctionError { argument: None, message: self.arena.format(message) }
    }

    /// The error of a result that would have more than [`MAX_TEXT`] bytes.
    pub(super) fn too_long(&self) -> FunctionError<'a> {
        self.failed(format_args!("the result would have more than {MAX_TEXT} bytes"))
    }

    /// The error of a result that would have more than [`MAX_ELEMENTS`] elements.
    pub(super) fn too_many(&self) -> FunctionError<'a> {
        self.failed(format_args!("the result would have more than {MAX_ELEMENTS} elements"))
    }
}

/// What is said of numbers that should be integers.
pub(super) const WHOLE_NUMBER: &str = "a whole number of at most 64 bits is required";

/// An error of the argument at `index`.
pub(super) const fn wrong(index: usize, message: &str) -> FunctionError<'_> {
    FunctionError { argument: Some(index), message }
}
