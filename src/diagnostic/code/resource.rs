//! Codes of resources, their meta-arguments, lifecycle, provisioners and actions.

macro_rules! resource_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Resources" {
    ExclusiveArguments "exclusive-arguments" Error "Arguments exclude each other"
        detail: "Only one of \"{0}\" and \"{1}\" can say how many instances there are."
        reference: ["Invalid combination of *"],
        note: "`count` and `for_each` in one block. The second place is where the other one is set.";
    CountValue "count-value" Error "Invalid count"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid count argument", "Incorrect value type"],
        note: "As far as the value is known without variables.";
    EnabledValue "enabled-value" Error "Invalid enabled"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid enabled argument"],
        note: "As far as the type of the value is known without values of variables (OpenTofu).";
    SecretInstances "secret-instances" Error "Instances that depend on a secret"
        detail: "The value of \"{0}\" is {1}. Which instances there are is shown, and kept in the state."
        reference: ["Invalid for_each argument", "Invalid count argument", "Invalid enabled argument"],
        note: "Sensitive values in `for_each` and `enabled`, ephemeral ones in `count`, too. They come from variables and functions, by way of local values too; `nonsensitive` makes a value public.";
    ForEachValue "for-each-value" Error "Invalid for_each"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid for_each argument", "Invalid for_each set argument"],
        note: "As far as the type of the value is known without values of variables.";
    LifecycleArgument "lifecycle-argument" Error "Invalid lifecycle argument"
        detail: "The argument \"{0}\" is for managed resources only; this one is {1}."
        reference: ["Invalid data resource lifecycle argument", "Invalid ephemeral resource lifecycle argument", "Invalid data resource lifecycle nested block", "Invalid ephemeral resource lifecycle nested block", "Invalid lifecycle configuration for ephemeral resource"],
        note: "Data sources and ephemeral resources have `enabled` and conditions only.";
    IgnoreWildcard "ignore-wildcard" Error "Wildcard in ignore_changes"
        detail: "For all attributes write \"ignore_changes\": \"all\"."
        reference: ["Invalid ignore_changes wildcard"],
        note: "All changes are ignored then.";
    IgnoreMixture "ignore-mixture" Error "Wildcard beside attributes"
        detail: "The wildcard already ignores all attributes; no others can stand beside it."
        reference: ["Invalid ignore_changes ruleset"],
        note: "`ignore_changes` with \"*\" and other elements.";
    RemovedProvisioner "removed-provisioner" Error "Removed provisioner"
        detail: "The tools no longer have a provisioner \"{0}\"."
        reference: ["The \"chef\" provisioner has been removed", "The \"habitat\" provisioner has been removed", "The \"puppet\" provisioner has been removed", "The \"salt-masterless\" provisioner has been removed"],
        note: "One of four provisioners of old versions.";
    TriggerReference "trigger-reference" Error "Invalid reference of a trigger"
        detail: "Of what is referred to here, {0} may be used."
        reference: ["Invalid reference in replace_triggered_by expression", "Invalid each reference in replace_triggered_by expression", "Invalid count reference in replace_triggered_by expression"],
        note: "An element of `replace_triggered_by`. Behind the first wrong element the others are only parsed.";
    TriggerCount "trigger-count" Error "Invalid trigger"
        detail: "Each element refers to one {1}; this one refers to {0}."
        reference: ["Invalid replace_triggered_by expression"],
        note: "An element of `replace_triggered_by`.";
    ActionReference "action-reference" Error "Invalid action"
        detail: "Each element refers to one action of this module; this one refers to {0}."
        reference: ["Invalid action argument inside action_triggers", "Invalid reference to action outside this module", "Invalid action expression"],
        note: "An element of `actions` in an `action_trigger` (Terraform).";
    EmptyTrigger "empty-trigger" Error "Empty trigger"
        detail: "A trigger needs {0}, and there is none here."
        reference: ["No actions specified", "No events specified"],
        note: "`actions` or `events` of an `action_trigger` (Terraform).";
    UnknownEvent "unknown-event" Error "Unknown event"
        detail: "An event is one of the keywords before_create, after_create, before_update and after_update."
        reference: ["Invalid \"event\" value *"],
        note: "An element of `events` in an `action_trigger` (Terraform).";
    DuplicateEvent "duplicate-event" Error "Duplicate event"
        detail: "The trigger already has the event \"{0}\"."
        reference: ["Duplicate \"*\" event"],
        note: "An element of `events` in an `action_trigger` (Terraform).";
        } }
    };
}
