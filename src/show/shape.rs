//! Types of whole documents: every member that has another type than the format says, with its path.
//!
//! In go a value and its [`Shape`], made from the fields of the views; out come diagnostics such as
//! "`resource_changes[12].change.actions` should be an array, not a string". `null` fits everywhere, unknown
//! members are left alone, and values whose type is free (attributes of resources) are not opened.
//! One pass without recursion, linear in what the format describes.

use super::path::{Path, Step};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::json::{Elements, Members, Node, Object, Value};

/// What a value should be.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    expected: &'static str,
    fits: fn(Node<'_>) -> bool,
    inside: Inside,
}

/// The name of a member, and what it should be.
pub(crate) type Known = (&'static str, fn() -> Shape);

/// What the members or elements of a value should be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inside {
    /// Anything.
    Free,
    /// Members of known names.
    Members(&'static [Known]),
    /// Every member or element.
    Each(fn() -> Shape),
}

impl Shape {
    pub(crate) const fn new(expected: &'static str, fits: fn(Node<'_>) -> bool) -> Self {
        Self { expected, fits, inside: Inside::Free }
    }

    pub(crate) const fn with(mut self, inside: Inside) -> Self {
        self.inside = inside;
        self
    }

    /// Reports every value inside of `root` that has another type than this shape says.
    pub(crate) fn check<'a>(self, root: Node<'a>, sink: &mut dyn Sink<'a>) {
        let mut walk = Walk { frames: Vec::new(), path: Vec::new() };
        walk.enter(root, self, sink);
        walk.run(sink);
    }

    /// The same for the members of those names; of the other members only the types are looked at, not what
    /// is inside.
    pub(crate) fn check_members<'a>(
        self,
        root: Object<'a>,
        names: &[&str],
        sink: &mut dyn Sink<'a>,
    ) {
        let Inside::Members(known) = self.inside else { return };
        for member in root.members() {
            let known = known.iter().find(|(name, _)| member.is_named(name));
            if let Some((name, shape)) = known {
                let mut walk = Walk { frames: Vec::new(), path: vec![Step::Name(member.name())] };
                let mut shape = shape();
                if !names.contains(name) {
                    shape.inside = Inside::Free;
                }
                walk.enter(member.value(), shape, sink);
                walk.run(sink);
            }
        }
    }
}

impl<'a> Walk<'a> {
    fn run(&mut self, sink: &mut dyn Sink<'a>) {
        let walk = self;
        while let Some(frame) = walk.frames.last_mut() {
            let Some((step, node, shape)) = frame.next() else {
                walk.frames.pop();
                walk.path.pop();
                continue;
            };
            walk.path.push(step);
            let entered = match shape {
                Some(shape) => walk.enter(node, shape, sink),
                None => false,
            };
            if !entered {
                walk.path.pop();
            }
        }
    }
}

struct Walk<'a> {
    frames: Vec<Frame<'a>>,
    path: Vec<Step<'a>>,
}

struct Frame<'a> {
    nodes: Nodes<'a>,
    inside: Inside,
}

enum Nodes<'a> {
    Members(Members<'a>),
    Elements(Elements<'a>, u32),
}

impl<'a> Walk<'a> {
    /// Looks at one value, and gives whether there is something inside of it to look at.
    fn enter(&mut self, node: Node<'a>, shape: Shape, sink: &mut dyn Sink<'a>) -> bool {
        if node.is_null() {
            return false;
        }
        if !(shape.fits)(node) {
            let path = node.source().arena().format(format_args!("{}", Path::abridged(&self.path)));
            let arguments = [path, shape.expected, node.type_name()];
            sink.report(
                Diagnostic::new(Code::UnexpectedType, node.start_label())
                    .with_arguments(&arguments),
            );
            return false;
        }
        if matches!(shape.inside, Inside::Free) {
            return false;
        }
        let nodes = match node.value() {
            Value::Object(object) => Nodes::Members(object.members()),
            Value::Array(array) => Nodes::Elements(array.elements(), 0),
            _ => return false,
        };
        self.frames.push(Frame { nodes, inside: shape.inside });
        true
    }
}

impl<'a> Frame<'a> {
    fn next(&mut self) -> Option<(Step<'a>, Node<'a>, Option<Shape>)> {
        match &mut self.nodes {
            Nodes::Members(members) => {
                let member = members.next()?;
                let shape = match self.inside {
                    Inside::Members(known) => known
                        .iter()
                        .find(|(name, _)| member.is_named(name))
                        .map(|(_, shape)| shape()),
                    Inside::Each(shape) => Some(shape()),
                    Inside::Free => None,
                };
                Some((Step::Name(member.name()), member.value(), shape))
            }
            Nodes::Elements(elements, index) => {
                let step = Step::Index(*index);
                *index += 1;
                let shape = match self.inside {
                    Inside::Each(shape) => Some(shape()),
                    _ => None,
                };
                Some((step, elements.next()?, shape))
            }
        }
    }
}
