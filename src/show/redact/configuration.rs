//! Constants of the configuration that sensitive values come from.
//!
//! A constant is hidden if
//!
//! * the instances of its resource, in any module, mark the attribute that it sets;
//! * its resource has no instance, and instances of the same type mark this attribute;
//! * it sets a write-only attribute, which no value shows (named `…_wo`);
//! * it sets an output or a variable that is sensitive or ephemeral, or a variable whose value is
//!   just such an attribute, output or variable, up to the variables of the root module;
//! * it configures a provider, unless these constants are kept.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use smallvec::SmallVec;

use super::instances::{self, Instances, ModulePath};
use super::marked::{Marked, is_sensitive};
use super::merged::MergedMarks;
use super::options::Options;
use crate::hash::{HashMap, HashSet};
use crate::json::{JsonValue, Node, Object};
use crate::parallel;
use crate::show::config::{ConfigModule, ConfigResource, Configuration};
use crate::show::field::{ChildNodes, Field, List, Map};
use crate::show::plan::Plan;
use crate::value::says_where;

/// The suffix of names of write-only attributes, and the mark of an escape in a name.
static WRITE_ONLY: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new("_wo\""), Finder::new("\\u")]);

/// The number of resources that a thread takes at once.
const AT_ONCE: usize = 256;

/// The expressions of a configuration, module by module.
pub(super) struct Expressions<'a> {
    configuration: Configuration<'a>,
    options: Options,
    modules: Vec<Module<'a>>,
}

/// A module, and its call.
struct Module<'a> {
    module: ConfigModule<'a>,
    caller: Option<usize>,
    path: ModulePath,
    name: &'a str,
    call: Option<Object<'a>>,
    /// The arguments of the call by name.
    arguments: Option<HashMap<&'a str, SmallVec<[Node<'a>; 1]>>>,
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
        let module = |module, caller, (path, name), call| Module {
            module,
            caller,
            path,
            name,
            call,
            arguments: None,
        };
        all.modules.push(module(root, None, (instances::ROOT, ""), None));
        // The loop also reaches modules that are added while it runs.
        let mut at = 0;
        while let Some(caller) = all.modules.get(at) {
            let (calls, path) = (caller.module.module_calls().value(), caller.path);
            for (name, call) in calls.into_iter().flat_map(Map::iter) {
                if let Some(called) = call.module().value() {
                    let path = instances::called(path, name);
                    all.modules.push(module(called, Some(at), (path, name), Some(call.object())));
                }
            }
            at += 1;
        }
        all
    }

    /// The modules, callers first.
    pub(super) fn modules(&self) -> impl Iterator<Item = (ConfigModule<'a>, ModulePath)> {
        self.modules.iter().map(|module| (module.module, module.path))
    }

    /// The number of the module that calls a module, and the name of the call.
    pub(super) fn call(&self, number: usize) -> Option<(usize, &'a str)> {
        let module = self.modules.get(number)?;
        Some((module.caller?, module.name))
    }

    /// Collects the parts to hide. Marks and values of variables come from the plan, if there is
    /// one. `known` are variables whose values are secret: the number of the module, and the name.
    pub(super) fn hide(
        mut self,
        plan: Option<(Plan<'a>, &Instances<'a>)>,
        known: Vec<(usize, &'a str)>,
        marked: &mut Marked,
    ) {
        if !self.options.keep_provider_config {
            self.providers(marked);
        }
        let mut variables = Variables { seen: HashSet::default(), todo: Vec::new() };
        known.into_iter().for_each(|(module, name)| variables.add(module, name));
        for number in 0..self.modules.len() {
            self.module(number, plan.map(|(_, instances)| instances), marked, &mut variables);
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
            for argument in self.arguments(number, name) {
                hide_all(argument, marked, &mut |it| variables.follow(caller, it));
            }
        }
    }

    /// The values of a variable of a module in its call; several if the name is duplicate.
    fn arguments(&mut self, number: usize, name: &str) -> SmallVec<[Node<'a>; 1]> {
        let Some(module) = self.modules.get_mut(number) else { return SmallVec::new() };
        let call = module.call;
        let arguments = module.arguments.get_or_insert_with(|| {
            let arguments = call.and_then(|call| call.get("expressions")?.as_object());
            let mut by_name: HashMap<&str, SmallVec<[Node<'a>; 1]>> = HashMap::default();
            for member in arguments.into_iter().flat_map(Object::members) {
                by_name.entry(member.name().to_str()).or_default().push(member.value());
            }
            by_name
        });
        arguments.get(name).cloned().unwrap_or_default()
    }

    /// Hides all constants of providers: no mark shows which of them are secret. Those that only say
    /// where something is stay elsewhere.
    fn providers(&self, marked: &mut Marked) {
        let mut places = Marked::default();
        let providers = self.configuration.provider_config().value();
        let arguments = providers.into_iter().flat_map(Map::iter);
        let arguments = arguments.filter_map(|(_, provider)| provider.expressions().value());
        for argument in arguments.flat_map(Object::members) {
            let is_place = says_where(argument.name().to_str());
            let found = if is_place { &mut places } else { &mut *marked };
            hide_all(argument.value(), found, &mut |_| {});
        }
        marked.unmarked.append(&mut places.spans);
    }

    fn module(
        &self,
        number: usize,
        instances: Option<&Instances<'a>>,
        marked: &mut Marked,
        variables: &mut Variables<'a>,
    ) {
        let Module { module, path, .. } = self.modules[number];
        let resources: Vec<_> =
            module.resources().value().into_iter().flat_map(List::iter).collect();
        let is_parallel = self.options.is_parallel();
        let read = parallel::chunks(&resources, AT_ONCE, is_parallel, |resources| {
            let (mut marked, mut found) = (Marked::default(), Vec::new());
            for resource in resources {
                marked.expressions(*resource, path, instances, &mut |it| found.push(it));
            }
            (marked, found)
        });
        for (found, expressions) in read {
            marked.append(found);
            expressions.into_iter().for_each(|it| variables.follow(number, it));
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
                if !self.options.keep_defaults {
                    marked.whole(variable.object().get("default"));
                }
            }
        }
    }

    /// Follows the outputs of the root module that the plan marks.
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

impl Marked {
    /// The constants of a resource to hide. Calls `found` with each expression that is hidden.
    pub(super) fn expressions<'a>(
        &mut self,
        resource: ConfigResource<'a>,
        module: ModulePath,
        instances: Option<&Instances<'_>>,
        found: &mut impl FnMut(Object<'a>),
    ) {
        let arguments = || resource.expressions().value();
        let text = resource.object().node().text();
        if WRITE_ONLY.iter().any(|finder| finder.find(text).is_some())
            && let Some(arguments) = arguments()
        {
            write_only(arguments, self, found);
        }
        let marks = instances.and_then(|all| all.marks(module, resource.object()));
        if let Some(marks) = marks
            && let Some(arguments) = arguments()
        {
            hide_marked(arguments.node(), marks, self, found);
        }
    }
}

/// The variable, if an expression is just a variable.
pub(super) fn variable(expression: Object<'_>) -> Option<&str> {
    let references = Field::<List<'_, &str>>::of(expression.get("references")).value();
    let mut references = references.into_iter().flat_map(List::iter);
    let (Some(reference), None) = (references.next(), references.next()) else { return None };
    let name = reference.strip_prefix("var.")?;
    (!name.contains(['.', '['])).then_some(name)
}

impl<'a> Variables<'a> {
    fn add(&mut self, module: usize, name: &'a str) {
        if self.seen.insert((module, name)) {
            self.todo.push((module, name));
        }
    }

    /// Adds the variable, if the expression is just a variable.
    fn follow(&mut self, module: usize, expression: Object<'a>) {
        if let Some(name) = variable(expression) {
            self.add(module, name);
        }
    }
}

/// The kind of a node of a configuration.
#[derive(Clone, Copy)]
enum Stands {
    /// Arguments and blocks, or an expression.
    Body,
    /// A value.
    Value,
}

/// Hides the constants that marks cover, and calls `found` with each expression that is marked as a
/// whole or is in a block that is marked as a whole. Cost: linear in the nodes, each of which is
/// visited once.
fn hide_marked<'a>(
    root: Node<'a>,
    marks: &MergedMarks<'_>,
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
            (JsonValue::Object(object), Stands::Body) if is_expression(object) => {
                let constants = object.get_all("constant_value");
                stack.extend(constants.map(|constant| (constant, place, Stands::Value)));
            }
            (JsonValue::Object(object), _) => {
                for member in object.members() {
                    if let Some(inner) = marks.member(place, member.name().to_str()) {
                        stack.push((member.value(), inner, stands));
                    }
                }
            }
            (JsonValue::Array(array), _) => {
                let inner = marks.element(place);
                stack.extend(array.elements().map(|element| (element, inner, stands)));
            }
            // The tree does not fit a scalar.
            (_, Stands::Value) => marked.whole(Some(node)),
            (_, Stands::Body) => {}
        }
    }
}

/// Whether an object is an expression. A block may have arguments of the same names, but these are
/// objects.
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
                JsonValue::Object(object) if is_expression(object) => {
                    object.get_all("constant_value").for_each(|it| marked.whole(Some(it)));
                    found(object);
                }
                JsonValue::Object(object) => stack.push(ChildNodes::Members(object.members())),
                JsonValue::Array(array) => stack.push(ChildNodes::Elements(array.elements())),
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

/// Hides the values of write-only attributes, also in nested blocks, and calls `found` with each of
/// their expressions.
fn write_only<'a>(arguments: Object<'a>, marked: &mut Marked, found: &mut impl FnMut(Object<'a>)) {
    let mut stack = vec![arguments.node()];
    while let Some(node) = stack.pop() {
        match node.value() {
            JsonValue::Object(object) if is_expression(object) => {}
            JsonValue::Object(object) => {
                for member in object.members() {
                    if member.name().to_str().ends_with("_wo") {
                        hide_all(member.value(), marked, found);
                    } else if member.value().is_object() || member.value().is_array() {
                        stack.push(member.value());
                    }
                }
            }
            JsonValue::Array(array) => stack.extend(array.elements()),
            _ => {}
        }
    }
}
