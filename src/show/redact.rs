//! Redaction: a plan or state with its sensitive values replaced, byte for byte the same elsewhere.
//!
//! [`Places`] are where it is sensitive: by the trees of marks in changes, of planned values by the change of the
//! same address, of prior values too; outputs and variables that say so; constants that the configuration gives
//! to sensitive variables of modules. [`write()`] copies the document and writes [`REDACTED`] there.
//!
//! A tree that does not fit its value hides all of the value. Defaults of sensitive variables stay unless
//! [`Options::defaults`] is set, as in the tool that this follows.

use std::io;

use super::config::{ConfigVariable, Configuration};
use super::field::{ChildNodes, Field, List, Map};
use super::index::PlanIndex;
use super::leaves::{Content, Leaves, is_sorted};
use super::plan::{MarkTree, Plan, ResourceChange, tree_or_none};
use super::state::{RawState, State, Values};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::hash::{HashMap, HashSet};
use crate::json::{Node, Object, Value};
use crate::source::Source;
use crate::span::Span;

/// What stands in the place of a sensitive value.
pub const REDACTED: &str = "\"REDACTED_SENSITIVE\"";

/// What is redacted beside the values that are marked.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Defaults of sensitive variables in the configuration.
    pub defaults: bool,
}

impl Options {
    /// With or without the defaults of sensitive variables.
    #[must_use]
    pub fn with_defaults(mut self, defaults: bool) -> Self {
        self.defaults = defaults;
        self
    }
}

/// Sensitive values of a document, in order and apart from each other.
#[derive(Clone, Debug, Default)]
pub struct Places {
    spans: Vec<Span>,
}

impl Places {
    /// The bytes of the values.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Whether one of them has bytes in common with `span`.
    #[must_use]
    pub fn touch(&self, span: Span) -> bool {
        let behind = self.spans.partition_point(|place| place.end <= span.start);
        self.spans.get(behind).is_some_and(|place| place.start < span.end)
    }

    /// The sensitive values of a plan.
    #[must_use]
    pub fn of_plan(plan: Plan<'_>, options: Options) -> Self {
        let mut places = Self::default();
        let index = PlanIndex::new(plan, &mut ());
        for change in index.changes().iter().copied().chain(plan.drift()) {
            places.change(change);
        }
        let deferred = plan.deferred_changes().value().into_iter().flat_map(List::iter);
        for change in deferred.filter_map(|deferred| deferred.resource_change().value()) {
            places.change(change);
        }
        for (_, change) in plan.outputs() {
            places.marked(change.object().get("before"), tree_or_none(change.before_sensitive()));
            places.marked(change.object().get("after"), tree_or_none(change.after_sensitive()));
        }
        for action in plan.action_invocations().value().into_iter().flat_map(List::iter) {
            let values = action.object().get("config_values");
            places.marked(values, tree_or_none(action.config_sensitive()));
        }
        if let Some(values) = plan.planned_values().value() {
            places.values(values, |address, _| {
                let change = index.change(address, None)?.change().value()?;
                change.after_sensitive().value()
            });
        }
        let prior = plan.prior_state().value().and_then(|state| state.values_field().value());
        if let Some(values) = prior {
            let moved: HashMap<&str, ResourceChange<'_>> = index
                .changes()
                .iter()
                .filter_map(|change| Some((change.previous_address().value()?, *change)))
                .collect();
            places.values(values, |address, deposed| {
                let change = index.change(address, deposed);
                let change = change.or_else(|| moved.get(address).copied())?.change().value()?;
                change.before_sensitive().value()
            });
        }
        if let Some(configuration) = plan.configuration().value() {
            places.configuration(plan, configuration, options);
        }
        places.settle()
    }

    /// The sensitive values of a printed state.
    #[must_use]
    pub fn of_state(state: State<'_>) -> Self {
        let mut places = Self::default();
        if let Some(values) = state.values_field().value() {
            places.values(values, |_, _| None);
        }
        places.settle()
    }

    /// The sensitive values of a state file: outputs that say so, and attributes whose paths are listed.
    #[must_use]
    pub fn of_raw_state(state: RawState<'_>) -> Self {
        let mut places = Self::default();
        for (_, output) in state.outputs().value().into_iter().flat_map(Map::iter) {
            if output.sensitive().value() == Some(true) {
                places.whole(output.value());
            }
        }
        for resource in state.resources().value().into_iter().flat_map(List::iter) {
            for instance in resource.instances().value().into_iter().flat_map(List::iter) {
                let Field::Value(paths) = instance.sensitive_attributes() else { continue };
                let mut attributes = Attributes::default();
                for path in paths.iter() {
                    places.whole(attributes.at_path(instance.object().get("attributes"), path));
                }
            }
        }
        places.settle()
    }

    fn whole(&mut self, value: Option<Node<'_>>) {
        self.spans.extend(value.filter(|node| !node.is_null()).map(Node::span));
    }

    fn change(&mut self, change: ResourceChange<'_>) {
        let Some(change) = change.change().value() else { return };
        self.marked(change.object().get("before"), tree_or_none(change.before_sensitive()));
        self.marked(change.object().get("after"), tree_or_none(change.after_sensitive()));
    }

    /// The marked parts of a value.
    fn marked<'a>(&mut self, value: Option<Node<'a>>, sensitive: MarkTree<'a>) {
        if sensitive.is_empty() {
            return;
        }
        for leaf in Leaves::new(value, MarkTree::Whole(false), sensitive) {
            if let Content::Known(node) = leaf.content
                && leaf.is_sensitive
            {
                self.spans.push(node.span());
            }
        }
    }

    /// Outputs and resources; `marks` knows more of a resource than it says itself.
    fn values<'a>(
        &mut self,
        values: Values<'a>,
        marks: impl Fn(&str, Option<&str>) -> Option<MarkTree<'a>>,
    ) {
        for (_, output) in values.outputs().value().into_iter().flat_map(Map::iter) {
            if output.sensitive().value() == Some(true) {
                self.whole(output.value());
            }
        }
        for resource in values.resources() {
            let value = resource.values_node();
            self.marked(value, tree_or_none(resource.sensitive_values()));
            if let Field::Value(address) = resource.address()
                && let Some(tree) = marks(address, resource.deposed_key().value())
            {
                self.marked(value, tree);
            }
        }
    }

    fn configuration(
        &mut self,
        plan: Plan<'_>,
        configuration: Configuration<'_>,
        options: Options,
    ) {
        let root = configuration.root_module().value();
        let variables = root.and_then(|root| root.variables().value());
        let sensitive = sensitive_names(variables);
        for (name, variable) in plan.variables().value().into_iter().flat_map(Map::iter) {
            if sensitive.contains(name) {
                self.whole(variable.value());
            }
        }
        for module in configuration.modules() {
            if options.defaults {
                for (_, variable) in module.variables().value().into_iter().flat_map(Map::iter) {
                    if variable.sensitive().value() == Some(true) {
                        self.whole(variable.object().get("default"));
                    }
                }
            }
            for (_, call) in module.module_calls().value().into_iter().flat_map(Map::iter) {
                let declared = call.module().value().and_then(|module| module.variables().value());
                let Some(arguments) = call.expressions().value() else { continue };
                let sensitive = sensitive_names(declared);
                for member in arguments.members() {
                    if sensitive.contains(member.name().to_str()) {
                        let expression = member.value().as_object();
                        self.whole(expression.and_then(|object| object.get("constant_value")));
                    }
                }
            }
        }
    }

    /// Sorts, and drops what is inside of another place.
    fn settle(mut self) -> Self {
        self.spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut end = 0;
        self.spans.retain(|span| {
            let is_new = span.start >= end;
            end = end.max(span.end);
            is_new
        });
        self
    }
}

/// The names of the variables that are sensitive.
fn sensitive_names<'a>(variables: Option<Map<'a, ConfigVariable<'a>>>) -> HashSet<&'a str> {
    let variables = variables.into_iter().flat_map(Map::iter);
    let is_sensitive = |variable: &ConfigVariable<'_>| variable.sensitive().value() == Some(true);
    variables.filter(|(_, variable)| is_sensitive(variable)).map(|(name, _)| name).collect()
}

/// Reports every member whose name its object has already. Of such members the first counts, so the secrets
/// of the others would stay; no tool writes them. Opens everything; linear, without recursion.
pub fn check_names<'a>(root: Node<'a>, sink: &mut dyn Sink<'a>) {
    let mut stack = Vec::new();
    let mut next = Some(root);
    loop {
        match next.map(Node::value) {
            Some(Value::Object(object)) => {
                check_members(object, sink);
                stack.push(ChildNodes::Members(object.members()));
            }
            Some(Value::Array(array)) => stack.push(ChildNodes::Elements(array.elements())),
            _ => {}
        }
        let Some(nodes) = stack.last_mut() else { return };
        next = nodes.next();
        if next.is_none() {
            stack.pop();
        }
    }
}

fn check_members<'a>(object: Object<'a>, sink: &mut dyn Sink<'a>) {
    if is_sorted(object.members()) {
        return;
    }
    let mut names = HashSet::default();
    for member in object.members() {
        if !names.insert(member.name().to_bytes()) {
            sink.report(
                Diagnostic::new(Code::DuplicateAttribute, member.name_label())
                    .with_arguments(&[member.name().to_str()]),
            );
        }
    }
}

/// Finds what the paths of `sensitive_attributes` name. The members of each container are listed once, however
/// many paths lead through it.
#[derive(Default)]
struct Attributes<'a> {
    objects: HashMap<u32, HashMap<&'a str, Node<'a>>>,
    arrays: HashMap<u32, Vec<Node<'a>>>,
}

impl<'a> Attributes<'a> {
    /// The value that a path names, or the last on the way to it: what cannot be followed further is hidden as a
    /// whole.
    fn at_path(&mut self, attributes: Option<Node<'a>>, path: Node<'a>) -> Option<Node<'a>> {
        let mut node = attributes?;
        let steps = path.as_array().into_iter().flat_map(|steps| steps.elements());
        for step in steps {
            match self.below(node, step) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        Some(node)
    }

    fn below(&mut self, node: Node<'a>, step: Node<'a>) -> Option<Node<'a>> {
        let value = step.as_object()?.get("value")?;
        // The key of an index may be wrapped with its type.
        let value = value.as_object().map_or(Some(value), |wrapped| wrapped.get("value"))?;
        match value.as_number() {
            Some(number) => self.element(node, number.as_u64()?),
            None => self.member(node, value.to_str()?),
        }
    }

    fn member(&mut self, node: Node<'a>, name: &str) -> Option<Node<'a>> {
        let object = node.as_object()?;
        let members = self.objects.entry(node.offset()).or_insert_with(|| {
            let mut members = HashMap::default();
            for member in object.members() {
                members.entry(member.name().to_str()).or_insert(member.value());
            }
            members
        });
        members.get(name).copied()
    }

    fn element(&mut self, node: Node<'a>, index: u64) -> Option<Node<'a>> {
        let array = node.as_array()?;
        let elements = self.arrays.entry(node.offset());
        let elements = elements.or_insert_with(|| array.elements().collect());
        elements.get(usize::try_from(index).ok()?).copied()
    }
}

/// Writes the document with [`REDACTED`] in the places.
///
/// # Errors
/// Those of `out`.
pub fn write(source: Source<'_>, places: &Places, out: &mut dyn io::Write) -> io::Result<()> {
    let bytes = source.bytes();
    let mut done = 0;
    for span in &places.spans {
        out.write_all(bytes.get(done..span.start as usize).unwrap_or_default())?;
        out.write_all(REDACTED.as_bytes())?;
        done = span.end as usize;
    }
    out.write_all(bytes.get(done..).unwrap_or_default())
}
