//! Sensitive values with marks beside them: in changes, in planned and prior values, in outputs and
//! variables.

use super::configuration::Expressions;
use super::hints::Hints;
use super::instances::{Entry, Identity, Instances, Side};
use super::marked::{Marked, is_sensitive};
use super::marks::cover;
use super::options::Options;
use crate::hash::HashSet;
use crate::json::{Node, Object};
use crate::parallel;
use crate::show::field::{Field, List, Map, Read};
use crate::show::mark_text::{hides, is_of_marks};
use crate::show::plan::{ActionInvocation, Plan};
use crate::show::state::{State, Values};
use crate::span::Span;

/// The elements of a list, of any type.
fn elements<'a, T: Read<'a>>(list: Field<'a, List<'a, T>>) -> impl Iterator<Item = Node<'a>> {
    list.value().into_iter().flat_map(|list| list.array().elements())
}

/// The resources of all modules.
fn resources<'a>(values: Option<Values<'a>>) -> impl Iterator<Item = Node<'a>> {
    values.into_iter().flat_map(Values::modules).flat_map(|module| elements(module.resources()))
}

/// The number of changes or resources that a thread takes at once.
const AT_ONCE: usize = 256;

/// A change with marks.
pub(super) struct MarkedChange<'a> {
    pub(super) instance: Identity<'a>,
    /// The tree of each side, and whether that side has a value.
    pub(super) sides: [Option<(Node<'a>, bool)>; 2],
    pub(super) is_planned: bool,
}

impl<'a> MarkedChange<'a> {
    /// Records the trees.
    pub(super) fn note(&self, instances: &mut Instances<'a>) {
        for (side, marks) in [Side::Before, Side::After].into_iter().zip(self.sides) {
            let Some((tree, has_value)) = marks else { continue };
            instances.note(&self.instance, tree);
            if self.is_planned && has_value {
                instances.add_change(&self.instance, side, tree);
            }
        }
    }
}

/// A resource among values, and its own tree of marks.
pub(super) struct Resource<'a> {
    pub(super) entry: Entry<'a>,
    pub(super) side: Side,
    pub(super) tree: Option<Node<'a>>,
}

impl<'a> Resource<'a> {
    /// Adds the parts of the value that changes of the same address mark. Returns its own tree if
    /// these do not have it.
    pub(super) fn cover(
        &self,
        instances: &Instances<'_>,
        spans: &mut Vec<Span>,
    ) -> Option<Node<'a>> {
        let trees = instances.match_value(&self.entry, self.side);
        // A change usually has the same tree, which was recorded with it.
        let is_new = |other: &Node<'_>| self.tree.is_none_or(|tree| tree.text() != other.text());
        if let Some(value) = self.entry.values {
            for tree in trees.iter().filter(|tree| is_new(tree)) {
                cover(value, *tree, spans);
            }
        }
        self.tree.filter(|_| trees.iter().all(is_new))
    }
}

impl Marked {
    pub(super) fn plan(&mut self, plan: Plan<'_>, options: Options) {
        let expressions = plan.configuration().value().map(|all| Expressions::new(all, options));
        let planned = plan.planned_values().value();
        let prior = plan.prior_state().value().and_then(|state| state.values_field().value());
        let sides = [(Side::Before, prior), (Side::After, planned)];
        let hints = &Hints::of(plan.object().node(), options.is_parallel());
        let changes = || {
            let (mut marked, mut instances) =
                (Self::default(), Instances::new(Some(plan), expressions.is_some()));
            marked.changes(plan, hints, &mut instances, options.is_parallel());
            (marked, instances)
        };
        let values = || {
            let (mut marked, mut found) = (Self::default(), Vec::new());
            for (side, values) in sides {
                marked.values(values, side, hints, &mut found, options.is_parallel());
            }
            (marked, found)
        };
        let ((changes, mut instances), (values, found)) = match options.is_parallel() {
            true => parallel::join(changes, values),
            false => (changes(), values()),
        };
        self.append(changes);
        self.append(values);
        self.marks_of_changes(&found, &mut instances, options.is_parallel());
        // Some plans mark a value only in a change.
        for (side, values) in sides {
            if instances.has_unmatched(side) {
                let mut near = hints.near();
                let others = resources(values).filter(|resource| !near.touch(resource.span()));
                let others: Vec<Resource<'_>> = others
                    .map(|node| Resource { entry: Entry::of(node), side, tree: None })
                    .collect();
                self.is_malformed |= others.iter().any(|other| other.entry.is_malformed);
                self.marks_of_changes(&others, &mut instances, options.is_parallel());
            }
        }
        self.plan_outputs(plan, sides.map(|(_, values)| values));
        if let Some(expressions) = expressions {
            expressions.hide(Some((plan, &instances)), Vec::new(), self);
        }
    }

    pub(super) fn changes<'a>(
        &mut self,
        plan: Plan<'a>,
        hints: &Hints,
        instances: &mut Instances<'a>,
        is_parallel: bool,
    ) {
        let mut near = hints.near();
        let planned = elements(plan.resource_changes()).map(|node| (node, true));
        let drift = elements(plan.resource_drift()).map(|node| (node, false));
        let deferred = plan.deferred_changes().value().into_iter().flat_map(List::iter);
        let deferred = deferred.filter_map(|deferred| deferred.object().get("resource_change"));
        let nodes = planned.chain(drift).filter(|(node, _)| near.touch(node.span()));
        let nodes: Vec<(Node<'a>, bool)> =
            nodes.chain(deferred.map(|node| (node, false))).collect();
        let all: &Instances<'a> = instances;
        let read = parallel::chunks(&nodes, AT_ONCE, is_parallel, |nodes| {
            let (mut marked, mut changes) = (Self::default(), Vec::new());
            for (node, is_planned) in nodes {
                changes.extend(marked.change(*node, *is_planned, all));
            }
            (marked, changes)
        });
        for (marked, changes) in read {
            self.append(marked);
            changes.iter().for_each(|change| change.note(instances));
        }
        for action in plan.action_invocations().value().into_iter().flat_map(List::iter) {
            self.action(action);
        }
        let deferred = plan.deferred_action_invocations().value().into_iter().flat_map(List::iter);
        for action in deferred.filter_map(|deferred| deferred.action_invocation().value()) {
            self.action(action);
        }
    }

    pub(super) fn state(&mut self, state: State<'_>) {
        // Redacted states have their resources in another place.
        for resource in state.resources() {
            self.resource(resource.object().node());
        }
        for (_, output) in state.outputs() {
            if output.sensitive().value() == Some(true) {
                self.whole(output.value());
            }
        }
    }

    /// Sensitive outputs of state files of version 1 to 3.
    pub(super) fn old_state(&mut self, root: Object<'_>) {
        let modules = root.get("modules").and_then(Node::as_array);
        for module in modules.into_iter().flat_map(|modules| modules.elements()) {
            let outputs = module.as_object().and_then(|module| module.get("outputs"));
            let outputs = outputs.and_then(Node::as_object);
            for output in outputs.into_iter().flat_map(|outputs| outputs.members()) {
                let Some(output) = output.value().as_object() else { continue };
                if output.get("sensitive").and_then(Node::as_bool) == Some(true) {
                    self.whole(output.get("value"));
                }
            }
        }
    }

    /// The marked parts of a change. If it `is_planned`, values of the same address have the same
    /// marks.
    pub(super) fn change<'a>(
        &mut self,
        node: Node<'a>,
        is_planned: bool,
        instances: &Instances<'_>,
    ) -> Option<MarkedChange<'a>> {
        let entry = Entry::of(node);
        self.is_malformed |= entry.is_malformed;
        let sides = self.sides(entry.change.and_then(Node::as_object)?);
        let sides = sides.map(|(value, tree)| {
            tree.map(|tree| (tree, value.is_some_and(|value| !value.is_null())))
        });
        let has_marks = sides.iter().any(Option::is_some);
        has_marks.then(|| MarkedChange { instance: instances.identity(&entry), sides, is_planned })
    }

    /// The marked parts of both sides of a change. Returns the values with the trees that mark them.
    fn sides<'a>(&mut self, change: Object<'a>) -> [(Option<Node<'a>>, Option<Node<'a>>); 2] {
        let [mut before, mut after, mut before_sensitive, mut after_sensitive] = [None; 4];
        for member in change.members() {
            let slot = match member.name().to_bytes() {
                b"before" => &mut before,
                b"after" => &mut after,
                b"before_sensitive" => &mut before_sensitive,
                b"after_sensitive" => &mut after_sensitive,
                _ => continue,
            };
            self.is_malformed |= slot.is_some();
            slot.get_or_insert(member.value());
        }
        [(before, before_sensitive), (after, after_sensitive)]
            .map(|(value, tree)| (value, self.marked(value, tree)))
    }

    fn action(&mut self, action: ActionInvocation<'_>) {
        let get = |name| action.object().get(name);
        self.marked(get("config_values"), get("config_sensitive"));
    }

    /// The marked parts of a value. Returns the tree if it marks anything.
    fn marked<'a>(&mut self, value: Option<Node<'a>>, tree: Option<Node<'a>>) -> Option<Node<'a>> {
        let tree = tree.filter(|tree| hides(*tree))?;
        self.is_malformed |= !is_of_marks(tree);
        if let Some(value) = value {
            cover(value, tree, &mut self.spans);
        }
        Some(tree)
    }

    /// Outputs and resources, by their own marks. Adds the resources that have some to `found`.
    pub(super) fn values<'a>(
        &mut self,
        values: Option<Values<'a>>,
        side: Side,
        hints: &Hints,
        found: &mut Vec<Resource<'a>>,
        is_parallel: bool,
    ) {
        let outputs = values.and_then(|values| values.outputs().value());
        for (_, output) in outputs.into_iter().flat_map(Map::iter) {
            if output.sensitive().value() == Some(true) {
                self.whole(output.value());
            }
        }
        let mut near = hints.near();
        let nodes = resources(values).filter(|resource| near.touch(resource.span()));
        let nodes: Vec<Node<'a>> = nodes.collect();
        let read = parallel::chunks(&nodes, AT_ONCE, is_parallel, |nodes| {
            let (mut marked, mut found) = (Self::default(), Vec::new());
            for node in nodes {
                let (entry, tree) = marked.resource(*node);
                found.push(Resource { entry, side, tree });
            }
            (marked, found)
        });
        for (marked, mut resources) in read {
            self.append(marked);
            found.append(&mut resources);
        }
    }

    /// The parts of a resource that its own tree marks.
    pub(super) fn resource<'a>(&mut self, resource: Node<'a>) -> (Entry<'a>, Option<Node<'a>>) {
        let entry = Entry::of(resource);
        self.is_malformed |= entry.is_malformed;
        (entry, self.marked(entry.values, entry.sensitive_values))
    }

    /// Applies the marks of changes, which may have more marks than the resource itself.
    fn marks_of_changes<'a>(
        &mut self,
        resources: &[Resource<'a>],
        instances: &mut Instances<'a>,
        is_parallel: bool,
    ) {
        let all: &Instances<'a> = instances;
        let read = parallel::chunks(resources, AT_ONCE, is_parallel, |resources| {
            let (mut spans, mut unknown) = (Vec::new(), Vec::new());
            for resource in resources {
                if let Some(tree) = resource.cover(all, &mut spans) {
                    unknown.push((all.identity(&resource.entry), tree));
                }
            }
            (spans, unknown)
        });
        for (mut spans, unknown) in read {
            self.spans.append(&mut spans);
            unknown.iter().for_each(|(instance, tree)| instances.note(instance, *tree));
        }
    }

    /// Outputs of the root module. An output that is sensitive anywhere in the plan is hidden
    /// everywhere.
    pub(super) fn plan_outputs<'a>(&mut self, plan: Plan<'a>, values: [Option<Values<'a>>; 2]) {
        let changes = || {
            let all = plan.output_changes().value().into_iter().flat_map(Map::iter);
            all.flat_map(|(name, output)| output.forms().map(move |change| (name, change)))
        };
        let mut names = HashSet::default();
        for (name, change) in changes() {
            self.sides(change.object());
            if is_sensitive(change) {
                names.insert(name);
            }
        }
        let outputs = || {
            let all = values.iter().flatten().filter_map(|values| values.outputs().value());
            all.flat_map(Map::iter)
        };
        for (name, output) in outputs() {
            if output.sensitive().value() == Some(true) {
                names.insert(name);
            }
        }
        let root = plan.configuration().value().and_then(|all| all.root_module().value());
        for (name, output) in
            root.and_then(|root| root.outputs().value()).into_iter().flat_map(Map::iter)
        {
            let is_secret = [output.sensitive(), output.ephemeral()];
            if is_secret.into_iter().any(|field| field.value() == Some(true)) {
                names.insert(name);
            }
        }
        for (_, change) in changes().filter(|(name, _)| names.contains(name)) {
            self.whole(change.object().get("before"));
            self.whole(change.object().get("after"));
        }
        for (_, output) in outputs().filter(|(name, _)| names.contains(name)) {
            self.whole(output.value());
        }
    }
}
