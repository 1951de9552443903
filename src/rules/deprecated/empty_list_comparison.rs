//! `empty-list-comparison`: a comparison with `[]`.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::native::{Construct, Kind};
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule, Tflint};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "empty-list-comparison",
        Severity::Warning,
        "Comparison with []",
        "A list is never equal to [], which is a tuple: values of different types are different.",
    )
    .with_help("Compare the length with 0.")),
    group: Group::Deprecated,
    is_default: true,
    is_preview: false,
    fix: Some(Safety::Unsafe),
    tflint: &[Tflint::recommended("terraform_empty_list_equality")],
    opentofu: &[],
    why: "Up to Terraform 0.11, the comparison was true for an empty list. Since then, it is false \
          for each list and set, so the edit changes the result to what was meant.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "zones" {
  type = list(string)
}
output "has_zones" { value = var.zones != [] }
-- right main.tf
variable "zones" {
  type = list(string)
}
output "has_zones" { value = length(var.zones) != 0 }
"#,
    check: Check::Nodes(NodeKinds::EQUALITY, InJson::No, check),
};

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    let Construct::Binary(operator, left, right) = node.native.construct() else { return };
    let is_empty =
        |native: crate::native::Native<'a>| native.is(Kind::Tuple) && native.payload() == 0;
    let other = if is_empty(left) {
        right
    } else if is_empty(right) {
        left
    } else {
        return;
    };
    let text = format!("length({}) {} 0", other.text(), operator.symbol());
    found.report(node.label(), &[]).fix(node.native.span(), &text, Safety::Unsafe);
}
