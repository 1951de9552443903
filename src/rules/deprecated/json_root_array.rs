//! `json-root-array`: a JSON file is an array of objects.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "json-root-array",
            Severity::Warning,
            "File that is an array",
            "The documented form of a configuration file in JSON is one object.",
        )
        .with_help("Join the objects to one."),
    ),
    group: Group::Deprecated,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_json_syntax")],
    opentofu: &[],
    why: "An array of objects at the root is accepted, but is not part of the documented syntax, and \
          other programs that read the file expect an object.",
    options: &[],
    examples: r#"
-- wrong main.tf.json
[{"output": {"size": {"value": 1}}}]
-- right main.tf.json
{"output": {"size": {"value": 1}}}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    for document in view.files().filter_map(|file| file.as_json()) {
        if document.root().is_array() {
            found.report(document.root().start_label(), &[]);
        }
    }
}
