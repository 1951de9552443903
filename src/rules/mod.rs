//! Rules of style and upkeep: they report code that the tools accept, but that people should not
//! write.
//!
//! A rule is data ([`Rule`]) and a function, both in one file: its texts, examples, options, check
//! and edit. [`RULES`] has all of them. [`check()`] runs a [`Selection`] of them over a tree, and
//! returns diagnostics like any others.
//!
//! ```
//! use simd_hcl::directory::{DiscoverOptions, discover};
//! use simd_hcl::rules::{self, RULES, Selection};
//! use simd_hcl::tree::Tree;
//! use simd_hcl::Arena;
//!
//! let arena = Arena::new();
//! let tree = Tree::open(&arena, &["corpus/monorepo"])?;
//! let mut selection = Selection::new();
//! RULES.iter().filter(|rule| rule.is_default).for_each(|rule| selection.add(rule));
//! assert_eq!(rules::check(&tree, &selection).len(), 0);
//! # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
//! ```
//!
//! The variant of a rule's check says what it may read: comments, nodes of expressions, the
//! declarations of one module, or the interfaces of all modules. No rule reads another one.

mod case;
mod construct;
mod contents;
mod ended;
mod found;
mod guards;
mod needs;
mod node;
mod option;
mod own;
mod package;
mod providers;
mod repository;
mod required;
mod rule;
mod rule_set;
mod run;
mod text;
mod uses;
mod view;
mod written;

pub use self::case::{Case, CaseResult};
pub use self::construct::{Construct, ConstructKind};
pub use self::needs::{Needs, needs};
pub use self::option::{Opt, OptKind, OptionValue, OptionValues};
pub use self::own::OwnRules;
pub use self::package::Package;
#[cfg(feature = "ask")]
pub(crate) use self::package::without_user;
pub use self::rule::{CoreRule, Group, Rule, Tflint};
pub use self::rule_set::RuleSet;
#[cfg(feature = "workspace")]
pub(crate) use self::run::check_apart;
pub use self::run::{Selection, check, uncalled_modules};

/// Declares the modules of the rules, and [`RULES`]: `GROUP { RULE, … }` is the file
/// `GROUP/RULE.rs`.
macro_rules! rules {
    ($($group:ident { $($rule:ident,)* })*) => {
        $(mod $group { $(pub(super) mod $rule;)* })*

        /// All rules, by group and name.
        pub static RULES: &[&Rule] = &[$($(&$group::$rule::RULE,)*)*];
    };
}

rules! {
    correctness {
        computed_repeated_key,
        repeated_key,
        unequal_types,
    }
    deprecated {
        deprecated_construct,
        deprecated_index,
        deprecated_interpolation,
        deprecated_lookup,
        empty_list_comparison,
        json_root_array,
        workspace_of_remote,
    }
    naming {
        naming_convention,
    }
    performance {
        module_shallow_clone,
    }
    security {
        sensitive_argument,
    }
    style {
        comment_syntax,
        conditional_instance,
        documented_output,
        documented_variable,
        hidden_error,
        impure_function,
        needless_interpolation,
        quoted_address,
        standard_files,
        typed_variable,
    }
    unused {
        needless_try,
        redundant_dependency,
        uncalled_module,
        unset_variable,
        unused_branch,
        unused_declaration,
        unused_ignore,
        unused_output,
        unused_provider_alias,
        unused_required_provider,
    }
    versions {
        module_version,
        module_versions_differ,
        needs_newer_version,
        provider_conflict,
        removed_construct,
        required_version,
        unpinned_module,
        unpinned_provider,
    }
}

/// The rules about what a release of a tool has, which an option names.
pub fn of_releases() -> impl Iterator<Item = &'static Rule> {
    let asks = |rule: &&Rule| rule.options.iter().any(|it| matches!(it.kind, OptKind::Release));
    RULES.iter().copied().filter(asks)
}

/// The rule of a name.
///
/// ```
/// use simd_hcl::rules::{Group, rule};
///
/// assert_eq!(rule("unused-declaration").unwrap().group, Group::Unused);
/// assert!(rule("no-such-rule").is_none());
/// ```
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name() == name)
}

/// The rules that stand for a rule of tflint.
pub fn rules_of_tflint(name: &str) -> impl Iterator<Item = &'static Rule> {
    let stands_for = move |rule: &&Rule| rule.tflint.iter().any(|it| it.name == name);
    RULES.iter().copied().filter(stands_for)
}

/// The rules that stand for a rule or a group of rules of OpenTofu, such as `core:unused-local` and
/// `core:all`.
pub fn rules_of_opentofu(name: &str) -> impl Iterator<Item = &'static Rule> {
    let stands_for = move |rule: &&Rule| rule.opentofu.iter().any(|it| it.is_named(name));
    RULES.iter().copied().filter(stands_for)
}
