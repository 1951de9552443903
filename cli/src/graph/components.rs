//! Stacks of Terraform in a graph: their objects, and the modules that components call.

use std::collections::HashMap;

use simd_hcl::deployments::calls;
use simd_hcl::module;
use simd_hcl::stacks::{Kind, Subject};
use simd_hcl::tree::Tree;

use super::address::{id, id_in};
use super::drawing::{Drawing, Edge, Node};
use crate::modules::path_of;

/// Adds the modules and stacks that components call.
pub(super) fn add_to_modules(drawing: &mut Drawing, tree: &Tree<'_>) {
    let path = |place: usize| path_of(&tree.modules()[place]);
    let edges = calls(tree).into_iter();
    let edges = edges.map(|call| Edge { from: path(call.stack), to: path(call.target) });
    drawing.edges.extend(edges);
}

/// Adds the objects of stacks. A component is between the objects that its inputs use and the
/// variables that these give values to, and between the outputs of its module and what uses them.
pub(super) fn add_to_objects(drawing: &mut Drawing, tree: &Tree<'_>) {
    let graph = tree.graph();
    let calls = calls(tree);
    let targets: HashMap<(usize, usize), usize> =
        calls.iter().map(|call| ((call.stack, call.number), call.target)).collect();
    let object = |place: usize, object: module::Object<'_>| {
        let declared = &tree.modules()[place].module;
        let number = match object {
            module::Object::Variable(name) => {
                let name = declared.variables.get(name)?.name;
                graph.number_in(place, module::Object::Variable(name))
            }
            module::Object::Output(name) => {
                let name = declared.outputs.get(name)?.name;
                graph.number_in(place, module::Object::Output(name))
            }
            _ => None,
        };
        graph.node(number?).map(|node| id(tree, &node))
    };
    for (place, module) in tree.modules().iter().enumerate() {
        let Some(stack) = &module.stack else { continue };
        let path = path_of(module);
        let own = |number: usize| id_in(tree, &path, &stack.objects[number]);
        let mut numbers: HashMap<Subject<'_>, usize> = HashMap::new();
        for (number, declared) in stack.objects.iter().enumerate() {
            let Some(subject) = declared.subject() else { continue };
            numbers.entry(subject).or_insert(number);
            let (module, address) = (path.clone(), declared.to_string());
            let kind = declared.kind.block_type();
            drawing.nodes.push(Node { id: own(number), kind, module, version: None, address });
        }
        let mut edges = Vec::new();
        stack.visit_references(|reference| {
            let from = &stack.objects[reference.from];
            let Some(subject) = Subject::of(reference.traversal) else { return };
            let Some(&to) = numbers.get(&subject).filter(|_| from.subject().is_some()) else {
                return;
            };
            edges.push((own(reference.from), own(to)));
            let name = match reference.traversal.steps().get(2).map(|step| step.kind) {
                Some(simd_hcl::native::StepKind::Attribute(name)) => name,
                _ => return,
            };
            let target = targets.get(&(place, to)).filter(|_| subject.kind == Kind::Component);
            if let Some(output) = target.and_then(|&it| object(it, module::Object::Output(name))) {
                edges.push((own(reference.from), output));
            }
        });
        // They are in the order of the stacks.
        let first = calls.partition_point(|call| call.stack < place);
        for call in calls[first..].iter().take_while(|call| call.stack == place) {
            let inputs = call.object.argument("inputs").and_then(|it| it.expression().as_map());
            for (key, _) in inputs.into_iter().flatten() {
                if let Some(variable) = object(call.target, module::Object::Variable(key.to_str()))
                {
                    edges.push((variable, own(call.number)));
                }
            }
        }
        edges.sort();
        edges.dedup();
        drawing.edges.extend(edges.into_iter().map(|(from, to)| Edge { from, to }));
    }
}
