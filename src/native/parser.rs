//! The parser of expressions and templates.
//!
//! A machine with a stack of [`Frame`]s, one for each construct that is open, and three states: an operand is due, an
//! operand has just ended, or literal text of a template is due. Nodes are written in post-order as operands and
//! operators end, so the machine never recurses and never goes back. It stops at the first error.
//!
//! Offsets are those of the decoded text until [`Output::finish`] turns them into bytes of the file.

use smallvec::SmallVec;

use super::lexer::{Lexer, Token};
use super::text::Text;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::program::LentProgram;
use crate::program::node::{Call, For, Kind, Node, Operator};
use crate::program::traversal::{Key, Step, StepKind};
use crate::span::Span;

/// What the parser writes. Most templates fit in place, without a word on the heap.
#[derive(Default)]
pub(crate) struct Output<'a> {
    pub(super) nodes: SmallVec<[Node; 12]>,
    pub(super) texts: SmallVec<[&'a str; 6]>,
    pub(super) steps: SmallVec<[Step<'a>; 8]>,
    /// Where each traversal starts in `steps`. Steps are added to the last one only.
    pub(super) traversals: SmallVec<[u32; 4]>,
    calls: SmallVec<[Call<'a>; 1]>,
    loops: SmallVec<[For<'a>; 1]>,
    /// The constructs that are open.
    pub(super) frames: SmallVec<[Frame<'a>; 3]>,
    /// The `<<-` heredocs that are open.
    pub(super) flushes: Vec<super::template::Flush>,
}

/// What stops the parser: a code, the bytes in the decoded text, arguments of the code.
pub(super) struct Fault<'a> {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) arguments: [&'a str; 2],
}

pub(super) type Parsed<'a, T> = Result<T, Fault<'a>>;

/// A `for` whose parts are being parsed.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Where it stands in `loops`.
    place: u32,
    /// The first node of the part that is being parsed.
    part: u32,
    makes_object: bool,
}

/// What is computed for each element.
pub(super) enum Part {
    Key,
    Value,
    Condition,
}

/// A construct that is open. `first` is its first node, `start` its first byte.
#[derive(Clone, Copy)]
pub(super) enum Frame<'a> {
    /// An expression that fills the whole text.
    Root,
    Parenthesis {
        first: usize,
        start: usize,
        outer: bool,
    },
    Call {
        first: usize,
        place: usize,
        start: usize,
        outer: bool,
    },
    Tuple {
        first: usize,
        start: usize,
        count: u32,
        outer: bool,
    },
    /// An object whose next key, or value, is due.
    ObjectKey {
        first: usize,
        start: usize,
        count: u32,
        outer: bool,
    },
    ObjectValue {
        first: usize,
        start: usize,
        count: u32,
        outer: bool,
    },
    Index {
        first: usize,
        start: usize,
        outer: bool,
    },
    /// The collection, key, value or condition of a `for` expression.
    ForCollection {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    ForKey {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    ForValue {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    ForCondition {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
    /// A conditional whose condition has ended, or whose first arm has.
    Then {
        first: usize,
    },
    Else {
        first: usize,
    },
    Binary {
        first: usize,
        operator: Operator,
        precedence: u8,
    },
    Unary {
        kind: Kind,
        start: usize,
    },
    /// `[*]`, which goes on as long as there are steps. `marker` is its `SplatStart`.
    Splat {
        first: usize,
        marker: usize,
    },
    /// A template; see [`super::template`].
    Template(super::template::Open<'a>),
    /// `${`
    Interpolation {
        start: usize,
        outer: bool,
    },
    /// `%{if` and `%{for`, whose head is being parsed.
    If {
        first: usize,
        start: usize,
        outer: bool,
    },
    For {
        first: usize,
        start: usize,
        head: Head,
        outer: bool,
    },
}

/// What the machine expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Operand,
    Behind,
    Literal,
    Done,
}

pub(super) struct Parser<'a, 'p> {
    pub(super) arena: &'a Arena,
    pub(super) lexer: Lexer<'a>,
    pub(super) at: usize,
    pub(super) out: &'p mut Output<'a>,
    /// Whether line feeds are tokens: directly inside of an object's braces.
    pub(super) new_lines: bool,
    /// How many levels are open, and how many may be.
    depth: u32,
    max_depth: u32,
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
            lexer: Lexer { text },
            at: 0,
            out,
            new_lines: false,
            depth: 0,
            max_depth,
            state: State::Operand,
        }
    }

    /// Reads all of the text as one expression.
    pub(super) fn expression(&mut self) -> Parsed<'a, ()> {
        if self.plain_traversal(0, None).is_some() {
            return Ok(());
        }
        self.push(Frame::Root)?;
        self.run()
    }

    pub(super) fn run(&mut self) -> Parsed<'a, ()> {
        loop {
            match self.state {
                State::Operand => self.operand()?,
                State::Behind => self.behind()?,
                State::Literal => self.literal()?,
                State::Done => return Ok(()),
            }
        }
    }

    // Tokens.

    /// The next token: its kind, start and end. It is not taken.
    pub(super) fn peek(&self) -> (Token, usize, usize) {
        let start = self.lexer.skip(self.at, self.new_lines);
        let (token, end) = self.lexer.token(start);
        (token, start, end)
    }

    /// Takes the next token if it is of that kind.
    fn take(&mut self, wanted: Token) -> bool {
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

    /// A fault at a token. Characters and operators that no expression has are faults of their own.
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
        let what = match token {
            Token::End => "the end of the text",
            Token::NewLine => "a line break",
            _ => self.slice(start, end),
        };
        Fault { code, span: Span::new(start as u32, end as u32), arguments: [what, ""] }
    }

    // Frames and nodes.

    pub(super) fn push(&mut self, frame: Frame<'a>) -> Parsed<'a, ()> {
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

    pub(super) fn pop(&mut self) -> Option<Frame<'a>> {
        let frame = self.out.frames.pop();
        if !matches!(frame, None | Some(Frame::Binary { .. } | Frame::Unary { .. })) {
            self.depth -= 1;
        }
        frame
    }

    /// Replaces the innermost frame: the construct goes on.
    fn turn(&mut self, frame: Frame<'a>) {
        if let Some(top) = self.out.frames.last_mut() {
            *top = frame;
        }
    }

    /// Whether line feeds were tokens outside of a bracket that is opened now.
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

    /// Keeps a text, and gives its place.
    pub(super) fn keep(&mut self, text: &'a str) -> u32 {
        self.out.texts.push(text);
        (self.out.texts.len() - 1) as u32
    }

    /// The operand that has just ended: its first node, and its first byte.
    fn last_operand(&self) -> (usize, usize) {
        match self.out.nodes.last() {
            Some(node) => (self.out.nodes.len() - node.size as usize, node.span.start as usize),
            None => (0, 0),
        }
    }

    fn last_end(&self) -> usize {
        self.out.nodes.last().map_or(self.at, |node| node.span.end as usize)
    }

    // Operands.

    fn operand(&mut self) -> Parsed<'a, ()> {
        let token = self.peek();
        let (kind, start, end) = token;
        let first = self.out.nodes.len();
        self.state = State::Behind;
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
                let place = self.keep(text);
                self.leaf(Kind::Number, place, start, end);
                Ok(())
            }
            Token::Identifier => self.name(start, end),
            Token::Quote => {
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

    /// The digits of a number literal.
    fn number(&self, start: usize, end: usize) -> Parsed<'a, &'a str> {
        let text = self.slice(start, end);
        if crate::value::Number::from_literal(text).is_ok() {
            return Ok(text);
        }
        let span = Span::new(start as u32, end as u32);
        Err(Fault { code: Code::InvalidNumberLiteral, span, arguments: [text, ""] })
    }

    /// A literal word, a function call, or a traversal's root.
    fn name(&mut self, start: usize, end: usize) -> Parsed<'a, ()> {
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

    /// Writes the first step of a traversal, and gives its place.
    #[inline]
    fn start_traversal(&mut self, kind: StepKind<'a>, start: usize, end: usize) -> u32 {
        self.out.traversals.push(self.out.steps.len() as u32);
        self.push_step(kind, start, end);
        (self.out.traversals.len() - 1) as u32
    }

    /// Reads `a.b[0].c` from `at` on if the byte `then` follows, or the end, and gives where it ends. Most expressions are a
    /// traversal of plain names and places, which needs none of the machine; anything else, also of the same meaning, is
    /// left to it.
    pub(super) fn plain_traversal(&mut self, at: usize, then: Option<u8>) -> Option<usize> {
        let name_end = self.lexer.plain_name(at).filter(|_| self.depth < self.max_depth)?;
        let name = self.slice(at, name_end);
        if matches!(name, "true" | "false" | "null") {
            return None;
        }
        let place = self.start_traversal(StepKind::Root(name), at, name_end);
        let end = self.plain_steps(name_end);
        if self.lexer.text.as_bytes().get(end) != then.as_ref() {
            if let Some(start) = self.out.traversals.pop() {
                self.out.steps.truncate(start as usize);
            }
            return None;
        }
        self.leaf(Kind::Traversal, place, at, end);
        Some(end)
    }

    /// Adds the steps `.name` and `[0]` that follow one another from `at` on, and gives where they end. What is written in
    /// another way is left to [`Parser::steps`].
    #[inline]
    fn plain_steps(&mut self, mut at: usize) -> usize {
        loop {
            let (kind, end) = match self.lexer.text.as_bytes().get(at) {
                Some(b'.') => match self.lexer.plain_name(at + 1) {
                    Some(end) => (StepKind::Attribute(self.slice(at + 1, end)), end),
                    None => return at,
                },
                // An index is a level, were it only for a moment.
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
    fn push_step(&mut self, kind: StepKind<'a>, start: usize, end: usize) {
        self.out.steps.push(Step { kind, span: Span::new(start as u32, end as u32) });
    }

    /// A function call, from behind the first part of its name.
    fn call(&mut self, name: &'a str, start: usize, end: usize) -> Parsed<'a, ()> {
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

    /// Behind an opening bracket or a comma: another element, or the end.
    fn next_element(&mut self, close: Token) -> Parsed<'a, ()> {
        if self.peek().0 == close {
            return self.close_bracket();
        }
        self.state = State::Operand;
        Ok(())
    }

    /// Takes the closing bracket of a call, tuple or object, and writes its node.
    fn close_bracket(&mut self) -> Parsed<'a, ()> {
        let (_, _, end) = self.peek();
        self.at = end;
        match self.pop() {
            Some(Frame::Call { first, place, start, outer }) => {
                self.new_lines = outer;
                if let Some(call) = self.out.calls.get_mut(place) {
                    call.parentheses.end = end as u32;
                }
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
        self.state = State::Behind;
        Ok(())
    }

    /// Inside of an object's braces: another item, or the end.
    fn next_item(&mut self) -> Parsed<'a, ()> {
        while self.take(Token::NewLine) {}
        let token = self.peek();
        match token.0 {
            Token::BraceClose => return self.close_bracket(),
            Token::Identifier => {
                // A word alone is a name, not a variable.
                let (at, _) = (self.at, self.at = token.2);
                if matches!(self.peek().0, Token::Assign | Token::Colon) {
                    let place = self.keep(self.slice(token.1, token.2));
                    self.leaf(Kind::Text, place, token.1, token.2);
                    self.state = State::Behind;
                    return Ok(());
                }
                self.at = at;
            }
            _ => {}
        }
        self.state = State::Operand;
        Ok(())
    }

    // `for`.

    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        let (token, start, end) = self.peek();
        token == Token::Identifier && self.slice(start, end) == keyword
    }

    fn for_head(
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

    /// `for k, v in`, from the keyword on.
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

    /// Writes the leaf behind a collection.
    pub(super) fn start_loop(&mut self, head: &mut Head) {
        let at = self.last_end();
        self.leaf(Kind::ForStart, head.place, at, at);
        head.part = self.out.nodes.len() as u32;
    }

    /// Notes how many nodes the part of a loop that has just ended has.
    pub(super) fn end_part(&mut self, head: &mut Head, part: Part) {
        let end = self.out.nodes.len() as u32;
        let size = end - std::mem::replace(&mut head.part, end);
        if let Some(entry) = self.out.loops.get_mut(head.place as usize) {
            match part {
                Part::Key => entry.key_size = size,
                Part::Value => entry.value_size = size,
                Part::Condition => entry.condition_size = size,
            }
        }
    }

    /// Writes the node of a loop.
    pub(super) fn end_loop(&mut self, head: Head, first: usize, start: usize, end: usize) {
        self.emit(Kind::For, head.place, first, start, end);
    }

    // Behind operands.

    fn behind(&mut self) -> Parsed<'a, ()> {
        if self.steps()? {
            return Ok(());
        }
        // Splats and signs take the operand with its steps.
        loop {
            match self.out.frames.last() {
                Some(&Frame::Splat { first, marker }) => {
                    self.pop();
                    self.end_splat(Kind::FullSplat, first, marker);
                    if self.steps()? {
                        return Ok(());
                    }
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
        let token = self.peek();
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

    /// Where the operand whose first node is `first` starts: with the leftmost byte of its nodes so far.
    fn start_of(&self, first: usize) -> usize {
        // The first operand of a construct is a whole subtree; its root spans it.
        let nodes = &self.out.nodes;
        let mut root = nodes.len().saturating_sub(1);
        while let Some(node) = nodes.get(root) {
            let below = (root + 1).saturating_sub(node.size as usize);
            if below <= first {
                return node.span.start as usize;
            }
            root = below - 1;
        }
        self.at
    }

    /// Writes the binary operators that bind at least as tight as `precedence`.
    fn reduce(&mut self, precedence: u8) {
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

    /// What the construct around makes of the token behind an expression.
    fn close(&mut self, token: (Token, usize, usize)) -> Parsed<'a, ()> {
        let (kind, _, end) = token;
        let Some(&frame) = self.out.frames.last() else {
            self.state = State::Done;
            return Ok(());
        };
        match frame {
            Frame::Root => match kind {
                Token::End => {
                    self.pop();
                    self.state = State::Done;
                    Ok(())
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
                self.state = State::Behind;
                Ok(())
            }
            Frame::Call { place, .. } => self.behind_argument(place, token),
            Frame::Tuple { first, start, count, outer } => {
                self.turn(Frame::Tuple { first, start, count: count + 1, outer });
                match kind {
                    Token::Comma => {
                        self.at = end;
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
            Frame::ObjectKey { first, start, count, outer } => {
                self.key();
                match kind {
                    Token::Assign | Token::Colon => {
                        self.at = end;
                        self.turn(Frame::ObjectValue { first, start, count, outer });
                        self.state = State::Operand;
                        Ok(())
                    }
                    Token::NewLine | Token::Comma => {
                        Err(self.fault(Code::MissingAttributeValue, token))
                    }
                    Token::End => {
                        let open = (Token::BraceOpen, start, start + 1);
                        Err(self.fault(Code::UnterminatedObject, open))
                    }
                    _ => Err(self.fault(Code::MissingKeyValueSeparator, token)),
                }
            }
            Frame::ObjectValue { first, start, count, outer } => {
                self.turn(Frame::ObjectKey { first, start, count: count + 1, outer });
                match kind {
                    Token::Comma | Token::NewLine => {
                        self.at = end;
                        self.next_item()
                    }
                    Token::BraceClose => self.close_bracket(),
                    Token::End => {
                        let open = (Token::BraceOpen, start, start + 1);
                        Err(self.fault(Code::UnterminatedObject, open))
                    }
                    _ => Err(self.fault(Code::MissingAttributeSeparator, token)),
                }
            }
            Frame::Index { first, start, outer } => {
                if kind != Token::BracketClose {
                    return Err(self.fault(Code::MissingIndexBracket, token));
                }
                self.at = end;
                self.pop();
                self.new_lines = outer;
                self.end_index(first, start, end);
                self.state = State::Behind;
                Ok(())
            }
            Frame::ForCollection { first, start, mut head, outer } => {
                if kind != Token::Colon {
                    return Err(self.fault(Code::InvalidFor, token));
                }
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
            Frame::ForKey { first, start, mut head, outer } => {
                if kind != Token::Arrow {
                    return Err(self.fault(Code::InvalidFor, token));
                }
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
                    if let Some(entry) = self.out.loops.get_mut(head.place as usize) {
                        entry.groups = true;
                    }
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
            Frame::Interpolation { .. } | Frame::If { .. } | Frame::For { .. } => {
                self.end_sequence(frame, token)
            }
            Frame::Else { .. }
            | Frame::Binary { .. }
            | Frame::Unary { .. }
            | Frame::Splat { .. }
            | Frame::Template(_) => Err(self.fault(Code::InvalidExpression, token)),
        }
    }

    fn end_for(&mut self, first: usize, start: usize, head: Head, outer: bool) -> Parsed<'a, ()> {
        let token = self.peek();
        let close = if head.makes_object { Token::BraceClose } else { Token::BracketClose };
        if token.0 != close {
            return Err(self.fault(Code::InvalidFor, token));
        }
        self.at = token.2;
        self.pop();
        self.new_lines = outer;
        self.end_loop(head, first, start, token.2);
        self.state = State::Behind;
        Ok(())
    }

    fn behind_argument(&mut self, place: usize, token: (Token, usize, usize)) -> Parsed<'a, ()> {
        let expands = token.0 == Token::Ellipsis;
        let open = self.out.calls.get_mut(place).map_or(0, |call| {
            call.arguments += 1;
            call.expands = expands;
            call.parentheses.start as usize
        });
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

    /// Looks at an object's key that has just ended: a naked traversal of several steps is ambiguous.
    fn key(&mut self) {
        let Some(&Node { kind: Kind::Traversal, payload, span, .. }) = self.out.nodes.last() else {
            return;
        };
        let start = self.out.traversals.get(payload as usize).map_or(0, |start| *start as usize);
        if self.out.steps.len() - start > 1 {
            let first = self.out.nodes.len() - 1;
            self.emit(Kind::AmbiguousKey, 0, first, span.start as usize, span.end as usize);
        } else if let Some(node) = self.out.nodes.last_mut() {
            // One word, for instance before a comment: a name.
            let name = self.lexer.text.get(span.start as usize..span.end as usize);
            self.out.texts.push(name.unwrap_or_default());
            node.kind = Kind::Text;
            node.payload = (self.out.texts.len() - 1) as u32;
        }
    }

    // Steps.

    /// Takes the steps behind an operand. True if an index expression, or what a splat does, comes next.
    fn steps(&mut self) -> Parsed<'a, bool> {
        loop {
            let token = self.peek();
            match token.0 {
                Token::Dot => {
                    self.at = token.2;
                    let next = self.peek();
                    match next.0 {
                        Token::Identifier => {
                            self.at = next.2;
                            let name = self.slice(next.1, next.2);
                            self.step(StepKind::Attribute(name), token.1, next.2);
                        }
                        Token::Number => self.legacy_index(token.1, next)?,
                        Token::Star => {
                            self.at = next.2;
                            self.attribute_splat()?;
                        }
                        _ => return Err(self.fault(Code::InvalidAttributeName, next)),
                    }
                }
                Token::BracketOpen => {
                    self.at = token.2;
                    let (first, _) = self.last_operand();
                    let outer = self.enter(false);
                    if self.take(Token::Star) {
                        let close = self.peek();
                        if close.0 != Token::BracketClose {
                            return Err(self.fault(Code::MissingSplatBracket, close));
                        }
                        self.at = close.2;
                        self.new_lines = outer;
                        let marker = self.start_splat(token.1, close.2);
                        self.push(Frame::Splat { first, marker })?;
                        continue;
                    }
                    self.push(Frame::Index { first, start: token.1, outer })?;
                    self.state = State::Operand;
                    return Ok(true);
                }
                _ => return Ok(false),
            }
        }
    }

    /// Adds a step to the operand that has just ended.
    fn step(&mut self, kind: StepKind<'a>, start: usize, end: usize) {
        if let Some(node) = self.out.nodes.last_mut()
            && matches!(node.kind, Kind::Traversal | Kind::Relative)
        {
            // It is the last traversal: what was parsed behind it, a literal key, had none.
            node.span.end = end as u32;
            return self.push_step(kind, start, end);
        }
        let (first, from) = self.last_operand();
        let place = self.start_traversal(kind, start, end);
        self.emit(Kind::Relative, place, first, from, end);
    }

    /// `.0`
    fn legacy_index(&mut self, dot: usize, number: (Token, usize, usize)) -> Parsed<'a, ()> {
        let digits = self.slice(number.1, number.2);
        if digits.contains(['.', 'e', 'E']) {
            return Err(self.fault(Code::InvalidLegacyIndex, number));
        }
        self.at = number.2;
        self.step(StepKind::Index(Key::Number(digits)), dot, number.2);
        Ok(())
    }

    /// `.*`, and the steps that it takes: names and older indexes.
    fn attribute_splat(&mut self) -> Parsed<'a, ()> {
        let (first, _) = self.last_operand();
        let marker = self.start_splat(self.at, self.at);
        loop {
            let (token, start, end) = self.peek();
            if token != Token::Dot {
                break;
            }
            let at = self.at;
            self.at = end;
            let next = self.peek();
            match next.0 {
                Token::Identifier => {
                    self.at = next.2;
                    let name = self.slice(next.1, next.2);
                    self.step(StepKind::Attribute(name), start, next.2);
                }
                Token::Number => self.legacy_index(start, next)?,
                Token::Star => return Err(self.fault(Code::NestedSplat, next)),
                _ => {
                    self.at = at;
                    return Err(self.fault(Code::InvalidAttributeName, next));
                }
            }
        }
        self.end_splat(Kind::AttributeSplat, first, marker);
        Ok(())
    }

    /// Writes the leaves before what is evaluated per element, and gives the place of the marker.
    fn start_splat(&mut self, start: usize, end: usize) -> usize {
        let marker = self.out.nodes.len();
        self.leaf(Kind::SplatStart, 0, start, end);
        self.leaf(Kind::Item, 0, start, end);
        marker
    }

    fn end_splat(&mut self, kind: Kind, first: usize, marker: usize) {
        let distance = (self.out.nodes.len() - marker) as u32;
        if let Some(node) = self.out.nodes.get_mut(marker) {
            node.payload = distance;
        }
        let node_at = |place: Option<usize>| place.and_then(|place| self.out.nodes.get(place));
        let start = node_at(marker.checked_sub(1)).map_or(self.at, |node| node.span.start as usize);
        let end = node_at(Some(marker)).map_or(0, |node| node.span.end as usize);
        self.emit(kind, 0, first, start, self.last_end().max(end));
    }

    /// `[key]` has ended: a step if the key is a literal.
    fn end_index(&mut self, first: usize, start: usize, end: usize) {
        let key = self.out.nodes.last().and_then(|node| {
            let text = || self.out.texts.get(node.payload as usize).copied();
            match node.kind {
                Kind::Number => text().map(Key::Number),
                Kind::True => Some(Key::Bool(true)),
                Kind::False => Some(Key::Bool(false)),
                Kind::Null => Some(Key::Null),
                // A template of one literal part, or none.
                Kind::Template if node.size == 1 => Some(Key::String("")),
                Kind::Template if node.size == 2 && node.payload == 1 => {
                    let part = self.out.nodes.get(self.out.nodes.len().checked_sub(2)?)?;
                    let is_text = part.kind == Kind::Text;
                    let text = self.out.texts.get(part.payload as usize).copied();
                    text.filter(|_| is_text)
                        .map(|text| Key::String(crate::value::normalized(self.arena, text)))
                }
                _ => None,
            }
        });
        match key {
            Some(key) => {
                let size = self.out.nodes.last().map_or(0, |node| node.size as usize);
                self.out.nodes.truncate(self.out.nodes.len() - size);
                self.step(StepKind::Index(key), start, end);
            }
            None => {
                let from = self.start_of(first);
                self.emit(Kind::Index, 0, first, from, end);
            }
        }
    }
}

/// A binary operator, and how tight it binds.
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

impl<'a> Output<'a> {
    /// What was parsed, with spans in the file; or a report of what is wrong.
    pub(super) fn finish(
        &mut self,
        text: &Text<'a>,
        parsed: Parsed<'a, ()>,
        sink: &mut impl Sink<'a>,
    ) -> Option<LentProgram<'_, 'a>> {
        if let Err(fault) = parsed {
            sink.report(
                Diagnostic::new(fault.code, text.source(), text.span(fault.span))
                    .with_arguments(&fault.arguments),
            );
            return None;
        }
        for node in &mut self.nodes {
            node.span = text.span(node.span);
        }
        for step in &mut self.steps {
            step.span = text.span(step.span);
        }
        for call in &mut self.calls {
            call.name_span = text.span(call.name_span);
            call.parentheses = text.span(call.parentheses);
        }
        Some(LentProgram {
            source: text.source(),
            nodes: &self.nodes,
            texts: &self.texts,
            steps: &self.steps,
            traversals: &self.traversals,
            calls: &self.calls,
            loops: &self.loops,
        })
    }
}
