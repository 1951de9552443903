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
                let leads = |start: &Option<usize>| leads_to(tree, *start, replacement, module);
                if !runs.iter().any(leads) {
                    continue;
                }
                let used = use_of(file(), replacement, names);
                uses.extend(match (used, runs.iter().all(leads)) {
                    (Some(NameUse::Name(file, span)), false) => {
                        Some(NameUse::Left(Label::new(file.source(), span), Why::Shared))
                    }
                    (used, _) => used,
                });
            }
            for (run, start) in test.runs.iter().zip(&runs) {
                let of_run = run.replacements.iter();
                for replacement in of_run.filter(|it| leads_to(tree, *start, it, module)) {
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

/// Whether an override of a module, in a run of the module at a start, is one of another module.
fn leads_to(
    tree: &Tree<'_>,
    start: Option<usize>,
    replacement: &Replacement<'_>,
    module: usize,
) -> bool {
    let target = replacement.target.filter(|target| target.address.resource.is_none());
    let found = start.zip(target).and_then(|(start, it)| called(tree, start, it.traversal));
    found == Some(module)
}

/// The module that an address leads to: `module.a["k"].module.b`.
fn called(tree: &Tree<'_>, start: usize, address: Traversal<'_>) -> Option<usize> {
    let mut place = start;
    let names = address.steps().iter().filter_map(|step| match step.kind {
        StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
        StepKind::Index(_) | StepKind::Splat => None,
    });
    // Every second name is `module`.
    for name in names.skip(1).step_by(2) {
        let module = tree.modules().get(place)?;
        let call = module.module.calls.get(name)?;
        place = module.called_by(Object::ModuleCall(call.name))?;
    }
    Some(place)
}
