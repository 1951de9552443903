//! Constants in the configuration that give sensitive values.
//!
//! A constant is hidden where
//!
//! * the instances of its resource mark the attribute that it gives, in whatever module;
//! * its resource has no instance, and instances of the same type mark that attribute;
//! * it gives a write-only attribute, which no value shows (named `…_wo`);
//! * it gives an output or a variable that is sensitive or ephemeral, or a variable that is nothing but the value
//!   of such an attribute, output or variable, up to the variables of the root module;
//! * it configures a provider, unless these constants are kept.

use super::marked::{Marked, is_sensitive};
use super::merged::MergedMarks;
use super::options::Options;
use crate::hash::{HashMap, HashSet};
use crate::json::{Node, Object, Value};
use crate::show::config::{ConfigCall, ConfigModule, ConfigResource, Configuration};
use crate::show::field::{ChildNodes, List, Map};
use crate::show::index::PlanIndex;
use crate::show::mark_tree::{MarkTree, sensitive_or_none};
use crate::show::names::ResourceMode;
use crate::show::plan::{Plan, ResourceChange};

/// The expressions of a configuration, module by module.
pub(super) struct Expressions<'a> {
    configuration: Configuration<'a>,
    options: Options,
    modules: Vec<Module<'a>>,
}

/// A module, and the call that leads to it.
struct Module<'a> {
    module: ConfigModule<'a>,
    caller: Option<usize>,
    call: Option<ConfigCall<'a>>,
    /// The arguments of the call by name.
    arguments: Option<HashMap<&'a str, Node<'a>>>,
}

/// Trees of marks of instances: of blocks by the place of the block, and by mode and type.
#[derive(Default)]
struct Trees<'a> {
    by_block: HashMap<u32, Vec<MarkTree<'a>>>,
    by_type: HashMap<(&'a str, &'a str), Vec<MarkTree<'a>>>,
    /// Those that are in a list already, by place and text: most instances of a block have the same tree.
    seen: HashSet<(u32, &'a [u8])>,
    seen_of_type: HashSet<(&'a str, &'a str, &'a [u8])>,
    /// Blocks that have an instance.
    planned: HashSet<u32>,
}

/// Variables whose values are secret, by module.
struct Variables<'a> {
    seen: HashSet<(usize, &'a str)>,
    todo: Vec<(usize, &'a str)>,
}

impl<'a> Expressions<'a> {
    pub(super) fn new(configuration: Configuration<'a>, options: Options) -> Self {
        let mut all = Self { configuration, options, modules: Vec::new() };
        let Some(root) = configuration.root_module().value() else { return all };
        let module = |module, caller, call| Module { module, caller, call, arguments: None };
        all.modules.push(module(root, None, None));
        // Modules that are added while this runs are reached by it.
        let mut at = 0;
        while let Some(caller) = all.modules.get(at) {
            let calls = caller.module.module_calls().value();
            for (_, call) in calls.into_iter().flat_map(Map::iter) {
                if let Some(called) = call.module().value() {
                    all.modules.push(module(called, Some(at), Some(call)));
                }
            }
            at += 1;
        }
        all
    }

    /// Notes what is to be hidden. Marks and values of variables come from the plan, if there is one.
    pub(super) fn hide(mut self, plan: Option<(Plan<'a>, &PlanIndex<'a>)>, marked: &mut Marked) {
        if !self.options.keep_provider_config {
            self.providers(marked);
        }
        let trees = plan.map(|(_, index)| Trees::of(index)).unwrap_or_default();
        let mut variables = Variables { seen: HashSet::default(), todo: Vec::new() };
        for number in 0..self.modules.len() {
            self.module(number, &trees, marked, &mut variables);
        }
        if let Some((plan, _)) = plan {
            self.root_outputs(plan, marked, &mut variables);
        }
        let values = plan.and_then(|(plan, _)| plan.variables().value());
        let values: HashMap<&str, _> = values.into_iter().flat_map(Map::iter).collect();
        while let Some((number, name)) = variables.todo.pop() {
            let Some(caller) = self.modules.get(number).and_then(|module| module.caller) else {
                marked.whole(values.get(name).and_then(|variable| variable.value()));
                continue;
            };
            if let Some(argument) = self.argument(number, name) {
                hide_all(argument, marked, &mut |it| variables.follow(caller, it));
            }
        }
    }

    fn argument(&mut self, number: usize, name: &str) -> Option<Node<'a>> {
        let module = self.modules.get_mut(number)?;
        let call = module.call?;
        let arguments = module.arguments.get_or_insert_with(|| {
            let arguments = call.expressions().value().into_iter().flat_map(Object::members);
            arguments.map(|member| (member.name().to_str(), member.value())).collect()
        });
        arguments.get(name).copied()
    }

    /// No mark says which arguments of providers are secret.
    fn providers(&self, marked: &mut Marked) {
        let mut constants = Marked::default();
        for (_, provider) in
            self.configuration.provider_config().value().into_iter().flat_map(Map::iter)
        {
            if let Some(arguments) = provider.expressions().value() {
                hide_all(arguments.node(), &mut constants, &mut |_| {});
            }
        }
        marked.unmarked.append(&mut constants.spans);
    }

    fn module(
        &self,
        number: usize,
        trees: &Trees<'a>,
        marked: &mut Marked,
        variables: &mut Variables<'a>,
    ) {
        let module = self.modules[number].module;
        for resource in module.resources().value().into_iter().flat_map(List::iter) {
            let Some(arguments) = resource.expressions().value() else { continue };
            let mut follow = |expression| variables.follow(number, expression);
            write_only(arguments, marked, &mut follow);
            let merged = MergedMarks::of(trees.of_block(resource));
            hide_marked(arguments.node(), &merged, marked, &mut follow);
        }
        for (_, output) in module.outputs().value().into_iter().flat_map(Map::iter) {
            let is_secret = [output.sensitive(), output.ephemeral()];
            if is_secret.into_iter().any(|field| field.value() == Some(true))
                && let Some(expression) = output.expression().value()
            {
                hide_all(expression.object().node(), marked, &mut |it| {
                    variables.follow(number, it);
                });
            }
        }
        for (name, variable) in module.variables().value().into_iter().flat_map(Map::iter) {
            let is_secret = [variable.sensitive(), variable.ephemeral()];
            if is_secret.into_iter().any(|field| field.value() == Some(true)) {
                variables.add(number, name);
                if self.options.defaults {
                    marked.whole(variable.object().get("default"));
                }
            }
        }
    }

    /// Outputs of the root module that the plan marks.
    fn root_outputs(&self, plan: Plan<'a>, marked: &mut Marked, variables: &mut Variables<'a>) {
        let Some(root) = self.modules.first() else { return };
        let outputs = root.module.outputs().value().into_iter().flat_map(Map::iter);
        let outputs: HashMap<&str, _> = outputs.collect();
        for (name, _) in plan.outputs().filter(|(_, change)| is_sensitive(*change)) {
            if let Some(expression) = outputs.get(name).and_then(|it| it.expression().value()) {
                hide_all(expression.object().node(), marked, &mut |it| variables.follow(0, it));
            }
        }
    }
}

impl<'a> Variables<'a> {
    fn add(&mut self, module: usize, name: &'a str) {
        if self.seen.insert((module, name)) {
            self.todo.push((module, name));
        }
    }

    /// Adds the variable that an expression is, if it is nothing else.
    fn follow(&mut self, module: usize, expression: Object<'a>) {
        let references = expression.get("references").and_then(Node::as_array);
        let Some(references) = references else { return };
        let mut references = references.elements().filter_map(Node::to_str);
        if let (Some(reference), None) = (references.next(), references.next())
            && let Some(name) = reference.strip_prefix("var.")
            && !name.contains(['.', '['])
        {
            self.add(module, name);
        }
    }
}

impl<'a> Trees<'a> {
    fn of(index: &PlanIndex<'a>) -> Self {
        let mut trees = Self::default();
        let plan = index.plan();
        let deferred = plan.deferred_changes().value().into_iter().flat_map(List::iter);
        let deferred = deferred.filter_map(|deferred| deferred.resource_change().value());
        for change in index.changes().iter().copied().chain(plan.drift()).chain(deferred) {
            trees.add(index, change);
        }
        for values in [
            plan.planned_values().value(),
            plan.prior_state().value().and_then(|state| state.values_field().value()),
        ] {
            for resource in values.into_iter().flat_map(|values| values.resources()) {
                let tree = sensitive_or_none(resource.sensitive_values());
                let Some(address) = resource.address().value() else { continue };
                let block = index.configuration(address);
                let kind = (
                    resource.mode().value().unwrap_or(ResourceMode::Managed).name(),
                    resource.resource_type().value().unwrap_or_default(),
                );
                trees.note(block, kind, tree);
            }
        }
        trees
    }

    fn add(&mut self, index: &PlanIndex<'a>, entry: ResourceChange<'a>) {
        let Some(change) = entry.change().value() else { return };
        let block = entry.address().value().and_then(|address| index.configuration(address));
        let kind = (
            entry.mode().value().unwrap_or(ResourceMode::Managed).name(),
            entry.resource_type().value().unwrap_or_default(),
        );
        for tree in [change.before_sensitive(), change.after_sensitive()] {
            self.note(block, kind, sensitive_or_none(tree));
        }
    }

    fn note(
        &mut self,
        block: Option<ConfigResource<'a>>,
        kind: (&'a str, &'a str),
        tree: MarkTree<'a>,
    ) {
        let text: &[u8] = match tree {
            MarkTree::Whole(_) => b"true",
            MarkTree::Object(object) => object.node().text(),
            MarkTree::Array(array) => array.node().text(),
        };
        if let Some(block) = block {
            let offset = block.object().node().offset();
            self.planned.insert(offset);
            if !tree.is_empty() && self.seen.insert((offset, text)) {
                self.by_block.entry(offset).or_default().push(tree);
            }
        }
        if !tree.is_empty() && self.seen_of_type.insert((kind.0, kind.1, text)) {
            self.by_type.entry(kind).or_default().push(tree);
        }
    }

    fn of_block(&self, block: ConfigResource<'a>) -> &[MarkTree<'a>] {
        let offset = block.object().node().offset();
        let trees = if self.planned.contains(&offset) {
            self.by_block.get(&offset)
        } else {
            let mode = block.mode().value().unwrap_or(ResourceMode::Managed).name();
            self.by_type.get(&(mode, block.resource_type().value().unwrap_or_default()))
        };
        trees.map(Vec::as_slice).unwrap_or_default()
    }
}

/// What a node of a configuration stands for.
#[derive(Clone, Copy)]
enum Stands {
    /// For arguments and blocks, or for an expression.
    Body,
    /// For a value.
    Value,
}

/// Hides the constants that marks cover, and calls `found` with each expression that is marked as a whole or stands in
/// a block that is. Every node is visited once. Cost: linear in the nodes.
fn hide_marked<'a>(
    root: Node<'a>,
    marks: &MergedMarks<'a>,
    marked: &mut Marked,
    found: &mut impl FnMut(Object<'a>),
) {
    let mut stack = vec![(root, MergedMarks::ROOT, Stands::Body)];
    while let Some((node, place, stands)) = stack.pop() {
        if marks.is_whole(place) {
            match stands {
                Stands::Value => marked.whole(Some(node)),
                Stands::Body => hide_all(node, marked, found),
            }
            continue;
        }
        if !marks.hides(place) {
            continue;
        }
        match (node.value(), stands) {
            (Value::Object(object), Stands::Body) if is_expression(object) => {
                if let Some(constant) = object.get("constant_value") {
                    stack.push((constant, place, Stands::Value));
                }
            }
            (Value::Object(object), _) => {
                for member in object.members() {
                    if let Some(inner) = marks.member(place, member.name().to_str()) {
                        stack.push((member.value(), inner, stands));
                    }
                }
            }
            (Value::Array(array), _) => {
                let inner = marks.element(place);
                stack.extend(array.elements().map(|element| (element, inner, stands)));
            }
            // A tree below a scalar does not fit it.
            (_, Stands::Value) => marked.whole(Some(node)),
            (_, Stands::Body) => {}
        }
    }
}

/// Whether an object is an expression. A block may have arguments of the same names, but these are objects.
fn is_expression(object: Object<'_>) -> bool {
    object.members().all(|member| match member.name().to_str() {
        "constant_value" => true,
        "references" => member.value().is_array(),
        _ => false,
    })
}

/// Hides all constants at a node and below it, and calls `found` with each expression there.
fn hide_all<'a>(root: Node<'a>, marked: &mut Marked, found: &mut impl FnMut(Object<'a>)) {
    let mut stack = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(node) = next {
            match node.value() {
                Value::Object(object) if is_expression(object) => {
                    marked.whole(object.get("constant_value"));
                    found(object);
                }
                Value::Object(object) => stack.push(ChildNodes::Members(object.members())),
                Value::Array(array) => stack.push(ChildNodes::Elements(array.elements())),
                _ => {}
            }
        }
        let Some(nodes) = stack.last_mut() else { return };
        next = nodes.next();
        if next.is_none() {
            stack.pop();
        }
    }
}

/// Hides what write-only attributes are given, in nested blocks too, and calls `found` with each of their expressions.
fn write_only<'a>(arguments: Object<'a>, marked: &mut Marked, found: &mut impl FnMut(Object<'a>)) {
    let mut stack = vec![arguments.node()];
    while let Some(node) = stack.pop() {
        match node.value() {
            Value::Object(object) if is_expression(object) => {}
            Value::Object(object) => {
                for member in object.members() {
                    if member.name().to_str().ends_with("_wo") {
                        hide_all(member.value(), marked, found);
                    } else if member.value().is_object() || member.value().is_array() {
                        stack.push(member.value());
                    }
                }
            }
            Value::Array(array) => stack.extend(array.elements()),
            _ => {}
        }
    }
}
