//! Codes of specifications of bodies, and of bodies that are read by them.

macro_rules! spec_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Specifications" {
    SpecCount "spec-count" Error "Wrong number of specifications"
        detail: "In {0} there is {1}, and exactly one is required."
        reference: ["Missing spec block", "Extraneous spec block", "Invalid transform spec"],
        note: "The file, and each block that reads a body or changes a value, has one specification. `default` has at least one.";
    SpecName "spec-name" Error "Missing name"
        detail: "The specification `{0}` does not say what it reads."
        help: "Set `{1}`. In an `object`, the label of the block is the default."
        reference: ["Missing name in attribute spec", "Missing block_type in block_list spec", "Missing block_type in block_set spec", "Missing block_type in block_map spec", "Missing block_type in block_attrs spec"],
        note: "Also where the name is empty.";
    SpecType "spec-type" Error "Map of blocks with values of any type"
        detail: "The values of a map have one type, and this specification has attributes of type `any`."
        help: "Give each attribute a type."
        reference: ["Invalid block_map spec"],
        note: "Types of `block_tuple` count as `any`.";
    SpecDepth "spec-depth" Error "Specification nests too deeply"
        detail: "Specifications nest at most 100 levels deep."
        reference: [],
        note: "The reference has no limit.";
    UselessDefault "useless-default" Warning "Default without a fallback"
        detail: "A `default` block with one specification is the same as that specification alone."
        help: "Add the specification of the fallback after it."
        reference: [],
        note: "The reference ends with a panic.";
    UnlikeBlocks "unlike-blocks" Error "Values of different types"
        detail: "The values of \"{0}\" cannot be put into one collection: {1}."
        reference: ["Unconsistent argument types in * blocks"],
        note: "Elements of a list, a set or a map have one type. With attributes of type `any`, each block can have another one.";
    SpecNull "spec-null" Error "Missing or null value"
        detail: "The specification requires a value that is not null here."
        reference: [],
        note: "By `not_null` of a `refine` block.";
        } }
    };
}
