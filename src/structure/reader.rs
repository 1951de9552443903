//! The structure pass: reads a file's text into its table of attributes and blocks.
//!
//! Follows the chapter "Structural Elements" of the HCL native syntax specification. Names, labels,
//! braces and line breaks are read here, token by token; for an expression, only its end is found
//! ([`Extents`]). An error is reported once, at its place, and the pass continues with the next
//! item: a missing brace or quote costs only the item that contains it. A stack of open blocks
//! replaces recursion. Most items of a valid file are plain: [`plain`](super::plain) reads them
//! faster.

use std::cell::Cell;
use std::collections::hash_map::Entry;
use std::sync::OnceLock;

use smallvec::SmallVec;

use super::extent::{Extent, Extents, Fault};
use super::index::Index;
use super::table::{CommentPlace, CommentRow, LabelRow, Row, RowKind, RowsInWork, Table};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Fix, Label, Sink};
use crate::hash::HashMap;
use crate::native::lexer::{Lexer, Token};
use crate::native::{MAX_DEPTH, Output, Text, expression_into, remedy};
use crate::program::node::{Kind, Node};
use crate::scan::{Isa, Kernel, Task};
use crate::source::Source;
use crate::span::Span;
use crate::steps::step;

/// The part of a file that is read.
pub(super) struct Extract {
    /// The whole file or a block.
    pub(super) span: Span,
    /// Whether blocks without errors are sealed.
    pub(super) is_skeleton: bool,
}

/// Reads the structure of a file or of a part of it. Reports errors to `sink`. Without a kernel no
/// item is read as plain; the result is the same.
pub(super) fn read<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    text: &'a str,
    extract: &Extract,
    kernel: Option<Kernel>,
    sink: &mut dyn Sink<'a>,
) -> Table<'a> {
    let Extract { span: Span { start, end }, is_skeleton } = *extract;
    let (start, whole) = (start as usize, text);
    let text = text.get(..end as usize).unwrap_or_default();
    let rest = text.get(start..).unwrap_or_default();
    let reports = Cell::new(0);
    let mut sink = |found: Diagnostic<'a>| {
        reports.set(reports.get() + 1);
        sink.report(found);
    };
    arena.with_scratch(|scratch: &mut Scratch| {
        let Scratch { rows, comments, blocks } = scratch;
        rows.start(arena, if is_skeleton { 0 } else { rest.len() });
        comments.clear();
        blocks.clear();
        let indentation = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let has_mark = start == 0 && text.starts_with('\u{feff}');
        let mut reader = Reader {
            arena,
            source,
            text,
            is_skeleton,
            lexer: Lexer::new(text),
            at: if has_mark { '\u{feff}'.len_utf8() } else { start },
            extents: Extents::new(text),
            rows,
            labels: Vec::new(),
            comments,
            leading: 0,
            last: None,
            blocks,
            line: (start, start, indentation),
            misplaced: None,
            misplaced_value: None,
            is_cut_off: false,
            conflict: false,
            careful_until: 0,
            root_names: Names::default(),
            reports: &reports,
            sink: &mut sink,
        };
        match kernel {
            Some(kernel) => kernel.run(Plain(&mut reader)),
            None => reader.file(|_| ()),
        }
        let bump = arena.bump();
        Table {
            source,
            text: whole,
            error: None,
            rows: reader.rows.give(arena),
            labels: bump.alloc_slice_copy(&reader.labels),
            comments: bump.alloc_slice_copy(reader.comments),
            programs: OnceLock::new(),
            is_skeleton,
            opened: OnceLock::new(),
        }
    })
}

/// Buffers that the files of a thread share.
#[derive(Default)]
struct Scratch {
    rows: RowsInWork,
    comments: Vec<CommentRow>,
    blocks: Vec<OpenBlock>,
}

/// Reads a file, and its plain items by the instructions of a kernel.
struct Plain<'r, 'a, 's>(&'r mut Reader<'a, 's>);

impl Task for Plain<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut index = Index::new(isa, self.0.text.as_bytes(), self.0.at);
        self.0.file(|reader| reader.plain(&mut index));
    }
}

pub(super) struct Reader<'a, 's> {
    arena: &'a Arena,
    source: Source<'a>,
    pub(super) text: &'a str,
    /// Whether the bodies of blocks without errors are dropped when they end.
    is_skeleton: bool,
    pub(super) lexer: Lexer<'a>,
    pub(super) at: usize,
    extents: Extents<'a>,
    pub(super) rows: &'s mut RowsInWork,
    pub(super) labels: Vec<LabelRow<'a>>,
    pub(super) comments: &'s mut Vec<CommentRow>,
    /// The first comment that leads the next item.
    pub(super) leading: usize,
    /// The item that a comment on this line trails.
    pub(super) last: Option<u32>,
    pub(super) blocks: &'s mut Vec<OpenBlock>,
    /// An offset, the start of its line, and the line's indentation.
    pub(super) line: (usize, usize, usize),
    /// The opening brace of the first block whose closing brace is indented less than the block: a
    /// brace is missing in that block.
    misplaced: Option<u32>,
    /// The same for the values of attributes.
    pub(super) misplaced_value: Option<u32>,
    /// Whether the last value has an open construct, which the end of the text cuts off.
    is_cut_off: bool,
    /// Where items may be plain again.
    pub(super) careful_until: usize,
    root_names: Names,
    /// Whether the reader is in a merge conflict that has been reported.
    conflict: bool,
    /// The number of errors so far.
    pub(super) reports: &'s Cell<usize>,
    sink: &'s mut dyn Sink<'a>,
}

/// A block that is not closed yet.
pub(super) struct OpenBlock {
    pub(super) row: u32,
    /// The place of its opening brace.
    pub(super) brace: u32,
    /// The indentation of its first line.
    pub(super) column: u32,
    /// An argument is on the line of its opening brace, so its closing brace must be, too.
    pub(super) is_one_line: bool,
    /// It should be, and that it is not has been reported.
    pub(super) is_broken_line: bool,
    pub(super) names: Names,
    /// The numbers of comments and errors before its body.
    pub(super) comments: u32,
    pub(super) reports: usize,
}

/// The names of the attributes of a body, a bit for each: whether one may be there twice.
#[derive(Default)]
pub(super) struct Names {
    bits: [u64; 8],
    may_repeat: bool,
}

impl Names {
    /// Adds a name. Equal names have the same bit.
    #[inline]
    fn add(&mut self, name: &[u8]) {
        let key = match (name.first_chunk(), name.last_chunk()) {
            (Some(first), Some(last)) => {
                u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(32)
            }
            _ => match (name.first_chunk(), name.last_chunk()) {
                (Some(first), Some(last)) => {
                    let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
                    u64::from(first) | u64::from(last) << 32
                }
                _ => name.iter().fold(0, |key, byte| key << 8 | u64::from(*byte)),
            },
        };
        let hash = (key ^ name.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (word, bit) = ((hash >> 61) as usize, 1 << (hash >> 55 & 63));
        self.may_repeat |= self.bits[word] & bit != 0;
        self.bits[word] |= bit;
    }
}

/// A token, its start and its end.
type TokenAt = (Token, usize, usize);

impl<'a> Reader<'a, '_> {
    /// Reads all items. `plain` reads some of them first.
    #[inline(always)]
    fn file(&mut self, mut plain: impl FnMut(&mut Self)) {
        loop {
            step();
            plain(self);
            self.skip_lines();
            let token = self.token();
            match token.0 {
                Token::End => break,
                Token::Identifier => self.item(token.1, token.2),
                Token::BraceClose => self.close(token.1),
                Token::BraceOpen if self.rows.len() == 0 && self.blocks.is_empty() => {
                    self.report(Code::JsonInNative, token, &[]);
                    return;
                }
                _ => self.no_item(token),
            }
        }
        self.end();
    }

    // Space, comments and tokens.

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn token(&self) -> TokenAt {
        let (token, end) = self.lexer.token(self.at);
        (token, self.at, end)
    }

    /// Skips spaces and comments up to a line break.
    pub(super) fn skip(&mut self) {
        loop {
            match self.byte(self.at) {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'#' | b'/') => {
                    let start = self.at;
                    let Some(mut end) = self.lexer.comment_end(start) else { return };
                    self.at = end;
                    if self.byte(end - 1) == Some(b'\r') && self.byte(end) == Some(b'\n') {
                        end -= 1;
                    }
                    let span = Span::new(start as u32, end as u32);
                    let place = match self.last {
                        Some(row) => CommentPlace::Trails(row),
                        None => CommentPlace::Alone,
                    };
                    self.comments.push(CommentRow { span, place });
                    if self.last.is_some() {
                        self.leading = self.comments.len();
                    }
                }
                _ => return,
            }
        }
    }

    /// Also skips line breaks.
    fn skip_lines(&mut self) {
        loop {
            self.skip();
            if !self.line_break() {
                return;
            }
            self.last = None;
            // A blank line separates comments from what follows.
            let mut blank = self.at;
            while matches!(self.byte(blank), Some(b' ' | b'\t')) {
                blank += 1;
            }
            if matches!(self.byte(blank), Some(b'\n' | b'\r')) {
                self.leading = self.comments.len();
            }
        }
    }

    fn line_break(&mut self) -> bool {
        match (self.byte(self.at), self.byte(self.at + 1)) {
            (Some(b'\n'), _) => self.at += 1,
            (Some(b'\r'), Some(b'\n')) => self.at += 2,
            _ => return false,
        }
        true
    }

    /// Returns the indentation of the line that contains `at`, and whether only spaces precede
    /// `at`. Cost: linear in the bytes since the previous call's place.
    pub(super) fn column(&mut self, at: usize) -> (usize, bool) {
        let (_, start, column) = self.line;
        if at == start + column {
            self.line.0 = self.line.0.max(at);
            return (column, true);
        }
        let bytes = self.text.as_bytes();
        let between = bytes.get(self.line.0..at).unwrap_or_default();
        if let Some(found) = memchr::memrchr(b'\n', between) {
            let start = self.line.0 + found + 1;
            let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
            let column = bytes[start..].iter().take_while(is_space).count();
            self.line = (at, start, column);
        }
        let (_, start, column) = self.line;
        self.line.0 = self.line.0.max(at);
        (column, start + column == at)
    }

    // Diagnostics.

    fn label(&self, start: usize, end: usize) -> Label<'a> {
        Label::new(self.source, Span::new(start as u32, end as u32))
    }

    /// Reports a token. Characters that are invalid everywhere have a code of their own.
    #[cold]
    fn report(&mut self, code: Code, token: TokenAt, arguments: &[&'a str]) {
        self.report_with(code, token, arguments, None);
    }

    /// Reports a token like [`Self::report`], with the edit that repairs it.
    #[cold]
    fn report_with(
        &mut self,
        code: Code,
        (token, start, end): TokenAt,
        arguments: &[&'a str],
        fix: Option<Fix>,
    ) {
        let (text, label) = (self.slice(start, end), self.label(start, end));
        let diagnostic = match token {
            Token::Invalid => Diagnostic::new(Code::InvalidCharacter, label)
                .with_arguments(&[text, remedy(Code::InvalidCharacter, text)])
                .with_repair(Fix::double_quotes(self.text.as_bytes(), start as u32, "\"")),
            _ => Diagnostic::new(code, label).with_arguments(arguments).with_repair(fix),
        };
        self.sink.report(diagnostic);
    }

    /// Returns the description of a token.
    fn name_of(&self, (token, start, end): TokenAt) -> &'a str {
        match token {
            Token::End => "the end of the file",
            Token::NewLine => "a line break",
            Token::Heredoc => "<<",
            _ => self.slice(start, end),
        }
    }

    // Items.

    /// Reads the item whose name is between `start` and `end`.
    fn item(&mut self, start: usize, end: usize) {
        let row = self.rows.len() as u32;
        self.lead_comments(row);
        let name = Span::new(start as u32, end as u32);
        self.at = end;
        self.last = Some(row);
        self.skip();
        let token = self.token();
        match token.0 {
            Token::Assign => {
                self.at = token.2;
                self.attribute(name, false);
            }
            Token::Colon => {
                let has_space = token.1.checked_sub(1).and_then(|at| self.byte(at)) == Some(b' ');
                let sign = if has_space { "=" } else { " =" };
                let fix = Fix::replacement(Span::new(token.1 as u32, token.2 as u32), sign);
                let written = self.slice(start, end);
                self.report_with(Code::ColonForEquals, token, &[written], Some(fix));
                self.at = token.2;
                self.attribute(name, true);
            }
            Token::Quote | Token::BraceOpen | Token::Identifier => {
                if let Some(&OpenBlock { is_one_line: true, .. }) = self.blocks.last() {
                    let whole = (Token::Identifier, start, token.2);
                    self.report(Code::OneLineBlock, whole, &["a block"]);
                    self.end_one_line();
                }
                self.block(name);
            }
            Token::Invalid => {
                self.report(Code::InvalidItem, token, &[]);
                self.pass();
            }
            _ => {
                let whole = (Token::Identifier, start, end);
                self.report(Code::InvalidItem, whole, &[self.slice(start, end)]);
                self.pass();
            }
        }
    }

    /// Gives comments to the item that follows them.
    pub(super) fn lead_comments(&mut self, row: u32) {
        for comment in &mut self.comments[self.leading..] {
            comment.place = CommentPlace::Leads(row);
        }
        self.leading = self.comments.len();
    }

    /// Reports a token that cannot start an item.
    #[cold]
    fn no_item(&mut self, token: TokenAt) {
        let (kind, start, _) = token;
        let rest = self.slice(start, self.text.len());
        let is_line_start = start == 0 || self.byte(start - 1) == Some(b'\n');
        let is_marker = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
            .iter()
            .any(|marker| rest.starts_with(marker));
        if is_line_start && is_marker {
            if !self.conflict {
                self.report(Code::ConflictMarker, (Token::Less, start, start + 7), &[]);
            }
            self.conflict = !rest.starts_with(">>>>>>>");
            let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            self.at = start + end;
            return;
        }
        let name = self.name_of(token);
        let code = match kind {
            Token::Quote => Code::QuotedName,
            _ => Code::ItemRequired,
        };
        let fix = Fix::bare_name(self.text.as_bytes(), start as u32);
        self.report_with(code, token, &[name], fix.filter(|_| code == Code::QuotedName));
        self.pass();
    }

    /// Skips text that is not an item, to the end of its line or of the brackets that it opens.
    #[cold]
    fn pass(&mut self) {
        loop {
            let (column, _) = self.column(self.at);
            let extent = self.extents.find(self.at, column);
            self.at = extent.next;
            match self.byte(self.at) {
                Some(b',') => self.at += 1,
                _ => return,
            }
        }
    }

    /// Reads an attribute, starting after its equals sign.
    fn attribute(&mut self, name: Span, is_reported: bool) {
        self.skip();
        let (column, _) = self.column(name.start as usize);
        let Extent { end, next, fault } = self.extents.find(self.at, column);
        let value = Span::new(self.at as u32, end.max(self.at) as u32);
        let is_missing = value.is_empty() && fault.is_none();
        let row = self.rows.len() as u32;
        let is_whole = !is_missing && fault.is_none();
        let kind = if is_whole { RowKind::Attribute } else { RowKind::Broken };
        self.add_name(name);
        self.rows.push(Row { name, value, next: row + 1, kind });
        if is_missing && !is_reported {
            let text = name.slice(self.text.as_bytes());
            let text = str::from_utf8(text).unwrap_or_default();
            let token = (Token::Identifier, name.start as usize, name.end as usize);
            self.report(Code::MissingArgumentValue, token, &[text]);
        }
        // The closing braces of the blocks around it may be inside.
        self.is_cut_off |= fault.is_some() && next == self.text.len();
        if let Some(fault) = fault.filter(|_| !is_reported) {
            self.fault(fault, value);
        }
        let ends_with_bracket =
            || matches!(self.byte(end.saturating_sub(1)), Some(b'}' | b']' | b')'));
        if self.misplaced_value.is_none() && is_whole && ends_with_bracket() {
            self.misplace_value(value.start, end, column);
        }
        self.at = next;
        self.last = Some(row);
        self.after_attribute();
    }

    /// Takes note of a value whose last bracket is indented less than its first line.
    pub(super) fn misplace_value(&mut self, start: u32, end: usize, column: usize) {
        let (of_end, is_first) = self.column(end - 1);
        if is_first && of_end < column {
            self.misplaced_value = Some(start);
        }
    }

    /// Takes note of the name of an attribute of the innermost body.
    #[inline]
    pub(super) fn add_name(&mut self, name: Span) {
        let names = match self.blocks.last_mut() {
            Some(block) => &mut block.names,
            None => &mut self.root_names,
        };
        names.add(&self.text.as_bytes()[name.start as usize..name.end as usize]);
    }

    /// Checks what follows an attribute: the end of its line, or of its block if that is on one
    /// line.
    fn after_attribute(&mut self) {
        self.skip();
        let token = self.token();
        let is_one_line = self.blocks.last().is_some_and(|block| block.is_one_line);
        match token.0 {
            Token::BraceClose if is_one_line || self.is_broken_line() => {}
            Token::NewLine | Token::End if !is_one_line => {}
            Token::End => {}
            Token::Comma if is_one_line => {
                self.report(Code::OneLineBlock, token, &["a comma"]);
                self.at = token.2;
                self.end_one_line();
            }
            Token::Comma => {
                let fix = Fix::removal(Span::new(token.1 as u32, token.2 as u32));
                self.report_with(Code::CommaAfterArgument, token, &[], Some(fix));
                self.at = token.2;
            }
            _ if is_one_line => {
                let name = self.name_of(token);
                self.report(Code::OneLineBlock, token, &[name]);
                self.end_one_line();
            }
            _ => {
                let name = self.name_of(token);
                let help = remedy(Code::MissingLineBreak, name);
                self.report(Code::MissingLineBreak, token, &[name, help]);
            }
        }
    }

    /// Whether the innermost block should be on one line, and that it is not has been reported.
    fn is_broken_line(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.is_broken_line)
    }

    /// Continues a block that should be on one line as a block on several lines.
    #[cold]
    fn end_one_line(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            (block.is_one_line, block.is_broken_line) = (false, true);
        }
    }

    /// Reports the construct that is not closed in the value of an attribute.
    #[cold]
    fn fault(&mut self, fault: Fault, value: Span) {
        let diagnostic = match fault {
            Fault::String { start, line_end } => {
                let is_last = line_end == self.text.len();
                let code = if is_last { Code::UnterminatedTemplate } else { Code::MultilineString };
                Diagnostic::new(code, self.label(line_end, line_end))
                    .with_related(self.label(start, start + 1), "the string starts here")
            }
            Fault::Heredoc { start, name } => {
                Diagnostic::new(Code::UnterminatedHeredoc, self.label(start, name.1))
                    .with_arguments(&[self.slice(name.0, name.1)])
            }
            Fault::Bracket { start } => self.unclosed(start, value),
        };
        self.sink.report(diagnostic);
    }

    /// Returns the diagnostic of an attribute's value in which constructs are not closed. The
    /// innermost one starts at `open`.
    #[cold]
    fn unclosed(&self, open: usize, value: Span) -> Diagnostic<'a> {
        // The expression parser knows what is missing where.
        let text = self.slice(value.start as usize, value.end as usize);
        let text = Text::as_written(self.source, text, value.start);
        let mut found: Option<Diagnostic<'a>> = None;
        let mut output = Output::default();
        expression_into(&mut output, self.arena, &text, MAX_DEPTH, &mut found);
        if let Some(found) = found
            && found.code() != Code::MissingExpression
        {
            return found;
        }
        // At the end of the text more could follow, but something must close the open construct.
        let len = if matches!(self.byte(open), Some(b'$' | b'%')) { 2 } else { 1 };
        let code = match self.byte(open) {
            Some(b'[') => Code::UnterminatedTuple,
            Some(b'{') => Code::UnterminatedObject,
            Some(b'(') => Code::UnterminatedCall,
            _ => Code::UnclosedInterpolation,
        };
        Diagnostic::new(code, self.label(open, open + len))
    }

    // Blocks.

    /// Reads a block, starting after its type.
    fn block(&mut self, name: Span) {
        let first = self.labels.len() as u32;
        let brace = loop {
            step();
            self.skip();
            let token = self.token();
            match token.0 {
                Token::BraceOpen => break token.1,
                Token::Identifier => {
                    let text = self.slice(token.1, token.2);
                    self.labels.push(LabelRow { span: span_of(token), text });
                    self.at = token.2;
                }
                Token::Quote => match self.quoted_label(token.1) {
                    Ok(()) => {}
                    Err(Some(brace)) => break brace,
                    Err(None) => {
                        self.labels.truncate(first as usize);
                        return;
                    }
                },
                _ => match self.wrong_header(name, token) {
                    Some(brace) => break brace,
                    None => {
                        self.labels.truncate(first as usize);
                        return;
                    }
                },
            }
        };
        let row = self.rows.len() as u32;
        let count = self.labels.len() as u32 - first;
        let value = Span::new(brace as u32, brace as u32 + 1);
        self.rows.push(Row { name, value, next: row + 1, kind: RowKind::Block(first, count) });
        self.at = brace + 1;
        let (column, _) = self.column(name.start as usize);
        if self.blocks.len() >= MAX_DEPTH as usize {
            let limit = self.arena.format(format_args!("{MAX_DEPTH}"));
            self.report(Code::BlocksTooDeep, (Token::BraceOpen, brace, brace + 1), &[limit]);
            self.at = brace;
            self.pass();
            let mut passed = self.rows.get(row as usize);
            passed.value.end = self.at as u32;
            self.rows.set(row as usize, passed);
            return;
        }
        self.last = Some(row);
        let (comments, reports) = (self.comments.len() as u32, self.reports.get());
        self.skip();
        let is_one_line =
            !matches!(self.token().0, Token::NewLine | Token::End | Token::BraceClose);
        let (brace, column) = (brace as u32, column as u32);
        self.blocks.push(OpenBlock {
            row,
            brace,
            column,
            is_one_line,
            is_broken_line: false,
            names: Names::default(),
            comments,
            reports,
        });
    }

    /// Reports something between the type of a block and its brace that is not a label. Returns the
    /// brace's offset if it is clear.
    #[cold]
    fn wrong_header(&mut self, name: Span, token: TokenAt) -> Option<usize> {
        let kind = self.slice(name.start as usize, name.end as usize);
        let found = self.name_of(token);
        if token.0 == Token::NewLine {
            let next = self.lexer.skip(token.1, false);
            let end = self.at;
            let header = (Token::Identifier, name.start as usize, end);
            self.report(Code::MissingBlockBody, header, &[kind]);
            return (self.byte(next) == Some(b'{')).then_some(next);
        }
        let code = match token.0 {
            Token::Assign => Code::EqualsInBlock,
            Token::End => Code::MissingBlockBody,
            _ => Code::InvalidBlockHeader,
        };
        let place = match token.0 {
            Token::End => (Token::Identifier, name.start as usize, self.text.trim_end().len()),
            _ => token,
        };
        let arguments = if code == Code::MissingBlockBody { [kind, ""] } else { [found, kind] };
        self.report(code, place, &arguments);
        if token.0 == Token::Assign {
            let next = self.lexer.skip(token.2, true);
            if self.byte(next) == Some(b'{') {
                return Some(next);
            }
        }
        self.pass();
        None
    }

    /// Reads a quoted label. If it is not closed on its line, the error has the brace at the end of
    /// the line.
    fn quoted_label(&mut self, start: usize) -> Result<(), Option<usize>> {
        let rest = self.text.as_bytes().get(start + 1..).unwrap_or_default();
        let means = |byte: &u8| matches!(byte, b'"' | b'\\' | b'$' | b'%' | b'\n' | b'\r');
        let len = rest.iter().position(means).unwrap_or(rest.len());
        let plain_end = start + 1 + len;
        let (text, end) = match self.byte(plain_end) {
            Some(b'"') => (Some(self.slice(start + 1, plain_end)), plain_end + 1),
            _ => {
                let Extent { end, next, fault } = self.extents.string(start);
                match fault {
                    Some(fault) => {
                        self.fault(fault, Span::new(start as u32, end as u32));
                        self.at = next;
                        let header = self.slice(start, next).trim_end();
                        let brace = header.ends_with('{').then(|| start + header.len() - 1);
                        return Err(brace.filter(|_| matches!(fault, Fault::String { .. })));
                    }
                    None => (self.escaped_label(start, end), end),
                }
            }
        };
        let span = Span::new(start as u32, end as u32);
        let text = text.unwrap_or_else(|| self.slice(start + 1, end - 1));
        self.labels.push(LabelRow { span, text });
        self.at = end;
        Ok(())
    }

    /// Returns the text of a label with escapes, or `None` if it has a sequence or an invalid
    /// escape.
    #[cold]
    fn escaped_label(&mut self, start: usize, end: usize) -> Option<&'a str> {
        let text = Text::as_written(self.source, self.slice(start, end), start as u32);
        let (mut output, mut found) = (Output::default(), None::<Diagnostic<'a>>);
        let parsed = expression_into(&mut output, self.arena, &text, MAX_DEPTH, &mut found);
        match parsed.map(|program| (program.nodes, program.texts)) {
            Some(([Node { kind: Kind::Template, .. }], _)) => Some(""),
            Some((
                [Node { kind: Kind::Text, payload, .. }, Node { kind: Kind::Template, .. }],
                texts,
            )) => texts.get(*payload as usize).copied(),
            _ => {
                let error = found.unwrap_or_else(|| {
                    let (at, len) = self.sequence(start, end);
                    Diagnostic::new(Code::TemplateInLabel, self.label(at, at + len))
                });
                self.sink.report(error);
                None
            }
        }
    }

    /// The start of the first template sequence of a string, and the length of what opens it.
    #[cold]
    fn sequence(&self, start: usize, end: usize) -> (usize, usize) {
        let bytes = &self.text.as_bytes()[..end];
        let mut at = start + 1;
        while let Some(&byte) = bytes.get(at) {
            at += match byte {
                b'\\' => 2,
                b'$' | b'%' if bytes.get(at + 1) == Some(&b'{') => return (at, 2),
                b'$' | b'%' if bytes.get(at + 1..at + 3) == Some(&[byte, b'{']) => 3,
                _ => 1,
            };
        }
        (start, end - start)
    }

    /// Reads a closing brace.
    fn close(&mut self, brace: usize) {
        if !self.close_block(brace) {
            self.report(Code::UnexpectedBrace, (Token::BraceClose, brace, brace + 1), &[]);
            self.last = None;
            return;
        }
        self.skip();
        let token = self.token();
        if !matches!(token.0, Token::NewLine | Token::End) {
            let name = self.name_of(token);
            let is_one_line = self.blocks.last().is_some_and(|block| block.is_one_line);
            let is_reported = token.0 == Token::BraceClose && self.is_broken_line();
            if !is_one_line && !is_reported {
                let help = remedy(Code::MissingLineBreak, name);
                self.report(Code::MissingLineBreak, token, &[name, help]);
            }
        }
    }

    /// Closes the innermost block with this brace; false if none is open.
    pub(super) fn close_block(&mut self, brace: usize) -> bool {
        // Comments before a brace have no next item.
        self.leading = self.comments.len();
        self.at = brace + 1;
        let Some(block) = self.blocks.pop() else { return false };
        let (column, is_first) = self.column(brace);
        if is_first && column < block.column as usize && self.misplaced.is_none() {
            self.misplaced = Some(block.brace);
        }
        self.finish(&block, brace + 1);
        self.last = Some(block.row);
        true
    }

    /// Ends a body.
    fn finish(&mut self, block: &OpenBlock, end: usize) {
        let next = self.rows.len() as u32;
        let mut row = self.rows.get(block.row as usize);
        row.value.end = end as u32;
        row.next = next;
        self.rows.set(block.row as usize, row);
        if block.names.may_repeat {
            self.repeated(block.row + 1);
        }
        if self.is_skeleton && self.blocks.is_empty() && self.reports.get() == block.reports {
            self.seal(block);
        }
    }

    /// Drops the body of a block that has ended: it is read again when it is asked for.
    fn seal(&mut self, block: &OpenBlock) {
        let mut row = self.rows.get(block.row as usize);
        row.next = block.row + 1;
        if let RowKind::Block(first, count) = row.kind {
            self.labels.truncate((first + count) as usize);
            row.kind = RowKind::Sealed(first, count);
        }
        self.rows.truncate(row.next as usize);
        self.rows.set(block.row as usize, row);
        self.comments.truncate(block.comments as usize);
        self.leading = self.comments.len();
    }

    /// Ends the file.
    fn end(&mut self) {
        if let Some(innermost) = self.blocks.last()
            && !self.is_cut_off
        {
            let brace = self.misplaced.unwrap_or(innermost.brace) as usize;
            let mut diagnostic = Diagnostic::new(Code::UnclosedBlock, self.label(brace, brace + 1));
            if let Some(start) = self.misplaced_value {
                let label = self.label(start as usize, start as usize + 1);
                diagnostic = diagnostic
                    .with_related(label, "the construct that starts here is closed further left");
            }
            self.sink.report(diagnostic);
        }
        while let Some(block) = self.blocks.pop() {
            self.finish(&block, self.text.len());
        }
        if self.root_names.may_repeat {
            self.repeated(0);
        }
    }

    /// Marks attributes with duplicate names in the body that ends last, which starts at the row
    /// `first`.
    fn repeated(&mut self, first: u32) {
        /// Up to this many names are compared one by one.
        const FEW: usize = 16;
        let end = self.rows.len();
        let mut few: SmallVec<[(&'a str, u32); FEW]> = SmallVec::new();
        let mut many: HashMap<&'a str, u32> = HashMap::default();
        let mut at = first as usize;
        while at < end {
            step();
            let Row { name, kind, next, .. } = self.rows.get(at);
            let here = at;
            at = next as usize;
            if matches!(kind, RowKind::Block(..) | RowKind::Sealed(..)) {
                continue;
            }
            let text = self.slice(name.start as usize, name.end as usize);
            let earlier = if few.len() < FEW {
                let found = few.iter().find(|(known, _)| *known == text).map(|(_, row)| *row);
                if found.is_none() {
                    few.push((text, here as u32));
                }
                found
            } else {
                if many.is_empty() {
                    many.extend(few.iter().copied());
                }
                match many.entry(text) {
                    Entry::Occupied(earlier) => Some(*earlier.get()),
                    Entry::Vacant(place) => {
                        place.insert(here as u32);
                        None
                    }
                }
            };
            if let Some(earlier) = earlier {
                let repeated = Row { kind: RowKind::Repeated, ..self.rows.get(here) };
                self.rows.set(here, repeated);
                let first = self.rows.get(earlier as usize).name;
                self.sink.report(
                    Diagnostic::new(Code::DuplicateArgument, Label::new(self.source, name))
                        .with_arguments(&[text])
                        .with_related(Label::new(self.source, first), "first set here"),
                );
            }
        }
    }
}

fn span_of((_, start, end): TokenAt) -> Span {
    Span::new(start as u32, end as u32)
}
