//! References to provider configurations: `aws`, `aws.east`, and in OpenTofu `aws.east["key"]`.
//!
//! Terraform reads a traversal of one or two names. OpenTofu reads a native expression, which may end in an index:
//! the instance of a configuration that has `for_each`.

use super::rules::Rules;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::native::{StepKind, Traversal};

/// The configuration that a value names. An index that is an expression is not part of the traversal.
pub(super) fn provider_reference<'a>(
    value: Expression<'a>,
    rules: Rules,
    sink: &mut impl Sink<'a>,
) -> Option<Traversal<'a>> {
    let traversal = match rules.is_terraform() {
        true => value.as_traversal().filter(|traversal| traversal.steps().len() <= 2),
        false if !value.node().is_string() => {
            value.native(sink);
            return None;
        }
        false => native(value, sink)?,
    };
    let Some(traversal) = traversal else {
        invalid(value, sink);
        return None;
    };
    let mut steps = traversal.steps().iter();
    if let Some(root) = steps.next()
        && !is_normalized(traversal.root_name())
    {
        let there = Diagnostic::new(Code::ProviderLocalName, traversal.source(), root.span);
        sink.report(there.with_arguments(&[traversal.root_name()]));
        return None;
    }
    // A traversal of one index only has no alias to be an instance of.
    if let Some(alias) = steps.next()
        && !matches!(alias.kind, StepKind::Attribute(_))
    {
        let there = Diagnostic::new(Code::ProviderReference, traversal.source(), alias.span);
        sink.report(there);
        return None;
    }
    Some(traversal)
}

/// OpenTofu: the outer option is none if the text is no expression, which has been reported; the inner one if
/// the expression is no reference.
fn native<'a>(value: Expression<'a>, sink: &mut impl Sink<'a>) -> Option<Option<Traversal<'a>>> {
    // Most references are traversals, which are read without the parser of expressions.
    let traversal = match value.as_traversal() {
        Some(traversal) => traversal,
        None => {
            let expression = value.native(sink)?;
            match expression.indexed() {
                Some(traversal) if traversal.steps().len() == 2 => return Some(Some(traversal)),
                _ => return Some(None),
            }
        }
    };
    let key = traversal.steps().get(2).map(|step| step.kind);
    let fits = traversal.steps().len() <= 3 && matches!(key, None | Some(StepKind::Index(_)));
    Some(fits.then_some(traversal))
}

#[cold]
fn invalid<'a>(value: Expression<'a>, sink: &mut impl Sink<'a>) {
    sink.report(
        Diagnostic::new(Code::ProviderReference, value.source(), value.start_span())
            .with_arguments(&[value.node().type_name()]),
    );
}

/// Whether a local name is written as provider names are: in lower case, letters, digits and single dashes,
/// which neither start nor end it.
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
