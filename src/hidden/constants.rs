//! Constants in configuration that may be secrets although nothing marks them: those that say how a
//! provider or a state is reached.

use crate::expression::{Expression, Literal};
use crate::value::says_where;

/// Arguments of a provider configuration that the provider does not read.
const OF_PROVIDER: [&str; 4] = ["alias", "version", "for_each", "//"];

/// Arguments that say where a state is, beside those of providers that say where something is.
const WHERE: [&str; 15] = [
    "backend",
    "bucket",
    "dynamodb_table",
    "generate",
    "key",
    "key_provider",
    "kms_key_id",
    "lock_method",
    "prefix",
    "role_arn",
    "unlock_method",
    "update_method",
    "workspace_dir",
    "workspace_key_prefix",
    "workspaces",
];

/// Whether the value at a path below `terraform`, or a part of it, may be a secret.
pub(super) fn of_settings(path: &[&str], value: Option<Expression<'_>>) -> bool {
    let Some(value) = value else { return false };
    match path {
        [] => objects(value).into_iter().any(|object| {
            let mut entries = object.as_map().into_iter().flatten();
            entries.any(|(name, value)| has_secret(&[name.to_str()], value))
        }),
        path => has_secret(path, value),
    }
}

/// Whether the value at a path below `remote_state` of a unit, or a part of it, may be a secret.
pub(crate) fn of_unit(path: &[&str], value: Option<Expression<'_>>) -> bool {
    let Some(value) = value else { return false };
    match path {
        [] => objects(value).into_iter().any(|object| {
            let inner = ["config", "encryption"].into_iter().filter_map(|name| object.member(name));
            inner.into_iter().any(|value| has_below(value, 0))
        }),
        ["config" | "encryption"] => has_below(value, 0),
        ["config" | "encryption", argument, ..] => is_secret(argument, value),
        _ => false,
    }
}

fn has_secret(path: &[&str], value: Expression<'_>) -> bool {
    // The labels of the block, and the names in it.
    let (labels, rest) = match path {
        ["backend" | "state_store", rest @ ..] => (1, rest),
        ["cloud", rest @ ..] => (0, rest),
        ["encryption"] => {
            let inner = objects(value).into_iter().filter_map(|it| it.member("key_provider"));
            return inner.into_iter().any(|value| has_below(value, 2));
        }
        ["encryption", "key_provider", rest @ ..] => (2, rest),
        _ => return false,
    };
    match rest.get(labels) {
        Some(argument) => is_secret(argument, value),
        None => has_below(value, labels - rest.len()),
    }
}

/// The objects in lists, or a value itself.
fn objects(value: Expression<'_>) -> Vec<Expression<'_>> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        match value.as_list() {
            Some(list) => open.extend(list),
            None => found.push(value),
        }
    }
    found
}

/// Whether a block has a secret. `labels` is the number of its labels that are names of objects.
fn has_below(value: Expression<'_>, labels: usize) -> bool {
    let mut open = vec![(value, labels)];
    while let Some((value, labels)) = open.pop() {
        if let Some(list) = value.as_list() {
            open.extend(list.map(|element| (element, labels)));
            continue;
        }
        for (name, value) in value.as_map().into_iter().flatten() {
            match labels.checked_sub(1) {
                Some(labels) => open.push((value, labels)),
                None if is_secret(name.to_str(), value) => return true,
                None => {}
            }
        }
    }
    false
}

fn is_secret(argument: &str, value: Expression<'_>) -> bool {
    !WHERE.contains(&argument) && provides(argument, value)
}

/// Whether a value in an argument of a provider configuration has a constant that may be a secret.
/// No mark says which are, so all are but those that only say where something is, and flags.
///
/// Cost: linear in the value.
pub(crate) fn provides(argument: &str, value: Expression<'_>) -> bool {
    if OF_PROVIDER.contains(&argument) || says_where(argument) {
        return false;
    }
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match (value.as_list(), value.as_map()) {
            (Some(list), _) => open.extend(list),
            (None, Some(map)) => open.extend(map.map(|(_, value)| value)),
            (None, None) => {
                let is_flag = || value.is_null() || matches!(value.literal(), Literal::Bool(_));
                if value.variables().next().is_none() && !is_flag() {
                    return true;
                }
            }
        }
    }
    false
}
