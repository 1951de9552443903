//! `impure-function`: an argument of a resource has another value in each run.

use std::collections::BTreeMap;

use crate::body::Block;
use crate::diagnostic::{Code, CustomCode, Label, Severity};
use crate::evaluate::known_functions;
use crate::hash::HashMap;
use crate::module::{IgnoreChanges, Object, Resource, Use};
use crate::native::{StepKind, Traversal};
use crate::reference::{Mode, ResourceName, Subject};
use crate::rules::found::Found;
use crate::rules::rule::{Check, CoreRule, Group, Rule};
use crate::rules::view::View;
use crate::span::Span;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "impure-function",
            Severity::Warning,
            "Argument that changes in each run",
            "The value depends on {0}, which has another result in each run, so each plan changes the \
             resource.",
        )
        .with_help("Use a resource that keeps the value, or list the argument in \"ignore_changes\"."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[CoreRule::new("core:impurefunc", &["core:noconverge"])],
    why: "A configuration should be applied once: a second plan without changes shows that everything \
          is as it is written. Calls of `timestamp`, `plantimestamp`, `uuid` and `bcrypt` are found in arguments of \
          resources, and in the local values that these refer to.",
    options: &[],
    examples: r#"
-- wrong main.tf
resource "terraform_data" "build" {
  input = timestamp()
}
-- right main.tf
resource "terraform_data" "build" {
  input = timestamp()

  lifecycle {
    ignore_changes = [input]
  }
}
"#,
    check: Check::Module(check),
};

/// The functions that an expression calls, and the objects it refers to.
#[derive(Default)]
struct Reads<'a> {
    /// The first impure function that it calls, and where.
    call: Option<(&'a str, Label<'a>)>,
    /// The local values that it refers to, and where.
    locals: Vec<(&'a str, Label<'a>)>,
}

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let names: Vec<&str> =
        known_functions().iter().filter(|it| it.is_impure()).map(|it| it.name()).collect();
    let is_called = |bytes: &[u8]| {
        names.iter().any(|name| memchr::memmem::find(bytes, name.as_bytes()).is_some())
    };
    if !view.files().any(|file| is_called(file.source().bytes())) {
        return;
    }
    let module = view.module();
    let mut of_locals: BTreeMap<&'a str, Reads<'a>> = BTreeMap::new();
    let mut of_resources: Vec<(ResourceName<'a>, Reads<'a>)> = Vec::new();
    module.visit_expressions(|site| {
        let is_wanted = match site.object {
            Object::Local(_) => true,
            Object::Resource(name) => name.mode == Mode::Managed && site.usage == Use::Value,
            _ => false,
        };
        if !is_wanted {
            return;
        }
        let mut reads = Reads::default();
        site.visit_calls(|name, label| {
            let name = name.strip_prefix("core::").unwrap_or(name);
            if reads.call.is_none() && names.contains(&name) {
                reads.call = Some((name, label));
            }
        });
        site.visit_references(|traversal| {
            if let Ok(reference) = module.reference(traversal)
                && let Subject::Local(name) = reference.subject()
            {
                reads.locals.push((name, traversal.label()));
            }
        });
        match site.object {
            Object::Local(name) => drop(of_locals.insert(name, reads)),
            Object::Resource(name) => of_resources.push((name, reads)),
            _ => {}
        }
    });
    let impure = impure_locals(&of_locals);
    let resources: HashMap<ResourceName<'a>, &Resource<'a>> =
        module.resources.iter().map(|it| (it.address(), it)).collect();
    for (name, reads) in &of_resources {
        let of_local = || {
            let mut locals = reads.locals.iter();
            locals.find_map(|(name, label)| Some((*impure.get(name)?, *label)))
        };
        let Some((function, label)) = reads.call.or_else(of_local) else { continue };
        if resources.get(name).is_none_or(|it| !ignores(it, label)) {
            found.report(label, &[function]);
        }
    }
}

/// The local values that depend on an impure function, each with the function.
///
/// Cost: linear in the references between them.
fn impure_locals<'a>(all: &BTreeMap<&'a str, Reads<'a>>) -> HashMap<&'a str, &'a str> {
    let mut readers: HashMap<&str, Vec<&'a str>> = HashMap::default();
    let mut open: Vec<(&'a str, &'a str)> = Vec::new();
    for (name, reads) in all {
        open.extend(reads.call.map(|(function, _)| (*name, function)));
        for (read, _) in &reads.locals {
            readers.entry(*read).or_default().push(*name);
        }
    }
    let mut impure = HashMap::default();
    while let Some((name, function)) = open.pop() {
        if impure.insert(name, function).is_none() {
            let readers = readers.get(name).into_iter().flatten();
            open.extend(readers.filter(|it| !impure.contains_key(*it)).map(|it| (*it, function)));
        }
    }
    impure
}

/// Whether a place is in no argument of the resource, or in one whose changes are ignored.
fn ignores<'a>(resource: &Resource<'a>, label: Label<'a>) -> bool {
    let block: Block<'a> = resource.block;
    if block.source().id() != label.source.id() {
        return false;
    }
    let is_around = |span: Span| span.start <= label.span.start && label.span.end <= span.end;
    let Some(argument) = block.body().properties().find(|it| is_around(it.span())) else {
        return false;
    };
    let is_of_argument = |it: &Traversal<'a>| match it.steps().first().map(|step| step.kind) {
        Some(StepKind::Root(name) | StepKind::Attribute(name)) => name == argument.name(),
        _ => false,
    };
    match resource.lifecycle().map(|lifecycle| lifecycle.ignore_changes) {
        _ if matches!(argument.name(), "connection" | "lifecycle" | "provisioner") => true,
        Some(IgnoreChanges::All) => true,
        Some(IgnoreChanges::Of(ignored)) => ignored.iter().any(is_of_argument),
        None => false,
    }
}
