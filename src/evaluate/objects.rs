//! Objects that an expression can refer to besides the variables of its scope.

use crate::program::traversal::Step;
use crate::value::Value;

/// Values that are found by more than their first name, so that a scope need not hold all of them.
pub(crate) trait Objects<'a> {
    /// Returns the value that the first steps of a traversal lead to, and the number of these steps;
    /// `None` if nothing has the first name.
    fn find(&self, steps: &[Step<'_>]) -> Option<(Value<'a>, usize)>;
}
