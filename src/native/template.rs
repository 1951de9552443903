//! Templates: literal text, interpolations and directives.
//!
//! Text is read in *literals*: a line with its line feed, the rest of a line, or a lone `$` or `%`.
//! The strip markers `~` take whitespace only from the literal next to them, so never beyond a
//! line. Consecutive literals become one part. It borrows from the text as long as nothing was
//! removed from its middle.

use super::frame::{Ending, Flush, Frame, Head, Open, Part, State, Style};
use super::lexer::Token;
use super::output::{Fault, Parsed};
use super::parser::Parser;
use crate::diagnostic::Code;
use crate::program::node::Kind;
use crate::span::Span;

/// Which bytes are literal text of a quoted template.
const QUOTED: [bool; 256] = {
    let mut literal = [true; 256];
    let mut special = b"\"\\$%\n\r".as_slice();
    while let [byte, rest @ ..] = special {
        literal[*byte as usize] = false;
        special = rest;
    }
    literal
};

/// Consecutive literals that become one part.
#[derive(Default)]
struct Run {
    start: usize,
    /// Where the last literal starts and ends.
    last: (usize, usize),
    /// The text before the last literal, once it is no longer a slice of the source.
    text: Option<String>,
    any: bool,
}

impl<'a> Parser<'a, '_> {
    /// Reads the whole text as a template. A byte order mark is text.
    pub(super) fn template(&mut self) -> Parsed<'a, ()> {
        let text = self.lexer.text;
        let is_one_sequence = text.starts_with("${")
            && memchr::memchr(b'}', text.as_bytes()) == text.len().checked_sub(1);
        if is_one_sequence && self.plain_traversal(2, Some(b'}')).is_some() {
            self.emit(Kind::Wrap, 0, 0, 0, text.len());
            return Ok(());
        }
        self.open_template(Style::Bare, "", 0, 0)?;
        self.run()
    }

    /// Reads the quoted template that starts at `start` if it has only literal text and plain
    /// traversals: most strings, which do not need the machine. Returns false, and reads nothing, if
    /// it has anything else.
    ///
    /// Cost: linear in the part before the first escape or other sequence. That part is read at
    /// most twice, since it has no strings within.
    pub(super) fn plain_quoted(&mut self, start: usize) -> bool {
        let bytes = self.lexer.text.as_bytes();
        if bytes.get(start) != Some(&b'"') || self.depth + 2 > self.max_depth {
            return false;
        }
        let mark = self.out.mark();
        let first = self.out.nodes.len();
        let (mut at, mut parts) = (start + 1, 0);
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let len = rest.iter().take_while(|byte| QUOTED[usize::from(**byte)]).count();
            if len > 0 {
                let place = self.out.keep_fixed(self.slice(at, at + len));
                self.leaf(Kind::Text, place, at, at + len);
                (at, parts) = (at + len, parts + 1);
            }
            let end = match rest.get(len..) {
                Some([b'"', ..]) => break,
                Some([b'$', b'{', ..]) => self.plain_traversal(at + 2, Some(b'}')),
                _ => None,
            };
            let Some(end) = end else {
                self.out.truncate(&mark);
                return false;
            };
            (at, parts) = (end + 1, parts + 1);
        }
        self.end_parts(parts, first, start, at + 1);
        self.at = at + 1;
        true
    }

    pub(super) fn open_quoted(&mut self, start: usize) -> Parsed<'a, ()> {
        let first = self.out.nodes.len();
        self.open_template(Style::Quoted, "", first, start)
    }

    pub(super) fn open_heredoc(&mut self, start: usize, end: usize) -> Parsed<'a, ()> {
        let head = self.slice(start + 2, end);
        let flush = head.starts_with('-');
        let name = head.trim_start_matches('-').trim_end_matches(['\r', '\n']);
        self.at = end;
        let first = self.out.nodes.len();
        if flush {
            let lines = Vec::new();
            self.out.flushes.push(Flush { lines, indentation: usize::MAX, at_line: true });
        }
        self.open_template(Style::Heredoc { flush }, name, first, start)
    }

    fn open_template(
        &mut self,
        style: Style,
        name: &'a str,
        first: usize,
        start: usize,
    ) -> Parsed<'a, ()> {
        let outer = self.enter(false);
        self.state = State::Literal;
        self.open_level(Open {
            style,
            ending: Ending::Own,
            name,
            first,
            start,
            parts: 0,
            trims: false,
            directive: 0,
            directive_start: 0,
            head: None,
            outer,
        })
    }

    /// Reads literals up to a sequence or the end of the template.
    pub(super) fn literal(&mut self) -> Parsed<'a, ()> {
        let mut open = self.innermost();
        let mut run = Run::default();
        let mut at = self.at;
        loop {
            let bytes = self.lexer.text.as_bytes();
            let at_line = at == 0 || bytes.get(at.wrapping_sub(1)) == Some(&b'\n');
            if let Style::Heredoc { flush } = open.style
                && at_line
            {
                if let Some(end) = self.lexer.heredoc_end(at, open.name) {
                    self.flush(&mut run, &mut open);
                    if open.ending != Ending::Own {
                        return Err(self.unexpected_end(at));
                    }
                    self.at = end;
                    return self.end_template(open, self.lexer.before_spaces(end));
                }
                // A sequence may strip the line before.
                if flush && !matches!(bytes.get(at..at + 2), Some(b"${" | b"%{")) {
                    self.flush(&mut run, &mut open);
                }
            }
            match bytes.get(at) {
                None => {
                    self.flush(&mut run, &mut open);
                    self.at = at;
                    return match (open.style, open.ending) {
                        (Style::Bare, Ending::Own) => self.end_template(open, at),
                        (Style::Bare, _) => Err(self.unexpected_end(at)),
                        _ => Err(Fault {
                            code: Code::UnterminatedTemplate,
                            span: Span::new(at as u32, at as u32),
                            arguments: ["", ""],
                        }),
                    };
                }
                Some(b'"') if open.style == Style::Quoted => {
                    self.flush(&mut run, &mut open);
                    if open.ending != Ending::Own {
                        return Err(self.unexpected_end(at));
                    }
                    self.at = at + 1;
                    return self.end_template(open, at + 1);
                }
                Some(b'\n' | b'\r') if open.style == Style::Quoted => {
                    return Err(Fault {
                        code: Code::MultilineString,
                        span: Span::new(at as u32, at as u32 + 1),
                        arguments: ["", ""],
                    });
                }
                Some(b'\\') if open.style == Style::Quoted => {
                    let (character, end) = self.escape(at)?;
                    self.replaced(&mut run, &mut open, at, end, character);
                    at = end;
                }
                Some(&sign @ (b'$' | b'%')) => {
                    if bytes.get(at + 1) == Some(&sign) && bytes.get(at + 2) == Some(&b'{') {
                        // The brace is part of the literal.
                        let text = if sign == b'$' { "${" } else { "%{" };
                        self.replaced_by(&mut run, &mut open, at, at + 3, text);
                        at += 3;
                    } else if bytes.get(at + 1) == Some(&b'{') {
                        let trims = bytes.get(at + 2) == Some(&b'~');
                        if trims {
                            self.trim_end(&mut run, open.style);
                        }
                        self.flush(&mut run, &mut open);
                        if let Some(flush) = self.flushing(open.style) {
                            flush.indent("");
                        }
                        if sign == b'$'
                            && let Some(end) = self.plain_traversal(at + 2, Some(b'}'))
                        {
                            open.parts += 1;
                            open.trims = false;
                            at = end + 1;
                            continue;
                        }
                        self.set_innermost(open);
                        self.at = at + 2 + usize::from(trims);
                        return match sign {
                            b'$' => self.interpolation(at),
                            _ => self.directive(at),
                        };
                    } else {
                        self.plain(&mut run, &mut open, at, at + 1);
                        at += 1;
                    }
                }
                Some(_) => {
                    let end = self.literal_end(at, open.style);
                    self.plain(&mut run, &mut open, at, end);
                    at = end;
                }
            }
        }
    }

    /// Returns where a literal without special characters ends: after the line feed, or before the
    /// next special character.
    fn literal_end(&self, at: usize, style: Style) -> usize {
        let bytes = self.lexer.text.as_bytes();
        let rest = bytes.get(at..).unwrap_or_default();
        let found = if style == Style::Quoted {
            rest.iter().position(|byte| !QUOTED[usize::from(*byte)])
        } else {
            memchr::memchr3(b'$', b'%', b'\n', rest)
        };
        match found {
            Some(found) if rest.get(found) == Some(&b'\n') && style != Style::Quoted => {
                at + found + 1
            }
            Some(found) => at + found.max(1),
            None => bytes.len(),
        }
    }

    fn plain(&self, run: &mut Run, open: &mut Open<'a>, start: usize, end: usize) {
        self.literal_of(run, open, start, end, self.slice(start, end));
    }

    fn replaced(&self, run: &mut Run, open: &mut Open<'a>, start: usize, end: usize, by: char) {
        self.replaced_by(run, open, start, end, by.encode_utf8(&mut [0; 4]));
    }

    /// Adds a literal whose text differs from the source.
    fn replaced_by(&self, run: &mut Run, open: &mut Open<'a>, start: usize, end: usize, by: &str) {
        if open.trims && by.trim_start().is_empty() {
            // It is empty now, but it exists: the template is not a single interpolation.
            *run = Run { start, last: (end, end), text: Some(String::new()), any: true };
            return;
        }
        let mut text = self.take_text(run);
        text.push_str(by);
        open.trims = false;
        let start = if run.any { run.start } else { start };
        *run = Run { start, last: (end, end), text: Some(text), any: true };
    }

    /// Takes the text out of a run, so that appending to it again and again does not copy it.
    fn take_text(&self, run: &mut Run) -> String {
        let from = if run.text.is_some() { run.last.0 } else { run.start };
        let mut text = run.text.take().unwrap_or_default();
        if run.any {
            text.push_str(self.slice(from, run.last.1));
        }
        text
    }

    fn literal_of(&self, run: &mut Run, open: &mut Open<'a>, start: usize, end: usize, text: &str) {
        let mut from = start;
        if open.trims {
            from = end - text.trim_start().len();
            // Between quotes escapes belong to the literal, which continues after them.
            open.trims = open.style == Style::Quoted && from == end;
            if open.trims {
                *run = Run { start, last: (end, end), text: Some(String::new()), any: true };
                return;
            }
        }
        if !run.any {
            *run = Run { start: from, last: (from, end), text: None, any: true };
        } else if let Some(before) = &mut run.text {
            before.push_str(self.slice(run.last.0, run.last.1));
            run.last = (from, end);
        } else {
            run.last = (from, end);
        }
    }

    /// Removes the whitespace from the end of the last literal. Between quotes, that is the run.
    fn trim_end(&self, run: &mut Run, style: Style) {
        if style == Style::Quoted && run.text.is_some() {
            let mut text = self.take_text(run);
            text.truncate(text.trim_end().len());
            *run = Run { text: Some(text), last: (run.last.1, run.last.1), ..*run };
            return;
        }
        let last = self.slice(run.last.0, run.last.1);
        run.last.1 = run.last.0 + last.trim_end().len();
    }

    /// Writes a run as one part.
    fn flush(&mut self, run: &mut Run, open: &mut Open<'a>) {
        if !run.any {
            return;
        }
        let end = self.lexer.text.len().min(run.last.1.max(run.start));
        let text: &'a str = match run.text {
            None => self.slice(run.start, run.last.1),
            Some(_) => self.arena.str(&self.take_text(run)),
        };
        let place = self.keep(text);
        if let Some(flush) = self.flushing(open.style)
            && flush.indent(text)
        {
            flush.lines.push(place);
        }
        self.leaf(Kind::Text, place, run.start, end);
        open.parts += 1;
        *run = Run::default();
    }

    /// Returns the character of an escape in a quoted template, and where the escape ends.
    fn escape(&self, at: usize) -> Parsed<'a, (char, usize)> {
        let rest = self.lexer.text.get(at + 1..).unwrap_or_default();
        let digits = match rest.as_bytes().first() {
            Some(b'n') => return Ok(('\n', at + 2)),
            Some(b'r') => return Ok(('\r', at + 2)),
            Some(b't') => return Ok(('\t', at + 2)),
            Some(b'"') => return Ok(('"', at + 2)),
            Some(b'\\') => return Ok(('\\', at + 2)),
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let written = rest
            .get(1..=digits)
            .filter(|text| digits > 0 && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = written.and_then(|text| u32::from_str_radix(text, 16).ok());
        if let Some(character) = code.and_then(char::from_u32) {
            return Ok((character, at + 2 + digits));
        }
        let end = match written {
            Some(_) => at + 2 + digits,
            None => at + 1 + rest.chars().next().map_or(0, char::len_utf8),
        };
        let span = Span::new(at as u32, end as u32);
        Err(Fault { code: Code::InvalidTemplateEscape, span, arguments: [self.slice(at, end), ""] })
    }

    #[cold]
    fn unexpected_end(&self, at: usize) -> Fault<'a> {
        let span = Span::new(at as u32, at as u32);
        Fault { code: Code::UnexpectedEndOfTemplate, span, arguments: ["", ""] }
    }

    // Sequences.

    fn interpolation(&mut self, start: usize) -> Parsed<'a, ()> {
        let outer = self.enter(false);
        self.state = State::Operand;
        self.push(Frame::Interpolation { start, outer })
    }

    /// Ends an interpolation, or the head of a directive.
    pub(super) fn end_sequence(
        &mut self,
        frame: Frame,
        token: (Token, usize, usize),
    ) -> Parsed<'a, ()> {
        let is_end = matches!(token.0, Token::BraceClose | Token::TrimClose);
        match frame {
            Frame::Interpolation { start, outer } => {
                if token.0 == Token::End {
                    let open = (Token::BraceOpen, start, start + 2);
                    return Err(self.fault(Code::UnclosedInterpolation, open));
                }
                if !is_end {
                    return Err(self.fault(Code::ExtraInInterpolation, token));
                }
                self.pop();
                self.new_lines = outer;
                self.resume(token, true)
            }
            Frame::If { first, start, outer } => {
                if !is_end {
                    return Err(self.extra("if", token));
                }
                self.pop();
                self.new_lines = outer;
                self.branch(Ending::Then, first, start, None, token)
            }
            Frame::For { first, start, mut head, outer } => {
                if !is_end {
                    return Err(self.extra("for", token));
                }
                self.pop();
                self.new_lines = outer;
                self.start_loop(&mut head);
                self.branch(Ending::Body, first, start, Some(head), token)
            }
            _ => Err(self.fault(Code::InvalidExpression, token)),
        }
    }

    #[cold]
    fn extra(&self, marker: &'static str, token: (Token, usize, usize)) -> Fault<'a> {
        let mut fault = self.fault(Code::ExtraInMarker, token);
        fault.arguments = [marker, ""];
        fault
    }

    /// Continues with the text after a sequence.
    fn resume(&mut self, token: (Token, usize, usize), is_part: bool) -> Parsed<'a, ()> {
        self.at = token.2;
        let mut open = self.innermost();
        open.trims = token.0 == Token::TrimClose;
        open.parts += u32::from(is_part);
        self.set_innermost(open);
        self.state = State::Literal;
        Ok(())
    }

    /// Starts the template of a directive.
    fn branch(
        &mut self,
        ending: Ending,
        directive: usize,
        directive_start: usize,
        head: Option<Head>,
        token: (Token, usize, usize),
    ) -> Parsed<'a, ()> {
        let around = self.innermost();
        let first = self.out.nodes.len();
        self.open_level(Open {
            ending,
            first,
            start: token.2,
            parts: 0,
            trims: false,
            directive,
            directive_start,
            head,
            ..around
        })?;
        self.resume(token, false)
    }

    /// Reads a directive from the end of its `%{`.
    fn directive(&mut self, start: usize) -> Parsed<'a, ()> {
        let outer = self.enter(false);
        let token = self.peek();
        if token.0 != Token::Identifier {
            return Err(self.fault(Code::InvalidDirective, token));
        }
        let first = self.out.nodes.len();
        match self.slice(token.1, token.2) {
            "if" => {
                self.at = token.2;
                self.state = State::Operand;
                self.push(Frame::If { first, start, outer })
            }
            "for" => {
                let head = self.head(false, Code::InvalidForDirective)?;
                self.state = State::Operand;
                self.push(Frame::For { first, start, head, outer })
            }
            word @ ("else" | "endif" | "endfor") => {
                self.at = token.2;
                let close = self.peek();
                if !matches!(close.0, Token::BraceClose | Token::TrimClose) {
                    let word = match word {
                        "else" => "else",
                        "endif" => "endif",
                        _ => "endfor",
                    };
                    return Err(self.extra(word, close));
                }
                self.new_lines = outer;
                self.end_directive(word, start, close)
            }
            _ => Err(self.fault(Code::UnknownDirective, token)),
        }
    }

    /// Handles `%{else}`, `%{endif}` or `%{endfor}`.
    fn end_directive(
        &mut self,
        word: &'a str,
        start: usize,
        close: (Token, usize, usize),
    ) -> Parsed<'a, ()> {
        let open = self.innermost();
        let fits = match open.ending {
            Ending::Then => word == "else" || word == "endif",
            Ending::Else => word == "endif",
            Ending::Body => word == "endfor",
            _ => false,
        };
        if !fits {
            let span = Span::new(start as u32, close.2 as u32);
            return Err(Fault { code: Code::UnexpectedDirective, span, arguments: [word, ""] });
        }
        self.close_level();
        self.emit(Kind::Template, open.parts, open.first, open.start, start);
        if word == "else" {
            return self.branch(Ending::Else, open.directive, open.directive_start, None, close);
        }
        match open.head {
            Some(mut head) => {
                self.end_part(&mut head, Part::Value);
                let (first, from) = (open.directive, open.directive_start);
                self.end_loop(head, first, from, close.2);
                self.emit(Kind::Join, 0, first, from, close.2);
            }
            None => {
                if open.ending == Ending::Then {
                    let first = self.out.nodes.len();
                    self.emit(Kind::Template, 0, first, start, start);
                }
                self.emit(Kind::If, 0, open.directive, open.directive_start, close.2);
            }
        }
        self.resume(close, true)
    }

    /// Writes the node of a template that has ended.
    fn end_template(&mut self, open: Open<'a>, end: usize) -> Parsed<'a, ()> {
        self.close_level();
        self.new_lines = open.outer;
        if let Style::Heredoc { flush: true } = open.style {
            self.unindent();
        }
        self.end_parts(open.parts, open.first, open.start, end);
        self.state = if open.style == Style::Bare { State::Done } else { State::AfterOperand };
        Ok(())
    }

    /// Writes the node of a template whose parts have been written.
    fn end_parts(&mut self, parts: u32, first: usize, start: usize, end: usize) {
        let only = self.out.nodes.last().filter(|_| parts == 1);
        let is_sequence =
            only.is_some_and(|node| !matches!(node.kind, Kind::Text | Kind::If | Kind::Join));
        let (kind, parts) = if is_sequence { (Kind::Wrap, 0) } else { (Kind::Template, parts) };
        self.emit(kind, parts, first, start, end);
    }

    /// Opens a template, or a branch of one.
    fn open_level(&mut self, open: Open<'a>) -> Parsed<'a, ()> {
        self.out.templates.push(open);
        self.push(Frame::Template)
    }

    /// Closes the template whose literals are being read.
    fn close_level(&mut self) {
        self.out.templates.pop();
        self.pop();
    }

    /// Returns the template whose literals are being read.
    fn innermost(&self) -> Open<'a> {
        match self.out.templates.last() {
            Some(open) => *open,
            None => unreachable!("a template is open where its literals are read"),
        }
    }

    /// Keeps the state of that template while a sequence is read.
    fn set_innermost(&mut self, open: Open<'a>) {
        self.out.templates.pop();
        self.out.templates.push(open);
    }

    /// Returns the innermost `<<-` heredoc if the template of this style is in one.
    fn flushing(&mut self, style: Style) -> Option<&mut Flush> {
        match style {
            Style::Heredoc { flush: true } => self.out.flushes.last_mut(),
            _ => None,
        }
    }

    /// Removes the common indentation from the lines of a heredoc.
    fn unindent(&mut self) {
        let flush = self.out.flushes.pop().unwrap_or_default();
        for place in flush.lines {
            let line = &mut self.out.texts[place as usize];
            let cut = line.char_indices().nth(flush.indentation);
            *line = line.get(cut.map_or(line.len(), |(at, _)| at)..).unwrap_or_default();
        }
    }
}
