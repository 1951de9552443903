//! `redundant-dependency`: `depends_on` names an object that a reference waits for anyway.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::hash::HashSet;
use crate::module::{Object, Use};
use crate::native::Traversal;
use crate::reference::{Mode, ResourceName, Subject};
use crate::rules::found::Found;
use crate::rules::rule::{Check, CoreRule, Group, Rule};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "redundant-dependency",
        Severity::Warning,
        "Dependency that is there anyway",
        "{0} refers to {1}, so it waits for it without \"depends_on\".",
    )),
    group: Group::Unused,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[CoreRule::new("core:unuseddeps", &["core:confusing"])],
    why: "A reference is a dependency. `depends_on` is for those that no reference shows. Data sources, \
          which read later with it, and calls of modules, of which a reference waits only for a part, \
          are not reported.",
    options: &[],
    examples: r#"
-- wrong main.tf
resource "terraform_data" "a" {}
resource "terraform_data" "b" {
  input      = terraform_data.a.id
  depends_on = [terraform_data.a]
}
-- right main.tf
resource "terraform_data" "a" {}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
"#,
    check: Check::Module(check),
};

/// The resource that a reference names.
fn resource<'a>(subject: Subject<'a>) -> Option<ResourceName<'a>> {
    match subject {
        Subject::Resource(name) | Subject::ResourceInstance(name, _) => Some(name),
        _ => None,
    }
}

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let module = view.module();
    let managed = module.resources.iter().filter(|it| it.mode == Mode::Managed);
    let of_resources = managed.map(|it| it.depends_on());
    let of_outputs = module.outputs.iter().map(|output| output.depends_on);
    if of_resources.chain(of_outputs).all(<[Traversal<'a>]>::is_empty) {
        return;
    }
    let mut uses: HashSet<(u32, ResourceName<'a>)> = HashSet::default();
    let mut orders = Vec::new();
    module.visit_expressions(|site| {
        let is_wanted = match site.object {
            Object::Resource(name) => name.mode == Mode::Managed,
            Object::Output(_) => true,
            _ => false,
        };
        if !is_wanted {
            return;
        }
        site.visit_references(|traversal| {
            let Ok(reference) = module.reference(traversal) else { return };
            let Some(name) = resource(reference.subject()) else { return };
            match site.usage {
                Use::Order => orders.push((site.number, site.object, name, traversal.label())),
                Use::Value => drop(uses.insert((site.number, name))),
                _ => {}
            }
        });
    });
    for (number, object, name, label) in orders {
        if uses.contains(&(number, name)) {
            let arguments = [
                found.arena.format(format_args!("{object}")),
                found.arena.format(format_args!("{name}")),
            ];
            found.report(label, &arguments);
        }
    }
}
