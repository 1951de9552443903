//! Codes of resources, their meta-arguments, lifecycle, provisioners and actions.

macro_rules! resource_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Resources" {
    ExclusiveArguments "exclusive-arguments" Error "Conflicting arguments"
        detail: "\"{0}\" and \"{1}\" cannot be used together."
        reference: ["Invalid combination of *"],
        note: "Two of `count`, `for_each` and `enabled` in one block. A second label points at the other one.";
    CountValue "count-value" Error "Invalid count"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid count argument", "Incorrect value type"],
        note: "Checked if the value is known without the values of variables.";
    EnabledValue "enabled-value" Error "Invalid enabled"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid enabled argument", "Unsuitable value type"],
        note: "`enabled`, and `prevent_destroy`. Checked if the type of the value is known without the values of variables (OpenTofu).";
    SecretInstances "secret-instances" Error "Secret in the number of instances"
        detail: "The value of \"{0}\" is {1}, but the instances are displayed and stored in the state."
        help: "nonsensitive() makes a sensitive value public."
        reference: ["Invalid for_each argument", "Invalid count argument", "Invalid enabled argument"],
        note: "A sensitive value in `for_each` or `enabled`, or an ephemeral one in `count`, `for_each` or `enabled`, from variables and functions, directly or through local values.";
    ForEachValue "for-each-value" Error "Invalid for_each"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid for_each argument", "Invalid for_each set argument"],
        note: "Checked if the type of the value is known without the values of variables.";
    LifecycleArgument "lifecycle-argument" Error "Invalid lifecycle argument"
        detail: "Only managed resources can have \"{0}\". The mode of this one is {1}."
        reference: ["Invalid data resource lifecycle argument", "Invalid ephemeral resource lifecycle argument", "Invalid data resource lifecycle nested block", "Invalid ephemeral resource lifecycle nested block", "Invalid lifecycle configuration for ephemeral resource"],
        note: "A data source or an ephemeral resource can have only `enabled` and conditions.";
    IgnoreWildcard "ignore-wildcard" Error "Wildcard in ignore_changes"
        detail: "The wildcard \"*\" is no longer supported in a list."
        help: "Write {0}."
        reference: ["Invalid ignore_changes wildcard"],
        note: "All changes are ignored.";
    IgnoreMixture "ignore-mixture" Error "Wildcard with attributes"
        detail: "The wildcard ignores all attributes, so the other elements are invalid."
        help: "Remove the other elements, or the wildcard."
        reference: ["Invalid ignore_changes ruleset"],
        note: "`ignore_changes` with \"*\" and other elements.";
    RemovedProvisioner "removed-provisioner" Error "Removed provisioner"
        detail: "The provisioner \"{0}\" has been removed from the tools."
        reference: ["The \"chef\" provisioner has been removed", "The \"habitat\" provisioner has been removed", "The \"puppet\" provisioner has been removed", "The \"salt-masterless\" provisioner has been removed"],
        note: "One of four provisioners of older versions.";
    TriggerReference "trigger-reference" Error "Invalid reference in a trigger"
        detail: "The reference is invalid here: use only {0}."
        reference: ["Invalid reference in replace_triggered_by expression", "Invalid each reference in replace_triggered_by expression", "Invalid count reference in replace_triggered_by expression"],
        note: "An element of `replace_triggered_by`. Elements after the first invalid one are only parsed.";
    TriggerCount "trigger-count" Error "Invalid trigger"
        detail: "Each element must refer to one {1}, but this one refers to {0}."
        reference: ["Invalid replace_triggered_by expression"],
        note: "An element of `replace_triggered_by`.";
    MissingTrigger "missing-trigger" Error "Trigger without an instance"
        detail: "{0} has no instance, so no plan finds a change of it."
        help: "Name an instance that \"count\" or \"for_each\" makes."
        reference: [],
        note: "An element of `replace_triggered_by`. Only with `--level values`. The tools fail with an internal error (\"no change found\"), unless a state still has the instance.";
    ActionReference "action-reference" Error "Invalid action reference"
        detail: "Each element must refer to one action of this module, but this one refers to {0}."
        reference: ["Invalid action argument inside action_triggers", "Invalid reference to action outside this module", "Invalid action expression"],
        note: "An element of `actions` in an `action_trigger` (Terraform).";
    EmptyTrigger "empty-trigger" Error "Empty trigger"
        detail: "The trigger must have {0}."
        reference: ["No actions specified", "No events specified"],
        note: "`actions` or `events` of an `action_trigger` (Terraform).";
    UnknownEvent "unknown-event" Error "Unknown event"
        detail: "The value is not an event."
        help: "The events are the keywords before_create, after_create, before_update, after_update, before_destroy and after_destroy."
        reference: ["Invalid \"event\" value *"],
        note: "An element of `events` in an `action_trigger` (Terraform).";
    DuplicateEvent "duplicate-event" Error "Duplicate event"
        detail: "The event \"{0}\" occurs more than once in the trigger."
        reference: ["Duplicate \"*\" event"],
        note: "An element of `events` in an `action_trigger` (Terraform).";
        } }
    };
}
