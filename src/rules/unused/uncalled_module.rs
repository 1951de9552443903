//! `uncalled-module`: nothing calls a module, and it is no root module.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::TreeView;

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
    why: "In a repository that has all callers of its modules, nothing uses it. Modules with tests are \
          not reported.",
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
    let mut is_needed = view.roots();
    // A call whose target is not known may lead to any of them.
    for call in view.calls() {
        if let Some(called) = call.called {
            is_needed[called] = true;
        }
    }
    for module in view.modules() {
        let is_module = module.is_checked() && module.has_configuration() && !module.has_tests();
        if is_module
            && !is_needed[module.place]
            && let Some(start) = module.start()
        {
            found.report(start, &[]);
        }
    }
}
