//! The tokens of a text without errors, with the spaces before each, and the pieces of templates.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use crate::native::lexer::{Lexer, Token as Lexed};
use crate::steps::step;

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// No token: before the first one of a line.
    Nothing,
    /// The end of a line.
    Newline,
    /// A comment; one that starts with `#` or `//` includes its line feed.
    Comment,
    /// A name or a keyword.
    Identifier,
    /// A number.
    Number,
    /// `(`
    ParenthesisOpen,
    /// `)`
    ParenthesisClose,
    /// `[`
    BracketOpen,
    /// `]`
    BracketClose,
    /// `{`
    BraceOpen,
    /// `}`
    BraceClose,
    /// The quote that opens a string.
    QuoteOpen,
    /// The quote that closes a string.
    QuoteClose,
    /// Text between quotes, with its escapes.
    Quoted,
    /// `<<NAME` or `<<-NAME`, with its line feed.
    HeredocOpen,
    /// The line that ends a heredoc, without its line feed.
    HeredocClose,
    /// Text of a heredoc.
    Text,
    /// `${`, `${~`
    Interpolation,
    /// `%{`, `%{~`
    Directive,
    /// The brace that ends an interpolation or a directive: `}`, `~}`
    SequenceEnd,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `...`
    Ellipsis,
    /// `::`
    DoubleColon,
    /// `=`
    Equals,
    /// `-`
    Minus,
    /// `!`
    Bang,
    /// An operator after which a minus sign is not a subtraction: arithmetic, comparison, logic,
    /// `?`, `:`.
    Operator,
    /// `=>`, or invalid text.
    Other,
}

impl Kind {
    /// The number of brackets that the token opens; negative if it closes one.
    pub(super) fn brackets(self) -> i64 {
        match self {
            Self::ParenthesisOpen
            | Self::BracketOpen
            | Self::BraceOpen
            | Self::Interpolation
            | Self::Directive => 1,
            Self::ParenthesisClose | Self::BracketClose | Self::BraceClose | Self::SequenceEnd => {
                -1
            }
            _ => 0,
        }
    }
}

/// A token of a native file or expression.
#[derive(Clone, Debug)]
pub struct Token<'t> {
    pub(super) kind: Kind,
    /// The offset in the file; an inserted token has the offset of the token that it replaces.
    pub(super) start: usize,
    pub(super) text: Cow<'t, str>,
    /// The spaces before it in the canonical layout.
    pub(super) spaces: usize,
}

impl<'t> Token<'t> {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its offset in the text, in bytes.
    #[must_use]
    pub fn start(&self) -> usize {
        self.start
    }

    /// The offset of its end in the text, in bytes.
    #[must_use]
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn new(kind: Kind, start: usize, text: impl Into<Cow<'t, str>>) -> Self {
        Self { kind, start, text: text.into(), spaces: 0 }
    }

    /// Whether it ends a line.
    pub(super) fn ends_line(&self) -> bool {
        match self.kind {
            Kind::Newline => true,
            Kind::Comment => self.text.ends_with('\n'),
            _ => false,
        }
    }

    /// Its width in columns, including the spaces before it.
    pub(super) fn columns(&self) -> usize {
        let text = &*self.text;
        let plain = text.is_ascii() && !text.contains('\r');
        self.spaces + if plain { text.len() } else { text.graphemes(true).count() }
    }
}

/// An open bracket, sequence or heredoc around a token.
enum Mode {
    /// `${` or `%{`, and the number of open braces in it.
    Sequence(usize),
    Quote,
    /// A heredoc with its name.
    Heredoc(usize, usize),
}

/// The tokens of a text in native syntax: of a file, a body or an expression.
///
/// The text should have no errors. Otherwise the tokens from the first error on are those of some
/// other text. A heredoc ends only before a line feed, so the text of an expression that ends with
/// one needs the line feed after it.
///
/// Cost: linear in the bytes; 56 bytes for each token.
///
/// ```
/// use simd_hcl::format::{TokenKind, tokens};
///
/// let kinds: Vec<_> = tokens("[1, \"a${b}\"] # c").iter().map(|token| token.kind()).collect();
/// assert_eq!(kinds[..4], [
///     TokenKind::BracketOpen, TokenKind::Number, TokenKind::Comma, TokenKind::QuoteOpen,
/// ]);
/// assert_eq!(kinds.last(), Some(&TokenKind::Comment));
/// ```
#[must_use]
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    tokens_and_rest(text).0
}

/// The tokens of a text without errors, and the number of bytes of space after the last one, which
/// the tools keep.
pub(super) fn tokens_and_rest(text: &str) -> (Vec<Token<'_>>, usize) {
    let mut scanner = Scanner::new(text);
    if text.starts_with('\u{feff}') {
        scanner.at = '\u{feff}'.len_utf8();
    }
    while scanner.at < text.len() {
        scanner.next();
    }
    let end = scanner.found.last().map_or(0, |last| last.start + last.text.len());
    (scanner.found, text.len() - end)
}

/// The length of the sequence at the start of a template, in bytes, including its closing brace.
/// All of the text if the sequence is not closed.
pub(crate) fn sequence_len(text: &str) -> usize {
    let mut scanner = Scanner::new(text);
    scanner.sequence(text.as_bytes().first().copied().unwrap_or(b'$'));
    scanner.run_while_open();
    scanner.at
}

/// A piece of a native template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Literal text between quotes, with its escapes.
    Quoted(&'t str),
    /// A sequence, or text of a heredoc, which is the same in any template.
    Verbatim(&'t str),
}

/// The pieces of a quoted string or of a heredoc whose lines keep their indentation. `None` for
/// other texts.
pub(crate) fn template_pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    if text.starts_with("<<-") || !(text.starts_with('"') || text.starts_with("<<")) {
        return None;
    }
    let mut scanner = Scanner::new(text);
    scanner.code();
    scanner.run_while_open();
    let mut pieces = Vec::new();
    let mut sequences = 0;
    for token in &scanner.found {
        match token.kind {
            Kind::Interpolation | Kind::Directive => sequences += 1,
            Kind::SequenceEnd => sequences -= 1,
            _ => {}
        }
        let end = token.start + token.text.len();
        match token.kind {
            Kind::Interpolation | Kind::Directive if sequences == 1 => {
                pieces.push(Piece::Verbatim(text.get(token.start..)?));
            }
            Kind::SequenceEnd if sequences == 0 => {
                let Some(Piece::Verbatim(last)) = pieces.last_mut() else { return None };
                let start = text.len() - last.len();
                *last = text.get(start..end)?;
            }
            Kind::Quoted if sequences == 0 => {
                pieces.push(Piece::Quoted(text.get(token.start..end)?));
            }
            Kind::Text if sequences == 0 => {
                pieces.push(Piece::Verbatim(text.get(token.start..end)?));
            }
            _ => {}
        }
    }
    Some(pieces)
}

struct Scanner<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    at: usize,
    found: Vec<Token<'t>>,
    modes: Vec<Mode>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, lexer: Lexer::new(text), at: 0, found: Vec::new(), modes: Vec::new() }
    }

    /// Reads until all brackets, sequences and heredocs are closed.
    fn run_while_open(&mut self) {
        while self.at < self.text.len() && !self.modes.is_empty() {
            self.next();
        }
    }

    fn next(&mut self) {
        step();
        match self.modes.last() {
            Some(Mode::Quote) => self.quoted(),
            Some(&Mode::Heredoc(start, end)) => self.heredoc(start, end),
            _ => self.code(),
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Adds the token up to `end`.
    fn push(&mut self, kind: Kind, end: usize) {
        let text = self.text.get(self.at..end).unwrap_or_default();
        self.found.push(Token::new(kind, self.at, text));
        self.at = end;
    }

    fn code(&mut self) {
        while matches!(self.byte(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        if let Some(end) = self.lexer.comment_end(self.at) {
            // A line comment includes its line feed.
            let is_inline = self.byte(self.at + 1) == Some(b'*');
            let line_feed = !is_inline && self.byte(end) == Some(b'\n');
            return self.push(Kind::Comment, end + usize::from(line_feed));
        }
        let (token, end) = self.lexer.token(self.at);
        let kind = match token {
            Lexed::End => {
                self.at = self.text.len();
                return;
            }
            Lexed::NewLine => Kind::Newline,
            Lexed::Identifier => Kind::Identifier,
            Lexed::Number => Kind::Number,
            Lexed::Quote => {
                self.modes.push(Mode::Quote);
                Kind::QuoteOpen
            }
            Lexed::Heredoc => {
                let dash = usize::from(self.byte(self.at + 2) == Some(b'-'));
                let name = self.at + 2 + dash;
                self.modes.push(Mode::Heredoc(name, self.lexer.identifier(name)));
                Kind::HeredocOpen
            }
            Lexed::ParenthesisOpen => Kind::ParenthesisOpen,
            Lexed::ParenthesisClose => Kind::ParenthesisClose,
            Lexed::BracketOpen => Kind::BracketOpen,
            Lexed::BracketClose => Kind::BracketClose,
            Lexed::BraceOpen => {
                if let Some(Mode::Sequence(braces)) = self.modes.last_mut() {
                    *braces += 1;
                }
                Kind::BraceOpen
            }
            Lexed::BraceClose | Lexed::TrimClose => match self.modes.last_mut() {
                Some(Mode::Sequence(0)) => {
                    self.modes.pop();
                    Kind::SequenceEnd
                }
                Some(Mode::Sequence(braces)) => {
                    *braces -= 1;
                    Kind::BraceClose
                }
                _ => Kind::BraceClose,
            },
            Lexed::Comma => Kind::Comma,
            Lexed::Dot => Kind::Dot,
            Lexed::Ellipsis => Kind::Ellipsis,
            Lexed::DoubleColon => Kind::DoubleColon,
            Lexed::Assign => Kind::Equals,
            Lexed::Minus => Kind::Minus,
            Lexed::Bang => Kind::Bang,
            Lexed::Question
            | Lexed::Colon
            | Lexed::Star
            | Lexed::Slash
            | Lexed::Percent
            | Lexed::Plus
            | Lexed::Equal
            | Lexed::NotEqual
            | Lexed::Less
            | Lexed::LessOrEqual
            | Lexed::Greater
            | Lexed::GreaterOrEqual
            | Lexed::And
            | Lexed::Or => Kind::Operator,
            Lexed::Arrow | Lexed::Unsupported | Lexed::Invalid => Kind::Other,
        };
        self.push(kind, end);
    }

    fn quoted(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) =
                rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'$' | b'%'))
            else {
                return self.push(Kind::Quoted, bytes.len());
            };
            at += found;
            match (rest[found], rest.get(found + 1), rest.get(found + 2)) {
                (b'\\', ..) => at = (at + 2).min(bytes.len()),
                (b'"', ..) => {
                    self.literal(Kind::Quoted, at);
                    self.modes.pop();
                    return self.push(Kind::QuoteClose, at + 1);
                }
                (sign, Some(&next), Some(b'{')) if next == sign => at += 3,
                (sign, Some(b'{'), _) => {
                    self.literal(Kind::Quoted, at);
                    return self.sequence(sign);
                }
                _ => at += 1,
            }
        }
    }

    fn heredoc(&mut self, name_start: usize, name_end: usize) {
        let bytes = self.text.as_bytes();
        let name = self.text.get(name_start..name_end).unwrap_or_default();
        let mut at = self.at;
        loop {
            let is_line_start = at == 0 || bytes.get(at - 1) == Some(&b'\n');
            if is_line_start && let Some(end) = self.lexer.heredoc_end(at, name) {
                self.literal(Kind::Text, at);
                self.modes.pop();
                return self.push(Kind::HeredocClose, end);
            }
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) = memchr::memchr3(b'$', b'%', b'\n', rest) else {
                return self.push(Kind::Text, bytes.len());
            };
            at += found;
            match (rest[found], rest.get(found + 1), rest.get(found + 2)) {
                (b'\n', ..) => at += 1,
                (sign, Some(&next), Some(b'{')) if next == sign => at += 3,
                (sign, Some(b'{'), _) => {
                    self.literal(Kind::Text, at);
                    return self.sequence(sign);
                }
                _ => at += 1,
            }
        }
    }

    /// Adds the text up to `end`, unless it is empty.
    fn literal(&mut self, kind: Kind, end: usize) {
        if end > self.at {
            self.push(kind, end);
        }
    }

    /// `${` or `%{`.
    fn sequence(&mut self, sign: u8) {
        self.modes.push(Mode::Sequence(0));
        let trims = usize::from(self.byte(self.at + 2) == Some(b'~'));
        let kind = if sign == b'$' { Kind::Interpolation } else { Kind::Directive };
        self.push(kind, self.at + 2 + trims);
    }
}
