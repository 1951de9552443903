//! `conditional-instance`: `count` or `for_each` only switches one instance on or off.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::dialect::Dialect;
use crate::expression::Expression;
use crate::native::{Construct, Native};
use crate::rules::found::Found;
use crate::rules::rule::{Check, CoreRule, Group, Rule};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "conditional-instance",
            Severity::Warning,
            "Instance that is switched on or off",
            "With this \"{0}\", there is one instance or none.",
        )
        .with_help("Set \"enabled\" in a block \"lifecycle\" (OpenTofu 1.11)."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[CoreRule::new("core:count-instead-enabled", &["core:improvement"])],
    why: "With `enabled`, the address of the object has no index, and references need no `[0]` or \
          `one(…)`. Terraform has no such argument, so nothing is reported with `--dialect terraform`.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "has_logs" {
  type = bool
}
resource "terraform_data" "logs" {
  count = var.has_logs ? 1 : 0
}
-- right main.tf
variable "has_logs" {
  type = bool
}
resource "terraform_data" "logs" {
  lifecycle {
    enabled = var.has_logs
  }
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    if module.dialect == Dialect::Terraform {
        return;
    }
    let of_resources = module.resources.iter().map(|it| (it.count(), it.for_each()));
    let of_calls = module.calls.iter().map(|it| (it.count, it.for_each));
    for (count, for_each) in of_resources.chain(of_calls) {
        for (name, value, is_switch) in [
            ("count", count, is_zero_or_one as fn(Native<'a>) -> bool),
            ("for_each", for_each, is_none_or_one),
        ] {
            if let Some(value) = value.filter(|value| native(*value).is_some_and(is_switch)) {
                found.report(value.label(), &[name]);
            }
        }
    }
}

/// A value in native syntax, also that of a template in JSON.
fn native(value: Expression<'_>) -> Option<Native<'_>> {
    value.as_native().or_else(|| Native::of(value.template()?.ok()?))
}

/// The values that conditionals choose from, also those inside of `toset` and `tomap`, without recursion.
fn choices(value: Native<'_>) -> Vec<Native<'_>> {
    let (mut open, mut all) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match value.construct() {
            Construct::Conditional { when_true, when_false, .. } => {
                open.extend([when_true, when_false]);
            }
            Construct::Call(call) if matches!(call.name, "toset" | "tomap") && !call.expands => {
                open.extend(call.arguments);
            }
            _ => all.push(value),
        }
    }
    all
}

/// Whether a count is always 0 or 1.
fn is_zero_or_one(value: Native<'_>) -> bool {
    choices(value).into_iter().all(|value| matches!(value.digits(), Some("0" | "1")))
}

/// Whether a collection is empty or has one element, by a condition.
fn is_none_or_one(value: Native<'_>) -> bool {
    let sizes: Vec<Option<usize>> = choices(value).into_iter().map(size).collect();
    sizes.len() > 1
        && sizes.contains(&Some(0))
        && sizes.iter().all(|size| matches!(size, Some(0 | 1)))
}

/// The number of elements of a collection that is written out.
fn size(value: Native<'_>) -> Option<usize> {
    match value.construct() {
        Construct::Tuple(elements) => Some(elements.len()),
        Construct::Object(items) => Some(items.len()),
        _ => None,
    }
}
