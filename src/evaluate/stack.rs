//! The stack of values, each with the diagnostics that belong to it.
//!
//! Diagnostics are in a pool, and a [`Chain`] links some of them. So in constant time an operand
//! can be checked for errors, the diagnostics of operands can be joined in any order, and those of
//! an unused operand can be dropped.

use smallvec::SmallVec;

use super::fault::Report;
use crate::value::Value;

/// Diagnostics in order, linked in the pool of a [`Stack`]. Each link is in one chain, so a chain
/// is consumed when it is appended to another one.
#[derive(Debug)]
pub(super) struct Chain {
    first: u32,
    last: u32,
}

const NONE: u32 = u32::MAX;

impl Chain {
    pub(super) const EMPTY: Self = Self { first: NONE, last: NONE };

    pub(super) const fn is_empty(&self) -> bool {
        self.first == NONE
    }

    /// Takes the chain, and leaves an empty one.
    pub(super) const fn take(&mut self) -> Self {
        std::mem::replace(self, Self::EMPTY)
    }
}

/// Values, and the diagnostics of each.
pub(super) struct Stack<'a> {
    values: SmallVec<[Value<'a>; 8]>,
    chains: SmallVec<[Chain; 8]>,
    pool: Vec<Link<'a>>,
    /// The first free link.
    free: u32,
}

struct Link<'a> {
    report: Report<'a>,
    next: u32,
}

impl<'a> Stack<'a> {
    pub(super) fn new() -> Self {
        Self { values: SmallVec::new(), chains: SmallVec::new(), pool: Vec::new(), free: NONE }
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn push(&mut self, value: Value<'a>) {
        self.push_with(value, Chain::EMPTY);
    }

    pub(super) fn push_with(&mut self, value: Value<'a>, chain: Chain) {
        self.values.push(value);
        self.chains.push(chain);
    }

    /// Takes the topmost value and its diagnostics. In a malformed program the value may be
    /// missing; it is then unknown.
    pub(super) fn pop(&mut self) -> (Value<'a>, Chain) {
        match (self.values.pop(), self.chains.pop()) {
            (Some(value), Some(chain)) => (value, chain),
            _ => (Value::dynamic(), Chain::EMPTY),
        }
    }

    /// The values from `base` up.
    pub(super) fn above(&self, base: usize) -> &[Value<'a>] {
        self.values.get(base..).unwrap_or_default()
    }

    /// The value at `index`.
    pub(super) fn value(&self, index: usize) -> Value<'a> {
        self.values[index]
    }

    /// The topmost values, in order. In a malformed program missing values are unknown.
    pub(super) fn top<const N: usize>(&self) -> [Value<'a>; N] {
        self.values.last_chunk().copied().unwrap_or([Value::dynamic(); N])
    }

    /// Takes the diagnostics of the value at `index`.
    pub(super) fn take(&mut self, index: usize) -> Chain {
        self.chains.get_mut(index).map_or(Chain::EMPTY, Chain::take)
    }

    /// Whether the value at `index` has diagnostics.
    pub(super) fn failed(&self, index: usize) -> bool {
        self.chains.get(index).is_some_and(|chain| !chain.is_empty())
    }

    /// Takes the diagnostics of all values from `base` up, in order.
    pub(super) fn join_above(&mut self, base: usize) -> Chain {
        let mut all = Chain::EMPTY;
        if !self.pool.is_empty() {
            for index in base..self.chains.len() {
                let chain = self.take(index);
                self.append(&mut all, chain);
            }
        }
        all
    }

    /// Removes the values from `base` up. Their diagnostics must have been taken before.
    pub(super) fn truncate(&mut self, base: usize) {
        self.values.truncate(base);
        self.chains.truncate(base);
    }

    /// Replaces the values from `base` up by one value.
    pub(super) fn replace(&mut self, base: usize, value: Value<'a>, chain: Chain) {
        self.truncate(base);
        self.push_with(value, chain);
    }

    /// Appends a diagnostic.
    pub(super) fn report(&mut self, chain: &mut Chain, report: Report<'a>) {
        let link = Link { report, next: NONE };
        let at = if let Some(slot) = self.pool.get_mut(self.free as usize) {
            let at = self.free;
            self.free = slot.next;
            *slot = link;
            at
        } else {
            self.pool.push(link);
            (self.pool.len() - 1) as u32
        };
        self.append(chain, Chain { first: at, last: at });
    }

    /// Appends all of `more`.
    pub(super) fn append(&mut self, chain: &mut Chain, more: Chain) {
        if more.is_empty() {
            return;
        }
        match self.pool.get_mut(chain.last as usize) {
            Some(last) => last.next = more.first,
            None => chain.first = more.first,
        }
        chain.last = more.last;
    }

    /// Drops diagnostics.
    pub(super) fn forget(&mut self, chain: Chain) {
        if let Some(last) = self.pool.get_mut(chain.last as usize) {
            last.next = self.free;
            self.free = chain.first;
        }
    }

    /// Drops the diagnostics of the values from `base` up.
    pub(super) fn forget_above(&mut self, base: usize) {
        let chain = self.join_above(base);
        self.forget(chain);
    }

    /// Keeps the diagnostics that `keep` accepts, in order. The others are dropped.
    pub(super) fn filter(
        &mut self,
        chain: Chain,
        mut keep: impl FnMut(Report<'a>) -> bool,
    ) -> Chain {
        let mut kept = Chain::EMPTY;
        let mut at = chain.first;
        while let Some(link) = self.pool.get_mut(at as usize) {
            let one = Chain { first: at, last: at };
            let next = std::mem::replace(&mut link.next, NONE);
            if keep(link.report) {
                self.append(&mut kept, one);
            } else {
                self.forget(one);
            }
            at = next;
        }
        kept
    }

    /// All reports of `chain`, in order.
    pub(super) fn reports(&self, chain: Chain) -> Vec<Report<'a>> {
        let mut reports = Vec::new();
        let mut at = chain.first;
        while let Some(link) = self.pool.get(at as usize) {
            reports.push(link.report);
            at = link.next;
        }
        reports
    }
}
