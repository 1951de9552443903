//! The budget of all conditions and messages of a run, beside that of each.
//!
//! It is divided before anything is evaluated, so that what is left out does not depend on the number of
//! threads.

use crate::evaluate::{Budget, Meter};

/// The steps and bytes that any run has.
const CONSTANT: Budget = Budget::DEFAULT;

/// Those for each byte that is checked.
const PER_BYTE: Budget = Budget::new(500, 128);

/// Those for each byte that is checked, and each rule.
const PER_BYTE_AND_RULE: u64 = 4;

/// The bytes that one of the text of a finding counts as: it is kept, and printed.
const PRINTED: u64 = 8;

/// The reason why rules are not evaluated.
pub(crate) const SPENT: &str =
    "the conditions and messages of all rules took all that they may take together.";

/// The part of one of `parts` changes or modules that has this many bytes.
pub(crate) fn share(parts: usize, bytes: u64, rules: usize) -> Budget {
    let limit = |constant: u64, per_byte: u64| {
        let by_rules = PER_BYTE_AND_RULE.saturating_mul(rules as u64);
        let by_bytes = bytes.saturating_mul(per_byte.saturating_add(by_rules));
        (constant / parts.max(1) as u64).saturating_add(by_bytes)
    };
    Budget::new(
        limit(CONSTANT.steps(), PER_BYTE.steps()),
        limit(CONSTANT.bytes(), PER_BYTE.bytes()),
    )
}

/// Spends what the text of a finding takes.
pub(crate) fn print(meter: &Meter, text: &str) {
    meter.allocate(PRINTED * text.len() as u64).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many there are, their parts are the constant and what grows with their bytes.
    #[test]
    fn parts_are_those_of_one_budget() {
        let all = |parts: usize| {
            let one = share(parts, 100, 10);
            [one.steps(), one.bytes()].map(|limit| limit * parts as u64)
        };
        for parts in [1, 60, 10_000] {
            let bytes = 100 * parts as u64;
            let [steps, memory] = all(parts);
            assert!(steps <= CONSTANT.steps() + bytes * (PER_BYTE.steps() + 40), "{parts}");
            assert!(memory <= CONSTANT.bytes() + bytes * (PER_BYTE.bytes() + 40), "{parts}");
        }
        let _ = share(0, u64::MAX, usize::MAX);
    }

    /// A text that takes no step to make is kept for each finding.
    #[test]
    fn texts_are_spent() {
        let meter = Meter::new(Budget::new(1, 1_000));
        print(&meter, &"a".repeat(100));
        assert_eq!((meter.rest(), meter.exhausted()), (Budget::new(1, 200), None));
        print(&meter, &"a".repeat(26));
        assert!(meter.exhausted().is_some());
    }
}
