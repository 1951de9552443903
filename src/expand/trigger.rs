//! `replace_triggered_by`: the objects whose changes replace an instance.

use crate::expression::Expression;
use crate::module::Resource;
use crate::native::{Construct, Key, Step, StepKind};
use crate::reference::{InstanceKey, write_name};

/// A trigger whose change replaces an instance: a resource, one of its instances, or an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trigger<'a> {
    /// The address of the resource.
    pub(crate) resource: String,
    /// The key as it is written in an address; `None` if any instance is meant, or it is not known
    /// which.
    pub(crate) key: Option<String>,
    /// The first step of the attribute.
    pub(crate) attribute: Option<&'a str>,
    /// The path of the attribute as leaves have it.
    pub(crate) path: String,
}

impl<'a> Trigger<'a> {
    /// The triggers of a resource for its instance with a key.
    pub(crate) fn all(
        resource: &Resource<'a>,
        module: &str,
        key: Option<InstanceKey<'_>>,
    ) -> Vec<Self> {
        let lifecycle = resource.lifecycle();
        let expressions = lifecycle.map_or(&[][..], |lifecycle| lifecycle.replace_triggered_by());
        expressions.iter().filter_map(|it| Self::of(*it, module, key)).collect()
    }

    /// The trigger that an element is; `None` if it has an error.
    pub(super) fn of(
        expression: Expression<'a>,
        module: &str,
        own: Option<InstanceKey<'_>>,
    ) -> Option<Self> {
        // From the last step to the first one.
        let mut parts: Vec<Part<'a>> = Vec::new();
        let mut rest = Some(expression.as_native()?);
        while let Some(native) = rest.take() {
            match native.construct() {
                Construct::Traversal(start) => {
                    parts.extend(start.steps().iter().rev().map(Part::of))
                }
                Construct::Relative(from, relative) => {
                    parts.extend(relative.steps().iter().rev().map(Part::of));
                    rest = Some(from);
                }
                Construct::Index { collection, key } => {
                    parts.push(Part::Key(key_of(Expression::from_native(key), own)));
                    rest = Some(collection);
                }
                _ => return None,
            }
        }
        parts.reverse();
        let mut parts = parts.into_iter().peekable();
        let mut name = || match parts.next()? {
            Part::Name(name) => Some(name),
            Part::Key(_) => None,
        };
        let kind = match name()? {
            "resource" => name()?,
            kind => kind,
        };
        let name = name()?;
        let dot = if module.is_empty() { "" } else { "." };
        let resource = format!("{module}{dot}{kind}.{name}");
        let key = match parts.next_if(|part| matches!(part, Part::Key(_))) {
            Some(Part::Key(key)) => key,
            _ => None,
        };
        let mut trigger = Self { resource, key, attribute: None, path: String::new() };
        for part in parts {
            match part {
                Part::Name(name) => {
                    let is_first = trigger.path.is_empty();
                    // Writing into memory does not fail.
                    let _ = write_name(&mut trigger.path, name, is_first);
                    trigger.attribute.get_or_insert(name);
                }
                Part::Key(Some(key)) => trigger.path.push_str(&key),
                // All of it is meant.
                Part::Key(None) => break,
            }
        }
        Some(trigger)
    }
}

impl Trigger<'_> {
    /// The address of the instance, or of the resource.
    pub(super) fn address(&self) -> String {
        format!("{}{}", self.resource, self.key.as_deref().unwrap_or_default())
    }
}

enum Part<'a> {
    Name(&'a str),
    Key(Option<String>),
}

impl<'a> Part<'a> {
    fn of(step: &Step<'a>) -> Self {
        match step.kind {
            StepKind::Root(name) | StepKind::Attribute(name) => Self::Name(name),
            StepKind::Index(Key::String(text)) => {
                Self::Key(Some(InstanceKey::String(text).to_string()))
            }
            StepKind::Index(Key::Number(text)) => Self::Key(Some(format!("[{text}]"))),
            _ => Self::Key(None),
        }
    }
}

/// The key that an expression is, as it is written in an address: `each.key` and `count.index` are
/// those of the instance.
fn key_of(key: Expression<'_>, own: Option<InstanceKey<'_>>) -> Option<String> {
    let native = key.as_native()?;
    match native.construct() {
        Construct::Traversal(traversal) => match traversal.steps() {
            [
                Step { kind: StepKind::Root("each"), .. },
                Step { kind: StepKind::Attribute("key"), .. },
            ]
            | [
                Step { kind: StepKind::Root("count"), .. },
                Step { kind: StepKind::Attribute("index"), .. },
            ] => own.map(|key| key.to_string()),
            _ => None,
        },
        _ => key.to_str().map(|text| InstanceKey::String(text).to_string()),
    }
}
