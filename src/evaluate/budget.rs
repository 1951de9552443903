//! What one evaluation may use: steps and bytes.

use std::cell::Cell;

use crate::diagnostic::Code;
use crate::value::{TEXT_UNIT, Value};

/// The limits of one evaluation: steps, which stand for time, and bytes, which stand for memory.
///
/// One step is a node evaluated, an element or argument taken, an element made, or 16 bytes of text
/// made. What a function reads of its arguments costs an eighth of that. Bytes are those of the
/// values that are made, at any time of the evaluation; and no value may take more bytes than the
/// limit if it were written out, where 16 bytes count for each part and what occurs twice counts
/// twice.
///
/// An evaluation that needs more ends with the diagnostic `evaluation-too-long` or
/// `evaluation-too-large`.
///
/// ```
/// use simd_hcl::evaluate::{Budget, Scope};
///
/// let budget = Budget::DEFAULT.with_bytes(1 << 20);
/// assert_eq!((budget.steps(), budget.bytes()), (50_000_000, 1 << 20));
/// let _scope = Scope::new().with_budget(budget);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    steps: u64,
    bytes: u64,
}

impl Budget {
    /// 50 million steps, which is several seconds of work, and 256 MiB.
    pub const DEFAULT: Self = Self::new(50_000_000, 256 << 20);

    /// What reading a configuration may take for an expression of this many bytes, so that all
    /// expressions of a file stay linear in it.
    #[must_use]
    pub(crate) const fn of_length(bytes: u32) -> Self {
        let bytes = bytes as u64;
        Self::new(1_000 + 64 * bytes, (16 << 10) + 128 * bytes)
    }

    /// A budget of steps and bytes.
    #[must_use]
    pub const fn new(steps: u64, bytes: u64) -> Self {
        Self { steps, bytes }
    }

    /// With another limit of steps.
    #[must_use]
    pub const fn with_steps(self, steps: u64) -> Self {
        Self { steps, ..self }
    }

    /// With another limit of bytes.
    #[must_use]
    pub const fn with_bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// The limit of steps.
    #[must_use]
    pub const fn steps(self) -> u64 {
        self.steps
    }

    /// The limit of bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.bytes
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A part of a budget that is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The evaluation has no steps left.
    Steps,
    /// The evaluation has no bytes left.
    Bytes,
}

impl Exhausted {
    /// What is reported where an evaluation ends for want of it.
    pub(crate) fn code(self) -> Code {
        match self {
            Self::Steps => Code::EvaluationTooLong,
            Self::Bytes => Code::EvaluationTooLarge,
        }
    }
}

/// What is left of a [`Budget`]. The evaluator and the functions that it calls take from it before
/// they work.
///
/// Once it is used up it stays so, and the evaluation ends.
#[derive(Debug)]
pub struct Meter {
    steps: Cell<u64>,
    bytes: Cell<u64>,
    /// The bytes that there were at first.
    limit: u64,
    exhausted: Cell<Option<Exhausted>>,
}

impl Meter {
    /// All of a budget.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        let (steps, bytes) = (Cell::new(budget.steps), Cell::new(budget.bytes));
        Self { steps, bytes, limit: budget.bytes, exhausted: Cell::new(None) }
    }

    /// What is left, as a budget.
    #[must_use]
    pub fn rest(&self) -> Budget {
        Budget::new(self.steps.get(), self.bytes.get())
    }

    /// Takes what an evaluation took of [`rest`](Self::rest): steps, and the bytes that it keeps.
    pub(super) fn settle(&self, steps: u64, bytes: u64, exhausted: Option<Exhausted>) {
        self.steps.set(self.steps.get().saturating_sub(steps));
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
        self.exhausted.set(self.exhausted.get().or(exhausted));
    }

    /// Takes steps.
    ///
    /// # Errors
    /// Fewer are left; from then on none are.
    pub fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.take(&self.steps, steps, Exhausted::Steps)
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// Fewer are left; from then on none are.
    pub fn allocate(&self, bytes: u64) -> Result<(), Exhausted> {
        self.take(&self.bytes, bytes, Exhausted::Bytes)
    }

    /// Takes the steps and bytes of a text.
    ///
    /// # Errors
    /// There are not as many left.
    pub fn text(&self, bytes: usize) -> Result<(), Exhausted> {
        self.spend((bytes / TEXT_UNIT) as u64)?;
        self.allocate(bytes as u64)
    }

    /// Takes the steps and bytes of a collection, object or tuple with this many parts.
    ///
    /// # Errors
    /// Fewer are left.
    pub fn parts(&self, count: usize) -> Result<(), Exhausted> {
        /// A value, its name, and its type.
        const PART: u64 = (size_of::<Value<'_>>() + 48) as u64;
        self.spend(count as u64)?;
        self.allocate((count as u64).saturating_mul(PART))
    }

    /// Checks that this many bytes are left for a value that is taken when it is complete.
    ///
    /// # Errors
    /// Fewer are left; from then on none are.
    pub fn reserve(&self, bytes: u64) -> Result<(), Exhausted> {
        if self.exhausted.get().is_none() && bytes <= self.bytes.get() {
            return Ok(());
        }
        self.allocate(bytes)
    }

    /// The bytes that are left.
    #[must_use]
    pub fn bytes_left(&self) -> u64 {
        self.bytes.get()
    }

    /// Which part is used up.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted.get()
    }

    /// Bytes that have been taken.
    #[must_use]
    pub fn allocated(&self) -> u64 {
        self.limit - self.bytes.get()
    }

    /// Uses up the bytes if `size`, as [`Value::size`] counts, is more than all of them.
    pub(super) fn limit_size(&self, size: u64) {
        if size.saturating_mul(TEXT_UNIT as u64) > self.limit && self.exhausted.get().is_none() {
            self.exhausted.set(Some(Exhausted::Bytes));
        }
    }

    fn take(&self, from: &Cell<u64>, cost: u64, which: Exhausted) -> Result<(), Exhausted> {
        if let Some(exhausted) = self.exhausted.get() {
            return Err(exhausted);
        }
        match from.get().checked_sub(cost) {
            Some(rest) => {
                from.set(rest);
                Ok(())
            }
            None => {
                from.set(0);
                self.exhausted.set(Some(which));
                Err(which)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_that_is_used_up_stays_so() {
        let meter = Meter::new(Budget::new(10, 100));
        assert_eq!((meter.spend(10), meter.allocate(40), meter.allocated()), (Ok(()), Ok(()), 40));
        assert_eq!(meter.allocate(61), Err(Exhausted::Bytes));
        assert_eq!(meter.spend(0), Err(Exhausted::Bytes));
        assert_eq!(meter.exhausted(), Some(Exhausted::Bytes));
        assert_eq!(meter.reserve(0), Err(Exhausted::Bytes));
        let meter = Meter::new(Budget::new(10, 100));
        assert_eq!((meter.reserve(100), meter.bytes_left()), (Ok(()), 100));
        assert_eq!((meter.reserve(101), meter.bytes_left()), (Err(Exhausted::Bytes), 0));
        let meter = Meter::new(Budget::new(10, 1000));
        assert_eq!((meter.text(159), meter.text(32)), (Ok(()), Err(Exhausted::Steps)));
        let meter = Meter::new(Budget::new(10, 160));
        meter.limit_size(10);
        assert_eq!(meter.exhausted(), None);
        meter.limit_size(11);
        assert_eq!(meter.exhausted(), Some(Exhausted::Bytes));
    }
}
