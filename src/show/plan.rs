//! Plans: what `show -json PLANFILE` prints.
//!
//! [`Plan`] is a view of the root; its fields are those of the format, in the order in which the
//! tools print them. Nothing is opened before it is asked for. At skeleton depth 3, the default,
//! addresses, types and actions of all changes are read without opening any; [`Plan::LIST_DEPTH`]
//! is enough for counts and [heads](ResourceChange::head), and [`Plan::DIFF_DEPTH`] suits questions
//! about values.

use super::checks::Check;
use super::config::Configuration;
use super::field::{Index, List, Map, Read, views};
use super::mark_tree::MarkTree;
use super::names::{Action, ActionReason, Actions, DeferredReason, ResourceMode};
use super::state::{State, Values};
use crate::json::{Node, Object};

views! {
    /// A plan.
    Plan {
        /// `MAJOR.MINOR` of the format. See [`version`](super::version).
        format_version "format_version" &'a str;
        /// The version of the tool, OpenTofu's too.
        terraform_version "terraform_version" &'a str;
        /// The variables of the root module, defaults included.
        variables "variables" Map<'a, Variable<'a>>;
        /// What will be, as far as it is known.
        planned_values "planned_values" Values<'a>;
        /// What has changed outside of the tool.
        resource_drift "resource_drift" List<'a, ResourceChange<'a>>;
        /// What is to be done with each resource instance.
        resource_changes "resource_changes" List<'a, ResourceChange<'a>>;
        /// Changes that wait for a later plan (Terraform).
        deferred_changes "deferred_changes" List<'a, DeferredChange<'a>>;
        /// Actions that wait for a later plan (Terraform).
        deferred_action_invocations "deferred_action_invocations" List<'a, DeferredAction<'a>>;
        /// What becomes of the outputs of the root module. See [`Plan::outputs`].
        output_changes "output_changes" Map<'a, Change<'a>>;
        /// Actions to be invoked (Terraform).
        action_invocations "action_invocations" List<'a, ActionInvocation<'a>>;
        /// What was before.
        prior_state "prior_state" State<'a>;
        /// The configuration that was planned.
        configuration "configuration" Configuration<'a>;
        /// Attributes outside of it that influenced the plan.
        relevant_attributes "relevant_attributes" List<'a, RelevantAttribute<'a>>;
        /// Conditions and how they ended.
        checks "checks" List<'a, Check<'a>>;
        /// Conditions of Terraform 1.2.
        condition_results "condition_results" List<'a, ConditionResult<'a>>;
        /// When the plan was made, RFC 3339.
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

    /// What is to be done with one resource instance, or with one deposed object of it.
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
        /// Why the actions were chosen.
        action_reason "action_reason" ActionReason<'a>;
    }

    /// What becomes of a value: of a resource instance or an output.
    Change {
        /// What is done, in order.
        actions "actions" Actions<'a>;
        /// The value before; null if there is none.
        before "before" Node<'a>;
        /// The value after, as far as it is known; null if there is none, absent if all of it is
        /// unknown.
        after "after" Node<'a>;
        /// What is not known yet.
        after_unknown "after_unknown" MarkTree<'a>;
        /// What is sensitive in `before`.
        before_sensitive "before_sensitive" MarkTree<'a>;
        /// What is sensitive in `after`.
        after_sensitive "after_sensitive" MarkTree<'a>;
        /// The paths that force replacement.
        replace_paths "replace_paths" List<'a, List<'a, Node<'a>>>;
        /// Present if an existing object is imported.
        importing "importing" Importing<'a>;
        /// Native syntax that was generated for an import.
        generated_config "generated_config" &'a str;
        /// The identity before.
        before_identity "before_identity" Node<'a>;
        /// The identity after.
        after_identity "after_identity" Node<'a>;
    }

    /// What is imported.
    Importing {
        /// The provider's name of it.
        id "id" &'a str;
        /// Its identity.
        identity "identity" Object<'a>;
        /// Whether the name is not known yet (Terraform).
        unknown "unknown" bool;
    }

    /// A change that waits.
    DeferredChange {
        /// Why.
        reason "reason" DeferredReason<'a>;
        /// The change.
        resource_change "resource_change" ResourceChange<'a>;
    }

    /// An action that waits.
    DeferredAction {
        /// Why.
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
        /// Which of them are sensitive.
        config_sensitive "config_sensitive" MarkTree<'a>;
        /// Which of them are not known yet.
        config_unknown "config_unknown" MarkTree<'a>;
        /// The provider.
        provider_name "provider_name" &'a str;
        /// The resource whose change invokes it.
        lifecycle_action_trigger "lifecycle_action_trigger" LifecycleTrigger<'a>;
        /// Present if it is invoked directly.
        invoke_action_trigger "invoke_action_trigger" InvokeTrigger<'a>;
    }

    /// What invokes an action on a change.
    LifecycleTrigger {
        /// The resource.
        triggering_resource_address "triggering_resource_address" &'a str;
        /// On what.
        action_trigger_event "action_trigger_event" &'a str;
        /// Which of its blocks, from 0.
        action_trigger_block_index "action_trigger_block_index" u64;
        /// Which of the block's actions, from 0.
        actions_list_index "actions_list_index" u64;
        /// What happens when it fails.
        on_failure "on_failure" &'a str;
    }

    /// What invokes an action directly.
    InvokeTrigger {
        /// The resource it is invoked for.
        calling_resource_address "calling_resource_address" &'a str;
    }

    /// An attribute that influenced the plan.
    RelevantAttribute {
        /// The address of the resource.
        resource "resource" &'a str;
        /// The steps to the attribute; none for the whole resource.
        attribute "attribute" List<'a, Node<'a>>;
    }

    /// A condition of Terraform 1.2.
    ConditionResult {
        /// The address of what it belongs to.
        address "address" &'a str;
        /// What kind of condition it is.
        condition_type "condition_type" &'a str;
        /// Whether it holds.
        result "result" bool;
        /// Whether it is not known yet.
        unknown "unknown" bool;
        /// What the configuration says when it does not hold.
        error_message "error_message" &'a str;
    }
}

impl<'a> Plan<'a> {
    /// The skeleton depth for counting and listing changes: each is sealed, and its
    /// [head](ResourceChange::head) is read from its text.
    pub const LIST_DEPTH: u32 = 2;
    /// The skeleton depth for questions about values: `before` and `after` are sealed one by one.
    pub const DIFF_DEPTH: u32 = 4;

    /// All entries of `resource_changes`, in order, no-ops too.
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
        self.output_changes().value().into_iter().flat_map(Map::iter).map(|(name, change)| {
            let inner = change.object.get("change").filter(|_| change.actions().is_absent());
            (name, inner.and_then(Change::read).unwrap_or(change))
        })
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
    #[must_use]
    pub fn does(self, action: Action<'_>) -> bool {
        self.actions().value().is_some_and(|actions| actions.contains(action))
    }
}
