//! Plans: the output of `show -json PLANFILE`.
//!
//! [`Plan`] is a view of the root; its fields are those of the format, in the order in which the
//! tools print them. Everything is opened on demand. At skeleton depth 3, the default, addresses,
//! types and actions of all changes are read without opening any. [`Plan::LIST_DEPTH`] is enough
//! for counts and [heads](ResourceChange::head), and [`Plan::DIFF_DEPTH`] suits questions about
//! values.

use super::checks::Check;
use super::config::Configuration;
use super::field::{Index, List, Map, Read, Steps, views};
use super::mark_tree::MarkTree;
use super::names::{Action, ActionReason, Actions, DeferredReason, ResourceMode};
use super::state::{State, Values};
use crate::diagnostic::Sink;
use crate::json::{Node, Object};

views! {
    /// A plan.
    Plan {
        /// `MAJOR.MINOR` of the format. See [`version`](super::version).
        format_version "format_version" &'a str;
        /// The version of the tool, also for OpenTofu.
        terraform_version "terraform_version" &'a str;
        /// The variables of the root module, including defaults.
        variables "variables" Map<'a, Variable<'a>>;
        /// The planned values, where known.
        planned_values "planned_values" Values<'a>;
        /// The unknown parts of the planned values, as the documentation of the format has them: no
        /// tool writes them. [`Change::after_unknown`] has those of each change.
        proposed_unknown "proposed_unknown" Values<'a>;
        /// Changes outside of the tool.
        resource_drift "resource_drift" List<'a, ResourceChange<'a>>;
        /// The planned changes of resource instances.
        resource_changes "resource_changes" List<'a, ResourceChange<'a>>;
        /// Changes that are deferred to a later plan (Terraform).
        deferred_changes "deferred_changes" List<'a, DeferredChange<'a>>;
        /// Actions that are deferred to a later plan (Terraform).
        deferred_action_invocations "deferred_action_invocations" List<'a, DeferredAction<'a>>;
        /// The changes of outputs of the root module. See [`Plan::outputs`].
        output_changes "output_changes" Map<'a, OutputChange<'a>>;
        /// Actions to be invoked (Terraform).
        action_invocations "action_invocations" List<'a, ActionInvocation<'a>>;
        /// The state before the plan.
        prior_state "prior_state" State<'a>;
        /// The configuration that was planned.
        configuration "configuration" Configuration<'a>;
        /// Attributes of other resources that influenced the plan.
        relevant_attributes "relevant_attributes" List<'a, RelevantAttribute<'a>>;
        /// Conditions and their results.
        checks "checks" List<'a, Check<'a>>;
        /// Conditions of Terraform 1.2.
        condition_results "condition_results" List<'a, ConditionResult<'a>>;
        /// The time of the plan, RFC 3339.
        timestamp "timestamp" &'a str;
        /// Whether planning failed, so that the plan is incomplete.
        errored "errored" bool;
        /// Whether it can be applied (Terraform).
        applyable "applyable" bool;
        /// Whether nothing is deferred (Terraform).
        complete "complete" bool;
        /// The version of a redacted plan, in place of `format_version`.
        plan_format_version "plan_format_version" &'a str;
        /// The version of the schemas in a redacted plan.
        provider_format_version "provider_format_version" &'a str;
        /// The schemas in a redacted plan.
        provider_schemas "provider_schemas" Map<'a, super::schemas::ProviderSchema<'a>>;
    }

    /// The value of a variable of the root module.
    Variable {
        /// The value; null is a value.
        value_field "value" Node<'a>;
    }

    /// The change of one resource instance, or of one of its deposed objects.
    ResourceChange {
        /// The absolute address of the instance. Unique together with [`deposed`](Self::deposed).
        address "address" &'a str;
        /// The address before, if it was moved.
        previous_address "previous_address" &'a str;
        /// The address of the module instance; absent in the root module.
        module_address "module_address" &'a str;
        /// The kind of resource.
        mode "mode" ResourceMode<'a>;
        /// The resource type.
        resource_type "type" &'a str;
        /// The name of the block.
        name "name" &'a str;
        /// The key of the instance.
        index "index" Index<'a>;
        /// Whether the key is not known yet (Terraform).
        index_unknown "index_unknown" bool;
        /// The provider, `HOST/NAMESPACE/TYPE`; a short name in plans of Terraform 0.12.
        provider_name "provider_name" &'a str;
        /// The key of a deposed object.
        deposed "deposed" &'a str;
        /// The change.
        change "change" Change<'a>;
        /// The reason for the actions.
        action_reason "action_reason" ActionReason<'a>;
    }

    /// The change of a value: of a resource instance or an output.
    Change {
        /// The actions, in order.
        actions "actions" Actions<'a>;
        /// The value before; null if there is none.
        before "before" Node<'a>;
        /// The value after, where known; null if there is none, absent if all of it is unknown.
        after "after" Node<'a>;
        /// The unknown parts of `after`.
        after_unknown "after_unknown" MarkTree<'a>;
        /// The sensitive parts of `before`.
        before_sensitive "before_sensitive" MarkTree<'a>;
        /// The sensitive parts of `after`.
        after_sensitive "after_sensitive" MarkTree<'a>;
        /// The paths that force replacement.
        replace_paths "replace_paths" List<'a, List<'a, Node<'a>>>;
        /// Present if an existing object is imported.
        importing "importing" Importing<'a>;
        /// The configuration that was generated for an import, in native syntax.
        generated_config "generated_config" &'a str;
        /// The identity before.
        before_identity "before_identity" Node<'a>;
        /// The identity after.
        after_identity "after_identity" Node<'a>;
    }

    /// The change of an output: a [`Change`] as the tools write it. Their documentation has it in a
    /// member. See [`OutputChange::the_change`].
    OutputChange with Change {
        /// The change, in the documented form.
        change "change" Change<'a>;
    }

    /// The object to import.
    Importing {
        /// Its ID at the provider.
        id "id" &'a str;
        /// Its identity.
        identity "identity" Object<'a>;
        /// Whether the ID is not known yet (Terraform).
        unknown "unknown" bool;
    }

    /// A deferred change.
    DeferredChange {
        /// The reason.
        reason "reason" DeferredReason<'a>;
        /// The change.
        resource_change "resource_change" ResourceChange<'a>;
    }

    /// A deferred action.
    DeferredAction {
        /// The reason.
        reason "reason" DeferredReason<'a>;
        /// The action.
        action_invocation "action_invocation" ActionInvocation<'a>;
    }

    /// An action to be invoked.
    ActionInvocation {
        /// Its address.
        address "address" &'a str;
        /// Its type.
        action_type "type" &'a str;
        /// Its name.
        name "name" &'a str;
        /// Its arguments.
        config_values "config_values" Node<'a>;
        /// The sensitive arguments.
        config_sensitive "config_sensitive" MarkTree<'a>;
        /// The unknown arguments.
        config_unknown "config_unknown" MarkTree<'a>;
        /// The provider.
        provider_name "provider_name" &'a str;
        /// The resource whose change invokes it.
        lifecycle_action_trigger "lifecycle_action_trigger" LifecycleTrigger<'a>;
        /// Present if it is invoked directly.
        invoke_action_trigger "invoke_action_trigger" InvokeTrigger<'a>;
    }

    /// The trigger of an action in a resource's lifecycle.
    LifecycleTrigger {
        /// The resource.
        triggering_resource_address "triggering_resource_address" &'a str;
        /// The event.
        action_trigger_event "action_trigger_event" &'a str;
        /// The index of the trigger's block, from 0.
        action_trigger_block_index "action_trigger_block_index" u64;
        /// The index in the block's actions, from 0.
        actions_list_index "actions_list_index" u64;
        /// The reaction to a failure.
        on_failure "on_failure" &'a str;
    }

    /// The direct invocation of an action.
    InvokeTrigger {
        /// The resource it is invoked for.
        calling_resource_address "calling_resource_address" &'a str;
    }

    /// An attribute that influenced the plan.
    RelevantAttribute {
        /// The address of the resource.
        resource "resource" &'a str;
        /// The steps to the attribute; empty for the whole resource.
        attribute "attribute" Steps<'a>;
    }

    /// A condition of Terraform 1.2.
    ConditionResult {
        /// The address of its object.
        address "address" &'a str;
        /// The kind of condition.
        condition_type "condition_type" &'a str;
        /// Whether it holds.
        result "result" bool;
        /// Whether it is not known yet.
        unknown "unknown" bool;
        /// The message for a condition that does not hold.
        error_message "error_message" &'a str;
    }
}

impl<'a> Plan<'a> {
    /// The skeleton depth for counting and listing changes: each is sealed, and its
    /// [head](ResourceChange::head) is read from its text.
    pub const LIST_DEPTH: u32 = 2;
    /// The skeleton depth for questions about values: `before` and `after` are sealed one by one.
    pub const DIFF_DEPTH: u32 = 4;

    /// All entries of `resource_changes`, in order, including no-ops.
    ///
    /// ```
    /// use simd_hcl::show::Plan;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// let change = plan.changes().next().unwrap();
    /// assert_eq!(change.address().value(), Some("a_b.c"));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn changes(self) -> impl Iterator<Item = ResourceChange<'a>> {
        self.resource_changes().value().into_iter().flat_map(List::iter)
    }

    /// All entries of `resource_drift`, in order.
    pub fn drift(self) -> impl Iterator<Item = ResourceChange<'a>> {
        self.resource_drift().value().into_iter().flat_map(List::iter)
    }
}

impl<'a> Plan<'a> {
    /// The changes of the outputs of the root module, in order. A change is in `output_changes`
    /// itself, as the tools write it, or in its member `change`, as their documentation says.
    pub fn outputs(self) -> impl Iterator<Item = (&'a str, Change<'a>)> {
        let outputs = self.output_changes().value().into_iter().flat_map(Map::iter);
        outputs.map(|(name, output)| (name, output.the_change()))
    }
}

impl<'a> OutputChange<'a> {
    /// The change: that in the member, if the output itself has no actions.
    #[must_use]
    pub fn the_change(self) -> Change<'a> {
        let inner = self.change().value().filter(|_| self.object.get("actions").is_none());
        inner.unwrap_or(Change { object: self.object })
    }

    /// The output itself as a change, and the change in its member: a reader may take either.
    pub(crate) fn forms(self) -> impl Iterator<Item = Change<'a>> {
        std::iter::once(Change { object: self.object }).chain(self.change().value())
    }
}

impl<'a> ResourceChange<'a> {
    /// Reports every member whose type differs from the format, like [`Plan::check`].
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        Self::shape().check(self.object().node(), sink);
    }
}

impl<'a> Variable<'a> {
    /// The value. Null is a value; the field is absent only if the member is.
    #[must_use]
    pub fn value(self) -> Option<Node<'a>> {
        self.object.get("value")
    }
}

impl<'a> Change<'a> {
    /// Whether the object is imported: `importing` is present, even if it is empty.
    #[must_use]
    pub fn is_import(self) -> bool {
        self.importing().value().is_some()
    }

    /// Whether an action is among those of the change.
    ///
    /// ```
    /// use simd_hcl::show::{Action, Plan};
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// let change = plan.changes().next().unwrap().change().value().unwrap();
    /// assert!(change.does(Action::Update) && !change.does(Action::Delete));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn does(self, action: Action<'_>) -> bool {
        self.actions().value().is_some_and(|actions| actions.contains(action))
    }
}
