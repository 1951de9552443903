//! Codes of the syntax of templates, expressions and types.

macro_rules! syntax_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Expressions: syntax" {
    ExpressionTooDeep "expression-too-deep" Error "Expression nested too deep"
        detail: "Expressions and templates are nested more than {0} levels deep."
        reference: [],
        note: "The reference has no limit and overflows its stack.";
    UnsupportedOperator "unsupported-operator" Error "Unsupported operator"
        detail: "Expressions have no operator {0}. For logic write &&, || and !."
        reference: ["Unsupported operator"],
        note: "A bitwise operator of other languages.";
    InvalidCharacter "invalid-character" Error "Invalid character"
        detail: "The character {0} means nothing in an expression. Strings are written in double quotes."
        reference: ["Invalid character", "Invalid character encoding"],
        note: "A character that no token starts with: an apostrophe, a semicolon, a lone carriage return.";
    MissingExpression "missing-expression" Error "Missing expression"
        detail: "The text ends where an expression should be."
        reference: ["Missing expression"],
        note: "An interpolation or operator at the end of the text.";
    InvalidExpression "invalid-expression" Error "Invalid expression"
        detail: "An expression should start here, not {0}."
        reference: ["Invalid expression"],
        note: "A token that starts no operand.";
    ExtraAfterExpression "extra-after-expression" Error "Extra characters after expression"
        detail: "The expression has ended before {0}."
        reference: ["Extra characters after expression"],
        note: "An argument that is one native expression holds more than that.";
    UnclosedInterpolation "unclosed-interpolation" Error "Unclosed interpolation"
        detail: "The interpolation that starts here is not closed by a brace. For the characters themselves, double the dollar sign."
        reference: ["Unclosed template interpolation sequence"],
        note: "Points at the introducer; the reference points at the start of the template.";
    ExtraInInterpolation "extra-in-interpolation" Error "Extra characters in interpolation"
        detail: "The expression has ended before {0}, where a closing brace should be. For the characters themselves, double the dollar sign."
        reference: ["Extra characters after interpolation expression"],
        note: "Often text in the syntax of a shell.";
    InvalidDirective "invalid-directive" Error "Invalid template directive"
        detail: "A directive starts with if, else, endif, for or endfor, not with {0}. For the characters themselves, double the percent sign."
        reference: ["Invalid template directive"],
        note: "`%{` is followed by something other than a word.";
    UnknownDirective "unknown-directive" Error "Unknown template directive"
        detail: "{0} is no directive: if, else, endif, for and endfor are. For the characters themselves, double the percent sign."
        reference: ["Invalid template control keyword"],
        note: "`%{` is followed by an unknown word.";
    UnexpectedDirective "unexpected-directive" Error "Unexpected template directive"
        detail: "Nothing is open here that {0} could continue or end."
        reference: ["Unexpected else directive", "Unexpected endif directive", "Unexpected endfor directive"],
        note: "A directive that ends what has not been started.";
    ExtraInMarker "extra-in-marker" Error "Extra characters in directive"
        detail: "The directive {0} should be closed by a brace here."
        reference: ["Extra characters in if marker", "Extra characters in else marker", "Extra characters in endif marker", "Extra characters in for marker", "Extra characters in endfor marker"],
        note: "Something stands between the parts of a directive and its closing brace.";
    InvalidForDirective "invalid-for-directive" Error "Invalid for directive"
        detail: "A loop is written for item in items, or for key, item in items, and {0} does not fit."
        reference: ["Invalid 'for' directive"],
        note: "The head of `%{for}`.";
    UnexpectedEndOfTemplate "unexpected-end-of-template" Error "Unexpected end of template"
        detail: "A directive is still open where the template ends: endif or endfor is missing."
        reference: ["Unexpected end of template"],
        note: "Points at the end of the template.";
    UnterminatedTemplate "unterminated-template" Error "Unterminated string"
        detail: "The string or heredoc is still open where the text ends. A heredoc ends with its name on a line of its own, which must end with a line feed."
        reference: ["Unterminated template string"],
        note: "Points at the end of the text.";
    MultilineString "multiline-string" Error "Line break in string"
        detail: "A string in quotes stands on one line. Write \\n, or use a heredoc."
        reference: ["Invalid multi-line string"],
        note: "A raw line feed or carriage return between quotes inside an expression.";
    InvalidTemplateEscape "invalid-template-escape" Error "Invalid escape sequence"
        detail: "{0} is no escape of strings in expressions, which are \\n \\r \\t \\\" \\\\ and \\u or \\U with four or eight hexadecimal digits."
        reference: ["Invalid escape sequence", "Cannot encode character"],
        note: "Points at the backslash and what follows it.";
    UnbalancedParentheses "unbalanced-parentheses" Error "Unbalanced parentheses"
        detail: "A closing parenthesis should stand here, not {0}."
        reference: ["Unbalanced parentheses"],
        note: "An expression in parentheses goes on where it cannot.";
    MissingFalseArm "missing-false-arm" Error "Missing arm of conditional"
        detail: "A conditional is written condition ? this : that; the colon is missing before {0}."
        reference: ["Missing false expression in conditional"],
        note: "`?` without `:`.";
    MissingIndexBracket "missing-index-bracket" Error "Missing closing bracket of index"
        detail: "A closing bracket should stand here, not {0}."
        reference: ["Missing close bracket on index"],
        note: "An index goes on where it cannot.";
    MissingSplatBracket "missing-splat-bracket" Error "Missing closing bracket of splat"
        detail: "A closing bracket must follow the star of [*], not {0}."
        reference: ["Missing close bracket on splat index"],
        note: "`[*` is not followed by a bracket.";
    InvalidAttributeName "invalid-attribute-name" Error "Invalid attribute name"
        detail: "The name of an attribute must follow a dot, not {0}."
        reference: ["Invalid attribute name"],
        note: "A dot is followed by something other than a name, a number or a star.";
    InvalidLegacyIndex "invalid-legacy-index" Error "Invalid legacy index"
        detail: "{0} reads as one number. Write indexes in brackets."
        reference: ["Invalid legacy index syntax"],
        note: "`a.0.1`.";
    NestedSplat "nested-splat" Error "Nested splat"
        detail: "A splat .* cannot be used inside another. Write [*]."
        reference: ["Nested splat expression not allowed"],
        note: "`.*` behind `.*`.";
    InvalidNumberLiteral "invalid-number-literal" Error "Invalid number"
        detail: "{0} is no number."
        reference: ["Invalid number literal"],
        note: "Too many dots, or an exponent out of bounds.";
    MissingFunctionName "missing-function-name" Error "Missing function name"
        detail: "The name of a function must follow ::, not {0}."
        reference: ["Missing function name"],
        note: "A namespace without a function.";
    MissingOpenParenthesis "missing-open-parenthesis" Error "Missing opening parenthesis"
        detail: "The arguments of the function must follow in parentheses, not {0}."
        reference: ["Missing open parenthesis"],
        note: "A name with namespaces can only be a function's.";
    MissingArgumentSeparator "missing-argument-separator" Error "Missing separator of arguments"
        detail: "A comma must separate the arguments of a function before {0}."
        reference: ["Missing argument separator"],
        note: "Two arguments without a comma.";
    UnterminatedCall "unterminated-call" Error "Unterminated function call"
        detail: "The text ends, but the arguments that start here are not closed by a parenthesis."
        reference: ["Unterminated function call"],
        note: "Points at the opening parenthesis.";
    MissingClosingParenthesis "missing-closing-parenthesis" Error "Missing closing parenthesis"
        detail: "An argument that is expanded by ... is the last one: a closing parenthesis must follow."
        reference: ["Missing closing parenthesis"],
        note: "Points at the dots.";
    MissingItemSeparator "missing-item-separator" Error "Missing separator of elements"
        detail: "A comma must separate the elements of a tuple before {0}."
        reference: ["Missing item separator"],
        note: "Two elements without a comma.";
    UnterminatedTuple "unterminated-tuple" Error "Unterminated tuple"
        detail: "The text ends, but the tuple that starts here is not closed by a bracket."
        reference: ["Unterminated tuple constructor expression"],
        note: "Points at the opening bracket.";
    MissingAttributeValue "missing-attribute-value" Error "Missing value of item"
        detail: "The key of an object's item must be followed by = and a value, not {0}."
        reference: ["Missing attribute value"],
        note: "A key alone.";
    MissingKeyValueSeparator "missing-key-value-separator" Error "Missing separator of key and value"
        detail: "= or : must stand between the key of an object's item and its value, not {0}."
        reference: ["Missing key/value separator"],
        note: "A key is followed by something else.";
    MissingAttributeSeparator "missing-attribute-separator" Error "Missing separator of items"
        detail: "A comma or a line break must separate the items of an object before {0}."
        reference: ["Missing attribute separator"],
        note: "Two items without a separator.";
    UnterminatedObject "unterminated-object" Error "Unterminated object"
        detail: "The text ends, but the object that starts here is not closed by a brace."
        reference: ["Unterminated object constructor expression"],
        note: "Points at the opening brace.";
    InvalidFor "invalid-for" Error "Invalid for expression"
        detail: "A for expression is written [for item in items : value], or in braces with key => value behind the colon, and {0} does not fit."
        reference: ["Invalid 'for' expression"],
        note: "Points at the token that does not fit.";
    StaticTraversalRequired "static-traversal-required" Error "Static reference required"
        detail: "A string that holds a reference is required here: names, and indexes that are literals."
        reference: ["Invalid expression"],
        note: "The argument is read as a traversal, without evaluation.";
    StaticCallRequired "static-call-required" Error "Function call required"
        detail: "A string that holds one function call is required here."
        reference: ["Invalid expression"],
        note: "The argument is read as a call, without evaluation.";
    NativeExpressionRequired "native-expression-required" Error "Expression in a string required"
        detail: "A string that holds an expression is required here, not {0}."
        reference: ["Expected string expression", "Invalid reference expression"],
        note: "The argument is read as an expression in native syntax: no template.";
    InvalidType "invalid-type" Error "Invalid type"
        detail: "{0} is no type: {1}."
        reference: ["Invalid type specification"],
        note: "A type constraint such as list(string).";
        } }
    };
}
