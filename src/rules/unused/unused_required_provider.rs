//! `unused-required-provider`: nothing uses an entry of `required_providers`.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::facts::Input;
use crate::hash::HashSet;
use crate::rules::found::Found;
use crate::rules::providers::references;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::{Called, View};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "unused-required-provider",
            Severity::Warning,
            "Unused required provider",
            "Nothing in the module uses the provider \"{0}\".",
        )
        .with_names(),
    ),
    group: Group::Unused,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::other("terraform_unused_required_providers")],
    opentofu: &[],
    why: "The tools install each required provider, and callers of the module get its version \
          constraint. A provider that only called modules use is used. Nothing is reported if a \
          called module cannot be read.",
    options: &[],
    examples: r#"
-- wrong main.tf
terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}
-- right main.tf
terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}
resource "aws_vpc" "main" {}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    if view.is_broken() || module.required_providers().next().is_none() {
        return;
    }
    let mut inherited: HashSet<&str> = HashSet::default();
    for called in view.called() {
        let interface = match called {
            Called::Known(interface) => interface,
            Called::Missing => continue,
            Called::Unknown => return,
        };
        let Some(needs) = interface.needs() else { return };
        inherited.extend(needs.all.iter().filter_map(|input| match input {
            Input::Provider(name) => Some(name.name().local_name),
            Input::Variable(_) => None,
        }));
    }
    let used = references(view);
    for provider in module.required_providers() {
        if !used.contains_key(provider.name) && !inherited.contains(provider.name) {
            found.report(provider.attribute.label(), &[provider.name]);
        }
    }
}
