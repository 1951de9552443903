//! `deprecated-interpolation`: `"${a}"` instead of `a`.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::native::Kind;
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule, Tflint};
use crate::rules::text::{alone, operand};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "deprecated-interpolation",
        Severity::Warning,
        "Template that is one interpolation",
        "The quotes and the interpolation add nothing: the value is that of the expression inside.",
    )
    .with_help("Write the expression alone.")),
    group: Group::Deprecated,
    is_default: true,
    is_preview: false,
    fix: Some(Safety::Safe),
    tflint: &[Tflint::recommended("terraform_deprecated_interpolation")],
    opentofu: &[],
    why: "Before Terraform 0.12, all expressions were written in templates. `\"${a}\"` looks like a \
          string, but has the type of `a`. In JSON there is no other form, so nothing is reported \
          there.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
output "size" { value = "${var.size}" }
-- right main.tf
variable "size" {
  type = number
}
output "size" { value = var.size }
"#,
    check: Check::Nodes(NodeKinds::WRAP, InJson::No, check),
};

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    let operands = node.native.operands();
    let Some(&inner) = operands.first().filter(|_| node.native.text().starts_with('"')) else {
        return;
    };
    let text = match node.parent().map(|parent| parent.kind()) {
        // A name would be the key itself.
        _ if node.is_key() => format!("({})", inner.text()),
        Some(
            Kind::Binary(_)
            | Kind::Negate
            | Kind::Not
            | Kind::Conditional
            | Kind::Index
            | Kind::Relative
            | Kind::AttributeSplat
            | Kind::FullSplat,
        ) => operand(inner),
        _ => alone(inner),
    };
    found.report(node.label(), &[]).fix(node.native.span(), &text, Safety::Safe);
}
