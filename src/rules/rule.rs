//! A rule as data: what it finds, when, and why.

use super::found::Found;
use super::node::{NodeKinds, RuleNode};
use super::option::{Opt, OptionValue, OptionValues};
use super::view::{FileComment, TreeView, View};
use crate::diagnostic::{Code, Safety};

/// A rule: an entry of [`RULES`](super::RULES).
///
/// ```
/// use simd_hcl::rules::{Group, rule};
///
/// let rule = rule("deprecated-lookup").unwrap();
/// assert_eq!((rule.group, rule.is_default), (Group::Deprecated, true));
/// assert_eq!(rule.tflint[0].name, "terraform_deprecated_lookup");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The code of its diagnostics, with their texts. Its name is the name of the rule.
    pub code: Code,
    /// Its group.
    pub group: Group,
    /// Whether it is selected unless settings say otherwise.
    pub is_default: bool,
    /// Whether it may still change: groups and `all` select it only together with the rules in
    /// preview.
    pub is_preview: bool,
    /// The edit that most of its diagnostics have; a diagnostic may have none, or a less safe one.
    pub fix: Option<Safety>,
    /// The rules of tflint that it stands for.
    pub tflint: &'static [Tflint],
    /// The rules of OpenTofu that it stands for.
    pub opentofu: &'static [CoreRule],
    /// Why to follow it, in sentences.
    pub why: &'static str,
    /// The options that settings can change.
    pub options: &'static [Opt],
    /// Files with the diagnostic, and files without it, in the format of the examples of
    /// diagnostics: `-- wrong FILE` and `-- right FILE` before each text.
    pub examples: &'static str,
    pub(super) check: Check,
}

impl Rule {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.code.as_str()
    }

    /// Whether an option accepts a value.
    ///
    /// # Errors
    /// The rule has no such option, or the option does not accept the value: a phrase such as
    /// "expected true or false".
    pub fn accepts(&self, option: &str, value: &OptionValue) -> Result<(), String> {
        OptionValues::defaults(self.options).set(option, value.clone())
    }
}

/// A group of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Group {
    /// Errors, and code without an effect. These rules are always selected.
    Correctness,
    /// Old spellings that the tools still accept.
    Deprecated,
    /// Names of objects.
    Naming,
    /// Time that the tools take.
    Performance,
    /// Secrets.
    Security,
    /// Layout of files and modules, and documentation.
    Style,
    /// Declarations that nothing uses.
    Unused,
    /// Versions of the tool, of providers and of modules.
    Versions,
}

impl Group {
    /// All groups, by name.
    pub const ALL: [Self; 8] = [
        Self::Correctness,
        Self::Deprecated,
        Self::Naming,
        Self::Performance,
        Self::Security,
        Self::Style,
        Self::Unused,
        Self::Versions,
    ];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Correctness => "correctness",
            Self::Deprecated => "deprecated",
            Self::Naming => "naming",
            Self::Performance => "performance",
            Self::Security => "security",
            Self::Style => "style",
            Self::Unused => "unused",
            Self::Versions => "versions",
        }
    }

    /// The group of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == name)
    }
}

/// A rule of tflint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tflint {
    /// Its name.
    pub name: &'static str,
    /// Whether it is in the preset `recommended`, which applies if nothing configures the ruleset.
    pub is_recommended: bool,
    /// Whether it is in the preset `all`, and on if the ruleset is configured without a preset.
    pub is_enabled: bool,
}

impl Tflint {
    /// A rule in the preset `recommended`.
    pub(super) const fn recommended(name: &'static str) -> Self {
        Self { name, is_recommended: true, is_enabled: true }
    }

    /// A rule in the preset `all` alone.
    pub(super) const fn other(name: &'static str) -> Self {
        Self { name, is_recommended: false, is_enabled: true }
    }

    /// A rule that is only on if it is named.
    pub(super) const fn disabled(name: &'static str) -> Self {
        Self { name, is_recommended: false, is_enabled: false }
    }
}

/// A rule of OpenTofu, as `tofu validate -lint` and the RFC of its linter name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoreRule {
    /// Its identifier, such as `core:unused-local`.
    pub id: &'static str,
    /// The groups that it belongs to, such as `core:improvement`. `core:all` has all rules.
    pub groups: &'static [&'static str],
}

impl CoreRule {
    pub(super) const fn new(id: &'static str, groups: &'static [&'static str]) -> Self {
        Self { id, groups }
    }

    /// Whether a name is its identifier, or that of a group that it belongs to.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        name == self.id || name == "core:all" || self.groups.contains(&name)
    }
}

/// The input of a rule, and the function that reads it.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// Other layers report it whenever they read a module.
    Always,
    /// One comment of a native file of the configuration.
    Comments(for<'a> fn(&FileComment<'a>, &mut Found<'_, 'a>)),
    /// One node of these kinds of an expression of the configuration.
    Nodes(NodeKinds, InJson, for<'a> fn(&RuleNode<'_, 'a>, &mut Found<'_, 'a>)),
    /// A module with configuration, and the interfaces of the modules that it calls.
    Module(for<'a> fn(&View<'_, 'a>, &mut Found<'_, 'a>)),
    /// The interfaces of a module and of all that it calls: what is found in a module does not depend
    /// on its callers.
    Below(for<'a> fn(&TreeView<'_, 'a>, &mut Found<'_, 'a>)),
    /// The interfaces of all modules, and their calls.
    Tree(for<'a> fn(&TreeView<'_, 'a>, &mut Found<'_, 'a>)),
}

/// Whether a rule about nodes reads the templates of a JSON file.
#[derive(Clone, Copy)]
pub(super) enum InJson {
    /// It does not.
    No,
    /// It does if this function finds what it looks for in the text of a template: parsing all
    /// templates again would take as long as everything else.
    If(fn(&[u8]) -> bool),
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Always => "Always",
            Self::Comments(_) => "Comments",
            Self::Nodes(..) => "Nodes",
            Self::Module(_) => "Module",
            Self::Below(_) => "Below",
            Self::Tree(_) => "Tree",
        })
    }
}
