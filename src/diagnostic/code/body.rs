//! Codes of reading bodies by a schema.

macro_rules! body_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Bodies" {
    RootNotObject "root-not-object" Error "Root value is not an object"
        detail: "The root value of a configuration file must be an object or an array of objects, not {0}."
        reference: ["Root value must be object"],
        note: "The file is valid JSON, but its root is a scalar, so it has no body.";
    IncorrectType "incorrect-type" Error "Incorrect JSON value type"
        detail: "Expected {0}, found {1}."
        reference: ["Incorrect JSON value type"],
        note: "A body, a block or a label level is neither an object nor an array of objects.";
    MissingLabel "missing-label" Error "Missing block label"
        detail: "The block has no label \"{0}\"."
        help: "Wrap the body in an object with one property, whose name is the label."
        reference: ["Missing block label"],
        note: "An empty object, an empty array or null where a block label is expected.";
    LabelAsArgument "label-as-argument" Error "Label written as an argument"
        detail: "\"{0}\" is a label, not an argument."
        help: "Write the label as the name of the property that holds the block, {1}."
        reference: ["Incorrect JSON value type"],
        note: "An object such as `{\"type\": \"shell\"}`, as in Packer's JSON format before HCL, where the label is the name of a property. The object is ignored.";
    DuplicateArgument "duplicate-argument" Error "Duplicate argument"
        detail: "The argument \"{0}\" is set more than once."
        reference: ["Duplicate argument", "Attribute redefined"],
        note: "The first one is used. A second label points at it.";
    DuplicateAttribute "duplicate-attribute" Error "Duplicate attribute"
        detail: "The attribute \"{0}\" is defined more than once."
        reference: ["Duplicate attribute definition"],
        note: "Like `duplicate-argument`, in a body without a schema.";
    MissingArgument "missing-argument" Error "Missing required argument"
        detail: "The required argument \"{0}\" is missing."
        reference: ["Missing required argument", "Missing \"source\" attribute for module block", "Missing target attribute"],
        note: "Points at the closing brace of the body, or at the opening bracket of an array of bodies, where the argument can be added.";
    ExtraneousProperty "extraneous-property" Error "Unknown JSON property"
        detail: "\"{0}\" is not the name of an argument or a block type here."
        reference: ["Extraneous JSON object property", "Unsupported block type"],
        note: "A name that is not in the schema. A similar name is suggested.";
    StaticListRequired "static-list-required" Error "Static list required"
        detail: "The value must be a list in brackets, not {0}."
        reference: ["Invalid expression"],
        note: "The argument is read as a list without being evaluated.";
    StaticMapRequired "static-map-required" Error "Static map required"
        detail: "The value must be an object in braces, not {0}."
        reference: ["Invalid expression"],
        note: "The argument is read as a map without being evaluated.";
    KeywordRequired "keyword-required" Error "Keyword required"
        detail: "The value must be one identifier."
        reference: ["Invalid expression"],
        note: "The argument is read as a keyword without being evaluated.";
        } }
    };
}
