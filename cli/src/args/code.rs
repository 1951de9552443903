//! Codes of diagnostics, and rules, as arguments.

use simd_hcl::Code;
use simd_hcl::rules::{self, Group, RULES, Rule, RuleSet};
use simd_hcl::suggest::nearest;

/// The diagnostics that a flag selects.
#[derive(Clone, Debug)]
pub(crate) enum Selector {
    /// Those with this code.
    Code(Code),
    /// All warnings.
    Warnings,
    /// Those of a rule in a file.
    Own(OwnName),
}

impl Selector {
    /// Whether it names a code.
    pub(crate) fn names(&self, code: Code) -> bool {
        match self {
            Self::Code(named) => *named == code,
            Self::Warnings => false,
            Self::Own(own) => own.name == code.as_str(),
        }
    }

    /// The name of a rule in a file.
    pub(crate) fn own(&self) -> Option<&OwnName> {
        if let Self::Own(own) = self { Some(own) } else { None }
    }
}

/// The name of a rule in a file. Flags are read before the files.
#[derive(Clone, Debug)]
pub(crate) struct OwnName {
    pub(crate) name: String,
    /// Why it is refused if there is no such rule.
    pub(crate) why: String,
}

/// The rules that a flag selects.
#[derive(Clone, Debug)]
pub(crate) enum RuleSelector {
    Known(RuleSet),
    /// A rule in a file.
    Own(OwnName),
}

impl RuleSelector {
    /// How exactly it names a rule, from 1; 0 if it does not.
    pub(crate) fn precision(&self, rule: &Rule, with_preview: bool) -> u8 {
        match self {
            Self::Known(set) => set.precision(rule, with_preview),
            Self::Own(_) => 0,
        }
    }

    /// The same for a rule in a file.
    pub(crate) fn precision_of_own(&self, name: &str) -> u8 {
        match self {
            Self::Own(own) if own.name == name => 3,
            Self::Known(RuleSet::All) => 1,
            _ => 0,
        }
    }

    /// The name of a rule in a file.
    pub(crate) fn own(&self) -> Option<&OwnName> {
        if let Self::Own(own) = self { Some(own) } else { None }
    }
}

/// A flag that may name a rule in a file: what it selects if there is no such rule, or the name.
macro_rules! or_own {
    ($name:ident, $of:ident, $selector:ident) => {
        #[doc = concat!("Like [`", stringify!($of), "`], for a flag that may name a rule in a file.")]
        pub(super) fn $name(name: &str) -> Result<$selector, String> {
            let own = |why| $selector::Own(OwnName { name: name.to_owned(), why });
            Ok($of(name).unwrap_or_else(own))
        }
    };
}

or_own!(selector_or_own, selector, Selector);
or_own!(rule_selector_or_own, rule_selector, RuleSelector);
or_own!(ignored_rule_or_own, ignored_rule, RuleSelector);

/// All codes: those of the library, then those of the rules that have their own.
pub(crate) fn all_codes() -> impl Iterator<Item = Code> {
    let own = RULES.iter().map(|rule| rule.code).filter(|code| matches!(code, Code::Custom(_)));
    Code::ALL.iter().copied().chain(own)
}

/// Returns the code with this name, also that of a rule.
pub(crate) fn named(name: &str) -> Option<Code> {
    Code::from_name(name).or_else(|| rules::rule(name).map(|rule| rule.code))
}

pub(crate) fn selector(name: &str) -> Result<Selector, String> {
    const WARNINGS: &str = "warnings";
    if name == WARNINGS {
        return Ok(Selector::Warnings);
    }
    code_or(name, Some(WARNINGS)).map(Selector::Code)
}

/// The codes that a name stands for: one, or those of several rules.
#[derive(Clone, Debug)]
pub(crate) struct Codes(pub(crate) Vec<Code>);

/// Returns the code with this name, or those of the rules of tflint or OpenTofu with this name.
pub(super) fn codes(name: &str) -> Result<Codes, String> {
    let of_rules: Vec<Code> = rules_named(name).map(|rule| rule.code).collect();
    match of_rules.is_empty() {
        true => Ok(Codes(vec![code_or(name, None)?])),
        false => Ok(Codes(of_rules)),
    }
}

/// Returns the code with this name. An error suggests the most similar code, or `other`.
fn code_or(name: &str, other: Option<&'static str>) -> Result<Code, String> {
    named(name).ok_or_else(|| {
        let names = all_codes().map(Code::as_str);
        match nearest(name, names.chain(other)) {
            Some(nearest) => format!("no diagnostic has this code; did you mean \"{nearest}\"?"),
            None => "no diagnostic has this code; `simd-hcl explain` lists them".to_owned(),
        }
    })
}

/// Returns the rules with this name: `all`, that of a group or a rule, or that of a rule of tflint or
/// OpenTofu.
pub(crate) fn rule_selector(name: &str) -> Result<RuleSelector, String> {
    if let Some(set) = RuleSet::from_name(name) {
        return Ok(RuleSelector::Known(set));
    }
    if Code::from_name(name).is_some() {
        return Err("this diagnostic is always reported; `allow` hides it".to_owned());
    }
    let names = RULES.iter().map(|rule| rule.name());
    let groups = Group::ALL.iter().map(|group| group.as_str());
    Err(match nearest(name, names.chain(groups).chain(["all"])) {
        Some(nearest) => format!("no rule has this name; did you mean \"{nearest}\"?"),
        None => "no rule has this name; `simd-hcl rules` lists them".to_owned(),
    })
}

/// The same for `--ignore`: rules that are always selected cannot be ignored by their names.
pub(crate) fn ignored_rule(name: &str) -> Result<RuleSelector, String> {
    let selector = rule_selector(name)?;
    match &selector {
        RuleSelector::Known(set) if set.is_always_selected() => Err(match set {
            RuleSet::Rules(_) => "this rule is always selected; `allow` hides it".to_owned(),
            _ => "these rules are always selected; `allow` hides them".to_owned(),
        }),
        _ => Ok(selector),
    }
}

/// The rules of a name of ours, of tflint or of OpenTofu.
pub(crate) fn rules_named(name: &str) -> impl Iterator<Item = &'static Rule> {
    let of_others = rules::rules_of_tflint(name).chain(rules::rules_of_opentofu(name));
    rules::rule(name).into_iter().chain(of_others)
}
