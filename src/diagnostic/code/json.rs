//! Codes of JSON syntax.

macro_rules! json_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "JSON" {
    MissingValue "missing-value" Error "Missing value"
        detail: "The file ends where {0} is expected."
        reference: ["Missing value"],
        note: "The file is empty, or ends after a colon, a comma or an opening bracket.";
    ExtraneousData "extraneous-data" Error "Extraneous data after value"
        detail: "The JSON value ends before this, but {0} follows. A file holds one JSON value."
        help: "Remove the rest of the file, or check for an extra closing bracket."
        reference: ["Extraneous data after value"],
        note: "Often a second document, or an extra closing bracket.";
    InvalidStartOfValue "invalid-start-of-value" Error "Invalid start of value"
        detail: "Expected a JSON value, found {0}."
        reference: ["Invalid start of value", "Missing JSON value", "Missing array element value"],
        note: "A character that cannot start a value where a value is expected.";
    SingleQuote "single-quote" Error "Single quotes"
        detail: "JSON strings are written in double quotes."
        help: "Replace ' with \"."
        reference: ["Invalid start of value", "Missing attribute seperator comma"],
        note: "A string or property name in single or typographic quotes.";
    Comment "comment" Error "Comment in JSON"
        detail: "JSON has no comments."
        help: "Remove the comment, or write a property named \"//\", which is ignored in the body of a block."
        reference: ["Invalid start of value", "Missing attribute seperator comma", "Extraneous data after value", "Missing property value colon"],
        note: "`//`, `/*` or `#` outside a string.";
    MissingPropertyValue "missing-property-value" Error "Missing JSON value"
        detail: "The property {0} has no value: expected a value between the colon and this {1}."
        reference: ["Missing JSON value", "Invalid start of value", "Missing array element value"],
        note: "A closing bracket or a comma directly after a colon.";
    MissingElement "missing-element" Error "Missing array element value"
        detail: "Expected an array element before this comma."
        help: "Remove the comma, or add the element."
        reference: ["Invalid start of value"],
        note: "A comma without an element before it.";
    InvalidPropertyName "invalid-property-name" Error "Invalid object property name"
        detail: "Expected a property name in double quotes, found {0}."
        reference: ["Invalid object property name", "Invalid start of value", "Missing array element value", "Invalid JSON number", "Trailing comma in object"],
        note: "Something other than a string where a property name is expected.";
    UnquotedName "unquoted-name" Error "Unquoted property name"
        detail: "The property name {0} is not in quotes."
        help: "Write \"{0}\"."
        reference: ["Invalid JSON keyword", "Invalid object property name"],
        note: "A bare word where a property name is expected.";
    MissingColon "missing-colon" Error "Missing property value colon"
        detail: "Expected a colon between the property name {0} and its value."
        reference: ["Missing property value colon"],
        note: "Something other than a colon after a property name. `=`, a comma and a closing brace have codes of their own.";
    EqualsForColon "equals-for-colon" Error "Equals sign instead of colon"
        detail: "An equals sign follows the property name {0}. JSON uses a colon."
        help: "Replace = with a colon."
        reference: ["Missing property value colon"],
        note: "`=` after a property name, as in native syntax.";
    MissingObjectValue "missing-object-value" Error "Missing object value"
        detail: "The property name {0} is not followed by a colon and a value."
        reference: ["Missing object value"],
        note: "A comma or a closing brace directly after a property name.";
    TrailingComma "trailing-comma" Error "Trailing comma"
        detail: "JSON does not allow a comma after the last {0}."
        help: "Remove the comma."
        reference: ["Trailing comma in object", "Trailing comma in array"],
        note: "Points at the comma.";
    MissingComma "missing-comma" Error "Missing comma"
        detail: "Expected a comma between two {0}."
        reference: ["Missing attribute seperator comma"],
        note: "Points at the place where the comma is missing; the reference points at the place where it continues to read.";
    InvalidArrayValue "invalid-array-value" Error "Invalid array value"
        detail: "Array elements have no names, but a colon follows this one."
        help: "Use braces instead of brackets for named values."
        reference: ["Invalid array value"],
        note: "A colon inside an array.";
    UnclosedObject "unclosed-object" Error "Unclosed object"
        detail: "The closing brace of this object is missing."
        reference: ["Unclosed object"],
        note: "The file ends inside an object. Points at the opening brace, and at the end of the file.";
    UnclosedArray "unclosed-array" Error "Unclosed array"
        detail: "The closing bracket of this array is missing."
        reference: ["Unclosed object", "Missing value"],
        note: "The file ends inside an array. Points at the opening bracket, and at the end of the file.";
    MismatchedBraces "mismatched-braces" Error "Mismatched braces"
        detail: "Expected a closing brace, found a closing bracket."
        reference: ["Mismatched braces"],
        note: "`]` instead of `}`. Points at the opening brace, too.";
    MismatchedBrackets "mismatched-brackets" Error "Mismatched brackets"
        detail: "Expected a closing bracket, found a closing brace."
        reference: ["Mismatched brackets"],
        note: "`}` instead of `]`. Points at the opening bracket, too.";
    InvalidKeyword "invalid-keyword" Error "Invalid JSON keyword"
        detail: "\"{0}\" is not a JSON keyword. The keywords are true, false and null."
        help: "{1}"
        reference: ["Invalid JSON keyword"],
        note: "A bare word other than `true`, `false` and `null`.";
    JavascriptValue "javascript-value" Error "Unsupported JavaScript value"
        detail: "\"{0}\" is a JavaScript value that JSON does not have."
        help: "Write null or a string instead."
        reference: ["Invalid JSON keyword", "Invalid JSON number"],
        note: "`NaN`, `Infinity` and `undefined`, with or without a sign.";
    InvalidNumber "invalid-number" Error "Invalid JSON number"
        detail: "{0} is not a JSON number: {1}."
        reference: ["Invalid JSON number", "Missing attribute seperator comma"],
        note: "Points at the first byte that violates the number grammar of RFC 8259, section 6.";
    UnterminatedString "unterminated-string" Error "Unterminated string"
        detail: "The closing quote of this string is missing."
        reference: ["Invalid JSON string"],
        note: "The file ends inside a string. Points at the opening quote, and at the end of the file.";
    ControlCharacter "control-character" Error "Control character in string"
        detail: "The string contains {0}, which must be escaped."
        help: "Write {1}."
        reference: ["Invalid JSON string"],
        note: "A byte below 0x20 inside a string, most often a line break.";
    InvalidEscape "invalid-escape" Error "Invalid escape"
        detail: "{0} is not an escape sequence of JSON strings."
        help: "The escape sequences are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits. For a backslash, write \\\\."
        reference: ["Invalid JSON string"],
        note: "Points at the backslash and the characters after it.";
    LoneSurrogate "lone-surrogate" Warning "Lone surrogate escape"
        detail: "The escape {0} is one half of a surrogate pair, and the other half is missing. It is read as U+FFFD."
        reference: [],
        note: "A high surrogate without a low one after it, or a low one without a high one before it. The reference also replaces it, but does not report it.";
        } }
    };
}
