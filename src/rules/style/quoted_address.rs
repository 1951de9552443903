//! `quoted-address`: a text is the address of an object of the module.

use crate::diagnostic::{Code, CustomCode, Label, Safety, Severity};
use crate::expression::is_identifier;
use crate::hash::HashSet;
use crate::module::Module;
use crate::native::Native;
use crate::reference::Mode;
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, visit_attribute};
use crate::rules::rule::{Check, CoreRule, Group, Rule};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "quoted-address",
            Severity::Warning,
            "Text that is an address",
            "The text is the address of an object of the module, {0}, but refers to nothing.",
        )
        .with_help("Write a reference without quotes."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: Some(Safety::Unsafe),
    tflint: &[],
    opentofu: &[CoreRule::new("core:quotedref", &["core:confusing", "core:mistake"])],
    why: "`\"var.size\"` is a text with these letters. It is reported where the module declares the \
          object, but not in arguments that take addresses, and not in descriptions.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
output "size" { value = "var.size" }
output "twice" { value = 2 * var.size }
-- right main.tf
variable "size" {
  type = number
}
output "size" { value = var.size }
output "twice" { value = 2 * var.size }
"#,
    check: Check::Module(check),
};

/// Arguments whose texts are addresses, or are for people, or that cannot have references.
const NOT_VALUES: &[&str] = &[
    "default",
    "depends_on",
    "description",
    "error_message",
    "from",
    "ignore_changes",
    "provider",
    "providers",
    "replace_triggered_by",
    "to",
];

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let mut declared: Option<HashSet<String>> = None;
    for file in view.files().filter_map(|file| file.as_native()) {
        let attributes = file.attributes().filter(|it| !NOT_VALUES.contains(&it.name()));
        for attribute in attributes {
            visit_attribute(attribute, NodeKinds::TEMPLATE, |_, node| {
                let Some(address) = text(node.native).and_then(address) else { return };
                let declared = declared.get_or_insert_with(|| addresses(view.module()));
                let is_reference = !node.is_key() && declared.contains(address);
                if is_reference && !is_of_itself(view.module(), address, node.label()) {
                    let written = node.native.text();
                    let reported = found.report(node.label(), &[address]);
                    reported.fix(
                        node.native.span(),
                        &written[1..written.len() - 1],
                        Safety::Unsafe,
                    );
                }
            });
        }
    }
}

/// Whether a place is in the resource of this address, which cannot refer to itself.
fn is_of_itself(module: &Module<'_>, address: &str, place: Label<'_>) -> bool {
    module.resources.iter().any(|resource| {
        let (source, span) = (resource.block.source(), resource.block.span());
        let is_inside = span.start <= place.span.start && place.span.end <= span.end;
        source.id() == place.source.id() && is_inside && resource.address().to_string() == address
    })
}

/// The content of a text in quotes without templates and escapes.
fn text<'a>(native: Native<'a>) -> Option<&'a str> {
    let mut parts = native.literal_parts()?;
    let text = parts.next().filter(|_| parts.next().is_none())?;
    let written = native.text().strip_prefix('"')?.strip_suffix('"')?;
    (written == text).then_some(text)
}

/// The address of an object at the start of a text that is a reference.
fn address(text: &str) -> Option<&str> {
    let mut parts = text.split('.');
    let first = parts.next().filter(|first| is_identifier(first))?;
    let count = if first == "data" || first == "ephemeral" { 3 } else { 2 };
    if !parts.clone().all(is_identifier) || parts.count() + 1 < count {
        return None;
    }
    let end = text.match_indices('.').nth(count - 1).map_or(text.len(), |(at, _)| at);
    Some(&text[..end])
}

/// The addresses of the objects of a module.
fn addresses(module: &Module<'_>) -> HashSet<String> {
    let mut all: HashSet<String> = HashSet::default();
    all.extend(module.variables.iter().map(|it| format!("var.{}", it.name)));
    all.extend(module.locals.iter().map(|it| format!("local.{}", it.name)));
    all.extend(module.calls.iter().map(|it| format!("module.{}", it.name)));
    let resources = module.resources.iter().filter(|it| it.mode != Mode::List);
    all.extend(resources.map(|it| it.address().to_string()));
    all
}
