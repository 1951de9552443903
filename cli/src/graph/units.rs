//! Units of Terragrunt in a graph: the modules that they run, their inputs, and the units that they
//! need.

use std::collections::HashSet;

use simd_hcl::tree::Tree;

use super::address::id;
use super::drawing::{Drawing, Edge, Node};
use crate::modules::path_of;
use crate::unit_graph::{UnitGraph, UnitNode};

fn node(unit: &UnitNode) -> Node {
    let id = unit.path.clone();
    Node { id: id.clone(), kind: "unit", module: id.clone(), version: None, address: id }
}

/// Adds the units, the modules that they run, and the units that they depend on.
pub(super) fn add_to_modules(drawing: &mut Drawing, units: &UnitGraph, tree: &Tree<'_>) {
    let mut known: HashSet<String> = drawing.nodes.iter().map(|node| node.id.clone()).collect();
    for unit in units.units.iter().filter(|unit| unit.is_root) {
        // A unit whose module is in its own folder is that module.
        if known.insert(unit.path.clone()) {
            drawing.nodes.push(node(unit));
        }
        let (to, kind) = match (unit.module, &unit.source) {
            (Some(place), _) => (path_of(&tree.modules()[place]), "module"),
            (None, Some(source)) if unit.folder_of_module.is_none() => (source.clone(), "remote"),
            (None, Some(source)) => (source.clone(), "missing"),
            (None, None) => continue,
        };
        if known.insert(to.clone()) {
            let (id, module, address) = (to.clone(), to.clone(), to.clone());
            drawing.nodes.push(Node { id, kind, module, version: None, address });
        }
        if to != unit.path {
            drawing.edges.push(Edge { from: unit.path.clone(), to });
        }
        for &needed in &unit.needs {
            let to = units.units[needed].path.clone();
            drawing.edges.push(Edge { from: unit.path.clone(), to });
        }
    }
}

/// Adds the units, and their inputs between the outputs that these use and the variables that they
/// give values to.
pub(super) fn add_to_objects(drawing: &mut Drawing, units: &UnitGraph, tree: &Tree<'_>) {
    let graph = tree.graph();
    let object = |number: u32| graph.node(number).map(|node| id(tree, &node));
    for unit in units.units.iter().filter(|unit| unit.is_root) {
        drawing.nodes.push(node(unit));
        let mut edge = |from: &str, to: &str| {
            drawing.edges.push(Edge { from: from.to_owned(), to: to.to_owned() });
        };
        for &needed in &unit.needs {
            edge(&unit.path, &units.units[needed].path);
        }
        for input in &unit.inputs {
            let address = input.address();
            let own = format!("{}:{address}", unit.path);
            edge(&unit.path, &own);
            if let Some(variable) = input.variable.and_then(object) {
                edge(&variable, &own);
            }
            match input.outputs.is_empty() {
                // The module of the other unit is not read.
                true => input.units.iter().for_each(|&it| edge(&own, &units.units[it].path)),
                false => {
                    let outputs = input.outputs.iter().filter_map(|&output| object(output));
                    outputs.for_each(|output| edge(&own, &output));
                }
            }
            let module = unit.path.clone();
            drawing.nodes.push(Node { id: own, kind: "input", module, version: None, address });
        }
    }
}
