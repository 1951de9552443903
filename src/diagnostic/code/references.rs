//! Codes of references: what a traversal means, and whether it is there.

macro_rules! references_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "References" {
    InvalidReference "invalid-reference" Error "Invalid reference"
        detail: "A reference to \"{0}\" cannot stop or go on here: {1}."
        reference: ["Invalid reference"],
        note: "Points at the step where the reference goes wrong.";
    InvalidIndexKey "invalid-index-key" Error "Invalid index key"
        detail: "Instances are told apart by integers and strings."
        reference: ["Invalid index key"],
        note: "The key of an instance is a fraction, a boolean or null, or does not fit 64 bits.";
    ReservedSymbol "reserved-symbol" Error "Reserved symbol name"
        detail: "The name \"{0}\" is reserved. For a resource type of this name, write \"resource.{0}\"."
        reference: ["Reserved symbol name"],
        note: "A reference starts with `template`, `lazy` or `arg`.";
    UndeclaredReference "undeclared-reference" Error "Reference to something undeclared"
        detail: "\"{0}\" is not declared in this module."
        reference: ["Reference to undeclared input variable", "Reference to undeclared local value", "Reference to undeclared resource", "Reference to undeclared module", "Reference to undeclared output value", "Undefined local", "action_trigger actions references non-existent action"],
        note: "Withheld if a file of the module cannot be read.";
    UndeclaredDependency "undeclared-dependency" Error "Dependency on something undeclared"
        detail: "\"{0}\" is not declared in this module."
        reference: ["Reference to undeclared input variable", "Reference to undeclared local value", "Reference to undeclared resource", "Reference to undeclared module"],
        note: "An element of `depends_on`. Withheld if a file of the module cannot be read.";
    InvalidDependency "invalid-dependency" Error "Invalid dependency"
        detail: "This cannot be waited for: {0}."
        reference: ["Invalid depends_on Action Reference", "Invalid depends_on reference"],
        note: "An element of `depends_on` that is an action (Terraform), or a part of an object.";
    OutOfScope "out-of-scope" Error "Not available here"
        detail: "\"{0}\" is there in {1} only."
        reference: ["Reference to \"each\" in context without for_each", "Reference to \"count\" in non-counted context", "Invalid \"self\" reference", "each.value cannot be used in this context"],
        note: "A reference to `count`, `each` or `self` where there is none; in templates of Packer, to `build` or `source`.";
    UnknownAttribute "unknown-attribute" Error "Unknown attribute"
        detail: "The object \"{0}\" has no attribute \"{1}\"."
        reference: ["Invalid \"each\" attribute", "Invalid \"count\" attribute", "Invalid \"path\" attribute", "Invalid \"terraform\" attribute", "Invalid \"tofu\" attribute"],
        note: "Of `count`, `each`, `path`, `terraform` and `tofu`.";
    MissingInstanceKey "missing-instance-key" Error "Missing instance key"
        detail: "The resource has \"{0}\": an attribute is one of its instances', which is named by a key in brackets."
        reference: ["Missing resource instance key"],
        note: "A reference to an attribute of a resource that has `count` or `for_each`.";
    UnexpectedInstanceKey "unexpected-instance-key" Error "Unexpected instance key"
        detail: "The resource has neither \"count\" nor \"for_each\", so there are no keys. Remove the brackets."
        reference: ["Unexpected resource instance key"],
        note: "A reference to an instance of a resource that has only one.";
    CountAttribute "count-attribute" Error "No attribute for the number of instances"
        detail: "The number of instances is length() of the resource."
        reference: ["Invalid resource count attribute"],
        note: "`aws_instance.web.count`, as it was written before version 0.12.";
    MissingModuleKey "missing-module-key" Error "Missing key of a module's instance"
        detail: "The call has \"{0}\": an output is one of its instances', which is named by a key in brackets."
        reference: ["Unsupported attribute"],
        note: "A reference to an output of a module call that has `count` or `for_each`.";
    UnexpectedModuleKey "unexpected-module-key" Error "Unexpected key of a module's instance"
        detail: "The call has neither \"count\" nor \"for_each\", so there are no keys. Remove the brackets."
        reference: ["Invalid index"],
        note: "A reference to an instance of a module call that has only one.";
    ScopedReference "scoped-reference" Error "Reference to a data source of a check"
        detail: "Only the check \"{0}\" can refer to its data source."
        reference: ["Reference to scoped resource"],
        note: "A reference from outside of the check.";
    SelfReference "self-reference" Error "Reference to itself"
        detail: "A {0} cannot refer to the resource that it belongs to. In a postcondition write \"self\"."
        reference: ["Invalid reference in precondition", "Invalid reference in postcondition"],
        note: "The condition or the message of a `precondition` or `postcondition` of a resource.";
    CircularReference "circular-reference" Error "Circular reference"
        detail: "What is declared here depends on itself: {0}."
        reference: ["Circular reference", "Cycle"],
        note: "Among values, resources, provider configurations and modules, through references, `depends_on` and validations. Points at an object of the cycle, in the module whose calls close it; of objects that all depend on each other one cycle is shown.";
    SourceReference "source-reference" Error "Not available to find a module"
        detail: "Modules are found before \"{0}\" is known. Their source and version may refer to constant variables and local values only."
        reference: ["Invalid module source", "Invalid module version"],
        note: "A reference in `source` or `version` of a `module` block (Terraform).";
    UnknownSource "unknown-source" Error "Module source is not constant"
        detail: "Modules are found before the variable \"{0}\" has a value. Set \"const\" to true where it is declared."
        reference: ["Unknown module source", "Unknown module version"],
        note: "A variable that is not constant in `source` or `version` of a `module` block (Terraform).";
    StaticReference "static-reference" Error "Not known early enough"
        detail: "\"{0}\" is not known yet when this is evaluated. Only variables, local values that need nothing else, path and terraform.workspace are."
        reference: ["Dynamic value in static context", "Module output not supported in static context", "Provider function in static context", "Invalid attribute in static context", "Unable to compute static value"],
        note: "A reference in `source` or `version` of a `module`, `for_each` of a `provider`, a backend, `cloud` or `encryption`, or in a local value that one of them needs (OpenTofu).";
    NotConstant "not-constant" Error "Variable is not constant"
        detail: "The variable \"{0}\" says with \"const\" set to false that it cannot be used here, where values must be known early."
        reference: ["Unable to use variable in static context"],
        note: "A reference in a place of `static-reference` (OpenTofu).";
    EarlySecret "early-secret" Error "Secret where values are written down"
        detail: "What this is made of is {0}. Its value would be kept in files that are no secret."
        reference: ["Sensitive value not allowed", "Ephemeral value not allowed", "Invalid for_each argument", "Backend config contains sensitive values", "Backend config contains ephemeral values"],
        note: "A sensitive or ephemeral variable in `source` or `version` of a `module`, in `for_each` of a `provider`, or in a backend, by way of local values too (OpenTofu). Withheld where a function may make its value public.";
    EphemeralValue "ephemeral-value" Error "Ephemeral value not allowed"
        detail: "{0} is not {1}, so it cannot be set to a value that is ephemeral."
        reference: ["Ephemeral value not allowed", "Output does not allow ephemeral value", "Variable does not allow ephemeral value", "Invalid use of ephemeral value", "Ephemeral value used in non-ephemeral context"],
        note: "An output or a variable of a called module that is not declared ephemeral, or an argument of a resource that is not write-only. `ephemeralasnull` takes ephemeral values out.";
    QuotedReference "quoted-reference" Warning "Quoted reference"
        detail: "What is named here needs no quotes of its own. Remove them."
        reference: ["Quoted references are deprecated", "Quoted keywords are deprecated"],
        note: "`depends_on = [\"aws_vpc.main\"]` and `when = \"destroy\"` in native syntax; in JSON `\"\\\"aws.east\\\"\"` as a reference to a provider configuration (OpenTofu).";
    DestroyReference "destroy-reference" Error "Reference that is gone at destroy time"
        detail: "\"{0}\" is read when the instance is destroyed. Then only self, count.index, each.key, path and terraform are there."
        reference: ["Invalid reference from destroy provisioner"],
        note: "An argument of a `provisioner` with `when` set to `destroy`, or of its `connection`. Told once for each argument.";
    PreventDestroyReference "prevent-destroy-reference" Error "Reference to an instance"
        detail: "\"{0}\" cannot be used here: the argument is read for instances, too, that are no longer declared."
        reference: ["Invalid reference in prevent_destroy"],
        note: "`each` or `count` in `prevent_destroy` (OpenTofu).";
        } }
    };
}
