//! Codes of the syntax of templates, expressions and types.

macro_rules! syntax_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Expressions: syntax" {
    ExpressionTooDeep "expression-too-deep" Error "Expression nested too deep"
        detail: "Expressions and templates are nested more than {0} levels deep."
        reference: [],
        note: "The reference has no limit and overflows its stack.";
    UnsupportedOperator "unsupported-operator" Error "Unsupported operator"
        detail: "{0} is not an operator."
        help: "Write &&, || and ! for logic."
        reference: ["Unsupported operator"],
        note: "A bitwise operator of other languages.";
    InvalidCharacter "invalid-character" Error "Invalid character"
        detail: "The character {0} is not allowed in an expression."
        help: "{1}"
        reference: ["Invalid character", "Invalid character encoding"],
        note: "A character that cannot start a token, such as an apostrophe, a semicolon or a lone carriage return.";
    MissingExpression "missing-expression" Error "Missing expression"
        detail: "The text ends where an expression is expected."
        reference: ["Missing expression"],
        note: "An interpolation or an operator at the end of the text.";
    InvalidExpression "invalid-expression" Error "Invalid expression"
        detail: "Expected an expression, found {0}."
        reference: ["Invalid expression"],
        note: "A token that cannot start an operand.";
    ExtraAfterExpression "extra-after-expression" Error "Extra characters after expression"
        detail: "Expected the end of the expression, found {0}."
        reference: ["Extra characters after expression"],
        note: "An argument that must be one native expression contains more text.";
    UnclosedInterpolation "unclosed-interpolation" Error "Unclosed interpolation"
        detail: "The closing brace of this interpolation is missing."
        help: "To write the characters themselves, double the dollar sign."
        reference: ["Unclosed template interpolation sequence"],
        note: "Points at the start of the interpolation; the reference points at the start of the template.";
    ExtraInInterpolation "extra-in-interpolation" Error "Extra characters in interpolation"
        detail: "Expected a closing brace after the expression, found {0}."
        help: "To write the characters themselves, double the dollar sign."
        reference: ["Extra characters after interpolation expression"],
        note: "Often text in the syntax of a shell.";
    InvalidDirective "invalid-directive" Error "Invalid template directive"
        detail: "Expected the keyword of a directive, found {0}."
        help: "The directives are if, else, endif, for and endfor. To write the characters themselves, double the percent sign."
        reference: ["Invalid template directive"],
        note: "`%{` is not followed by a word.";
    UnknownDirective "unknown-directive" Error "Unknown template directive"
        detail: "{0} is not a template directive."
        help: "The directives are if, else, endif, for and endfor. To write the characters themselves, double the percent sign."
        reference: ["Invalid template control keyword"],
        note: "`%{` is followed by an unknown word.";
    UnexpectedDirective "unexpected-directive" Error "Unexpected template directive"
        detail: "There is no open directive that {0} could continue or close."
        reference: ["Unexpected else directive", "Unexpected endif directive", "Unexpected endfor directive"],
        note: "`else`, `endif` or `endfor` without the directive that it belongs to.";
    ExtraInMarker "extra-in-marker" Error "Extra characters in directive"
        detail: "Expected a closing brace after the directive {0}."
        reference: ["Extra characters in if marker", "Extra characters in else marker", "Extra characters in endif marker", "Extra characters in for marker", "Extra characters in endfor marker"],
        note: "There is text between a directive and its closing brace.";
    InvalidForDirective "invalid-for-directive" Error "Invalid for directive"
        detail: "{0} is unexpected in a for directive."
        help: "Write %{ for item in items } or %{ for key, item in items }."
        reference: ["Invalid 'for' directive"],
        note: "The head of `%{for}`.";
    UnexpectedEndOfTemplate "unexpected-end-of-template" Error "Unexpected end of template"
        detail: "The template ends, but a directive is still open."
        help: "Add the missing endif or endfor."
        reference: ["Unexpected end of template"],
        note: "Points at the end of the template.";
    UnterminatedTemplate "unterminated-template" Error "Unterminated string"
        detail: "The end of the string or heredoc is missing."
        help: "A heredoc ends with its name on a line of its own that ends with a line feed."
        reference: ["Unterminated template string", "Unterminated string literal"],
        note: "Points at the end of the text.";
    MultilineString "multiline-string" Error "Line break in string"
        detail: "A string in quotes cannot span lines."
        help: "Write \\n, or use a heredoc."
        reference: ["Invalid multi-line string"],
        note: "A line feed or carriage return between quotes inside an expression.";
    InvalidTemplateEscape "invalid-template-escape" Error "Invalid escape sequence"
        detail: "{0} is not an escape sequence."
        help: "The escape sequences are \\n \\r \\t \\\" \\\\ and \\u or \\U with four or eight hexadecimal digits. For a backslash, write \\\\."
        reference: ["Invalid escape sequence", "Cannot encode character"],
        note: "Points at the backslash and the characters after it.";
    UnbalancedParentheses "unbalanced-parentheses" Error "Unbalanced parentheses"
        detail: "Expected a closing parenthesis, found {0}."
        reference: ["Unbalanced parentheses"],
        note: "An expression in parentheses is not closed.";
    MissingFalseArm "missing-false-arm" Error "Missing false result of a conditional"
        detail: "Expected a colon and the false result before {0}."
        help: "Write a conditional as condition ? true_result : false_result."
        reference: ["Missing false expression in conditional"],
        note: "`?` without `:`.";
    MissingIndexBracket "missing-index-bracket" Error "Missing closing bracket of an index"
        detail: "Expected a closing bracket after the index, found {0}."
        reference: ["Missing close bracket on index"],
        note: "An index is not closed.";
    MissingSplatBracket "missing-splat-bracket" Error "Missing closing bracket of a splat"
        detail: "Expected a closing bracket after [*, found {0}."
        reference: ["Missing close bracket on splat index"],
        note: "`[*` is not followed by a closing bracket.";
    InvalidAttributeName "invalid-attribute-name" Error "Invalid attribute name"
        detail: "Expected an attribute name after the dot, found {0}."
        reference: ["Invalid attribute name"],
        note: "A dot is not followed by a name, a number or a star.";
    InvalidLegacyIndex "invalid-legacy-index" Error "Invalid legacy index"
        detail: "{0} is read as one number, not as two indexes."
        help: "Write indexes in brackets, such as a[0][1]."
        reference: ["Invalid legacy index syntax"],
        note: "`a.0.1`.";
    NestedSplat "nested-splat" Error "Nested splat"
        detail: "A splat .* cannot be used inside another one."
        help: "Write [*] instead."
        reference: ["Nested splat expression not allowed"],
        note: "`.*` after `.*`.";
    InvalidNumberLiteral "invalid-number-literal" Error "Invalid number"
        detail: "{0} is not a number."
        reference: ["Invalid number literal"],
        note: "A number with more than one point, or with an exponent that is out of range.";
    MissingFunctionName "missing-function-name" Error "Missing function name"
        detail: "Expected a function name after ::, found {0}."
        reference: ["Missing function name"],
        note: "A namespace without a function.";
    MissingOpenParenthesis "missing-open-parenthesis" Error "Missing opening parenthesis"
        detail: "Expected the arguments of the function in parentheses, found {0}."
        reference: ["Missing open parenthesis"],
        note: "A name with namespaces is always the name of a function.";
    MissingArgumentSeparator "missing-argument-separator" Error "Missing comma between arguments"
        detail: "Expected a comma between the arguments of the function, found {0}."
        reference: ["Missing argument separator"],
        note: "Two arguments without a comma.";
    UnterminatedCall "unterminated-call" Error "Unterminated function call"
        detail: "The closing parenthesis of this function call is missing."
        reference: ["Unterminated function call"],
        note: "Points at the opening parenthesis.";
    MissingClosingParenthesis "missing-closing-parenthesis" Error "Missing closing parenthesis"
        detail: "Expected a closing parenthesis after the dots: an argument with ... is always the last one."
        reference: ["Missing closing parenthesis"],
        note: "Points at the dots.";
    MissingItemSeparator "missing-item-separator" Error "Missing comma between elements"
        detail: "Expected a comma between the elements of the tuple, found {0}."
        reference: ["Missing item separator"],
        note: "Two elements without a comma.";
    UnterminatedTuple "unterminated-tuple" Error "Unterminated tuple"
        detail: "The closing bracket of this tuple is missing."
        reference: ["Unterminated tuple constructor expression"],
        note: "Points at the opening bracket.";
    MissingAttributeValue "missing-attribute-value" Error "Missing value of an object item"
        detail: "Expected = and a value after the key, found {0}."
        reference: ["Missing attribute value"],
        note: "A key without a value.";
    MissingKeyValueSeparator "missing-key-value-separator" Error "Missing equals sign after a key"
        detail: "Expected = or : between the key and its value, found {0}."
        reference: ["Missing key/value separator"],
        note: "Something else after a key.";
    MissingAttributeSeparator "missing-attribute-separator" Error "Missing comma between object items"
        detail: "Expected a comma or a line break between the items of the object, found {0}."
        reference: ["Missing attribute separator"],
        note: "Two items without a separator.";
    UnterminatedObject "unterminated-object" Error "Unterminated object"
        detail: "The closing brace of this object is missing."
        reference: ["Unterminated object constructor expression"],
        note: "Points at the opening brace.";
    InvalidFor "invalid-for" Error "Invalid for expression"
        detail: "{0} is unexpected in a for expression."
        help: "Write [for item in items : value] or { for key, item in items : key => value }."
        reference: ["Invalid 'for' expression"],
        note: "Points at the unexpected token.";
    StaticTraversalRequired "static-traversal-required" Error "Static reference required"
        detail: "The value must be a reference: names, and literal indexes."
        reference: ["Invalid expression"],
        note: "The argument is read as a reference without being evaluated.";
    StaticCallRequired "static-call-required" Error "Function call required"
        detail: "The value must be one function call."
        reference: ["Invalid expression"],
        note: "The argument is read as a call without being evaluated.";
    NativeExpressionRequired "native-expression-required" Error "Expression in a string required"
        detail: "Expected a string with an expression, found {0}."
        reference: ["Expected string expression", "Invalid reference expression"],
        note: "The argument is read as an expression in native syntax, not as a template.";
    InvalidType "invalid-type" Error "Invalid type constraint"
        detail: "{0} is not a valid type: {1}."
        reference: ["Invalid type specification", "Invalid quoted type constraints"],
        note: "A type constraint such as `list(string)`.";
        } }
    };
}
