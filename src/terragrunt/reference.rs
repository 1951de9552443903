//! The references in files of units and stacks.

use super::parse::{Parsed, Part};
use super::run::Runs;
use crate::native::{StepKind, Traversal};
use crate::source::Source;

/// A reference in a file of a unit or stack, or in one that it includes or reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnitReference<'a> {
    /// The file.
    pub source: Source<'a>,
    /// The source: `local.a`, `inputs.b`, `dependency.net`, `terraform`.
    pub from: String,
    /// The target: `local.a`, `dependency.net`, `include.root`, `feature.x`, `values.y`.
    pub to: String,
    /// The first name of that.
    pub kind: &'static str,
    /// The reference as it is written.
    pub traversal: Traversal<'a>,
}

/// The first names of references.
const ROOTS: [&str; 7] = ["dependency", "feature", "include", "local", "stack", "unit", "values"];

impl<'a> Runs<'a> {
    /// Visits the references in all files that have been read so far, file by file, in the order of their
    /// text. [`Runs::units`] reads the files.
    ///
    /// Cost: linear in the expressions of the files.
    pub fn visit_references(&self, mut visit: impl FnMut(UnitReference<'a>)) {
        for file in self.all_files() {
            let Some(source) = file.source else { continue };
            let mut all = references(&file, source);
            all.sort_by_key(|it| it.traversal.span().start);
            all.into_iter().for_each(&mut visit);
        }
    }
}

fn references<'a>(file: &Parsed<'a>, source: Source<'a>) -> Vec<UnitReference<'a>> {
    let mut all = Vec::new();
    let mut open: Vec<(&Part<'a>, String)> = vec![(&file.root, String::new())];
    while let Some((part, address)) = open.pop() {
        for attribute in &part.attributes {
            let name = attribute.name();
            let from = match (address.as_str(), part.kind.name) {
                ("", _) => name.to_owned(),
                (_, "locals") => format!("local.{name}"),
                (address, _) => address.to_owned(),
            };
            let mut add = |from: &str, traversals: &mut dyn Iterator<Item = Traversal<'a>>| {
                for traversal in traversals {
                    let (to, kind) = target(traversal);
                    all.push(UnitReference { source, from: from.to_owned(), to, kind, traversal });
                }
            };
            match attribute.expression().as_map() {
                Some(entries) if name == "inputs" && address.is_empty() => {
                    for (key, value) in entries {
                        add(&from, &mut key.expression().variables());
                        add(&format!("inputs.{}", key.to_str()), &mut value.variables());
                    }
                }
                _ => add(&from, &mut attribute.expression().variables()),
            }
        }
        for block in &part.blocks {
            let mut inner = match address.as_str() {
                "" => block.kind.name.to_owned(),
                outer => format!("{outer}.{}", block.kind.name),
            };
            if !block.label.is_empty() {
                inner.push('.');
                inner.push_str(block.label);
            }
            open.push((block, inner));
        }
    }
    all
}

/// Returns the target of a traversal.
fn target(traversal: Traversal<'_>) -> (String, &'static str) {
    let root = traversal.root_name();
    let Some(&kind) = ROOTS.iter().find(|name| **name == root) else {
        return (root.to_owned(), "unknown");
    };
    match traversal.steps().get(1).map(|step| step.kind) {
        Some(StepKind::Attribute(name)) => (format!("{kind}.{name}"), kind),
        _ => (kind.to_owned(), kind),
    }
}
