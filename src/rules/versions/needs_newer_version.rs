//! `needs-newer-version`: the required version admits a release that does not have a construct.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::dialect::Dialect;
use crate::evaluate::Release;
use crate::hash::HashSet;
use crate::rules::construct::Construct;
use crate::rules::found::Found;
use crate::rules::needs::{visit, visit_tests};
use crate::rules::option::{Opt, OptKind, release};
use crate::rules::required::Required;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "needs-newer-version",
            Severity::Warning,
            "Construct of a newer version",
            "The {0} needs {1}, and the required version \"{2}\" admits older releases.",
        )
        .with_names()
        .with_help("Require a newer version."),
    ),
    group: Group::Versions,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "With an older release that the constraint admits, the module fails with an error that says \
          nothing of versions. A `required_version` in a `.tf` file is compared with the releases \
          of both tools, and is enough if one of them has the construct, unless `--dialect terraform` is \
          set. One in a `.tofu` file, and `compatible_with` in `language`, are about OpenTofu. A module \
          that requires nothing is compared with what the modules that call it require together.",
    options: &[Opt::new(
        "release",
        OptKind::Release,
        "Report as errors what this release does not have, whatever the module requires.",
    )],
    examples: r#"
-- wrong main.tf
terraform {
  required_version = ">= 1.3"
}
check "size" {
  assert {
    condition     = path.module != "x"
    error_message = "Wrong directory."
  }
}
-- right main.tf
terraform {
  required_version = ">= 1.5"
}
check "size" {
  assert {
    condition     = path.module != "x"
    error_message = "Wrong directory."
  }
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    if let Some((tool, minor)) = found.options.text("release").and_then(release) {
        return check_release(view, tool, minor, found);
    }
    let required = view.required();
    if required.is_empty() {
        return;
    }
    // One finding for each construct: all have one remedy.
    let mut seen = HashSet::default();
    visit(view, |construct| {
        let lacks = |required: &&Required<'a>| {
            required.admitted().any(|minor| lacks(&construct, minor, required.tool))
        };
        let Some(required) = required.iter().find(lacks) else { return };
        let Construct { kind, name, label, .. } = construct;
        if seen.insert((kind.as_str(), name)) {
            let what = found.arena.format(format_args!("{construct}"));
            let needs = found.arena.str(&releases(&construct, required.tool));
            let reported = found.report(label, &[what, needs, required.text]);
            reported.related(required.label, "required here");
        }
    });
}

/// Reports each construct that a release does not have.
fn check_release<'a>(view: &View<'_, 'a>, tool: Dialect, minor: u8, found: &mut Found<'_, 'a>) {
    let release = found.arena.format(format_args!("1.{minor}"));
    let mut report = |construct: Construct<'a>| {
        if lacks(&construct, minor, Some(tool)) {
            let what = found.arena.format(format_args!("{construct}"));
            let needs = found.arena.str(&releases(&construct, Some(tool)));
            found.report(construct.label, &[what, needs, release]).error();
        }
    };
    visit(view, &mut report);
    visit_tests(view, &mut report);
}

/// Whether the releases of a tool have a construct.
#[derive(PartialEq)]
enum Has {
    Yes,
    /// Later releases have it.
    Later,
    Never,
}

/// Whether a release that may be run does not have a construct that later ones have. One that may be
/// of either tool counts if neither has it.
fn lacks(construct: &Construct<'_>, minor: u8, tool: Option<Dialect>) -> bool {
    let has = |release| match release {
        Release::Always => Has::Yes,
        Release::In(first) if first <= minor => Has::Yes,
        Release::In(_) => Has::Later,
        Release::Never => Has::Never,
    };
    let terraform = has(construct.terraform);
    let opentofu = match minor < Release::FIRST_OPENTOFU {
        true => Has::Never,
        false => has(construct.opentofu),
    };
    match (tool, terraform, opentofu) {
        (Some(Dialect::OpenTofu), _, opentofu) => opentofu == Has::Later,
        (Some(_), terraform, _) => terraform == Has::Later,
        (None, Has::Later, Has::Later | Has::Never) | (None, Has::Never, Has::Later) => true,
        (None, ..) => false,
    }
}

/// The first releases as a text.
fn releases(construct: &Construct<'_>, tool: Option<Dialect>) -> String {
    let all = [
        (Dialect::Terraform, "Terraform", construct.terraform),
        (Dialect::OpenTofu, "OpenTofu", construct.opentofu),
    ];
    let named = all.into_iter().filter(|(dialect, ..)| tool.is_none_or(|tool| tool == *dialect));
    let texts: Vec<String> = named
        .filter_map(|(_, name, release)| match release {
            Release::In(minor) => Some(format!("{name} 1.{minor}")),
            Release::Always | Release::Never => None,
        })
        .collect();
    texts.join(" or ")
}
