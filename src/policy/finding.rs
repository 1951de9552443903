//! The finding of a rule about a change.

use crate::diagnostic::Diagnostic;
use crate::show::ResourceChange;

/// The finding of one rule about one change: the change is denied or warned of, the rule cannot be
/// decided before apply, or it cannot be evaluated. The code of the [diagnostic](Self::diagnostic)
/// tells them apart.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    pub(super) rule: usize,
    pub(super) change: ResourceChange<'a>,
    pub(super) attribute: Option<&'a str>,
    pub(super) diagnostic: Diagnostic<'a>,
}

impl<'a> Finding<'a> {
    /// The rule, by its index in [`Rules::iter`](super::Rules::iter).
    #[must_use]
    pub fn rule(&self) -> usize {
        self.rule
    }

    /// The change.
    #[must_use]
    pub fn change(&self) -> ResourceChange<'a> {
        self.change
    }

    /// The attribute of the resource that the condition uses, the first if there are several.
    /// `None` if it uses none.
    #[must_use]
    pub fn attribute(&self) -> Option<&'a str> {
        self.attribute
    }

    /// The diagnostic. It points at the value in the plan that the condition uses, or at the place
    /// in the rule that has no value. Its texts contain no sensitive values unless
    /// [`CheckOptions`](super::CheckOptions) allow it, and an
    /// [`OwnedDiagnostic`](crate::OwnedDiagnostic) of it has no text of the plan.
    ///
    /// ```
    /// use simd_hcl::policy::{CheckOptions, Rules};
    /// use simd_hcl::show::Plan;
    /// use simd_hcl::{Arena, Document};
    /// use simd_hcl::{Code, Severity};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// let mut rules = Rules::new(None);
    /// let text = "change.after.size > 1";
    /// let _ = rules.add_condition(&arena, "small", Severity::Error, text, &mut ());
    /// let findings = rules.check(plan, &CheckOptions::default()).findings;
    /// assert_eq!(findings[0].diagnostic().code(), Code::PolicyDenied);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn diagnostic(&self) -> &Diagnostic<'a> {
        &self.diagnostic
    }
}
