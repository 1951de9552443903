//! `sensitive-argument`: a sensitive value is passed to a variable that is not sensitive.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::native::StepKind;
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::{Called, View};
use crate::value::Marks;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "sensitive-argument",
        Severity::Warning,
        "Sensitive value for a variable that is not sensitive",
        "The variable \"{0}\" of the called module is not declared sensitive, and gets the sensitive var.{1}.",
    )
    .with_help("Declare the variable of the called module sensitive.")),
    group: Group::Security,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "The value stays hidden, but the module does not say that it expects a secret: its other \
          callers, its documentation and its own outputs treat it like any other value.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "password" {
  type      = string
  sensitive = true
}
module "db" {
  source   = "./db"
  password = var.password
}
-- wrong db/main.tf
variable "password" {
  type = string
}
resource "terraform_data" "db" {
  input = var.password
}
-- right main.tf
variable "password" {
  type      = string
  sensitive = true
}
module "db" {
  source   = "./db"
  password = var.password
}
-- right db/main.tf
variable "password" {
  type      = string
  sensitive = true
}
resource "terraform_data" "db" {
  input = var.password
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let variables = &view.module().variables;
    if variables.iter().all(|variable| variable.sensitive != Some(true)) {
        return;
    }
    for (call, called) in view.module().calls.iter().zip(view.called()) {
        let Called::Known(interface) = called else { continue };
        for argument in call.arguments {
            let Some(inner) = interface.variable(argument.name()) else { continue };
            if inner.marks().contains(Marks::SENSITIVE) {
                continue;
            }
            // Passed on as it is: what a function makes of it may be no secret.
            let value = argument.expression();
            let mut all = value.variables();
            let (Some(only), None) = (all.next(), all.next()) else { continue };
            let name = match only.steps().get(1).map(|step| step.kind) {
                Some(StepKind::Attribute(name)) if only.root_name() == "var" => name,
                _ => continue,
            };
            let is_alone = only.span() == value.span() || value.is_json() && value.is_string();
            let outer = variables.get(name).filter(|it| it.sensitive == Some(true));
            if is_alone && outer.is_some() {
                found.report(value.label(), &[argument.name(), name]);
            }
        }
    }
}
