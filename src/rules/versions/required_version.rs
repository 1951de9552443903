//! `required-version`: a module does not say which versions of the tool it is for.

use crate::diagnostic::{Code, CustomCode, Label, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;
use crate::span::Span;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "required-version",
            Severity::Warning,
            "No required version",
            "The module does not say which versions of the tool it is for.",
        )
        .with_help("Set \"required_version\" in a block \"terraform\"."),
    ),
    group: Group::Versions,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_required_version")],
    opentofu: &[],
    why: "Another version of the tool fails at a construct that it does not know, or does something \
          else. With a constraint, it says so at once.",
    options: &[],
    examples: r#"
-- wrong main.tf
output "size" { value = 1 }
-- right main.tf
terraform {
  required_version = ">= 1.6"
}
output "size" { value = 1 }
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    let mut settings = module.settings.iter().chain(&module.override_settings);
    let is_declared = settings.any(|settings| settings.required_version.is_some())
        || module.languages.iter().any(|language| language.opentofu.is_some());
    if is_declared || view.withholds() {
        return;
    }
    let mut files = view.files().map(|file| file.source());
    let label = match (module.settings.first(), files.next(), files.next()) {
        (Some(settings), ..) => settings.block.definition_label(),
        (None, Some(only), None) => Label::new(only, Span::at(0)),
        _ => {
            let has = |name: &str| view.files().any(|it| View::file_name(it.source()).0 == name);
            let names = ["terraform.tf", "terraform.tofu", "main.tf", "main.tofu"];
            view.start_of(names.into_iter().find(|name| has(name)).unwrap_or("terraform.tf"))
        }
    };
    found.report(label, &[]);
}
