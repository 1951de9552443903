//! Parsing after an operand: its steps, operators, and the end of the enclosing construct.

use super::frame::{Frame, Part, State};
use super::lexer::Token;
use super::output::{Fault, Parsed};
use super::parser::Parser;
use crate::diagnostic::Code;
use crate::program::node::{Kind, Operator};

impl<'a> Parser<'a, '_> {
    pub(super) fn after_operand(&mut self) -> Parsed<'a, ()> {
        let Some(token) = self.steps()? else { return Ok(()) };
        // Splats and signs take the operand with its steps.
        loop {
            match self.out.frames.last() {
                Some(&Frame::Splat { first, marker }) => {
                    self.pop();
                    self.end_splat(Kind::FullSplat, first, marker);
                }
                Some(&Frame::Unary { kind, start }) => {
                    self.pop();
                    let (first, _) = self.last_operand();
                    let end = self.last_end();
                    self.emit(kind, 0, first, start, end);
                }
                _ => break,
            }
        }
        if let Some((operator, precedence)) = binary(token.0) {
            self.reduce(precedence);
            let (first, _) = self.last_operand();
            self.at = token.2;
            self.state = State::Operand;
            return self.push(Frame::Binary { first, operator, precedence });
        }
        self.reduce(0);
        if token.0 == Token::Question {
            let (first, _) = self.last_operand();
            self.at = token.2;
            self.state = State::Operand;
            return self.push(Frame::Then { first });
        }
        while let Some(&Frame::Else { first }) = self.out.frames.last() {
            self.pop();
            let start = self.start_of(first);
            let end = self.last_end();
            self.emit(Kind::Conditional, 0, first, start, end);
        }
        self.close(token)
    }

    /// Returns where the operand whose first node is `first` starts: the leftmost byte of its nodes
    /// so far.
    pub(super) fn start_of(&self, first: usize) -> usize {
        // The first operand of a construct is a whole subtree; its root spans it.
        let mut root = self.out.nodes.len() - 1;
        loop {
            let node = &self.out.nodes[root];
            let below = root + 1 - node.size as usize;
            if below <= first {
                return node.span.start as usize;
            }
            root = below - 1;
        }
    }

    /// Writes the open binary operators whose precedence is at least `precedence`.
    pub(super) fn reduce(&mut self, precedence: u8) {
        while let Some(&Frame::Binary { first, operator, precedence: own }) = self.out.frames.last()
        {
            if own < precedence {
                return;
            }
            self.pop();
            let start = self.start_of(first);
            let end = self.last_end();
            self.emit(Kind::Binary(operator), 0, first, start, end);
        }
    }

    /// Handles the token after an expression: the enclosing construct continues, ends, or has an
    /// error.
    pub(super) fn close(&mut self, token: TokenAt) -> Parsed<'a, ()> {
        let (kind, _, end) = token;
        let frame = self.out.frames.last().copied().unwrap_or(Frame::Root);
        match frame {
            Frame::Root => match kind {
                Token::End => {
                    self.pop();
                    self.state = State::Done;
                    Ok(())
                }
                // The line feed after a heredoc belongs to it.
                Token::NewLine => {
                    self.new_lines = false;
                    let next = self.peek();
                    self.close(next)
                }
                _ => Err(self.fault(Code::ExtraAfterExpression, token)),
            },
            Frame::Then { first } => {
                if kind != Token::Colon {
                    return Err(self.fault(Code::MissingFalseArm, token));
                }
                self.at = end;
                self.turn(Frame::Else { first });
                self.state = State::Operand;
                Ok(())
            }
            Frame::Parenthesis { first, start, outer } => {
                if kind != Token::ParenthesisClose {
                    return Err(self.fault(Code::UnbalancedParentheses, token));
                }
                self.at = end;
                self.pop();
                self.new_lines = outer;
                self.emit(Kind::Parentheses, 0, first, start, end);
                self.state = State::AfterOperand;
                Ok(())
            }
            Frame::Call { place, .. } => self.after_argument(place, token),
            Frame::Tuple { first, start, count, outer } => {
                self.turn(Frame::Tuple { first, start, count: count + 1, outer });
                self.after_element(start, token)
            }
            Frame::ObjectKey { first, start, count, outer } => {
                self.key();
                self.after_key(Frame::ObjectValue { first, start, count, outer }, start, token)
            }
            Frame::ObjectValue { first, start, count, outer } => {
                self.turn(Frame::ObjectKey { first, start, count: count + 1, outer });
                self.after_value(start, token)
            }
            Frame::Index { first, start, outer } => {
                if kind != Token::BracketClose {
                    return Err(self.fault(Code::MissingIndexBracket, token));
                }
                self.at = end;
                self.pop();
                self.new_lines = outer;
                self.end_index(first, start, end);
                self.state = State::AfterOperand;
                Ok(())
            }
            Frame::ForCollection { .. }
            | Frame::ForKey { .. }
            | Frame::ForValue { .. }
            | Frame::ForCondition { .. } => self.after_part_of_for(frame, token),
            Frame::Interpolation { .. } | Frame::If { .. } | Frame::For { .. } => {
                self.end_sequence(frame, token)
            }
            Frame::Else { .. }
            | Frame::Binary { .. }
            | Frame::Unary { .. }
            | Frame::Splat { .. }
            | Frame::Template => Err(self.fault(Code::InvalidExpression, token)),
        }
    }

    /// Handles the token after an element of the tuple that starts at `start`.
    fn after_element(&mut self, start: usize, token: TokenAt) -> Parsed<'a, ()> {
        match token.0 {
            Token::Comma => {
                self.at = token.2;
                self.next_element(Token::BracketClose)
            }
            Token::BracketClose => self.close_bracket(),
            Token::End => {
                let open = (Token::BracketOpen, start, start + 1);
                Err(self.fault(Code::UnterminatedTuple, open))
            }
            _ => Err(self.fault(Code::MissingItemSeparator, token)),
        }
    }

    /// Handles the token after a key of the object that starts at `start`; `value` is the frame of its
    /// value.
    fn after_key(&mut self, value: Frame, start: usize, token: TokenAt) -> Parsed<'a, ()> {
        match token.0 {
            Token::Assign | Token::Colon => {
                self.at = token.2;
                self.turn(value);
                self.state = State::Operand;
                Ok(())
            }
            Token::NewLine | Token::Comma => Err(self.fault(Code::MissingAttributeValue, token)),
            Token::End => Err(self.unterminated_object(start)),
            _ => Err(self.fault(Code::MissingKeyValueSeparator, token)),
        }
    }

    /// Handles the token after a value of the object that starts at `start`.
    fn after_value(&mut self, start: usize, token: TokenAt) -> Parsed<'a, ()> {
        match token.0 {
            Token::Comma | Token::NewLine => {
                self.at = token.2;
                self.next_item()
            }
            Token::BraceClose => self.close_bracket(),
            Token::End => Err(self.unterminated_object(start)),
            _ => Err(self.fault(Code::MissingAttributeSeparator, token)),
        }
    }

    #[cold]
    fn unterminated_object(&self, start: usize) -> Fault<'a> {
        self.fault(Code::UnterminatedObject, (Token::BraceOpen, start, start + 1))
    }

    /// Handles the token after a part of a `for` expression.
    fn after_part_of_for(&mut self, frame: Frame, token: TokenAt) -> Parsed<'a, ()> {
        let (kind, _, end) = token;
        match frame {
            Frame::ForCollection { first, start, mut head, outer } if kind == Token::Colon => {
                self.at = end;
                self.start_loop(&mut head);
                self.turn(if head.makes_object {
                    Frame::ForKey { first, start, head, outer }
                } else {
                    Frame::ForValue { first, start, head, outer }
                });
                self.state = State::Operand;
                Ok(())
            }
            Frame::ForKey { first, start, mut head, outer } if kind == Token::Arrow => {
                self.at = end;
                self.end_part(&mut head, Part::Key);
                self.turn(Frame::ForValue { first, start, head, outer });
                self.state = State::Operand;
                Ok(())
            }
            Frame::ForValue { first, start, mut head, outer } => {
                self.end_part(&mut head, Part::Value);
                if kind == Token::Ellipsis && head.makes_object {
                    self.at = end;
                    self.out.loops[head.place as usize].groups = true;
                }
                if self.is_keyword("if") {
                    self.at = self.peek().2;
                    self.turn(Frame::ForCondition { first, start, head, outer });
                    self.state = State::Operand;
                    return Ok(());
                }
                self.end_for(first, start, head, outer)
            }
            Frame::ForCondition { first, start, mut head, outer } => {
                self.end_part(&mut head, Part::Condition);
                self.end_for(first, start, head, outer)
            }
            _ => Err(self.fault(Code::InvalidFor, token)),
        }
    }
}

/// A token, its start and its end.
type TokenAt = (Token, usize, usize);

/// Returns the binary operator of a token, and its precedence.
fn binary(token: Token) -> Option<(Operator, u8)> {
    Some(match token {
        Token::Or => (Operator::Or, 1),
        Token::And => (Operator::And, 2),
        Token::Equal => (Operator::Equal, 3),
        Token::NotEqual => (Operator::NotEqual, 3),
        Token::Greater => (Operator::Greater, 4),
        Token::GreaterOrEqual => (Operator::GreaterOrEqual, 4),
        Token::Less => (Operator::Less, 4),
        Token::LessOrEqual => (Operator::LessOrEqual, 4),
        Token::Plus => (Operator::Add, 5),
        Token::Minus => (Operator::Subtract, 5),
        Token::Star => (Operator::Multiply, 6),
        Token::Slash => (Operator::Divide, 6),
        Token::Percent => (Operator::Remainder, 6),
        _ => return None,
    })
}
