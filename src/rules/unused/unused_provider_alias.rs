//! `unused-provider-alias`: nothing refers to a provider configuration with an alias.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::hash::HashSet;
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "unused-provider-alias",
            Severity::Warning,
            "Unused provider configuration",
            "Nothing in the module uses the provider configuration {0}.",
        )
        .with_names(),
    ),
    group: Group::Unused,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_unused_declarations")],
    opentofu: &[],
    why: "A configuration with an alias is only used where something names it. A plan configures \
          the provider all the same.",
    options: &[],
    examples: r#"
-- wrong main.tf
provider "aws" {
  alias = "west"
}
-- right main.tf
provider "aws" {
  alias = "west"
}
resource "aws_vpc" "main" {
  provider = aws.west
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    if view.is_broken() || module.providers.iter().all(|provider| provider.alias.is_none()) {
        return;
    }
    let used: HashSet<_> = module.provider_references().map(|it| it.name()).collect();
    for provider in module.providers.iter().filter(|provider| provider.alias.is_some()) {
        if !used.contains(&provider.config_name()) {
            let name = found.arena.format(format_args!("{}", provider.config_name()));
            found.report(provider.block.definition_label(), &[name]);
        }
    }
}
