//! Checks the types of whole documents: reports every member whose type differs from the format,
//! with its path.
//!
//! A value is compared with its [`Shape`], built from the fields of the views. Diagnostics read
//! like "`resource_changes[12].change.actions` should be an array, not a string". `null` is allowed
//! everywhere, unknown members are ignored, and values of any type (attributes of resources) are
//! not opened. One pass without recursion, linear in the parts that the format describes.

use super::order::is_sorted;
use super::path::{Path, Step};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::hash::HashSet;
use crate::json::{Elements, JsonValue, Member, Members, Node, Object};

/// The expected form of a value.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    expected: &'static str,
    fits: fn(Node<'_>) -> bool,
    inside: Inside,
    /// Whether the text of a value shows that all of it fits, so that a walk is not needed.
    fits_inside: Option<fn(Node<'_>) -> bool>,
}

/// The name of a member, and its expected form.
pub(crate) type Known = (&'static str, fn() -> Shape);

/// The members of two lists, whose length together is `LEN`.
pub(crate) const fn joined<const LEN: usize>(one: &[Known], other: &[Known]) -> [Known; LEN] {
    const fn any() -> Shape {
        Shape::new("a value", |_| true)
    }
    let mut all: [Known; LEN] = [("", any); LEN];
    let mut at = 0;
    while at < LEN {
        all[at] = if at < one.len() { one[at] } else { other[at - one.len()] };
        at += 1;
    }
    all
}

/// The maximal number of known members of an object: each has a bit.
pub(crate) const MAX_KNOWN: usize = u64::BITS as usize;

/// The expected form of a value's members or elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inside {
    /// Anything.
    Free,
    /// Members of known names, at most [`MAX_KNOWN`].
    Members(&'static [Known]),
    /// Every member or element.
    Each(fn() -> Shape),
}

impl Shape {
    pub(crate) const fn new(expected: &'static str, fits: fn(Node<'_>) -> bool) -> Self {
        Self { expected, fits, inside: Inside::Free, fits_inside: None }
    }

    pub(crate) const fn with(mut self, inside: Inside) -> Self {
        self.inside = inside;
        self
    }

    pub(crate) const fn with_text_check(mut self, fits_inside: fn(Node<'_>) -> bool) -> Self {
        self.fits_inside = Some(fits_inside);
        self
    }

    /// Reports every value inside `root` that does not fit this shape.
    pub(crate) fn check<'a>(self, root: Node<'a>, sink: &mut dyn Sink<'a>) {
        self.check_at("", root, sink);
    }

    /// Like [`Self::check`], for a part of a document at this path.
    pub(crate) fn check_at<'a>(self, place: &str, root: Node<'a>, sink: &mut dyn Sink<'a>) {
        let mut walk = Walk::new(place);
        walk.enter(root, self, sink);
        walk.run(sink);
    }

    /// Like [`Self::check`]; also reports duplicates of known members.
    pub(crate) fn check_with_names<'a>(self, root: Node<'a>, sink: &mut dyn Sink<'a>) {
        self.check_outside_of(&[], root, sink);
    }

    /// Like [`Self::check_with_names`], without the contents of lists with these names, unless they
    /// are in the configuration.
    pub(crate) fn check_outside_of<'a>(
        self,
        lists: &'static [&'static str],
        root: Node<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let mut walk = Walk { with_names: true, lists, ..Walk::new("") };
        walk.enter(root, self, sink);
        walk.run(sink);
    }

    /// Like [`Self::check`], for the members with these names. Only the types of other members are
    /// checked, not their content.
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
                let path = vec![Step::Name(member.name())];
                let mut walk = Walk { path, ..Walk::new("") };
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

struct Walk<'p, 'a> {
    /// The path of the value that the walk starts at.
    place: &'p str,
    frames: Vec<Frame<'a>>,
    path: Vec<Step<'a>>,
    /// Whether duplicate names are reported.
    with_names: bool,
    /// The names of lists that are not entered outside of the configuration.
    lists: &'static [&'static str],
}

struct Frame<'a> {
    nodes: Nodes<'a>,
    inside: Inside,
    /// The known member that probably comes next: the tools write members in the order of the
    /// shape.
    next: usize,
    /// A bit for each known member that has occurred.
    seen: u64,
}

enum Nodes<'a> {
    Members(Members<'a>),
    Elements(Elements<'a>, u32),
}

impl<'p, 'a> Walk<'p, 'a> {
    fn new(place: &'p str) -> Self {
        Self { place, frames: Vec::new(), path: Vec::new(), with_names: false, lists: &[] }
    }

    fn run(&mut self, sink: &mut dyn Sink<'a>) {
        while let Some(frame) = self.frames.last_mut() {
            let Some((step, node, shape)) = frame.next(self.with_names, sink) else {
                self.frames.pop();
                self.path.pop();
                continue;
            };
            // Most values are valid or not described.
            let Some(shape) = shape.filter(|shape| !shape.is_met_by(node)) else { continue };
            self.path.push(step);
            if !self.enter(node, shape, sink) {
                self.path.pop();
            }
        }
    }

    /// Checks one value. Returns whether its content has to be checked.
    fn enter(&mut self, node: Node<'a>, shape: Shape, sink: &mut dyn Sink<'a>) -> bool {
        if shape.is_met_by(node) {
            return false;
        }
        if !(shape.fits)(node) {
            let path = Path::abridged(&self.path).below(self.place);
            let path = node.source().arena().format(format_args!("{path}"));
            let arguments = [path, shape.expected, node.type_name()];
            sink.report(
                Diagnostic::new(Code::UnexpectedType, node.start_label())
                    .with_arguments(&arguments),
            );
            return false;
        }
        let nodes = match node.value() {
            JsonValue::Object(object) => {
                if self.with_names && matches!(shape.inside, Inside::Each(_)) {
                    check_names(object, sink);
                }
                Nodes::Members(object.members())
            }
            JsonValue::Array(_) if self.is_passed_over() => return false,
            JsonValue::Array(array) => Nodes::Elements(array.elements(), 0),
            _ => return false,
        };
        self.frames.push(Frame { nodes, inside: shape.inside, next: 0, seen: 0 });
        true
    }
}

impl Walk<'_, '_> {
    fn is_passed_over(&self) -> bool {
        let is = |step: Option<&Step<'_>>, wanted: &str| match step {
            Some(Step::Name(name)) => name.is(wanted),
            _ => false,
        };
        self.lists.iter().any(|list| is(self.path.last(), list))
            && !is(self.path.first(), "configuration")
    }
}

impl Shape {
    /// Whether a value and its content are certainly valid.
    fn is_met_by(self, node: Node<'_>) -> bool {
        node.is_null()
            || (matches!(self.inside, Inside::Free) && (self.fits)(node))
            || self.fits_inside.is_some_and(|fits_inside| fits_inside(node))
    }
}

impl<'a> Frame<'a> {
    /// The next value, and its expected form. Reports duplicate names if `wanted`.
    fn next(
        &mut self,
        wanted: bool,
        sink: &mut dyn Sink<'a>,
    ) -> Option<(Step<'a>, Node<'a>, Option<Shape>)> {
        match &mut self.nodes {
            Nodes::Members(members) => {
                let member = members.next()?;
                let shape = match self.inside {
                    Inside::Members(known) => {
                        let is = |place: &usize| member.is_named(known[*place].0);
                        let (start, end) = (self.next.min(known.len()), known.len());
                        let found = (start..end).chain(0..start).find(is);
                        found.map(|place| {
                            self.next = place + 1;
                            if wanted && self.seen >> place & 1 == 1 {
                                sink.report(duplicate(member));
                            }
                            self.seen |= 1 << place;
                            known[place].1()
                        })
                    }
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

/// Reports every duplicate member of an object.
pub(crate) fn check_names<'a>(object: Object<'a>, sink: &mut dyn Sink<'a>) {
    if is_sorted(object.members()) {
        return;
    }
    let mut names = HashSet::default();
    for member in object.members() {
        if !names.insert(member.name().to_bytes()) {
            sink.report(duplicate(member));
        }
    }
}

fn duplicate(member: Member<'_>) -> Diagnostic<'_> {
    Diagnostic::new(Code::DuplicateAttribute, member.name_label())
        .with_arguments(&[member.name().to_str()])
}
