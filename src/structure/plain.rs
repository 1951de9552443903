//! The fast reader of plain items.
//!
//! It moves from mark to mark ([`Index`]), reads attributes, heads of blocks, closing braces and
//! empty lines in their usual form, and writes the same rows as the careful reader in
//! [`reader`](super::reader). It stops before any other item, and before any possible error, and
//! leaves that item to the careful reader. So only the careful reader reports errors, and the fast
//! one reads most of a valid file.
//!
//! If the end of a value is not found, the careful reader continues alone up to the place where the
//! search failed, so that no byte is searched twice.

use super::index::Index;
use super::reader::{Names, OpenBlock, Reader};
use super::table::{LabelRow, Row, RowKind};
use crate::lexical::{FIRST, NAME};
use crate::native::MAX_DEPTH;
use crate::scan::Isa;
use crate::span::Span;
use crate::steps::step;

/// The maximum nesting of brackets, strings and sequences in a plain value.
const LEVELS: usize = 32;

/// An open construct in a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Parenthesis,
    Bracket,
    Brace,
    Sequence,
    Quote,
    Heredoc,
}

/// The end of a value without errors.
struct Value {
    /// The offset after its last token.
    end: usize,
    /// The line break or comment that follows, or the end of the file.
    next: usize,
    has_lines: bool,
}

/// The next item is not plain.
struct NotPlain;

impl<'a> Reader<'a, '_> {
    /// Reads items up to the first that is not plain.
    #[inline(always)]
    pub(super) fn plain<I: Isa>(&mut self, index: &mut Index<'_, I>) {
        if self.at < self.careful_until {
            return;
        }
        let text = self.text.as_bytes();
        loop {
            step();
            let at = index.next(self.at, |marks| marks.dark);
            let Some(&byte) = text.get(at) else { return };
            let read = match byte {
                b'\n' => {
                    self.break_line(index, at + 1);
                    Ok(())
                }
                b'\r' if text.get(at + 1) == Some(&b'\n') => {
                    self.break_line(index, at + 2);
                    Ok(())
                }
                b'}' => self.plain_close(index, at),
                b'#' | b'/' => {
                    self.skip();
                    if self.at <= at { Err(NotPlain) } else { Ok(()) }
                }
                _ if NAME[usize::from(byte)] == FIRST => self.plain_item(index, at),
                _ => Err(NotPlain),
            };
            if let Err(NotPlain) = read {
                return;
            }
        }
    }

    /// Moves to the start of a line. A blank line separates comments from what follows.
    #[inline(always)]
    fn break_line<I: Isa>(&mut self, index: &mut Index<'_, I>, line: usize) {
        self.last = None;
        let first = index.next(line, |marks| marks.dark);
        self.at = line;
        self.line = (line, line, first - line);
        if matches!(self.text.as_bytes().get(first), Some(b'\n' | b'\r')) {
            self.leading = self.comments.len();
        }
    }

    #[inline(always)]
    fn plain_item<I: Isa>(
        &mut self,
        index: &mut Index<'_, I>,
        start: usize,
    ) -> Result<(), NotPlain> {
        let text = self.text.as_bytes();
        if self.blocks.last().is_some_and(|block| block.is_one_line) {
            return Err(NotPlain);
        }
        let name_end = index.next(start, |marks| marks.unnamed);
        let at = index.next(name_end, |marks| marks.dark);
        match text.get(at) {
            Some(b'=') => self.plain_attribute(index, start, name_end, at),
            Some(b'"' | b'{') => self.plain_block(index, start, name_end, at),
            Some(byte) if at > name_end && NAME[usize::from(*byte)] == FIRST => {
                self.plain_block(index, start, name_end, at)
            }
            _ => Err(NotPlain),
        }
    }

    #[inline(always)]
    fn plain_attribute<I: Isa>(
        &mut self,
        index: &mut Index<'_, I>,
        start: usize,
        name_end: usize,
        equals: usize,
    ) -> Result<(), NotPlain> {
        let text = self.text.as_bytes();
        if matches!(text.get(equals + 1), Some(b'=' | b'>')) {
            return Err(NotPlain);
        }
        let value = index.next(equals + 1, |marks| marks.dark);
        let Value { end, next, has_lines } = self.plain_value(index, value)?;
        let is_comment = matches!(text.get(next), Some(b'#' | b'/'));
        let name = Span::new(start as u32, name_end as u32);
        let row = self.lead();
        if has_lines
            && self.misplaced_value.is_none()
            && matches!(text[end - 1], b'}' | b']' | b')')
        {
            let (column, _) = self.column(start);
            self.misplace_value(value as u32, end, column);
        }
        self.add_name(name);
        let value = Span::new(value as u32, end as u32);
        self.rows.push(Row { name, value, next: row + 1, kind: RowKind::Attribute });
        self.at = next;
        if is_comment {
            self.skip();
        }
        Ok(())
    }

    /// Starts an item. Returns its row.
    #[inline(always)]
    fn lead(&mut self) -> u32 {
        let row = self.rows.len() as u32;
        if self.leading < self.comments.len() {
            self.lead_comments(row);
        }
        self.last = Some(row);
        row
    }

    #[inline(always)]
    fn plain_block<I: Isa>(
        &mut self,
        index: &mut Index<'_, I>,
        start: usize,
        name_end: usize,
        mut at: usize,
    ) -> Result<(), NotPlain> {
        let text = self.text.as_bytes();
        let first = self.labels.len();
        let brace = loop {
            step();
            let label_end = match text.get(at) {
                Some(b'{') => break at,
                Some(b'"') => {
                    let quote = index.next(at + 1, |marks| marks.quoted);
                    if text.get(quote) != Some(&b'"') {
                        break usize::MAX;
                    }
                    let span = Span::new(at as u32, quote as u32 + 1);
                    let text = self.slice(at + 1, quote);
                    self.labels.push(LabelRow { span, text });
                    quote + 1
                }
                Some(byte) if NAME[usize::from(*byte)] == FIRST => {
                    let end = index.next(at, |marks| marks.unnamed);
                    if text.get(end).is_some_and(|byte| !byte.is_ascii()) {
                        break usize::MAX;
                    }
                    let text = self.slice(at, end);
                    self.labels.push(LabelRow { span: Span::new(at as u32, end as u32), text });
                    end
                }
                _ => break usize::MAX,
            };
            at = index.next(label_end, |marks| marks.dark);
        };
        let after = match brace {
            usize::MAX => usize::MAX,
            brace => index.next(brace + 1, |marks| marks.dark),
        };
        let is_comment = match text.get(after) {
            Some(b'\n') => false,
            Some(b'\r') if text.get(after + 1) == Some(&b'\n') => false,
            Some(b'#') => true,
            Some(b'/') if text.get(after + 1) == Some(&b'/') => true,
            _ => {
                self.labels.truncate(first);
                return Err(NotPlain);
            }
        };
        if self.blocks.len() >= MAX_DEPTH as usize {
            self.labels.truncate(first);
            return Err(NotPlain);
        }
        let row = self.lead();
        let name = Span::new(start as u32, name_end as u32);
        let value = Span::new(brace as u32, brace as u32 + 1);
        let count = (self.labels.len() - first) as u32;
        let kind = RowKind::Block(first as u32, count);
        self.rows.push(Row { name, value, next: row + 1, kind });
        let (column, _) = self.column(start);
        self.blocks.push(OpenBlock {
            row,
            brace: brace as u32,
            column: column as u32,
            is_one_line: false,
            is_broken_line: false,
            names: Names::default(),
            comments: self.comments.len() as u32,
            reports: self.reports.get(),
        });
        self.at = after;
        if is_comment {
            self.at = brace + 1;
            self.skip();
        }
        Ok(())
    }

    #[inline(always)]
    fn plain_close<I: Isa>(
        &mut self,
        index: &mut Index<'_, I>,
        brace: usize,
    ) -> Result<(), NotPlain> {
        let text = self.text.as_bytes();
        let after = index.next(brace + 1, |marks| marks.dark);
        let is_line_end = match text.get(after) {
            None | Some(b'\n') => true,
            Some(b'\r') => text.get(after + 1) == Some(&b'\n'),
            _ => false,
        };
        let Some(block) = self.blocks.last() else { return Err(NotPlain) };
        if !is_line_end || block.is_one_line {
            return Err(NotPlain);
        }
        self.close_block(brace);
        self.at = after;
        Ok(())
    }

    /// Returns the end of the value that starts at `start`.
    #[inline(always)]
    fn plain_value<I: Isa>(
        &mut self,
        index: &mut Index<'_, I>,
        start: usize,
    ) -> Result<Value, NotPlain> {
        let text = self.text.as_bytes();
        // Most values are on a line, and have no sequences.
        let mut at = start;
        let next = loop {
            at = index.next(at, |marks| marks.code);
            match text.get(at) {
                None | Some(b'\n' | b'#') => break at,
                Some(b'"') => {
                    let quote = index.next(at + 1, |marks| marks.quoted);
                    if text.get(quote) != Some(&b'"') {
                        return self.nested_value(index, start, at);
                    }
                    at = quote + 1;
                }
                _ => return self.nested_value(index, start, at),
            }
        };
        Self::ended(text, start, next, false)
    }

    /// Returns the end of a value that ends before `next`.
    #[inline(always)]
    fn ended(
        text: &[u8],
        start: usize,
        mut next: usize,
        has_lines: bool,
    ) -> Result<Value, NotPlain> {
        let mut end = next;
        if text.get(next) == Some(&b'\n') && text.get(next - 1) == Some(&b'\r') {
            end -= 1;
            next = end;
        }
        while end > start && matches!(text[end - 1], b' ' | b'\t') {
            end -= 1;
        }
        if end <= start {
            return Err(NotPlain);
        }
        Ok(Value { end, next, has_lines })
    }

    /// Returns the end of a value with brackets, sequences or heredocs; none is open at `at`.
    #[inline(never)]
    fn nested_value<I: Isa>(
        &mut self,
        index: &mut Index<'_, I>,
        start: usize,
        at: usize,
    ) -> Result<Value, NotPlain> {
        let mut at = at;
        let mut has_lines = false;
        match self.nested_end(index, &mut at, &mut has_lines) {
            Ok(()) => Self::ended(self.text.as_bytes(), start, at, has_lines),
            Err(NotPlain) => {
                self.careful_until = at + 1;
                Err(NotPlain)
            }
        }
    }

    #[inline(always)]
    fn nested_end<I: Isa>(
        &self,
        index: &mut Index<'_, I>,
        place: &mut usize,
        has_lines: &mut bool,
    ) -> Result<(), NotPlain> {
        let mut at = *place;
        let mut open = [Open::Quote; LEVELS];
        let mut depth = 0;
        let mut heredoc = None::<(usize, usize)>;
        loop {
            step();
            let innermost = if depth == 0 { None } else { open.get(depth - 1).copied() };
            let next = match innermost {
                Some(Open::Quote) => self.in_quotes(index, at, place)?,
                Some(Open::Heredoc) => {
                    *has_lines = true;
                    self.in_heredoc(index, at, place, heredoc.ok_or(NotPlain)?)?
                }
                _ => self.in_code(index, at, place, innermost)?,
            };
            at = match next {
                Next::At(at) => at,
                Next::End => return Ok(()),
                Next::Line(at) => {
                    *has_lines = true;
                    at
                }
                Next::Closed(at) => {
                    if innermost == Some(Open::Heredoc) {
                        heredoc = None;
                    }
                    depth -= 1;
                    at
                }
                Next::Opened(kind, at) => {
                    *open.get_mut(depth).ok_or(NotPlain)? = kind;
                    depth += 1;
                    at
                }
                Next::Heredoc(name, at) => {
                    if heredoc.replace(name).is_some() {
                        return Err(NotPlain);
                    }
                    *open.get_mut(depth).ok_or(NotPlain)? = Open::Heredoc;
                    depth += 1;
                    at
                }
            };
        }
    }

    /// Reads on in a quoted template. Leaves where it looked in `place`.
    #[inline(always)]
    fn in_quotes<I: Isa>(
        &self,
        index: &mut Index<'_, I>,
        at: usize,
        place: &mut usize,
    ) -> Result<Next, NotPlain> {
        let text = self.text.as_bytes();
        let at = index.next(at, |marks| marks.quoted);
        *place = at;
        match text.get(at) {
            Some(b'"') => Ok(Next::Closed(at + 1)),
            Some(b'\\') if !matches!(text.get(at + 1), None | Some(b'\n' | b'\r')) => {
                Ok(Next::At(at + 2))
            }
            Some(b'$' | b'%') => Ok(sequence(text, at)),
            _ => Err(NotPlain),
        }
    }

    /// Reads on in a heredoc with the name between these offsets.
    #[inline(always)]
    fn in_heredoc<I: Isa>(
        &self,
        index: &mut Index<'_, I>,
        at: usize,
        place: &mut usize,
        (name, name_end): (usize, usize),
    ) -> Result<Next, NotPlain> {
        let text = self.text.as_bytes();
        if text[at - 1] == b'\n' {
            let dark = index.next(at, |marks| marks.dark);
            let byte = text.get(dark).copied().unwrap_or_default();
            if (byte == text[name] || !byte.is_ascii_graphic())
                && let Some(end) = self.lexer.heredoc_end(at, self.slice(name, name_end))
            {
                return Ok(Next::Closed(end));
            }
        }
        let at = index.next(at, |marks| marks.heredoc);
        *place = at;
        match text.get(at) {
            Some(b'\n') => Ok(Next::At(at + 1)),
            Some(b'$' | b'%') => Ok(sequence(text, at)),
            _ => Err(NotPlain),
        }
    }

    /// Reads on outside of templates.
    #[inline(always)]
    fn in_code<I: Isa>(
        &self,
        index: &mut Index<'_, I>,
        at: usize,
        place: &mut usize,
        innermost: Option<Open>,
    ) -> Result<Next, NotPlain> {
        let text = self.text.as_bytes();
        let at = index.next(at, |marks| marks.code);
        *place = at;
        let Some(&byte) = text.get(at) else {
            return if innermost.is_none() { Ok(Next::End) } else { Err(NotPlain) };
        };
        Ok(match byte {
            b'\n' if innermost.is_none() => Next::End,
            b'\n' => Next::Line(at + 1),
            b',' if innermost.is_some() => Next::At(at + 1),
            b'"' => {
                let quote = index.next(at + 1, |marks| marks.quoted);
                match text.get(quote) {
                    Some(b'"') => Next::At(quote + 1),
                    _ => Next::Opened(Open::Quote, at + 1),
                }
            }
            b'(' => Next::Opened(Open::Parenthesis, at + 1),
            b'[' => Next::Opened(Open::Bracket, at + 1),
            b'{' => Next::Opened(Open::Brace, at + 1),
            b')' if innermost == Some(Open::Parenthesis) => Next::Closed(at + 1),
            b']' if innermost == Some(Open::Bracket) => Next::Closed(at + 1),
            b'}' if matches!(innermost, Some(Open::Brace | Open::Sequence)) => Next::Closed(at + 1),
            b'#' | b'/' => {
                let is_line = byte == b'#' || text.get(at + 1) == Some(&b'/');
                match text.get(at + 1) {
                    _ if is_line && innermost.is_none() => Next::End,
                    _ if is_line => {
                        let rest = &text[at..];
                        Next::At(at + memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
                    }
                    Some(b'*') => return Err(NotPlain),
                    _ => Next::At(at + 1),
                }
            }
            b'<' => match self.lexer.heredoc(at).filter(|_| text.get(at + 1) == Some(&b'<')) {
                Some(after) => {
                    let dash = usize::from(text.get(at + 2) == Some(&b'-'));
                    let name = at + 2 + dash;
                    Next::Heredoc((name, self.lexer.identifier(name)), after)
                }
                None => Next::At(at + 1),
            },
            _ => return Err(NotPlain),
        })
    }
}

/// The state in which a value continues after a token.
enum Next {
    /// In the same construct.
    At(usize),
    /// In the same construct, on the next line.
    Line(usize),
    /// After the innermost construct.
    Closed(usize),
    /// In a construct that opens.
    Opened(Open, usize),
    /// In a heredoc that opens, whose name is between these offsets.
    Heredoc((usize, usize), usize),
    /// Nowhere: the value ends before the token.
    End,
}

/// Reads a dollar or percent sign in a template, which may open a sequence; the escape `$${` does not.
fn sequence(text: &[u8], at: usize) -> Next {
    match (text.get(at + 1), text.get(at + 2)) {
        (Some(b'{'), _) => Next::Opened(Open::Sequence, at + 2),
        (Some(next), Some(b'{')) if *next == text[at] => Next::At(at + 3),
        _ => Next::At(at + 1),
    }
}
