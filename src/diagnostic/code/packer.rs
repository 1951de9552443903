//! Codes of Packer templates only.

macro_rules! packer_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Packer" {
    LegacyTemplate "legacy-template" Error "Template in Packer's legacy JSON format"
        detail: "The property \"builders\" makes this a template in Packer's legacy JSON format, which is not supported."
        help: "Convert it with packer hcl2_upgrade, or name the file .json instead of .pkr.json."
        reference: ["Extraneous JSON object property"],
        note: "The rest of the file is not checked (Packer).";
    RequiredPlugin "required-plugin" Error "Invalid plugin requirement"
        detail: "The requirement of the plugin \"{0}\" is invalid: {1}."
        reference: ["Invalid required_plugins"],
        note: "An entry of `required_plugins` (Packer).";
    ValidationMessage "validation-message" Error "Error message is not a sentence"
        detail: "The error message must start with an upper-case letter, and end with a period, a question mark or an exclamation mark."
        reference: ["Invalid validation error message"],
        note: "`error_message` of a `validation`, which is read literally (Packer).";
    ValidationCondition "validation-condition" Error "Invalid validation condition"
        detail: "The condition must be a template that refers only to the variable \"{0}\"."
        reference: ["Invalid reference in variable validation", "Invalid variable validation condition"],
        note: "`condition` of a `validation` (Packer).";
    InvalidDuration "invalid-duration" Error "Invalid duration"
        detail: "\"{0}\" is not a duration."
        help: "Write a number with a unit, such as 30s or 1h15m."
        reference: ["Failed to parse *"],
        note: "`pause_before` and `timeout` of a provisioner (Packer).";
    ExclusiveSelection "exclusive-selection" Error "Conflicting only and except"
        detail: "\"only\" and \"except\" cannot be used together."
        reference: ["only one of 'only' or 'except' may be specified"],
        note: "A second label points at the other one (Packer).";
    UnmatchedSelection "unmatched-selection" Warning "Unknown source in a build"
        detail: "The build has no source \"{0}\"."
        help: "Write TYPE.NAME, without a prefix."
        reference: [],
        note: "An element of `only` or `except` (Packer).";
    DynamicType "dynamic-type" Error "Invalid dynamic block"
        detail: "Blocks of type \"{0}\" are not allowed here."
        reference: ["Unsupported block type"],
        note: "The label of a `dynamic` block (Packer).";
    RegistryArgument "registry-argument" Error "Invalid registry argument"
        detail: "The value of \"{0}\" is invalid: {1}."
        reference: ["Invalid *"],
        note: "An argument of `hcp_packer_registry` (Packer).";
    RegistryDeprecation "registry-deprecation" Warning "Deprecated registry configuration"
        detail: "{0} is deprecated."
        help: "Use {1} instead."
        reference: ["Build block level hcp_packer_registry are deprecated", "the argument hcp_packer_registry.labels has been deprecated*"],
        note: "A `hcp_packer_registry` in a build, or its argument `labels` (Packer).";
    SourceName "source-name" Error "Invalid source reference"
        detail: "\"{0}\" is not a reference to a source."
        help: "Write TYPE.NAME or source.TYPE.NAME."
        reference: ["Invalid source reference", "Invalid * reference"],
        note: "An element of `sources`, or the label of a `source` block, in a build (Packer).";
    MissingSources "missing-sources" Error "Build without sources"
        detail: "The build has no sources."
        help: "Add a list \"sources\" or a block \"source\"."
        reference: ["missing source reference"],
        note: "Withheld if the sources are only known after evaluation (Packer).";
        } }
    };
}
