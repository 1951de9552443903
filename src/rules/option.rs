//! Options of rules, and their values.

use std::collections::BTreeMap;

use crate::dialect::Dialect;
use crate::functions::matches_pattern;

/// An option of a rule, which settings can change.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Opt {
    /// Its name.
    pub name: &'static str,
    /// The values that it accepts, and the default.
    pub kind: OptKind,
    /// Its effect, in a sentence.
    pub about: &'static str,
}

impl Opt {
    pub(super) const fn new(name: &'static str, kind: OptKind, about: &'static str) -> Self {
        Self { name, kind, about }
    }
}

/// The values of an option, and the default.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum OptKind {
    /// True or false.
    Flag(bool),
    /// One of these texts, the first by default.
    Choice(&'static [&'static str]),
    /// One of the names, or a regular expression in the syntax of Go.
    Pattern {
        /// The names.
        names: &'static [&'static str],
        /// The default; without one, the rule decides.
        default: Option<&'static str>,
    },
    /// A release of a tool, such as `terraform@1.9`; none by default.
    Release,
    /// Any texts.
    List(&'static [&'static str]),
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionValue {
    /// True or false.
    Flag(bool),
    /// A text.
    Text(String),
    /// Texts.
    List(Vec<String>),
}

/// The options of one rule, with the values that settings set.
#[derive(Clone, Debug)]
pub struct OptionValues {
    options: &'static [Opt],
    set: BTreeMap<&'static str, OptionValue>,
}

impl OptionValues {
    /// Options that have their defaults.
    pub(super) fn defaults(options: &'static [Opt]) -> Self {
        Self { options, set: BTreeMap::new() }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// There is no such option, or it does not accept the value: a phrase such as "expected true or
    /// false".
    pub(super) fn set(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        let Some(option) = self.options.iter().find(|option| option.name == name) else {
            let names: Vec<&str> = self.options.iter().map(|option| option.name).collect();
            return Err(match names.is_empty() {
                true => "the rule has no options".to_owned(),
                false => format!("expected one of {}", names.join(", ")),
            });
        };
        match (option.kind, &value) {
            (OptKind::Flag(_), OptionValue::Flag(_)) | (OptKind::List(_), OptionValue::List(_)) => {
            }
            (OptKind::Flag(_), _) => return Err("expected true or false".to_owned()),
            (OptKind::List(_), _) => return Err("expected an array of strings".to_owned()),
            (OptKind::Choice(choices), OptionValue::Text(text))
                if choices.contains(&text.as_str()) => {}
            (OptKind::Choice(choices), _) => {
                return Err(format!("expected one of {}", choices.join(", ")));
            }
            (OptKind::Release, OptionValue::Text(text)) if release(text).is_some() => {}
            (OptKind::Release, _) => {
                return Err("expected a release such as \"terraform@1.9\"".to_owned());
            }
            (OptKind::Pattern { names, .. }, OptionValue::Text(text)) => {
                if !names.contains(&text.as_str()) {
                    matches_pattern(text, "")
                        .map_err(|why| format!("invalid regular expression: {why}"))?;
                }
            }
            (OptKind::Pattern { .. }, _) => return Err("expected a string".to_owned()),
        }
        self.set.insert(option.name, value);
        Ok(())
    }

    /// The value of a flag.
    pub(super) fn flag(&self, name: &str) -> bool {
        match (self.set.get(name), self.kind(name)) {
            (Some(OptionValue::Flag(flag)), _) | (None, Some(OptKind::Flag(flag))) => *flag,
            _ => false,
        }
    }

    /// The value of an option that is one text; `None` if it is not set and has no default.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match (self.set.get(name), self.kind(name)) {
            (Some(OptionValue::Text(text)), _) => Some(text),
            (None, Some(OptKind::Choice(choices))) => choices.first().copied(),
            (None, Some(OptKind::Pattern { default, .. })) => *default,
            _ => None,
        }
    }

    /// Whether a list has a text.
    pub(super) fn has(&self, name: &str, text: &str) -> bool {
        match (self.set.get(name), self.kind(name)) {
            (Some(OptionValue::List(texts)), _) => texts.iter().any(|it| it == text),
            (None, Some(OptKind::List(texts))) => texts.contains(&text),
            _ => false,
        }
    }

    fn kind(&self, name: &str) -> Option<&'static OptKind> {
        self.options.iter().find(|option| option.name == name).map(|option| &option.kind)
    }
}

/// Reads a release of a tool: `terraform@1.9`, `opentofu@1.8`. Returns the tool, and the number after
/// `1.`.
pub(super) fn release(text: &str) -> Option<(Dialect, u8)> {
    let (name, release) = text.split_once('@')?;
    let dialect = name.parse().ok().filter(|dialect| *dialect != Dialect::Packer)?;
    Some((dialect, release.strip_prefix("1.")?.parse().ok()?))
}
