//! Values that tests give objects instead of those that these have.

use super::change::Why;
use super::readers::{NameUse, key_of};
use crate::diagnostic::Label;
use crate::module::Object;
use crate::module::test::Replacement;
use crate::native::{StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::tree::{Link, Origin, Tree};

/// The uses of an output of a module in the values that tests give the module (`override_module`).
///
/// Cost: linear in the overrides of all tests, times the modules that a file runs.
pub(super) fn outputs<'a>(tree: &Tree<'a>, module: usize, names: (&str, &str)) -> Vec<NameUse<'a>> {
    let mut uses = Vec::new();
    for (owner, of) in tree.modules().iter().enumerate() {
        if of.origin == Origin::Installed {
            continue;
        }
        for (test, links) in of.tests.iter().zip(&of.run_links) {
            let place = |link: &Option<Link>| match link {
                None => Some(owner),
                Some(Link::Module(place)) => Some(*place),
                Some(_) => None,
            };
            let runs: Vec<Option<usize>> = links.iter().map(place).collect();
            let file = || ParsedFile::parse(test.source.arena(), test.source).ok();
            // An override of all runs may be of any of the modules.
            let mocks = test.mock_providers.iter().flat_map(|mock| mock.replacements);
            for replacement in mocks.chain(&test.replacements) {
                let leads = runs.iter().map(|start| lead(tree, *start, replacement));
                let leads: Vec<Lead> = leads.filter(|lead| *lead != Lead::Nowhere).collect();
                if !leads.contains(&Lead::Module(module)) {
                    continue;
                }
                let is_shared = leads.iter().any(|lead| *lead != Lead::Module(module));
                let used = use_of(file(), replacement, names);
                uses.extend(match (used, is_shared) {
                    (Some(NameUse::Name(file, span)), true) => {
                        Some(NameUse::Left(Label::new(file.source(), span), Why::Shared))
                    }
                    (used, _) => used,
                });
            }
            for (run, start) in test.runs.iter().zip(&runs) {
                let of_run = run.replacements.iter();
                let is_meant =
                    |it: &&Replacement<'_>| lead(tree, *start, it) == Lead::Module(module);
                for replacement in of_run.filter(is_meant) {
                    uses.extend(use_of(file(), replacement, names));
                }
            }
        }
    }
    uses
}

fn use_of<'a>(
    file: Option<ParsedFile<'a>>,
    replacement: &Replacement<'a>,
    names: (&str, &str),
) -> Option<NameUse<'a>> {
    key_of(file?, replacement.values?, names)
}

/// Where the address of an override leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// To the module at this place.
    Module(usize),
    /// To a module that is not known.
    Unknown,
    /// To no module: there the override has no effect.
    Nowhere,
}

/// The module that an override is one of, in a run of the module at a start.
fn lead(tree: &Tree<'_>, start: Option<usize>, replacement: &Replacement<'_>) -> Lead {
    let target = replacement.target.filter(|target| target.address.resource.is_none());
    match (start, target) {
        (_, None) => Lead::Nowhere,
        (None, Some(_)) => Lead::Unknown,
        (Some(start), Some(target)) => called(tree, start, target.traversal),
    }
}

/// The module that an address leads to: `module.a["k"].module.b`.
fn called(tree: &Tree<'_>, start: usize, address: Traversal<'_>) -> Lead {
    let mut place = start;
    let names = address.steps().iter().filter_map(|step| match step.kind {
        StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
        StepKind::Index(_) | StepKind::Splat => None,
    });
    // Every second name is `module`.
    for name in names.skip(1).step_by(2) {
        let Some(module) = tree.modules().get(place) else { return Lead::Unknown };
        let Some(call) = module.module.calls.get(name) else { return Lead::Nowhere };
        match module.called_by(Object::ModuleCall(call.name)) {
            Some(called) => place = called,
            None => return Lead::Unknown,
        }
    }
    Lead::Module(place)
}
