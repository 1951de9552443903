//! Views of the lines of event streams.

use crate::json::Node;
use crate::show::field::{Map, views};

/// The maximal offset, in bytes, of the name that identifies a stream.
const FIRST_LINE: usize = 4096;

views! {
    /// One line of a stream.
    Event {
        /// `error`, `warn`, `info` and others.
        level "@level" &'a str;
        /// The message for people.
        message "@message" &'a str;
        /// The source: `terraform.ui` or `tofu.ui`.
        module "@module" &'a str;
        /// The time, RFC 3339.
        timestamp "@timestamp" &'a str;
        /// The type of the event: `planned_change`, `apply_complete` and others; absent for text.
        event_type "type" &'a str;
        /// The version of Terraform, in the first line.
        terraform "terraform" &'a str;
        /// The version of OpenTofu, in the first line.
        tofu "tofu" &'a str;
        /// The version of the format, in the first line.
        ui "ui" &'a str;
        /// A planned change, or drift.
        change "change" EventChange<'a>;
        /// An operation on a resource.
        hook "hook" EventHook<'a>;
        /// The number of changes.
        changes "changes" EventCounts<'a>;
        /// The outputs of the root module.
        outputs "outputs" Map<'a, EventOutput<'a>>;
        /// An error or a warning.
        diagnostic "diagnostic" EventDiagnostic<'a>;
        /// A change that is deferred to a later plan (Terraform).
        deferred_change "deferred_change" EventDeferred<'a>;
        /// An action to be invoked (Terraform).
        invocation "invocation" EventInvocation<'a>;
        /// An error or a warning of a policy (Terraform).
        policy_diagnostic "policy_diagnostic" EventDiagnostic<'a>;
        /// The result of a policy: `AllowResult`, `DenyResult` and others (Terraform).
        result "result" &'a str;
        /// The subject of a policy.
        target_address "target_address" &'a str;
        /// The policy.
        policy_address "policy_address" &'a str;
        /// The policy, and whether it must hold.
        policy_metadata "policy_metadata" EventPolicy<'a>;
        /// The start of a query.
        list_start "list_start" EventList<'a>;
        /// A resource that a query found.
        list_resource_found "list_resource_found" EventList<'a>;
        /// The end of a query.
        list_complete "list_complete" EventList<'a>;
        /// The state of a test run.
        test_run "test_run" EventRun<'a>;
        /// The state of a file of tests.
        test_file "test_file" EventRun<'a>;
        /// The results of all test runs.
        test_summary "test_summary" EventTests<'a>;
    }

    /// A change that is deferred to a later plan.
    EventDeferred {
        /// The reason.
        reason "reason" &'a str;
        /// The change.
        change "change" EventChange<'a>;
    }

    /// An action to be invoked.
    EventInvocation {
        /// The action.
        action "action" EventAction<'a>;
        /// The change of a resource that invokes it.
        lifecycle "lifecycle" EventTrigger<'a>;
    }

    /// An action.
    EventAction {
        /// Its absolute address.
        address "addr" &'a str;
        /// Its type.
        action_type "action_type" &'a str;
    }

    /// The trigger of an action.
    EventTrigger {
        /// The resource.
        resource "resource" EventResource<'a>;
        /// The event of its lifecycle.
        trigger_event "trigger_event" &'a str;
    }

    /// A policy.
    EventPolicy {
        /// Its name.
        policy_name "policy_name" &'a str;
        /// `mandatory`, `advisory` and others.
        enforcement_level "enforcement_level" &'a str;
    }

    /// A query, or its result.
    EventList {
        /// The address of the block of the query.
        address "address" &'a str;
        /// The type of resource.
        resource_type "resource_type" &'a str;
        /// The name of the resource for people.
        display_name "display_name" &'a str;
        /// The number of resources that were found.
        total "total" u64;
    }

    /// The state of a test run, or of a file of tests.
    EventRun {
        /// The file.
        path "path" &'a str;
        /// The run.
        run "run" &'a str;
        /// `starting`, `running`, `teardown` or `complete`; absent in events of old tools, which are of
        /// runs that have ended.
        progress "progress" &'a str;
        /// The duration so far, in milliseconds.
        elapsed "elapsed" u64;
        /// `pass`, `fail`, `error`, `skip` or `pending`.
        status "status" &'a str;
    }

    /// The results of all test runs.
    EventTests {
        /// `pass`, `fail`, `error`, `skip` or `pending`.
        status "status" &'a str;
        /// Runs that passed.
        passed "passed" u64;
        /// Runs that failed.
        failed "failed" u64;
        /// Runs with an error.
        errored "errored" u64;
        /// Runs that were skipped.
        skipped "skipped" u64;
    }

    /// A planned change, or drift.
    EventChange {
        /// The resource instance.
        resource "resource" EventResource<'a>;
        /// The resource instance before it was moved.
        previous_resource "previous_resource" EventResource<'a>;
        /// The action: `create`, `replace`, `move`, `import` and others.
        action "action" &'a str;
        /// The reason.
        reason "reason" &'a str;
        /// Present if an existing object is imported.
        importing "importing" Node<'a>;
    }

    /// A resource instance.
    EventResource {
        /// Its absolute address.
        address "addr" &'a str;
        /// The address of its module instance; empty for the root module.
        module "module" &'a str;
        /// Its type.
        resource_type "resource_type" &'a str;
        /// The name of its block.
        resource_name "resource_name" &'a str;
    }

    /// An operation on a resource.
    EventHook {
        /// The resource instance.
        resource "resource" EventResource<'a>;
        /// The action: a text, or an object with the address of an action (Terraform).
        action "action" Node<'a>;
        /// The message for people (OpenTofu, of ephemeral resources): `Opening...`, `Open complete`.
        said "Msg" &'a str;
        /// The duration so far, in seconds.
        elapsed_seconds "elapsed_seconds" Node<'a>;
        /// The provisioner that runs.
        provisioner "provisioner" &'a str;
    }

    /// The numbers of changes.
    EventCounts {
        /// Created.
        add "add" u64;
        /// Changed.
        change "change" u64;
        /// Imported.
        import "import" u64;
        /// Destroyed.
        remove "remove" u64;
        /// Forgotten (OpenTofu).
        forget "forget" u64;
        /// Actions that are invoked (Terraform).
        action_invocation "action_invocation" u64;
        /// `plan`, `apply` or `destroy`.
        operation "operation" &'a str;
    }

    /// An output of the root module.
    EventOutput {
        /// Whether it is sensitive.
        sensitive "sensitive" bool;
        /// The planned action.
        action "action" &'a str;
        /// Its value; absent in a plan.
        value_field "value" Node<'a>;
    }

    /// An error or a warning.
    EventDiagnostic {
        /// `error` or `warning`.
        severity "severity" &'a str;
        /// The headline.
        summary "summary" &'a str;
        /// The explanation.
        detail "detail" &'a str;
        /// The resource that it is about.
        address "address" &'a str;
        /// The position in the configuration.
        range "range" EventRange<'a>;
    }

    /// A range in the configuration.
    EventRange {
        /// The file.
        filename "filename" &'a str;
        /// The start.
        start "start" EventPosition<'a>;
    }

    /// A position in a file.
    EventPosition {
        /// The line, from 1.
        line "line" u64;
        /// The column, from 1.
        column "column" u64;
    }
}

/// Whether bytes are an event stream: their first line that is not empty is an object with
/// `@message` or `@level`.
#[must_use]
pub fn is_event_log(bytes: &[u8]) -> bool {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let line = &bytes[start..bytes.len().min(start + FIRST_LINE)];
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"{\"@")
        || (line.starts_with(b"{") && memchr::memmem::find(line, b"\"@message\":").is_some())
}

/// The types of events that say nothing about a plan, an apply, a query or a test: of versions, logs and
/// progress, of `init`, and of migrations of states.
const OTHERS: [&str; 31] = [
    "built_in_provider_available",
    "init_output",
    "log",
    "migration_complete",
    "migration_destination_initialization_complete",
    "migration_destination_initialization_start",
    "migration_errored",
    "migration_finalized",
    "migration_source_initialization_complete",
    "migration_source_initialization_start",
    "migration_start",
    "policy_info",
    "policy_query_summary",
    "provider_automatic_approval",
    "provider_installation_start",
    "provider_interactive_approval",
    "provider_interactive_rejection",
    "provider_lockfile_created",
    "provider_lockfile_updated",
    "provider_query_use_constraints",
    "provider_query_use_latest",
    "provider_query_use_previous_version",
    "provider_version_already_installed",
    "provider_version_found_in_cache_dir",
    "provider_version_installation_complete",
    "provider_version_installation_start",
    "state_store_initialization_start",
    "state_store_provider_installation_start",
    "state_store_provider_initialization_start",
    "third_party_providers_installed",
    "version",
];

/// The types of events of tests that are not read further: the runs and their summary say the same.
const OF_TESTS: [&str; 7] = [
    "test_abstract",
    "test_cleanup",
    "test_interrupt",
    "test_plan",
    "test_retry",
    "test_state",
    "test_status",
];

/// Whether the type of an event is known, and says nothing that a summary needs.
pub(super) fn is_passed_over(event_type: &str) -> bool {
    OTHERS.contains(&event_type) || OF_TESTS.contains(&event_type)
}
