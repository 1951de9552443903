//! `documented-output`: an output has no description.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "documented-output",
            Severity::Warning,
            "Output without a description",
            "The output \"{0}\" has no description.",
        )
        .with_names()
        .with_help("Say in \"description\" what it is for."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::other("terraform_documented_outputs")],
    opentofu: &[],
    why: "Descriptions are what people see of a module in registries and prompts.",
    options: &[],
    examples: r#"
-- wrong main.tf
output "size" {
  value = 1
}
-- right main.tf
output "size" {
  description = "The number of servers."
  value       = 1
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    for output in &view.module().outputs {
        if output.description.is_none_or(str::is_empty) {
            found.report(output.block.definition_label(), &[output.name]);
        }
    }
}
