//! `yamlencode`: the layout that go-cty-yaml writes.
//!
//! Collections are blocks, strings are in double quotes, and texts of several lines are literal. A
//! quoted string is folded at the first space after column 80.

use std::fmt::Write as _;

use crate::functions::call::{Call, Outcome, wrong};
use crate::value::{Content, Quotation, Value};

/// The column after which a quoted string is folded.
const WIDTH: usize = 80;

/// The longest key, in bytes, that is written before a colon.
const LONGEST_KEY: usize = 128;

/// Returns a value as YAML.
pub(super) fn encode<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let root = call.value(0)?;
    let mut writer = Writer {
        out: String::new(),
        column: 0,
        indent: -2,
        is_after_space: true,
        is_indentation: true,
        is_open: false,
    };
    // A root that is not a collection is indented less.
    let mut open: Vec<Open<'a>> = Vec::new();
    let mut next = Some((root, Context::Root));
    loop {
        if let Some((value, context)) = next.take() {
            match value.content() {
                Content::Elements([]) => writer.word("[]"),
                Content::Entries([]) => writer.word("{}"),
                Content::Elements(elements) => {
                    let is_same = context == Context::Mapping && !writer.is_indentation;
                    open.push(Open { rest: Rest::Elements(elements), indent: writer.indent });
                    writer.indent += if is_same { 0 } else { 2 };
                }
                Content::Entries(entries) => {
                    open.push(Open { rest: Rest::Entries(entries), indent: writer.indent });
                    writer.indent += 2;
                }
                _ => scalar(call, &mut writer, value, context)?,
            }
            call.room(writer.out.len())?;
        }
        let Some(innermost) = open.last_mut() else { break };
        match &mut innermost.rest {
            Rest::Elements([first, rest @ ..]) => {
                let first = *first;
                innermost.rest = Rest::Elements(rest);
                writer.new_line();
                writer.indicator("-", true, true);
                next = Some((first, Context::Sequence));
            }
            Rest::Entries([(name, value), rest @ ..]) => {
                let (name, value) = (*name, *value);
                innermost.rest = Rest::Entries(rest);
                writer.new_line();
                if name.len() <= LONGEST_KEY && !name.contains(is_break) {
                    writer.quoted(name, false);
                    writer.indicator(":", false, false);
                } else {
                    writer.indicator("?", true, true);
                    writer.string(name);
                    writer.new_line();
                    writer.indicator(":", true, true);
                }
                next = Some((value, Context::Mapping));
            }
            Rest::Elements([]) | Rest::Entries([]) => {
                writer.indent = innermost.indent;
                open.pop();
            }
        }
    }
    writer.new_line();
    if writer.is_open {
        writer.indicator("...", true, false);
        writer.new_line();
    }
    call.string(&writer.out)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Root,
    Sequence,
    Mapping,
}

/// A collection that is being written.
struct Open<'a> {
    rest: Rest<'a>,
    /// The indentation around it.
    indent: isize,
}

enum Rest<'a> {
    Elements(&'a [Value<'a>]),
    Entries(&'a [(&'a str, Value<'a>)]),
}

fn scalar<'a>(
    call: Call<'_, 'a>,
    writer: &mut Writer,
    value: Value<'a>,
    context: Context,
) -> Outcome<'a, ()> {
    match value.content() {
        Content::String(text) => {
            writer.string(text);
            return Ok(());
        }
        Content::Bool(value) => writer.word(if value { "true" } else { "false" }),
        Content::Number(number) => match call.digits(number) {
            Ok(digits) if digits.ends_with("Inf") => {
                writer.word(if number.is_negative() { "-Inf" } else { "+Inf" });
            }
            Ok(digits) => writer.word(digits),
            Err(error) => return Err(call.wrong(0, "{}", &[Quotation::Plain(&error)])),
        },
        Content::Null => writer.word("null"),
        _ => return Err(wrong(0, "a part is not known yet")),
    }
    // A plain scalar may go on in the next line.
    writer.is_open = context == Context::Root;
    Ok(())
}

struct Writer {
    out: String,
    column: usize,
    indent: isize,
    /// Whether no space is needed before the next word.
    is_after_space: bool,
    /// Whether the line has only indentation and indicators so far.
    is_indentation: bool,
    /// Whether the document needs a mark at its end.
    is_open: bool,
}

impl Writer {
    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// Starts a line at an indentation, unless the current one has nothing else.
    fn line_at(&mut self, indent: isize) {
        let indent = usize::try_from(indent).unwrap_or(0);
        if !self.is_indentation
            || self.column > indent
            || (self.column == indent && !self.is_after_space)
        {
            self.line_break();
        }
        while self.column < indent {
            self.put(' ');
        }
        self.is_after_space = true;
        self.is_indentation = true;
    }

    fn new_line(&mut self) {
        self.line_at(self.indent);
    }

    fn indicator(&mut self, text: &str, needs_space: bool, is_indentation: bool) {
        if needs_space && !self.is_after_space {
            self.put(' ');
        }
        self.out.push_str(text);
        self.column += text.len();
        self.is_after_space = false;
        self.is_indentation &= is_indentation;
        self.is_open = false;
    }

    /// Writes a plain scalar or an empty collection.
    fn word(&mut self, text: &str) {
        self.indicator(text, true, false);
    }

    /// Writes a string that is not a key before a colon.
    fn string(&mut self, text: &str) {
        if text.contains('\n') && is_block(text) {
            self.literal(text);
        } else {
            self.quoted(text, true);
        }
    }

    fn quoted(&mut self, text: &str, may_fold: bool) {
        self.indicator("\"", true, false);
        let inner = self.indent.max(0) + 2;
        // The library finds this mark at every place of a string that starts with it.
        let is_escaped = text.starts_with('\u{feff}');
        let mut was_space = false;
        let mut chars = text.chars().peekable();
        let mut is_first = true;
        while let Some(c) = chars.next() {
            let is_space = c == ' ' && !is_escaped;
            if is_escaped || !is_printable(c) || is_break(c) || matches!(c, '"' | '\\') {
                self.escape(c);
            } else if is_space
                && may_fold
                && !was_space
                && self.column > WIDTH
                && !is_first
                && chars.peek().is_some()
            {
                self.line_at(inner);
                if chars.peek() == Some(&' ') {
                    self.put('\\');
                }
            } else {
                self.put(c);
                self.is_indentation = false;
                self.is_after_space = false;
            }
            was_space = is_space;
            is_first = false;
        }
        self.indicator("\"", false, false);
    }

    fn escape(&mut self, c: char) {
        let before = self.out.len();
        let short = match c {
            '\0' => '0',
            '\x07' => 'a',
            '\x08' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\x0b' => 'v',
            '\x0c' => 'f',
            '\r' => 'r',
            '\x1b' => 'e',
            '"' | '\\' => c,
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                let code = u32::from(c);
                // Writing to a string cannot fail.
                let _ = match code {
                    0..=0xff => write!(self.out, "\\x{code:02X}"),
                    0x100..=0xffff => write!(self.out, "\\u{code:04X}"),
                    _ => write!(self.out, "\\U{code:08X}"),
                };
                self.column += self.out.len() - before;
                return;
            }
        };
        self.put('\\');
        self.put(short);
    }

    fn literal(&mut self, text: &str) {
        self.indicator("|", true, false);
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.indicator("2", false, false);
        }
        let mut last = text.chars().rev();
        match (last.next().is_some_and(is_break), last.next().is_none_or(is_break)) {
            (false, _) => self.indicator("-", false, false),
            (true, true) => self.indicator("+", false, false),
            (true, false) => {}
        }
        let inner = self.indent.max(0) + 2;
        self.line_break();
        self.is_indentation = true;
        self.is_after_space = true;
        let mut is_line_start = true;
        for c in text.chars() {
            if is_break(c) {
                self.out.push(c);
                self.column = 0;
                self.is_indentation = true;
                is_line_start = true;
            } else {
                if is_line_start {
                    self.line_at(inner);
                }
                self.put(c);
                self.is_indentation = false;
                is_line_start = false;
            }
        }
    }
}

fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is written as it is.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Whether a text can be a literal block.
fn is_block(text: &str) -> bool {
    let mut was_space = false;
    for c in text.chars() {
        if !is_printable(c) || was_space && is_break(c) {
            return false;
        }
        was_space = c == ' ';
    }
    !was_space
}
