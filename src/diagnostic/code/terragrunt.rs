//! Codes of the units of Terragrunt.

macro_rules! terragrunt_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Terragrunt" {
    UnitInclude "unit-include" Error "Missing included file"
        detail: "The included file \"{0}\" does not exist, or must not be read."
        reference: ["IncludeConfigNotFoundError"],
        note: "The `path` of an `include` block (Terragrunt).";
    UnitDependency "unit-dependency" Error "Missing dependency"
        detail: "The dependency leads to \"{0}\", which is not a unit."
        help: "Name the folder of a unit or a stack, relative to that of this one."
        reference: [],
        note: "A `config_path`, or an element of `dependencies.paths` (Terragrunt).";
    UnitCycle "unit-cycle" Error "Cycle of units"
        detail: "The unit depends on itself: {0}."
        reference: ["Found a dependency cycle between modules"],
        note: "Each cycle is reported once, in its first unit. Terragrunt leaves the units of a cycle out of its lists.";
    UnitOutput "unit-output" Error "Undeclared output of a dependency"
        detail: "The module of the dependency \"{0}\" has no output \"{1}\"."
        reference: ["Unsupported attribute"],
        note: "A reference to an output that the module of a unit does not declare (Terragrunt). Withheld if a file of the module cannot be read, or is generated with unknown content.";
    UnitInput "unit-input" Warning "Undeclared input"
        detail: "The module of the unit does not declare the variable \"{0}\"."
        help: "Declare the variable, or remove the input, which has no effect."
        reference: ["terragrunt configuration has inputs that are not defined in the OpenTofu/Terraform module"],
        note: "A name in `inputs` (Terragrunt). The reference reports it only in its strict mode.";
    MissingInput "missing-input" Error "Missing input"
        detail: "The module of the unit requires the variable \"{0}\", and the unit has no input of that name."
        reference: ["terragrunt configuration has misconfigured inputs"],
        note: "Withheld if the unit has files of variables or inputs that are not known (Terragrunt).";
    UnitConfiguration "unit-configuration" Error "Invalid configuration of a unit"
        detail: "The configuration of the unit cannot be evaluated: {0}."
        reference: [],
        note: "What is wrong with several files together, such as two `generate` blocks of one name (Terragrunt).";
        } }
    };
}
