//! `unused-branch`: the condition of a conditional is constant.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::native::{Construct, Kind};
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule};
use crate::rules::text::operand;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "unused-branch",
        Severity::Warning,
        "Branch that is never taken",
        "The condition refers to nothing and calls nothing, so its result is always the same.",
    )),
    group: Group::Unused,
    is_default: false,
    is_preview: false,
    fix: Some(Safety::Unsafe),
    tflint: &[],
    opentofu: &[],
    why: "One of the two values is never used, or the condition might as well not be there. Often it is \
          left from a test. Conditions of `?:`, `%{if}` and `for`, and operands of `&&` and `||` are looked at.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
output "size" { value = false ? var.size : 1 }
-- right main.tf
variable "size" {
  type = number
}
output "size" { value = var.size }
"#,
    check: Check::Nodes(NodeKinds::CONDITIONAL.and(NodeKinds::DECISION), InJson::No, check),
};

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    let conditions = match node.native.construct() {
        Construct::Conditional { condition, .. } => [Some(condition), None],
        Construct::Binary(_, left, right) => [Some(left), Some(right)],
        Construct::For(each) => [each.condition, None],
        _ => return,
    };
    let constant = conditions.into_iter().flatten().find(|it| it.program().is_constant());
    let Some(condition) = constant else { return };
    let reported = found.report(condition.label(), &[]);
    let operands = node.native.operands();
    let (&[_, when_true, when_false], Kind::Conditional) = (&operands[..], node.native.kind())
    else {
        return;
    };
    let taken = match condition.text() {
        "true" => when_true,
        "false" => when_false,
        _ => return,
    };
    reported.fix(node.native.span(), &operand(taken), Safety::Unsafe);
}
