//! The rules that are selected, by flags and settings.

use simd_hcl::Code;
use simd_hcl::rules::{Group, RULES, Rule, Selection};

use crate::args::RuleSelector;
use crate::settings::{Codes, Settings};
use crate::status::Failure;

/// The flags and the settings, in this order of precedence.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice<'p> {
    pub(crate) flags: Option<&'p Codes>,
    pub(crate) settings: Option<&'p Settings>,
}

impl<'p> Choice<'p> {
    /// Whether a rule applies to a file of this name.
    pub(crate) fn is_selected(&self, rule: &Rule, name: &str) -> bool {
        if rule.group == Group::Correctness {
            return true;
        }
        let of_file = self.settings.into_iter().flat_map(|settings| settings.codes_of(name));
        let mut layers = self.flags.into_iter().chain(of_file);
        layers.find_map(|codes| self.chooses(codes, rule)).unwrap_or(rule.is_default)
    }

    /// The rules that apply to some file, with their options.
    pub(crate) fn selection(&self) -> Result<Selection, Failure> {
        let mut selection = Selection::new();
        RULES.iter().filter(|rule| self.may_apply(rule)).for_each(|rule| selection.add(rule));
        for (rule, option, value) in self.settings.into_iter().flat_map(Settings::options) {
            selection.set(rule, option, value.clone()).map_err(Failure::Message)?;
        }
        Ok(selection)
    }

    /// Whether a rule may apply to some file.
    fn may_apply(&self, rule: &Rule) -> bool {
        if rule.group == Group::Correctness {
            return true;
        }
        if let Some(is_chosen) = self.flags.and_then(|codes| self.chooses(codes, rule)) {
            return is_chosen;
        }
        let Some(settings) = self.settings else { return rule.is_default };
        let of_all = self.chooses(&settings.codes, rule).unwrap_or(rule.is_default);
        of_all || settings.codes_of_paths().any(|codes| self.chooses(codes, rule) == Some(true))
    }

    /// Whether a rule in a file applies to a file of this name.
    pub(crate) fn is_own_selected(&self, rule: &str, name: &str) -> bool {
        let of_file = self.settings.into_iter().flat_map(|settings| settings.codes_of(name));
        let mut layers = self.flags.into_iter().chain(of_file);
        layers.find_map(|codes| decides(codes, |it| it.precision_of_own(rule))).unwrap_or(true)
    }

    /// Whether no comment may allow a code.
    pub(crate) fn is_final(&self, code: Code) -> bool {
        self.settings.is_some_and(|settings| settings.is_final(code))
    }

    /// Whether a list of codes selects a rule, or ignores it; `None` if it does neither. The selector
    /// that names the rule most exactly decides; of two, the one that ignores it.
    fn chooses(&self, codes: &Codes, rule: &Rule) -> Option<bool> {
        let with_preview = self.flags.is_some_and(|codes| codes.preview)
            || self.settings.is_some_and(|settings| settings.codes.preview);
        decides(codes, |it| it.precision(rule, with_preview))
    }
}

/// Whether the most exact selector of a list of codes selects, or ignores; `None` if none is meant.
fn decides(codes: &Codes, precision: impl Fn(&RuleSelector) -> u8) -> Option<bool> {
    let most = |all: &[RuleSelector]| all.iter().map(&precision).max().unwrap_or(0);
    match (most(&codes.select), most(&codes.ignore)) {
        (0, 0) => None,
        (select, ignore) => Some(select > ignore),
    }
}

#[cfg(test)]
mod tests {
    use simd_hcl::rules::rule;

    use super::*;
    use crate::args::{ignored_rule, rule_selector};

    #[test]
    fn ignored_rules_do_not_run() {
        let interpolation = rule("deprecated-interpolation").unwrap();
        let naming = rule("naming-convention").unwrap();
        let repeated = rule("repeated-key").unwrap();
        let runs = |choice: Choice<'_>| {
            let selection = choice.selection().unwrap();
            [interpolation, naming, repeated].map(|rule| selection.has(rule))
        };
        assert_eq!(runs(Choice::default()), [true, false, true]);
        let mut flags = Codes { ignore: vec![ignored_rule("all").unwrap()], ..Codes::default() };
        let of_flags = Choice { flags: Some(&flags), settings: None };
        assert_eq!(runs(of_flags), [false, false, true]);
        flags.select = vec![rule_selector("naming-convention").unwrap()];
        let of_flags = Choice { flags: Some(&flags), settings: None };
        assert_eq!(runs(of_flags), [false, true, true]);
        let mut settings = Settings::default();
        settings.codes = flags;
        let of_settings = Choice { flags: None, settings: Some(&settings) };
        assert_eq!(runs(of_settings), [false, true, true]);
    }
}
