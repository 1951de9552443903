//! Codes of evaluating expressions.

macro_rules! evaluation_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Expressions: evaluation" {
    VariablesNotAllowed "variables-not-allowed" Error "Variables not allowed"
        detail: "There are no variables here, so \"{0}\" cannot be used."
        reference: ["Variables not allowed"],
        note: "A reference where the scope has no variables at all.";
    UnknownVariable "unknown-variable" Error "Unknown variable"
        detail: "There is no variable named \"{0}\"."
        reference: ["Unknown variable"],
        note: "The first name of a reference is not in scope. The nearest name is suggested.";
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
        note: "The nearest name is suggested. The arguments are not looked at.";
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
    EvaluationTooLarge "evaluation-too-large" Error "Evaluation too large"
        detail: "This expression takes more memory than is allowed, as texts that are repeated do. Make its values smaller, or raise the limit."
        reference: [],
        note: "The limit is 256 MiB for the values of one evaluation unless another one is set. A value that contains another one several times counts it as often.";
    InvalidKeyExpression "invalid-key-expression" Error "Invalid object key expression"
        detail: "The key of an object must be a string: {0}."
        reference: ["Invalid object key expression"],
        note: "The template of a JSON object's key gives null, or a value that cannot be converted to a string.";
    DuplicateObjectAttribute "duplicate-object-attribute" Error "Duplicate object attribute"
        detail: "The object already has the attribute \"{0}\"."
        reference: ["Duplicate object attribute"],
        note: "Two keys of a JSON object are the same once they are evaluated. The first one counts; it is the second place.";
        } }
    };
}
