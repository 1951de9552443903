//! `unused-declaration`: nothing refers to a variable, a local value or a data source.

use crate::diagnostic::Code;
use crate::rules::rule::{Check, CoreRule, Group, Rule, Tflint};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::UnusedDeclaration,
    group: Group::Unused,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_unused_declarations")],
    opentofu: &[
        CoreRule::new("core:unused-variable", &["core:improvement"]),
        CoreRule::new("core:unused-local", &["core:improvement"]),
    ],
    why: "What nothing uses misleads readers, and a data source that nothing uses is read all the \
          same.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
-- right main.tf
variable "size" {
  type = number
}
output "size" { value = var.size }
"#,
    check: Check::Always,
};
