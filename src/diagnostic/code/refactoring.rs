//! Codes of `moved`, `removed` and `import` blocks.

macro_rules! refactoring_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Moves, removals and imports" {
    InvalidAddress "invalid-address" Error "Invalid address"
        detail: "This is no address of {0}."
        reference: ["Invalid address", "Invalid address operator", "Invalid \"moved\" address", "Invalid import address", "Invalid import address expression", "Invalid reference expression", "Invalid \"import\" address", "Module instance address with keys is not allowed", "Resource instance keys not allowed", "Can only target managed resources for forced replacements."],
        note: "Points at the first step that no address has there, or at all of it.";
    MovedKinds "moved-kinds" Error "Different kinds of addresses"
        detail: "One of the addresses is a module's, the other a resource's."
        reference: ["Invalid \"moved\" addresses"],
        note: "`from` and `to` of a `moved` block.";
    RemovedAddress "removed-address" Error "Unsuitable address"
        detail: "A removed block removes {0}."
        reference: ["Resource instance keys not allowed", "Module instance keys not allowed", "Data source address not allowed", "Resource instance address with keys is not allowed", "Module instance address with keys is not allowed", "Data source address is not allowed", "Ephemeral resource address is not allowed"],
        note: "Instances cannot be removed one by one, and data sources are not kept.";
    RemovedBlock "removed-block" Error "Unsuitable block"
        detail: "A {0} block cannot stand here: {1}."
        reference: ["Invalid provisioner block", "Invalid connection block", "Invalid \"removed.provisioner\" block", "Invalid \"removed\" block"],
        note: "In a `removed` block: provisioners run when resources are destroyed, and modules have none.";
    RemovedLifecycle "removed-lifecycle" Warning "No word about the object"
        detail: "The block does not say whether what is removed is destroyed: OpenTofu only forgets it, and Terraform destroys it. Set \"destroy\" in a block \"lifecycle\"."
        reference: ["Missing lifecycle from the removed block"],
        note: "A `removed` block without `destroy` (OpenTofu). Withheld if the block has an error.";
    UnusedProvisioner "unused-provisioner" Warning "Provisioner is never run"
        detail: "With \"destroy\" set to false nothing is destroyed, and so no provisioner is run."
        reference: ["Removed block provisioners will not be executed"],
        note: "A `provisioner` in a `removed` block (OpenTofu). Withheld if the block has an error.";
    DuplicateImport "duplicate-import" Error "Duplicate import"
        detail: "An import to {0} is there already."
        reference: ["Duplicate import configuration for \"*\""],
        note: "Two `import` blocks with the same address.";
    ImportArguments "import-arguments" Error "Unsuitable arguments of an import"
        detail: "An import has {0}."
        reference: ["Invalid import block", "Missing required import argument", "Conflicting import arguments", "Invalid import provider argument"],
        note: "Either `id` or `identity`; and `provider` only for a resource of the module itself that is not declared, or names the same configuration.";
    ImportIdentifier "import-identifier" Error "Invalid identifier of an import"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid import id argument", "Invalid import identity argument", "Incorrect value type"],
        note: "As far as the value is known without variables.";
    ImportOfItself "import-of-itself" Error "Import that needs its own resource"
        detail: "The \"{0}\" of an import cannot refer to the resource that is imported."
        reference: ["Invalid import id argument", "Invalid for_each argument"],
        note: "Terraform.";
    ImportTarget "import-target" Error "Import to what is not there"
        detail: "Nothing can be imported to this address: {0}."
        reference: ["Configuration for import target does not exist", "Invalid import 'to' expression"],
        note: "Keys of resources of the module itself, and the first module call of the address (Terraform). Withheld if a file of the module cannot be read.";
    CalledImport "called-import" Error "Import in a called module"
        detail: "Only the root module can import; it can do so into this one."
        reference: ["Invalid import configuration"],
        note: "In a module that is called (OpenTofu). Of several blocks the first is shown.";
        } }
    };
}
