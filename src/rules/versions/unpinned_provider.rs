//! `unpinned-provider`: a provider has no source or no version.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::hash::HashMap;
use crate::module::{ProviderSource, RequiredProvider};
use crate::rules::found::Found;
use crate::rules::option::{Opt, OptKind};
use crate::rules::providers::references;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "unpinned-provider",
            Severity::Warning,
            "Provider without a source or a version",
            "The provider \"{0}\" {1}.",
        )
        .with_names(),
    ),
    group: Group::Versions,
    is_default: false,
    is_preview: false,
    fix: Some(Safety::Safe),
    tflint: &[Tflint::recommended("terraform_required_providers")],
    opentofu: &[],
    why: "Without a version constraint, the tools install the latest release, whatever has changed in \
          it. Without a source, the provider is looked up under `hashicorp/`.",
    options: &[
        Opt::new("source", OptKind::Flag(true), "Whether each provider needs a source."),
        Opt::new("version", OptKind::Flag(true), "Whether each provider needs a version."),
    ],
    examples: r#"
-- wrong main.tf
resource "random_id" "name" {
  byte_length = 4
}
-- right main.tf
terraform {
  required_providers {
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
  }
}
resource "random_id" "name" {
  byte_length = 4
}
"#,
    check: Check::Module(check),
};

/// The provider of the tools themselves.
const BUILT_IN: &str = "terraform";

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    for provider in module.providers.iter().filter(|provider| provider.version.is_some()) {
        let problem = "has a version in its configuration, not in \"required_providers\"";
        found.report(provider.block.definition_label(), &[provider.name, problem]);
    }
    if view.withholds() {
        return;
    }
    let required: HashMap<&str, &RequiredProvider<'a>> =
        module.required_providers().map(|provider| (provider.name, provider)).collect();
    for (name, label) in references(view).into_iter().filter(|(name, _)| *name != BUILT_IN) {
        match required.get(name) {
            Some(provider) => check_entry(provider, found),
            None => {
                let problem = "is not in \"required_providers\"";
                found.report(label, &[name, problem]);
            }
        }
    }
}

/// Checks an entry of `required_providers`.
fn check_entry<'a>(provider: &RequiredProvider<'a>, found: &mut Found<'_, 'a>) {
    let (name, value) = (provider.name, provider.attribute.expression());
    if value.is_string() {
        let problem = "has only a version, which is an old form";
        let reported = found.report(value.label(), &[name, problem]);
        let text = str::from_utf8(value.text()).unwrap_or_default();
        if !value.is_json() {
            let source = value.source();
            let line = source.line_span(value.span().start).slice(source.bytes());
            let indent: String = line
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .map(|&byte| char::from(byte))
                .collect();
            let new = format!(
                "{{\n{indent}  source  = \"hashicorp/{name}\"\n{indent}  version = {text}\n{indent}}}"
            );
            reported.fix(value.span(), &new, Safety::Safe);
        }
        return;
    }
    let source = provider.source.map(ProviderSource::parse);
    match source {
        // An invalid source is reported.
        Some(Err(_)) => return,
        Some(Ok(source)) if source.is_built_in() => return,
        Some(Ok(_)) => {}
        None if found.options.flag("source") => {
            found.report(value.label(), &[name, "has no source"]);
        }
        None => {}
    }
    if provider.version.is_none() && found.options.flag("version") {
        found.report(value.label(), &[name, "has no version constraint"]);
    }
}
