//! `standard-files`: a module does not have the files that people look for.

use crate::diagnostic::{Code, CustomCode, Label, Severity};
use crate::rules::found::Found;
use crate::rules::option::{Opt, OptKind};
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "standard-files",
        Severity::Warning,
        "Unusual layout of a module",
        "{0}",
    )),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::other("terraform_standard_module_structure")],
    opentofu: &[],
    why: "The standard structure of a module has its variables in `variables.tf`, its outputs in \
          `outputs.tf`, and starts in `main.tf`. Files in JSON are usually generated, and may be \
          named as one likes.",
    options: &[Opt::new(
        "empty-files",
        OptKind::Flag(true),
        "Whether a module without variables or outputs needs an empty file for them.",
    )],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
output "size" { value = var.size }
-- right main.tf
-- right variables.tf
variable "size" {
  type = number
}
-- right outputs.tf
output "size" { value = var.size }
"#,
    check: Check::Module(check),
};

/// Whether a file has that name, with the suffix of either tool.
fn is(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem).is_some_and(|suffix| suffix == ".tf" || suffix == ".tofu")
}

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    let names: Vec<(&str, bool)> = view.files().map(|it| View::file_name(it.source())).collect();
    let is_generated = names.iter().all(|(_, is_json)| *is_json);
    let lacks = |stem| !is_generated && !names.iter().any(|(name, _)| is(name, stem));
    if lacks("main") {
        let text = "A module starts in a file \"main.tf\".";
        found.report(view.start_of("main.tf"), &[text]);
    }
    let all = [
        ("variable", "variables", module.variables.iter().map(|it| (it.block, it.name)).collect()),
        ("output", "outputs", module.outputs.iter().map(|it| (it.block, it.name)).collect()),
    ];
    for (kind, stem, declared) in all {
        let declared: Vec<(crate::body::Block<'a>, &str)> = declared;
        if declared.is_empty() && lacks(stem) && found.options.flag("empty-files") {
            let format = format_args!("A module without {stem} has an empty file \"{stem}.tf\".");
            let text = found.arena.format(format);
            found.report(view.start_of(&format!("{stem}.tf")), &[text]);
        }
        for (block, name) in declared {
            let (file, is_json) = View::file_name(block.source());
            if !is_json && !is(file, stem) {
                let label: Label<'a> = block.definition_label();
                let text = found
                    .arena
                    .format(format_args!("The {kind} \"{name}\" belongs in \"{stem}.tf\"."));
                found.report(label, &[text]);
            }
        }
    }
}
