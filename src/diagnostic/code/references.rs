//! Codes of references: the target of a traversal, and whether it is declared.

macro_rules! references_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "References" {
    InvalidReference "invalid-reference" Error "Invalid reference"
        detail: "The reference to \"{0}\" is invalid: {1}."
        reference: ["Invalid reference"],
        note: "Points at the first invalid step.";
    InvalidIndexKey "invalid-index-key" Error "Invalid index key"
        detail: "The key of an instance must be a whole number or a string."
        reference: ["Invalid index key"],
        note: "The key is a fraction, a bool or null, or does not fit 64 bits.";
    ReservedSymbol "reserved-symbol" Error "Reserved name"
        detail: "The name \"{0}\" is reserved."
        help: "For a resource type of this name, write resource.{0}."
        reference: ["Reserved symbol name"],
        note: "A reference that starts with `template`, `lazy` or `arg`.";
    UndeclaredReference "undeclared-reference" Error "Undeclared reference"
        detail: "\"{0}\" is not declared in this module."
        reference: ["Reference to undeclared input variable", "Reference to undeclared local value", "Reference to undeclared resource", "Reference to undeclared module", "Reference to undeclared output value", "Undefined local", "action_trigger actions references non-existent action"],
        note: "A reference to an object that the module does not declare. A similar name is suggested. Withheld if a file of the module cannot be read.";
    UndeclaredDependency "undeclared-dependency" Error "Undeclared dependency"
        detail: "\"{0}\" is not declared in this module."
        reference: ["Reference to undeclared input variable", "Reference to undeclared local value", "Reference to undeclared resource", "Reference to undeclared module"],
        note: "An element of `depends_on`. Withheld if a file of the module cannot be read.";
    InvalidDependency "invalid-dependency" Error "Invalid dependency"
        detail: "The dependency is invalid: {0}."
        reference: ["Invalid depends_on Action Reference", "Invalid depends_on reference"],
        note: "An element of `depends_on` that is an action (Terraform), or a part of an object.";
    OutOfScope "out-of-scope" Error "Not available here"
        detail: "\"{0}\" is only available in {1}."
        reference: ["Reference to \"each\" in context without for_each", "Reference to \"count\" in non-counted context", "Invalid \"self\" reference", "each.value cannot be used in this context"],
        note: "A reference to `count`, `each` or `self` outside of its scope; in Packer templates, to `build` or `source`.";
    UnknownAttribute "unknown-attribute" Error "Unknown attribute"
        detail: "The object \"{0}\" has no attribute \"{1}\"."
        reference: ["Invalid \"each\" attribute", "Invalid \"count\" attribute", "Invalid \"path\" attribute", "Invalid \"terraform\" attribute", "Invalid \"tofu\" attribute"],
        note: "An unknown attribute of `count`, `each`, `path`, `terraform` or `tofu`.";
    MissingInstanceKey "missing-instance-key" Error "Missing instance key"
        detail: "The resource has \"{0}\", so an attribute belongs to one of its instances."
        help: "Write the key of the instance in brackets before the attribute."
        reference: ["Missing resource instance key"],
        note: "A reference to an attribute of a resource that has `count` or `for_each`.";
    UnexpectedInstanceKey "unexpected-instance-key" Error "Unexpected instance key"
        detail: "The resource has neither \"count\" nor \"for_each\", so it has no keys."
        help: "Remove the brackets."
        reference: ["Unexpected resource instance key"],
        note: "A reference with a key to a resource that has only one instance.";
    CountAttribute "count-attribute" Error "Invalid count attribute"
        detail: "A resource has no attribute for the number of its instances."
        help: "Write length() of the resource."
        reference: ["Invalid resource count attribute"],
        note: "`aws_instance.web.count`, which Terraform accepted before version 0.12.";
    MissingModuleKey "missing-module-key" Error "Missing module instance key"
        detail: "The module call has \"{0}\", so an output belongs to one of its instances."
        help: "Write the key of the instance in brackets before the output."
        reference: ["Unsupported attribute"],
        note: "A reference to an output of a module call that has `count` or `for_each`.";
    UnexpectedModuleKey "unexpected-module-key" Error "Unexpected module instance key"
        detail: "The module call has neither \"count\" nor \"for_each\", so it has no keys."
        help: "Remove the brackets."
        reference: ["Invalid index"],
        note: "A reference with a key to a module call that has only one instance.";
    ScopedReference "scoped-reference" Error "Data source out of scope"
        detail: "The data source belongs to the check \"{0}\", and only this check can refer to it."
        reference: ["Reference to scoped resource"],
        note: "A reference from outside of the check.";
    SelfReference "self-reference" Error "Self-reference"
        detail: "A {0} cannot refer to its own resource by name."
        help: "Write self in a postcondition. A precondition cannot use the resource."
        reference: ["Invalid reference in precondition", "Invalid reference in postcondition"],
        note: "The condition or the error message of a `precondition` or `postcondition` of a resource.";
    ResourceOfItself "resource-of-itself" Error "Resource refers to itself"
        detail: "An argument of a resource cannot refer to the resource."
        reference: ["Self-referential block"],
        note: "The tools report it in a plan. A trigger of `replace_triggered_by` that names its own resource fails there, too.";
    CircularReference "circular-reference" Error "Circular reference"
        detail: "This depends on itself: {0}."
        reference: ["Circular reference", "Cycle"],
        note: "Among values, resources, provider configurations and modules, by references, `depends_on` and validations. Points at an object of the cycle, in the module whose calls close it. If several cycles share objects, only one is reported.";
    SourceReference "source-reference" Error "Invalid reference in a module source"
        detail: "\"{0}\" is not known yet when modules are installed."
        help: "Use only constant variables, and local values made of them."
        reference: ["Invalid module source", "Invalid module version", "Unknown module source", "Unknown module version"],
        note: "A reference or a call of a function in `source` or `version` of a `module` block, or in a local value that one of them uses (Terraform).";
    UnknownSource "unknown-source" Error "Module source is not constant"
        detail: "The variable \"{0}\" has no value yet when modules are installed."
        help: "Set \"const\" to true in the declaration of the variable."
        reference: ["Unknown module source", "Unknown module version"],
        note: "A variable that is not constant in `source` or `version` of a `module` block (Terraform).";
    StaticReference "static-reference" Error "Value is not static"
        detail: "\"{0}\" is not known yet when this is evaluated."
        help: "Use only variables, path, terraform.workspace, and local values made of them."
        reference: ["Dynamic value in static context", "Module output not supported in static context", "Provider function in static context", "Invalid attribute in static context", "Unable to compute static value"],
        note: "A reference in `source` or `version` of a `module`, in `for_each` of a `provider`, in a backend, `cloud` or `encryption`, or in a local value that one of them uses (OpenTofu).";
    NotConstant "not-constant" Error "Variable is not constant"
        detail: "The variable \"{0}\" sets \"const\" to false, so it cannot be used where static values are required."
        reference: ["Unable to use variable in static context"],
        note: "A reference in one of the places of `static-reference` (OpenTofu).";
    EarlySecret "early-secret" Error "Secret in an unprotected place"
        detail: "The value is {0}, but it would be stored in files that are not protected."
        reference: ["Sensitive value not allowed", "Ephemeral value not allowed", "Invalid for_each argument", "Backend config contains sensitive values", "Backend config contains ephemeral values"],
        note: "A sensitive or ephemeral variable in `source` or `version` of a `module`, in `for_each` of a `provider`, or in a backend, directly or through local values (OpenTofu). Withheld where a function may make the value public.";
    EphemeralValue "ephemeral-value" Error "Ephemeral value not allowed"
        detail: "{0} is not {1}, so it cannot be set to an ephemeral value."
        help: "ephemeralasnull() replaces ephemeral values with null."
        reference: ["Ephemeral value not allowed", "Output does not allow ephemeral value", "Variable does not allow ephemeral value", "Invalid use of ephemeral value", "Ephemeral value used in non-ephemeral context"],
        note: "An output or a variable of a called module that is not declared ephemeral, or an argument of a resource that is not write-only.";
    QuotedReference "quoted-reference" Warning "Quoted reference"
        detail: "The reference is in quotes of its own."
        help: "Remove the quotes around the reference."
        reference: ["Quoted references are deprecated", "Quoted keywords are deprecated"],
        note: "`depends_on = [\"aws_vpc.main\"]` and `when = \"destroy\"` in native syntax; in JSON `\"\\\"aws.east\\\"\"` as a reference to a provider configuration (OpenTofu).";
    DestroyReference "destroy-reference" Error "Invalid reference in a destroy provisioner"
        detail: "\"{0}\" is evaluated when the instance is destroyed, and other objects may no longer exist by then."
        help: "Use only self, count.index, each.key, path and terraform."
        reference: ["Invalid reference from destroy provisioner"],
        note: "An argument of a `provisioner` with `when` set to `destroy`, or of its `connection`. Reported once for each argument.";
    PreventDestroyReference "prevent-destroy-reference" Error "Invalid reference in prevent_destroy"
        detail: "\"{0}\" cannot be used here, because the argument also applies to instances that are no longer declared."
        reference: ["Invalid reference in prevent_destroy"],
        note: "`each` or `count` in `prevent_destroy` (OpenTofu).";
        } }
    };
}
