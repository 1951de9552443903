//! `hidden-error`: `try` hides more than a missing attribute.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::native::Native;
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "hidden-error",
            Severity::Warning,
            "Error that try hides",
            "`try` hides all errors of \"{0}\": what cannot be read has the other value without a word.",
        )
        .with_help("Call the function outside of `try`, in a local value."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "The documentation of `try` names references to attributes and conversions of types as its one \
          use. Around a function that reads a file or decodes a text, it also hides a missing file, and \
          a comma too many in it.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "text" {
  type = string
}
output "size" { value = try(jsondecode(var.text).size, 1) }
-- right main.tf
variable "text" {
  type = string
}
locals {
  settings = jsondecode(var.text)
}
output "size" { value = try(local.settings.size, 1) }
"#,
    check: Check::Nodes(NodeKinds::CALL, InJson::No, check),
};

/// The functions that read files or decode texts.
const READERS: &[&str] = &[
    "base64decode",
    "base64gunzip",
    "csvdecode",
    "file",
    "filebase64",
    "jsondecode",
    "templatefile",
    "templatestring",
    "textdecodebase64",
    "urldecode",
    "yamldecode",
];

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    let name = node.native.called_name().map(|(name, _)| name);
    if !matches!(name, Some("try" | "core::try")) {
        return;
    }
    let Some(call) = node.native.call() else { return };
    // The last argument is not tried.
    let tried = call.arguments.split_last().map_or(&[][..], |(_, tried)| tried);
    if let Some((name, reader)) = tried.iter().find_map(|it| reader(*it)) {
        found.report(reader.label(), &[name]);
    }
}

/// The first call in an expression that reads or decodes, but not in a `try` inside of it.
fn reader<'a>(expression: Native<'a>) -> Option<(&'a str, Native<'a>)> {
    let mut open = vec![expression];
    while let Some(expression) = open.pop() {
        let name = expression.called_name().map(|(name, _)| name);
        match name.map(|name| name.strip_prefix("core::").unwrap_or(name)) {
            Some(name) if READERS.contains(&name) => return Some((name, expression)),
            Some("try" | "can") => continue,
            _ => {}
        }
        open.extend(expression.operands().into_iter().rev());
    }
    None
}
