//! One leaf of a value.

use crate::json::Node;

/// The content of a leaf.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// The value does not exist.
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
#[non_exhaustive]
pub struct Leaf<'a> {
    /// The content.
    pub content: Content<'a>,
    /// Whether it, or a part of it, is sensitive.
    pub is_sensitive: bool,
    /// Whether parts of a value that is reported as a whole are not known yet.
    pub is_partly_unknown: bool,
}
