//! Sealed bodies: blocks of a skeleton, which are read again when their bodies are asked for.

use std::sync::OnceLock;

use super::reader::{Extract, read};
use super::table::{Row, RowKind, Table};
use crate::scan::Kernel;
use crate::span::Span;

impl<'a> Table<'a> {
    /// Returns the table of the block in this row if its body is sealed. The block is the first row
    /// of that table. Reads the body on first use.
    pub(super) fn open(&self, row: u32) -> Option<&'a Table<'a>> {
        let Row { name, value, kind: RowKind::Sealed(..), .. } = self.rows.get(row as usize)?
        else {
            return None;
        };
        let bump = self.source.arena().bump();
        let none = || &*bump.alloc_slice_fill_with(self.rows.len(), |_| OnceLock::new());
        let opened = self.opened.get_or_init(none).get(row as usize)?;
        let read = || &*bump.alloc(self.read_block(name.to(value)));
        Some(opened.get_or_init(read))
    }

    /// Reads a block without errors again, with its body.
    fn read_block(&self, span: Span) -> Self {
        let Self { source, text, .. } = *self;
        let extract = Extract { span, is_skeleton: false };
        read(source.arena(), source, text, &extract, Some(Kernel::detect()), &mut ())
    }
}
