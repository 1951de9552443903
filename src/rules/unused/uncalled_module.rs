//! `uncalled-module`: nothing calls a module, and it is not a root module.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::{InTree, TreeView};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "uncalled-module",
        Severity::Warning,
        "Module that nothing calls",
        "Nothing below the given paths calls this module, and it has neither a backend nor a provider \
         configuration, as root modules have.",
    )),
    group: Group::Unused,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "In a repository that has all callers of its modules, nothing uses it. Modules with tests are \
          not reported, nor those that runs of tests, stacks or units of Terragrunt run.",
    options: &[],
    examples: r#"
-- wrong main.tf
terraform {
  backend "local" {}
}
-- wrong net/main.tf
output "zone" { value = "a" }
-- right main.tf
terraform {
  backend "local" {}
}
module "net" {
  source = "./net"
}
-- right net/main.tf
output "zone" { value = "a" }
"#,
    check: Check::Tree(check),
};

fn check<'a>(view: &TreeView<'_, 'a>, found: &mut Found<'_, 'a>) {
    let uncalled = uncalled(view);
    for module in view.modules().filter(|module| uncalled[module.place]) {
        if let Some(start) = module.start() {
            found.report(start, &[]);
        }
    }
}

/// For each module, whether the rule reports it.
pub(in crate::rules) fn uncalled(view: &TreeView<'_, '_>) -> Vec<bool> {
    let mut is_needed = view.is_run();
    is_needed.iter_mut().zip(view.roots()).for_each(|(it, is_root)| *it |= is_root);
    // A call whose target is not known may lead to any of them.
    for call in view.calls() {
        if let Some(called) = call.called {
            is_needed[called] = true;
        }
    }
    let modules = view.modules().zip(is_needed);
    let is_uncalled = |(module, is_needed): (InTree<'_, '_>, bool)| {
        module.is_checked() && module.has_configuration() && !module.has_tests() && !is_needed
    };
    modules.map(is_uncalled).collect()
}
