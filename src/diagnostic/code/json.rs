//! Codes of JSON syntax.

macro_rules! json_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "JSON" {
    MissingValue "missing-value" Error "Missing value"
        detail: "The file ends where {0} should be."
        reference: ["Missing value"],
        note: "The file is empty or ends behind a colon, a comma or an opening bracket.";
    ExtraneousData "extraneous-data" Error "Extraneous data after value"
        detail: "The JSON value is complete, but more follows: {0}. A file holds one value."
        reference: ["Extraneous data after value"],
        note: "Often a second document, or a closing bracket too many.";
    InvalidStartOfValue "invalid-start-of-value" Error "Invalid start of value"
        detail: "A JSON value should start here, but {0} cannot start one."
        reference: ["Invalid start of value", "Missing JSON value", "Missing array element value"],
        note: "A character that starts no value stands where one is expected.";
    SingleQuote "single-quote" Error "Single quotes"
        detail: "JSON strings are written in double quotes: write \" instead of '."
        reference: ["Invalid start of value", "Missing attribute seperator comma"],
        note: "A string or property name in single or typographic quotes.";
    Comment "comment" Error "Comment"
        detail: "JSON has no comments. Remove it, or write a property named \"//\", which is ignored in the body of a block."
        reference: ["Invalid start of value", "Missing attribute seperator comma", "Extraneous data after value", "Missing property value colon"],
        note: "`//`, `/*` or `#` outside a string.";
    MissingPropertyValue "missing-property-value" Error "Missing JSON value"
        detail: "The property {0} has no value: one must stand between the colon and this {1}."
        reference: ["Missing JSON value", "Invalid start of value", "Missing array element value"],
        note: "A closing bracket or a comma follows directly behind a colon.";
    MissingElement "missing-element" Error "Missing array element value"
        detail: "An array element must stand before this comma."
        reference: ["Invalid start of value"],
        note: "A comma without an element before it.";
    InvalidPropertyName "invalid-property-name" Error "Invalid object property name"
        detail: "A property name in double quotes should stand here, not {0}."
        reference: ["Invalid object property name", "Invalid start of value", "Missing array element value", "Invalid JSON number", "Trailing comma in object"],
        note: "Something other than a string stands where a property name is expected.";
    UnquotedName "unquoted-name" Error "Unquoted property name"
        detail: "Property names are written in double quotes: \"{0}\"."
        reference: ["Invalid JSON keyword", "Invalid object property name"],
        note: "A bare word stands where a property name is expected.";
    MissingColon "missing-colon" Error "Missing property value colon"
        detail: "A colon must stand between the property name {0} and its value."
        reference: ["Missing property value colon"],
        note: "Something other than a colon follows a property name. `=`, a comma and a closing brace have codes of their own.";
    EqualsForColon "equals-for-colon" Error "Equals sign instead of colon"
        detail: "JSON writes a colon between the property name {0} and its value, not an equals sign."
        reference: ["Missing property value colon"],
        note: "`=` follows a property name, as in native syntax.";
    MissingObjectValue "missing-object-value" Error "Missing object value"
        detail: "The property name {0} must be followed by a colon and a value."
        reference: ["Missing object value"],
        note: "A comma or a closing brace directly follows a property name.";
    TrailingComma "trailing-comma" Error "Trailing comma"
        detail: "JSON allows no comma after the last {0}. Remove it."
        reference: ["Trailing comma in object", "Trailing comma in array"],
        note: "Points at the comma.";
    MissingComma "missing-comma" Error "Missing comma"
        detail: "A comma must stand between two {0}."
        reference: ["Missing attribute seperator comma"],
        note: "Placed where the comma is missing; the reference points behind its recovery.";
    InvalidArrayValue "invalid-array-value" Error "Invalid array value"
        detail: "An array has no property names. For names, use braces instead of brackets."
        reference: ["Invalid array value"],
        note: "A colon inside an array.";
    UnclosedObject "unclosed-object" Error "Unclosed object"
        detail: "The file ends, but the object that starts here is not closed by a brace."
        reference: ["Unclosed object"],
        note: "Points at the opening brace; the end of the file is the second place.";
    UnclosedArray "unclosed-array" Error "Unclosed array"
        detail: "The file ends, but the array that starts here is not closed by a bracket."
        reference: ["Unclosed object", "Missing value"],
        note: "Points at the opening bracket; the end of the file is the second place.";
    MismatchedBraces "mismatched-braces" Error "Mismatched braces"
        detail: "An object is closed by a brace, not by a bracket."
        reference: ["Mismatched braces"],
        note: "`]` where `}` belongs; the opening brace is the second place.";
    MismatchedBrackets "mismatched-brackets" Error "Mismatched brackets"
        detail: "An array is closed by a bracket, not by a brace."
        reference: ["Mismatched brackets"],
        note: "`}` where `]` belongs; the opening bracket is the second place.";
    InvalidKeyword "invalid-keyword" Error "Invalid JSON keyword"
        detail: "\"{0}\" is not a JSON keyword.{1}"
        reference: ["Invalid JSON keyword"],
        note: "A bare word other than `true`, `false` and `null`.";
    JavascriptValue "javascript-value" Error "JavaScript value"
        detail: "\"{0}\" is a JavaScript value that JSON does not have. Write null, or a string."
        reference: ["Invalid JSON keyword", "Invalid JSON number"],
        note: "`NaN`, `Infinity`, `undefined`, with or without a sign.";
    InvalidNumber "invalid-number" Error "Invalid JSON number"
        detail: "{0} is not a JSON number: {1}."
        reference: ["Invalid JSON number", "Missing attribute seperator comma"],
        note: "Points at the first byte that breaks the number grammar of RFC 8259, section 6.";
    UnterminatedString "unterminated-string" Error "Unterminated string"
        detail: "The string that starts here has no closing quote."
        reference: ["Invalid JSON string"],
        note: "The file ends inside a string. Points at the opening quote; the end of the file is the second place.";
    ControlCharacter "control-character" Error "Control character in string"
        detail: "A string cannot hold {0} as it is: write {1}."
        reference: ["Invalid JSON string"],
        note: "A byte below 0x20 inside a string, most often a line break.";
    InvalidEscape "invalid-escape" Error "Invalid escape"
        detail: "{0} is not an escape of JSON strings, which are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits. For a backslash write two."
        reference: ["Invalid JSON string"],
        note: "Points at the backslash and what follows it.";
    LoneSurrogate "lone-surrogate" Warning "Lone surrogate escape"
        detail: "The escape {0} is one half of a surrogate pair without the other; it is read as U+FFFD."
        reference: [],
        note: "A high surrogate without a low one behind it, or a low one without a high one before it. The reference replaces it too, without a warning.";
        } }
    };
}
