//! Values, what is unknown and what is sensitive, merged into leaves by one iterative walk.
//!
//! ```text
//!  before, before_sensitive ──────────────┐
//!                                         ├─ walk ──► (path, leaf before, leaf after, forces replacement)
//!  after, after_unknown, after_sensitive ─┘
//! ```
//!
//! A [`Leaf`] is a scalar, an empty container, or a whole value below which there is nothing to tell apart: one
//! that is sensitive as a whole, that becomes unknown, or that changes its type. Members are walked in the
//! order of their names, which is the order in which the tools write them; objects in another order are
//! sorted first. Each byte of the values is compared a constant number of times, so differences cost linear
//! time whatever the depth is.
//!
//! Where a tree of marks does not fit its value, the misfit is kept ([`Leaves::misfits`]), and the value
//! counts as unmarked there.

use super::decimal;
use super::field::ChildNodes;
use super::names::ActionKind;
use super::path::{Path, Step};
use super::plan::{Change, Tree, tree_or_none};
use super::state::Resource;
use crate::diagnostic::{Code, Diagnostic};
use crate::event::Kind;
use crate::json::{Elements, Member, Members, Node, Value};

/// What a leaf holds.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// There is no such value.
    Absent,
    /// `null`
    Null,
    /// A value.
    Known(Node<'a>),
    /// It is not known yet.
    Unknown,
}

/// One leaf of a value.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// What it holds.
    pub content: Content<'a>,
    /// Whether it, or a part of it, is sensitive.
    pub is_sensitive: bool,
    /// Whether parts of a value that is told as a whole are not known yet.
    pub is_partly_unknown: bool,
}

/// A leaf that is not the same before and after.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    /// The leaf before.
    pub before: Leaf<'a>,
    /// The leaf after.
    pub after: Leaf<'a>,
    /// Whether the path is one of those that force replacement, or inside of one.
    pub forces_replacement: bool,
}

impl Difference<'_> {
    /// Whether one of the sides is sensitive, so that neither should be shown.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        self.before.is_sensitive || self.after.is_sensitive
    }
}

/// Walks the leaves of one value.
pub struct Leaves<'a> {
    walk: Walk<'a>,
}

impl<'a> Leaves<'a> {
    /// The leaves of a value with its marks.
    #[must_use]
    pub fn new(value: Option<Node<'a>>, unknown: Tree<'a>, sensitive: Tree<'a>) -> Self {
        let side = Side { value, unknown: marks(unknown), sensitive: marks(sensitive) };
        Self { walk: Walk::new([Side::ABSENT, side], Replace::default(), false) }
    }

    /// The path of the last leaf.
    #[must_use]
    pub fn path(&self) -> Path<'_, 'a> {
        Path::new(&self.walk.path)
    }

    /// The marks found so far that do not fit their values.
    #[must_use]
    pub fn misfits(&self) -> &[Diagnostic<'a>] {
        &self.walk.misfits
    }
}

impl<'a> Iterator for Leaves<'a> {
    type Item = Leaf<'a>;

    fn next(&mut self) -> Option<Leaf<'a>> {
        self.walk.next().map(|difference| difference.after)
    }
}

/// Walks the leaves that a change makes different.
pub struct Differences<'a> {
    walk: Walk<'a>,
}

impl<'a> Differences<'a> {
    /// The same, with messages that say of which instance they speak.
    #[must_use]
    pub fn of_instance(mut self, address: &'a str) -> Self {
        self.walk.address = address;
        self
    }

    /// The path of the last difference.
    #[must_use]
    pub fn path(&self) -> Path<'_, 'a> {
        Path::new(&self.walk.path)
    }

    /// The marks found so far that do not fit their values.
    #[must_use]
    pub fn misfits(&self) -> &[Diagnostic<'a>] {
        &self.walk.misfits
    }
}

impl<'a> Iterator for Differences<'a> {
    type Item = Difference<'a>;

    fn next(&mut self) -> Option<Difference<'a>> {
        self.walk.next()
    }
}

impl std::fmt::Debug for Leaves<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leaves").field("path", &self.path()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Differences<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Differences").field("path", &self.path()).finish_non_exhaustive()
    }
}

impl<'a> Change<'a> {
    /// The leaves of the value before.
    #[must_use]
    pub fn before_leaves(self) -> Leaves<'a> {
        let sensitive = tree_or_none(self.before_sensitive());
        Leaves::new(self.object().get("before"), Tree::Whole(false), sensitive)
    }

    /// The leaves of the value after.
    #[must_use]
    pub fn after_leaves(self) -> Leaves<'a> {
        let unknown = tree_or_none(self.after_unknown());
        let sensitive = tree_or_none(self.after_sensitive());
        Leaves::new(self.object().get("after"), unknown, sensitive)
    }

    /// The leaves that differ. Where the texts of both values are the same, nothing is opened.
    #[must_use]
    pub fn differences(self) -> Differences<'a> {
        let mut sides = [Side::ABSENT, Side::ABSENT];
        let mut replace = Replace::default();
        for member in self.object().members() {
            let (name, value) = (member.name(), member.value());
            let side = &mut sides[usize::from(name.to_bytes().starts_with(b"after"))];
            match name.to_bytes() {
                b"before" | b"after" => {
                    side.value.get_or_insert(value);
                }
                b"after_unknown" => side.unknown = Marks::of(value),
                b"before_sensitive" | b"after_sensitive" => side.sensitive = Marks::of(value),
                b"replace_paths" => replace = Replace::of(value),
                _ => {}
            }
        }
        Differences { walk: Walk::new(sides, replace, true) }
    }

    /// Whether anything can differ, by the actions alone.
    #[must_use]
    pub fn is_no_op(self) -> bool {
        self.actions().value().is_some_and(|actions| actions.kind() == ActionKind::NoOp)
    }
}

impl<'a> Resource<'a> {
    /// The leaves of its attributes.
    #[must_use]
    pub fn leaves(self) -> Leaves<'a> {
        let sensitive = tree_or_none(self.sensitive_values());
        Leaves::new(self.values_node(), Tree::Whole(false), sensitive)
    }
}

/// Whether two JSON values are equal: numbers as decimals, strings as decoded text, objects by name. Linear,
/// but for sorting members that stand in another order, and without recursion.
#[must_use]
pub fn is_same_value<'a>(left: Node<'a>, right: Node<'a>) -> bool {
    let side = |value| Side { value: Some(value), ..Side::ABSENT };
    Walk::new([side(left), side(right)], Replace::default(), true).next().is_none()
}

/// A [`Tree`] with the common case of no marks apart.
#[derive(Clone, Copy, Debug)]
enum Marks<'a> {
    None,
    All,
    Inside(Node<'a>),
}

fn marks(tree: Tree<'_>) -> Marks<'_> {
    match tree {
        Tree::Whole(false) => Marks::None,
        Tree::Whole(true) => Marks::All,
        Tree::Object(object) => Marks::of(object.node()),
        Tree::Array(array) => Marks::of(array.node()),
    }
}

impl<'a> Marks<'a> {
    fn of(node: Node<'a>) -> Self {
        match node.as_bool() {
            Some(true) => Self::All,
            // What a tree cannot be is diagnosed with the types of the document.
            _ if !node.is_object() && !node.is_array() => Self::None,
            _ if matches!(node.text(), b"{}" | b"[]") => Self::None,
            _ => Self::Inside(node),
        }
    }

    fn of_child(node: Option<Node<'a>>) -> Self {
        node.map_or(Self::None, Self::of)
    }

    fn is_none(self) -> bool {
        matches!(self, Self::None)
    }

    /// Whether the trees are written alike, or there are none.
    fn is_same_text(self, other: Self) -> bool {
        match (self, other) {
            (Self::Inside(left), Self::Inside(right)) => left.text() == right.text(),
            (Self::None, Self::None) | (Self::All, Self::All) => true,
            _ => false,
        }
    }

    /// Whether anything is marked.
    fn any(self) -> bool {
        let Self::Inside(root) = self else { return matches!(self, Self::All) };
        // In the text of a tree, `true` stands for a mark unless it is in a name.
        if !has_true(root.text()) {
            return false;
        }
        let mut stack = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(node) = next {
                match node.value() {
                    Value::Bool(true) => return true,
                    Value::Object(object) => {
                        stack.push(ChildNodes::Members(object.members()));
                    }
                    Value::Array(array) => {
                        stack.push(ChildNodes::Elements(array.elements()));
                    }
                    _ => {}
                }
            }
            let Some(nodes) = stack.last_mut() else { return false };
            next = nodes.next();
            if next.is_none() {
                stack.pop();
            }
        }
    }
}

/// Whether `true` occurs in a text.
fn has_true(text: &[u8]) -> bool {
    // Most trees are so short that preparing a search costs more than they do.
    match text.len() {
        0..=64 => text.windows(4).any(|window| window == b"true"),
        _ => memchr::memmem::find(text, b"true").is_some(),
    }
}

/// A value with its marks, at one place of the walk.
#[derive(Clone, Copy, Debug)]
struct Side<'a> {
    value: Option<Node<'a>>,
    unknown: Marks<'a>,
    sensitive: Marks<'a>,
}

/// What kind of value a side has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing, or null.
    Nothing,
    Scalar,
    Object,
    Array,
}

impl<'a> Side<'a> {
    const ABSENT: Self = Self { value: None, unknown: Marks::None, sensitive: Marks::None };

    #[inline]
    fn form(self) -> Form {
        match self.value.map(Node::event_kind) {
            None | Some(Kind::Null) => Form::Nothing,
            Some(Kind::StartObject) => Form::Object,
            Some(Kind::StartArray) => Form::Array,
            Some(_) => Form::Scalar,
        }
    }

    #[inline]
    fn has_marks(self) -> bool {
        !(self.unknown.is_none() && self.sensitive.is_none())
    }

    /// Trees that mark nothing are not walked.
    fn forget_empty_marks(&mut self) {
        for marks in [&mut self.unknown, &mut self.sensitive] {
            if matches!(marks, Marks::Inside(_)) && !marks.any() {
                *marks = Marks::None;
            }
        }
    }

    /// Whether there is nothing to tell apart below.
    fn is_whole(self) -> bool {
        matches!(self.unknown, Marks::All) || matches!(self.sensitive, Marks::All)
    }

    fn leaf(self) -> Leaf<'a> {
        let content = match self.value {
            _ if matches!(self.unknown, Marks::All) => Content::Unknown,
            None => Content::Absent,
            Some(node) if node.is_null() => Content::Null,
            Some(node) => Content::Known(node),
        };
        Leaf {
            content,
            is_sensitive: self.sensitive.any(),
            is_partly_unknown: matches!(self.unknown, Marks::Inside(_)) && self.unknown.any(),
        }
    }
}

/// How far the texts of two values agree, so that no byte is compared on every level.
#[derive(Clone, Copy, Debug)]
struct Agreement {
    before: u32,
    after: u32,
    len: u32,
}

struct Walk<'a> {
    frames: Vec<Frame<'a>>,
    path: Vec<Step<'a>>,
    root: Option<[Side<'a>; 2]>,
    replace: Replace<'a>,
    differences_only: bool,
    misfits: Vec<Diagnostic<'a>>,
    /// Whose value it is, for messages.
    address: &'a str,
    /// Whether the last step of the path belongs to the leaf given last.
    is_at_leaf: bool,
}

struct Frame<'a> {
    children: Children<'a>,
    agreement: Option<Agreement>,
    replace: Range,
    has_child: bool,
    /// What is told if there is no child.
    whole: [Side<'a>; 2],
}

#[allow(clippy::large_enum_variant, reason = "most containers are objects")]
enum Children<'a> {
    /// Values before and after, unknown, and sensitive before and after.
    Object([Cursor<'a>; 5]),
    Array([Option<Elements<'a>>; 5], u32),
}

impl<'a> Walk<'a> {
    fn new(sides: [Side<'a>; 2], replace: Replace<'a>, differences_only: bool) -> Self {
        Self {
            frames: Vec::new(),
            path: Vec::new(),
            root: Some(sides),
            replace,
            differences_only,
            misfits: Vec::new(),
            address: "",
            is_at_leaf: false,
        }
    }

    fn next(&mut self) -> Option<Difference<'a>> {
        if let Some(mut sides) = self.root.take() {
            sides.iter_mut().for_each(Side::forget_empty_marks);
            let [before, after] = sides;
            // Most changes leave a value as it is, text and marks: then nothing is opened.
            if self.differences_only
                && let (Some(left), Some(right)) = (before.value, after.value)
                && after.unknown.is_none()
                && before.sensitive.is_same_text(after.sensitive)
                && left.text() == right.text()
            {
                return None;
            }
            let range = self.replace.all();
            if let Some(leaf) = self.visit(sides, None, range) {
                return Some(leaf);
            }
        } else if std::mem::take(&mut self.is_at_leaf) {
            self.path.pop();
        }
        while let Some(frame) = self.frames.last_mut() {
            let Some((step, sides)) = frame.children.next() else {
                let (has_child, whole, range) = (frame.has_child, frame.whole, frame.replace);
                self.frames.pop();
                if !has_child && let Some(leaf) = self.tell(whole, range) {
                    self.is_at_leaf = !self.frames.is_empty();
                    return Some(leaf);
                }
                self.path.pop();
                continue;
            };
            frame.has_child = true;
            if self.differences_only && is_same_scalar(sides) {
                continue;
            }
            let (agreement, range) = (frame.agreement, frame.replace);
            let range = self.replace.narrow(range, step);
            let depth = self.frames.len();
            self.path.push(step);
            if let Some(leaf) = self.visit(sides, agreement, range) {
                self.is_at_leaf = true;
                return Some(leaf);
            }
            if self.frames.len() == depth {
                self.path.pop();
            }
        }
        None
    }

    /// Looks at one place: gives a leaf, enters a container, or neither if nothing differs below.
    fn visit(
        &mut self,
        mut sides: [Side<'a>; 2],
        agreement: Option<Agreement>,
        range: Range,
    ) -> Option<Difference<'a>> {
        for side in sides.iter_mut().filter(|side| side.has_marks()) {
            self.fit(side);
        }
        let [before, after] = sides;
        let agreement = match (before.value, after.value) {
            (Some(left), Some(right)) if self.differences_only => {
                let agreement = Agreement::below(agreement, left, right);
                let is_same =
                    agreement.len == left.span().len() && left.span().len() == right.span().len();
                if is_same && same_marks(before, after) {
                    return None;
                }
                Some(agreement)
            }
            _ => None,
        };
        let forms = [before.form(), after.form()];
        let container = match forms {
            [form, Form::Nothing] | [Form::Nothing, form] => form,
            [left, right] if left == right => left,
            _ => Form::Scalar,
        };
        if before.is_whole() || after.is_whole() || !matches!(container, Form::Object | Form::Array)
        {
            return self.tell(sides, range);
        }
        let (children, has_child) = if container == Form::Object {
            Children::object(sides, agreement)
        } else {
            (Children::array(sides), false)
        };
        self.frames.push(Frame { children, agreement, replace: range, has_child, whole: sides });
        None
    }

    /// The leaf at this place, if it is wanted.
    fn tell(&self, sides: [Side<'a>; 2], range: Range) -> Option<Difference<'a>> {
        let [before, after] = sides.map(Side::leaf);
        let is_same = self.differences_only && is_same_leaf(before, after);
        let forces_replacement = range.forces();
        (!is_same).then_some(Difference { before, after, forces_replacement })
    }

    /// Takes away marks that do not fit the value.
    fn fit(&mut self, side: &mut Side<'a>) {
        let form = side.form();
        if let Marks::Inside(node) = side.unknown {
            let fits = match form {
                Form::Object => node.is_object(),
                Form::Array => {
                    let len =
                        |node: Node<'a>| node.as_array().map(|array| array.elements().count());
                    node.is_array() && len(node) == side.value.and_then(len)
                }
                _ => false,
            };
            if !fits {
                if side.unknown.any() || form != Form::Nothing {
                    self.misfit(node, "what is unknown");
                }
                if form != Form::Array || !node.is_array() {
                    side.unknown = Marks::None;
                }
            }
        }
        if let (Marks::All, Some(node)) = (side.unknown, side.value.filter(|node| !node.is_null()))
        {
            self.misfit(node, "what is unknown");
        }
        if let Marks::Inside(node) = side.sensitive {
            let fits = match form {
                Form::Object => node.is_object(),
                Form::Array => node.is_array(),
                // Trees of what is sensitive have empty places for unknown containers.
                Form::Nothing => true,
                Form::Scalar => false,
            };
            if !fits {
                self.misfit(node, "what is sensitive");
                // What exactly is secret is not known, so all of it is.
                side.sensitive = if side.sensitive.any() { Marks::All } else { Marks::None };
            }
        }
    }

    #[cold]
    fn misfit(&mut self, node: Node<'a>, tree: &'static str) {
        let source = node.source();
        let path = Path::abridged(&self.path).below(self.address);
        let path = source.arena().format(format_args!("{path}"));
        self.misfits.push(
            Diagnostic::new(Code::MarksMisfit, source, node.start_span())
                .with_arguments(&[tree, path]),
        );
    }
}

/// Whether both sides are scalars without marks that are written alike.
#[inline]
fn is_same_scalar([before, after]: [Side<'_>; 2]) -> bool {
    let (Some(left), Some(right)) = (before.value, after.value) else { return false };
    !left.event_kind().is_start()
        && !before.has_marks()
        && !after.has_marks()
        && left.text() == right.text()
}

/// Whether neither side has marks of its own that could make equal texts differ.
fn same_marks(before: Side<'_>, after: Side<'_>) -> bool {
    let same_sensitive = matches!(
        (before.sensitive, after.sensitive),
        (Marks::None, Marks::None) | (Marks::All, Marks::All)
    );
    same_sensitive && before.unknown.is_none() && after.unknown.is_none()
}

fn is_same_leaf<'a>(before: Leaf<'a>, after: Leaf<'a>) -> bool {
    !before.is_partly_unknown
        && !after.is_partly_unknown
        && match (before.content, after.content) {
            (Content::Absent | Content::Null, Content::Absent | Content::Null) => true,
            (Content::Known(left), Content::Known(right)) => {
                before.is_sensitive == after.is_sensitive && is_same_known(left, right)
            }
            _ => false,
        }
}

fn is_same_known<'a>(left: Node<'a>, right: Node<'a>) -> bool {
    match (left.value(), right.value()) {
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => decimal::equal(left.text(), right.text()),
        (Value::String(left), Value::String(right)) => {
            if left.is_escaped() || right.is_escaped() {
                left.to_str() == right.to_str()
            } else {
                left.to_bytes() == right.to_bytes()
            }
        }
        (Value::Object(left), Value::Object(right)) => {
            (left.is_empty() && right.is_empty()) || is_same_value(left.node(), right.node())
        }
        (Value::Array(left), Value::Array(right)) => {
            (left.is_empty() && right.is_empty()) || is_same_value(left.node(), right.node())
        }
        _ => false,
    }
}

impl Agreement {
    /// How far the texts of two values agree, given how far those of their containers do.
    fn below(outer: Option<Self>, left: Node<'_>, right: Node<'_>) -> Self {
        let (before, after) = (left.offset(), right.offset());
        if let Some(outer) = outer {
            let (left_at, right_at) = (before - outer.before, after - outer.after);
            if left_at == right_at && left_at < outer.len {
                let len = (outer.len - left_at).min(left.span().len());
                return Self { before, after, len };
            }
        }
        let len = common_prefix(left.text(), right.text()) as u32;
        Self { before, after, len }
    }
}

impl Agreement {
    /// Passes the members whose values end inside of what agrees; gives whether there are such.
    fn skip<'a>(self, left: &mut Members<'a>, right: &mut Members<'a>) -> bool {
        let mut has_skipped = false;
        loop {
            let (mut left_ahead, mut right_ahead) = (left.clone(), right.clone());
            let (Some(member), Some(_)) = (left_ahead.next(), right_ahead.next()) else { break };
            // The byte behind must agree too: a number could go on there.
            if member.value().span().end - self.before >= self.len {
                break;
            }
            (*left, *right) = (left_ahead, right_ahead);
            has_skipped = true;
        }
        has_skipped
    }
}

/// How many bytes two texts have in common at their start.
fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let chunks = left.as_chunks::<64>().0.iter().zip(right.as_chunks::<64>().0);
    let len = 64 * chunks.take_while(|(left, right)| left == right).count();
    len + left[len..].iter().zip(&right[len..]).take_while(|(left, right)| left == right).count()
}

impl<'a> Children<'a> {
    /// The children of objects, without those at the start that are written alike in both; and whether there
    /// are such.
    fn object([before, after]: [Side<'a>; 2], agreement: Option<Agreement>) -> (Self, bool) {
        let members =
            |node: Option<Node<'a>>| node.and_then(Node::as_object).map(|object| object.members());
        let marks = |marks| match marks {
            Marks::Inside(node) => Cursor::new(members(Some(node))),
            _ => Cursor::new(None),
        };
        let (mut left, mut right) = (members(before.value), members(after.value));
        let mut has_agreed = false;
        if let (Some(left), Some(right), Some(agreement)) = (&mut left, &mut right, agreement)
            && same_marks(before, after)
        {
            has_agreed = agreement.skip(left, right);
        }
        let children = Self::Object([
            Cursor::new(left),
            Cursor::new(right),
            marks(after.unknown),
            marks(before.sensitive),
            marks(after.sensitive),
        ]);
        (children, has_agreed)
    }

    fn array([before, after]: [Side<'a>; 2]) -> Self {
        let elements =
            |node: Option<Node<'a>>| node.and_then(Node::as_array).map(|array| array.elements());
        let marks = |marks| match marks {
            Marks::Inside(node) => elements(Some(node)),
            _ => None,
        };
        let all = [
            elements(before.value),
            elements(after.value),
            marks(after.unknown),
            marks(before.sensitive),
            marks(after.sensitive),
        ];
        Self::Array(all, 0)
    }

    fn next(&mut self) -> Option<(Step<'a>, [Side<'a>; 2])> {
        match self {
            Self::Object(cursors) => {
                let [left, right, unknown, sensitive_left, sensitive_right] = cursors;
                let least = least(least(left.current, right.current), unknown.current)?;
                let bytes = least.name;
                let before = Side {
                    value: left.take_up_to(bytes),
                    unknown: Marks::None,
                    sensitive: Marks::of_child(sensitive_left.take_up_to(bytes)),
                };
                let after = Side {
                    value: right.take_up_to(bytes),
                    unknown: Marks::of_child(unknown.take_up_to(bytes)),
                    sensitive: Marks::of_child(sensitive_right.take_up_to(bytes)),
                };
                Some((Step::Name(least.member.name()), [before, after]))
            }
            Self::Array(all, index) => {
                let [before, after, unknown, sensitive_before, sensitive_after] =
                    all.each_mut().map(|elements| elements.as_mut().and_then(Iterator::next));
                if before.is_none() && after.is_none() && unknown.is_none() {
                    return None;
                }
                let step = Step::Index(*index);
                *index += 1;
                let before = Side {
                    value: before,
                    unknown: Marks::None,
                    sensitive: Marks::of_child(sensitive_before),
                };
                let after = Side {
                    value: after,
                    unknown: Marks::of_child(unknown),
                    sensitive: Marks::of_child(sensitive_after),
                };
                Some((step, [before, after]))
            }
        }
    }
}

/// A member with its decoded name.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a [u8],
    member: Member<'a>,
}

impl<'a> Named<'a> {
    fn of(member: Member<'a>) -> Self {
        Self { name: member.name().to_bytes(), member }
    }
}

/// The one whose name comes first.
#[inline]
fn least<'a>(left: Option<Named<'a>>, right: Option<Named<'a>>) -> Option<Named<'a>> {
    match (left, right) {
        (Some(one), Some(other)) => Some(if other.name < one.name { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The members of an object in the order of their names, of those with the same name the first.
struct Cursor<'a> {
    current: Option<Named<'a>>,
    rest: Rest<'a>,
}

enum Rest<'a> {
    /// They stand in that order.
    InOrder(Members<'a>),
    /// Members that stand in another order, the last first.
    Sorted(Vec<Named<'a>>),
    Nothing,
}

impl<'a> Cursor<'a> {
    fn new(members: Option<Members<'a>>) -> Self {
        let Some(mut members) = members else { return Self { current: None, rest: Rest::Nothing } };
        if is_sorted(members.clone()) {
            let current = members.next().map(Named::of);
            Self { current, rest: Rest::InOrder(members) }
        } else {
            Self::sorted(members)
        }
    }

    #[cold]
    fn sorted(members: Members<'a>) -> Self {
        let mut members: Vec<Named<'a>> = members.map(Named::of).collect();
        members.sort_by_key(|named| named.name);
        members.dedup_by_key(|named| named.name);
        members.reverse();
        Self { current: members.pop(), rest: Rest::Sorted(members) }
    }

    /// The value of that name. Members before it are passed.
    #[inline(always)]
    fn take_up_to(&mut self, name: &[u8]) -> Option<Node<'a>> {
        // Most cursors have nothing, or what comes next.
        let current = self.current?;
        if current.name == name {
            self.advance();
            return Some(current.member.value());
        }
        self.pass_up_to(name)
    }

    fn pass_up_to(&mut self, name: &[u8]) -> Option<Node<'a>> {
        loop {
            let current = self.current?;
            if current.name > name {
                return None;
            }
            self.advance();
            if current.name == name {
                return Some(current.member.value());
            }
        }
    }

    fn advance(&mut self) {
        self.current = match &mut self.rest {
            Rest::InOrder(members) => members.next().map(Named::of),
            Rest::Sorted(members) => members.pop(),
            Rest::Nothing => None,
        };
    }
}

/// Whether names ascend and none has an escape, so that none has to be decoded to be compared.
pub(crate) fn is_sorted(members: Members<'_>) -> bool {
    let mut last: Option<&[u8]> = None;
    for member in members {
        let name = member.name();
        if name.is_escaped() || last.is_some_and(|last| last >= name.to_bytes()) {
            return false;
        }
        last = Some(name.to_bytes());
    }
    true
}

/// The paths that force replacement, sorted, with indices as text.
#[derive(Default)]
struct Replace<'a> {
    paths: Vec<Vec<&'a str>>,
}

/// Those of the paths that begin with the steps so far.
#[derive(Clone, Copy, Debug)]
struct Range {
    start: usize,
    end: usize,
    depth: usize,
    /// Whether one of them has ended, so that all below is forced.
    has_ended: bool,
}

impl Range {
    fn forces(self) -> bool {
        self.has_ended || self.start < self.end
    }
}

impl<'a> Replace<'a> {
    fn of(node: Node<'a>) -> Self {
        let mut paths = Vec::new();
        for path in node.as_array().into_iter().flat_map(|array| array.elements()) {
            let steps = path.as_array().into_iter().flat_map(|array| array.elements());
            // Steps of other types, into sets, name no place that a document shows: the path ends there.
            let steps = steps.map_while(|step| match step.as_number() {
                Some(number) => Some(number.text()),
                None => step.to_str(),
            });
            paths.push(steps.collect::<Vec<_>>());
        }
        paths.sort_unstable();
        Self { paths }
    }

    fn all(&self) -> Range {
        self.ended(Range { start: 0, end: self.paths.len(), depth: 0, has_ended: false })
    }

    fn narrow(&self, range: Range, step: Step<'a>) -> Range {
        if !range.forces() || range.has_ended {
            return range;
        }
        let mut digits = String::new();
        let step = match step {
            Step::Name(name) => name.to_str(),
            Step::Index(index) => {
                digits.push_str(&index.to_string());
                digits.as_str()
            }
        };
        let paths = &self.paths[range.start..range.end];
        let at = |path: &Vec<&'a str>| path.get(range.depth).copied();
        let start = range.start + paths.partition_point(|path| at(path) < Some(step));
        let end = range.start + paths.partition_point(|path| at(path) <= Some(step));
        self.ended(Range { start, end, depth: range.depth + 1, has_ended: false })
    }

    /// Notes whether the first path, which is the shortest, ends here.
    fn ended(&self, mut range: Range) -> Range {
        let first = self.paths[range.start..range.end].first();
        range.has_ended = first.is_some_and(|path| path.len() == range.depth);
        range
    }
}
