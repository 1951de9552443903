//! Brackets: elements of tuples and calls, items of objects, and the parts of `for`.

use super::frame::{Frame, Head, Part, State};
use super::lexer::Token;
use super::output::Parsed;
use super::parser::Parser;
use crate::diagnostic::Code;
use crate::program::node::{For, Kind, Node};

impl<'a> Parser<'a, '_> {
    /// After an opening bracket or a comma: reads the start of an element, or the closing bracket.
    pub(super) fn next_element(&mut self, close: Token) -> Parsed<'a, ()> {
        if self.peek().0 == close {
            return self.close_bracket();
        }
        self.state = State::Operand;
        Ok(())
    }

    /// Takes the closing bracket of a call, tuple or object, and writes its node.
    pub(super) fn close_bracket(&mut self) -> Parsed<'a, ()> {
        let (_, _, end) = self.peek();
        self.at = end;
        match self.pop() {
            Some(Frame::Call { first, place, start, outer }) => {
                self.new_lines = outer;
                self.out.calls[place].parentheses.end = end as u32;
                self.emit(Kind::Call, place as u32, first, start, end);
            }
            Some(Frame::Tuple { first, start, count, outer }) => {
                self.new_lines = outer;
                self.emit(Kind::Tuple, count, first, start, end);
            }
            Some(
                Frame::ObjectKey { first, start, count, outer }
                | Frame::ObjectValue { first, start, count, outer },
            ) => {
                self.new_lines = outer;
                self.emit(Kind::Object, count, first, start, end);
            }
            _ => {}
        }
        self.state = State::AfterOperand;
        Ok(())
    }

    /// Inside an object's braces: reads the start of an item, or the closing brace.
    pub(super) fn next_item(&mut self) -> Parsed<'a, ()> {
        self.at = self.lexer.skip(self.at, false);
        let token = self.peek();
        match token.0 {
            Token::BraceClose => return self.close_bracket(),
            Token::Identifier => {
                let (start, end) = (token.1, token.2);
                let at = self.lexer.skip(end, true);
                // A single word is a name, not a variable.
                if let (Token::Assign | Token::Colon, after) = self.lexer.token(at) {
                    let place = self.out.keep_fixed(self.slice(start, end));
                    self.leaf(Kind::Text, place, start, end);
                    self.at = after;
                    match self.out.frames.last().copied() {
                        Some(Frame::ObjectKey { first, start, count, outer }) => {
                            self.turn(Frame::ObjectValue { first, start, count, outer });
                        }
                        _ => unreachable!("an object is open where its items are read"),
                    }
                }
            }
            _ => {}
        }
        self.state = State::Operand;
        Ok(())
    }

    pub(super) fn for_head(
        &mut self,
        first: usize,
        start: usize,
        outer: bool,
        makes_object: bool,
    ) -> Parsed<'a, ()> {
        let head = self.head(makes_object, Code::InvalidFor)?;
        self.state = State::Operand;
        self.push(Frame::ForCollection { first, start, head, outer })
    }

    /// Reads `for k, v in`, starting at the keyword.
    pub(super) fn head(&mut self, makes_object: bool, code: Code) -> Parsed<'a, Head> {
        self.at = self.peek().2;
        let mut name = || {
            let token = self.peek();
            if token.0 != Token::Identifier {
                return Err(self.fault(code, token));
            }
            self.at = token.2;
            Ok(self.slice(token.1, token.2))
        };
        let mut value_name = name()?;
        let mut key_name = None;
        if self.take(Token::Comma) {
            key_name = Some(value_name);
            let token = self.peek();
            if token.0 != Token::Identifier {
                return Err(self.fault(code, token));
            }
            self.at = token.2;
            value_name = self.slice(token.1, token.2);
        }
        if !self.is_keyword("in") {
            return Err(self.fault(code, self.peek()));
        }
        self.at = self.peek().2;
        let place = self.out.loops.len() as u32;
        self.out.loops.push(For {
            key_name,
            value_name,
            makes_object,
            groups: false,
            key_size: 0,
            value_size: 0,
            condition_size: 0,
        });
        Ok(Head { place, part: 0, makes_object })
    }

    /// Writes the leaf after a collection.
    pub(super) fn start_loop(&mut self, head: &mut Head) {
        let at = self.last_end();
        self.leaf(Kind::ForStart, head.place, at, at);
        head.part = self.out.nodes.len() as u32;
    }

    /// Records how many nodes the part of a loop that has just ended has.
    pub(super) fn end_part(&mut self, head: &mut Head, part: Part) {
        let end = self.out.nodes.len() as u32;
        let size = end - std::mem::replace(&mut head.part, end);
        let entry = &mut self.out.loops[head.place as usize];
        match part {
            Part::Key => entry.key_size = size,
            Part::Value => entry.value_size = size,
            Part::Condition => entry.condition_size = size,
        }
    }

    /// Writes the node of a loop.
    pub(super) fn end_loop(&mut self, head: Head, first: usize, start: usize, end: usize) {
        self.emit(Kind::For, head.place, first, start, end);
    }

    pub(super) fn end_for(
        &mut self,
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    ) -> Parsed<'a, ()> {
        let token = self.peek();
        let close = if head.makes_object { Token::BraceClose } else { Token::BracketClose };
        if token.0 != close {
            return Err(self.fault(Code::InvalidFor, token));
        }
        self.at = token.2;
        self.pop();
        self.new_lines = outer;
        self.end_loop(head, first, start, token.2);
        self.state = State::AfterOperand;
        Ok(())
    }

    pub(super) fn after_argument(
        &mut self,
        place: usize,
        token: (Token, usize, usize),
    ) -> Parsed<'a, ()> {
        let expands = token.0 == Token::Ellipsis;
        let call = &mut self.out.calls[place];
        call.arguments += 1;
        call.expands = expands;
        let open = call.parentheses.start as usize;
        match token.0 {
            Token::Comma => {
                self.at = token.2;
                self.next_element(Token::ParenthesisClose)
            }
            Token::ParenthesisClose => self.close_bracket(),
            Token::Ellipsis => {
                self.at = token.2;
                let close = self.peek();
                if close.0 != Token::ParenthesisClose {
                    return Err(self.fault(Code::MissingClosingParenthesis, token));
                }
                self.close_bracket()
            }
            Token::End => {
                let open = (Token::ParenthesisOpen, open, open + 1);
                Err(self.fault(Code::UnterminatedCall, open))
            }
            _ => Err(self.fault(Code::MissingArgumentSeparator, token)),
        }
    }

    /// Handles an object's key that has just ended: a traversal of several steps without
    /// parentheses is ambiguous.
    pub(super) fn key(&mut self) {
        let Some(&Node { kind: Kind::Traversal, payload, span, .. }) = self.out.nodes.last() else {
            return;
        };
        let (start, end) = (span.start as usize, span.end as usize);
        let first = self.out.nodes.len() - 1;
        if self.out.steps.len() - self.out.traversals[payload as usize] as usize > 1 {
            self.emit(Kind::AmbiguousKey, 0, first, start, end);
        } else {
            // A single word that was not read as a name, for instance because a comment follows it.
            let name = self.keep(self.slice(start, end));
            self.out.nodes.truncate(first);
            self.leaf(Kind::Text, name, start, end);
        }
    }
}
