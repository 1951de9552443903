//! `typed-variable`: a variable has no type.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, CoreRule, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "typed-variable",
            Severity::Warning,
            "Variable without a type",
            "The variable \"{0}\" has no type, so it accepts any value.",
        )
        .with_names()
        .with_help("Set \"type\"; `any` says that all types are meant."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_typed_variables")],
    opentofu: &[CoreRule::new("core:no-type-variable", &["core:confusing"])],
    why: "With a type, a wrong value is an error of the caller. Without one, it is an error \
          somewhere inside of the module, or none at all.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  default = 1
}
output "size" { value = var.size }
-- right main.tf
variable "size" {
  type    = number
  default = 1
}
output "size" { value = var.size }
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    for variable in &view.module().variables {
        if variable.written_type.is_none() {
            found.report(variable.block.definition_label(), &[variable.name]);
        }
    }
}
