//! Codes of Packer templates only.

macro_rules! packer_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Packer" {
    LegacyTemplate "legacy-template" Error "Template in the format before HCL"
        detail: "The property \"builders\" makes this a template in Packer's JSON format before HCL, which is not read. The command \"packer hcl2_upgrade\" converts it; or name the file \".json\" for Packer to read it."
        reference: ["Extraneous JSON object property"],
        note: "Nothing else is said of the file (Packer).";
    RequiredPlugin "required-plugin" Error "Invalid plugin requirement"
        detail: "This says nothing that can be used of the plugin \"{0}\": {1}."
        reference: ["Invalid required_plugins"],
        note: "An entry of `required_plugins` (Packer).";
    ValidationMessage "validation-message" Error "Error message is no sentence"
        detail: "A message starts with an upper-case letter, and ends with a period, a question mark or an exclamation mark."
        reference: ["Invalid validation error message"],
        note: "`error_message` of a `validation`, which is read literally (Packer).";
    ValidationCondition "validation-condition" Error "Invalid condition of a variable"
        detail: "A condition is a template that refers to the variable \"{0}\", and to nothing else."
        reference: ["Invalid reference in variable validation", "Invalid variable validation condition"],
        note: "`condition` of a `validation` (Packer).";
    InvalidDuration "invalid-duration" Error "Invalid duration"
        detail: "\"{0}\" is no duration. Durations are numbers with units, such as 30s or 1h15m."
        reference: ["Failed to parse *"],
        note: "`pause_before` and `timeout` of a provisioner (Packer).";
    ExclusiveSelection "exclusive-selection" Error "Both only and except"
        detail: "Only one of \"only\" and \"except\" can say for which sources this is done."
        reference: ["only one of 'only' or 'except' may be specified"],
        note: "The second place is the other one (Packer).";
    UnmatchedSelection "unmatched-selection" Warning "No such source in the build"
        detail: "The build has no source \"{0}\": names here are TYPE.NAME, with nothing before them."
        reference: [],
        note: "An element of `only` or `except` (Packer).";
    DynamicType "dynamic-type" Error "No block of this type here"
        detail: "Blocks of type \"{0}\" cannot stand here, so none can be made."
        reference: ["Unsupported block type"],
        note: "The label of a `dynamic` block (Packer).";
    RegistryArgument "registry-argument" Error "Invalid argument of the registry"
        detail: "This cannot be used for \"{0}\": {1}."
        reference: ["Invalid *"],
        note: "An argument of `hcp_packer_registry` (Packer).";
    RegistryDeprecation "registry-deprecation" Warning "Deprecated form of the registry"
        detail: "{0} is deprecated. Its place is taken by {1}."
        reference: ["Build block level hcp_packer_registry are deprecated", "the argument hcp_packer_registry.labels has been deprecated*"],
        note: "A `hcp_packer_registry` in a build, or its argument `labels` (Packer).";
    SourceName "source-name" Error "Invalid reference to a source"
        detail: "\"{0}\" names no source. A source is TYPE.NAME or source.TYPE.NAME."
        reference: ["Invalid source reference", "Invalid * reference"],
        note: "An element of `sources`, or the label of a `source` block, in a build (Packer).";
    MissingSources "missing-sources" Error "Build without sources"
        detail: "A build needs a source: in the list \"sources\", or as a block \"source\"."
        reference: ["missing source reference"],
        note: "Not told when only an evaluation says which sources there are (Packer).";
        } }
    };
}
