//! `deprecated-construct`: the newest release that may be run warns of a construct.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::ended::{State, check};
use crate::rules::option::{Opt, OptKind};
use crate::rules::rule::{Check, Group, Rule};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "deprecated-construct",
        Severity::Warning,
        "Deprecated construct",
        "The {0} is deprecated since {1}: {2}.",
    )),
    group: Group::Deprecated,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "A later release may no longer have it. The newest release that `required_version` admits \
          counts; where the tool may be either, the one that still has the construct.",
    options: &[Opt::new(
        "release",
        OptKind::Release,
        "Report what this release warns of, whatever the module requires.",
    )],
    examples: r#"
-- wrong main.tf
terraform {
  required_version = ">= 1.6"
  backend "s3" {
    bucket           = "states"
    key              = "app"
    force_path_style = true
  }
}
-- right main.tf
terraform {
  required_version = ">= 1.6"
  backend "s3" {
    bucket         = "states"
    key            = "app"
    use_path_style = true
  }
}
"#,
    check: Check::Module(|view, found| check(view, State::Warns, found)),
};
