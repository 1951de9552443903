//! `workspace-of-remote`: `terraform.workspace` together with the backend `remote`.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::module::VersionConstraint;
use crate::native::StepKind;
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "workspace-of-remote",
        Severity::Warning,
        "Name of the workspace with the backend remote",
        "In runs of Terraform 1.0 on the remote side, the name of the workspace is always \"default\".",
    )
    .with_help("Pass the name as a variable, or require Terraform 1.1 or later.")),
    group: Group::Deprecated,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_workspace_remote")],
    opentofu: &[],
    why: "The name is another one in runs on the local side, so the same configuration means two \
          things. It is reported where `required_version` admits a release of Terraform 1.0.",
    options: &[],
    examples: r#"
-- wrong main.tf
terraform {
  required_version = ">= 1.0"
  backend "remote" {}
}
output "workspace" { value = terraform.workspace }
-- right main.tf
terraform {
  required_version = ">= 1.1"
  backend "remote" {}
}
output "workspace" { value = terraform.workspace }
"#,
    check: Check::Module(check),
};

/// The last release of Terraform 1.0; all have the same first numbers.
const LAST: i64 = 11;

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    let is_remote =
        module.backend().is_some_and(|it| it.is("backend") && it.label(0) == Some("remote"));
    if !is_remote {
        return;
    }
    let written = module.settings.iter().filter_map(|settings| settings.required_version);
    let constraints: Vec<VersionConstraint<'a>> = written
        .filter_map(|version| VersionConstraint::parse_all(version.expression().to_str()?))
        .flatten()
        .collect();
    let admits = |patch| constraints.iter().all(|constraint| constraint.admits([1, 0, patch]));
    if constraints.is_empty() || !(0..=LAST).any(admits) {
        return;
    }
    module.visit_expressions(|site| {
        site.visit_references(|traversal| {
            let second = traversal.steps().get(1).map(|step| step.kind);
            if matches!(traversal.root_name(), "terraform" | "tofu")
                && second == Some(StepKind::Attribute("workspace"))
            {
                found.report(traversal.label(), &[]);
            }
        });
    });
}
