//! `unused-output`: no caller uses an output of a module.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::hash::{HashMap, HashSet};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::TreeView;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "unused-output",
            Severity::Warning,
            "Output that no caller uses",
            "No caller of the module uses the output \"{0}\".",
        )
        .with_names(),
    ),
    group: Group::Unused,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "In a repository that has all callers of its modules, such an output has no effect. Modules \
          that other repositories call, and modules with tests, may need it all the same.",
    options: &[],
    examples: r#"
-- wrong main.tf
module "net" {
  source = "./net"
}
-- wrong net/main.tf
output "zone" { value = "a" }
-- right main.tf
module "net" {
  source = "./net"
}
output "zone" { value = module.net.zone }
-- right net/main.tf
output "zone" { value = "a" }
"#,
    check: Check::Tree(check),
};

fn check<'a>(view: &TreeView<'_, 'a>, found: &mut Found<'_, 'a>) {
    // Of each module: whether a module calls it, and whether something may use all of it.
    let (mut is_called, mut is_open) = (vec![false; view.len()], view.is_run());
    let mut used: HashSet<(usize, &'a str)> = HashSet::default();
    for caller in view.modules() {
        let mut calls: HashMap<&'a str, usize> = HashMap::default();
        for call in view.calls_of(caller) {
            let Some(called) = call.called else { continue };
            is_called[called] = true;
            is_open[called] |= !caller.is_whole();
            calls.insert(call.call.name, called);
        }
        for (call, output) in caller.used_outputs() {
            let Some(&called) = calls.get(call) else { continue };
            match output {
                Some(output) => drop(used.insert((called, output))),
                None => is_open[called] = true,
            }
        }
    }
    for module in view.modules().filter(|module| module.is_checked() && !module.has_tests()) {
        if !is_called[module.place] || is_open[module.place] {
            continue;
        }
        for output in &module.declared().outputs {
            if !used.contains(&(module.place, output.name)) {
                found.report(output.block.definition_label(), &[output.name]);
            }
        }
    }
}
