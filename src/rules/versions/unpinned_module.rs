//! `unpinned-module`: the source of a module names no revision, or a branch that moves.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::option::{Opt, OptKind};
use crate::rules::repository::{Repository, is_semantic_version};
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "unpinned-module",
            Severity::Warning,
            "Module without a fixed revision",
            "The module source {0}.",
        )
        .with_help("Add the tag or the commit as `ref`."),
    ),
    group: Group::Versions,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[Tflint::recommended("terraform_module_pinned_source")],
    opentofu: &[],
    why: "A source in a repository of git or Mercurial is read at its default branch unless it says \
          otherwise, so the next `init` may get another module.",
    options: &[
        Opt::new(
            "style",
            OptKind::Choice(&["flexible", "semver"]),
            "Whether any revision but a default branch will do, or only a semantic version.",
        ),
        Opt::new(
            "default-branches",
            OptKind::List(&["master", "main", "default", "develop"]),
            "Branches that move.",
        ),
    ],
    examples: r#"
-- wrong main.tf
module "net" {
  source = "git::https://example.com/net.git?ref=main"
}
-- right main.tf
module "net" {
  source = "git::https://example.com/net.git?ref=v1.2.0"
}
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    for call in &view.module().calls {
        let (Some(source), Some(text)) = (call.source, call.source_by_defaults()) else { continue };
        let Some(repository) = Repository::parse(text) else { continue };
        let revision = repository.parameter("ref").or_else(|| repository.parameter("rev"));
        let is_semantic = found.options.text("style") == Some("semver");
        let problem = match revision {
            _ if repository.host.is_empty() => "is not a URL with a host",
            None => "names no revision",
            Some(revision) if is_semantic && !is_semantic_version(&revision) => {
                "names a revision that is not a semantic version"
            }
            Some(revision) if !is_semantic && found.options.has("default-branches", &revision) => {
                "names a branch that moves"
            }
            Some(_) => continue,
        };
        found.report(source.expression().label(), &[problem]);
    }
}
