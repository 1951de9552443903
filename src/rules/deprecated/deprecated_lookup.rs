//! `deprecated-lookup`: `lookup(map, key)` instead of `map[key]`.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule, Tflint};
use crate::rules::text::operand;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "deprecated-lookup",
            Severity::Warning,
            "Call of lookup without a default",
            "Without a default, lookup does what an index does.",
        )
        .with_help("Write map[key]."),
    ),
    group: Group::Deprecated,
    is_default: true,
    is_preview: false,
    fix: Some(Safety::Safe),
    tflint: &[Tflint::recommended("terraform_deprecated_lookup")],
    opentofu: &[],
    why: "`lookup` with two arguments is deprecated since Terraform 0.7.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "sizes" {
  type = map(number)
}
output "size" { value = lookup(var.sizes, "small") }
-- right main.tf
variable "sizes" {
  type = map(number)
}
output "size" { value = var.sizes["small"] }
"#,
    check: Check::Nodes(NodeKinds::CALL, InJson::No, check),
};

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    if node.native.called_name().is_none_or(|(name, _)| name != "lookup") {
        return;
    }
    let Some(call) = node.native.call() else { return };
    if let (&[map, key], false) = (&call.arguments[..], call.expands) {
        let text = format!("{}[{}]", operand(map), key.text());
        found.report(node.label(), &[]).fix(node.native.span(), &text, Safety::Safe);
    }
}
