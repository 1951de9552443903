//! Checks of `moved`, `removed` and `import` blocks against each other and against the declared
//! objects, which the tools report in every plan.
//!
//! Only addresses of objects of the module itself are checked: an address in a called module may
//! belong to a directory that is not read.

use std::fmt::Write;

use super::address::Address;
use super::cycles::cycles;
use super::rules::Rules;
use super::{Import, Module};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::Dialect;
use crate::hash::{HashMap, HashSet};
use crate::native::{StepKind, Traversal};

/// A move with two valid addresses.
struct Move<'a> {
    block: Block<'a>,
    from: Traversal<'a>,
    to: Traversal<'a>,
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
                to,
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

/// Reports moves that would each have to come before the other. A move comes after those to where it
/// starts, and after those to what is around one of its ends; one of what is around comes after those
/// that start or end inside.
///
/// Cost: linear in the moves and the levels of their addresses.
fn cyclic<'a>(moves: &[&Move<'a>], sink: &mut dyn Sink<'a>) {
    let ends: Vec<[End; 2]> = moves
        .iter()
        .map(|each| [each.from, each.to].map(|end| End::of(end, each.is_instance)))
        .collect();
    // Each address is a node between the moves that come before and after others because of it.
    let mut nodes: HashMap<(&str, bool), u32> = HashMap::default();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut next = moves.len() as u32;
    let mut node = |address, is_start: bool| {
        *nodes.entry((address, is_start)).or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    for (place, [from, to]) in (0..).zip(&ends) {
        let ending = node(&from.address, false);
        edges.push((place, ending));
        // No move comes before itself.
        let around = from.around.iter().chain(&to.around);
        for around in around.filter(|it| **it != from.address && **it != to.address) {
            let (ending, starting) = (node(around, false), node(around, true));
            edges.extend([(place, ending), (starting, place)]);
        }
        edges.push((node(&to.address, false), place));
        edges.push((place, node(&from.address, true)));
    }
    edges.sort_unstable();
    edges.dedup();
    let mut reported: HashSet<u32> = HashSet::default();
    cycles(0..next, &edges, |cycle| {
        let mut found: Vec<u32> = cycle.to_vec();
        found.retain(|place| (*place as usize) < moves.len());
        found.sort_unstable();
        let [first, _, ..] = found[..] else { return };
        if !reported.insert(first) {
            return;
        }
        let Some(first) = moves.get(first as usize) else { return };
        let name = first.block.source().arena().str(&first.names[0]);
        sink.report(
            Diagnostic::new(Code::CyclicMove, first.block.definition_label())
                .with_arguments(&[name]),
        );
    });
}

/// An end of a move.
struct End {
    /// Its address, with a mark that tells all instances from one.
    address: String,
    /// The modules and the resource that it is in or an instance of, likewise.
    around: Vec<String>,
}

impl End {
    /// `is_instance` tells whether the move is one of a single instance.
    fn of(end: Traversal<'_>, is_instance: bool) -> Self {
        let (mut text, mut around) = (String::new(), Vec::new());
        let mut steps = end.steps().iter().peekable();
        while let Some(step) = steps.next() {
            // `module.NAME`, or the type and the name of a resource, perhaps after its mode.
            let mut names = vec![step];
            let is_module =
                matches!(step.kind, StepKind::Root("module") | StepKind::Attribute("module"));
            while let Some(name) = steps.next_if(|step| !matches!(step.kind, StepKind::Index(_))) {
                names.push(name);
                if is_module {
                    break;
                }
            }
            for name in names {
                if let StepKind::Root(name) | StepKind::Attribute(name) = name.kind {
                    text.push('.');
                    text.push_str(name);
                }
            }
            around.push(format!("{text}*"));
            if let Some(StepKind::Index(key)) =
                steps.next_if(|it| matches!(it.kind, StepKind::Index(_))).map(|it| it.kind)
            {
                let _ = write!(text, "[{key:?}]");
            }
            around.push(text.clone());
        }
        let (instance, all) = (around.pop(), around.pop());
        let address = match is_instance {
            true => {
                around.extend(all);
                instance
            }
            false => all,
        };
        Self { address: address.unwrap_or_default(), around }
    }
}
