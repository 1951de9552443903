//! `module-version`: a module of a registry is called without a version.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::module::{RegistryAddress, Version, VersionConstraint, VersionOperator};
use crate::rules::found::Found;
use crate::rules::option::{Opt, OptKind};
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "module-version",
        Severity::Warning,
        "Module without a version",
        "The call \"{0}\" of a module of a registry has {1}.",
    )),
    group: Group::Versions,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_module_version")],
    opentofu: &[],
    why: "Without a version, each `init` gets the latest release, whatever has changed in it.",
    options: &[Opt::new(
        "exact",
        OptKind::Flag(false),
        "Whether the constraint must be one version, such as \"1.2.3\".",
    )],
    examples: r#"
-- wrong main.tf
module "vpc" {
  source = "acme/vpc/aws"
}
-- right main.tf
module "vpc" {
  source  = "acme/vpc/aws"
  version = "~> 1.2"
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    for call in &view.module().calls {
        let is_registry = |text| RegistryAddress::parse(text).is_some();
        if !call.source_by_defaults().is_some_and(is_registry) {
            continue;
        }
        let Some(version) = call.version.filter(|it| !it.expression().is_null()) else {
            found.report(call.block.definition_label(), &[call.name, "no version"]);
            continue;
        };
        // A version that is not known may be exact.
        let Some(text) = version.expression().to_str().filter(|_| found.options.flag("exact"))
        else {
            continue;
        };
        let problem = match VersionConstraint::parse_all(text).as_deref() {
            Some([one]) if is_exact(one) => continue,
            Some([_]) => "a range of versions",
            Some(_) => "several constraints",
            // It is reported as invalid.
            None => continue,
        };
        found.report(version.label(), &[call.name, problem]);
    }
}

/// Whether a constraint is one version with three numbers.
fn is_exact(constraint: &VersionConstraint<'_>) -> bool {
    let Version { segments, .. } = &constraint.version;
    constraint.operator == VersionOperator::Equal && segments.len() == 3
}
