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

    /// The rules that apply to any file, with their options.
    pub(crate) fn selection(&self) -> Result<Selection, Failure> {
        let mut selection = Selection::new();
        let of_settings = self.settings.into_iter().flat_map(Settings::all_codes);
        let layers: Vec<&Codes> = self.flags.into_iter().chain(of_settings).collect();
        for rule in RULES {
            let is_chosen = layers.iter().any(|codes| self.chooses(codes, rule) == Some(true));
            if is_chosen || rule.is_default || rule.group == Group::Correctness {
                selection.add(rule);
            }
        }
        for (rule, option, value) in self.settings.into_iter().flat_map(Settings::options) {
            selection.set(rule, option, value.clone()).map_err(Failure::Message)?;
        }
        Ok(selection)
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
        let most = |selectors: &[RuleSelector]| {
            selectors.iter().map(|it| it.precision(rule, with_preview)).max().unwrap_or(0)
        };
        let (select, ignore) = (most(&codes.select), most(&codes.ignore));
        if select == 0 && ignore == 0 { None } else { Some(select > ignore) }
    }
}
