//! Names that select rules, and which rules run because of them.

use super::RULES;
use super::rule::{Group, Rule};
use super::run::Selection;
use super::{rule, rules_of_opentofu, rules_of_tflint};

/// The rules that a name selects.
#[derive(Clone, Debug)]
pub enum RuleSet {
    /// `all`: all rules.
    All,
    /// The name of a group: its rules.
    Group(Group),
    /// The name of a rule, of ours, of tflint or of OpenTofu. One of theirs may stand for several.
    Rules(Vec<&'static Rule>),
}

impl RuleSet {
    /// Returns the rules of a name; `None` if nothing has the name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "all" {
            return Some(Self::All);
        }
        if let Some(group) = Group::from_name(name) {
            return Some(Self::Group(group));
        }
        let of_others = rules_of_tflint(name).chain(rules_of_opentofu(name));
        let rules: Vec<&'static Rule> = rule(name).into_iter().chain(of_others).collect();
        (!rules.is_empty()).then_some(Self::Rules(rules))
    }

    /// Returns how exactly the name selects a rule, from 1; 0 if it does not. A group and `all` select a
    /// rule in preview only `with_preview`.
    #[must_use]
    pub fn precision(&self, rule: &Rule, with_preview: bool) -> u8 {
        match self {
            Self::Rules(rules) if rules.iter().any(|it| it.code == rule.code) => 3,
            _ if rule.is_preview && !with_preview => 0,
            Self::Group(group) if *group == rule.group => 2,
            Self::All => 1,
            Self::Group(_) | Self::Rules(_) => 0,
        }
    }

    /// Whether all of its rules are always selected.
    #[must_use]
    pub fn is_always_selected(&self) -> bool {
        match self {
            Self::All => false,
            Self::Group(group) => *group == Group::Correctness,
            Self::Rules(rules) => rules.iter().all(|rule| rule.group == Group::Correctness),
        }
    }
}

impl Selection {
    /// Returns the rules that are on by default and those of `select`, without those of `ignore`. The name
    /// that is most exact decides; of two, that of `ignore`. Rules of [`Group::Correctness`] are always on.
    ///
    /// ```
    /// use simd_hcl::rules::{RuleSet, Selection, rule};
    ///
    /// let [style, typed] = ["style", "typed-variable"].map(|name| RuleSet::from_name(name).unwrap());
    /// let selection = Selection::of_sets(&[style], &[typed], false);
    /// assert!(selection.has(rule("documented-output").unwrap()));
    /// assert!(!selection.has(rule("typed-variable").unwrap()));
    /// ```
    #[must_use]
    pub fn of_sets(select: &[RuleSet], ignore: &[RuleSet], with_preview: bool) -> Self {
        let mut selection = Self::new();
        for rule in RULES.iter().copied() {
            let most = |sets: &[RuleSet]| {
                sets.iter().map(|set| set.precision(rule, with_preview)).max().unwrap_or(0)
            };
            let is_on = match (most(select), most(ignore)) {
                (0, 0) => rule.is_default,
                (select, ignore) => select > ignore,
            };
            if is_on || rule.group == Group::Correctness {
                selection.add(rule);
            }
        }
        selection
    }
}
