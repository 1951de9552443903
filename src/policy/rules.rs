//! A set of rules.

use super::read;
use super::rule::Rule;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::evaluate::{Budget, Functions};
use crate::hash::HashMap;
use crate::parsed::ParsedFile;
use crate::source::SourceError;

/// Rules, in the order in which they were added, with the functions that they may call. They are in
/// the arena of the plans that they check.
#[derive(Default)]
pub struct Rules<'a> {
    rules: Vec<Rule<'a>>,
    functions: Option<&'a dyn Functions>,
    names: HashMap<&'a str, usize>,
    /// The rest of the budget of the local values of all files.
    left: Budget,
}

impl<'a> Rules<'a> {
    /// An empty set of rules. `functions` are those that conditions and messages may call, such as
    /// `Some(functions::STANDARD)` with the feature `functions`. Without them, every call is an error.
    #[must_use]
    pub fn new(functions: Option<&'a dyn Functions>) -> Self {
        Self { functions, ..Self::default() }
    }

    /// Adds the rules of a file, in JSON or native syntax; see `docs/policy.md`. Reports invalid
    /// rules to `sink` and adds the valid ones. Returns whether the file has no error; its syntax
    /// errors are in [`ParsedFile::diagnostics`] and not reported again.
    ///
    /// Cost: linear in the file, and the budget of one evaluation for the local values of all files together.
    #[must_use]
    pub fn parse(&mut self, file: impl Into<ParsedFile<'a>>, sink: &mut dyn Sink<'a>) -> bool {
        let file = file.into();
        let is_error = |diagnostic: &Diagnostic<'a>| diagnostic.severity() == Severity::Error;
        let mut is_right = !file.diagnostics().iter().any(is_error);
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            is_right &= !is_error(&diagnostic);
            sink.report(diagnostic);
        };
        for rule in read::file(file, self.functions, &mut self.left, sink) {
            self.add(rule, sink);
        }
        is_right
    }

    /// Adds a rule for all changes: one expression. If the text is not an expression, reports the
    /// error to `sink` and returns false.
    ///
    /// # Errors
    /// The text is larger than a source can be.
    ///
    /// ```
    /// use simd_hcl::Severity;
    /// use simd_hcl::policy::{CheckOptions, Rules};
    /// use simd_hcl::show::Plan;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// let mut rules = Rules::new(None);
    /// let text = "change.after.size > 1";
    /// assert!(rules.add_condition(&arena, "small", Severity::Error, text, &mut ()).unwrap());
    /// assert_eq!(rules.check(plan, &CheckOptions::default()).findings.len(), 1);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn add_condition(
        &mut self,
        arena: &'a Arena,
        name: &str,
        severity: Severity,
        text: &str,
        sink: &mut dyn Sink<'a>,
    ) -> Result<bool, SourceError> {
        let rule = read::condition(arena, name, severity, text, self.functions, sink)?;
        let is_right = rule.is_some();
        rule.into_iter().for_each(|rule| self.add(rule, sink));
        Ok(is_right)
    }

    /// Adds a rule, unless another one has its name.
    fn add(&mut self, rule: Rule<'a>, sink: &mut dyn Sink<'a>) {
        if let Some(earlier) = self.names.get(rule.name).and_then(|place| self.rules.get(*place)) {
            sink.report(
                Diagnostic::new(Code::DuplicateDeclaration, rule.label)
                    .with_arguments(&["rule"])
                    .with_related(earlier.label, "declared first here"),
            );
            return;
        }
        self.names.insert(rule.name, self.rules.len());
        self.rules.push(rule);
    }

    /// The rules.
    pub fn iter(&self) -> std::slice::Iter<'_, Rule<'a>> {
        self.rules.iter()
    }

    /// The rule with an index among all, from 0.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<&Rule<'a>> {
        self.rules.get(place)
    }

    /// The number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub(crate) fn functions(&self) -> Option<&'a dyn Functions> {
        self.functions
    }
}

impl std::fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rules").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl<'r, 'a> IntoIterator for &'r Rules<'a> {
    type Item = &'r Rule<'a>;
    type IntoIter = std::slice::Iter<'r, Rule<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
