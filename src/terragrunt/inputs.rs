//! The inputs of a unit, and the outputs of other units that they use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::call::{Strategy, resolved};
use super::evaluate::Outcome;
use super::parse::{Parsed, Part};
use super::unit::UnitOutput;
use super::world::World;
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::native::{StepKind, Traversal};
use crate::value::Content;

/// An output that an expression uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used<'a> {
    /// The name of the `dependency` block.
    pub(super) dependency: &'a str,
    /// The name of the output; `None` if all outputs are used.
    pub(super) output: Option<&'a str>,
    pub(super) label: Label<'a>,
}

impl<'a> Used<'a> {
    /// The outputs that an expression uses.
    pub(super) fn all(expression: Expression<'a>) -> impl Iterator<Item = Self> {
        expression.variables().filter_map(Self::of)
    }

    fn of(traversal: Traversal<'a>) -> Option<Self> {
        let [root, name, outputs, rest @ ..] = traversal.steps() else { return None };
        let (
            StepKind::Root("dependency"),
            StepKind::Attribute(dependency),
            StepKind::Attribute("outputs"),
        ) = (root.kind, name.kind, outputs.kind)
        else {
            return None;
        };
        let output = match rest.first().map(|step| step.kind) {
            Some(StepKind::Attribute(output)) => Some(output),
            _ => None,
        };
        Some(Self { dependency, output, label: traversal.label() })
    }
}

/// The files of a unit: its own first, then those that are merged into it.
pub(super) fn files<'a>(
    world: &World<'a>,
    config: &str,
    outcome: &Outcome<'_>,
) -> Vec<Arc<Parsed<'a>>> {
    let merged = outcome
        .includes
        .iter()
        .filter(|include| matches!(include.strategy, Strategy::Shallow | Strategy::Deep))
        .map(|include| include.path.as_str());
    let paths = [config].into_iter().chain(merged);
    paths.filter_map(|path| world.parsed(path).ok()).collect()
}

/// The inputs of an evaluated unit; `None` if their names are not known.
pub(super) fn of(
    world: &World<'_>,
    (folder, config): (&str, &str),
    outcome: &Outcome<'_>,
) -> Option<BTreeMap<String, BTreeSet<UnitOutput>>> {
    let mut inputs: BTreeMap<String, BTreeSet<UnitOutput>> = BTreeMap::new();
    match outcome.config.inputs.map(|it| it.content()) {
        None | Some(Content::Null) => {}
        Some(Content::Entries(entries)) => {
            inputs.extend(entries.iter().map(|(name, _)| ((*name).to_owned(), BTreeSet::new())));
        }
        Some(_) => return None,
    }
    let folder_of = |name: &str| {
        let block = outcome.config.dependencies.iter().find(|it| it.name == name)?;
        let path = block.get("config_path")?.as_str()?;
        Some(world.disk.resolve(&resolved(folder, path)))
    };
    let outputs = |expression: Expression<'_>| -> Vec<UnitOutput> {
        Used::all(expression)
            .filter_map(|used| {
                let output = used.output.map(str::to_owned);
                Some(UnitOutput { folder: folder_of(used.dependency)?, output })
            })
            .collect()
    };
    for file in files(world, config, outcome) {
        let Some(expression) = file.root.get("inputs") else { continue };
        let Some(written) = expression.as_map() else {
            // Any input may be made of what a computed map is made of.
            let all = outputs(expression);
            inputs.values_mut().for_each(|known| known.extend(all.iter().cloned()));
            continue;
        };
        for (key, value) in written {
            if let Some(known) = inputs.get_mut(key.to_str()) {
                known.extend(outputs(value));
            }
        }
    }
    Some(inputs)
}

/// The outputs that all expressions of a file use.
pub(super) fn used_in<'a>(root: &Part<'a>) -> Vec<Used<'a>> {
    let mut used = Vec::new();
    let mut open: Vec<&Part<'a>> = vec![root];
    while let Some(part) = open.pop() {
        used.extend(part.attributes.iter().flat_map(|it| Used::all(it.expression())));
        open.extend(&part.blocks);
    }
    used
}
