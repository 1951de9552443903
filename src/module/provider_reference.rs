//! References to provider configurations: `aws`, `aws.east`, and in OpenTofu `aws.east["key"]`.
//!
//! Terraform reads a traversal of one or two names. OpenTofu reads a native expression, which may
//! end in an index: the instance of a configuration that has `for_each`.

use std::fmt;

use super::rules::Rules;
use crate::diagnostic::{Code, Diagnostic, Fix, Label, Sink};
use crate::expression::Expression;
use crate::native::{Construct, Native, StepKind, Text, Traversal, parse_traversal};
use crate::span::Span;

/// The name of a provider configuration in a module: `aws`, or `aws.east` with an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderConfigName<'a> {
    /// The provider's local name.
    pub local_name: &'a str,
    /// Distinguishes the configuration from others of the provider; `None` for the default
    /// configuration.
    pub alias: Option<&'a str>,
}

impl<'a> ProviderConfigName<'a> {
    /// The configuration of a provider with this alias, or the default one.
    #[must_use]
    pub const fn new(local_name: &'a str, alias: Option<&'a str>) -> Self {
        Self { local_name, alias }
    }

    /// The name in a traversal, `aws.east`. Steps after the alias are ignored.
    #[must_use]
    pub fn of(traversal: Traversal<'a>) -> Self {
        let alias = match traversal.steps().get(1).map(|step| step.kind) {
            Some(StepKind::Attribute(alias)) => Some(alias),
            _ => None,
        };
        Self { local_name: traversal.root_name(), alias }
    }
}

impl fmt::Display for ProviderConfigName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.local_name)?;
        self.alias.map_or(Ok(()), |alias| write!(f, ".{alias}"))
    }
}

/// A reference to a provider configuration, or to one of its instances.
#[derive(Clone, Copy, Debug)]
pub struct ProviderReference<'a> {
    traversal: Traversal<'a>,
    /// The expression `name.alias[key]`, if the key is not a literal.
    indexed: Option<&'a Native<'a>>,
}

impl<'a> ProviderReference<'a> {
    /// The configuration.
    #[must_use]
    pub fn name(self) -> ProviderConfigName<'a> {
        ProviderConfigName::of(self.traversal)
    }

    /// Whether it has a key, which selects one instance of the configuration (OpenTofu).
    #[must_use]
    pub fn has_key(self) -> bool {
        self.indexed.is_some() || self.traversal.steps().len() > 2
    }

    /// The key, if it is an expression.
    pub(crate) fn computed_key(self) -> Option<Expression<'a>> {
        let Construct::Index { key, .. } = self.indexed?.construct() else { return None };
        Some(Expression::from_native(key))
    }

    /// The place of all of it.
    pub(crate) fn label(self) -> Label<'a> {
        self.indexed.map_or_else(|| self.traversal.label(), |indexed| indexed.label())
    }

    /// The reference as written, without a key that is an expression.
    #[must_use]
    pub fn traversal(self) -> Traversal<'a> {
        self.traversal
    }
}

impl fmt::Display for ProviderReference<'_> {
    /// As it is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.traversal.fmt(f)
    }
}

/// Reads a reference to a provider configuration.
pub(super) fn provider_reference<'a>(
    value: Expression<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> Option<ProviderReference<'a>> {
    let value = value.unquoted(sink);
    let traversal = match rules.is_terraform() {
        true => value.as_traversal().filter(|traversal| traversal.steps().len() <= 2),
        false if value.is_json() && !value.is_string() => {
            value.native(sink);
            return None;
        }
        false => return opentofu(value, sink),
    };
    let Some(traversal) = traversal else {
        invalid(value, sink);
        return None;
    };
    is_right(traversal, sink).then_some(ProviderReference { traversal, indexed: None })
}

fn opentofu<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<ProviderReference<'a>> {
    // Most references are traversals, which need no parser of expressions.
    let (traversal, indexed) = match value.as_traversal() {
        Some(traversal) => (Some(traversal), None),
        None => {
            let native = value.native(sink)?;
            match native.indexed() {
                Some(traversal) => (Some(traversal), Some(native)),
                None => (quoted(value, sink), None),
            }
        }
    };
    let indexed = indexed.map(|native| &*value.source().arena().bump().alloc(native));
    let longest = if indexed.is_some() { 2 } else { 3 };
    let Some(traversal) = traversal.filter(|traversal| traversal.steps().len() <= longest) else {
        invalid(value, sink);
        return None;
    };
    if !is_right(traversal, sink) {
        return None;
    }
    let key = traversal.steps().get(2);
    if let Some(key) = key
        && !matches!(key.kind, StepKind::Index(_))
    {
        sink.report(Diagnostic::new(Code::ProviderReference, traversal.step_label(2)));
        return None;
    }
    if indexed.is_some() && traversal.steps().len() == 1 {
        sink.report(Diagnostic::new(Code::ProviderReference, traversal.label()));
        return None;
    }
    Some(ProviderReference { traversal, indexed })
}

/// Reads a traversal in a quoted string inside the string, an old form of references.
fn quoted<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<Traversal<'a>> {
    let (raw, span) = (value.as_json()?.as_string()?.raw(), value.span());
    let inner = raw.strip_prefix("\\\"")?.strip_suffix("\\\"")?;
    if inner.contains(['\\', '$', '%']) {
        return None;
    }
    // Skips the opening quote, and the escaped one.
    let text = Text::as_written(value.source(), inner, span.start + 3);
    let traversal = parse_traversal(&text)?;
    let place = Span { start: span.start + 1, end: span.end - 1 };
    let fix = Fix::replacement(place, inner.to_owned());
    let diagnostic = Diagnostic::new(Code::QuotedReference, Label::new(value.source(), place));
    sink.report(diagnostic.with_repair(Some(fix)));
    Some(traversal)
}

/// Returns whether a reference is a local name with an optional alias. Reports other forms.
fn is_right<'a>(traversal: Traversal<'a>, sink: &mut dyn Sink<'a>) -> bool {
    let steps = traversal.steps();
    if !steps.is_empty() && !is_normalized(traversal.root_name()) {
        sink.report(
            Diagnostic::new(Code::ProviderLocalName, traversal.step_label(0))
                .with_arguments(&[traversal.root_name()]),
        );
        return false;
    }
    // A traversal of a name and an index has no alias, so it cannot have instances.
    if let Some(alias) = steps.get(1)
        && !matches!(alias.kind, StepKind::Attribute(_))
    {
        sink.report(Diagnostic::new(Code::ProviderReference, traversal.step_label(1)));
        return false;
    }
    true
}

#[cold]
fn invalid<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) {
    if value.is_invalid() {
        return;
    }
    sink.report(
        Diagnostic::new(Code::ProviderReference, value.start_label())
            .with_arguments(&[value.type_name()]),
    );
}

/// Whether a local name is a normalized provider name: lower-case letters, digits and single
/// dashes, which neither start nor end it.
pub(super) fn is_normalized(name: &str) -> bool {
    let is_edge = |character: Option<char>| character.is_none_or(|c| c == '-');
    let is_part = |c: char| c == '-' || c.is_alphanumeric() && !c.is_uppercase();
    !is_edge(name.chars().next())
        && !is_edge(name.chars().next_back())
        && !name.contains("--")
        && name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::is_normalized;

    #[test]
    fn normalized_names() {
        for name in ["aws", "a-b", "a1", "1a", "π", "a"] {
            assert!(is_normalized(name), "{name}");
        }
        for name in ["", "AWS", "a_b", "a--b", "-a", "a-", "a.b", "a b", "Π", "_"] {
            assert!(!is_normalized(name), "{name}");
        }
    }
}
