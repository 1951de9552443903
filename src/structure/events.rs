//! The events of a file: its table as one sequence, in the order of the source.

use super::File;
use super::table::{RowKind, Table};
use crate::span::Span;

/// The kind of an event of a native file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileEventKind {
    /// The name of an attribute. An [`Expression`](Self::Expression) follows.
    Attribute,
    /// The value of an attribute, whose own parts have no events.
    Expression,
    /// The type of a block. Its labels follow, then its body.
    Block,
    /// A label, quotes included.
    Label,
    /// `{`
    StartBody,
    /// `}`; empty at the end of the file if the brace is missing.
    EndBody,
    /// A comment that is not part of an expression, without the line feed that ends it.
    Comment,
}

impl FileEventKind {
    /// The name, as the command `events` prints it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Attribute => "Attribute",
            Self::Expression => "Expression",
            Self::Block => "Block",
            Self::Label => "Label",
            Self::StartBody => "StartBody",
            Self::EndBody => "EndBody",
            Self::Comment => "Comment",
        }
    }
}

/// A part of a native file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileEvent {
    /// Its kind.
    pub kind: FileEventKind,
    /// Its bytes.
    pub span: Span,
    /// The number of bodies that contain it, without that of the file. A brace is outside of its
    /// body.
    pub depth: u32,
    /// An expression, whose parts have no events, or the start of a body that is sealed.
    pub is_sealed: bool,
}

impl FileEvent {
    fn new(kind: FileEventKind, span: Span, depth: u32) -> Self {
        Self { kind, span, depth, is_sealed: kind == FileEventKind::Expression }
    }
}

impl<'a> File<'a> {
    /// The attributes, blocks and comments as a sequence, in the order of the file. Attributes
    /// whose name an earlier one of the body has are included. Sealed bodies have a start and an end,
    /// and nothing between.
    ///
    /// Cost: linear in the items.
    ///
    /// ```
    /// use simd_hcl::structure::File;
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a \"b\" {\n  c = 1\n}\n")?;
    /// let events = File::parse(&arena, source, &mut ()).events();
    /// let kinds: Vec<_> = events.map(|event| event.kind.name()).collect();
    /// assert_eq!(kinds, ["Block", "Label", "StartBody", "Attribute", "Expression", "EndBody"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn events(self) -> impl Iterator<Item = FileEvent> + use<'a> {
        let items = Items { table: self.table, row: 0, part: Part::Name, open: Vec::new() };
        let mut items = items.peekable();
        let mut comments = self.table.comments.iter().map(|comment| comment.span).peekable();
        let mut depth = 0;
        std::iter::from_fn(move || {
            let is_first = match (comments.peek(), items.peek()) {
                (Some(comment), Some(item)) => comment.start < item.span.start,
                (comment, _) => comment.is_some(),
            };
            let event = match is_first {
                true => {
                    comments.next().map(|span| FileEvent::new(FileEventKind::Comment, span, depth))
                }
                false => items.next(),
            }?;
            depth = event.depth + u32::from(event.kind == FileEventKind::StartBody);
            Some(event)
        })
    }
}

/// The next part of a row.
enum Part {
    Name,
    /// The label at this place of the block.
    Label(u32),
    Value,
}

/// The events of the rows of a table.
struct Items<'a> {
    table: &'a Table<'a>,
    row: u32,
    part: Part,
    /// The blocks that are open: the row after each, and where it ends.
    open: Vec<(u32, Span)>,
}

impl Iterator for Items<'_> {
    type Item = FileEvent;

    fn next(&mut self) -> Option<FileEvent> {
        let depth = self.open.len() as u32;
        if let Some(&(next, span)) = self.open.last()
            && self.row >= next
        {
            self.open.pop();
            return Some(FileEvent::new(FileEventKind::EndBody, span, depth - 1));
        }
        let row = self.table.rows.get(self.row as usize)?;
        let (kind, span) = match (&self.part, row.kind) {
            (Part::Name, RowKind::Block(..) | RowKind::Sealed(..)) => {
                self.part = Part::Label(0);
                (FileEventKind::Block, row.name)
            }
            (Part::Label(place), RowKind::Block(first, count) | RowKind::Sealed(first, count))
                if *place < count =>
            {
                let label = self.table.labels.get((first + place) as usize)?;
                self.part = Part::Label(place + 1);
                (FileEventKind::Label, label.span)
            }
            (_, RowKind::Block(..) | RowKind::Sealed(..)) => {
                let Span { start, end } = row.value;
                let has_brace = end > start + 1
                    && self.table.text.as_bytes().get(end as usize - 1) == Some(&b'}');
                self.open.push((row.next, Span::new(end - u32::from(has_brace), end)));
                self.row += 1;
                self.part = Part::Name;
                (FileEventKind::StartBody, Span::new(start, start + 1))
            }
            (Part::Name, _) => {
                self.part = Part::Value;
                (FileEventKind::Attribute, row.name)
            }
            _ => {
                self.row += 1;
                self.part = Part::Name;
                (FileEventKind::Expression, row.value)
            }
        };
        let is_sealed = kind == FileEventKind::StartBody && matches!(row.kind, RowKind::Sealed(..));
        let event = FileEvent::new(kind, span, depth);
        Some(FileEvent { is_sealed: event.is_sealed || is_sealed, ..event })
    }
}
