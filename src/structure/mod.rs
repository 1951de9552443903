//! Files in native syntax: attributes and blocks, without a schema.
//!
//! [`File::parse`] validates the structure of a text in one pass: strings, heredocs, comments and
//! brackets are closed, and every item is an attribute or a block with labels. Expressions stay
//! text until they are read, so a file whose expressions are mostly unread costs little more than
//! that pass. An error is reported once, at its exact place, and drops only the item that contains
//! it.
//!
//! ```
//! use simd_hcl::structure::{File, Item};
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let text = b"resource \"aws_instance\" \"web\" {\n  ami  = var.ami # from the pipeline\n  size = [\n}\n";
//! let source = Source::from_bytes(&arena, "main.tf", text)?;
//! let mut diagnostics = Vec::new();
//! let file = File::parse(&arena, source, &mut diagnostics);
//! // The bracket of `size` is not closed, but the rest is there.
//! assert_eq!(diagnostics[0].code().as_str(), "unterminated-tuple");
//!
//! let Some(Item::Block(web)) = file.body().items().next() else { panic!() };
//! assert_eq!(web.labels().collect::<Vec<_>>(), ["aws_instance", "web"]);
//! let Some(Item::Attribute(ami)) = web.body().items().next() else { panic!() };
//! let value = ami.expression().unwrap();
//! assert_eq!(value.variables().next().unwrap().root_name(), "var");
//! assert_eq!(file.comments().next().unwrap().item().unwrap().name(), "ami");
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

mod events;
mod extent;
mod index;
#[cfg(test)]
mod kernels;
mod plain;
mod programs;
mod reader;
mod sealed;
mod table;
#[cfg(test)]
mod tests;

pub use self::events::{FileEvent, FileEventKind};
use self::programs::{Parsed, Programs, Together};
use self::reader::Extract;
use self::table::{CommentPlace, CommentRow, Row, RowKind};
pub(crate) use self::table::{LabelRow, Table};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::native::{MAX_DEPTH, Native, Output, Text, expression_onto, not_utf8};
use crate::scan::Kernel;
use crate::source::Source;
use crate::span::Span;

/// A file in native syntax. A `Copy` handle into the arena.
#[derive(Clone, Copy)]
pub struct File<'a> {
    table: &'a Table<'a>,
}

impl<'a> File<'a> {
    /// Reads the structure of a source. Reports errors to `sink`, and keeps all items without
    /// errors. A byte order mark at the start is skipped. A source that is not UTF-8 has no items.
    ///
    /// Cost: linear in the bytes; 32 bytes for each attribute and block, and 24 for each label.
    pub fn parse(arena: &'a Arena, source: Source<'a>, sink: &mut dyn Sink<'a>) -> Self {
        Self::parse_with(arena, source, Kernel::detect(), sink)
    }

    /// Like [`parse`](Self::parse), but *seals* the bodies of blocks without errors: they are
    /// validated, and read again when they are asked for.
    ///
    /// Cost: linear in the bytes; 32 bytes for each top-level attribute and block, and 24 for each
    /// of their labels. A body that is opened costs as much as with [`parse`](Self::parse).
    ///
    /// ```
    /// use simd_hcl::structure::{File, FileEventKind, Item};
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"locals {\n  a = 1\n}\n")?;
    /// let file = File::skeleton(&arena, source, &mut ());
    /// assert!(file.events().all(|event| event.kind != FileEventKind::Attribute));
    /// let Some(Item::Block(locals)) = file.body().items().next() else { panic!() };
    /// assert_eq!(locals.body().items().next().unwrap().name(), "a");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn skeleton(arena: &'a Arena, source: Source<'a>, sink: &mut dyn Sink<'a>) -> Self {
        Self::parse_by(arena, source, Some(Kernel::detect()), true, sink)
    }

    /// Like [`parse`](Self::parse), with the instructions of a kernel. All kernels return the same.
    pub fn parse_with(
        arena: &'a Arena,
        source: Source<'a>,
        kernel: Kernel,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        Self::parse_by(arena, source, Some(kernel), false, sink)
    }

    /// Parses all or the skeleton; without a kernel by the careful reader alone.
    pub(crate) fn parse_by(
        arena: &'a Arena,
        source: Source<'a>,
        kernel: Option<Kernel>,
        is_skeleton: bool,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut error: Option<&'a Diagnostic<'a>> = None;
        let mut report = |found: Diagnostic<'a>| {
            if error.is_none() {
                error = Some(arena.bump().alloc(found.clone()));
            }
            sink.report(found);
        };
        let text = simdutf8::basic::from_utf8(source.bytes()).unwrap_or_else(|_| {
            report(not_utf8(source));
            ""
        });
        let extract = Extract { span: Span::new(0, text.len() as u32), is_skeleton };
        let table = reader::read(arena, source, text, &extract, kernel, &mut report);
        Self { table: arena.bump().alloc(Table { error, ..table }) }
    }

    /// Whether the structure has no errors. Expressions are not checked: see [`File::check`].
    #[must_use]
    pub fn is_sound(self) -> bool {
        self.table.error.is_none()
    }

    /// The source.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.table.source
    }

    /// The whole text; empty if the source is not UTF-8.
    pub(crate) fn text(self) -> &'a str {
        self.table.text
    }

    /// The top-level attributes and blocks.
    #[must_use]
    pub fn body(self) -> FileBody<'a> {
        let end = self.table.rows.len() as u32;
        let len = self.table.source.bytes().len() as u32;
        FileBody { table: self.table, first: 0, end, span: Span::new(0, len) }
    }

    /// All attributes at any depth, in source order. Opens sealed bodies. Cost: linear in the items.
    ///
    /// ```
    /// use simd_hcl::structure::File;
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb {\n  c = 2\n}\n")?;
    /// let file = File::parse(&arena, source, &mut ());
    /// let names: Vec<&str> = file.attributes().map(|attribute| attribute.name()).collect();
    /// assert_eq!(names, ["a", "c"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn attributes(self) -> impl Iterator<Item = FileAttribute<'a>> + use<'a> {
        self.body().all_attributes()
    }

    /// The comments between attributes and blocks, in source order. A comment in an expression is
    /// part of the expression's text. Opens sealed bodies.
    ///
    /// ```
    /// use simd_hcl::structure::File;
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"# One.\na = 1 # Two.\n")?;
    /// let file = File::parse(&arena, source, &mut ());
    /// let texts: Vec<&str> = file.comments().map(|comment| comment.text().trim_end()).collect();
    /// assert_eq!(texts, ["# One.", "# Two."]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn comments(self) -> impl Iterator<Item = Comment<'a>> + use<'a> {
        let comments_of = |table: &'a Table<'a>, rows: &'a [CommentRow]| {
            rows.iter().map(move |row| Comment { table, row })
        };
        let table = self.table;
        let (all, mut sorted) = (if table.is_skeleton { &[] } else { table.comments }, Vec::new());
        if table.is_skeleton {
            sorted.extend(comments_of(table, table.comments));
            let opened = (0..table.rows.len() as u32).filter_map(|row| table.open(row));
            sorted.extend(opened.flat_map(|block| {
                // The table of a block also has the comments between its labels.
                let body = block.rows.get(0).map_or(0, |row| row.value.start);
                let own = block.comments.partition_point(|comment| comment.span.start < body);
                comments_of(block, &block.comments[own..])
            }));
            sorted.sort_by_key(|comment| comment.row.span.start);
        }
        comments_of(table, all).chain(sorted)
    }

    /// Parses every expression. Reports errors to `sink`, in source order.
    ///
    /// Cost: linear in the bytes. The expressions are not kept.
    pub fn check(self, sink: &mut dyn Sink<'a>) {
        let mut output = Output::default();
        for attribute in self.attributes() {
            output.clear();
            attribute.parse_onto(&mut output, sink);
        }
    }

    /// Parses every expression and keeps it. Returns their errors, in source order.
    ///
    /// Cost: linear in the bytes. Takes less memory than expressions that are parsed one by one.
    pub(crate) fn keep_expressions(self) -> &'a [&'a Diagnostic<'a>] {
        let table = self.table;
        let parse = || {
            let mut all = Together::new(table.source, table.rows.len());
            for row in 0..table.rows.len() as u32 {
                let attribute = FileAttribute::of(Handle { table, row });
                all.add(|output, error| attribute?.parse_onto(output, error));
            }
            all.finish()
        };
        table.programs.get_or_init(parse).errors()
    }
}

/// The attributes and blocks of a file or block. A `Copy` handle.
///
/// ```
/// use simd_hcl::structure::File;
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb {\n}\n")?;
/// let file = File::parse(&arena, source, &mut ());
/// let names: Vec<&str> = file.body().items().map(|item| item.name()).collect();
/// assert_eq!(names, ["a", "b"]);
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct FileBody<'a> {
    table: &'a Table<'a>,
    first: u32,
    end: u32,
    span: Span,
}

impl<'a> FileBody<'a> {
    /// The items, in source order. Of several attributes with the same name, only the first is
    /// included.
    pub fn items(self) -> impl Iterator<Item = Item<'a>> + Clone + use<'a> {
        let Self { table, first, end, .. } = self;
        let next = move |row: u32| table.rows.next(row);
        let rows = std::iter::successors((first < end).then_some(first), move |row| {
            next(*row).filter(|next| *next < end)
        });
        rows.filter_map(move |row| Item::of(Handle { table, row }))
    }

    /// Its bytes: from brace to brace for a block, all bytes for a file.
    #[must_use]
    pub fn span(self) -> Span {
        self.span
    }

    /// The place to report for a missing item: the closing brace of a block, the end of a file.
    #[must_use]
    pub fn missing_item_span(self) -> Span {
        let end = self.span.end;
        let has_brace = self.table.text.get(..end as usize).is_some_and(|text| text.ends_with('}'));
        let is_block = self.first > 0;
        Span::new(end - u32::from(has_brace && is_block), end)
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.table.source
    }

    /// The attributes at any depth, in source order. Cost: linear in the items.
    pub(crate) fn all_attributes(self) -> impl Iterator<Item = FileAttribute<'a>> + use<'a> {
        let Self { table, first, end, .. } = self;
        (first..end).flat_map(move |row| {
            let (table, first, end) = match table.open(row) {
                Some(block) => (block, 1, block.rows.len() as u32),
                None => (table, row, row + 1),
            };
            (first..end).map(move |row| Handle { table, row }).filter_map(FileAttribute::of)
        })
    }

    /// Returns the body of the block in this row; of the whole file for [`Self::WHOLE`].
    pub(crate) fn of_row(table: &'a Table<'a>, row: u32) -> Self {
        match row {
            Self::WHOLE => File { table }.body(),
            row => FileBlock { handle: Handle { table, row } }.body(),
        }
    }

    /// The row of its block, or [`Self::WHOLE`].
    pub(crate) fn row(self) -> (&'a Table<'a>, u32) {
        (self.table, self.first.checked_sub(1).unwrap_or(Self::WHOLE))
    }

    /// Stands for the whole file: no file has this many rows.
    pub(crate) const WHOLE: u32 = u32::MAX;
}

/// An item of a body.
///
/// ```
/// use simd_hcl::structure::{File, Item};
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb {\n}\n")?;
/// let file = File::parse(&arena, source, &mut ());
/// let blocks = file.body().items().filter(|item| matches!(item, Item::Block(_)));
/// assert_eq!(blocks.count(), 1);
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// `name = expression`
    Attribute(FileAttribute<'a>),
    /// `type "label" { … }`
    Block(FileBlock<'a>),
}

impl<'a> Item<'a> {
    fn of(handle: Handle<'a>) -> Option<Self> {
        match handle.table.rows.kind(handle.row)? {
            RowKind::Attribute | RowKind::Broken => Some(Self::Attribute(FileAttribute { handle })),
            RowKind::Block(..) | RowKind::Sealed(..) => Some(Self::Block(FileBlock { handle })),
            RowKind::Repeated => None,
        }
    }

    pub(crate) fn handle(self) -> Handle<'a> {
        match self {
            Self::Attribute(FileAttribute { handle }) | Self::Block(FileBlock { handle }) => handle,
        }
    }

    /// The name of the attribute, or the type of the block.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.handle().name()
    }

    /// Its bytes, without the comments around it.
    #[must_use]
    pub fn span(self) -> Span {
        self.handle().span()
    }
}

/// A row of the table.
#[derive(Clone, Copy)]
pub(crate) struct Handle<'a> {
    pub(crate) table: &'a Table<'a>,
    pub(crate) row: u32,
}

impl<'a> Handle<'a> {
    fn row(self) -> Row {
        self.table.rows.get(self.row as usize).unwrap_or(Row::NONE)
    }

    fn text(self, span: Span) -> &'a str {
        self.table.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The name of the attribute, or the type of the block.
    pub(crate) fn name(self) -> &'a str {
        self.text(self.name_span())
    }

    /// The bytes of the name.
    pub(crate) fn name_span(self) -> Span {
        self.table.rows.name(self.row)
    }

    /// All of its bytes.
    pub(crate) fn span(self) -> Span {
        Span::new(self.row().name.start, self.row().value.end)
    }

    /// The source that contains it.
    pub(crate) fn source(self) -> Source<'a> {
        self.table.source
    }

    /// Returns the attribute or block in this row.
    pub(crate) fn item(self) -> Option<Item<'a>> {
        Item::of(self)
    }

    /// Returns the block in this row.
    pub(crate) fn block(self) -> FileBlock<'a> {
        FileBlock { handle: self }
    }

    /// Returns the label of a span of its file.
    pub(crate) fn label(self, span: Span) -> Label<'a> {
        Label::new(self.table.source, span)
    }
}

impl std::fmt::Debug for Handle<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:?}", self.name(), self.span())
    }
}

/// An attribute of a file: a name and an expression. A `Copy` handle.
///
/// ```
/// use simd_hcl::structure::File;
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = 1 + 2\n")?;
/// let file = File::parse(&arena, source, &mut ());
/// let a = file.attributes().next().unwrap();
/// assert_eq!((a.name(), a.text()), ("a", "1 + 2"));
/// assert!(a.expression().is_ok());
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FileAttribute<'a> {
    pub(crate) handle: Handle<'a>,
}

impl<'a> FileAttribute<'a> {
    fn of(handle: Handle<'a>) -> Option<Self> {
        let kind = handle.table.rows.kind(handle.row)?;
        matches!(kind, RowKind::Attribute | RowKind::Broken).then_some(Self { handle })
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.handle.name()
    }

    /// The bytes of the name.
    #[must_use]
    pub fn name_span(self) -> Span {
        self.handle.name_span()
    }

    /// From the start of the name to the end of the expression.
    #[must_use]
    pub fn span(self) -> Span {
        self.handle.span()
    }

    /// The bytes of the expression.
    #[must_use]
    pub fn value_span(self) -> Span {
        self.handle.row().value
    }

    /// The place of the name. See [`name_span`](Self::name_span).
    #[must_use]
    pub fn name_label(self) -> Label<'a> {
        self.handle.label(self.name_span())
    }

    /// The place of the whole attribute. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        self.handle.label(self.span())
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.handle.table.source
    }

    /// The expression as it is written.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.handle.text(self.value_span())
    }

    /// The expression, parsed on first use. If its structure is broken, which [`File::parse`] has
    /// reported, it has no value.
    ///
    /// # Errors
    /// The text is not an expression.
    pub fn expression(self) -> Result<Native<'a>, &'a Diagnostic<'a>> {
        let table = self.handle.table;
        let none = || Programs::none(table.source.arena(), table.rows.len());
        let row = self.handle.row as usize;
        table.programs.get_or_init(none).get(row, || self.parse_alone())
    }

    fn parse_alone(self) -> Parsed<'a> {
        let (source, arena) = (self.source(), self.source().arena());
        let (mut output, mut error) = (Output::default(), None::<Diagnostic<'a>>);
        match (self.parse_onto(&mut output, &mut error), error) {
            (None, Some(error)) => Err(&*arena.bump().alloc(error)),
            (at, _) => {
                let at = at.unwrap_or_else(|| output.invalid(self.value_span()));
                Ok(Native::at(output.lend(source).keep(arena), at))
            }
        }
    }

    /// Appends the parsed expression to `output`. Returns the place of its root, or that of an invalid
    /// part if its structure is broken. Returns `None`, and reports why, if it is not an expression.
    fn parse_onto(self, output: &mut Output<'a>, sink: &mut dyn Sink<'a>) -> Option<usize> {
        let Span { start, end } = self.value_span();
        if matches!(self.handle.row().kind, RowKind::Broken) {
            return Some(output.invalid(Span::new(start, end)));
        }
        let source = self.source();
        // A heredoc ends with its name, spaces and a line feed, which are then part of it.
        let value = self.text().as_bytes();
        let has_heredoc =
            value.last().is_some_and(|byte| !matches!(byte, b'"' | b'}' | b']' | b')'))
                && value.contains(&b'\n');
        let end = if has_heredoc { self.line_end(end) } else { end };
        let text = self.handle.text(Span::new(0, end));
        let text = Text::of_file(source, text, start);
        // Where a line should have ended, the expression parser finds extra tokens.
        let mut sink = |found: Diagnostic<'a>| {
            sink.report(match found.code() {
                Code::ExtraAfterExpression => found.with_code(Code::MissingLineBreak),
                _ => found,
            });
        };
        expression_onto(output, source.arena(), &text, MAX_DEPTH, &mut sink)
    }

    /// Returns the offset after the line feed that follows `at`, if only spaces are between them.
    fn line_end(self, at: u32) -> u32 {
        let rest = self.handle.table.text.get(at as usize..).unwrap_or_default();
        let line = rest.trim_start_matches([' ', '\t']);
        match line.strip_prefix('\n').or_else(|| line.strip_prefix("\r\n")) {
            Some(after) => at + (rest.len() - after.len()) as u32,
            None => at,
        }
    }
}

/// A block of a file: a type, labels and a body. A `Copy` handle.
///
/// ```
/// use simd_hcl::structure::{File, Item};
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"b \"x\" {\n  c = 1\n}\n")?;
/// let file = File::parse(&arena, source, &mut ());
/// let Some(Item::Block(block)) = file.body().items().next() else { panic!() };
/// assert_eq!((block.block_type(), block.labels().next()), ("b", Some("x")));
/// assert_eq!(block.body().items().count(), 1);
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FileBlock<'a> {
    pub(crate) handle: Handle<'a>,
}

impl<'a> FileBlock<'a> {
    /// The block type.
    #[must_use]
    pub fn block_type(self) -> &'a str {
        self.handle.name()
    }

    /// The bytes of the type.
    #[must_use]
    pub fn type_span(self) -> Span {
        self.handle.name_span()
    }

    pub(crate) fn label_rows(self) -> &'a [LabelRow<'a>] {
        match self.handle.row().kind {
            RowKind::Block(first, count) | RowKind::Sealed(first, count) => {
                let labels = self.handle.table.labels.get(first as usize..).unwrap_or_default();
                labels.get(..count as usize).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// The labels, decoded.
    pub fn labels(self) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        self.label_rows().iter().map(|label| label.text)
    }

    /// The bytes of each label, quotes included.
    pub fn label_spans(self) -> impl ExactSizeIterator<Item = Span> + Clone + use<'a> {
        self.label_rows().iter().map(|label| label.span)
    }

    /// The bytes of its type and labels.
    #[must_use]
    pub fn definition_span(self) -> Span {
        let name = self.type_span();
        self.label_rows().last().map_or(name, |label| name.to(label.span))
    }

    /// From the start of the type to the closing brace.
    #[must_use]
    pub fn span(self) -> Span {
        self.handle.span()
    }

    /// The place of its type and labels. See [`definition_span`](Self::definition_span).
    #[must_use]
    pub fn definition_label(self) -> Label<'a> {
        self.handle.label(self.definition_span())
    }

    /// The place of the whole block. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        self.handle.label(self.span())
    }

    /// The body.
    #[must_use]
    pub fn body(self) -> FileBody<'a> {
        let Handle { table, row } = self.handle;
        let Row { value, next, .. } = self.handle.row();
        match table.open(row) {
            Some(table) => FileBody { table, first: 1, end: table.rows.len() as u32, span: value },
            None => FileBody { table, first: row + 1, end: next, span: value },
        }
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.handle.table.source
    }
}

/// A comment that is not part of an expression. A `Copy` handle.
///
/// ```
/// use simd_hcl::structure::File;
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"# The size.\na = 1\n")?;
/// let file = File::parse(&arena, source, &mut ());
/// let comment = file.comments().next().unwrap();
/// assert!(comment.leads());
/// assert_eq!(comment.item().unwrap().name(), "a");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Comment<'a> {
    table: &'a Table<'a>,
    row: &'a CommentRow,
}

impl<'a> Comment<'a> {
    /// Its bytes, without the line feed that ends it.
    #[must_use]
    pub fn span(self) -> Span {
        self.row.span
    }

    /// The comment as it is written.
    #[must_use]
    pub fn text(self) -> &'a str {
        let Span { start, end } = self.row.span;
        self.table.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Whether it precedes its item, instead of following it.
    #[must_use]
    pub fn leads(self) -> bool {
        matches!(self.row.place, CommentPlace::Leads(_))
    }

    /// The item that it belongs to: the next one if there is no blank line between them, or the one
    /// on the same line.
    #[must_use]
    pub fn item(self) -> Option<Item<'a>> {
        match self.row.place {
            CommentPlace::Alone => None,
            CommentPlace::Leads(row) | CommentPlace::Trails(row) => {
                let is_there = (row as usize) < self.table.rows.len();
                is_there.then_some(Handle { table: self.table, row }).and_then(Item::of)
            }
        }
    }
}

impl std::fmt::Debug for File<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("source", &self.source()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for FileBody<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.items()).finish()
    }
}

impl std::fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}
