//! Finds the rules for each change.
//!
//! There are few types and actions of changes, and many rules. So the rules for each pair of a type
//! and a kind of change in the plan are found once, and changes with the same rules share the set
//! of members to read.

use super::reads::{Root, Wants};
use super::rule::Rule;
use super::rules::Rules;
use crate::glob::is_glob;
use crate::hash::HashMap;
use crate::show::ActionKind;

/// Rules by the types that they name.
pub(super) struct ByType<'r> {
    /// Rules without patterns of types, by type.
    named: HashMap<&'r str, Vec<u32>>,
    /// The other rules, in order.
    general: Vec<u32>,
}

impl<'r> ByType<'r> {
    pub(super) fn of(rules: &'r Rules<'_>) -> Self {
        let mut all = Self { named: HashMap::default(), general: Vec::new() };
        for (place, rule) in (0u32..).zip(rules).filter(|(_, rule)| rule.for_each.is_none()) {
            let types = rule.filter.types();
            if types.is_empty() || types.iter().any(|name| is_glob(name)) {
                all.general.push(place);
                continue;
            }
            for name in types {
                let of_type = all.named.entry(name).or_default();
                if of_type.last() != Some(&place) {
                    of_type.push(place);
                }
            }
        }
        all
    }

    /// The rules that select changes of a type and kind, in order. Modules and addresses are not
    /// checked.
    fn select(&self, rules: &Rules<'_>, resource_type: &str, kind: ActionKind) -> Vec<u32> {
        let is_wanted = |place: &&u32| {
            rules.get(**place as usize).is_some_and(|rule| {
                rule.filter.wants_action(kind) && rule.filter.wants_type(resource_type)
            })
        };
        let named = self.named.get(resource_type).map(Vec::as_slice).unwrap_or_default();
        let mut selected: Vec<u32> =
            named.iter().chain(&self.general).filter(is_wanted).copied().collect();
        selected.sort_unstable();
        selected
    }
}

/// Rules that select the same changes, and the members that they read.
pub(super) struct Selection {
    /// The places of the rules, in order.
    pub(super) rules: Vec<u32>,
    /// The members that the conditions read.
    pub(super) wants: Wants,
    /// Those that the messages read.
    pub(super) wants_in_messages: Wants,
    /// Whether one of the rules selects by module or address.
    pub(super) has_places: bool,
}

impl Selection {
    pub(super) fn of(rules: &Rules<'_>, selected: Vec<u32>) -> Self {
        let all = || selected.iter().filter_map(|place| rules.get(*place as usize));
        let wants = Wants::of(all().flat_map(|rule: &Rule<'_>| &rule.condition.reads));
        let wants_in_messages = Wants::of(all().flat_map(Rule::message_reads));
        let has_places = all().any(|rule| rule.filter.has_places());
        Self { wants, wants_in_messages, has_places, rules: selected }
    }

    pub(super) fn reads(&self, root: Root) -> bool {
        [&self.wants, &self.wants_in_messages].iter().any(|it| !it.part(root).is_nothing())
    }
}

/// The selections of a plan.
pub(super) struct Selections {
    pub(super) all: Vec<Selection>,
    /// The place of the selection of each change, if any rule selects it.
    pub(super) of_changes: Vec<Option<u32>>,
}

impl Selections {
    /// The selections for changes with these types and kinds.
    ///
    /// Cost: linear in the changes, and, for each type and kind among them, in the rules that name
    /// the type or a pattern.
    pub(super) fn of<'t>(
        rules: &Rules<'_>,
        changes: impl Iterator<Item = (&'t str, ActionKind)>,
    ) -> Self {
        let by_type = ByType::of(rules);
        let mut all = Vec::new();
        let mut by_kind: HashMap<(&str, ActionKind), Option<u32>> = HashMap::default();
        let mut by_rules: HashMap<Vec<u32>, u32> = HashMap::default();
        let of_changes = changes.map(|(resource_type, kind)| {
            *by_kind.entry((resource_type, kind)).or_insert_with(|| {
                let selected = by_type.select(rules, resource_type, kind);
                if selected.is_empty() {
                    return None;
                }
                if let Some(known) = by_rules.get(&selected) {
                    return Some(*known);
                }
                let place = all.len() as u32;
                by_rules.insert(selected.clone(), place);
                all.push(Selection::of(rules, selected));
                Some(place)
            })
        });
        let of_changes = of_changes.collect();
        Self { all, of_changes }
    }
}
