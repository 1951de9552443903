//! `documented-variable`: a variable has no description.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "documented-variable",
            Severity::Warning,
            "Variable without a description",
            "The variable \"{0}\" has no description.",
        )
        .with_names()
        .with_help("Say in \"description\" what it is for."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::other("terraform_documented_variables")],
    opentofu: &[],
    why: "Descriptions are what people see of a module in registries and prompts.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
output "size" { value = var.size }
-- right main.tf
variable "size" {
  type        = number
  description = "The number of servers."
}
output "size" { value = var.size }
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    for variable in &view.module().variables {
        if variable.description.is_none_or(str::is_empty) {
            found.report(variable.block.definition_label(), &[variable.name]);
        }
    }
}
