//! Constants in configuration that may be secrets although nothing marks them: those that say how a
//! provider or a state is reached.
//!
//! An argument is hidden as a whole, with the names in its value. Of a block of a native file in such
//! a body, its provider knows the names, so each of its arguments is one of its own.

use super::extent::Extent;
use super::paths::Paths;
use crate::expression::{Expression, Literal};
use crate::native::{Kind, Native};
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

/// The block with the arguments of a provider configuration of a stack.
const CONFIG: &str = "config";

/// A place in a block `provider` or `terraform`.
#[derive(Clone, Copy)]
enum Place {
    /// Settings, in which some blocks have arguments.
    Settings,
    /// Before this many labels of a provider configuration of a stack, then in it.
    Stack(usize),
    /// Before this many labels, then in the arguments of a provider.
    Provider(usize),
    /// Before this many labels, then in arguments that say how a state is reached.
    State(usize),
    /// In a block of a native file that is an argument.
    Block,
}

/// The place that a name leads to.
enum Step {
    To(Place),
    /// An argument, which may have a secret.
    Argument,
    Nothing,
}

impl Place {
    /// The place in a block at the root of a file.
    fn of_type(block_type: &str, is_stack: bool) -> Self {
        match block_type {
            "terraform" => Self::Settings,
            _ if is_stack => Self::Stack(2),
            _ => Self::Provider(1),
        }
    }

    fn step(self, name: &str) -> Step {
        let argument = |is_secret: bool| if is_secret { Step::Argument } else { Step::Nothing };
        match self {
            Self::Settings => match name {
                "backend" | "state_store" => Step::To(Self::State(1)),
                "cloud" => Step::To(Self::State(0)),
                "encryption" => Step::To(Self::Settings),
                "key_provider" => Step::To(Self::State(2)),
                _ => Step::Nothing,
            },
            Self::Stack(0) if name == CONFIG => Step::To(Self::Provider(0)),
            Self::Stack(0) => Step::Nothing,
            Self::Stack(left) => Step::To(Self::Stack(left - 1)),
            Self::Provider(0) => argument(of_provider(name)),
            Self::Provider(left) => Step::To(Self::Provider(left - 1)),
            Self::State(0) => argument(of_state(name)),
            Self::State(left) => Step::To(Self::State(left - 1)),
            Self::Block => Step::Argument,
        }
    }

    /// The paths below some names of the arguments that have a constant which may be a secret.
    ///
    /// Cost: linear in the value.
    fn constants(self, names: &[&str], value: Expression<'_>, found: &mut Paths) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut open = vec![(names, value, self)];
        while let Some((path, value, place)) = open.pop() {
            if let Some(list) = value.as_list() {
                open.extend(list.map(|element| (path.clone(), element, place)));
                continue;
            }
            for (name, value) in value.as_map().into_iter().flatten() {
                let name = name.to_str();
                let below = || [&path[..], &[name.to_owned()]].concat();
                let is_block = value.as_block().is_some() || value.has_labels();
                match place.step(name) {
                    Step::To(next) => open.push((below(), value, next)),
                    Step::Argument if is_block => open.push((below(), value, Self::Block)),
                    Step::Argument if has_constant(value) => found.add(&below()),
                    Step::Argument | Step::Nothing => {}
                }
            }
        }
    }
}

/// Adds the paths of the arguments of a block `provider` or `terraform` that have a constant which may be a
/// secret. `names` are its type and labels.
///
/// Cost: linear in the block.
pub(super) fn add(found: &mut Paths, names: &[&str], body: Expression<'_>) {
    let Some((block_type, labels)) = names.split_first() else { return };
    let mut place = Place::of_type(block_type, labels.len() > 1);
    for label in labels {
        match place.step(label) {
            Step::To(next) => place = next,
            Step::Argument | Step::Nothing => return,
        }
    }
    place.constants(names, body, found);
}

/// How much of a value in such a block must not be shown, by the value itself. `is_unread` says that the rest of
/// the argument around it is not known.
///
/// Cost: linear in the value.
pub(super) fn extent(
    (names, is_stack): (&[&str], bool),
    value: Option<Expression<'_>>,
    is_unread: bool,
) -> Option<Extent> {
    let (block_type, rest) = names.split_first()?;
    let mut place = Place::of_type(block_type, is_stack);
    for (at, name) in rest.iter().enumerate() {
        match place.step(name) {
            Step::To(next) => place = next,
            Step::Nothing => return None,
            Step::Argument => {
                let depth = at + 2;
                let is_secret = is_unread && depth < names.len() || value.is_some_and(has_constant);
                return is_secret.then_some(Extent::Whole(depth));
            }
        }
    }
    let mut found = Paths::default();
    place.constants(&[], value?, &mut found);
    (!found.is_empty()).then_some(Extent::Part)
}

/// How much of the value at a path below `remote_state` of a unit must not be shown. Names in an argument are not
/// shown either.
pub(super) fn of_unit(path: &[&str], value: Option<Expression<'_>>) -> Option<Extent> {
    match path {
        [] | ["config" | "encryption"] => hides_in_unit(path, value?).then_some(Extent::Part),
        // After `remote_state`, the attribute and the argument.
        ["config" | "encryption", argument, below @ ..] => {
            let is_secret = || !below.is_empty() || value.is_some_and(has_constant);
            (of_state(argument) && is_secret()).then_some(Extent::Whole(3))
        }
        _ => None,
    }
}

/// Whether the value at a path below `remote_state` of a unit, or a part of it, may be a secret.
pub(crate) fn hides_in_unit(path: &[&str], value: Expression<'_>) -> bool {
    match path {
        [] => objects(value).into_iter().any(|object| {
            let inner = ["config", "encryption"].into_iter().filter_map(|name| object.member(name));
            inner.into_iter().any(|value| hides_in_unit(&["config"], value))
        }),
        ["config" | "encryption"] => objects(value).into_iter().any(|object| {
            let mut entries = object.as_map().into_iter().flatten();
            entries.any(|(name, value)| of_state(name.to_str()) && has_constant(value))
        }),
        ["config" | "encryption", argument, ..] => of_state(argument) && has_constant(value),
        _ => false,
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

/// Whether an argument of a provider may be a secret. No mark says which are, so all are but those that only
/// say where something is.
fn of_provider(argument: &str) -> bool {
    !OF_PROVIDER.contains(&argument) && !says_where(argument)
}

/// Whether an argument may be a secret that says how a state is reached.
fn of_state(argument: &str) -> bool {
    !WHERE.contains(&argument) && of_provider(argument)
}

/// Whether a value in an argument of a provider configuration has a constant that may be a secret.
///
/// Cost: linear in the value.
pub(crate) fn provides(argument: &str, value: Expression<'_>) -> bool {
    of_provider(argument) && has_constant(value)
}

/// Whether a value has a constant that is not a flag.
fn has_constant(value: Expression<'_>) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match (value.as_list(), value.as_map()) {
            (Some(list), _) => open.extend(list),
            (None, Some(map)) => open.extend(map.map(|(_, value)| value)),
            (None, None) => {
                if let Some(container) = in_template(value) {
                    open.push(container);
                    continue;
                }
                let is_flag = || value.is_null() || matches!(value.literal(), Literal::Bool(_));
                if value.variables().next().is_none() && !is_flag() {
                    return true;
                }
            }
        }
    }
    false
}

/// The object or the list in parentheses, or in a template that is nothing but one: `"${[a, b]}"`.
fn in_template(value: Expression<'_>) -> Option<Expression<'_>> {
    let native = match value.is_json() {
        true => value.template().and_then(Result::ok).and_then(Native::of),
        false => value.as_native(),
    };
    let inner = native?.inner();
    (inner.is(Kind::Tuple) || inner.is(Kind::Object)).then(|| Expression::from_native(inner))
}
