//! Codes of `moved`, `removed` and `import` blocks.

macro_rules! refactoring_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Moves, removals and imports" {
    InvalidAddress "invalid-address" Error "Invalid address"
        detail: "Expected the address of {0}."
        reference: ["Invalid address", "Invalid address operator", "Invalid \"moved\" address", "Invalid import address", "Invalid import address expression", "Invalid reference expression", "Invalid \"import\" address", "Module instance address with keys is not allowed", "Resource instance keys not allowed", "Can only target managed resources for forced replacements."],
        note: "Points at the first step that is invalid in such an address, or at the whole address.";
    MovedKinds "moved-kinds" Error "Mismatched addresses"
        detail: "One address refers to a module, the other to a resource."
        reference: ["Invalid \"moved\" addresses"],
        note: "`from` and `to` of a `moved` block.";
    RemovedAddress "removed-address" Error "Invalid address in a removed block"
        detail: "A removed block cannot remove {0}."
        reference: ["Resource instance keys not allowed", "Module instance keys not allowed", "Data source address not allowed", "Resource instance address with keys is not allowed", "Module instance address with keys is not allowed", "Data source address is not allowed", "Ephemeral resource address is not allowed"],
        note: "Only all instances of a managed resource or of a module can be removed.";
    RemovedBlock "removed-block" Error "Invalid block in a removed block"
        detail: "A {0} block is invalid here: {1}."
        reference: ["Invalid provisioner block", "Invalid connection block", "Invalid \"removed.provisioner\" block", "Invalid \"removed\" block"],
        note: "Provisioners in a `removed` block run when resources are destroyed. Modules cannot have them.";
    RemovedLifecycle "removed-lifecycle" Warning "Missing lifecycle in a removed block"
        detail: "Without \"destroy\", OpenTofu only forgets the object, and Terraform destroys it."
        help: "Set \"destroy\" in a block \"lifecycle\"."
        reference: ["Missing lifecycle from the removed block"],
        note: "A `removed` block without `destroy` (OpenTofu). Withheld if the block has an error.";
    UnusedProvisioner "unused-provisioner" Warning "Provisioner never runs"
        detail: "\"destroy\" is false, so nothing is destroyed and the provisioner never runs."
        reference: ["Removed block provisioners will not be executed"],
        note: "A `provisioner` in a `removed` block (OpenTofu). Withheld if the block has an error.";
    StillDeclared "still-declared" Error "Object still declared"
        detail: "{0} is {1}, but it is still declared."
        help: "Remove its declaration, or this block."
        reference: ["Moved object still exists", "Removed resource still exists", "Removed module still exists", "Removed resource block still exists", "Removed module block still exists"],
        note: "`from` of a `moved` or `removed` block names an object of the same module. The tools report it in a plan. Withheld if a file of the module cannot be read.";
    RedundantMove "redundant-move" Error "Redundant move"
        detail: "Both addresses are the same."
        reference: ["Redundant move statement"],
        note: "The tools report it in a plan.";
    AmbiguousMove "ambiguous-move" Error "Ambiguous move"
        detail: "{0} {1}."
        reference: ["Ambiguous move statements"],
        note: "Two `moved` blocks of a module, with `--level values` also of different modules, have the same `from` or the same `to`. The tools report it in a plan.";
    CyclicMove "cyclic-move" Error "Cyclic move"
        detail: "{0} moves back to its own address, through other blocks."
        reference: ["Cyclic dependency in move statements"],
        note: "`moved` blocks of a module that form a cycle. The tools report it in a plan.";
    DuplicateImport "duplicate-import" Error "Duplicate import"
        detail: "Another import block imports to {0}."
        reference: ["Duplicate import configuration for \"*\""],
        note: "Two `import` blocks with the same address.";
    UndeclaredImport "undeclared-import" Error "Import to an undeclared resource"
        detail: "The resource {0} is not declared."
        help: "Declare it, or have the tool generate its configuration."
        reference: ["Configuration for import target does not exist"],
        note: "A resource of the module itself (OpenTofu, which reports it in a plan unless it generates the configuration). Withheld if a file of the module cannot be read.";
    MissingInstance "missing-instance" Error "Import to a missing instance"
        detail: "The configuration has no instance {0}."
        help: "Import to an instance that \"count\" or \"for_each\" makes."
        reference: ["Configuration for import target does not exist"],
        note: "Only with `--level values`, if the instances of the resource are known. The tools report it in a plan.";
    UnknownUntilApply "unknown-until-apply" Warning "Unknown until an apply"
        detail: "The value of \"{0}\" is known only after an apply: {1}."
        help: "Use a value of the configuration, or apply in two steps: a plan from an empty state fails."
        reference: ["Invalid count argument", "Invalid for_each argument", "Invalid import id argument"],
        note: "Only with `--level values`, without a state: `count`, `for_each`, `enabled` or the id of an import, also through local values, arguments and outputs, made of an attribute that a provider sets, or by `timestamp`, `uuid` or `bcrypt`. If a state has the object, the value is known.";
    ImportArguments "import-arguments" Error "Invalid arguments of an import"
        detail: "An import {0}."
        reference: ["Invalid import block", "Missing required import argument", "Conflicting import arguments", "Invalid import provider argument"],
        note: "Either `id` or `identity`; and `provider` only for a resource of the module itself that is not declared, or names the same configuration.";
    ImportIdentifier "import-identifier" Error "Invalid import identifier"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid import id argument", "Invalid import identity argument", "Incorrect value type"],
        note: "Checked if the value is known without the values of variables. OpenTofu accepts an empty \"id\": a warning there.";
    ImportIdentity "import-identity" Error "Invalid identity of an import"
        detail: "{0}"
        reference: ["Incorrect value type"],
        note: "With schemas of providers, if the resource belongs to the module itself: the identity lacks a required attribute, has one of another type, or the resource type has no identity.";
    ImportOfItself "import-of-itself" Error "Import refers to its own resource"
        detail: "The \"{0}\" of an import cannot refer to the imported resource."
        reference: ["Invalid import id argument", "Invalid for_each argument"],
        note: "An argument of an `import` block refers to the resource in `to` (Terraform).";
    ImportTarget "import-target" Error "Invalid import target"
        detail: "The import target is invalid: {0}."
        reference: ["Configuration for import target does not exist", "Invalid import 'to' expression"],
        note: "Keys of resources of the module itself, and the first module call of the address (Terraform). Withheld if a file of the module cannot be read.";
    CalledImport "called-import" Error "Import in a called module"
        detail: "Only the root module can have import blocks."
        help: "Move the block to the root module. It can import to resources of this module."
        reference: ["Invalid import configuration"],
        note: "In a called module (OpenTofu). If there are several blocks, only the first is reported.";
        } }
    };
}
