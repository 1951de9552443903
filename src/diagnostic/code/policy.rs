//! Codes of rules about plans.

macro_rules! policy_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Rules about plans" {
    InvalidRule "invalid-rule" Error "Invalid rule"
        detail: "The rule is invalid: {0}."
        reference: [],
        note: "A rule without a condition, with two of them, or with a condition or a filter that cannot be one. What is wrong inside of an expression has the codes of expressions.";
    PolicyDenied "policy-denied" Error "Denied by a rule"
        detail: "{0}: {1}"
        reference: [],
        note: "The condition of a rule with `deny` is true for a change. The detail has the name of the rule, the address, and the message of the rule.";
    PolicyWarning "policy-warning" Warning "Warning of a rule"
        detail: "{0}: {1}"
        reference: [],
        note: "The same for a rule with `warn`.";
    UndecidedRule "undecided-rule" Warning "Rule cannot be decided before apply"
        detail: "{0}: {1} cannot be decided before apply: {2}."
        reference: [],
        note: "The condition of a rule depends on a value that the plan does not know yet, or that has been redacted. The rule may hold or not, so the change has not passed it.";
    RuleError "rule-error" Error "Rule cannot be evaluated"
        detail: "{0} cannot be evaluated for {1}: {2}"
        reference: [],
        note: "The condition or the message of a rule has no value for a change, such as that of an attribute that the resource does not have. `try` and `can` take care of these. The severity is that of the rule: a warning for a rule with `warn`.";
        } }
    };
}
