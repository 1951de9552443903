//! The table of diagnostic codes: the only place where their texts stand.
//!
//! `docs/diagnostics.md` is made from it; a test compares the two.

use std::fmt;

use super::Severity;

/// Defines [`Code`] from a table: variant, name, severity, summary, detail with `{0}` to `{2}` for the
/// arguments, the reference implementation's summaries, and a note for the documentation.
macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $summary:literal
        detail: $detail:literal
        reference: [$($reference:literal),*],
        note: $note:literal;)*) => {
        /// The kind of a diagnostic. The name ([`Code::as_str`]) is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $summary] $variant,)*
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name, in lower case with dashes.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The severity unless a caller sets another.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// The headline.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)* }
            }

            /// The explanation, with `{0}` to `{2}` where arguments go.
            #[must_use]
            pub const fn detail(self) -> &'static str {
                match self { $(Self::$variant => $detail,)* }
            }

            /// What the reference implementation says first about this problem, by circumstance; empty
            /// where it does not know the problem.
            #[must_use]
            pub const fn reference_summaries(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($reference),*],)* }
            }

            /// When it is reported, for the documentation.
            #[must_use]
            pub const fn note(self) -> &'static str {
                match self { $(Self::$variant => $note,)* }
            }
        }
    };
}

codes! {
    UnreadableFile "unreadable-file" Error "Unreadable file"
        detail: "The file cannot be read: {0}."
        reference: ["Failed to read file"],
        note: "The file is missing, a directory, a pipe or device, too large, or reading it fails. All other files are still decoded.";
    UnreadableDirectory "unreadable-directory" Error "Unreadable directory"
        detail: "The directory cannot be listed: {0}."
        reference: ["Failed to read module directory"],
        note: "A directory of the tree cannot be listed. All others are still walked.";
    NotUtf8Encoding "not-utf8-encoding" Error "File is not in UTF-8"
        detail: "The file looks like {0}. Configuration must be encoded in UTF-8; convert it."
        reference: ["Invalid start of value"],
        note: "The first bytes are a UTF-16 or UTF-32 byte order mark, or show their pattern of zero bytes.";
    ByteOrderMark "byte-order-mark" Error "Byte order mark"
        detail: "The file starts with a UTF-8 byte order mark, which OpenTofu, Terraform and Packer refuse. Remove these three bytes. What follows is decoded all the same."
        reference: ["Invalid start of value"],
        note: "The only syntax error behind which decoding goes on.";
    InvalidUtf8 "invalid-utf-8" Error "Invalid UTF-8"
        detail: "The byte {0} is not valid UTF-8 here."
        reference: [],
        note: "Points at the first byte that belongs to no character. The reference replaces such bytes by U+FFFD inside strings.";
    NestingTooDeep "nesting-too-deep" Error "Nesting too deep"
        detail: "Objects and arrays are nested more than {0} levels deep."
        reference: [],
        note: "The limit is 10,000 levels unless another one is set. The reference has none and overflows its stack.";
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
        detail: "No argument or block type is named \"{0}\".{1}"
        reference: ["Extraneous JSON object property", "Unsupported block type"],
        note: "A name that the schema does not know. A near name is suggested.";
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
    // References.
    InvalidReference "invalid-reference" Error "Invalid reference"
        detail: "A reference to \"{0}\" cannot stop or go on here: {1}."
        reference: ["Invalid reference"],
        note: "Points at the step where the reference goes wrong.";
    InvalidIndexKey "invalid-index-key" Error "Invalid index key"
        detail: "Instances are told apart by integers and strings."
        reference: ["Invalid index key"],
        note: "The key of an instance is a fraction, a boolean or null, or does not fit 64 bits.";
    ReservedSymbol "reserved-symbol" Error "Reserved symbol name"
        detail: "The name \"{0}\" is reserved. For a resource type of this name, write \"resource.{0}\"."
        reference: ["Reserved symbol name"],
        note: "A reference starts with `template`, `lazy` or `arg`.";
    // Modules.
    UnsuitableValue "unsuitable-value" Error "Unsuitable value type"
        detail: "This argument is read literally and must be {0}, not {1}."
        reference: ["Unsuitable value type", "Incorrect value type", "Invalid type for ignore_nested_deprecations", "Invalid lifecycle destroy expression"],
        note: "The argument is not evaluated: a template in it is text like any other.";
    InvalidName "invalid-name" Error "Invalid name"
        detail: "\"{0}\" is no identifier. A name starts with a letter or an underscore, and holds letters, digits, underscores and dashes."
        reference: ["Invalid variable name", "Invalid output name", "Invalid local value name", "Invalid module instance name", "Invalid resource type name", "Invalid resource name", "Invalid data source name", "Invalid data resource name", "Invalid ephemeral resource type", "Invalid ephemeral resource name", "Invalid check block name", "Invalid action type name", "Invalid action name", "Invalid provider configuration alias", "Invalid run block name", "Invalid mock provider configuration alias"],
        note: "A label, the name of a local value, or an alias.";
    ReservedName "reserved-name" Error "Reserved name"
        detail: "\"{0}\" has a meaning of its own here and cannot be used."
        reference: ["Invalid variable name", "Reserved argument name in provider block"],
        note: "A variable that a `module` block could not set, or a meta-argument that a provider does not have.";
    ReservedBlock "reserved-block" Error "Reserved block type"
        detail: "Blocks of type \"{0}\" are reserved here. For an argument of the provider that is called so, use a block \"_\"."
        reference: ["Reserved block type name in module block", "Reserved block type name in provider block", "Reserved block type name in resource block", "Reserved block type name in data block", "Reserved block type name in ephemeral block", "Reserved block type name in provisioner block", "Invalid configuration block for ephemeral resource"],
        note: "A block type that may mean something one day.";
    DuplicateBlock "duplicate-block" Error "Duplicate block"
        detail: "There can be one block \"{0}\" here."
        reference: ["Duplicate lifecycle block", "Duplicate connection block", "Duplicate escaping block", "Multiple data resource blocks", "Duplicate config block", "Duplicate required providers configuration", "Duplicate 'backend' configuration block", "Duplicate backend configuration", "Duplicate HCP Terraform configurations", "Duplicate cloud configurations", "Duplicate provider_meta block", "Duplicate encryption configuration", "Multiple \"*\" blocks", "Duplicate backend blocks", "Duplicate * block", "Extraneous dynamic content block"],
        note: "The first one counts; it is the second place.";
    DuplicateDeclaration "duplicate-declaration" Error "Duplicate declaration"
        detail: "This {0} is declared already."
        reference: ["Duplicate variable declaration", "Duplicate output definition", "Duplicate local value definition", "Duplicate module call", "Duplicate provider configuration", "Duplicate resource \"*\" configuration", "Duplicate data \"*\" configuration", "Duplicate ephemeral \"*\" configuration", "Duplicate ephemeral resource \"*\" configuration", "Duplicate action \"*\" configuration", "Duplicate check \"*\" configuration", "Duplicate \"run\" block names", "Duplicate \"variable\" block names", "Duplicate provider block", "Duplicated `mock_*` block", "Duplicate mock_* block", "Duplicate key_provider", "Duplicate method", "Duplicate remote_data_source"],
        note: "Two objects of one kind have the same name in a module or test file. The earlier one is the second place.";
    MissingBase "missing-base" Error "Missing base of an override"
        detail: "Nothing to override: no primary file declares this {0}."
        reference: ["Missing base variable declaration to override", "Missing base output definition to override", "Missing base local value definition to override", "Missing module call to override", "Missing base provider configuration for override", "Missing resource to override", "Missing data resource to override", "Missing ephemeral resource to override"],
        note: "A block of an override file names an object that does not exist.";
    UnsupportedOverride "unsupported-override" Error "Cannot be overridden"
        detail: "An override file cannot set \"{0}\". Write it in a primary file."
        reference: ["Unsupported override", "Can't override validation blocks", "Can't override precondition blocks", "Can't override postcondition blocks", "Can't override check blocks", "Cannot override 'moved' blocks", "Cannot override 'import' blocks", "Cannot override 'Removed' blocks", "Language selections in override file"],
        note: "`depends_on`, conditions, `moved`, `import`, `removed`, `check` and `language` in an override file.";
    UndeclaredReference "undeclared-reference" Error "Reference to something undeclared"
        detail: "\"{0}\" is not declared in this module.{1}"
        reference: ["Reference to undeclared input variable", "Reference to undeclared local value", "Reference to undeclared resource", "Reference to undeclared module", "Reference to undeclared output value", "Undefined local", "action_trigger actions references non-existent action"],
        note: "Withheld in a module that has files in native syntax, too.";
    UndeclaredDependency "undeclared-dependency" Error "Dependency on something undeclared"
        detail: "\"{0}\" is not declared in this module.{1}"
        reference: ["Reference to undeclared input variable", "Reference to undeclared local value", "Reference to undeclared resource", "Reference to undeclared module"],
        note: "An element of `depends_on`. Withheld in a module that has files in native syntax, too.";
    UnusedDeclaration "unused-declaration" Warning "Unused declaration"
        detail: "Nothing in the module refers to the {0} \"{1}\"."
        reference: [],
        note: "A variable, local value or data source. Withheld in a module that has files in native syntax, too.";
    CircularReference "circular-reference" Error "Circular reference"
        detail: "A local value needs itself: {0}."
        reference: ["Circular reference", "Cycle"],
        note: "Points at the local value at which the cycle was found; each cycle is reported once.";
    MissingModule "missing-module" Error "Missing module"
        detail: "There is no directory \"{0}\" beside this module."
        reference: ["Unreadable module directory", "Module not installed"],
        note: "The source of a module call is a path that leads to no directory.";
    UndeclaredArgument "undeclared-argument" Error "Undeclared argument"
        detail: "The called module declares no variable \"{0}\". It is in {1}."
        reference: ["Unsupported argument", "Extraneous JSON object property"],
        note: "An argument of a module call. Withheld if the called module has files in native syntax, too.";
    MissingModuleArgument "missing-module-argument" Error "Missing argument of a module"
        detail: "The called module needs a value for the variable \"{0}\"."
        reference: ["Missing required argument"],
        note: "The variable has no default. Withheld if the called module has files in native syntax, too.";
    NoAssertions "no-assertions" Error "Check without assertions"
        detail: "The check \"{0}\" asserts nothing: it needs a block \"assert\"."
        reference: ["Zero assert blocks"],
        note: "A `check` block without `assert`.";
    ProviderReference "provider-reference" Error "Invalid provider configuration reference"
        detail: "A provider configuration is named by a string such as \"aws\" or \"aws.east\"."
        reference: ["Invalid provider configuration reference", "Invalid expression", "Expected string expression"],
        note: "`provider` and `providers` take a local name, and an alias.";
    ProviderVersion "provider-version" Warning "Version constraint in a provider configuration"
        detail: "Versions belong into required_providers; this argument is deprecated."
        reference: ["Version constraints inside provider configuration blocks are deprecated", "Version constraints are not allowed in test files"],
        note: "`version` in a `provider` block. In test files Terraform refuses it.";
    RequiredProvider "required-provider" Error "Invalid provider requirement"
        detail: "The requirement of the provider \"{0}\" cannot be read: {1}."
        reference: ["Invalid required_providers object", "Invalid required_providers syntax", "Invalid source", "Invalid version constraint"],
        note: "An entry of `required_providers`.";
    ConfigurationAlias "configuration-alias" Error "Invalid configuration alias"
        detail: "A configuration alias of this provider is written {0}.alias."
        reference: ["Invalid configuration_aliases value", "Invalid required_providers object"],
        note: "An element of `configuration_aliases`.";
    LifecycleArgument "lifecycle-argument" Error "Invalid lifecycle argument"
        detail: "The argument \"{0}\" is for managed resources only; this one is {1}."
        reference: ["Invalid data resource lifecycle argument", "Invalid ephemeral resource lifecycle argument", "Invalid data resource lifecycle nested block", "Invalid ephemeral resource lifecycle nested block", "Invalid lifecycle configuration for ephemeral resource"],
        note: "Data sources and ephemeral resources have `enabled` and conditions only.";
    IgnoreWildcard "ignore-wildcard" Error "Wildcard in ignore_changes"
        detail: "For all attributes write \"ignore_changes\": \"all\"."
        reference: ["Invalid ignore_changes wildcard"],
        note: "All changes are ignored then.";
    RemovedProvisioner "removed-provisioner" Error "Removed provisioner"
        detail: "The tools no longer have a provisioner \"{0}\"."
        reference: ["The \"chef\" provisioner has been removed", "The \"habitat\" provisioner has been removed", "The \"puppet\" provisioner has been removed", "The \"salt-masterless\" provisioner has been removed"],
        note: "One of four provisioners of old versions.";
    UnknownKeyword "unknown-keyword" Error "Unknown keyword"
        detail: "This must be \"{0}\" or \"{1}\"."
        reference: ["Invalid \"when\" keyword", "Invalid \"on_failure\" keyword", "Invalid \"command\" keyword", "Invalid \"mode\" keyword", "Invalid override_during value"],
        note: "An argument that takes one of two keywords.";
    // Expressions and templates: syntax.
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
    // Expressions: evaluation.
    VariablesNotAllowed "variables-not-allowed" Error "Variables not allowed"
        detail: "There are no variables here, so \"{0}\" cannot be used."
        reference: ["Variables not allowed"],
        note: "A reference where the scope has no variables at all.";
    UnknownVariable "unknown-variable" Error "Unknown variable"
        detail: "There is no variable named \"{0}\".{1}"
        reference: ["Unknown variable"],
        note: "The first name of a reference is not in scope. A near name is suggested.";
    AttributeOfNull "attribute-of-null" Error "Attribute of null"
        detail: "The value is null, so it has no attribute \"{0}\"."
        reference: ["Attempt to get attribute from null value"],
        note: "Points at the attribute's step.";
    UnsupportedAttribute "unsupported-attribute" Error "Unsupported attribute"
        detail: "There is no attribute \"{0}\" here: {1}."
        reference: ["Unsupported attribute"],
        note: "An object without the attribute, or a value of a type that has no attributes.";
    MissingMapElement "missing-map-element" Error "Missing map element"
        detail: "The map has no element with the key \"{0}\"."
        reference: ["Missing map element"],
        note: "A map is asked by an attribute's name. Of an index that finds nothing `invalid-index` speaks.";
    IndexOfNull "index-of-null" Error "Index of null"
        detail: "The value is null, so it has no elements."
        reference: ["Attempt to index null value"],
        note: "Points at the brackets.";
    InvalidIndex "invalid-index" Error "Invalid index"
        detail: "The index identifies no element: {0}."
        reference: ["Invalid index"],
        note: "An index of the wrong type or outside of the value, or of a value that has no elements.";
    InvalidOperand "invalid-operand" Error "Invalid operand"
        detail: "The {0} is not suitable: {1}."
        reference: ["Invalid operand"],
        note: "An operand cannot be converted to the type that the operator takes.";
    OperationFailed "operation-failed" Error "Operation failed"
        detail: "The operation has no result: {0}."
        reference: ["Operation failed"],
        note: "A null operand, or numbers for which the result is not defined.";
    InconsistentConditional "inconsistent-conditional" Error "Inconsistent conditional result types"
        detail: "Both results of a conditional must be of one type, or of types that can be converted to one: {0}."
        reference: ["Inconsistent conditional result types"],
        note: "Told whatever the condition is, and instead of all else that is wrong inside.";
    NullCondition "null-condition" Error "Null condition"
        detail: "The condition is null. It must be true or false."
        reference: ["Null condition"],
        note: "The condition of `? :` or of `%{if}`.";
    IncorrectConditionType "incorrect-condition-type" Error "Incorrect condition type"
        detail: "The condition must be true or false: {0}."
        reference: ["Incorrect condition type"],
        note: "The condition of `? :` or of `%{if}` cannot be converted to a bool.";
    NullKey "null-key" Error "Null value as key"
        detail: "The key of an object must not be null."
        reference: ["Null value as key"],
        note: "Points at the key; the reference points at the value.";
    IncorrectKeyType "incorrect-key-type" Error "Incorrect key type"
        detail: "The key of an object must be a string: {0}."
        reference: ["Incorrect key type"],
        note: "A key that cannot be converted to a string.";
    AmbiguousKey "ambiguous-key" Error "Ambiguous attribute key"
        detail: "This key is either a reference or a name with a dot in it. For a reference, write it in parentheses; for a name, in quotes."
        reference: ["Ambiguous attribute key"],
        note: "A traversal of several steps stands as the key of an object without parentheses.";
    IterationOverNull "iteration-over-null" Error "Iteration over null value"
        detail: "The value is null, so there is nothing to iterate over. For no elements write []."
        reference: ["Iteration over null value"],
        note: "The collection of a `for`.";
    IterationOverScalar "iteration-over-scalar" Error "Iteration over non-iterable value"
        detail: "A {0} has no elements to iterate over."
        reference: ["Iteration over non-iterable value"],
        note: "The collection of a `for` is none.";
    NullForCondition "null-for-condition" Error "Null 'for' condition"
        detail: "The condition behind \"if\" is null. It must be true or false."
        reference: ["Condition is null", "Invalid 'for' condition"],
        note: "For any element, or for the one at hand.";
    InvalidForCondition "invalid-for-condition" Error "Invalid 'for' condition"
        detail: "The condition behind \"if\" must be true or false: {0}."
        reference: ["Invalid 'for' condition"],
        note: "A condition that cannot be converted to a bool.";
    InvalidObjectKey "invalid-object-key" Error "Invalid object key"
        detail: "The key before \"=>\" must be a string: {0}."
        reference: ["Invalid object key"],
        note: "The key of a `for` that makes an object is null, or cannot be converted to a string.";
    DuplicateObjectKey "duplicate-object-key" Error "Duplicate object key"
        detail: "Two elements have the key \"{0}\". To collect the values of one key, write ... behind the value."
        reference: ["Duplicate object key"],
        note: "In a `for` that makes an object. Told once for each key.";
    SplatOfNull "splat-of-null" Error "Splat of null value"
        detail: "The value is null, so it has no elements. For no elements write []."
        reference: ["Splat of null value"],
        note: "A null list, set or tuple. Of any other null value a splat is empty.";
    InconsistentSplat "inconsistent-splat" Error "Invalid nested splat expressions"
        detail: "The results for the elements of this list are of different types, which no list can hold. Write a for expression in brackets, which makes a tuple."
        reference: ["Invalid nested splat expressions"],
        note: "A splat of a list whose elements hold null or single values.";
    InvalidInterpolation "invalid-interpolation" Error "Invalid template interpolation value"
        detail: "The value cannot be part of a text: {0}."
        reference: ["Invalid template interpolation value"],
        note: "An interpolated value is null, or cannot be converted to a string.";
    CallsNotAllowed "function-calls-not-allowed" Error "Function calls not allowed"
        detail: "There are no functions here, so \"{0}\" cannot be called."
        reference: ["Function calls not allowed"],
        note: "A call where the scope has no functions at all. The arguments are not looked at.";
    UnknownFunction "unknown-function" Error "Call to unknown function"
        detail: "There is no function named \"{0}\".{1}"
        reference: ["Call to unknown function", "Unknown provider function", "Unknown function provider"],
        note: "A near name is suggested. The arguments are not looked at.";
    TooFewArguments "too-few-arguments" Error "Not enough function arguments"
        detail: "The function \"{0}\" takes {1}; \"{2}\" is missing."
        reference: ["Not enough function arguments"],
        note: "Points at the closing parenthesis.";
    TooManyArguments "too-many-arguments" Error "Too many function arguments"
        detail: "The function \"{0}\" takes only {1}."
        reference: ["Too many function arguments"],
        note: "Points at the first argument that is too many.";
    InvalidArgument "invalid-argument" Error "Invalid function argument"
        detail: "The value for \"{0}\" cannot be used: {1}."
        reference: ["Invalid function argument"],
        note: "An argument of the wrong type, or one that the function refuses.";
    InvalidExpansion "invalid-expansion" Error "Invalid expanding argument value"
        detail: "What stands before ... must be a list, set or tuple, not {0}."
        reference: ["Invalid expanding argument value"],
        note: "The last argument of a call.";
    FunctionFailed "function-failed" Error "Error in function call"
        detail: "The function \"{0}\" has no result: {1}."
        reference: ["Error in function call"],
        note: "What a function says of its arguments together.";
    EvaluationTooLong "evaluation-too-long" Error "Evaluation too long"
        detail: "This expression takes more steps than are allowed, as loops inside of loops do. Make it smaller, or raise the limit."
        reference: [],
        note: "The limit is 50 million steps of one evaluation unless another one is set; a step is a node evaluated, an element taken, or 16 bytes of text.";
    InvalidKeyExpression "invalid-key-expression" Error "Invalid object key expression"
        detail: "The key of an object must be a string: {0}."
        reference: ["Invalid object key expression"],
        note: "The template of a JSON object's key gives null, or a value that cannot be converted to a string.";
    DuplicateObjectAttribute "duplicate-object-attribute" Error "Duplicate object attribute"
        detail: "The object already has the attribute \"{0}\"."
        reference: ["Duplicate object attribute"],
        note: "Two keys of a JSON object are the same once they are evaluated. The first one counts; it is the second place.";
    UnexpectedDocument "unexpected-document" Error "Unexpected kind of document"
        detail: "This is {0}, and {1} is needed here."
        reference: [],
        note: "The members of the root say what a document is. What both kinds have in common is read all the same.";
    EncryptedDocument "encrypted-document" Error "Encrypted document"
        detail: "The file is encrypted. Print it with `tofu show -json`, which decrypts it."
        reference: [],
        note: "A state or plan file with state encryption of OpenTofu.";
    MissingFormatVersion "missing-format-version" Warning "Missing format version"
        detail: "The document has no {0}; it is read as version 1."
        reference: [],
        note: "The tools always write one.";
    UnknownFormatVersion "unknown-format-version" Error "Unknown format version"
        detail: "{0} is {1}. Major versions 0 and 1 are known; what follows may mean something else."
        reference: ["unsupported plan format version", "unsupported state format version"],
        note: "The major version of a plan, a state, a prior state or schemas is above 1, or it is no version.";
    UnexpectedType "unexpected-type" Error "Unexpected type"
        detail: "`{0}` should be {1}, not {2}."
        reference: [],
        note: "A member of a plan, a state or schemas has another type than its format says. It is left out; everything else is read.";
    MarksMisfit "marks-misfit" Warning "Marks do not fit their value"
        detail: "The tree that says {0} does not have the form of the value at `{1}`."
        reference: [],
        note: "`after_unknown` or a tree of sensitive values has an object, an array or a mark where the value has something else. Unknown marks are ignored there; sensitive ones hide all of the value.";
    DuplicateAddress "duplicate-address" Error "Duplicate address"
        detail: "The plan has another change of {0}."
        reference: [],
        note: "Two entries of `resource_changes` have the same address and the same deposed key. The first one is found by its address.";
    ConvertedEncoding "converted-encoding" Warning "Converted from UTF-16"
        detail: "The file is in UTF-16, as PowerShell writes it. It has been converted; positions are those of the text in UTF-8."
        reference: [],
        note: "Plans, states and schemas only. Configuration in UTF-16 is an error.";
    TextBeforeDocument "text-before-document" Warning "Text before the document"
        detail: "Text stands before the document, as wrapper scripts print it. It has been skipped."
        reference: [],
        note: "Plans, states and schemas only: lines before the first one that starts with a brace, such as `[command]/usr/bin/terraform show -json`.";
    ExclusiveArguments "exclusive-arguments" Error "Arguments exclude each other"
        detail: "Only one of \"{0}\" and \"{1}\" can say how many instances there are."
        reference: ["Invalid combination of *"],
        note: "`count` and `for_each` in one block. The second place is where the other one is set.";
    CheckData "check-data" Error "Not in a check"
        detail: "The data source of a check is read once, when the check is made: it has no \"{0}\"."
        reference: ["Invalid \"count\" attribute", "Invalid \"for_each\" attribute", "Invalid lifecycle block"],
        note: "`count`, `for_each` or `lifecycle` in a `data` block of a `check`.";
    InvalidDependency "invalid-dependency" Error "Invalid dependency"
        detail: "This cannot be waited for: {0}."
        reference: ["Invalid depends_on Action Reference", "Invalid depends_on reference"],
        note: "An element of `depends_on` that is an action (Terraform), or a part of an object.";
    ProviderLocalName "provider-local-name" Error "Invalid provider local name"
        detail: "\"{0}\" cannot be the local name of a provider. It is written in lower case, with letters, digits and single dashes."
        reference: ["Invalid provider local name", "Invalid provider name"],
        note: "In a reference to a provider configuration.";
    SelfReference "self-reference" Error "Reference to itself"
        detail: "A {0} cannot refer to the resource that it belongs to. In a postcondition write \"self\"."
        reference: ["Invalid reference in precondition", "Invalid reference in postcondition"],
        note: "The condition or the message of a `precondition` or `postcondition` of a resource.";
    TriggerReference "trigger-reference" Error "Invalid reference of a trigger"
        detail: "Of what is referred to here, {0} may be used."
        reference: ["Invalid reference in replace_triggered_by expression", "Invalid each reference in replace_triggered_by expression", "Invalid count reference in replace_triggered_by expression"],
        note: "An element of `replace_triggered_by`. Behind the first wrong element the others are only parsed.";
    TriggerCount "trigger-count" Error "Invalid trigger"
        detail: "Each element refers to one {1}; this one refers to {0}."
        reference: ["Invalid replace_triggered_by expression"],
        note: "An element of `replace_triggered_by`.";
    ActionReference "action-reference" Error "Invalid action"
        detail: "Each element refers to one action of this module; this one refers to {0}."
        reference: ["Invalid action argument inside action_triggers", "Invalid reference to action outside this module", "Invalid action expression"],
        note: "An element of `actions` in an `action_trigger` (Terraform).";
    EmptyTrigger "empty-trigger" Error "Empty trigger"
        detail: "A trigger needs {0}, and there is none here."
        reference: ["No actions specified", "No events specified"],
        note: "`actions` or `events` of an `action_trigger` (Terraform).";
    UnknownEvent "unknown-event" Error "Unknown event"
        detail: "An event is one of the keywords before_create, after_create, before_update and after_update."
        reference: ["Invalid \"event\" value *"],
        note: "An element of `events` in an `action_trigger` (Terraform).";
    DuplicateEvent "duplicate-event" Error "Duplicate event"
        detail: "The trigger already has the event \"{0}\"."
        reference: ["Duplicate \"*\" event"],
        note: "An element of `events` in an `action_trigger` (Terraform).";
    IgnoreMixture "ignore-mixture" Error "Wildcard beside attributes"
        detail: "The wildcard already ignores all attributes; no others can stand beside it."
        reference: ["Invalid ignore_changes ruleset"],
        note: "`ignore_changes` with \"*\" and other elements.";
    DestroyReference "destroy-reference" Error "Reference that is gone at destroy time"
        detail: "\"{0}\" is read when the instance is destroyed. Then only self, count.index, each.key, path and terraform are there."
        reference: ["Invalid reference from destroy provisioner"],
        note: "An argument of a `provisioner` with `when` set to `destroy`, or of its `connection`. Told once for each argument.";
    ModuleSource "module-source" Error "Invalid module source address"
        detail: "This is no address of a module: {0}."
        reference: ["Invalid module source address", "Invalid registry module source address"],
        note: "`source` of a `module` block, also in a run of a test file. A call with `version` needs the address of a registry.";
    DuplicatePass "duplicate-pass" Error "Duplicate provider address"
        detail: "The called module is already given a configuration for \"{0}\"."
        reference: ["Duplicate provider address"],
        note: "`providers` of a `module` block. The first one counts; it is the second place.";
    OutOfScope "out-of-scope" Error "Not available here"
        detail: "\"{0}\" is there in {1} only."
        reference: ["Reference to \"each\" in context without for_each", "Reference to \"count\" in non-counted context", "Invalid \"self\" reference", "each.value cannot be used in this context"],
        note: "A reference to `count`, `each` or `self` where there is none; in templates of Packer, to `build` or `source`.";
    UnknownAttribute "unknown-attribute" Error "Unknown attribute"
        detail: "The object \"{0}\" has no attribute \"{1}\"."
        reference: ["Invalid \"each\" attribute", "Invalid \"count\" attribute", "Invalid \"path\" attribute", "Invalid \"terraform\" attribute", "Invalid \"tofu\" attribute"],
        note: "Of `count`, `each`, `path`, `terraform` and `tofu`.";
    MissingInstanceKey "missing-instance-key" Error "Missing instance key"
        detail: "The resource has \"{0}\": an attribute is one of its instances', which is named by a key in brackets."
        reference: ["Missing resource instance key"],
        note: "A reference to an attribute of a resource that has `count` or `for_each`.";
    UnexpectedInstanceKey "unexpected-instance-key" Error "Unexpected instance key"
        detail: "The resource has neither \"count\" nor \"for_each\", so there are no keys. Remove the brackets."
        reference: ["Unexpected resource instance key"],
        note: "A reference to an instance of a resource that has only one.";
    CountAttribute "count-attribute" Error "No attribute for the number of instances"
        detail: "The number of instances is length() of the resource."
        reference: ["Invalid resource count attribute"],
        note: "`aws_instance.web.count`, as it was written before version 0.12.";
    ScopedReference "scoped-reference" Error "Reference to a data source of a check"
        detail: "Only the check \"{0}\" can refer to its data source."
        reference: ["Reference to scoped resource"],
        note: "A reference from outside of the check.";
    SourceReference "source-reference" Error "Not available to find a module"
        detail: "Modules are found before \"{0}\" is known. Their source and version may refer to constant variables and local values only."
        reference: ["Invalid module source", "Invalid module version"],
        note: "A reference in `source` or `version` of a `module` block (Terraform).";
    UnknownSource "unknown-source" Error "Module source is not constant"
        detail: "Modules are found before the variable \"{0}\" has a value. Set \"const\" to true where it is declared."
        reference: ["Unknown module source", "Unknown module version"],
        note: "A variable that is not constant in `source` or `version` of a `module` block (Terraform).";
    MissingModuleKey "missing-module-key" Error "Missing key of a module's instance"
        detail: "The call has \"{0}\": an output is one of its instances', which is named by a key in brackets."
        reference: ["Unsupported attribute"],
        note: "A reference to an output of a module call that has `count` or `for_each`.";
    UnexpectedModuleKey "unexpected-module-key" Error "Unexpected key of a module's instance"
        detail: "The call has neither \"count\" nor \"for_each\", so there are no keys. Remove the brackets."
        reference: ["Invalid index"],
        note: "A reference to an instance of a module call that has only one.";
    UndeclaredOutput "undeclared-output" Error "Reference to an undeclared output"
        detail: "The module that \"{0}\" calls declares no output \"{1}\"."
        reference: ["Unsupported attribute", "Invalid index"],
        note: "Withheld if the called module has files in native syntax, too.";
    VersionConstraint "version-constraint" Error "Invalid version constraint"
        detail: "This is no version constraint{0}. One is written like \"~> 1.2\", several with commas between them: \">= 1.0, < 2.0\"."
        reference: ["Invalid version constraint", "Invalid required_version constraint"],
        note: "`version` of a `module` or `provider` block, `required_version`, and versions in `required_providers`.";
    ProviderSource "provider-source" Error "Invalid provider source"
        detail: "\"{0}\" is no source of a provider: {1}."
        reference: ["Invalid provider source string", "Invalid provider namespace", "Invalid provider type", "Invalid provider source hostname", "Invalid provider type name"],
        note: "The `source` of an entry of `required_providers`.";
    BackendAndCloud "backend-and-cloud" Error "Both a backend and a cloud"
        detail: "A module keeps its state in a backend or in a cloud, not in both."
        reference: ["Conflicting 'cloud' and 'backend' configuration blocks are present", "Both a backend and a cloud configuration are present"],
        note: "Points at the backend; the cloud is the second place. An override file that has one of them replaces both.";
    Experiments "experiments" Error "Experiments"
        detail: "Released versions of Terraform have no experiments."
        reference: ["Module uses experimental features"],
        note: "Terraform only; OpenTofu ignores the argument.";
    InvalidDefault "invalid-default" Error "Unsuitable default"
        detail: "The default does not fit the variable: {0}."
        reference: ["Invalid default value for variable", "Invalid default value for optional attribute"],
        note: "It does not convert to the type, or is null where null is not allowed.";
    ConstVariable "const-variable" Error "Constant variable"
        detail: "The variable cannot be const and {0} at once."
        reference: ["Const variable cannot be sensitive", "Const variable cannot be ephemeral"],
        note: "Terraform only.";
    ConstantCondition "constant-condition" Error "Constant condition"
        detail: "The condition of this {0} refers to nothing, so it always gives the same."
        reference: ["Invalid validation expression", "Invalid precondition expression", "Invalid postcondition expression", "Invalid assert expression", "Invalid variable validation condition"],
        note: "A JSON boolean, or a string without a reference in a template.";
    UnrelatedValidation "unrelated-validation" Error "Unrelated validation"
        detail: "The condition of a validation must refer to var.{0}, the value that is validated."
        reference: ["Invalid variable validation condition"],
        note: "It may refer to other objects besides.";
    MisplacedPostcondition "misplaced-postcondition" Error "Postcondition of an output"
        detail: "Outputs have preconditions only."
        reference: ["Postconditions are not allowed"],
        note: "A `postcondition` block in an `output`.";
    InvalidAddress "invalid-address" Error "Invalid address"
        detail: "This is no address of {0}."
        reference: ["Invalid address", "Invalid address operator", "Invalid \"moved\" address", "Invalid import address", "Invalid import address expression", "Invalid reference expression", "Invalid \"import\" address", "Module instance address with keys is not allowed", "Resource instance keys not allowed", "Can only target managed resources for forced replacements."],
        note: "Points at the first step that no address has there, or at all of it.";
    MovedKinds "moved-kinds" Error "Different kinds of addresses"
        detail: "One of the addresses is a module's, the other a resource's."
        reference: ["Invalid \"moved\" addresses"],
        note: "`from` and `to` of a `moved` block.";
    RemovedAddress "removed-address" Error "Unsuitable address"
        detail: "A removed block removes {0}."
        reference: ["Resource instance keys not allowed", "Module instance keys not allowed", "Data source address not allowed", "Resource instance address with keys is not allowed", "Module instance address with keys is not allowed", "Data source address is not allowed", "Ephemeral resource address is not allowed"],
        note: "Instances cannot be removed one by one, and data sources are not kept.";
    RemovedBlock "removed-block" Error "Unsuitable block"
        detail: "A {0} block cannot stand here: {1}."
        reference: ["Invalid provisioner block", "Invalid connection block", "Invalid \"removed.provisioner\" block", "Invalid \"removed\" block"],
        note: "In a `removed` block: provisioners run when resources are destroyed, and modules have none.";
    DuplicateImport "duplicate-import" Error "Duplicate import"
        detail: "An import to {0} is there already."
        reference: ["Duplicate import configuration for \"*\""],
        note: "Two `import` blocks with the same address.";
    ImportArguments "import-arguments" Error "Unsuitable arguments of an import"
        detail: "An import has {0}."
        reference: ["Invalid import block", "Missing required import argument", "Conflicting import arguments", "Invalid import provider argument"],
        note: "Either `id` or `identity`; and `provider` only for resources of the module itself.";
    LegacyTemplate "legacy-template" Error "Template in the format before HCL"
        detail: "The property \"builders\" makes this a template in Packer's JSON format before HCL, which is not read. The command \"packer hcl2_upgrade\" converts it; or name the file \".json\" for Packer to read it."
        reference: ["Extraneous JSON object property"],
        note: "Nothing else is said of the file (Packer).";
    RequiredPlugin "required-plugin" Error "Invalid plugin requirement"
        detail: "This says nothing that can be used of the plugin \"{0}\": {1}."
        reference: ["Invalid required_plugins"],
        note: "An entry of `required_plugins` (Packer).";
    VariableValue "variable-value" Error "Value does not fit its variable"
        detail: "This is no value of the variable \"{0}\": {1}."
        reference: ["Invalid default value for variable", "Invalid value for input variable", "Required variable not set"],
        note: "A value of a file of variables, an argument of a module call as far as its type is known without variables and functions, and in Packer a default.";
    ValidationMessage "validation-message" Error "Error message is no sentence"
        detail: "A message starts with an upper-case letter, and ends with a period, a question mark or an exclamation mark."
        reference: ["Invalid validation error message"],
        note: "`error_message` of a `validation`, which is read literally (Packer).";
    ValidationCondition "validation-condition" Error "Invalid condition of a variable"
        detail: "A condition is a template that refers to the variable \"{0}\", and to nothing else."
        reference: ["Invalid reference in variable validation", "Invalid variable validation condition"],
        note: "`condition` of a `validation` (Packer).";
    InvalidDuration "invalid-duration" Error "Invalid duration"
        detail: "\"{0}\" is no duration. Durations are numbers with units, such as 30s or 1h15m."
        reference: ["Failed to parse *"],
        note: "`pause_before` and `timeout` of a provisioner (Packer).";
    ExclusiveSelection "exclusive-selection" Error "Both only and except"
        detail: "Only one of \"only\" and \"except\" can say for which sources this is done."
        reference: ["only one of 'only' or 'except' may be specified"],
        note: "The second place is the other one (Packer).";
    UnmatchedSelection "unmatched-selection" Warning "No such source in the build"
        detail: "The build has no source \"{0}\": names here are TYPE.NAME, with nothing before them."
        reference: [],
        note: "An element of `only` or `except` (Packer).";
    DynamicType "dynamic-type" Error "No block of this type here"
        detail: "Blocks of type \"{0}\" cannot stand here, so none can be made."
        reference: ["Unsupported block type"],
        note: "The label of a `dynamic` block (Packer).";
    RegistryArgument "registry-argument" Error "Invalid argument of the registry"
        detail: "This cannot be used for \"{0}\": {1}."
        reference: ["Invalid *"],
        note: "An argument of `hcp_packer_registry` (Packer).";
    SourceName "source-name" Error "Invalid reference to a source"
        detail: "\"{0}\" names no source. A source is TYPE.NAME or source.TYPE.NAME."
        reference: ["Invalid source reference", "Invalid * reference"],
        note: "An element of `sources`, or the label of a `source` block, in a build (Packer).";
    MissingSources "missing-sources" Error "Build without sources"
        detail: "A build needs a source: in the list \"sources\", or as a block \"source\"."
        reference: ["missing source reference"],
        note: "Not told when only an evaluation says which sources there are (Packer).";
    DeclarationAmongValues "declaration-among-values" Error "Variable declared in a file of variables"
        detail: "A file of variables gives values to variables. They are declared in files of configuration."
        reference: ["Variable declaration in a .pkrvar file", "Variable declaration in .tfvars file"],
        note: "The property `variable` with labels below it.";
    UndeclaredVariableValue "undeclared-variable-value" Warning "Value for an undeclared variable"
        detail: "No variable \"{0}\" is declared, so the value is passed over.{1}"
        reference: ["Undefined variable", "Value for undeclared variable"],
        note: "In a file of variables, or in a run of a test file. Withheld in a directory that has files in native syntax, too.";
    RegistryDeprecation "registry-deprecation" Warning "Deprecated form of the registry"
        detail: "{0} is deprecated. Its place is taken by {1}."
        reference: ["Build block level hcp_packer_registry are deprecated", "the argument hcp_packer_registry.labels has been deprecated*"],
        note: "A `hcp_packer_registry` in a build, or its argument `labels` (Packer).";
    ModuleManifest "module-manifest" Error "Invalid list of installed modules"
        detail: "What is installed cannot be told from here: {0}. Initialization writes the file anew."
        reference: [],
        note: "In `.terraform/modules/modules.json`. Entries that are right count.";
    ModuleCycle "module-cycle" Error "Module calls itself"
        detail: "This call leads back to the module in {0}, which never ends."
        reference: ["Failed to remove local module cache"],
        note: "By paths, directly or through other modules, which are cited. Each call that closes a cycle is reported once.";
    ImpliedProvider "implied-provider" Warning "Provider assumed by its name"
        detail: "The provider \"{0}\" is not declared in {1}, where it is taken for {2}. An entry in required_providers says what is meant."
        reference: ["Reference to undefined provider"],
        note: "In `providers` of a module call, on either side. Withheld if the module has files in native syntax, too.";
    UndeclaredProvider "undeclared-provider" Error "Undeclared provider configuration"
        detail: "There is no provider configuration \"{0}\" in {1}."
        reference: ["Reference to undefined provider", "missing provider *"],
        note: "In `providers` of a module call, on either side: a configuration with an alias needs a block `provider`, or an entry in `configuration_aliases`. On the side of the called module only for providers that a name alone does not stand for. Withheld if the module has files in native syntax, too.";
    ProviderMismatch "provider-mismatch" Error "Provider of another kind"
        detail: "The called module knows \"{0}\" as {1}; what it is given is {2}."
        reference: ["Provider type mismatch"],
        note: "In `providers` of a module call: both sides must be configurations of one provider.";
    MissingProvider "missing-provider" Error "Missing provider configuration"
        detail: "The called module needs a provider configuration \"{0}\", which this call must name in \"providers\"."
        reference: ["Missing required provider configuration"],
        note: "What the called module lists in `configuration_aliases`; a warning for a configuration without alias that the module passes on and does not have.";
    OwnProvider "own-provider" Error "Provider configuration of the called module"
        detail: "The called module sets up \"{0}\" itself, so nothing can be passed for it."
        reference: ["Cannot override provider configuration"],
        note: "In `providers` of a module call.";
    LegacyModule "legacy-module" Error "Module with provider configurations of its own"
        detail: "The module in {0} configures providers itself. So no call that leads to it can have \"{1}\"."
        reference: ["Module is incompatible with count, for_each, and depends_on", "Module is incompatible with count, for_each, enabled and depends_on"],
        note: "Points at the argument of the call, which need not call that module itself.";
    RedundantProvider "redundant-provider" Warning "Empty provider configuration"
        detail: "The block for \"{0}\" sets nothing. An entry in required_providers says better that the module uses the provider."
        reference: ["Redundant empty provider block"],
        note: "In a module that is called.";
    Experimental "experimental" Error "Only in experimental builds"
        detail: "Released versions of Terraform do not have \"{0}\" here."
        reference: ["Invalid attribute", "Invalid block", "Unsupported block type"],
        note: "In a test file, or a block \"state_store\" (Terraform).";
    PlanOptions "plan-options" Error "Incompatible plan options"
        detail: "A plan whose mode is \"refresh-only\" does nothing but refresh, so \"refresh\" cannot be false."
        reference: ["Incompatible plan options"],
        note: "In a run of a test file.";
    ExpectedFailure "expected-failure" Error "Object that cannot fail"
        detail: "Failures can be expected of variables, outputs, checks, resources and data sources, which have conditions."
        reference: ["Invalid `expect_failures` reference"],
        note: "An element of `expect_failures` in a run of a test file.";
    OverrideTarget "override-target" Error "Unsuitable target of an override"
        detail: "Blocks of this type are for {0} only."
        reference: ["Invalid override target"],
        note: "`target` of an `override_*` block of a test file.";
    MissingOverrideTarget "missing-override-target" Warning "Override of nothing"
        detail: "The module does not declare {0}."
        reference: ["Invalid override target"],
        note: "`target` of an `override_*` block of a test file (Terraform). What called modules declare is not compared.";
    DuplicateOverride "duplicate-override" Error "Duplicate override"
        detail: "An override of {0} is there already."
        reference: ["Duplicate override_* block", "Duplicated `override_*` block"],
        note: "Two `override_*` blocks in one body of a test file have the same target.";
    ObjectRequired "object-required" Error "Object required"
        detail: "The argument \"{0}\" must be an object, not {1}."
        reference: ["Object expected", "Invalid outputs attribute"],
        note: "`values` and `outputs` of an override in a test file, in OpenTofu also `defaults` of a mock.";
    MissingTestProvider "missing-test-provider" Error "No such provider configuration in the test file"
        detail: "Neither a block \"provider\" nor a block \"mock_provider\" of this file configures {0}."
        reference: ["Missing provider definition for *"],
        note: "`providers` of a run hands on configurations of the test file (Terraform).";
    UnavailableRun "unavailable-run" Error "No such run before"
        detail: "No run \"{0}\" is done before this one."
        reference: ["Reference to unknown run block", "Reference to unavailable run block", "Cycle: *", "Self reference: *"],
        note: "A reference `run.NAME` in a run of a test file.";
    AliasRequired "alias-required" Error "Missing alias"
        detail: "Configurations for each element need an alias to be told from others."
        reference: ["Alias required when using \"for_each\""],
        note: "`for_each` of a provider configuration (OpenTofu).";
    LanguageEdition "language-edition" Error "Unsupported language edition"
        detail: "The only edition of the language is the keyword {0}."
        reference: ["Invalid language edition", "Unsupported language edition"],
        note: "`edition` of a `language` block (OpenTofu), or `language` of `terraform` (Terraform).";
    LanguageExperiment "language-experiment" Error "Unknown experiment"
        detail: "There are no experiments of the language."
        reference: ["Unknown experiment keyword", "Invalid experiment keyword"],
        note: "An element of `experiments` in a `language` block (OpenTofu).";
    IneffectiveConstraint "ineffective-constraint" Warning "Ineffective version constraint"
        detail: "Versions before 1.12 do not read this block, so a constraint in it cannot admit them. Write it so that it excludes them, such as \">= 1.12.0\"."
        reference: ["Ineffective version constraint"],
        note: "`opentofu` of a `compatible_with` block that version 1.11.0 meets (OpenTofu).";
    EncryptionMethod "encryption-method" Error "Invalid encryption method"
        detail: "A method is named by method, its type and its name: method.aes_gcm.main."
        reference: ["Invalid encryption method identifier"],
        note: "`method` of a target of `encryption` (OpenTofu).";
    UndeclaredEncryption "undeclared-encryption" Error "Undeclared part of the encryption"
        detail: "The encryption has no {0} of this type and name."
        reference: ["Reference to undeclared encryption method", "Reference to undeclared key provider"],
        note: "A method that a target of `encryption` names, or a key provider that such a method or another key provider names (OpenTofu). Withheld in a module that has files in native syntax, too.";
    StaticReference "static-reference" Error "Not known early enough"
        detail: "\"{0}\" is not known yet when this is evaluated. Only variables, local values that need nothing else, path and terraform.workspace are."
        reference: ["Dynamic value in static context", "Module output not supported in static context", "Provider function in static context", "Invalid attribute in static context", "Unable to compute static value"],
        note: "A reference in `source` or `version` of a `module`, `for_each` of a `provider`, a backend, `cloud` or `encryption`, or in a local value that one of them needs (OpenTofu).";
    NotConstant "not-constant" Error "Variable is not constant"
        detail: "The variable \"{0}\" says with \"const\" set to false that it cannot be used here, where values must be known early."
        reference: ["Unable to use variable in static context"],
        note: "A reference in a place of `static-reference` (OpenTofu).";
    QuotedReference "quoted-reference" Warning "Quoted reference"
        detail: "The reference stands in quotes inside of the string. Remove the inner ones."
        reference: ["Quoted references are deprecated"],
        note: "`\"\\\"aws.east\\\"\"` as a reference to a provider configuration (OpenTofu).";
    ProviderInstance "provider-instance" Error "Unsuitable key of a provider configuration"
        detail: "{0}"
        reference: ["Invalid resource provider configuration", "Invalid module provider configuration"],
        note: "A reference to a provider configuration has a key if, and only if, the configuration has `for_each` (OpenTofu).";
    PreventDestroyReference "prevent-destroy-reference" Error "Reference to an instance"
        detail: "\"{0}\" cannot be used here: the argument is read for instances, too, that are no longer declared."
        reference: ["Invalid reference in prevent_destroy"],
        note: "`each` or `count` in `prevent_destroy` (OpenTofu).";
    BlankDeprecation "blank-deprecation" Error "Blank deprecation"
        detail: "A deprecation says what to use instead."
        reference: ["Invalid `deprecated` value", "Invalid `deprecated` attribute"],
        note: "`deprecated` of a variable or output is blank (OpenTofu).";
    RemovedLifecycle "removed-lifecycle" Warning "No word about the object"
        detail: "The block does not say whether what is removed is destroyed: OpenTofu only forgets it, and Terraform destroys it. Set \"destroy\" in a block \"lifecycle\"."
        reference: ["Missing lifecycle from the removed block"],
        note: "A `removed` block without `destroy` (OpenTofu). Withheld if the block has an error.";
    UnusedProvisioner "unused-provisioner" Warning "Provisioner is never run"
        detail: "With \"destroy\" set to false nothing is destroyed, and so no provisioner is run."
        reference: ["Removed block provisioners will not be executed"],
        note: "A `provisioner` in a `removed` block (OpenTofu). Withheld if the block has an error.";
    MisplacedRequirements "misplaced-requirements" Error "Misplaced requirements"
        detail: "A block \"required_providers\" belongs into a block \"terraform\"."
        reference: ["Invalid required_providers block"],
        note: "`required_providers` at the root of a file.";
    UnknownType "unknown-type" Error "No such type"
        detail: "The provider {0} has no {1} \"{2}\"."
        reference: ["Invalid resource type", "Invalid data source", "Invalid ephemeral resource", "failed to read schema for *"],
        note: "By the schemas of providers, or what is built in.";
    UnknownProvisioner "unknown-provisioner" Error "No such provisioner"
        detail: "No provisioner \"{0}\" comes with the tools; there are file, local-exec and remote-exec."
        reference: ["Missing required provisioner plugin"],
        note: "Others can be installed by hand, in which case this is to be allowed.";
    ComputedArgument "computed-argument" Error "Argument that is decided by the provider"
        detail: "The provider decides on \"{0}\", so it cannot be set."
        reference: ["Value for unconfigurable attribute", "\"*\" attribute is read-only", "Invalid Configuration for Read-Only Attribute"],
        note: "An attribute that is computed, and neither required nor optional, in the schemas of providers.";
    DeprecatedArgument "deprecated-argument" Warning "Deprecated argument or block"
        detail: "\"{0}\" should not be used any more.{1}"
        reference: ["Argument is deprecated", "Deprecated attribute", "Attribute Deprecated", "Block Deprecated"],
        note: "By the schemas of providers.";
    ArgumentType "argument-type" Error "Incorrect attribute value type"
        detail: "The value does not fit \"{0}\": {1}."
        reference: ["Incorrect attribute value type", "Invalid dynamic for_each value"],
        note: "By the schemas of providers, as far as the value is known without variables and functions. Points at the part that does not fit.";
    BlockCount "block-count" Error "Wrong number of blocks"
        detail: "{0}"
        reference: ["Insufficient * blocks", "Too many * blocks", "Missing * block", "Extraneous dynamic block label", "Insufficient dynamic block labels"],
        note: "By the nesting mode and the bounds in the schemas of providers. Where `dynamic` makes blocks there may be any number.";
    EarlySecret "early-secret" Error "Secret where values are written down"
        detail: "What this is made of is {0}. Its value would be kept in files that are no secret."
        reference: ["Sensitive value not allowed", "Ephemeral value not allowed", "Invalid for_each argument", "Backend config contains sensitive values", "Backend config contains ephemeral values"],
        note: "A sensitive or ephemeral variable in `source` or `version` of a `module`, in `for_each` of a `provider`, or in a backend, by way of local values too (OpenTofu). Withheld where a function may make its value public.";
    IgnoredBackend "ignored-backend" Warning "Backend of a called module"
        detail: "The state of all modules is kept where the root module says; this block has no effect."
        reference: ["Backend configuration ignored"],
        note: "In a module that is called.";
    CalledImport "called-import" Error "Import in a called module"
        detail: "Only the root module can import; it can do so into this one."
        reference: ["Invalid import configuration"],
        note: "In a module that is called (OpenTofu). Of several blocks the first is shown.";
    DoubledProvider "doubled-provider" Warning "Provider with two names"
        detail: "{0} is required as \"{1}\", and known as \"{2}\" besides. A module has one name for a provider."
        reference: ["Duplicate required provider"],
        note: "Two entries of `required_providers` have one source; or a resource, or a `provider` block, has another name for the provider of an entry.";
    CountValue "count-value" Error "Invalid count"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid count argument", "Incorrect value type"],
        note: "As far as the value is known without variables.";
    ForEachValue "for-each-value" Error "Invalid for_each"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid for_each argument", "Invalid for_each set argument"],
        note: "As far as the type of the value is known without values of variables.";
    ImportIdentifier "import-identifier" Error "Invalid identifier of an import"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid import id argument", "Invalid import identity argument", "Incorrect value type"],
        note: "As far as the value is known without variables.";
    MessageValue "message-value" Error "Invalid error message"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid error message"],
        note: "Of an assertion, as far as the type of the value is known without values of variables.";
    UnknownBackend "unknown-backend" Error "Unknown backend"
        detail: "There is no backend \"{0}\".{1}"
        reference: ["Unsupported backend type"],
        note: "Backends are built into the tools; those of the dialect are known.";
    ImportTarget "import-target" Error "Import to what is not there"
        detail: "Nothing can be imported to this address: {0}."
        reference: ["Configuration for import target does not exist", "Invalid import 'to' expression"],
        note: "Keys of resources of the module itself, and the first module call of the address (Terraform). Withheld if the module has files in native syntax, too.";
}

impl Code {
    /// The explanation with arguments filled in. Of a long argument the beginning is shown.
    #[must_use]
    pub fn detail_with(self, arguments: &[&str]) -> String {
        let mut text = String::new();
        let mut rest = self.detail();
        while let Some(at) = rest.find('{') {
            text.push_str(&rest[..at]);
            let (index, len) = match rest.as_bytes().get(at + 1..at + 3) {
                Some([digit @ b'0'..=b'2', b'}']) => (usize::from(digit - b'0'), 3),
                _ => (usize::MAX, 1),
            };
            match arguments.get(index) {
                Some(argument) => push_beginning(&mut text, argument),
                None => text.push_str(&rest[at..at + len]),
            }
            rest = &rest[at + len..];
        }
        text.push_str(rest);
        text
    }

    /// The code of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

/// Appends an argument; of a long one, such as a name of ten megabytes, only the beginning.
fn push_beginning(text: &mut String, argument: &str) {
    const LONGEST: usize = 200;
    match argument.char_indices().nth(LONGEST) {
        Some((end, _)) => {
            text.push_str(&argument[..end]);
            text.push('…');
        }
        None => text.push_str(argument),
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
