//! The gaps of a plan file, counted.

use std::collections::BTreeMap;

use super::error::Incomplete;

/// The gaps of values without a schema.
#[derive(Clone, Debug, Default)]
pub(super) struct Gap {
    pub(super) instances: usize,
    pub(super) doubts: usize,
    pub(super) guesses: usize,
    /// The first instance with a doubt or a guess.
    pub(super) first: String,
}

impl Gap {
    fn add(&mut self, other: Self) {
        self.instances += other.instances;
        self.doubts += other.doubts;
        self.guesses += other.guesses;
        if self.first.is_empty() {
            self.first = other.first;
        }
    }
}

/// The parts of a plan that are not known, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    pub(super) types: BTreeMap<(String, &'static str, String), Gap>,
    pub(super) lost: Vec<String>,
    pub(super) doubts: usize,
    pub(super) identities: BTreeMap<(String, String), usize>,
}

impl Gaps {
    /// Adds the gaps of a later part of the plan.
    pub(super) fn merge(&mut self, other: Self) {
        for (key, gap) in other.types {
            self.types.entry(key).or_default().add(gap);
        }
        self.lost.extend(other.lost);
        self.doubts += other.doubts;
        for (key, count) in other.identities {
            *self.identities.entry(key).or_default() += count;
        }
    }

    pub(super) fn into_list(self) -> Vec<Incomplete> {
        /// The number of types of a provider that are named.
        const NAMED: usize = 3;
        let mut providers: BTreeMap<String, (Vec<String>, Gap)> = BTreeMap::new();
        for ((provider, _, name), gap) in self.types {
            let (types, sum) = providers.entry(provider).or_default();
            if types.last() != Some(&name) {
                types.push(name);
            }
            sum.add(gap);
        }
        let mut list = Vec::new();
        for (provider, (types, gap)) in providers {
            let mut why = format!("no schema for {}", types[..types.len().min(NAMED)].join(", "));
            if types.len() > NAMED {
                why.push_str(&format!(" and {} other types", types.len() - NAMED));
            }
            let uncertain = [
                (gap.doubts, "texts that may be numbers"),
                (gap.guesses, "objects taken for values with their type"),
                (gap.instances, "values that show as sensitive only what the plan marks"),
            ];
            for (count, what) in uncertain.into_iter().filter(|(count, _)| *count > 0) {
                why.push_str(&format!("; {what}: {count}"));
            }
            if !gap.first.is_empty() {
                why.push_str(&format!("; first in {}", gap.first));
            }
            list.push(Incomplete { what: "values", place: provider, why });
        }
        for address in self.lost {
            let why = "its address does not follow the grammar of addresses".into();
            list.push(Incomplete { what: "resource", place: address, why });
        }
        for ((provider, name), count) in self.identities {
            let why =
                format!("no schema for the provider {provider}: the version of {count} is unknown");
            list.push(Incomplete { what: "identity", place: name, why });
        }
        if self.doubts > 0 {
            let why = format!("texts that may be numbers: {}", self.doubts);
            list.push(Incomplete { what: "paths", place: "plan".into(), why });
        }
        list
    }
}
