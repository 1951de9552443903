//! `module-versions-differ`: callers use different versions of a module.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::rules::found::Found;
use crate::rules::package::Package;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::{TreeCall, TreeView};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "module-versions-differ",
        Severity::Warning,
        "Another version of a module",
        "This call has the version {0}, and other calls of the module have {1}.",
    )),
    group: Group::Versions,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "A repository that uses one version of a module everywhere has fewer kinds of objects to \
          know. Compared are version constraints of registries, and revisions of git and Mercurial.",
    options: &[],
    examples: r#"
-- wrong a/main.tf
module "vpc" {
  source  = "acme/vpc/aws"
  version = "~> 1.0"
}
-- wrong b/main.tf
module "vpc" {
  source  = "acme/vpc/aws"
  version = "~> 2.0"
}
-- right a/main.tf
module "vpc" {
  source  = "acme/vpc/aws"
  version = "~> 2.0"
}
-- right b/main.tf
module "vpc" {
  source  = "acme/vpc/aws"
  version = "~> 2.0"
}
"#,
    check: Check::Tree(check),
};

fn check<'a>(view: &TreeView<'_, 'a>, found: &mut Found<'_, 'a>) {
    let mut packages: BTreeMap<String, Vec<(String, TreeCall<'_, 'a>)>> = BTreeMap::new();
    for call in view.calls().filter(|call| call.caller.is_checked()) {
        if let Some(Package { address, version }) = Package::of_call(call.call) {
            let version = version.unwrap_or_else(|| "latest".to_owned());
            packages.entry(address).or_default().push((version, call));
        }
    }
    for calls in packages.values().filter(|calls| calls.len() > 1) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (version, _) in calls {
            *counts.entry(version).or_default() += 1;
        }
        // Of several that are as frequent, the last one in the order of texts.
        let Some((most, _)) = counts.iter().max_by_key(|(_, count)| **count) else { continue };
        let Some((_, usual)) = calls.iter().find(|(version, _)| version == most) else { continue };
        for (version, call) in calls.iter().filter(|(version, _)| version != most) {
            let Some(source) = call.call.version.or(call.call.source) else { continue };
            let Some(other) = usual.call.version.or(usual.call.source) else { continue };
            let arguments = [found.arena.str(version), found.arena.str(most)];
            let reported = found.report(source.expression().label(), &arguments);
            reported.related(other.expression().label(), "the other version");
        }
    }
}
