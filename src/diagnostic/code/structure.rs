//! Codes of the structure of files in native syntax.

macro_rules! structure_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Native syntax: structure" {
    JsonInNative "json-in-native" Error "JSON in a native file"
        detail: "The file starts with a brace, as JSON does, but its name is that of a file in native syntax."
        help: "Give the file a name that ends in .json."
        reference: ["Argument or block definition required"],
        note: "The first token of a native file is an opening brace. The rest of the file is not read.";
    NoNativeSyntax "no-native-syntax" Error "Not possible in native syntax"
        detail: "Native syntax cannot express {0}, so it is left out."
        reference: [],
        note: "`convert` cannot write a part of a JSON file in native syntax: an argument whose name is not an identifier, or a value that is not an object where a block is required.";
    NoJsonSyntax "no-json-syntax" Error "Not possible in JSON"
        detail: "In JSON, \"{0}\" would be an argument, so the block is left out."
        help: "Write it as an argument."
        reference: [],
        note: "`convert` cannot write a block in JSON if the tools have an argument of its name in that place: JSON does not distinguish them.";
    LayoutTooLarge "layout-too-large" Error "Layout too large"
        detail: "In canonical layout the file would have {0} bytes, and at most {1} are written."
        help: "Shorten the longest line among those that are aligned, or nest fewer brackets."
        reference: [],
        note: "`fmt` and `convert` align lines with the longest one beside them, and indent each bracket, as the tools do. A layout of more than 16 MiB and 16 times the length of the file is not written: `fmt` leaves the file as it is, and the output of `convert` is not aligned.";
    ItemRequired "item-required" Error "Missing argument or block"
        detail: "Expected an argument or a block, found {0}."
        reference: ["Argument or block definition required"],
        note: "A line starts with something other than a name.";
    InvalidItem "invalid-item" Error "Invalid argument or block"
        detail: "\"{0}\" is neither an argument nor a block."
        help: "Write an argument as {0} = value, or a block as its type, its labels and braces."
        reference: ["Argument or block definition required"],
        note: "A name that is not followed by `=`, a label or a brace.";
    QuotedName "quoted-name" Error "Quoted argument name"
        detail: "The name of an argument, or the type of a block, is in quotes."
        help: "Remove the quotes."
        reference: ["Invalid argument name"],
        note: "A line starts with a string.";
    ColonForEquals "colon-for-equals" Error "Colon instead of equals sign"
        detail: "A colon follows the argument name {0}."
        help: "Write {0} = value."
        reference: ["Argument or block definition required"],
        note: "A colon after a name at the start of a line.";
    MissingArgumentValue "missing-argument-value" Error "Missing argument value"
        detail: "The argument {0} has no value on the same line."
        reference: ["Invalid expression"],
        note: "An equals sign at the end of a line.";
    MissingLineBreak "missing-line-break" Error "Missing line break"
        detail: "Expected a line break after the argument or block, found {0}."
        help: "{1}"
        reference: ["Missing newline after argument", "Missing newline after block definition", "Extra characters after expression"],
        note: "Something follows a complete argument or block on its line.";
    CommaAfterArgument "comma-after-argument" Error "Comma after argument"
        detail: "Arguments are separated by line breaks, not by commas."
        help: "Remove the comma."
        reference: ["Unexpected comma after argument"],
        note: "A comma after an argument in a body. Objects in expressions may have commas.";
    OneLineBlock "one-line-block" Error "Invalid block on one line"
        detail: "A block on one line may hold only one argument, but {0} follows."
        help: "Write each argument and each block on a line of its own."
        reference: ["Invalid single-argument block definition", "Argument definition required"],
        note: "Something follows the opening brace of a block on its line that is not a single argument before the closing brace.";
    InvalidBlockHeader "invalid-block-header" Error "Invalid block header"
        detail: "Expected a label or an opening brace after the block type {1}, found {0}."
        help: "Write labels as names or as strings in double quotes."
        reference: ["Invalid block definition"],
        note: "Something other than a label before the opening brace of a block.";
    EqualsInBlock "equals-in-block" Error "Equals sign before block"
        detail: "There is an equals sign before the opening brace of the block."
        help: "Remove the equals sign."
        reference: ["Invalid block definition"],
        note: "`=` after the labels of a block.";
    MissingBlockBody "missing-block-body" Error "Missing block body"
        detail: "The line ends before the opening brace of the block {0}."
        help: "Write the opening brace on the same line as the block type."
        reference: ["Invalid block definition"],
        note: "A line ends after the type or the labels of a block.";
    TemplateInLabel "template-in-label" Error "Template in label"
        detail: "A label cannot contain interpolations or directives."
        help: "To write the characters themselves, double the dollar or percent sign."
        reference: ["Invalid string literal"],
        note: "`${` or `%{` in a label.";
    UnclosedBlock "unclosed-block" Error "Unclosed block"
        detail: "The closing brace of this block is missing."
        reference: ["Unclosed configuration block"],
        note: "Points at the opening brace of the first block whose closing brace is indented less than its type, if there is one; otherwise of the innermost open block.";
    UnexpectedBrace "unexpected-brace" Error "Unexpected closing brace"
        detail: "This closing brace does not close a block."
        help: "Remove the brace, or check for a missing opening brace before it."
        reference: ["Argument or block definition required"],
        note: "An extra closing brace.";
    UnterminatedHeredoc "unterminated-heredoc" Error "Unterminated heredoc"
        detail: "The heredoc has no end: {0} must be on a line of its own that ends with a line feed."
        reference: ["Unterminated template string"],
        note: "Points at the start of the heredoc, which takes up the rest of the file.";
    ConflictMarker "conflict-marker" Error "Unresolved merge conflict"
        detail: "The file contains the marker of a merge conflict."
        help: "Resolve the conflict, and remove the markers."
        reference: ["Argument or block definition required", "Invalid expression"],
        note: "A line between arguments and blocks starts with the marker of a version control system. Reported once for each conflict.";
    UnsupportedArgument "unsupported-argument" Error "Unsupported argument"
        detail: "\"{0}\" is not the name of an argument here."
        reference: ["Unsupported argument"],
        note: "A name that is not in the schema. A similar name is suggested.";
    UnsupportedBlock "unsupported-block" Error "Unsupported block type"
        detail: "\"{0}\" is not a block type here."
        reference: ["Unsupported block type"],
        note: "A block type that is not in the schema. A similar one is suggested.";
    BlockAsArgument "block-as-argument" Error "Block written as an argument"
        detail: "\"{0}\" is a block type, not an argument."
        help: "Remove the equals sign."
        reference: ["Unsupported argument"],
        note: "An argument whose name is a block type of the schema.";
    ArgumentAsBlock "argument-as-block" Error "Argument written as a block"
        detail: "\"{0}\" is an argument, not a block type."
        help: "Write an equals sign after the name."
        reference: ["Unsupported block type"],
        note: "A block whose type is an argument of the schema.";
    UnexpectedBlock "unexpected-block" Error "Unexpected block"
        detail: "Only arguments are allowed here, but \"{0}\" is a block."
        reference: ["Unexpected block"],
        note: "A block in a file of variables.";
    MissingBlockLabel "missing-block-label" Error "Missing block label"
        detail: "The block \"{0}\" has no label \"{1}\"."
        help: "Write the label before the opening brace."
        reference: ["Missing {label} for {type}"],
        note: "A block in native syntax with too few labels.";
    ExtraneousLabel "extraneous-label" Error "Too many block labels"
        detail: "A block of type \"{0}\" has {1}, but this one has more."
        help: "Remove the extra labels."
        reference: ["Extraneous label for {type}"],
        note: "A block in native syntax with too many labels. Points at the first extra one.";
    BlocksTooDeep "blocks-too-deep" Error "Blocks nested too deep"
        detail: "Blocks are nested more than {0} levels deep."
        reference: [],
        note: "The reference has no limit and overflows its stack.";
    MixedLabels "mixed-labels" Error "Different numbers of labels"
        detail: "Blocks of type \"{0}\" have different numbers of labels, so one object cannot contain all of them."
        reference: [],
        note: "The JSON of hcl2json has an object for each label, and a list of bodies below the last one.";
    JsonTooLarge "json-too-large" Error "JSON too large"
        detail: "The texts that the JSON repeats have more than {0} bytes."
        reference: [],
        note: "A number of few bytes can have a million digits. In a syntax tree, each node has the text of all nodes below it.";
        } }
    };
}
