//! The parser of expressions and templates.
//!
//! It is a machine with a stack of [`Frame`]s, one for each open construct, and three states: an
//! operand is due, an operand has just ended, or literal text of a template is due. It writes nodes
//! in post-order as operands and operators end, so it never recurses and never backtracks. It stops
//! at the first error.
//!
//! This file has the machine and the tools that its parts share: tokens, frames and nodes. The
//! parts are `after_operand`, `operand`, `brackets`, `steps` and `template`.
//!
//! Offsets are those of the decoded text until [`Output::finish`] turns them into bytes of the
//! file.

use super::frame::{Frame, State};
use super::lexer::{Lexer, Token};
use super::output::{Fault, Output, Parsed};
use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::program::node::{Kind, Node};
use crate::span::Span;

pub(super) struct Parser<'a, 'p> {
    pub(super) arena: &'a Arena,
    pub(super) lexer: Lexer<'a>,
    pub(super) at: usize,
    pub(super) out: &'p mut Output<'a>,
    /// Whether line feeds are tokens: directly inside an object's braces, and
    /// outside of all brackets of an argument.
    pub(super) new_lines: bool,
    /// The number of open levels, and its limit.
    pub(super) depth: u32,
    pub(super) max_depth: u32,
    pub(super) state: State,
}

impl<'a, 'p> Parser<'a, 'p> {
    pub(super) fn new(
        arena: &'a Arena,
        text: &'a str,
        max_depth: u32,
        out: &'p mut Output<'a>,
    ) -> Self {
        Self {
            arena,
            lexer: Lexer::new(text),
            at: 0,
            out,
            new_lines: false,
            depth: 0,
            max_depth,
            state: State::Operand,
        }
    }

    /// Reads the rest of the text as one expression.
    pub(super) fn expression(&mut self) -> Parsed<'a, ()> {
        if self.plain_traversal(self.at, None).is_some() {
            return Ok(());
        }
        let is_string = self.plain_quoted(self.at);
        if is_string && self.at == self.lexer.text.len() {
            return Ok(());
        }
        self.push(Frame::Root)?;
        if is_string {
            self.state = State::AfterOperand;
        }
        self.run()
    }

    pub(super) fn run(&mut self) -> Parsed<'a, ()> {
        loop {
            match self.state {
                State::Operand => self.operand()?,
                State::AfterOperand => self.after_operand()?,
                State::Literal => self.literal()?,
                State::Done => return Ok(()),
            }
        }
    }

    // Tokens.

    /// Returns the next token without taking it: its kind, start and end.
    pub(super) fn peek(&self) -> (Token, usize, usize) {
        let start = self.lexer.skip(self.at, self.new_lines);
        let (token, end) = self.lexer.token(start);
        (token, start, end)
    }

    /// Takes the next token if it has that kind.
    pub(super) fn take(&mut self, wanted: Token) -> bool {
        let (token, _, end) = self.peek();
        if token == wanted {
            self.at = end;
        }
        token == wanted
    }

    /// The text from `start` to `end`.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.lexer.text.get(start..end).unwrap_or_default()
    }

    /// Returns the error of an unexpected token. Characters and operators that no expression has
    /// get codes of their own.
    #[cold]
    pub(super) fn fault(
        &self,
        code: Code,
        (token, start, end): (Token, usize, usize),
    ) -> Fault<'a> {
        let code = match token {
            Token::Unsupported => Code::UnsupportedOperator,
            Token::Invalid => Code::InvalidCharacter,
            _ => code,
        };
        let found = match token {
            Token::End => "the end of the text",
            Token::NewLine => "a line break",
            _ => self.slice(start, end),
        };
        let arguments = [found, remedy(code, found)];
        Fault { code, span: Span::new(start as u32, end as u32), arguments }
    }

    // Frames and nodes.

    pub(super) fn push(&mut self, frame: Frame) -> Parsed<'a, ()> {
        if !matches!(frame, Frame::Binary { .. } | Frame::Unary { .. }) {
            self.depth += 1;
            if self.depth > self.max_depth {
                let limit = self.arena.format(format_args!("{}", self.max_depth));
                let span = Span::new(self.at as u32, self.at as u32);
                return Err(Fault { code: Code::ExpressionTooDeep, span, arguments: [limit, ""] });
            }
        }
        self.out.frames.push(frame);
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Option<Frame> {
        let frame = self.out.frames.pop();
        if !matches!(frame, None | Some(Frame::Binary { .. } | Frame::Unary { .. })) {
            self.depth -= 1;
        }
        frame
    }

    /// Replaces the innermost frame: the construct continues.
    pub(super) fn turn(&mut self, frame: Frame) {
        self.out.frames.pop();
        self.out.frames.push(frame);
    }

    /// Opens a bracket: sets whether line feeds are tokens, and returns whether they were.
    pub(super) fn enter(&mut self, new_lines: bool) -> bool {
        std::mem::replace(&mut self.new_lines, new_lines)
    }

    /// Writes a node whose operands start at the node `first`.
    pub(super) fn emit(
        &mut self,
        kind: Kind,
        payload: u32,
        first: usize,
        start: usize,
        end: usize,
    ) {
        let size = (self.out.nodes.len() - first + 1) as u32;
        let span = Span::new(start as u32, end as u32);
        self.out.nodes.push(Node { kind, span, size, payload });
    }

    pub(super) fn leaf(&mut self, kind: Kind, payload: u32, start: usize, end: usize) {
        self.emit(kind, payload, self.out.nodes.len(), start, end);
    }

    /// Keeps a text, and returns its index.
    pub(super) fn keep(&mut self, text: &'a str) -> u32 {
        self.out.texts.push(text);
        (self.out.texts.len() - 1) as u32
    }

    /// Returns the first node and the first byte of the operand that has just ended.
    pub(super) fn last_operand(&self) -> (usize, usize) {
        match self.out.nodes.last() {
            Some(node) => (self.out.nodes.len() - node.size as usize, node.span.start as usize),
            None => (0, 0),
        }
    }

    pub(super) fn last_end(&self) -> usize {
        self.out.nodes.last().map_or(self.at, |node| node.span.end as usize)
    }

    /// Whether the next token is this word.
    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        let start = self.lexer.skip(self.at, self.new_lines);
        self.lexer.text.as_bytes().get(start) == keyword.as_bytes().first()
            && self.slice(start, self.lexer.identifier(start)) == keyword
    }
}

/// Returns what to do about something that cannot stand where it is: words and signs of other
/// languages have advice of their own.
pub(crate) fn remedy(code: Code, found: &str) -> &'static str {
    match (code, found) {
        (Code::InvalidCharacter, ";") => "Remove the semicolon: an argument ends with its line.",
        (Code::InvalidCharacter, _) => "Write strings in double quotes.",
        (_, "and") => "Write \"&&\".",
        (_, "or") => "Write \"||\".",
        _ => "Write each argument and each block on a line of its own.",
    }
}
