//! `provider-conflict`: no version of a provider meets the constraints of a module and of those it calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diagnostic::{Code, CustomCode, Label, Severity};
use crate::facts::ProviderAddress;
use crate::module::{VersionConstraint, VersionOperator};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule};
use crate::rules::view::{InTree, TreeCall, TreeView};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "provider-conflict",
        Severity::Warning,
        "Constraints that no version of a provider meets",
        "The provider {0} is required here as \"{1}\", and elsewhere in the same configuration as \"{2}\": no version meets both.",
    )),
    group: Group::Versions,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "All modules of a configuration use one version of a provider. If the constraints of a module \
          and of the modules that it calls exclude one another, `init` fails.",
    options: &[],
    examples: r#"
-- wrong main.tf
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 4.0"
    }
  }
}
module "net" {
  source = "./net"
}
-- wrong net/main.tf
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}
-- right main.tf
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}
module "net" {
  source = "./net"
}
-- right net/main.tf
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}
"#,
    check: Check::Below(check),
};

/// The number of different constraints of a provider that are compared.
const MOST: usize = 32;

/// A constraint as it is written, and where.
type Written<'a> = (&'a str, Label<'a>);

/// The constraints of a module and of all that it calls, by provider.
type Needs<'a> = BTreeMap<ProviderAddress, Vec<Written<'a>>>;

/// The state of a module during the search.
enum State<'a> {
    New,
    /// The modules that it calls are being read: a call of it is a cycle.
    Open,
    Done(Rc<Needs<'a>>),
}

fn check<'a>(view: &TreeView<'_, 'a>, found: &mut Found<'_, 'a>) {
    let modules: Vec<InTree<'_, 'a>> = view.modules().collect();
    let mut calls: Vec<Vec<TreeCall<'_, 'a>>> = vec![Vec::new(); modules.len()];
    for call in view.calls().filter(|call| call.called.is_some()) {
        calls[call.caller.place].push(call);
    }
    let mut states: Vec<State<'a>> = modules.iter().map(|_| State::New).collect();
    // Called modules first, without recursion.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for start in 0..modules.len() {
        open.push((start, 0));
        while let Some((place, next)) = open.last_mut() {
            let place = *place;
            if matches!((&states[place], *next), (State::Done(_), _) | (State::Open, 0)) {
                open.pop();
                continue;
            }
            states[place] = State::Open;
            if let Some(call) = calls[place].get(*next) {
                *next += 1;
                open.extend(call.called.map(|called| (called, 0)));
                continue;
            }
            let needs = needs(&modules[place], &calls[place], &states, found);
            states[place] = State::Done(Rc::new(needs));
            open.pop();
        }
    }
}

/// Joins the constraints of a module and of those that it calls, and reports a provider that none of
/// them alone makes impossible.
fn needs<'a>(
    module: &InTree<'_, 'a>,
    calls: &[TreeCall<'_, 'a>],
    states: &[State<'a>],
    found: &mut Found<'_, 'a>,
) -> Needs<'a> {
    let mut all: Needs<'a> = BTreeMap::new();
    let dialect = module.declared().dialect;
    for provider in module.declared().required_providers() {
        let address = ProviderAddress::required(provider, dialect);
        if let (Some(address), Some(version)) = (address, provider.version) {
            let span = provider.version_span.unwrap_or(provider.attribute.span());
            let label = Label::new(provider.attribute.source(), span);
            all.entry(address).or_default().push((version, label));
        }
    }
    for call in calls {
        let Some(State::Done(of_called)) = call.called.map(|called| &states[called]) else {
            continue;
        };
        for (address, theirs) in &**of_called {
            let ours = all.entry(address.clone()).or_default();
            let before = ours.len();
            for &written in theirs {
                if ours.len() < MOST && !ours.iter().any(|(text, _)| *text == written.0) {
                    ours.push(written);
                }
            }
            if ours.len() == before || !module.is_checked() || is_possible(ours.iter()) {
                continue;
            }
            let (known, added) = ours.split_at(before);
            if !is_possible(known.iter()) || !is_possible(theirs.iter()) {
                continue;
            }
            // The first pair that excludes one another; three may do so without such a pair.
            let pairs = known.iter().flat_map(|one| added.iter().map(move |two| (one, two)));
            let mut pairs = pairs.filter(|(one, two)| !is_possible([*one, *two].into_iter()));
            if let Some((one, two)) = pairs.next() {
                let name = found.arena.format(format_args!("{address}"));
                let label = match one.1.source.id() == call.call.block.source().id() {
                    true => one.1,
                    false => call.call.block.definition_label(),
                };
                found.report(label, &[name, one.0, two.0]).related(two.1, "required here, too");
            }
        }
    }
    all
}

/// Whether a version meets all constraints. Constraints with prereleases, and those that are invalid,
/// are met.
fn is_possible<'w, 'a: 'w>(written: impl Iterator<Item = &'w Written<'a>>) -> bool {
    let mut constraints: Vec<VersionConstraint<'a>> = Vec::new();
    for (text, _) in written {
        constraints.extend(VersionConstraint::parse_all(text).into_iter().flatten());
    }
    if constraints
        .iter()
        .any(|it| !it.version.prerelease.is_empty() || it.version.segments.len() > 3)
    {
        return true;
    }
    // The lowest version that meets all is a bound, or follows one; each `!=` excludes one more.
    let others = constraints.iter().filter(|it| it.operator == VersionOperator::NotEqual).count();
    let bounds = constraints.iter().map(|constraint| {
        let at = |place: usize| constraint.version.segments.get(place).copied().unwrap_or(0);
        [at(0), at(1), at(2)]
    });
    let mut candidates =
        std::iter::once([0, 0, 0]).chain(bounds).flat_map(|[major, minor, patch]| {
            (0..=others as i64 + 1).map(move |more| [major, minor, patch.saturating_add(more)])
        });
    candidates.any(|version| constraints.iter().all(|constraint| constraint.admits(version)))
}
