//! Handles of bodies and attributes in a JSON document or in a native file.

use crate::event::stream::Segment;
use crate::json::Node;
use crate::structure::{FileBody, Table};

/// The place of a body or an attribute. As small as a JSON node.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// A value, or the name of an attribute; the value may be that of the whole document.
    Json { segment: &'a Segment<'a>, index: u32, is_root: bool },
    /// The row of a block or an attribute; `FileBody::WHOLE` for the body of a file.
    Native { table: &'a Table<'a>, row: u32 },
}

impl<'a> Place<'a> {
    pub(super) fn json(node: Node<'a>) -> Self {
        let (segment, index) = node.parts();
        Self::Json { segment, index, is_root: false }
    }
}

/// A view of the source form of a body.
#[derive(Clone, Copy)]
pub(super) enum Syntax<'a> {
    Json(Node<'a>),
    Native(FileBody<'a>),
}
