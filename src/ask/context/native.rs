//! The blocks and the expression around an offset of a native file.
//!
//! The tokens before the offset are read one by one, with a stack of open brackets. Nothing after
//! the offset is read, so an unfinished file has the answers of its first part.

use super::frame::{Around, Header, Spot, Value, word_at};
use crate::format::{Token, TokenKind, tokens};

/// An open bracket.
#[derive(Debug)]
enum Frame {
    /// The body of a block, or of the file.
    Body {
        header: Header,
        /// The names of the item that begins.
        item: Vec<String>,
        /// The argument whose value is being read.
        argument: Option<String>,
        tail: Tail,
    },
    /// A bracket of an expression.
    Group(Group),
}

#[derive(Debug)]
struct Group {
    kind: GroupKind,
    /// The function whose arguments are in parentheses.
    function: Option<String>,
    commas: usize,
    /// The key of the item that is being read, in braces.
    key: Option<String>,
    /// A word that may become a key.
    word: Option<String>,
    tail: Tail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupKind {
    Parentheses,
    Brackets,
    Braces,
    /// `${` or `%{`.
    Sequence,
    Quote,
    Heredoc,
}

/// The end of a traversal.
#[derive(Debug, Default)]
struct Tail {
    steps: Vec<String>,
    /// Whether a dot follows.
    is_open: bool,
    /// Whether it starts with something that is not a name.
    is_foreign: bool,
}

impl Tail {
    fn name(&mut self, name: &str) {
        if let Some(last) = self.steps.last_mut().filter(|last| last.ends_with("::")) {
            last.push_str(name);
            return;
        }
        if !self.is_open {
            *self = Self::default();
        }
        self.is_open = false;
        self.steps.push(name.to_owned());
    }

    fn dot(&mut self) {
        self.is_open = !self.steps.is_empty() || self.is_foreign;
    }

    /// The value of a call or of brackets.
    fn foreign(&mut self) {
        *self = Self { is_foreign: true, ..Self::default() };
    }

    fn end(&mut self) {
        *self = Self::default();
    }
}

impl Frame {
    fn root() -> Self {
        Self::body(Header::default())
    }

    fn body(header: Header) -> Self {
        Self::Body { header, item: Vec::new(), argument: None, tail: Tail::default() }
    }

    fn tail(&mut self) -> &mut Tail {
        match self {
            Self::Body { tail, .. } => tail,
            Self::Group(group) => &mut group.tail,
        }
    }

    fn is(&self, kind: GroupKind) -> bool {
        matches!(self, Self::Group(group) if group.kind == kind)
    }
}

/// Returns the context of an offset of a native file.
///
/// Cost: linear in the offset.
pub(super) fn around(bytes: &[u8], offset: u32) -> Around {
    let text = text_before(bytes, offset);
    let mut reader = Reader { frames: vec![Frame::root()], open: [0; 6] };
    let all = tokens(text);
    reader.read(&all);
    let last = all.last().map(|it| (it.kind(), it.end(), it.text().ends_with('\n')));
    let is_comment = matches!(last, Some((TokenKind::Comment, end, false)) if end == text.len());
    reader.finish(bytes, offset, is_comment)
}

/// Returns the context of the end of an expression, which is the value of an argument.
/// `is_template` says whether it is the text of a quoted string.
pub(super) fn value_around(text: &str, argument: &str, is_template: bool) -> Value {
    let argument = argument.to_owned();
    let body = Frame::Body {
        header: Header::default(),
        item: Vec::new(),
        argument: Some(argument),
        tail: Tail::default(),
    };
    let mut reader = Reader { frames: vec![body], open: [0; 6] };
    match is_template {
        // The quote makes it a template.
        true => reader.read(&tokens(&format!("\"{text}"))),
        false => reader.read(&tokens(text)),
    }
    let around = reader.finish(text.as_bytes(), text.len() as u32, false);
    match around.spot {
        Spot::Value(value) => value,
        _ => Value::default(),
    }
}

/// The text before an offset.
pub(super) fn text_before(bytes: &[u8], offset: u32) -> &str {
    let before = &bytes[..bytes.len().min(offset as usize)];
    match str::from_utf8(before) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&before[..error.valid_up_to()]).unwrap_or_default(),
    }
}

struct Reader {
    /// The first one is the body of the file, and is never closed. Bodies are only in bodies, so all
    /// brackets are above them.
    frames: Vec<Frame>,
    /// How many brackets of each kind are open.
    open: [usize; 6],
}

impl Reader {
    fn read(&mut self, tokens: &[Token<'_>]) {
        for token in tokens {
            self.token(token.kind(), token.text());
        }
    }

    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::root());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn push(&mut self, kind: GroupKind, function: Option<String>) {
        let tail = Tail::default();
        let group = Group { kind, function, commas: 0, key: None, word: None, tail };
        self.frames.push(Frame::Group(group));
        self.open[kind as usize] += 1;
    }

    /// Closes the innermost bracket of a kind, and those in it.
    fn close(&mut self, kind: GroupKind) -> bool {
        if self.open[kind as usize] == 0 {
            return false;
        }
        while let Some(Frame::Group(group)) =
            self.frames.pop_if(|frame| matches!(frame, Frame::Group(_)))
        {
            self.open[group.kind as usize] -= 1;
            if group.kind == kind {
                break;
            }
        }
        true
    }

    fn token(&mut self, kind: TokenKind, text: &str) {
        use TokenKind as K;
        let is_line_end = kind == K::Newline || kind == K::Comment && text.ends_with('\n');
        match self.top() {
            Frame::Body { argument: None, item, header: _, .. } => match kind {
                _ if is_line_end => item.clear(),
                K::Identifier => item.push(text.to_owned()),
                K::QuoteOpen => self.push(GroupKind::Quote, None),
                K::Equals => {
                    let name = item.pop();
                    item.clear();
                    if let Frame::Body { argument, tail, .. } = self.top() {
                        tail.end();
                        *argument = name.or(Some(String::new()));
                    }
                }
                K::BraceOpen => {
                    let mut names = std::mem::take(item).into_iter();
                    let block_type = names.next().unwrap_or_default();
                    self.frames.push(Frame::body(Header { block_type, labels: names.collect() }));
                }
                K::BraceClose => self.close_body(),
                _ => {}
            },
            Frame::Body { argument, tail, .. } => match kind {
                _ if is_line_end => {
                    *argument = None;
                    tail.end();
                }
                K::BraceClose => self.close_body(),
                _ => self.part(kind, text),
            },
            Frame::Group(_) => self.part(kind, text),
        }
    }

    fn close_body(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
        if let Frame::Body { item, argument, .. } = self.top() {
            item.clear();
            *argument = None;
        }
    }

    /// Reads a token of an expression.
    fn part(&mut self, kind: TokenKind, text: &str) {
        use TokenKind as K;
        match kind {
            K::Identifier => {
                let top = self.top();
                top.tail().name(text);
                if let Frame::Group(group) = top {
                    group.word = Some(text.to_owned());
                }
            }
            K::Dot => self.top().tail().dot(),
            // A namespace is a part of the name.
            K::DoubleColon => {
                if let Some(last) = self.top().tail().steps.last_mut() {
                    last.push_str("::");
                }
            }
            K::ParenthesisOpen => {
                let tail = self.top().tail();
                let function = tail.steps.pop().filter(|_| tail.steps.is_empty());
                self.push(GroupKind::Parentheses, function);
            }
            K::BracketOpen => self.push(GroupKind::Brackets, None),
            K::BraceOpen => self.push(GroupKind::Braces, None),
            K::Interpolation | K::Directive => self.push(GroupKind::Sequence, None),
            K::QuoteOpen => self.push(GroupKind::Quote, None),
            K::HeredocOpen => self.push(GroupKind::Heredoc, None),
            K::ParenthesisClose => {
                self.close(GroupKind::Parentheses);
                self.top().tail().foreign();
            }
            K::BracketClose => {
                self.close(GroupKind::Brackets);
                // After a traversal it is an index, which is looked through.
                let tail = self.top().tail();
                if tail.steps.is_empty() {
                    tail.foreign();
                }
            }
            K::BraceClose => {
                if !self.close(GroupKind::Braces) {
                    self.close(GroupKind::Sequence);
                }
                self.top().tail().foreign();
            }
            K::SequenceEnd => {
                self.close(GroupKind::Sequence);
            }
            K::QuoteClose => self.close_quote(),
            K::HeredocClose => {
                self.close(GroupKind::Heredoc);
            }
            K::Quoted => {
                if let Frame::Group(group) = self.top() {
                    group.word = Some(text.to_owned());
                }
            }
            _ => self.separator(kind, text),
        }
    }

    fn close_quote(&mut self) {
        let text = match self.top() {
            Frame::Group(group) => group.word.take().unwrap_or_default(),
            Frame::Body { .. } => String::new(),
        };
        self.close(GroupKind::Quote);
        match self.top() {
            Frame::Body { argument: None, item, .. } => item.push(text),
            Frame::Body { tail, .. } => tail.foreign(),
            Frame::Group(group) => {
                group.word = Some(text);
                group.tail.foreign();
            }
        }
    }

    fn separator(&mut self, kind: TokenKind, text: &str) {
        let is_line_end = kind == TokenKind::Newline || text.ends_with('\n');
        let top = self.top();
        top.tail().end();
        let Frame::Group(group) = top else { return };
        match kind {
            TokenKind::Comma => {
                group.commas += 1;
                group.key = None;
            }
            TokenKind::Equals if group.kind == GroupKind::Braces => group.key = group.word.take(),
            TokenKind::Operator
                if text == ":" && group.kind == GroupKind::Braces && group.key.is_none() =>
            {
                group.key = group.word.take();
            }
            _ if is_line_end && group.kind == GroupKind::Braces => group.key = None,
            _ => {}
        }
        group.word = None;
    }

    fn finish(mut self, bytes: &[u8], offset: u32, is_comment: bool) -> Around {
        let word = word_at(bytes, offset);
        let has_word = word.start < offset;
        let first = bytes.get(word.start as usize);
        let is_number = has_word && first.is_some_and(u8::is_ascii_digit);
        // The word itself is not before the offset.
        if has_word && !is_number {
            let top = self.top();
            let tail = top.tail();
            if tail.steps.pop().is_some() {
                tail.is_open = !tail.steps.is_empty() || tail.is_foreign;
            }
        }
        let is_quoted = self.top().is(GroupKind::Quote);
        let mut blocks = Vec::new();
        let mut value: Option<Value> = None;
        let mut label: Option<(Header, usize)> = None;
        let count = self.frames.len();
        for (place, frame) in self.frames.iter_mut().enumerate() {
            let is_last = place + 1 == count;
            match frame {
                Frame::Body { header, item, argument, tail } => {
                    if place > 0 {
                        blocks.push(std::mem::take(header));
                    }
                    match argument {
                        Some(argument) => {
                            let steps = if is_last { open_steps(tail) } else { Vec::new() };
                            let argument = std::mem::take(argument);
                            value = Some(Value { argument, steps, ..Value::default() });
                        }
                        None => {
                            if is_last && has_word {
                                item.pop();
                            }
                            let mut names = item.iter().cloned();
                            if let Some(block_type) = names.next() {
                                let labels: Vec<_> = names.collect();
                                let at = labels.len();
                                label = Some((Header { block_type, labels }, at));
                            }
                        }
                    }
                }
                Frame::Group(group) => {
                    let Some(value) = &mut value else { continue };
                    value.is_text = matches!(group.kind, GroupKind::Quote | GroupKind::Heredoc);
                    value.steps = match is_last && !value.is_text {
                        true => open_steps(&mut group.tail),
                        false => Vec::new(),
                    };
                    match group.kind {
                        GroupKind::Parentheses => {
                            // Parentheses without a function are a part of its argument.
                            if let Some(function) = group.function.take() {
                                value.call = Some((function, group.commas));
                            }
                        }
                        GroupKind::Braces => {
                            let key = group.key.take();
                            value.is_key = is_last && key.is_none();
                            value.path.extend(key);
                            value.call = None;
                        }
                        GroupKind::Sequence => {
                            value.is_key = false;
                            value.call = None;
                        }
                        GroupKind::Brackets => value.is_key = false,
                        GroupKind::Quote | GroupKind::Heredoc => {}
                    }
                }
            }
        }
        let spot = match (value, label) {
            _ if is_comment => Spot::Nothing,
            (Some(value), _) => Spot::Value(Value { is_number, ..value }),
            (None, Some((header, at))) => Spot::Label(header, at),
            (None, None) => Spot::Item,
        };
        Around { blocks, spot, word, is_quoted }
    }
}

/// The steps of a traversal that continues.
fn open_steps(tail: &mut Tail) -> Vec<String> {
    match tail {
        // Its start is not known.
        Tail { is_open: true, is_foreign: true, .. } => vec![String::new()],
        Tail { is_open: true, steps, .. } => std::mem::take(steps),
        _ => Vec::new(),
    }
}
