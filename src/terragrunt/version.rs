//! Whether a version meets constraints, as `constraint_check` decides it.

use std::cmp::Ordering;

use crate::module::{Version, VersionConstraint, VersionOperator};

/// The number of segments that every version has at least.
const SEGMENTS: usize = 3;

/// Whether a version meets all constraints; `None` if it is not a version. A prerelease meets only
/// constraints that name a prerelease of the same version.
pub(super) fn satisfies(version: &str, constraints: &[VersionConstraint<'_>]) -> Option<bool> {
    let version = Version::parse(version)?;
    Some(constraints.iter().all(|constraint| meets(&version, constraint)))
}

fn padded(version: &Version<'_>) -> Vec<i64> {
    let mut segments = version.segments.to_vec();
    segments.resize(segments.len().max(SEGMENTS), 0);
    segments
}

fn meets(version: &Version<'_>, constraint: &VersionConstraint<'_>) -> bool {
    let wanted = &constraint.version;
    let order = compare(version, wanted);
    let (ours, theirs) = (padded(version), padded(wanted));
    let is_comparable = match (version.prerelease.is_empty(), wanted.prerelease.is_empty()) {
        (false, false) => ours == theirs,
        (false, true) => false,
        (true, _) => true,
    };
    match constraint.operator {
        VersionOperator::Equal => order.is_eq(),
        VersionOperator::NotEqual => order.is_ne(),
        VersionOperator::Greater => is_comparable && order.is_gt(),
        VersionOperator::GreaterOrEqual => is_comparable && order.is_ge(),
        VersionOperator::Less => is_comparable && order.is_lt(),
        VersionOperator::LessOrEqual => is_comparable && order.is_le(),
        VersionOperator::Pessimistic => {
            let fixed = wanted.segments.len().saturating_sub(1);
            let is_early = !wanted.prerelease.is_empty() && version.prerelease.is_empty();
            is_comparable
                && !is_early
                && order.is_ge()
                && theirs.len() <= ours.len()
                && ours.get(..fixed) == theirs.get(..fixed)
        }
    }
}

fn compare(one: &Version<'_>, other: &Version<'_>) -> Ordering {
    let length = one.segments.len().max(other.segments.len());
    let segment = |version: &Version<'_>, at: usize| version.segments.get(at).copied().unwrap_or(0);
    let numbers = (0..length).map(|at| segment(one, at).cmp(&segment(other, at)));
    let differs = numbers.into_iter().find(|order| order.is_ne());
    differs.unwrap_or_else(|| match (one.prerelease, other.prerelease) {
        ("", "") => Ordering::Equal,
        ("", _) => Ordering::Greater,
        (_, "") => Ordering::Less,
        (one, other) => compare_prereleases(one, other),
    })
}

fn compare_prereleases(one: &str, other: &str) -> Ordering {
    let (mut ours, mut theirs) = (one.split('.'), other.split('.'));
    loop {
        let order = match (ours.next(), theirs.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(one), Some(other)) => match (one.parse::<u64>(), other.parse::<u64>()) {
                (Ok(one), Ok(other)) => one.cmp(&other),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => one.cmp(other),
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_meet_constraints() {
        for (version, constraints, is_met) in [
            ("1.7.3", ">= 1.7.0, < 2.0.0", true),
            ("1.7.3", "~> 1.6.0", false),
            ("1.7.3", "~> 1.6", true),
            ("1.7.3", "~> 1", true),
            ("2.0.0", "~> 1", true),
            ("2.0.0-rc1", ">= 2.0.0", false),
            ("2.0.0-rc1", ">= 2.0.0-beta1", true),
            ("2.0.0-rc.2", "> 2.0.0-rc.10", false),
            ("2.0.1-rc1", ">= 2.0.0-beta1", false),
            ("1.7.3", "!= 1.7.3", false),
            ("v1.7", "= 1.7.0", true),
            ("1.2.3", "~> 1.2.3-beta", false),
        ] {
            let all = VersionConstraint::parse_all(constraints).unwrap();
            assert_eq!(satisfies(version, &all), Some(is_met), "{version} {constraints}");
        }
        assert_eq!(satisfies("one", &[]), None);
    }
}
