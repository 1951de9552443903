//! Codes of rules about plans.

macro_rules! policy_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Rules about plans" {
    InvalidRule "invalid-rule" Error "Invalid rule"
        detail: "The rule is invalid: {0}."
        reference: [],
        note: "A rule with no condition, with two conditions, or with an invalid condition or filter. Errors in expressions have the codes of expressions.";
    PolicyDenied "policy-denied" Error "Denied by a rule"
        detail: "{0}: {1}"
        reference: [],
        note: "The condition of a rule with `deny` is true for a change. The detail contains the name of the rule, the address and the message of the rule.";
    PolicyWarning "policy-warning" Warning "Warning of a rule"
        detail: "{0}: {1}"
        reference: [],
        note: "The condition of a rule with `warn` is true for a change. The detail is like that of `policy-denied`.";
    UndecidedRule "undecided-rule" Warning "Rule depends on an unknown value"
        detail: "{0}: {1} cannot be decided before apply: {2}."
        reference: [],
        note: "The condition of a rule depends on a value that is not known before apply, or that is redacted. The change has not passed the rule.";
    RuleError "rule-error" Error "Rule evaluation failed"
        detail: "{0} cannot be evaluated for {1}: {2}"
        reference: [],
        note: "The condition or the message of a rule fails for a change, for example because the resource lacks an attribute. `try` and `can` handle this. The severity is that of the rule: a warning for a rule with `warn`.";
        } }
    };
}
