//! Merges values with their unknown and sensitive marks into leaves, by one iterative walk.
//!
//! ```text
//!  before, before_sensitive ──────────────┐
//!                                         ├─ walk ──► (path, leaf before, leaf after, forces replacement)
//!  after, after_unknown, after_sensitive ─┘
//! ```
//!
//! A [`Leaf`] is a scalar, an empty container, or a whole value without distinct parts: one that is
//! sensitive as a whole, that becomes unknown, or that changes its type. Members are walked in the
//! order of their names, which is the order in which the tools write them; objects in another order
//! are sorted first. Each byte of the values is compared a constant number of times, so differences
//! cost linear time at any depth.
//!
//! If a tree of marks does not fit its value, the misfit is recorded ([`Leaves::misfits`]). An
//! unknown mark is ignored there; a sensitive one hides the whole value. A tree without marks
//! always fits.

mod children;
mod dynamic;
mod leaf;
mod replace;
mod side;
mod value;
mod wanted;

use self::children::{Agreement, Children};
use self::dynamic::{Dynamic, unwrapped};
pub use self::leaf::{Content, Leaf};
use self::replace::{Range, Replace};
use self::side::{Form, is_same_scalar, marks, same_marks};
pub(crate) use self::side::{Marks, Side};
pub(crate) use self::value::{SECRET, UNREADABLE, is_redacted, is_secret, to_value};
pub(crate) use self::wanted::{Part, Wanted};
use super::mark_tree::{MarkTree, sensitive_or_none, tree_or_none};
use super::names::ActionKind;
use super::path::{Path, Step};
use super::plan::Change;
use super::state::{RawInstance, Resource};
use crate::diagnostic::{Code, Diagnostic};
use crate::json::{JsonValue, Node, Object};
use crate::lexical::decimal;

/// A leaf that differs between before and after.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    /// The leaf before.
    pub before: Leaf<'a>,
    /// The leaf after.
    pub after: Leaf<'a>,
    /// Whether the path is one of those that force replacement, or is below one.
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
    pub fn new(value: Option<Node<'a>>, unknown: MarkTree<'a>, sensitive: MarkTree<'a>) -> Self {
        let side = Side { value, unknown: marks(unknown), sensitive: marks(sensitive) };
        Self { walk: Walk::new([Side::ABSENT, side], Replace::default(), false) }
    }

    /// The path of the last leaf.
    #[must_use]
    pub fn path(&self) -> Path<'_, 'a> {
        Path::new(&self.walk.path)
    }

    /// The misfits so far: marks that do not fit their values.
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

/// Walks the leaves that a change modifies.
pub struct Differences<'a> {
    walk: Walk<'a>,
}

impl<'a> Differences<'a> {
    /// Sets the address of the instance, for messages.
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

    /// The misfits so far: marks that do not fit their values.
    #[must_use]
    pub fn misfits(&self) -> &[Diagnostic<'a>] {
        &self.walk.misfits
    }

    /// The paths that force replacement but are not in any difference so far, as references, in the
    /// order of the document.
    #[must_use]
    pub fn unseen_replace_paths(&self) -> Vec<String> {
        self.walk.replace.unseen()
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
        let sensitive = sensitive_or_none(self.before_sensitive());
        Leaves::new(self.object().get("before"), MarkTree::Whole(false), sensitive)
    }

    /// The leaves of the value after.
    ///
    /// ```
    /// use simd_hcl::show::Plan;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// let change = plan.changes().next().unwrap().change().value().unwrap();
    /// let mut leaves = change.after_leaves();
    /// assert!(leaves.next().is_some());
    /// assert_eq!(leaves.path().to_string(), "size");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn after_leaves(self) -> Leaves<'a> {
        let unknown = tree_or_none(self.after_unknown());
        let sensitive = sensitive_or_none(self.after_sensitive());
        Leaves::new(self.object().get("after"), unknown, sensitive)
    }

    /// The leaves that differ. If the texts of both values are equal, nothing is opened.
    ///
    /// ```
    /// use simd_hcl::show::Plan;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// let change = plan.changes().next().unwrap().change().value().unwrap();
    /// let mut differences = change.differences();
    /// while differences.next().is_some() {
    ///     assert_eq!(differences.path().to_string(), "size");
    /// }
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn differences(self) -> Differences<'a> {
        self.walk(true)
    }

    /// All leaves, before and after, including equal ones.
    #[must_use]
    pub fn leaves(self) -> Differences<'a> {
        self.walk(false)
    }

    fn walk(self, differences_only: bool) -> Differences<'a> {
        let (sides, replace_paths) = self.sides();
        let replace = replace_paths.map(Replace::of).unwrap_or_default();
        Differences { walk: Walk::new(sides, replace, differences_only) }
    }

    /// The values before and after with their marks, and the paths that force replacement.
    pub(crate) fn sides(self) -> ([Side<'a>; 2], Option<Node<'a>>) {
        let mut sides = [Side::ABSENT, Side::ABSENT];
        let mut replace_paths = None;
        for member in self.object().members() {
            let (name, value) = (member.name(), member.value());
            let side = &mut sides[usize::from(name.to_bytes().starts_with(b"after"))];
            match name.to_bytes() {
                b"before" | b"after" => {
                    side.value.get_or_insert(value);
                }
                b"after_unknown" => side.unknown = Marks::of(value),
                b"before_sensitive" | b"after_sensitive" => {
                    side.sensitive = Marks::of_sensitive(value);
                }
                b"replace_paths" => replace_paths = Some(value),
                _ => {}
            }
        }
        (sides, replace_paths)
    }

    /// Whether anything can differ, judging only by the actions.
    #[must_use]
    pub fn is_no_op(self) -> bool {
        self.actions().value().is_some_and(|actions| actions.kind() == ActionKind::NoOp)
    }
}

impl<'a> Resource<'a> {
    /// The leaves of its attributes.
    #[must_use]
    pub fn leaves(self) -> Leaves<'a> {
        let sensitive = sensitive_or_none(self.sensitive_values());
        Leaves::new(self.values_node(), MarkTree::Whole(false), sensitive)
    }
}

impl<'a> RawInstance<'a> {
    /// The leaves of its attributes. [`redact::Places::of_raw_state`](super::redact::Places) has
    /// the sensitive ones.
    ///
    /// State files store a value of a dynamic type as `{"value": VALUE, "type": TYPE}`: its leaves
    /// are those of the value. Without the schema, an object with exactly these members counts as
    /// one if `TYPE` is a type that fits the value.
    #[must_use]
    pub fn leaves(self) -> Leaves<'a> {
        let attributes = self.attributes().value().or_else(|| self.attributes_flat().value());
        let no_marks = MarkTree::Whole(false);
        let mut leaves = Leaves::new(attributes.map(Object::node), no_marks, no_marks);
        leaves.walk.dynamic = Dynamic::StoredWithType;
        leaves
    }
}

/// Whether two JSON values are equal: numbers as decimals, strings as decoded text, objects by
/// name. Linear, except for sorting members in a different order, and without recursion.
#[must_use]
pub fn is_same_value<'a>(left: Node<'a>, right: Node<'a>) -> bool {
    let side = |value| Side { value: Some(value), ..Side::ABSENT };
    Walk::new([side(left), side(right)], Replace::default(), true).next().is_none()
}

struct Walk<'a> {
    frames: Vec<Frame<'a>>,
    path: Vec<Step<'a>>,
    root: Option<[Side<'a>; 2]>,
    replace: Replace<'a>,
    differences_only: bool,
    misfits: Vec<Diagnostic<'a>>,
    /// The address of the value, for messages.
    address: &'a str,
    /// Whether the last step of the path belongs to the last leaf.
    is_at_leaf: bool,
    dynamic: Dynamic,
}

struct Frame<'a> {
    children: Children<'a>,
    agreement: Option<Agreement>,
    replace: Range,
    has_child: bool,
    /// The leaf to return if there is no child.
    whole: [Side<'a>; 2],
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
            dynamic: Dynamic::AsValue,
        }
    }

    fn next(&mut self) -> Option<Difference<'a>> {
        if let Some(mut sides) = self.root.take() {
            sides.iter_mut().for_each(Side::forget_empty_marks);
            let [before, after] = sides;
            // Most changes leave a value and its marks unchanged. Then nothing is opened.
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
                if has_child && let Some(outer) = self.frames.last_mut() {
                    outer.has_child = true;
                }
                if !has_child && let Some(leaf) = self.tell(whole, range) {
                    self.note_child();
                    self.is_at_leaf = !self.frames.is_empty();
                    return Some(leaf);
                }
                self.path.pop();
                continue;
            };
            // A name that occurs only in the tree of unknown values is a child only if a part of it
            // is unknown.
            frame.has_child |= sides.iter().any(|side| side.value.is_some());
            if self.differences_only && is_same_scalar(sides) {
                continue;
            }
            let (agreement, range) = (frame.agreement, frame.replace);
            let range = self.replace.narrow(range, step);
            let depth = self.frames.len();
            self.path.push(step);
            if let Some(leaf) = self.visit(sides, agreement, range) {
                self.note_child();
                self.is_at_leaf = true;
                return Some(leaf);
            }
            if self.frames.len() == depth {
                self.path.pop();
            }
        }
        None
    }

    /// Records that the innermost container has a child.
    fn note_child(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.has_child = true;
        }
    }

    /// Visits one place: returns a leaf, enters a container, or does neither if nothing differs
    /// below.
    fn visit(
        &mut self,
        mut sides: [Side<'a>; 2],
        agreement: Option<Agreement>,
        range: Range,
    ) -> Option<Difference<'a>> {
        if self.dynamic.is_stored_with_type(self.frames.len()) {
            for side in &mut sides {
                if let Some(value) = side.value.and_then(unwrapped) {
                    side.value = Some(value);
                    self.dynamic = Dynamic::Inside(self.frames.len());
                }
            }
        }
        for side in sides.iter_mut().filter(|side| side.has_marks()) {
            let (path, address, misfits) = (&self.path, self.address, &mut self.misfits);
            side.fit(|node, tree| misfits.push(misfit(node, tree, path, address)));
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
        let mut container = before.form().join(after.form());
        if let Marks::Inside(_) = after.unknown {
            let joined = container.join(after.unknown.form());
            if joined == Form::Scalar && container != Form::Scalar && !after.unknown.any() {
                sides[1].unknown = Marks::None;
            } else {
                container = joined;
            }
        }
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

    /// The leaf at this place, if it is selected.
    fn tell(&mut self, sides: [Side<'a>; 2], range: Range) -> Option<Difference<'a>> {
        let is_nothing = sides.iter().all(|side| side.value.is_none());
        if is_nothing && !matches!(sides[1].unknown, Marks::All) && !self.path.is_empty() {
            return None;
        }
        let [before, after] = sides.map(Side::leaf);
        if self.differences_only && is_same_leaf(before, after) {
            return None;
        }
        self.replace.note(range);
        Some(Difference { before, after, forces_replacement: range.forces() })
    }
}

/// The warning for a tree of marks that does not fit its value.
#[cold]
fn misfit<'a>(
    node: Node<'a>,
    tree: &'static str,
    path: &[Step<'a>],
    address: &str,
) -> Diagnostic<'a> {
    let path = Path::abridged(path).below(address);
    let path = node.source().arena().format(format_args!("{path}"));
    Diagnostic::new(Code::MarksMisfit, node.start_label()).with_arguments(&[tree, path])
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
        (JsonValue::Bool(left), JsonValue::Bool(right)) => left == right,
        (JsonValue::Number(left), JsonValue::Number(right)) => {
            decimal::equal(left.text(), right.text())
        }
        (JsonValue::String(left), JsonValue::String(right)) => {
            if left.is_escaped() || right.is_escaped() {
                left.to_str() == right.to_str()
            } else {
                left.to_bytes() == right.to_bytes()
            }
        }
        (JsonValue::Object(left), JsonValue::Object(right)) => {
            (left.is_empty() && right.is_empty()) || is_same_value(left.node(), right.node())
        }
        (JsonValue::Array(left), JsonValue::Array(right)) => {
            (left.is_empty() && right.is_empty()) || is_same_value(left.node(), right.node())
        }
        _ => false,
    }
}
