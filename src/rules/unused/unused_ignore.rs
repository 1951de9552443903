//! `unused-ignore`: a comment ignores a rule that finds nothing there.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::rule::{Check, Group, Rule};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "unused-ignore",
            Severity::Warning,
            "Comment that ignores nothing",
            "The comment ignores \"{0}\", which finds nothing here.",
        )
        .with_help("Remove the name from the comment."),
    ),
    group: Group::Unused,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "Such a comment hides what the rule will find later. It is reported for rules that are \
          selected.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
# simd-hcl:allow(deprecated-index)
output "size" { value = var.size }
-- right main.tf
variable "size" {
  type = number
}
output "size" { value = var.size }
"#,
    check: Check::Always,
};
