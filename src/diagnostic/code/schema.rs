//! Codes of bodies that are checked by the schemas of providers.

macro_rules! schema_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Provider schemas" {
    UnknownType "unknown-type" Error "No such type"
        detail: "The provider {0} has no {1} \"{2}\"."
        reference: ["Invalid resource type", "Invalid data source", "Invalid ephemeral resource", "failed to read schema for *"],
        note: "By the schemas of providers, or what is built in.";
    UnknownProvisioner "unknown-provisioner" Error "No such provisioner"
        detail: "No provisioner \"{0}\" comes with the tools; there are file, local-exec and remote-exec."
        reference: ["Missing required provisioner plugin"],
        note: "Others can be installed by hand, in which case this is to be allowed.";
    ComputedArgument "computed-argument" Error "Argument that is decided by the provider"
        detail: "The provider decides on \"{0}\", so it cannot be set."
        reference: ["Value for unconfigurable attribute", "\"*\" attribute is read-only", "Invalid Configuration for Read-Only Attribute"],
        note: "An attribute that is computed, and neither required nor optional, in the schemas of providers.";
    DeprecatedArgument "deprecated-argument" Warning "Deprecated argument or block"
        detail: "\"{0}\" should not be used any more.{1}"
        reference: ["Argument is deprecated", "Deprecated attribute", "Attribute Deprecated", "Block Deprecated"],
        note: "By the schemas of providers.";
    ArgumentType "argument-type" Error "Incorrect attribute value type"
        detail: "The value does not fit \"{0}\": {1}."
        reference: ["Incorrect attribute value type", "Invalid dynamic for_each value", "Invalid backend configuration", "Invalid default values", "Invalid local state file path"],
        note: "By the schemas of providers, as far as the value is known without variables and functions. Points at the part that does not fit.";
    BlockCount "block-count" Error "Wrong number of blocks"
        detail: "{0}"
        reference: ["Insufficient * blocks", "Too many * blocks", "Missing * block", "Extraneous dynamic block label", "Insufficient dynamic block labels"],
        note: "By the nesting mode and the bounds in the schemas of providers. Where `dynamic` makes blocks there may be any number.";
        } }
    };
}
