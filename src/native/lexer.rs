//! Tokens of expressions and of the structure of native files.
//!
//! The parser reads tokens one by one; a token is its kind and its end. Spaces and comments between
//! tokens are skipped first, and so are line feeds that are not tokens.

use std::cell::Cell;

use crate::lexical::{FIRST, NAME, identifier_len};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    End,
    NewLine,
    Identifier,
    Number,
    /// `"`
    Quote,
    /// `<<`, `<<-` and a name, up to the end of the line.
    Heredoc,
    ParenthesisOpen,
    ParenthesisClose,
    BracketOpen,
    BracketClose,
    BraceOpen,
    BraceClose,
    /// `~}`
    TrimClose,
    Comma,
    Dot,
    Ellipsis,
    Question,
    Colon,
    DoubleColon,
    /// `=`
    Assign,
    /// `=>`
    Arrow,
    Star,
    Slash,
    Percent,
    Plus,
    Minus,
    Bang,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    /// A bitwise operator of other languages.
    Unsupported,
    /// A character that starts no token.
    Invalid,
}

#[cfg(test)]
thread_local! {
    /// Number of bytes between tokens that this thread has skipped, and of those that it has
    /// searched for the end of a comment that is not closed.
    pub(crate) static SKIPPED: Cell<usize> = const { Cell::new(0) };
}

/// Reads tokens of a text.
pub(crate) struct Lexer<'t> {
    pub(crate) text: &'t str,
    /// No comment that starts here or later is closed. Without this, the text would be searched to
    /// its end for each `/*` that is not closed.
    unclosed: Cell<usize>,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, unclosed: Cell::new(usize::MAX) }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn starts_with(&self, at: usize, prefix: &[u8]) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(prefix))
    }

    /// Returns where the next token starts: after spaces and comments, and after line feeds unless
    /// `new_lines` is set.
    #[inline]
    pub(crate) fn skip(&self, at: usize, new_lines: bool) -> usize {
        match self.byte(at) {
            None => at,
            Some(byte) if byte > b' ' && byte != b'#' && byte != b'/' => at,
            _ => {
                let end = self.skip_all(at, new_lines);
                #[cfg(test)]
                SKIPPED.set(SKIPPED.get() + (end - at));
                end
            }
        }
    }

    fn skip_all(&self, mut at: usize, new_lines: bool) -> usize {
        loop {
            match self.byte(at) {
                Some(b' ') => at = self.spaces_end(at),
                Some(b'\t') => at += 1,
                Some(b'\n') if !new_lines => at += 1,
                Some(b'\r') if !new_lines && self.byte(at + 1) == Some(b'\n') => at += 2,
                Some(b'#' | b'/') => match self.comment_end(at) {
                    Some(end) => at = end,
                    None => return at,
                },
                _ => return at,
            }
        }
    }

    /// Returns where the spaces that start at `at` end: indentation is long.
    #[inline]
    fn spaces_end(&self, mut at: usize) -> usize {
        const SPACES: u64 = u64::from_le_bytes([b' '; 8]);
        let bytes = self.text.as_bytes();
        while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            let others = u64::from_le_bytes(*chunk) ^ SPACES;
            if others != 0 {
                return at + others.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        while self.byte(at) == Some(b' ') {
            at += 1;
        }
        at
    }

    /// Returns where the comment that starts at `at` ends: before the line feed, or after `*/`. A
    /// `/*` that is not closed starts no comment.
    pub(crate) fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?;
        match rest {
            [b'#', ..] | [b'/', b'/', ..] => {
                Some(at + memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
            }
            [b'/', b'*', inner @ ..] if at < self.unclosed.get() => {
                let found = memchr::memmem::find(inner, b"*/");
                if found.is_none() {
                    self.unclosed.set(at);
                    #[cfg(test)]
                    SKIPPED.set(SKIPPED.get() + rest.len());
                }
                found.map(|found| at + found + 4)
            }
            _ => None,
        }
    }

    /// Returns the token that starts at `at`, and where it ends.
    pub(crate) fn token(&self, at: usize) -> (Token, usize) {
        crate::steps::step();
        let Some(byte) = self.byte(at) else { return (Token::End, at) };
        let next = self.byte(at + 1);
        let one = |token| (token, at + 1);
        let two = |token| (token, at + 2);
        match byte {
            b'\n' => one(Token::NewLine),
            b'\r' if next == Some(b'\n') => two(Token::NewLine),
            b'"' => one(Token::Quote),
            b'(' => one(Token::ParenthesisOpen),
            b')' => one(Token::ParenthesisClose),
            b'[' => one(Token::BracketOpen),
            b']' => one(Token::BracketClose),
            b'{' => one(Token::BraceOpen),
            b'}' => one(Token::BraceClose),
            b'~' if next == Some(b'}') => two(Token::TrimClose),
            b',' => one(Token::Comma),
            b'.' if self.starts_with(at, b"...") => (Token::Ellipsis, at + 3),
            b'.' => one(Token::Dot),
            b'?' => one(Token::Question),
            b':' if next == Some(b':') => two(Token::DoubleColon),
            b':' => one(Token::Colon),
            b'=' if next == Some(b'=') => two(Token::Equal),
            b'=' if next == Some(b'>') => two(Token::Arrow),
            b'=' => one(Token::Assign),
            b'*' => one(Token::Star),
            b'/' => one(Token::Slash),
            b'%' => one(Token::Percent),
            b'+' => one(Token::Plus),
            b'-' => one(Token::Minus),
            b'!' if next == Some(b'=') => two(Token::NotEqual),
            b'!' => one(Token::Bang),
            b'<' if next == Some(b'<') => match self.heredoc(at) {
                Some(end) => (Token::Heredoc, end),
                None => one(Token::Less),
            },
            b'<' if next == Some(b'=') => two(Token::LessOrEqual),
            b'<' => one(Token::Less),
            b'>' if next == Some(b'=') => two(Token::GreaterOrEqual),
            b'>' => one(Token::Greater),
            b'&' if next == Some(b'&') => two(Token::And),
            b'|' if next == Some(b'|') => two(Token::Or),
            b'&' | b'|' | b'^' | b'~' => one(Token::Unsupported),
            b'0'..=b'9' => (Token::Number, self.number(at)),
            _ => {
                let end = self.identifier(at);
                if end > at {
                    return (Token::Identifier, end);
                }
                let character = self.text.get(at..).and_then(|rest| rest.chars().next());
                (Token::Invalid, at + character.map_or(1, char::len_utf8))
            }
        }
    }

    /// Returns where the identifier that starts at `at` ends, if it has only ASCII characters.
    #[inline]
    pub(crate) fn plain_name(&self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes().get(at..)?;
        if NAME[*bytes.first()? as usize] != FIRST {
            return None;
        }
        let len = bytes.iter().take_while(|byte| NAME[**byte as usize] != 0).count();
        bytes.get(len).is_none_or(u8::is_ascii).then_some(at + len)
    }

    /// Returns where the few digits that start at `at` end, if a closing bracket follows.
    #[inline]
    pub(crate) fn plain_index(&self, at: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?;
        let len = rest.iter().take(18).take_while(|byte| byte.is_ascii_digit()).count();
        (len > 0 && rest.get(len) == Some(&b']')).then_some(at + len)
    }

    /// Returns where the identifier that starts at `at` ends; `at` if there is none.
    pub(crate) fn identifier(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let ascii = bytes.get(at..).unwrap_or_default();
        let plain = ascii.iter().take_while(|byte| NAME[**byte as usize] != 0).count();
        let first = ascii.first().copied().unwrap_or_default();
        if ascii.get(plain).is_none_or(u8::is_ascii) {
            return if NAME[first as usize] == FIRST { at + plain } else { at };
        }
        at + identifier_len(self.text.get(at..).unwrap_or_default())
    }

    /// Returns the end of a number: digits, dots and exponents. The last character is not a dot.
    fn number(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            match self.byte(end) {
                Some(b'0'..=b'9') => end += 1,
                Some(b'.') => {
                    let after = self.dots(end);
                    if !self
                        .byte(after)
                        .is_some_and(|byte| byte.is_ascii_digit() || self.exponent(after).is_some())
                    {
                        return end;
                    }
                    end = after;
                }
                Some(b'e' | b'E') => match self.exponent(end) {
                    Some(after) => end = after,
                    None => return end,
                },
                _ => return end,
            }
        }
    }

    fn dots(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'.') {
            at += 1;
        }
        at
    }

    /// Returns where the exponent that starts at `at` ends.
    fn exponent(&self, at: usize) -> Option<usize> {
        if !matches!(self.byte(at), Some(b'e' | b'E')) {
            return None;
        }
        let sign = usize::from(matches!(self.byte(at + 1), Some(b'+' | b'-')));
        let digits = at + 1 + sign;
        self.byte(digits)?.is_ascii_digit().then_some(digits + 1)
    }

    /// Returns where the head of a heredoc ends: after its line feed.
    pub(crate) fn heredoc(&self, at: usize) -> Option<usize> {
        let name = at + 2 + usize::from(self.byte(at + 2) == Some(b'-'));
        let end = self.identifier(name);
        if end == name {
            return None;
        }
        if self.starts_with(end, b"\r\n") {
            return Some(end + 2);
        }
        (self.byte(end) == Some(b'\n')).then_some(end + 1)
    }

    /// Returns where a heredoc ends if its last line starts at `at`: before the line feed, which is
    /// a token again. Spaces after the name are part of the line.
    pub(crate) fn heredoc_end(&self, at: usize, name: &str) -> Option<usize> {
        let start = self.spaces_end(at);
        // Most lines are not the last one.
        if self.byte(start)?.is_ascii_graphic() && !self.starts_with(start, name.as_bytes()) {
            return None;
        }
        let rest = self.text.get(at..)?;
        let line = rest.split_once('\n')?.0;
        (line.trim() == name).then(|| at + line.strip_suffix('\r').unwrap_or(line).len())
    }

    /// Returns where the spaces and tabs that end at `end` start.
    pub(crate) fn before_spaces(&self, end: usize) -> usize {
        let text = self.text.get(..end).unwrap_or_default();
        text.trim_end_matches([' ', '\t']).len()
    }
}
