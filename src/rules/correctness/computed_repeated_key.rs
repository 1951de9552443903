//! `computed-repeated-key`: an object has a key twice, and one of the two is computed.

use std::collections::hash_map::Entry;

use crate::diagnostic::{Code, CustomCode, Label, Severity};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::module::computed::Computed;
use crate::native::Native;
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, visit_native};
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;
use crate::value::{Type, Value, convert_briefly};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "computed-repeated-key",
        Severity::Warning,
        "Repeated key",
        "The object has the key \"{0}\" twice if variables have their defaults. The last value counts.",
    )),
    group: Group::Correctness,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_map_duplicate_keys")],
    opentofu: &[],
    why: "The last value counts, and the others are dropped without a word. Keys are computed with \
          the defaults of variables and the workspace \"default\"; keys with sensitive values are \
          not compared.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type    = string
  default = "small"
}
output "sizes" {
  value = {
    (var.size) = 1
    small      = 2
  }
}
-- right main.tf
variable "size" {
  type    = string
  default = "small"
}
output "sizes" {
  value = {
    (var.size) = 1
    large      = 2
  }
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let computed = Computed::of_defaults(view.withholds());
    let arena = found.arena;
    let tool = Value::object(arena, &[("workspace", Value::string(arena, "default"))]);
    let text = |key: Native<'a>| {
        if let Some(text) = key.as_text() {
            return Some((text, false));
        }
        let expression = Expression::from_native(key);
        if let Some(text) = expression.to_str() {
            return Some((text, false));
        }
        let inner = vec![("terraform", tool)];
        let value = computed.value_in(view.module(), expression, inner, &mut ());
        let is_open = value.is_null() || !value.is_known() || !value.marks().is_empty();
        let text = convert_briefly(arena, value, Type::String).ok().filter(|_| !is_open)?;
        Some((text.as_str()?, true))
    };
    let mut seen: HashMap<&'a str, (Label<'a>, bool)> = HashMap::default();
    for file in view.files() {
        visit_native(file, NodeKinds::OBJECT, |_, node| {
            let (program, at) = node.native.parts();
            if program.has_plain_keys(at) {
                return;
            }
            seen.clear();
            for key in node.native.operands().into_iter().step_by(2) {
                let Some((name, is_computed)) = text(key) else { continue };
                match seen.entry(name) {
                    Entry::Vacant(entry) => drop(entry.insert((key.label(), is_computed))),
                    // Two that are written are another diagnostic.
                    Entry::Occupied(entry) if is_computed || entry.get().1 => {
                        let (first, _) = *entry.get();
                        found.report(key.label(), &[name]).related(first, "given first here");
                    }
                    Entry::Occupied(_) => {}
                }
            }
        });
    }
}
