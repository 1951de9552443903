//! Nodes of expressions, as rules read them.

use std::cell::OnceCell;

use memchr::memmem;

use crate::diagnostic::Label;
use crate::native::{Kind, Native, Operator};
use crate::parsed::ParsedFile;
use crate::span::Span;
use crate::structure::FileAttribute;

/// A set of kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeKinds(u16);

impl NodeKinds {
    pub(super) const NONE: Self = Self(0);
    /// A template that is one interpolation.
    pub(super) const WRAP: Self = Self(1);
    /// A function call.
    pub(super) const CALL: Self = Self(1 << 1);
    /// A traversal, or steps from the value of another expression.
    pub(super) const STEPS: Self = Self(1 << 2);
    /// `.*`
    pub(super) const ATTRIBUTE_SPLAT: Self = Self(1 << 3);
    /// `{…}`, but not `{for …}`.
    pub(super) const OBJECT: Self = Self(1 << 4);
    /// `==` and `!=`
    pub(super) const EQUALITY: Self = Self(1 << 5);
    /// `condition ? a : b`
    pub(super) const CONDITIONAL: Self = Self(1 << 6);
    /// `%{if}`, `for` with a condition or without one, and `&&` and `||`
    pub(super) const DECISION: Self = Self(1 << 8);
    /// A text, with or without interpolations, but not [`Self::WRAP`].
    pub(super) const TEMPLATE: Self = Self(1 << 7);

    /// Either set.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether both have a kind.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set of a kind; [`Self::NONE`] if no rule reads it.
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Wrap => Self::WRAP,
            Kind::Call => Self::CALL,
            Kind::Traversal | Kind::Relative => Self::STEPS,
            Kind::AttributeSplat => Self::ATTRIBUTE_SPLAT,
            Kind::Object => Self::OBJECT,
            Kind::Conditional => Self::CONDITIONAL,
            Kind::Template => Self::TEMPLATE,
            Kind::Binary(Operator::Equal | Operator::NotEqual) => Self::EQUALITY,
            Kind::Binary(Operator::And | Operator::Or) | Kind::If | Kind::For => Self::DECISION,
            _ => Self::NONE,
        }
    }
}

/// A node of an expression.
pub(super) struct RuleNode<'v, 'a> {
    /// The node.
    pub(super) native: Native<'a>,
    whole: &'v Whole<'a>,
}

/// A whole expression.
struct Whole<'a> {
    native: Native<'a>,
    /// The parent of each of its nodes.
    parents: OnceCell<Vec<Parent>>,
}

impl<'a> RuleNode<'_, 'a> {
    /// The node that it is an operand of; `None` for the whole expression.
    ///
    /// Cost: linear in the expression, once.
    pub(super) fn parent(&self) -> Option<Native<'a>> {
        self.parent_and_side().map(|(parent, _)| parent)
    }

    /// Whether it is the key of an item of an object.
    pub(super) fn is_key(&self) -> bool {
        // Keys and values take turns, and a value is the last.
        let parent = self.parent_and_side().filter(|(parent, _)| parent.is(Kind::Object));
        parent.is_some_and(|(_, is_odd)| is_odd)
    }

    /// The node that it is an operand of, and whether the number of operands after it is odd.
    fn parent_and_side(&self) -> Option<(Native<'a>, bool)> {
        let (program, root) = self.whole.native.parts();
        let first = root + 1 - self.whole.native.size();
        let (_, at) = self.native.parts();
        let parents = self.whole.parents.get_or_init(|| parents(self.whole.native));
        let parent = *parents.get(at - first)?;
        let place = parent.place as usize;
        (place < parents.len()).then(|| (Native::at(program, first + place), parent.is_odd))
    }

    /// Its place.
    pub(super) fn label(&self) -> Label<'a> {
        self.native.label()
    }

    /// The place of some bytes of its file.
    pub(super) fn label_of(&self, span: Span) -> Label<'a> {
        Label::new(self.native.source(), span)
    }
}

/// The node that another one is an operand of.
#[derive(Clone, Copy)]
struct Parent {
    /// The place in the expression; the number of nodes for the root.
    place: u32,
    /// Whether the number of operands after it is odd.
    is_odd: bool,
}

/// A node whose operands are being visited from the last to the first.
struct Open {
    /// Its first node.
    start: usize,
    at: usize,
    /// Whether the number of operands that were visited is odd.
    is_odd: bool,
}

/// Returns the parent of each node of an expression.
fn parents(root: Native<'_>) -> Vec<Parent> {
    let (program, last) = root.parts();
    let first = last + 1 - root.size();
    let none = Parent { place: root.size() as u32, is_odd: false };
    let mut parents = vec![none; root.size()];
    let mut open: Vec<Open> = Vec::new();
    for at in (first..=last).rev() {
        while open.last().is_some_and(|open| at < open.start) {
            open.pop();
        }
        if let Some(parent) = open.last_mut() {
            let place = (parent.at - first) as u32;
            parents[at - first] = Parent { place, is_odd: parent.is_odd };
            parent.is_odd = !parent.is_odd;
        }
        let size = Native::at(program, at).size();
        if size > 1 {
            open.push(Open { start: at + 1 - size, at, is_odd: false });
        }
    }
    parents
}

/// Visits the nodes of these kinds of a native file, in the order of the file.
///
/// Cost: linear in the nodes.
pub(super) fn visit_native<'a>(
    file: ParsedFile<'a>,
    wanted: NodeKinds,
    mut visit: impl FnMut(NodeKinds, &RuleNode<'_, 'a>),
) {
    for attribute in file.as_native().into_iter().flat_map(|file| file.attributes()) {
        visit_attribute(attribute, wanted, &mut visit);
    }
}

/// Visits the nodes of these kinds of an attribute.
///
/// Cost: linear in the nodes.
pub(super) fn visit_attribute<'a>(
    attribute: FileAttribute<'a>,
    wanted: NodeKinds,
    mut visit: impl FnMut(NodeKinds, &RuleNode<'_, 'a>),
) {
    if let Ok(native) = attribute.expression() {
        visit_nodes(native, wanted, &mut visit);
    }
}

/// Visits the nodes of these kinds of the templates of a JSON file, in the order of the file.
///
/// Cost: parses all templates.
pub(super) fn visit_json<'a>(
    file: ParsedFile<'a>,
    wanted: NodeKinds,
    mut visit: impl FnMut(NodeKinds, &RuleNode<'_, 'a>),
) {
    for template in file.as_json().into_iter().flat_map(|document| document.templates()) {
        if let Some(native) = template.program().and_then(Native::of) {
            visit_nodes(native, wanted, &mut visit);
        }
    }
}

fn visit_nodes<'a>(
    native: Native<'a>,
    wanted: NodeKinds,
    visit: &mut dyn FnMut(NodeKinds, &RuleNode<'_, 'a>),
) {
    let (program, last) = native.parts();
    let first = last + 1 - native.size();
    let whole = Whole { native, parents: OnceCell::new() };
    for (at, node) in program.nodes.iter().enumerate().take(last + 1).skip(first) {
        let kinds = NodeKinds::of(node.kind);
        if kinds.meets(wanted) {
            let native = Native::at(program, at);
            visit(kinds, &RuleNode { native, whole: &whole });
        }
    }
}

/// The text after each `${` and `%{` of a JSON file, up to the end of its string.
pub(super) fn texts_of_templates(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = [memmem::find_iter(bytes, b"${"), memmem::find_iter(bytes, b"%{")];
    starts.into_iter().flatten().map(move |start| {
        let rest = &bytes[start..];
        let mut end = 0;
        // A quote without a backslash before it ends the string. Other texts are only too long.
        loop {
            match memchr::memchr2(b'"', b'\\', &rest[end..]) {
                Some(at) if rest[end + at] == b'\\' => end = (end + at + 2).min(rest.len()),
                Some(at) => return &rest[..end + at],
                None => return rest,
            }
        }
    })
}
