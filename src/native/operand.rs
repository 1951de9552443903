//! Operands: literals, names, function calls, and tokens that open a bracket or a template.

use super::frame::{Frame, State};
use super::lexer::Token;
use super::output::{Fault, Parsed};
use super::parser::Parser;
use crate::diagnostic::Code;
use crate::program::node::{Call, Kind};
use crate::program::traversal::{Key, Step, StepKind};
use crate::span::Span;

impl<'a> Parser<'a, '_> {
    pub(super) fn operand(&mut self) -> Parsed<'a, ()> {
        let token = self.peek();
        let (kind, start, end) = token;
        let first = self.out.nodes.len();
        self.state = State::AfterOperand;
        match kind {
            Token::ParenthesisOpen => {
                self.at = end;
                let outer = self.enter(false);
                self.state = State::Operand;
                self.push(Frame::Parenthesis { first, start, outer })
            }
            Token::Minus | Token::Bang => {
                self.at = end;
                let kind = if kind == Token::Minus { Kind::Negate } else { Kind::Not };
                self.state = State::Operand;
                self.push(Frame::Unary { kind, start })
            }
            Token::Number => {
                self.at = end;
                let text = self.number(start, end)?;
                let place = self.out.keep_fixed(text);
                self.leaf(Kind::Number, place, start, end);
                Ok(())
            }
            Token::Identifier => self.name(start, end),
            Token::Quote => {
                if self.plain_quoted(start) {
                    return Ok(());
                }
                self.at = end;
                self.open_quoted(start)
            }
            Token::Heredoc => self.open_heredoc(start, end),
            Token::BracketOpen => {
                self.at = end;
                let outer = self.enter(false);
                if self.is_keyword("for") {
                    return self.for_head(first, start, outer, false);
                }
                self.push(Frame::Tuple { first, start, count: 0, outer })?;
                self.next_element(Token::BracketClose)
            }
            Token::BraceOpen => {
                self.at = end;
                let outer = self.enter(false);
                if self.is_keyword("for") {
                    return self.for_head(first, start, outer, true);
                }
                self.new_lines = true;
                self.push(Frame::ObjectKey { first, start, count: 0, outer })?;
                self.next_item()
            }
            Token::End => Err(self.fault(Code::MissingExpression, token)),
            _ => Err(self.fault(Code::InvalidExpression, token)),
        }
    }

    /// Returns the digits of a number literal.
    pub(super) fn number(&self, start: usize, end: usize) -> Parsed<'a, &'a str> {
        let text = self.slice(start, end);
        // Few digits are always a number.
        if end - start < 18 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(text);
        }
        if crate::value::Number::from_literal(text).is_ok() {
            return Ok(text);
        }
        let span = Span::new(start as u32, end as u32);
        Err(Fault { code: Code::InvalidNumberLiteral, span, arguments: [text, ""] })
    }

    /// Reads a literal word, a function call, or the root of a traversal.
    pub(super) fn name(&mut self, start: usize, end: usize) -> Parsed<'a, ()> {
        self.at = end;
        let name = self.slice(start, end);
        if matches!(self.peek().0, Token::ParenthesisOpen | Token::DoubleColon) {
            return self.call(name, start, end);
        }
        match name {
            "true" => self.leaf(Kind::True, 0, start, end),
            "false" => self.leaf(Kind::False, 0, start, end),
            "null" => self.leaf(Kind::Null, 0, start, end),
            _ => {
                let place = self.start_traversal(StepKind::Root(name), start, end);
                self.at = self.plain_steps(end);
                self.leaf(Kind::Traversal, place, start, self.at);
            }
        }
        Ok(())
    }

    /// Writes the first step of a traversal, and returns the traversal's index.
    #[inline]
    pub(super) fn start_traversal(&mut self, kind: StepKind<'a>, start: usize, end: usize) -> u32 {
        self.out.traversals.push(self.out.steps.len() as u32);
        self.push_step(kind, start, end);
        (self.out.traversals.len() - 1) as u32
    }

    /// Reads `a.b[0].c` from `at` on, and returns where it ends, if the byte `then`, or the end,
    /// follows. Most expressions are such traversals, which do not need the machine. Other
    /// spellings of the same traversal are left to the machine.
    pub(super) fn plain_traversal(&mut self, at: usize, then: Option<u8>) -> Option<usize> {
        let name_end = self.lexer.plain_name(at).filter(|_| self.depth < self.max_depth)?;
        let name = self.slice(at, name_end);
        if matches!(name, "true" | "false" | "null") {
            return None;
        }
        let place = self.start_traversal(StepKind::Root(name), at, name_end);
        let end = self.plain_steps(name_end);
        if self.lexer.text.as_bytes().get(end) != then.as_ref() {
            let first = self.out.traversals[place as usize] as usize;
            self.out.steps.truncate(first);
            self.out.traversals.truncate(place as usize);
            return None;
        }
        self.leaf(Kind::Traversal, place, at, end);
        Some(end)
    }

    /// Adds the steps `.name` and `[0]` that follow each other from `at` on, and returns where they
    /// end. Other spellings are left to [`Parser::steps`].
    #[inline]
    pub(super) fn plain_steps(&mut self, mut at: usize) -> usize {
        loop {
            let (kind, end) = match self.lexer.text.as_bytes().get(at) {
                Some(b'.') => match self.lexer.plain_name(at + 1) {
                    Some(end) => (StepKind::Attribute(self.slice(at + 1, end)), end),
                    None => return at,
                },
                // An index is a level while it is read.
                Some(b'[') if self.depth < self.max_depth => match self.lexer.plain_index(at + 1) {
                    Some(end) => (StepKind::Index(Key::Number(self.slice(at + 1, end))), end + 1),
                    None => return at,
                },
                _ => return at,
            };
            self.push_step(kind, at, end);
            at = end;
        }
    }

    #[inline]
    pub(super) fn push_step(&mut self, kind: StepKind<'a>, start: usize, end: usize) {
        self.out.steps.push(Step { kind, span: Span::new(start as u32, end as u32) });
    }

    /// Reads a function call, from the end of the first part of its name.
    pub(super) fn call(&mut self, name: &'a str, start: usize, end: usize) -> Parsed<'a, ()> {
        let (mut name, mut name_end) = (name, end);
        let mut joined = String::new();
        while self.take(Token::DoubleColon) {
            let token = self.peek();
            if token.0 != Token::Identifier {
                return Err(self.fault(Code::MissingFunctionName, token));
            }
            if joined.is_empty() {
                joined.push_str(name);
            }
            joined.push_str("::");
            joined.push_str(self.slice(token.1, token.2));
            (self.at, name_end) = (token.2, token.2);
        }
        if !joined.is_empty() {
            name = self.arena.str(&joined);
        }
        let open = self.peek();
        if open.0 != Token::ParenthesisOpen {
            return Err(self.fault(Code::MissingOpenParenthesis, open));
        }
        self.at = open.2;
        let place = self.out.calls.len();
        self.out.calls.push(Call {
            name,
            name_span: Span::new(start as u32, name_end as u32),
            arguments: 0,
            expands: false,
            parentheses: Span::new(open.1 as u32, open.2 as u32),
        });
        let first = self.out.nodes.len();
        let outer = self.enter(false);
        self.push(Frame::Call { first, place, start, outer })?;
        self.next_element(Token::ParenthesisClose)
    }
}
