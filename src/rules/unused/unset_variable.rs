//! `unset-variable`: all callers leave a variable at its default.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::hash::HashMap;
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::{TreeCall, TreeView};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "unset-variable",
        Severity::Warning,
        "Variable that always has its default",
        "{1} the variable \"{0}\".",
    )),
    group: Group::Unused,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "In a repository that has all callers of its modules, such a variable is a constant. Modules \
          that other repositories call, and modules with tests, may need it all the same.",
    options: &[],
    examples: r#"
-- wrong main.tf
module "net" {
  source = "./net"
}
-- wrong net/main.tf
variable "zone" {
  type    = string
  default = "a"
}
output "zone" { value = var.zone }
-- right main.tf
module "net" {
  source = "./net"
  zone   = "b"
}
-- right net/main.tf
variable "zone" {
  type    = string
  default = "a"
}
output "zone" { value = var.zone }
"#,
    check: Check::Tree(check),
};

fn check<'a>(view: &TreeView<'_, 'a>, found: &mut Found<'_, 'a>) {
    let mut calls: HashMap<usize, Vec<TreeCall<'_, 'a>>> = HashMap::default();
    for call in view.calls() {
        if let Some(called) = call.called {
            calls.entry(called).or_default().push(call);
        }
    }
    let is_run = view.is_run();
    let checked = view.modules().filter(|it| it.is_checked() && !it.has_tests());
    for module in checked.filter(|module| !is_run[module.place]) {
        let Some(calls) = calls.get(&module.place) else { continue };
        if calls.iter().any(|call| !call.caller.is_whole() || call.call.escape.is_some()) {
            continue;
        }
        // How many calls set each variable, and how many of these to its default.
        let mut set: HashMap<&'a str, (usize, usize)> = HashMap::default();
        let variables = &module.declared().variables;
        for argument in calls.iter().flat_map(|call| call.call.arguments) {
            let default = variables.get(argument.name()).and_then(|it| it.default);
            let value = argument.expression();
            let is_default = default.is_some_and(|default| default.text() == value.text())
                && value.variables().next().is_none();
            let counts = set.entry(argument.name()).or_default();
            counts.0 += 1;
            counts.1 += usize::from(is_default);
        }
        for variable in variables.iter().filter(|it| it.default.is_some()) {
            let how = match set.get(variable.name) {
                None => "No caller sets",
                Some(&(all, default)) if all == default && all == calls.len() => {
                    "Each caller sets the default of"
                }
                Some(_) => continue,
            };
            found.report(variable.block.definition_label(), &[variable.name, how]);
        }
    }
}
