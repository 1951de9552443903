//! `repeated-key`: an object has a key twice.

use crate::diagnostic::Code;
use crate::rules::rule::{Check, Group, Rule, Tflint};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::RepeatedKey,
    group: Group::Correctness,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_map_duplicate_keys")],
    opentofu: &[],
    why: "The last value counts, and the others are dropped without a word.",
    options: &[],
    examples: r#"
-- wrong main.tf
output "sizes" {
  value = {
    small = 1
    large = 8
    small = 2
  }
}
-- right main.tf
output "sizes" {
  value = {
    small = 2
    large = 8
  }
}
"#,
    check: Check::Always,
};
