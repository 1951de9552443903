//! `removed-construct`: the newest release that may be run no longer has a construct.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::ended::{State, check};
use crate::rules::option::{Opt, OptKind};
use crate::rules::rule::{Check, Group, Rule};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "removed-construct",
        Severity::Warning,
        "Removed construct",
        "The {0} is not in {1}: {2}.",
    )),
    group: Group::Versions,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "The tool fails when it reads the configuration, so it is reported as an error. The newest release that `required_version` \
          admits counts; where the tool may be either, the one that still has the construct.",
    options: &[Opt::new(
        "release",
        OptKind::Release,
        "Report what this release does not have, whatever the module requires.",
    )],
    examples: r#"
-- wrong main.tofu
terraform {
  required_version = ">= 1.13"
}
resource "terraform_data" "app" {
  connection {
    type = "winrm"
    host = "localhost"
  }
}
-- right main.tofu
terraform {
  required_version = ">= 1.13"
}
resource "terraform_data" "app" {
  connection {
    type = "ssh"
    host = "localhost"
  }
}
"#,
    check: Check::Module(|view, found| check(view, State::Lacks, found)),
};
