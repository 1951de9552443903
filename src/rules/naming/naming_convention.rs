//! `naming-convention`: a name does not follow the convention.

use crate::diagnostic::{Code, CustomCode, Label, Severity};
use crate::functions::matches_pattern;
use crate::reference::Mode;
use crate::rules::found::Found;
use crate::rules::option::{Opt, OptKind};
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

/// The conventions with a name.
const NAMES: &[&str] = &["snake_case", "mixed_snake_case", "none"];

const fn of_kind(name: &'static str, about: &'static str) -> Opt {
    Opt::new(name, OptKind::Pattern { names: NAMES, default: None }, about)
}

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "naming-convention",
            Severity::Warning,
            "Name that does not follow the convention",
            "The name of the {0} \"{1}\" is not in the form {2}.",
        )
        .with_names(),
    ),
    group: Group::Naming,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::other("terraform_naming_convention")],
    opentofu: &[],
    why: "Names in one form are easy to guess and to search for. `snake_case` has lower case \
          letters and digits with single underscores between them, `mixed_snake_case` also capital \
          letters, `none` allows all names.",
    options: &[
        Opt::new(
            "format",
            OptKind::Pattern { names: NAMES, default: Some("snake_case") },
            "The form of names: `snake_case`, `mixed_snake_case`, `none`, or a regular expression.",
        ),
        of_kind("check", "The form of names of checks."),
        of_kind("data", "The form of names of data sources."),
        of_kind("locals", "The form of names of local values."),
        of_kind("module", "The form of names of module calls."),
        of_kind("output", "The form of names of outputs."),
        of_kind("resource", "The form of names of resources."),
        of_kind("variable", "The form of names of variables."),
    ],
    examples: r#"
-- wrong main.tf
output "serverCount" {
  value = 1
}
-- right main.tf
output "server_count" {
  value = 1
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    let mut of = |option: &str, kind: &'static str, name: &'a str, label: Label<'a>| {
        let format = found.options.text(option).or_else(|| found.options.text("format"));
        let format = format.unwrap_or_default();
        if !has_form(name, format) {
            let format = found.arena.str(format);
            found.report(label, &[kind, name, format]);
        }
    };
    for it in &module.variables {
        of("variable", "variable", it.name, it.block.definition_label());
    }
    for it in &module.locals {
        of("locals", "local value", it.name, it.attribute.label());
    }
    for it in &module.outputs {
        of("output", "output", it.name, it.block.definition_label());
    }
    for it in module.resources.iter().chain(module.checks.iter().filter_map(|it| it.data)) {
        let (option, kind) = match it.mode {
            Mode::Managed => ("resource", "resource"),
            Mode::Data => ("data", "data source"),
            Mode::Ephemeral | Mode::List => continue,
        };
        of(option, kind, it.address().name, it.block.definition_label());
    }
    for it in &module.calls {
        of("module", "module call", it.name, it.block.definition_label());
    }
    for it in &module.checks {
        of("check", "check", it.name, it.block.definition_label());
    }
}

/// Whether a name has a form.
fn has_form(name: &str, format: &str) -> bool {
    let parts = |is_part: fn(u8) -> bool, is_start: fn(&u8) -> bool| {
        name.as_bytes().first().is_some_and(is_start)
            && name.split('_').all(|part| !part.is_empty() && part.bytes().all(is_part))
    };
    match format {
        "none" => true,
        "snake_case" => {
            parts(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit(), u8::is_ascii_lowercase)
        }
        "mixed_snake_case" => parts(|byte| byte.is_ascii_alphanumeric(), u8::is_ascii_alphabetic),
        // Settings with an invalid pattern are refused.
        pattern => matches_pattern(pattern, name).unwrap_or(true),
    }
}
