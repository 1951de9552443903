//! Codes of bodies that are checked by the schemas of providers, or by specifications.

macro_rules! schema_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Provider schemas" {
    UnknownType "unknown-type" Error "Unknown type"
        detail: "The provider {0} has no {1} \"{2}\"."
        reference: ["Invalid resource type", "Invalid data source", "Invalid ephemeral resource", "failed to read schema for *"],
        note: "Not in the provider schemas, and not built in.";
    UnknownProvisioner "unknown-provisioner" Error "Unknown provisioner"
        detail: "The provisioner \"{0}\" is not built in."
        help: "The built-in provisioners are file, local-exec and remote-exec. For one that is installed by hand, use `--allow unknown-provisioner`."
        reference: ["Missing required provisioner plugin"],
        note: "Provisioners other than the built-in ones can be installed by hand.";
    ArgumentCombination "argument-combination" Error "Invalid combination of arguments"
        detail: "{0}"
        reference: ["Cannot set both 'source' and 'content'", "Must provide one of 'source' or 'content'", "Invalid remote-exec provisioner configuration"],
        note: "The arguments of a built-in provisioner that exclude one another.";
    ComputedArgument "computed-argument" Error "Read-only argument"
        detail: "The provider sets \"{0}\", so the configuration cannot."
        reference: ["Value for unconfigurable attribute", "\"*\" attribute is read-only", "Invalid Configuration for Read-Only Attribute"],
        note: "An attribute that is computed, and neither required nor optional, in the provider schemas.";
    RedundantIgnore "redundant-ignore" Warning "Redundant element of ignore_changes"
        detail: "The provider sets \"{0}\", so the configuration has no changes to ignore."
        help: "Remove the element."
        reference: ["Redundant ignore_changes element"],
        note: "An element of `ignore_changes` whose attribute is computed, and neither required nor optional, in the provider schemas.";
    DeprecatedArgument "deprecated-argument" Warning "Deprecated argument or block"
        detail: "\"{0}\" is deprecated."
        help: "{1}"
        reference: ["Argument is deprecated", "Deprecated attribute", "Attribute Deprecated", "Block Deprecated"],
        note: "Deprecated in the provider schemas.";
    ArgumentType "argument-type" Error "Invalid argument value"
        detail: "The value of \"{0}\" is invalid: {1}."
        reference: ["Incorrect attribute value type", "Invalid dynamic for_each value", "Invalid backend configuration", "Invalid default values", "Invalid local state file path", "Invalid attribute value", "Unsuitable value type", "Invalid block label name list"],
        note: "Checked by the provider schemas, if the value is known without variables and functions, or by a specification. Points at the invalid part.";
    BlockCount "block-count" Error "Wrong number of blocks"
        detail: "{0}"
        reference: ["Insufficient * blocks", "Too many * blocks", "Missing * block", "Duplicate * block", "Extraneous dynamic block label", "Insufficient dynamic block labels"],
        note: "Checked by the nesting mode and the limits in the provider schemas, or by a specification. With `dynamic` blocks, any number is accepted without values.";
        } }
    };
}
