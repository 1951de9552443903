//! `local` and `locals`: named expressions.

use crate::body::{Attribute, Block};
use crate::diagnostic::{Label, Sink};
use crate::dialect::arguments::packer::PACKER_LOCAL;
use crate::expression::Expression;
use crate::module::{block, read};
use crate::source::Source;
use crate::span::Span;

/// A local value.
#[derive(Clone, Copy, Debug)]
pub struct Local<'a> {
    /// Its name.
    pub name: &'a str,
    /// The block, or `None` for an entry of `locals`.
    pub block: Option<Block<'a>>,
    /// The position of the declaration: its label, or the name of the entry.
    pub name_span: Span,
    /// The expression, a template.
    pub value: Option<Expression<'a>>,
    /// Whether the value is hidden.
    pub sensitive: Option<bool>,
    source: Source<'a>,
}

impl<'a> Local<'a> {
    /// The file that declares it.
    #[must_use]
    pub fn source(&self) -> Source<'a> {
        self.source
    }

    /// The position of its name. See [`name_span`](Self::name_span).
    #[must_use]
    pub fn name_label(&self) -> Label<'a> {
        Label::new(self.source, self.name_span)
    }

    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(PACKER_LOCAL.common(), sink);
        let name = block.label(0).unwrap_or_default();
        let name_span = block.label_spans().next().unwrap_or_default();
        read::name(name, block.label_place(0), sink);
        let sensitive = block::argument(&content, "sensitive");
        Self {
            name,
            block: Some(block),
            name_span,
            value: block::argument(&content, "expression"),
            sensitive: sensitive.and_then(|value| read::boolean(value, sink)),
            source: block.source(),
        }
    }

    /// Reads an entry of `locals`. Its name need not be an identifier.
    pub(super) fn of_entry(entry: Attribute<'a>) -> Self {
        Self {
            name: entry.name(),
            block: None,
            name_span: entry.name_span(),
            value: Some(entry.expression()),
            sensitive: None,
            source: entry.source(),
        }
    }
}
