//! What a rule says of a change.

use crate::diagnostic::Diagnostic;
use crate::show::ResourceChange;

/// What one rule says of one change: that it is denied or warned of, that the rule cannot be
/// decided before apply, or that it cannot be evaluated. The code of the
/// [diagnostic](Self::diagnostic) says which.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    pub(super) rule: usize,
    pub(super) change: ResourceChange<'a>,
    pub(super) attribute: Option<&'a str>,
    pub(super) diagnostic: Diagnostic<'a>,
}

impl<'a> Finding<'a> {
    /// The rule, by its place in [`Rules::iter`](super::Rules::iter).
    #[must_use]
    pub fn rule(&self) -> usize {
        self.rule
    }

    /// The change.
    #[must_use]
    pub fn change(&self) -> ResourceChange<'a> {
        self.change
    }

    /// The attribute of the resource that the condition names, the first if there are several. None
    /// if it names none.
    #[must_use]
    pub fn attribute(&self) -> Option<&'a str> {
        self.attribute
    }

    /// What is said. It points at the value in the plan that the condition names, or at the place
    /// in the rule that has no value. Texts hold no sensitive value unless
    /// [`CheckOptions`](super::CheckOptions) say so.
    #[must_use]
    pub fn diagnostic(&self) -> &Diagnostic<'a> {
        &self.diagnostic
    }
}
