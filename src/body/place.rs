//! Where bodies and attributes stand: in a JSON document or in a native file.

use crate::event::stream::Segment;
use crate::json::Node;
use crate::structure::{FileBody, Table};

/// The place of a body or an attribute. As large as a JSON node alone.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// A value; of an attribute its name.
    Json { segment: &'a Segment<'a>, index: u32 },
    /// A row; of the body of a file no row.
    Native { table: &'a Table<'a>, row: u32 },
}

impl<'a> Place<'a> {
    pub(super) fn json(node: Node<'a>) -> Self {
        let (segment, index) = node.parts();
        Self::Json { segment, index }
    }
}

/// A view of what a body is written as.
#[derive(Clone, Copy)]
pub(super) enum Syntax<'a> {
    Json(Node<'a>),
    Native(FileBody<'a>),
}
