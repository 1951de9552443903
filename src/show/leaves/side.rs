//! A value with its marks, at one place of the walk.
//!
//! Trees without marks are recognized by their text, so that they are neither opened nor walked.

use super::leaf::{Content, Leaf};
use crate::event::Kind;
use crate::json::Node;
use crate::show::mark_text::has_mark;
use crate::show::mark_tree::MarkTree;

/// A [`MarkTree`], with the common case of no marks as a separate variant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Marks<'a> {
    None,
    All,
    Inside(Node<'a>),
}

pub(super) fn marks(tree: MarkTree<'_>) -> Marks<'_> {
    match tree {
        MarkTree::Whole(false) => Marks::None,
        MarkTree::Whole(true) => Marks::All,
        MarkTree::Object(object) => Marks::of(object.node()),
        MarkTree::Array(array) => Marks::of(array.node()),
    }
}

impl<'a> Marks<'a> {
    pub(super) fn of(node: Node<'a>) -> Self {
        match node.as_bool() {
            Some(true) => Self::All,
            // The check of the document's types reports other values.
            _ if !node.is_object() && !node.is_array() => Self::None,
            _ if matches!(node.text(), b"{}" | b"[]") => Self::None,
            _ => Self::Inside(node),
        }
    }

    /// The marks of a tree of sensitive parts. A tree of another type hides the whole value, since
    /// the secret part is not known.
    pub(crate) fn of_sensitive(node: Node<'a>) -> Self {
        match Self::of(node) {
            Self::None if is_mark(node) => Self::All,
            marks => marks,
        }
    }

    pub(super) fn of_child(node: Option<Node<'a>>) -> Self {
        node.map_or(Self::None, Self::of)
    }

    pub(super) fn of_sensitive_child(node: Option<Node<'a>>) -> Self {
        node.map_or(Self::None, Self::of_sensitive)
    }

    /// The form of the values that the tree fits.
    pub(super) fn form(self) -> Form {
        match self {
            Self::Inside(node) if node.is_object() => Form::Object,
            Self::Inside(_) => Form::Array,
            Self::None | Self::All => Form::Nothing,
        }
    }

    pub(super) fn is_none(self) -> bool {
        matches!(self, Self::None)
    }

    /// Whether the texts of the trees are equal, or both are missing.
    pub(super) fn is_same_text(self, other: Self) -> bool {
        match (self, other) {
            (Self::Inside(left), Self::Inside(right)) => left.text() == right.text(),
            (Self::None, Self::None) | (Self::All, Self::All) => true,
            _ => false,
        }
    }

    /// Whether a tree of unknown values marks anything. Cost: linear in its text; opens nothing.
    pub(crate) fn any(self) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Inside(root) => has_mark(root.text(), |first| first == b't'),
        }
    }

    /// Whether a tree of sensitive values hides anything. Cost: linear in its text; opens nothing.
    pub(crate) fn hides(self) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Inside(root) => has_mark(root.text(), |first| !matches!(first, b'f' | b'n')),
        }
    }
}

/// Whether a scalar in a tree of sensitive values is a mark: anything but `false` and `null`.
fn is_mark(node: Node<'_>) -> bool {
    let is_container = node.is_object() || node.is_array();
    !is_container && !node.is_null() && node.as_bool() != Some(false)
}

/// A value with its marks, at one place of the walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) value: Option<Node<'a>>,
    pub(crate) unknown: Marks<'a>,
    pub(crate) sensitive: Marks<'a>,
}

/// The kind of value on one side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing, or null.
    Nothing,
    Scalar,
    Object,
    Array,
}

impl Form {
    /// The form of two values side by side: the common form, or that of the only value; otherwise a
    /// scalar, below which there is nothing to compare.
    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (form, Self::Nothing) | (Self::Nothing, form) => form,
            (one, other) if one == other => one,
            _ => Self::Scalar,
        }
    }
}

impl<'a> Side<'a> {
    pub(crate) const ABSENT: Self =
        Self { value: None, unknown: Marks::None, sensitive: Marks::None };

    #[inline]
    pub(super) fn form(self) -> Form {
        match self.value.map(Node::event_kind) {
            None | Some(Kind::Null) => Form::Nothing,
            Some(Kind::StartObject) => Form::Object,
            Some(Kind::StartArray) => Form::Array,
            Some(_) => Form::Scalar,
        }
    }

    #[inline]
    pub(super) fn has_marks(self) -> bool {
        !(self.unknown.is_none() && self.sensitive.is_none())
    }

    /// Removes trees without marks, so that they are not walked.
    pub(crate) fn forget_empty_marks(&mut self) {
        if matches!(self.unknown, Marks::Inside(_)) && !self.unknown.any() {
            self.unknown = Marks::None;
        }
        if matches!(self.sensitive, Marks::Inside(_)) && !self.sensitive.hides() {
            self.sensitive = Marks::None;
        }
    }

    /// Whether the value has no distinct parts.
    pub(super) fn is_whole(self) -> bool {
        matches!(self.unknown, Marks::All) || matches!(self.sensitive, Marks::All)
    }

    /// Removes marks that do not fit the value: unknown ones are ignored, sensitive ones hide the
    /// whole value. Reports each tree that does not fit, and its kind.
    pub(super) fn fit(&mut self, mut misfit: impl FnMut(Node<'a>, &'static str)) {
        let form = self.form();
        let len = |node: Node<'a>| node.as_array().map(|array| array.elements().count());
        if let Marks::Inside(node) = self.unknown {
            let fits = match form {
                Form::Object => node.is_object(),
                Form::Array => node.is_array() && len(node) == self.value.and_then(len),
                Form::Scalar => false,
                // The tree describes the future content.
                Form::Nothing => true,
            };
            if !fits {
                if self.unknown.any() {
                    misfit(node, "what is unknown");
                }
                if form != Form::Array || !node.is_array() {
                    self.unknown = Marks::None;
                }
            }
        }
        if let (Marks::All, Some(node)) = (self.unknown, self.value.filter(|node| !node.is_null()))
        {
            misfit(node, "what is unknown");
        }
        if let Marks::Inside(node) = self.sensitive {
            let fits = match form {
                Form::Object => node.is_object(),
                Form::Array => node.is_array() && len(node) == self.value.and_then(len),
                // Sensitive trees have empty containers for unknown ones.
                Form::Nothing => true,
                Form::Scalar => false,
            };
            if !fits {
                // The secret part is not known, so the whole value is secret.
                let hides = self.sensitive.hides();
                self.sensitive = if hides { Marks::All } else { Marks::None };
                if hides {
                    misfit(node, "what is sensitive");
                }
            }
        }
    }

    pub(super) fn leaf(self) -> Leaf<'a> {
        let content = match self.value {
            _ if matches!(self.unknown, Marks::All) => Content::Unknown,
            None => Content::Absent,
            Some(node) if node.is_null() => Content::Null,
            Some(node) => Content::Known(node),
        };
        Leaf {
            content,
            is_sensitive: self.sensitive.hides(),
            is_partly_unknown: matches!(self.unknown, Marks::Inside(_)) && self.unknown.any(),
        }
    }
}

/// Whether both sides are scalars without marks and with the same text.
#[inline]
pub(super) fn is_same_scalar([before, after]: [Side<'_>; 2]) -> bool {
    let (Some(left), Some(right)) = (before.value, after.value) else { return false };
    !left.event_kind().is_start()
        && !before.has_marks()
        && !after.has_marks()
        && left.text() == right.text()
}

/// Whether neither side has marks that could make equal texts differ.
pub(super) fn same_marks(before: Side<'_>, after: Side<'_>) -> bool {
    let same_sensitive = matches!(
        (before.sensitive, after.sensitive),
        (Marks::None, Marks::None) | (Marks::All, Marks::All)
    );
    same_sensitive && before.unknown.is_none() && after.unknown.is_none()
}
