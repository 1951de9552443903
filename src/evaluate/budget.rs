//! Limits of an evaluation: steps and bytes.

use std::cell::Cell;

use crate::diagnostic::Code;
use crate::value::{TEXT_UNIT, Value};

/// The limits of one evaluation: steps, which stand for time, and bytes, which stand for memory.
///
/// An evaluation takes one step for a node, for an element or argument that is read, for an element
/// that is created, and for 16 bytes of text that are created. Data that a function reads from its
/// arguments costs an eighth of that. Bytes are those of all values created during the evaluation.
/// In addition, no single value may take more bytes than the limit if it were written out, at 16
/// bytes for each part, with shared parts counted each time.
///
/// An evaluation that exceeds a limit ends with the diagnostic `evaluation-too-long` or
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
    /// 50 million steps, which take several seconds, and 256 MiB.
    pub const DEFAULT: Self = Self::new(50_000_000, 256 << 20);

    /// Returns the budget for an expression of this many bytes while a configuration is read, so
    /// that the cost of all expressions of a file is linear in its size.
    #[must_use]
    pub(crate) const fn of_length(bytes: u32) -> Self {
        let bytes = bytes as u64;
        Self::new(1_000 + 64 * bytes, (16 << 10) + 128 * bytes)
    }

    /// Returns a budget of this many steps and bytes.
    #[must_use]
    pub const fn new(steps: u64, bytes: u64) -> Self {
        Self { steps, bytes }
    }

    /// Returns the budget with another limit of steps.
    #[must_use]
    pub const fn with_steps(self, steps: u64) -> Self {
        Self { steps, ..self }
    }

    /// Returns the budget with another limit of bytes.
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

/// The limit that an evaluation has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The evaluation has no steps left.
    Steps,
    /// The evaluation has no bytes left.
    Bytes,
}

impl Exhausted {
    /// The code of the diagnostic that is reported when it ends an evaluation.
    pub(crate) fn code(self) -> Code {
        match self {
            Self::Steps => Code::EvaluationTooLong,
            Self::Bytes => Code::EvaluationTooLarge,
        }
    }
}

/// The remaining [`Budget`] of an evaluation. The evaluator and the functions that it calls spend
/// from it before they work.
///
/// Once a limit is reached, the meter stays exhausted, and the evaluation ends.
///
/// ```
/// use simd_hcl::evaluate::{Budget, Meter};
///
/// let meter = Meter::new(Budget::new(10, 1 << 10));
/// assert!(meter.spend(8).is_ok());
/// assert_eq!(meter.rest().steps(), 2);
/// assert!(meter.spend(3).is_err() && meter.exhausted().is_some());
/// ```
#[derive(Debug)]
pub struct Meter {
    steps: Cell<u64>,
    bytes: Cell<u64>,
    /// The initial number of bytes.
    limit: u64,
    exhausted: Cell<Option<Exhausted>>,
}

impl Meter {
    /// Returns a meter with a whole budget.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        let (steps, bytes) = (Cell::new(budget.steps), Cell::new(budget.bytes));
        Self { steps, bytes, limit: budget.bytes, exhausted: Cell::new(None) }
    }

    /// The remaining steps and bytes.
    #[must_use]
    pub fn rest(&self) -> Budget {
        Budget::new(self.steps.get(), self.bytes.get())
    }

    /// Spends the cost of an evaluation that ran with [`rest`](Self::rest): its steps, and the
    /// bytes that it keeps.
    pub(super) fn settle(&self, steps: u64, bytes: u64, exhausted: Option<Exhausted>) {
        self.steps.set(self.steps.get().saturating_sub(steps));
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
        self.exhausted.set(self.exhausted.get().or(exhausted));
    }

    /// Runs what may take a part of the rest, and no more than `most`, with a meter of its own. This one is
    /// exhausted only if the rest is.
    pub(crate) fn part<T>(&self, most: Budget, run: impl FnOnce(&Self) -> T) -> T {
        let rest = self.rest();
        let (steps, bytes) = (rest.steps.min(most.steps), rest.bytes.min(most.bytes));
        let part = Self::new(Budget::new(steps, bytes));
        part.exhausted.set(self.exhausted.get());
        let result = run(&part);
        let left = part.rest();
        let exhausted = part.exhausted.get().filter(|which| match which {
            Exhausted::Steps => rest.steps <= most.steps,
            Exhausted::Bytes => rest.bytes <= most.bytes,
        });
        self.settle(steps - left.steps, bytes - left.bytes, exhausted);
        result
    }

    /// Spends steps.
    ///
    /// # Errors
    /// Fewer steps are left. From then on the meter is exhausted.
    pub fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.take(&self.steps, steps, Exhausted::Steps)
    }

    /// Spends bytes.
    ///
    /// # Errors
    /// Fewer bytes are left. From then on the meter is exhausted.
    pub fn allocate(&self, bytes: u64) -> Result<(), Exhausted> {
        self.take(&self.bytes, bytes, Exhausted::Bytes)
    }

    /// Spends the steps and bytes of a text.
    ///
    /// # Errors
    /// Fewer steps or bytes are left.
    pub fn text(&self, bytes: usize) -> Result<(), Exhausted> {
        self.spend((bytes / TEXT_UNIT) as u64)?;
        self.allocate(bytes as u64)
    }

    /// Spends the steps and bytes of a collection, object or tuple with this many parts.
    ///
    /// # Errors
    /// Fewer steps or bytes are left.
    pub fn parts(&self, count: usize) -> Result<(), Exhausted> {
        /// A value, its name, and its type.
        const PART: u64 = (size_of::<Value<'_>>() + 48) as u64;
        self.spend(count as u64)?;
        self.allocate((count as u64).saturating_mul(PART))
    }

    /// Checks that this many bytes are left, without spending them: for a value whose cost is spent
    /// when it is complete.
    ///
    /// # Errors
    /// Fewer bytes are left. From then on the meter is exhausted.
    pub fn reserve(&self, bytes: u64) -> Result<(), Exhausted> {
        if self.exhausted.get().is_none() && bytes <= self.bytes.get() {
            return Ok(());
        }
        self.allocate(bytes)
    }

    /// The remaining bytes.
    #[must_use]
    pub fn bytes_left(&self) -> u64 {
        self.bytes.get()
    }

    /// The limit that has been reached.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted.get()
    }

    /// The bytes spent so far.
    #[must_use]
    pub fn allocated(&self) -> u64 {
        self.limit - self.bytes.get()
    }

    /// Exhausts the bytes if `size`, as [`Value::size`] counts, is more than the initial number of
    /// bytes.
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
        let meter = Meter::new(Budget::new(10, 100));
        let spend = |most, steps| meter.part(Budget::new(most, 50), |part| part.spend(steps));
        assert_eq!((spend(4, 5), meter.exhausted()), (Err(Exhausted::Steps), None));
        assert_eq!((spend(4, 3), meter.rest()), (Ok(()), Budget::new(3, 100)));
        assert_eq!(
            (spend(4, 4), meter.exhausted()),
            (Err(Exhausted::Steps), Some(Exhausted::Steps))
        );
        assert_eq!(spend(4, 0), Err(Exhausted::Steps));
        let meter = Meter::new(Budget::new(10, 160));
        meter.limit_size(10);
        assert_eq!(meter.exhausted(), None);
        meter.limit_size(11);
        assert_eq!(meter.exhausted(), Some(Exhausted::Bytes));
    }
}
