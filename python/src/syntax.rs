//! The tokens of one expression in native syntax: which brackets match, its comments, and its text
//! on one line.

use std::ops::Range;

use simd_hcl::Source;
use simd_hcl::format::{Token, TokenKind as Kind, tokens};

/// How numbers and heredocs inside of expressions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As they are in the file.
    Written,
    /// As python-hcl2 8 does: the nearest `float`, and heredocs in quotes, which is not valid.
    Quoted,
    /// The same, with the text of heredocs; whether without quotes.
    Converted(bool),
}

/// The tokens of an expression, without comments.
pub(crate) struct Tokens<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    /// For a token that opens something, the place of the one that closes it; otherwise itself.
    close: Vec<u32>,
    /// The texts of the comments.
    pub(crate) comments: Vec<String>,
    pub(crate) form: Form,
    /// Offsets of the text before which `(` and after which `)` is written, sorted.
    added: (Vec<usize>, Vec<usize>),
}

impl<'t> Tokens<'t> {
    /// Reads an expression without errors.
    pub(crate) fn new(text: &'t str) -> Self {
        let mut comments = Vec::new();
        let mut kept = tokens(text);
        kept.retain(|token| {
            let is_comment = token.kind() == Kind::Comment;
            if is_comment {
                comments.extend(comment_text(token.text()));
            }
            // A comment to the end of a line also ends an item of an object.
            !is_comment || token.text().ends_with('\n')
        });
        let mut close: Vec<u32> = (0..kept.len() as u32).collect();
        let mut open = Vec::new();
        for (place, token) in kept.iter().enumerate() {
            match token.kind() {
                Kind::ParenthesisOpen
                | Kind::BracketOpen
                | Kind::BraceOpen
                | Kind::QuoteOpen
                | Kind::HeredocOpen
                | Kind::Interpolation
                | Kind::Directive => open.push(place),
                Kind::ParenthesisClose
                | Kind::BracketClose
                | Kind::BraceClose
                | Kind::QuoteClose
                | Kind::HeredocClose
                | Kind::SequenceEnd => {
                    if let Some(opened) = open.pop() {
                        close[opened] = place as u32;
                    }
                }
                _ => {}
            }
        }
        let form = Form::Written;
        Self { text, tokens: kept, close, comments, form, added: Default::default() }
    }

    /// Writes parentheses around these parts of the text.
    pub(crate) fn parenthesize(&mut self, parts: impl Iterator<Item = Range<usize>>) {
        for part in parts {
            self.added.0.push(part.start);
            self.added.1.push(part.end);
        }
        self.added.0.sort_unstable();
        self.added.1.sort_unstable();
    }

    /// All tokens.
    pub(crate) fn all(&self) -> Range<usize> {
        self.trim(0..self.tokens.len())
    }

    pub(crate) fn kind(&self, place: usize) -> Kind {
        // A comment that is kept stands for the end of its line.
        match self.tokens.get(place).map_or(Kind::Nothing, Token::kind) {
            Kind::Comment => Kind::Newline,
            kind => kind,
        }
    }

    pub(crate) fn text(&self, place: usize) -> &str {
        self.tokens.get(place).map_or("", Token::text)
    }

    /// The place after a token and all that it opens.
    pub(crate) fn after(&self, place: usize) -> usize {
        self.close[place] as usize + 1
    }

    /// Whether all tokens are inside of what the first one opens.
    pub(crate) fn is_one(&self, part: &Range<usize>) -> bool {
        !part.is_empty() && self.after(part.start) == part.end
    }

    /// Whether a bracket opens a `for` expression.
    pub(crate) fn opens_for(&self, place: usize) -> bool {
        let mut next = place + 1;
        while self.kind(next) == Kind::Newline {
            next += 1;
        }
        self.kind(next) == Kind::Identifier && self.text(next) == "for"
    }

    /// A part without line ends around it.
    fn trim(&self, mut part: Range<usize>) -> Range<usize> {
        while !part.is_empty() && self.kind(part.start) == Kind::Newline {
            part.start += 1;
        }
        while !part.is_empty() && self.kind(part.end - 1) == Kind::Newline {
            part.end -= 1;
        }
        part
    }

    /// The next element of a tuple, starting at a place inside its brackets, and where to go on.
    pub(crate) fn element(&self, at: usize, end: usize) -> Option<(Range<usize>, usize)> {
        let mut place = at;
        while place < end && self.kind(place) != Kind::Comma {
            place = self.after(place);
        }
        let part = self.trim(at..place.min(end));
        (!part.is_empty()).then_some((part, (place + 1).min(end)))
    }

    /// The key and the value of the next item of an object, starting at a place inside its braces,
    /// and where to go on.
    pub(crate) fn item(
        &self,
        at: usize,
        end: usize,
    ) -> Option<(Range<usize>, Range<usize>, usize)> {
        let mut at = at;
        while at < end && matches!(self.kind(at), Kind::Newline | Kind::Comma) {
            at += 1;
        }
        let mut place = at;
        let mut conditions = 0;
        while place < end {
            match (self.kind(place), self.text(place)) {
                (Kind::Equals, _) => break,
                (Kind::Operator, "?") => conditions += 1,
                (Kind::Operator, ":") if conditions > 0 => conditions -= 1,
                (Kind::Operator, ":") => break,
                _ => {}
            }
            place = self.after(place);
        }
        let key = self.trim(at..place.min(end));
        let mut value_end = place + 1;
        while value_end < end && !matches!(self.kind(value_end), Kind::Newline | Kind::Comma) {
            value_end = self.after(value_end);
        }
        let value = self.trim((place + 1).min(end)..value_end.min(end));
        (!key.is_empty()).then_some((key, value, value_end.min(end)))
    }

    /// Writes a part on one line: one space around operators, none inside of brackets.
    pub(crate) fn write(&self, part: Range<usize>, out: &mut String) {
        let mut writer =
            Writer { tokens: self, out, open: Vec::new(), operand: false, comma: false };
        let mut place = part.start;
        while place < part.end {
            place = writer.token(place, part.end);
        }
    }

    /// The bytes of a part as they are written.
    pub(crate) fn source(&self, part: &Range<usize>) -> &'t str {
        let start = self.tokens.get(part.start).map_or(0, Token::start);
        let end = self.tokens.get(part.end.saturating_sub(1)).map_or(0, Token::end);
        self.text.get(start..end).unwrap_or_default()
    }
}

/// The text of a comment without its signs; `None` if it is empty.
pub(crate) fn comment_text(comment: &str) -> Option<String> {
    let comment = comment.trim();
    let inner = match comment.strip_prefix("/*") {
        Some(block) => block.strip_suffix("*/").unwrap_or(block),
        None => comment.strip_prefix("//").or(comment.strip_prefix('#')).unwrap_or(comment),
    };
    let inner = inner.trim();
    (!inner.is_empty()).then(|| inner.to_owned())
}

/// A bracket or construct that is open around a token.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Brackets,
    /// The arguments of a call.
    Call,
    /// An object; whether its next token belongs to a key, and the number of conditions in it that
    /// have no `:` yet.
    Object {
        in_key: bool,
        conditions: u32,
    },
    /// A `for` expression, by what comes next.
    For(ForPart),
    Quote,
    Sequence,
    /// A directive; whether the next token is its first.
    Directive(bool),
}

#[derive(Clone, Copy, PartialEq)]
enum ForPart {
    Names,
    Collection,
    Result,
}

struct Writer<'w, 't> {
    tokens: &'w Tokens<'t>,
    out: &'w mut String,
    open: Vec<Open>,
    /// Whether an operand has just ended, so that an operator is a binary one.
    operand: bool,
    /// Whether an item has ended, so that another one needs a comma before it.
    comma: bool,
}

impl Writer<'_, '_> {
    /// Writes a token. Returns the place of the next one.
    fn token(&mut self, place: usize, end: usize) -> usize {
        let kind = self.tokens.kind(place);
        let text = self.tokens.text(place);
        match kind {
            Kind::Newline => {
                if let Some(Open::Object { in_key: in_key @ false, .. }) = self.open.last_mut()
                    && self.operand
                {
                    *in_key = true;
                    self.comma = true;
                }
                return place + 1;
            }
            Kind::Comma => {
                if let Some(Open::Object { in_key, .. }) = self.open.last_mut() {
                    *in_key = true;
                }
                self.comma = true;
                return place + 1;
            }
            Kind::ParenthesisClose | Kind::BracketClose | Kind::BraceClose => {
                self.comma = false;
                self.open.pop();
                self.out.push_str(text);
                self.operand = true;
                self.add_closing(place);
                return place + 1;
            }
            _ => {}
        }
        if std::mem::take(&mut self.comma) {
            self.out.push_str(", ");
            self.operand = false;
        }
        self.add_opening(place);
        let next = self.write(kind, place, end);
        self.add_closing(next - 1);
        next
    }

    fn write(&mut self, kind: Kind, place: usize, end: usize) -> usize {
        let text = self.tokens.text(place);
        match kind {
            Kind::Identifier => self.identifier(place),
            Kind::Number if self.tokens.form != Form::Written => {
                let is_kept = text.contains(['e', 'E']) || !text.contains('.');
                match text.parse::<f64>() {
                    Ok(number) if !is_kept => self.out.push_str(&python_float(number)),
                    _ => self.out.push_str(text),
                }
                self.operand = true;
            }
            Kind::Number | Kind::Quoted | Kind::Text => {
                self.out.push_str(text);
                self.operand = true;
            }
            Kind::Dot | Kind::DoubleColon => {
                self.out.push_str(text);
                // A splat.
                if kind == Kind::Dot && self.tokens.text(place + 1) == "*" {
                    self.out.push('*');
                    self.operand = true;
                    return place + 2;
                }
                self.operand = false;
            }
            Kind::Ellipsis => {
                let is_call = self.open.last() == Some(&Open::Call);
                self.out.push_str(if is_call { " ..." } else { "..." });
                self.operand = true;
            }
            Kind::Equals => {
                self.end_of_key();
                self.out.push_str(" = ");
                self.operand = false;
            }
            Kind::Minus if !self.operand => self.out.push_str(text),
            Kind::Bang => self.out.push_str(text),
            Kind::Minus | Kind::Operator | Kind::Other => return self.operator(place),
            Kind::ParenthesisOpen => {
                let open = if self.operand { Open::Call } else { Open::Brackets };
                self.opens(open, text);
            }
            Kind::BracketOpen => {
                let is_for = !self.operand && self.tokens.opens_for(place);
                self.opens(if is_for { Open::For(ForPart::Names) } else { Open::Brackets }, text);
            }
            Kind::BraceOpen => {
                let open = match self.tokens.opens_for(place) {
                    true => Open::For(ForPart::Names),
                    false => Open::Object { in_key: true, conditions: 0 },
                };
                self.opens(open, text);
            }
            Kind::QuoteOpen => self.opens(Open::Quote, text),
            Kind::Interpolation => self.opens(Open::Sequence, text),
            Kind::Directive => {
                self.opens(Open::Directive(true), text);
                self.out.push(' ');
            }
            Kind::QuoteClose => {
                self.open.pop();
                self.out.push_str(text);
                self.operand = true;
            }
            Kind::SequenceEnd => {
                if let Some(Open::Directive(_)) = self.open.pop() {
                    self.out.push(' ');
                }
                self.out.push_str(text);
                self.operand = true;
            }
            Kind::HeredocOpen => {
                // Only a line feed ends a heredoc, so it stays as it is written.
                let after = self.tokens.after(place);
                let written = self.tokens.source(&(place..after));
                self.operand = true;
                match self.tokens.form {
                    Form::Written => {}
                    Form::Quoted => {
                        self.out.extend(["\"", written.trim_end(), "\""]);
                        return after;
                    }
                    Form::Converted(strip) => {
                        self.out.push_str(&heredoc_text(written, strip));
                        return after;
                    }
                }
                self.out.push_str(written);
                if after < end {
                    self.out.push('\n');
                }
                self.operand = true;
                return after;
            }
            _ => self.out.push_str(text),
        }
        place + 1
    }

    fn opens(&mut self, open: Open, text: &str) {
        self.open.push(open);
        self.out.push_str(text);
        self.operand = false;
    }

    /// A name, or a keyword of a `for` expression or a directive.
    fn identifier(&mut self, place: usize) {
        let text = self.tokens.text(place);
        let follows_dot = place > 0 && self.tokens.kind(place - 1) == Kind::Dot;
        let keyword = match (self.open.last_mut(), text) {
            _ if follows_dot => None,
            (Some(Open::For(ForPart::Names)), "for") => Some("for "),
            (Some(Open::For(part @ ForPart::Names)), "in") if self.operand => {
                *part = ForPart::Collection;
                Some(" in ")
            }
            (Some(Open::For(ForPart::Result)), "if") if self.operand => Some(" if "),
            (Some(Open::Directive(first @ true)), _) => {
                *first = false;
                match text {
                    "if" => Some("if "),
                    "for" => Some("for "),
                    _ => None,
                }
            }
            (Some(Open::Directive(false)), "in") if self.operand => Some(" in "),
            _ => None,
        };
        self.out.push_str(keyword.unwrap_or(text));
        self.operand = keyword.is_none();
    }

    fn operator(&mut self, place: usize) -> usize {
        let text = self.tokens.text(place);
        // `[*]`
        let is_splat = text == "*" && !self.operand;
        if is_splat {
            self.out.push('*');
            return place + 1;
        }
        let mut shown = text;
        match (self.open.last_mut(), text) {
            (Some(Open::Object { in_key: true, conditions: 0 }), ":") => {
                self.end_of_key();
                shown = "=";
            }
            (Some(Open::Object { in_key: true, conditions }), "?") => *conditions += 1,
            (Some(Open::Object { in_key: true, conditions }), ":") => *conditions -= 1,
            (Some(Open::For(part @ ForPart::Collection)), ":") => *part = ForPart::Result,
            _ => {}
        }
        self.out.extend([" ", shown, " "]);
        self.operand = false;
        place + 1
    }

    fn end_of_key(&mut self) {
        if let Some(Open::Object { in_key, conditions }) = self.open.last_mut() {
            *in_key = false;
            *conditions = 0;
        }
    }

    fn add_opening(&mut self, place: usize) {
        if !self.tokens.added.0.is_empty() {
            let at = self.tokens.tokens.get(place).map_or(0, Token::start);
            self.out.extend(std::iter::repeat_n('(', count(&self.tokens.added.0, at)));
        }
    }

    fn add_closing(&mut self, place: usize) {
        if !self.tokens.added.1.is_empty() {
            let at = self.tokens.tokens.get(place).map_or(0, Token::end);
            self.out.extend(std::iter::repeat_n(')', count(&self.tokens.added.1, at)));
        }
    }
}

/// A heredoc as python-hcl2 8 writes it: without its last line feed. In `<<-`, quotes are escaped.
pub(crate) fn heredoc_text(written: &str, strip: bool) -> String {
    let (first, rest) = written.split_once('\n').unwrap_or((written, ""));
    let name = first.trim_start_matches("<<").trim_start_matches('-').trim();
    let body = rest.rfind(name).map_or(rest, |end| &rest[..end]).trim_end_matches([' ', '\t']);
    let body = body.strip_suffix('\n').unwrap_or(body);
    let body = body.strip_suffix('\r').unwrap_or(body);
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    if !first.starts_with("<<-") {
        return match strip {
            true => body.to_owned(),
            false => format!("\"{}\"", escaped(body).replace('\n', "\\n")),
        };
    }
    let lines = || body.split('\n');
    let indents = lines().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = indents.map(indent).min().unwrap_or(0);
    let lines: Vec<String> = lines().map(|line| escaped(line.get(least..).unwrap_or(""))).collect();
    match strip {
        true => lines.join("\n"),
        false => format!("\"{}\"", lines.join("\\n")),
    }
}

/// A number as Python's `repr` writes it.
fn python_float(number: f64) -> String {
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{number}");
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

/// How often a number is in a sorted list.
fn count(sorted: &[usize], wanted: usize) -> usize {
    let from = sorted.partition_point(|at| *at < wanted);
    sorted[from..].iter().take_while(|at| **at == wanted).count()
}

/// The bytes of a source without errors as text.
pub(crate) fn bytes_of(source: Source<'_>, start: u32, end: u32) -> &str {
    let bytes = source.bytes().get(start as usize..end as usize).unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default()
}
