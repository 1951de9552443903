//! Checks of `moved`, `removed` and `import` blocks against each other and against the declared
//! objects, which the tools report in every plan.
//!
//! Only addresses of objects of the module itself are checked: an address in a called module may
//! belong to a directory that is not read.

use super::address::Address;
use super::cycles::cycles;
use super::rules::Rules;
use super::{Import, Module};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::Dialect;
use crate::hash::HashMap;
use crate::native::{StepKind, Traversal};

/// A move with two valid addresses.
struct Move<'a> {
    block: Block<'a>,
    from: Traversal<'a>,
    /// The addresses as text.
    names: [String; 2],
    /// Whether one of the addresses has a key, so that the block moves one instance.
    is_instance: bool,
    old: Address<'a>,
}

/// Reports objects that are moved or removed and still declared, and moves that contradict each
/// other.
pub(super) fn check<'a>(module: &Module<'a>, sink: &mut dyn Sink<'a>) {
    let rules = Rules::primary(module.dialect);
    let moves: Vec<Move<'a>> = module
        .moved
        .iter()
        .filter_map(|it| {
            let (from, to) = (it.from?, it.to?);
            let old = Address::of(from, rules).ok()?;
            Address::of(to, rules).ok()?;
            let has_key = |traversal: Traversal<'a>| {
                let last = traversal.steps().last();
                last.is_some_and(|step| matches!(step.kind, StepKind::Index(_)))
            };
            Some(Move {
                block: it.block,
                from,
                names: [from.to_string(), to.to_string()],
                is_instance: has_key(from) || has_key(to),
                old,
            })
        })
        .collect();
    let mut valid = Vec::new();
    for each in &moves {
        match each.names[0] == each.names[1] {
            true => {
                sink.report(Diagnostic::new(Code::RedundantMove, each.block.definition_label()))
            }
            false => valid.push(each),
        }
    }
    ambiguous(&valid, sink);
    cyclic(&valid, sink);
    for each in valid {
        let is_keyed = matches!(each.from.steps().last(), Some(step) if matches!(step.kind, StepKind::Index(_)));
        // With keys, only the values of the module say which instances there are.
        if !is_keyed
            && let Some(declared) = declared(module, (each.from, each.old), each.is_instance)
        {
            report(each.block, &each.names[0], "moved", declared, sink);
        }
    }
    for removed in &module.removed {
        if let Some(from) = removed.from
            && let Ok(address) = Address::of_removed(from, rules)
            && let Some(declared) = declared(module, (from, address), false)
        {
            report(removed.block, &from.to_string(), "removed", declared, sink);
        }
    }
    if module.dialect == Dialect::OpenTofu {
        for import in &module.imports {
            undeclared(module, import, sink);
        }
    }
}

/// Reports an import to a resource that the module does not declare.
fn undeclared<'a>(module: &Module<'a>, import: &Import<'a>, sink: &mut dyn Sink<'a>) {
    if let (Some(name), Some(to)) = (import.resource_name(module.dialect), import.to)
        && module.resources.get(name).is_none()
    {
        let shown = to.source().arena().format(format_args!("{name}"));
        sink.report(
            Diagnostic::new(Code::UndeclaredImport, to.start_label()).with_arguments(&[shown]),
        );
    }
}

/// Where an object of the module is declared. If only its instance without a key counts, it must not
/// be repeated.
fn declared<'a>(
    module: &Module<'a>,
    (traversal, address): (Traversal<'a>, Address<'a>),
    is_instance: bool,
) -> Option<Label<'a>> {
    let (block, is_repeated) = match (address.modules, address.resource) {
        (0, Some(name)) => {
            let found = module.resources.get(name)?;
            (found.block, found.count().is_some() || found.for_each().is_some())
        }
        (1, None) if !address.has_module_key => {
            let StepKind::Attribute(name) = traversal.steps().get(1)?.kind else { return None };
            let found = module.calls.get(name)?;
            (found.block, found.count.is_some() || found.for_each.is_some())
        }
        _ => return None,
    };
    (!is_instance || !is_repeated).then(|| block.definition_label())
}

#[cold]
fn report<'a>(
    block: Block<'a>,
    name: &str,
    what: &'static str,
    declared: Label<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let name = block.source().arena().str(name);
    sink.report(
        Diagnostic::new(Code::StillDeclared, block.definition_label())
            .with_arguments(&[name, what])
            .with_related(declared, "declared here"),
    );
}

/// Reports an object that moves to two places, and two objects that move to one place. A move of all
/// instances and one of the instance without a key are about different objects.
fn ambiguous<'a>(moves: &[&Move<'a>], sink: &mut dyn Sink<'a>) {
    for (place, what) in [(0, "moves to two addresses"), (1, "has moved from two addresses")] {
        let mut known: HashMap<(&str, bool), &Move<'a>> = HashMap::default();
        for &each in moves {
            let name = each.names[place].as_str();
            let Some(first) = known.get(&(name, each.is_instance)) else {
                known.insert((name, each.is_instance), each);
                continue;
            };
            if first.names != each.names {
                let name = each.block.source().arena().str(name);
                sink.report(
                    Diagnostic::new(Code::AmbiguousMove, each.block.definition_label())
                        .with_arguments(&[name, what])
                        .with_related(first.block.definition_label(), "the other block"),
                );
            }
        }
    }
}

/// Reports objects that move around in a circle.
fn cyclic<'a>(moves: &[&Move<'a>], sink: &mut dyn Sink<'a>) {
    let mut by_name: HashMap<&str, u32> = HashMap::default();
    for (place, each) in (0..).zip(moves) {
        by_name.entry(each.names[0].as_str()).or_insert(place);
    }
    let next = |each: &&Move<'a>| by_name.get(each.names[1].as_str()).copied();
    let edges: Vec<(u32, u32)> =
        (0..).zip(moves).filter_map(|(place, each)| Some((place, next(each)?))).collect();
    cycles(0..moves.len() as u32, &edges, |cycle| {
        let Some(first) = cycle.first().and_then(|place| moves.get(*place as usize)) else {
            return;
        };
        let name = first.block.source().arena().str(&first.names[0]);
        sink.report(
            Diagnostic::new(Code::CyclicMove, first.block.definition_label())
                .with_arguments(&[name]),
        );
    });
}
