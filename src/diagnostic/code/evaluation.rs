//! Codes of evaluating expressions.

macro_rules! evaluation_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Expressions: evaluation" {
    VariablesNotAllowed "variables-not-allowed" Error "Variables not allowed"
        detail: "\"{0}\" refers to a variable, but variables cannot be used here."
        reference: ["Variables not allowed"],
        note: "A reference where the scope has no variables.";
    UnknownVariable "unknown-variable" Error "Unknown variable"
        detail: "No variable is named \"{0}\"."
        reference: ["Unknown variable"],
        note: "The first name of a reference is not in scope. A similar name is suggested.";
    AttributeOfNull "attribute-of-null" Error "Attribute of null"
        detail: "The value is null, so it has no attribute \"{0}\"."
        reference: ["Attempt to get attribute from null value"],
        note: "Points at the attribute name.";
    UnsupportedAttribute "unsupported-attribute" Error "Unsupported attribute"
        detail: "The value has no attribute \"{0}\": {1}."
        reference: ["Unsupported attribute"],
        note: "An object without the attribute, or a value of a type that has no attributes.";
    MissingMapElement "missing-map-element" Error "Missing map element"
        detail: "The map has no element with the key \"{0}\"."
        reference: ["Missing map element"],
        note: "An element of a map is read by an attribute name. For an index in brackets, see `invalid-index`.";
    IndexOfNull "index-of-null" Error "Index of null"
        detail: "The value is null, so it has no elements."
        reference: ["Attempt to index null value"],
        note: "Points at the brackets.";
    InvalidIndex "invalid-index" Error "Invalid index"
        detail: "The index is invalid: {0}."
        reference: ["Invalid index"],
        note: "The index has the wrong type or is out of range, or the value has no elements.";
    InvalidOperand "invalid-operand" Error "Invalid operand"
        detail: "The {0} is invalid: {1}."
        reference: ["Invalid operand"],
        note: "An operand cannot be converted to the type that the operator requires.";
    OperationFailed "operation-failed" Error "Operation failed"
        detail: "The operation failed: {0}."
        reference: ["Operation failed"],
        note: "An operand is null, or the result is undefined for these numbers.";
    InconsistentConditional "inconsistent-conditional" Error "Inconsistent conditional result types"
        detail: "Both results of a conditional must have the same type, or types that can be converted to a common one: {0}."
        reference: ["Inconsistent conditional result types"],
        note: "Reported regardless of the condition, and instead of other errors in the two results.";
    NullCondition "null-condition" Error "Null condition"
        detail: "The condition is null, but must be true or false."
        reference: ["Null condition"],
        note: "The condition of `? :` or of `%{if}`.";
    IncorrectConditionType "incorrect-condition-type" Error "Incorrect condition type"
        detail: "The condition must be true or false: {0}."
        reference: ["Incorrect condition type"],
        note: "The condition of `? :` or of `%{if}` cannot be converted to a bool.";
    NullKey "null-key" Error "Null as a key"
        detail: "A key of an object cannot be null."
        reference: ["Null value as key"],
        note: "Points at the key; the reference points at the value.";
    IncorrectKeyType "incorrect-key-type" Error "Incorrect key type"
        detail: "A key of an object must be a string: {0}."
        reference: ["Incorrect key type"],
        note: "A key that cannot be converted to a string.";
    AmbiguousKey "ambiguous-key" Error "Ambiguous attribute key"
        detail: "This key can be read as a reference or as a name with a dot."
        help: "Put a reference in parentheses, or a name in quotes."
        reference: ["Ambiguous attribute key"],
        note: "A traversal of several steps as the key of an object, without parentheses.";
    IterationOverNull "iteration-over-null" Error "Iteration over null value"
        detail: "The value is null, so it has no elements to iterate over."
        help: "Use [] for no elements."
        reference: ["Iteration over null value"],
        note: "The collection of a `for`.";
    IterationOverScalar "iteration-over-scalar" Error "Iteration over non-iterable value"
        detail: "{0} has no elements to iterate over."
        reference: ["Iteration over non-iterable value"],
        note: "The collection of a `for` is not a list, a set, a tuple, a map or an object.";
    NullForCondition "null-for-condition" Error "Null 'for' condition"
        detail: "The condition after \"if\" is null, but must be true or false."
        reference: ["Condition is null", "Invalid 'for' condition"],
        note: "The condition of a `for`, for one of its elements or for all.";
    InvalidForCondition "invalid-for-condition" Error "Invalid 'for' condition"
        detail: "The condition after \"if\" must be true or false: {0}."
        reference: ["Invalid 'for' condition"],
        note: "A condition that cannot be converted to a bool.";
    InvalidObjectKey "invalid-object-key" Error "Invalid object key"
        detail: "The key before \"=>\" must be a string: {0}."
        reference: ["Invalid object key"],
        note: "The key of a `for` that makes an object is null, or cannot be converted to a string.";
    DuplicateObjectKey "duplicate-object-key" Error "Duplicate object key"
        detail: "The key \"{0}\" occurs more than once."
        help: "To collect all values of a key in a list, write ... after the value."
        reference: ["Duplicate object key"],
        note: "In a `for` that makes an object. Reported once for each key.";
    SplatOfNull "splat-of-null" Error "Splat of null value"
        detail: "The value is null, so it has no elements."
        help: "Use [] for no elements."
        reference: ["Splat of null value"],
        note: "A splat of a list, set or tuple that is null. A splat of any other null value is empty.";
    InconsistentSplat "inconsistent-splat" Error "Inconsistent types of a splat"
        detail: "The results for the elements of this list have different types, which a list cannot hold."
        help: "Write a for expression in brackets, which gives a tuple."
        reference: ["Invalid nested splat expressions"],
        note: "A splat of a list whose elements hold null or single values.";
    InvalidInterpolation "invalid-interpolation" Error "Invalid template interpolation value"
        detail: "The value cannot be part of a string: {0}."
        reference: ["Invalid template interpolation value"],
        note: "An interpolated value is null, or cannot be converted to a string.";
    CallsNotAllowed "function-calls-not-allowed" Error "Function calls not allowed"
        detail: "\"{0}\" is a function call, but functions cannot be called here."
        reference: ["Function calls not allowed"],
        note: "A call where the scope has no functions. Its arguments are not checked.";
    UnknownFunction "unknown-function" Error "Call to unknown function"
        detail: "No function is named \"{0}\"."
        help: "{1}"
        reference: ["Call to unknown function", "Unknown provider function", "Unknown function provider"],
        note: "A similar name is suggested. The arguments of the call are not checked.";
    TooFewArguments "too-few-arguments" Error "Not enough function arguments"
        detail: "The function \"{0}\" takes {1}, but \"{2}\" is missing."
        reference: ["Not enough function arguments"],
        note: "Points at the closing parenthesis.";
    TooManyArguments "too-many-arguments" Error "Too many function arguments"
        detail: "The function \"{0}\" takes only {1}."
        reference: ["Too many function arguments"],
        note: "Points at the first extra argument.";
    InvalidArgument "invalid-argument" Error "Invalid function argument"
        detail: "The value for \"{0}\" is invalid: {1}."
        reference: ["Invalid function argument"],
        note: "An argument has the wrong type, or the function rejects it.";
    InvalidExpansion "invalid-expansion" Error "Invalid expanding argument value"
        detail: "The value before ... must be a list, a set or a tuple, not {0}."
        reference: ["Invalid expanding argument value"],
        note: "The last argument of a call.";
    FunctionFailed "function-failed" Error "Error in function call"
        detail: "The call of \"{0}\" failed: {1}."
        reference: ["Error in function call"],
        note: "The function rejects the combination of its arguments.";
    EvaluationTooLong "evaluation-too-long" Error "Evaluation too long"
        detail: "Evaluating this takes too many steps, as nested loops and many instances do."
        help: "Make the expression smaller, or raise the limit."
        reference: [],
        note: "The limit is 50 million steps for one evaluation unless another one is set. A step is a node that is evaluated, an element, or 16 bytes of text. `expand` has a budget for everything together, which instances, blocks and printed values take from as well.";
    EvaluationTooLarge "evaluation-too-large" Error "Evaluation too large"
        detail: "Evaluating this takes too much memory, as repeated texts and many instances do."
        help: "Make the values smaller, or raise the limit."
        reference: [],
        note: "The limit is 256 MiB for the values of one evaluation unless another one is set. A value that occurs several times counts each time.";
    InvalidKeyExpression "invalid-key-expression" Error "Invalid object key expression"
        detail: "A key of an object must be a string: {0}."
        reference: ["Invalid object key expression"],
        note: "The template in the key of a JSON object is null, or cannot be converted to a string.";
    RepeatedKey "repeated-key" Warning "Key given more than once"
        detail: "The object has the key \"{0}\" more than once. The last value counts."
        help: "Remove one of them."
        reference: [],
        note: "Keys in native syntax that are names or texts. The tools say nothing; in JSON, they refuse such an object.";
    DuplicateObjectAttribute "duplicate-object-attribute" Error "Duplicate object attribute"
        detail: "The object has the attribute \"{0}\" more than once."
        reference: ["Duplicate object attribute"],
        note: "Two keys of a JSON object are the same when they are evaluated. The first one is used; a second label points at it.";
    FailedCondition "failed-condition" Error "Condition failed"
        detail: "The {0} of {1} does not hold{2}"
        reference: ["Resource precondition failed", "Resource postcondition failed", "Module output value precondition failed"],
        note: "A condition whose value is known without a provider, with `--level values` and `expand`. The error message follows.";
    FailedCheck "failed-check" Warning "Check failed"
        detail: "An assertion of the check \"{0}\" does not hold{1}"
        reference: ["Check block assertion failed"],
        note: "An assertion whose value is known without a provider, with `--level values` and `expand`. The error message follows.";
    ConditionValue "condition-value" Error "Invalid condition result"
        detail: "A condition must be true or false, not {0}."
        reference: ["Invalid condition result", "Invalid variable validation result"],
        note: "The value of a condition is null, or cannot be converted to a bool.";
        } }
    };
}
