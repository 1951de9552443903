//! Codes of the structure of files in native syntax.

macro_rules! structure_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Native syntax: structure" {
    JsonInNative "json-in-native" Error "JSON in a native file"
        detail: "The file starts with a brace, as JSON does. A JSON file has a name that ends in .json."
        reference: ["Argument or block definition required"],
        note: "The first token of a native file is an opening brace. Nothing else of the file is read.";
    ItemRequired "item-required" Error "Argument or block required"
        detail: "An argument or a block should start here, with its name, not with {0}."
        reference: ["Argument or block definition required"],
        note: "A line starts with something other than a name.";
    InvalidItem "invalid-item" Error "Argument or block required"
        detail: "An argument is written {0} = value, and a block as a type, labels and braces."
        reference: ["Argument or block definition required"],
        note: "A name is followed by something other than `=`, a label or a brace.";
    QuotedName "quoted-name" Error "Quoted argument name"
        detail: "The names of arguments and the types of blocks are written without quotes."
        reference: ["Invalid argument name"],
        note: "A line starts with a string.";
    ColonForEquals "colon-for-equals" Error "Colon instead of equals sign"
        detail: "An argument is written with an equals sign: {0} = value."
        reference: ["Argument or block definition required"],
        note: "A name at the start of a line is followed by a colon.";
    MissingArgumentValue "missing-argument-value" Error "Missing value"
        detail: "A value must follow {0} = on the same line."
        reference: ["Invalid expression"],
        note: "An equals sign at the end of a line.";
    MissingLineBreak "missing-line-break" Error "Missing line break"
        detail: "Each argument and each block stands on a line of its own, but {0} follows here."
        reference: ["Missing newline after argument", "Missing newline after block definition", "Extra characters after expression"],
        note: "Something follows a complete argument or block on its line.";
    CommaAfterArgument "comma-after-argument" Error "Comma after argument"
        detail: "Line breaks separate arguments, not commas. Remove it."
        reference: ["Unexpected comma after argument"],
        note: "A comma behind an argument in a body. Objects in expressions may have commas.";
    OneLineBlock "one-line-block" Error "Invalid block on one line"
        detail: "A block on one line holds one argument and nothing else, but {0} follows here. Write each argument and each block on a line of its own."
        reference: ["Invalid single-argument block definition", "Argument definition required"],
        note: "Something follows the opening brace of a block on its line, but is no single argument before the closing brace.";
    InvalidBlockHeader "invalid-block-header" Error "Invalid block"
        detail: "A label or an opening brace should follow the type {1}, not {0}. Labels are names, or strings in double quotes."
        reference: ["Invalid block definition"],
        note: "Something else stands before the opening brace of a block.";
    EqualsInBlock "equals-in-block" Error "Equals sign before block"
        detail: "A block has no equals sign before its brace. Only arguments have."
        reference: ["Invalid block definition"],
        note: "The labels of a block are followed by `=`.";
    MissingBlockBody "missing-block-body" Error "Missing block body"
        detail: "The opening brace of a block must stand on the same line as its type, {0}."
        reference: ["Invalid block definition"],
        note: "A line ends behind the type or the labels of a block.";
    TemplateInLabel "template-in-label" Error "Template in label"
        detail: "A label is a plain string, without interpolations. For the characters themselves, double the dollar or percent sign."
        reference: ["Invalid string literal"],
        note: "`${` or `%{` in a label.";
    UnclosedBlock "unclosed-block" Error "Unclosed block"
        detail: "The file ends, but the block that starts here is not closed by a brace."
        reference: ["Unclosed configuration block"],
        note: "Points at the opening brace of the first block whose closing brace stands further left than its type, if there is one; otherwise of the innermost block that is open.";
    UnexpectedBrace "unexpected-brace" Error "Unexpected closing brace"
        detail: "No block is open here that this brace could close."
        reference: ["Argument or block definition required"],
        note: "A closing brace too many.";
    UnterminatedHeredoc "unterminated-heredoc" Error "Unterminated heredoc"
        detail: "The heredoc that starts here does not end: {0} must stand on a line of its own, which must end with a line feed."
        reference: ["Unterminated template string"],
        note: "Points at the start of the heredoc. The rest of the file is part of it.";
    ConflictMarker "conflict-marker" Error "Merge conflict"
        detail: "The file has a merge conflict that is not resolved."
        reference: ["Argument or block definition required", "Invalid expression"],
        note: "A line between arguments and blocks starts with the marker of a version control system. One report for each conflict.";
    UnsupportedArgument "unsupported-argument" Error "Unsupported argument"
        detail: "No argument named \"{0}\" is expected here."
        reference: ["Unsupported argument"],
        note: "A name that the schema does not know. The nearest name is suggested.";
    UnsupportedBlock "unsupported-block" Error "Unsupported block type"
        detail: "No block of type \"{0}\" is expected here."
        reference: ["Unsupported block type"],
        note: "A block type that the schema does not know. The nearest one is suggested.";
    BlockAsArgument "block-as-argument" Error "Block written as an argument"
        detail: "\"{0}\" is a type of blocks here. Remove the equals sign."
        reference: ["Unsupported argument"],
        note: "An argument whose name is a block type of the schema.";
    ArgumentAsBlock "argument-as-block" Error "Argument written as a block"
        detail: "\"{0}\" is an argument here. Write an equals sign behind its name."
        reference: ["Unsupported block type"],
        note: "A block whose type is an argument of the schema.";
    UnexpectedBlock "unexpected-block" Error "Unexpected block"
        detail: "Only arguments are allowed here, not a block of type \"{0}\"."
        reference: ["Unexpected block"],
        note: "A block in a file of variables.";
    MissingBlockLabel "missing-block-label" Error "Missing label of block"
        detail: "A block of type \"{0}\" needs its label \"{1}\" before the opening brace."
        reference: ["Missing {label} for {type}"],
        note: "A block in native syntax with too few labels.";
    ExtraneousLabel "extraneous-label" Error "Extraneous label of block"
        detail: "Blocks of type \"{0}\" have no more labels than {1}."
        reference: ["Extraneous label for {type}"],
        note: "A block in native syntax with too many labels. Points at the first of them.";
    BlocksTooDeep "blocks-too-deep" Error "Blocks nested too deep"
        detail: "Blocks are nested more than {0} levels deep."
        reference: [],
        note: "The reference has no limit and overflows its stack.";
        } }
    };
}
