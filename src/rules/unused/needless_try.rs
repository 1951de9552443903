//! `needless-try`: the first argument of `try` never fails.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::native::{Construct, Native, StepKind};
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule};
use crate::rules::text::operand;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "needless-try",
            Severity::Warning,
            "Call of try that has nothing to try",
            "The argument never fails, so those after it are never used, not even for a null.",
        )
        .with_help("Use `coalesce`, or a comparison with null, to replace a null."),
    ),
    group: Group::Unused,
    is_default: false,
    is_preview: false,
    fix: Some(Safety::Unsafe),
    tflint: &[],
    opentofu: &[],
    why: "`try` returns its first argument that has no error. A variable, a local value or a literal has \
          none: only attributes, indexes and calls fail.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type    = number
  default = null
}
output "size" { value = try(var.size, 1) }
-- right main.tf
variable "size" {
  type    = number
  default = null
}
output "size" { value = var.size == null ? 1 : var.size }
"#,
    check: Check::Nodes(NodeKinds::CALL, InJson::No, check),
};

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    let name = node.native.called_name().map(|(name, _)| name);
    if !matches!(name, Some("try" | "core::try")) {
        return;
    }
    let Some(call) = node.native.call().filter(|call| !call.expands) else { return };
    let Some(&first) = call.arguments.first().filter(|it| never_fails(**it)) else { return };
    let text = operand(first);
    found.report(first.label(), &[]).fix(node.native.span(), &text, Safety::Unsafe);
}

/// Whether an expression is a literal, or a variable or local value as a whole.
fn never_fails(expression: Native<'_>) -> bool {
    match expression.construct() {
        Construct::Null | Construct::Bool(_) | Construct::Number(_) => true,
        Construct::Template(_) => expression.literal_parts().is_some(),
        Construct::Traversal(it) => match it.steps() {
            [_, name] => {
                matches!(it.root_name(), "var" | "local")
                    && matches!(name.kind, StepKind::Attribute(_))
            }
            _ => false,
        },
        _ => false,
    }
}
