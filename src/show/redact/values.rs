//! Sensitive values by the marks beside them: of changes, of planned and prior values, of outputs and variables.

use super::configuration::Expressions;
use super::marked::{Marked, is_sensitive};
use super::options::Options;
use crate::hash::{HashMap, HashSet};
use crate::json::{Node, Object};
use crate::show::field::{List, Map};
use crate::show::index::PlanIndex;
use crate::show::leaves::{Content, Leaves};
use crate::show::mark_tree::{MarkTree, sensitive_or_none};
use crate::show::plan::{ActionInvocation, Change, Plan, ResourceChange};
use crate::show::state::{State, Values};

impl Marked {
    pub(super) fn plan(&mut self, plan: Plan<'_>, options: Options) {
        let index = PlanIndex::new(plan, &mut ());
        for change in index.changes().iter().copied().chain(plan.drift()) {
            self.change(change);
        }
        let deferred = plan.deferred_changes().value().into_iter().flat_map(List::iter);
        for change in deferred.filter_map(|deferred| deferred.resource_change().value()) {
            self.change(change);
        }
        for action in plan.action_invocations().value().into_iter().flat_map(List::iter) {
            self.action(action);
        }
        let deferred = plan.deferred_action_invocations().value().into_iter().flat_map(List::iter);
        for action in deferred.filter_map(|deferred| deferred.action_invocation().value()) {
            self.action(action);
        }
        let planned = plan.planned_values().value();
        if let Some(values) = planned {
            self.values(values, |address, _| {
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
            self.values(values, |address, deposed| {
                let change = index.change(address, deposed);
                let change = change.or_else(|| moved.get(address).copied())?.change().value()?;
                change.before_sensitive().value()
            });
        }
        self.plan_outputs(plan, [planned, prior]);
        if let Some(configuration) = plan.configuration().value() {
            Expressions::new(configuration, options).hide(Some((plan, &index)), self);
        }
    }

    pub(super) fn state(&mut self, state: State<'_>) {
        if let Some(values) = state.values_field().value() {
            self.values(values, |_, _| None);
        }
        // The form of redacted states.
        for resource in state.resources() {
            self.marked(resource.values_node(), sensitive_or_none(resource.sensitive_values()));
        }
        for (_, output) in state.outputs() {
            if output.sensitive().value() == Some(true) {
                self.whole(output.value());
            }
        }
    }

    /// Outputs that are sensitive in state files of version 1 to 3.
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

    fn change(&mut self, change: ResourceChange<'_>) {
        if let Some(change) = change.change().value() {
            self.sides(change);
        }
    }

    fn sides(&mut self, change: Change<'_>) {
        let object = change.object();
        self.marked(object.get("before"), sensitive_or_none(change.before_sensitive()));
        self.marked(object.get("after"), sensitive_or_none(change.after_sensitive()));
    }

    fn action(&mut self, action: ActionInvocation<'_>) {
        let values = action.object().get("config_values");
        self.marked(values, sensitive_or_none(action.config_sensitive()));
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
            self.marked(value, sensitive_or_none(resource.sensitive_values()));
            if let Some(address) = resource.address().value()
                && let Some(tree) = marks(address, resource.deposed_key().value())
            {
                self.marked(value, tree);
            }
        }
    }

    /// Outputs of the root module: one that is sensitive anywhere in the plan is so everywhere.
    fn plan_outputs<'a>(&mut self, plan: Plan<'a>, values: [Option<Values<'a>>; 2]) {
        let mut names = HashSet::default();
        for (name, change) in plan.outputs() {
            self.sides(change);
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
        for (name, change) in plan.outputs().filter(|(name, _)| names.contains(name)) {
            debug_assert!(names.contains(name));
            self.whole(change.object().get("before"));
            self.whole(change.object().get("after"));
        }
        for (_, output) in outputs().filter(|(name, _)| names.contains(name)) {
            self.whole(output.value());
        }
    }
}
