//! Codes of reading bodies by a schema.

macro_rules! body_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Bodies" {
    RootNotObject "root-not-object" Error "Root value must be object"
        detail: "The root value of a configuration file must be an object, or an array of objects, not {0}."
        reference: ["Root value must be object"],
        note: "The file is valid JSON, but its root is a scalar. It has no body.";
    IncorrectType "incorrect-type" Error "Incorrect JSON value type"
        detail: "{0} is required here, not {1}."
        reference: ["Incorrect JSON value type"],
        note: "A body, block or label level is neither object nor array of objects.";
    MissingLabel "missing-label" Error "Missing block label"
        detail: "A block of this type needs its label \"{0}\" here: an object with a property whose name is the label."
        reference: ["Missing block label"],
        note: "An empty object, an empty array or null where a block label is expected.";
    LabelAsArgument "label-as-argument" Error "Label written as an argument"
        detail: "The label \"{0}\" is not an argument here: it is the name of the property that holds the block, {1}."
        reference: ["Incorrect JSON value type"],
        note: "An object such as `{\"type\": \"shell\"}`, as Packer's JSON format before HCL has it, where a property's name is the label. The object is passed over.";
    DuplicateArgument "duplicate-argument" Error "Duplicate argument"
        detail: "The argument \"{0}\" is already set."
        reference: ["Duplicate argument"],
        note: "An argument is set more than once in a body. The first one counts; it is the second place.";
    DuplicateAttribute "duplicate-attribute" Error "Duplicate attribute definition"
        detail: "The attribute \"{0}\" is already defined."
        reference: ["Duplicate attribute definition"],
        note: "As `duplicate-argument`, in a body that has no schema.";
    MissingArgument "missing-argument" Error "Missing required argument"
        detail: "The argument \"{0}\" is required, but it is not set."
        reference: ["Missing required argument", "Missing \"source\" attribute for module block", "Missing target attribute"],
        note: "Points at the closing brace of the body, or at the opening bracket of an array of bodies: there the argument could be added.";
    ExtraneousProperty "extraneous-property" Error "Extraneous JSON object property"
        detail: "No argument or block type is named \"{0}\"."
        reference: ["Extraneous JSON object property", "Unsupported block type"],
        note: "A name that the schema does not know. The nearest name is suggested.";
    StaticListRequired "static-list-required" Error "Static list required"
        detail: "A JSON array is required here, not {0}."
        reference: ["Invalid expression"],
        note: "The argument is read as a static list, without evaluation.";
    StaticMapRequired "static-map-required" Error "Static map required"
        detail: "A JSON object is required here, not {0}."
        reference: ["Invalid expression"],
        note: "The argument is read as a static map, without evaluation.";
    KeywordRequired "keyword-required" Error "Keyword required"
        detail: "A string that holds one identifier is required here."
        reference: ["Invalid expression"],
        note: "The argument is read as a keyword, without evaluation.";
        } }
    };
}
