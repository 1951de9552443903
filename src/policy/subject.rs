//! The variables of rules for one change.

use std::cell::OnceCell;

use super::reads::{CHANGE, CONFIGURATION, Root, Wants, name_of};
use crate::arena::Arena;
use crate::diagnostic::Label;
use crate::hash::HashSet;
use crate::json::{Node, Object};
use crate::native::{Key, Step, StepKind, Traversal};
use crate::show::index::Blocks;
use crate::show::leaves::{Marks, Part, SECRET, Side, to_value};
use crate::show::{ActionKind, Address, Change, ConfigResource, Field, ResourceChange};
use crate::value::{self, Type, Value};

/// Variables by name, sorted.
pub(super) type Variables<'v> = [(&'static str, Value<'v>); Root::ALL.len()];

/// A change, and its block in the configuration.
pub(super) struct Subject<'p, 'a> {
    entry: ResourceChange<'a>,
    blocks: Option<&'p Blocks<'a>>,
    change: OnceCell<Option<Change<'a>>>,
    sides: OnceCell<[Side<'a>; 2]>,
    block: OnceCell<Option<ConfigResource<'a>>>,
}

/// The node of the plan that a traversal leads to.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) node: Node<'a>,
    /// Whether the node is at the end of the traversal, not before a missing member.
    pub(super) is_all: bool,
    /// The attribute of the resource that the traversal names.
    pub(super) attribute: Option<&'a str>,
}

impl<'p, 'a> Subject<'p, 'a> {
    pub(super) fn new(entry: ResourceChange<'a>, blocks: Option<&'p Blocks<'a>>) -> Self {
        let (change, sides, block) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { entry, blocks, change, sides, block }
    }

    /// The variables with the wanted members. They are allocated in `arena`, and borrow from the
    /// plan.
    ///
    /// Cost: linear in the wanted members, and in their siblings.
    pub(super) fn variables<'v>(&self, arena: &'v Arena, wants: &Wants) -> Variables<'v>
    where
        'a: 'v,
    {
        Root::ALL.map(|root| {
            let part = wants.part(root);
            let value = match root {
                _ if part.is_nothing() => Value::dynamic(),
                Root::Change => {
                    members(arena, &CHANGE, part, |name, part| self.member(arena, name, part))
                }
                Root::Configuration => self.configuration(arena, part),
                Root::Resource => to_value(arena, self.resource(), Some(part)),
            };
            (root.name(), value)
        })
    }

    fn change(&self) -> Option<Change<'a>> {
        *self.change.get_or_init(|| self.entry.change().value())
    }

    /// The values before and after.
    fn sides(&self) -> [Side<'a>; 2] {
        *self.sides.get_or_init(|| {
            let mut sides = self.change().map_or([Side::ABSENT; 2], |change| change.sides().0);
            sides.iter_mut().for_each(Side::forget_empty_marks);
            sides
        })
    }

    /// The planned resource; if it is deleted, the prior one.
    fn resource(&self) -> Side<'a> {
        let [before, after] = self.sides();
        let is_gone = after.value.is_none_or(Node::is_null) && !after.unknown.any();
        if is_gone { before } else { after }
    }

    fn block(&self) -> Option<ConfigResource<'a>> {
        *self.block.get_or_init(|| {
            let address = self.entry.address().value()?;
            self.blocks?.find(&Address::parse(address).ok()?)
        })
    }

    /// The node of a member of `change`, if the document has it.
    fn member_node(&self, name: &str) -> Option<Node<'a>> {
        let of_change = || self.change().map(Change::object);
        let object = match name {
            "before" | "after" | "actions" | "after_unknown" | "before_sensitive"
            | "after_sensitive" | "replace_paths" | "importing" | "generated_config"
            | "before_identity" | "after_identity" => of_change()?,
            _ => self.entry.object(),
        };
        object.get(name)
    }

    /// A member of `change`.
    fn member<'v>(&self, arena: &'v Arena, name: &str, part: Part<'_>) -> Value<'v>
    where
        'a: 'v,
    {
        let plain = || plain(arena, self.member_node(name), part);
        match name {
            "before" => to_value(arena, self.sides()[0], Some(part)),
            "after" => to_value(arena, self.sides()[1], Some(part)),
            "action" => Value::string(arena, action_name(self.entry.actions().kind())),
            // An empty string for the root module, as in filters by address.
            "module_address" if self.entry.module_address().is_absent() => Value::string(arena, ""),
            "replace_paths" if self.member_node(name).is_none() => Value::tuple(arena, &[]),
            "generated_config" if self.sides()[1].sensitive.hides() => plain().with_marks(SECRET),
            _ => plain(),
        }
    }

    /// The block in the configuration; null if there is none. Constants of sensitive attributes are
    /// sensitive.
    fn configuration<'v>(&self, arena: &'v Arena, part: Part<'_>) -> Value<'v>
    where
        'a: 'v,
    {
        let Some(block) = self.block() else { return Value::null(Type::Dynamic) };
        members(arena, &CONFIGURATION, part, |name, part| match block.expressions() {
            Field::Value(arguments) if name == "expressions" => {
                let secret = self.secret_arguments();
                let mut seen: HashSet<&str> = HashSet::default();
                let mut entries = Vec::new();
                for argument in arguments.members() {
                    let name = argument.name().to_str();
                    let Some(part) = part.member(name).filter(|_| seen.insert(name)) else {
                        continue;
                    };
                    let value = plain(arena, Some(argument.value()), part);
                    entries.push((name, value.with_marks(secret.marks_of(name))));
                }
                Value::object(arena, &entries)
            }
            _ => plain(arena, block.object().get(name), part),
        })
    }

    /// The arguments of attributes that are sensitive before or after.
    fn secret_arguments(&self) -> Secret<'a> {
        let mut secret = Secret::default();
        for side in self.sides() {
            match side.sensitive {
                Marks::Inside(tree) => {
                    let attributes = tree.as_object().into_iter().flat_map(Object::members);
                    let hides = |value| Marks::of_sensitive(value).hides();
                    let hidden = attributes.filter(|attribute| hides(attribute.value()));
                    secret.names.extend(hidden.map(|attribute| attribute.name().to_str()));
                    secret.is_all |= !tree.is_object();
                }
                marks => secret.is_all |= marks.hides(),
            }
        }
        secret
    }

    /// The node of the value that a traversal leads to, or of the last existing value on its path.
    pub(super) fn find(&self, read: &Traversal<'a>) -> Option<Found<'a>> {
        let steps = read.steps().get(1..)?;
        let side = |side: Side<'a>, steps: &[Step<'a>]| {
            let attribute = steps.first().and_then(|step| name_of(step.kind));
            let found = side.value.map(|node| follow(node, steps));
            let unknown = || match side.unknown {
                Marks::Inside(tree) => Some(follow(tree, steps)).filter(|(_, is_all)| *is_all),
                _ => None,
            };
            let is_there = found.is_some_and(|(_, is_all)| is_all);
            let (node, is_all) = found.filter(|_| is_there).or_else(unknown).or(found)?;
            Some(Found { node, is_all, attribute })
        };
        match Root::of(read)? {
            Root::Resource => side(self.resource(), steps),
            Root::Change => {
                let (first, rest) = steps.split_first()?;
                match name_of(first.kind)? {
                    "before" => side(self.sides()[0], rest),
                    "after" => side(self.sides()[1], rest),
                    name => {
                        let name = if name == "action" { "actions" } else { name };
                        let (node, is_all) = follow(self.member_node(name)?, rest);
                        Some(Found { node, is_all, attribute: None })
                    }
                }
            }
            Root::Configuration => {
                let (node, is_all) = follow(self.block()?.object().node(), steps);
                let argument = match steps {
                    [first, second, ..] if name_of(first.kind) == Some("expressions") => {
                        name_of(second.kind)
                    }
                    _ => None,
                };
                Some(Found { node, is_all, attribute: argument })
            }
        }
    }

    /// The position of the change: its address.
    pub(super) fn label(&self) -> Label<'a> {
        let object: Object<'a> = self.entry.object();
        object.get("address").map_or_else(|| object.node().start_label(), Node::label)
    }
}

/// The arguments of a block whose constants must be hidden.
#[derive(Default)]
struct Secret<'a> {
    names: HashSet<&'a str>,
    is_all: bool,
}

impl Secret<'_> {
    fn marks_of(&self, name: &str) -> value::Marks {
        // Attributes that are never stored have no mark.
        let is_write_only = name.ends_with("_wo");
        match self.is_all || is_write_only || self.names.contains(name) {
            true => SECRET,
            false => value::Marks::NONE,
        }
    }
}

/// An object of the members that are wanted.
fn members<'v>(
    arena: &'v Arena,
    names: &[&'static str],
    part: Part<'_>,
    mut member: impl FnMut(&'static str, Part<'_>) -> Value<'v>,
) -> Value<'v> {
    let mut entries = Vec::new();
    for name in names {
        if let Some(part) = part.member(name) {
            entries.push((*name, member(name, part)));
        }
    }
    Value::object(arena, &entries)
}

/// A value without marks; null if it is absent.
fn plain<'v, 'a: 'v>(arena: &'v Arena, value: Option<Node<'a>>, part: Part<'_>) -> Value<'v> {
    to_value(arena, Side { value, ..Side::ABSENT }, Some(part))
}

/// The kind of a change, as in `--action` and rules.
fn action_name(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::NoOp => "no-op",
        ActionKind::ReplaceForget => "replace-forget",
        kind => kind.name(),
    }
}

/// Follows steps as long as they exist. Returns the last node, and whether all steps exist.
fn follow<'a>(mut node: Node<'a>, steps: &[Step<'a>]) -> (Node<'a>, bool) {
    for step in steps {
        let next = match step.kind {
            StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => {
                node.as_object().and_then(|object| object.get(name))
            }
            StepKind::Index(Key::Number(number)) => {
                let index = number.parse().ok();
                node.as_array().and_then(|array| array.get(index?))
            }
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => return (node, false),
        }
    }
    (node, true)
}
