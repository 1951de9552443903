//! Finds where an expression ends, from its strings, heredocs, comments and brackets alone.
//!
//! An expression ends at the end of its line, unless a bracket, a template or a heredoc is open. A
//! stack of open constructs replaces recursion. If something is not closed, the open constructs are
//! remembered: a reader that continues inside that text meets the same brackets again, and does not
//! search for their ends a second time. So the cost is linear, however many brackets are missing.

use crate::native::lexer::Lexer;
use crate::steps::step;

/// The kind of an open construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Parenthesis,
    Bracket,
    Brace,
    /// `${` or `%{`
    Sequence,
    /// `"`
    Quote,
    /// A heredoc, with the place of its name.
    Heredoc {
        name: (u32, u32),
    },
}

impl Kind {
    fn is_template(self) -> bool {
        matches!(self, Self::Sequence | Self::Quote | Self::Heredoc { .. })
    }
}

#[derive(Clone, Copy, Debug)]
struct Open {
    kind: Kind,
    at: u32,
}

/// The end of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The offset after its last token.
    pub(super) end: usize,
    /// Where the token after it starts: a line break, a comment, a comma, a closing brace, or the
    /// end of the file.
    pub(super) next: usize,
    /// The error that ended it early.
    pub(super) fault: Option<Fault>,
}

/// A construct that is not closed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// A bracket or sequence; the innermost one starts at `start`. [`Extent::next`] is where the
    /// reader should continue.
    Bracket { start: usize },
    /// The string that starts at `start` is still open at the end of its line, `line_end`.
    String { start: usize, line_end: usize },
    /// The heredoc that starts at `start` is not closed. The rest of the file is part of it.
    Heredoc { start: usize, name: (usize, usize) },
}

/// Finds the ends of expressions.
pub(super) struct Extents<'t> {
    lexer: Lexer<'t>,
    open: Vec<Open>,
    /// The indexes in `open` of strings, heredocs and sequences.
    places: Vec<u32>,
    /// The number of open templates; while an item is searched for, of those that are closed.
    templates: usize,
    /// The first string that is not closed.
    string: Option<Fault>,
    /// The offsets of brackets that are not closed, sorted: those that were open when a search
    /// failed at `failed_at`.
    unclosed: Vec<u32>,
    failed_at: usize,
    /// The search ends at a line that looks like an item and is indented by at most this much.
    until_item: Option<usize>,
    /// Whether the end of an outermost string ends the search.
    ends_with_string: bool,
}

/// The bytes that have a meaning between the tokens of an expression.
static MEANS: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\"#/<()[]{}\n,";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

impl<'t> Extents<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            lexer: Lexer::new(text),
            open: Vec::new(),
            places: Vec::new(),
            templates: 0,
            string: None,
            unclosed: Vec::new(),
            failed_at: 0,
            until_item: None,
            ends_with_string: false,
        }
    }

    fn bytes(&self) -> &'t [u8] {
        self.lexer.text.as_bytes()
    }

    /// Returns the end of the expression that starts at `start`, in a line that is indented by
    /// `column`.
    pub(super) fn find(&mut self, start: usize, column: usize) -> Extent {
        self.string = None;
        let (mut at, mut end) = (start, start);
        match self.search(&mut at, &mut end, usize::MAX) {
            Went::Wrong => self.fail(start, at, column),
            _ => Extent { end, next: at, fault: self.string },
        }
    }

    /// Returns where the string that starts at `start` ends: after its quote, unless the extent has
    /// a fault.
    pub(super) fn string(&mut self, start: usize) -> Extent {
        self.string = None;
        let (mut at, mut end) = (start, start);
        self.ends_with_string = true;
        let went = self.search(&mut at, &mut end, usize::MAX);
        self.ends_with_string = false;
        match went {
            Went::Wrong => self.fail(start, at, 0),
            _ => Extent { end: at, next: at, fault: self.string },
        }
    }

    /// Continues until the expression ends, an error is found, or `limit` is reached.
    fn search(&mut self, at: &mut usize, end: &mut usize, limit: usize) -> Went {
        self.open.clear();
        self.places.clear();
        self.templates = 0;
        while *at < limit {
            step();
            let went = match self.open.last() {
                Some(Open { kind: Kind::Quote, .. }) => self.quoted(at),
                Some(&Open { kind: Kind::Heredoc { name }, .. }) => self.heredoc(at, name),
                _ => self.code(at, end),
            };
            match went {
                Went::On => {}
                Went::Closed if self.ends_with_string && self.open.is_empty() => return went,
                // Spaces after the name of a heredoc are not part of the expression.
                Went::Closed => *end = self.lexer.before_spaces(*at),
                Went::Ended | Went::Wrong => return went,
            }
        }
        Went::Ended
    }

    /// Reads one step between tokens. `end` is the offset after the last token.
    fn code(&mut self, at: &mut usize, end: &mut usize) -> Went {
        let bytes = self.bytes();
        let Some(&byte) = bytes.get(*at) else {
            return if self.open.is_empty() { Went::Ended } else { Went::Wrong };
        };
        if !MEANS[usize::from(byte)] {
            let rest = bytes.get(*at..).unwrap_or_default();
            let len = rest.iter().position(|byte| MEANS[usize::from(*byte)]);
            let after = *at + len.unwrap_or(rest.len());
            let mut run = &bytes[*at..after];
            if bytes.get(after) == Some(&b'\n') {
                run = run.strip_suffix(b"\r").unwrap_or(run);
            }
            let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
            if let Some(last) = run.iter().rposition(|byte| !is_space(byte)) {
                *end = *at + last + 1;
            }
            *at = after;
            return Went::On;
        }
        let is_outermost = self.open.is_empty();
        match byte {
            b'\n' | b',' if is_outermost => {
                if byte == b'\n' && *at > *end && bytes.get(*at - 1) == Some(&b'\r') {
                    *at -= 1;
                }
                return Went::Ended;
            }
            b'#' if is_outermost => return Went::Ended,
            b'/' if is_outermost && bytes.get(*at + 1) == Some(&b'/') => return Went::Ended,
            b'\n' => {
                if let Some(column) = self.until_item
                    && self.templates == 0
                    && self.is_item(*at + 1, column)
                {
                    return Went::Ended;
                }
                *at += 1;
            }
            b'#' | b'/' => {
                let after = self.lexer.skip(*at, true);
                if after > *at {
                    *at = after;
                    return Went::On;
                }
                *at += 1;
            }
            b'"' => return self.push(Kind::Quote, at, 1),
            b'(' => return self.push(Kind::Parenthesis, at, 1),
            b'[' => return self.push(Kind::Bracket, at, 1),
            b'{' => return self.push(Kind::Brace, at, 1),
            b'<' => {
                if bytes.get(*at + 1) == Some(&b'<')
                    && let Some(after) = self.lexer.heredoc(*at)
                {
                    let dash = usize::from(bytes.get(*at + 2) == Some(&b'-'));
                    let name = *at + 2 + dash;
                    let name = (name as u32, self.lexer.identifier(name) as u32);
                    return self.push(Kind::Heredoc { name }, at, after - *at);
                }
                *at += 1;
            }
            b')' | b']' | b'}' => {
                let closes = match self.open.last().map(|open| open.kind) {
                    None if byte == b'}' => return Went::Ended,
                    // The expression parser reports what is wrong.
                    None => true,
                    Some(Kind::Parenthesis) => byte == b')',
                    Some(Kind::Bracket) => byte == b']',
                    Some(_) => byte == b'}',
                };
                if !closes {
                    return Went::Wrong;
                }
                self.pop();
                *at += 1;
            }
            _ => *at += 1,
        }
        if byte != b'\n' {
            *end = *at;
        }
        Went::On
    }

    /// Opens a construct whose opening is `len` bytes long, unless it is known not to be closed.
    fn push(&mut self, kind: Kind, at: &mut usize, len: usize) -> Went {
        let start = *at as u32;
        if kind.is_template() {
            self.places.push(self.open.len() as u32);
        }
        self.open.push(Open { kind, at: start });
        let is_known = !self.unclosed.is_empty() && self.unclosed.binary_search(&start).is_ok();
        match self.until_item {
            None if is_known => return Went::Wrong,
            // A template that is not closed does not count as one: lines in it can be items.
            Some(_) if is_known => {}
            _ => self.templates += usize::from(kind.is_template()),
        }
        *at += len;
        Went::On
    }

    fn pop(&mut self) {
        if let Some(open) = self.open.pop()
            && open.kind.is_template()
        {
            self.places.pop();
            self.templates = self.templates.saturating_sub(1);
        }
    }

    /// Reads a part of a string.
    fn quoted(&mut self, at: &mut usize) -> Went {
        let bytes = self.bytes();
        let rest = bytes.get(*at..).unwrap_or_default();
        let means = |byte: &u8| matches!(byte, b'"' | b'\\' | b'$' | b'%' | b'\n' | b'\r');
        *at += rest.iter().position(means).unwrap_or(rest.len());
        match bytes.get(*at) {
            Some(b'"') => {
                self.pop();
                *at += 1;
                Went::Closed
            }
            Some(b'\\') => {
                // A quote after a backslash does not close the string. A line break still ends it.
                let is_pair = bytes.get(*at + 1).is_some_and(|byte| !matches!(byte, b'\n' | b'\r'));
                *at += 1 + usize::from(is_pair);
                Went::On
            }
            Some(b'$' | b'%') => self.sign(at),
            _ => {
                self.end_line(*at);
                Went::Closed
            }
        }
    }

    /// Handles a line that ends inside a string: the string ends there, and so does everything
    /// around it up to the outermost string of that line.
    #[cold]
    fn end_line(&mut self, line_end: usize) {
        let start = self.open.last().map_or(line_end, |open| open.at as usize);
        let mut outermost = self.open.len();
        for &place in self.places.iter().rev() {
            match self.open[place as usize].kind {
                Kind::Heredoc { .. } => break,
                Kind::Quote => outermost = place as usize,
                _ => {}
            }
        }
        while self.open.len() > outermost {
            self.pop();
        }
        self.string.get_or_insert(Fault::String { start, line_end });
    }

    /// Reads a part of a heredoc.
    fn heredoc(&mut self, at: &mut usize, name: (u32, u32)) -> Went {
        let bytes = self.bytes();
        if bytes.get(at.wrapping_sub(1)) == Some(&b'\n') {
            let name = self.lexer.text.get(name.0 as usize..name.1 as usize).unwrap_or_default();
            if let Some(end) = self.lexer.heredoc_end(*at, name) {
                self.pop();
                *at = end;
                return Went::Closed;
            }
        }
        let rest = bytes.get(*at..).unwrap_or_default();
        match memchr::memchr3(b'$', b'%', b'\n', rest) {
            Some(found) if rest[found] == b'\n' => {
                *at += found + 1;
                Went::On
            }
            Some(found) => {
                *at += found;
                self.sign(at)
            }
            None => {
                *at = bytes.len();
                Went::Wrong
            }
        }
    }

    /// Reads `$` or `%` in a template.
    fn sign(&mut self, at: &mut usize) -> Went {
        let bytes = self.bytes();
        let sign = bytes[*at];
        match (bytes.get(*at + 1), bytes.get(*at + 2)) {
            (Some(&next), Some(b'{')) if next == sign => *at += 3,
            (Some(b'{'), _) => return self.push(Kind::Sequence, at, 2),
            _ => *at += 1,
        }
        Went::On
    }

    /// Handles a construct that is not closed, found at `at`.
    #[cold]
    fn fail(&mut self, start: usize, at: usize, column: usize) -> Extent {
        let bytes = self.bytes();
        if let (None, true, Some(&Open { kind: Kind::Heredoc { name }, at: heredoc })) =
            (self.string, at >= bytes.len(), self.open.last())
        {
            let name = (name.0 as usize, name.1 as usize);
            let fault = Some(Fault::Heredoc { start: heredoc as usize, name });
            return Extent { end: bytes.len(), next: bytes.len(), fault };
        }
        // A bracket that was met before adds nothing.
        let is_known = |open: &Open| self.unclosed.binary_search(&open.at).is_ok();
        if !self.open.last().is_some_and(is_known) {
            self.unclosed.clear();
            self.unclosed.extend(self.open.iter().map(|open| open.at));
            self.failed_at = at;
        }
        let mut next = self.open.first().map_or(start, |open| open.at as usize);
        self.until_item = Some(column);
        self.search(&mut next, &mut 0, self.failed_at);
        self.until_item = None;
        // A closing brace closes the body around the expression; other brackets close nothing.
        if next >= self.failed_at && bytes.get(next) != Some(&b'}') {
            let rest = bytes.get(next..).unwrap_or_default();
            next = memchr::memchr(b'\n', rest).map_or(bytes.len(), |found| next + found);
        }
        let text = self.lexer.text.get(start..next).unwrap_or_default();
        let end = start + text.trim_end().len();
        let innermost = self.unclosed.partition_point(|open| (*open as usize) < end).checked_sub(1);
        let innermost = innermost.and_then(|place| self.unclosed.get(place));
        let fault = Fault::Bracket { start: innermost.map_or(start, |open| *open as usize) };
        Extent { end, next, fault: self.string.or(Some(fault)) }
    }

    /// Whether a line looks like an item, or like the end of the enclosing body.
    fn is_item(&self, line: usize, column: usize) -> bool {
        let bytes = self.bytes();
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
        let spaces = |at: usize| {
            bytes.get(at..).unwrap_or_default().iter().take_while(|b| is_space(b)).count()
        };
        let indentation = spaces(line);
        let start = line + indentation;
        if bytes.get(start) == Some(&b'}') {
            return indentation < column;
        }
        let name_end = self.lexer.identifier(start);
        if indentation > column || name_end == start {
            return false;
        }
        let mut at = name_end + spaces(name_end);
        if bytes.get(at) == Some(&b'=') {
            return !matches!(bytes.get(at + 1), Some(b'=' | b'>'));
        }
        // Reads labels, then a brace.
        loop {
            step();
            at += spaces(at);
            match bytes.get(at) {
                Some(b'{') => return true,
                Some(b'"') => {
                    let rest = bytes.get(at + 1..).unwrap_or_default();
                    match memchr::memchr2(b'"', b'\n', rest) {
                        Some(found) if rest[found] == b'"' => at += found + 2,
                        _ => return false,
                    }
                }
                _ => match self.lexer.identifier(at) {
                    end if end > at => at = end,
                    _ => return false,
                },
            }
        }
    }
}

/// The result of a step of the search.
enum Went {
    On,
    /// A string or heredoc has ended.
    Closed,
    /// The expression has ended.
    Ended,
    /// Something is not closed.
    Wrong,
}
