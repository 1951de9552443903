//! The arguments of provider configurations.

use std::collections::{BTreeMap, BTreeSet};

use super::instances::{Instances, without_keys};
use super::leaves;
use super::model::{ProviderChange, Review};

/// Adds the configurations whose arguments differ by value. Those of the instances of a module are one.
///
/// Cost: linear in the values.
pub(super) fn compare(versions: [&Instances<'_, '_>; 2], review: &mut Review) {
    let all: BTreeSet<_> = versions.iter().flat_map(|it| it.providers.keys()).collect();
    let mut changed: BTreeMap<(String, &str), BTreeSet<&str>> = BTreeMap::new();
    for place in all {
        let sides = versions.map(|it| it.providers.get(place).copied());
        let module = match place.0.as_str() {
            "" => String::new(),
            module => without_keys(module),
        };
        let is_missing = |at: usize| sides[at].is_none() && versions[at].may_have(&module);
        if is_missing(0) || is_missing(1) {
            continue;
        }
        let entries = sides.iter().flatten().flat_map(|side| side.entries());
        for &(name, _) in entries {
            let values = sides.map(|side| side?.get(name).filter(|value| !value.is_null()));
            if leaves::differ(values) {
                changed.entry((module.clone(), &place.1)).or_default().insert(name);
            }
        }
    }
    for ((module, name), arguments) in changed {
        let arguments = arguments.into_iter().map(str::to_owned).collect();
        let (source, version) = (None, None);
        review.providers.push(ProviderChange {
            module,
            name: name.to_owned(),
            source,
            version,
            arguments,
        });
    }
}
