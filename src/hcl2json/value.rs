//! Expressions as values of JSON.

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::native::{Kind, Native};
use crate::value::normalized;
use crate::write::push_string;

use super::number::{decimal, json_number};
use super::{MAX_REPEATED, Version};

/// Writes expressions as JSON.
pub(super) struct Values<'w, 'a> {
    pub(super) arena: &'a Arena,
    pub(super) version: Version,
    pub(super) out: String,
    pub(super) sink: &'w mut dyn Sink<'a>,
    /// Whether a part could not be written, which has been reported.
    pub(super) has_failed: bool,
    /// The digits of numbers in texts.
    digits: usize,
}

/// A part of a value that is still to be written.
enum Work<'a> {
    Punctuation(&'static str),
    /// The name of a member, and the separator before it.
    Key(&'static str, String),
    Value(Native<'a>),
}

/// A part of a text that is still to be written.
enum Part<'a> {
    Node(Native<'a>),
    Directive(&'static str),
    /// `%{else}`, unless the part is empty.
    Else(Native<'a>),
    /// The end of the part after `%{else}`, which starts here.
    EndElse(usize),
}

const ELSE: &str = "%{else}";

impl<'w, 'a> Values<'w, 'a> {
    pub(super) fn new(arena: &'a Arena, version: Version, sink: &'w mut dyn Sink<'a>) -> Self {
        Self { arena, version, out: String::new(), sink, has_failed: false, digits: 0 }
    }

    /// Writes the value of an expression.
    pub(super) fn write(&mut self, expression: Native<'a>) {
        let mut work = vec![Work::Value(expression)];
        while let Some(next) = work.pop() {
            match next {
                Work::Punctuation(text) => self.out.push_str(text),
                Work::Key(separator, name) => {
                    self.out.push_str(separator);
                    push_string(&mut self.out, &name);
                    self.out.push(':');
                }
                Work::Value(value) => self.value(value, &mut work),
            }
        }
    }

    fn value(&mut self, value: Native<'a>, work: &mut Vec<Work<'a>>) {
        let value = unwrapped(value);
        match value.kind() {
            Kind::Null => self.out.push_str("null"),
            Kind::True => self.out.push_str("true"),
            Kind::False => self.out.push_str("false"),
            Kind::Number => {
                self.out.push_str(self.number(value));
            }
            Kind::Negate | Kind::Not => self.unary(value),
            Kind::Template => self.text(value),
            Kind::Tuple => {
                work.push(Work::Punctuation("]"));
                let elements = value.operands();
                for (at, element) in elements.into_iter().enumerate().rev() {
                    work.push(Work::Value(element));
                    if at > 0 {
                        work.push(Work::Punctuation(","));
                    }
                }
                self.out.push('[');
            }
            Kind::Object => {
                work.push(Work::Punctuation("}"));
                let operands = value.operands();
                let (items, _) = operands.as_chunks();
                let mut members: Vec<(String, Native<'a>)> =
                    items.iter().map(|&[key, value]| (self.key(key), value)).collect();
                // The last one of equal keys counts.
                members.reverse();
                members.sort_by(|(one, _), (two, _)| one.cmp(two));
                members.dedup_by(|(later, _), (kept, _)| later == kept);
                for (at, (name, value)) in members.into_iter().enumerate().rev() {
                    work.push(Work::Value(value));
                    work.push(Work::Key(if at > 0 { "," } else { "" }, name));
                }
                self.out.push('{');
            }
            _ => self.wrapped(value),
        }
    }

    fn number(&self, literal: Native<'a>) -> &'a str {
        // A number out of bounds has been reported when it was parsed.
        literal.digits().and_then(|digits| json_number(self.arena, digits)).unwrap_or("0")
    }

    /// Writes a template as a text.
    fn text(&mut self, template: Native<'a>) {
        let mut text = String::new();
        self.push_text(template, &mut text);
        push_string(&mut self.out, &text);
    }

    /// Writes the source of an expression as a template.
    fn wrapped(&mut self, expression: Native<'a>) {
        push_string(&mut self.out, &["${", expression.text(), "}"].concat());
    }

    /// Writes `-` or `!` before a literal as the result, and before anything else as it is written.
    fn unary(&mut self, operation: Native<'a>) {
        let operands = operation.operands();
        let Some(operand) = operands.first().copied() else { return };
        let is_number = operation.kind() == Kind::Negate;
        match operand.kind() {
            Kind::Number if is_number => {
                self.out.push('-');
                self.out.push_str(self.number(operand));
            }
            Kind::True if !is_number => self.out.push_str("false"),
            Kind::False if !is_number => self.out.push_str("true"),
            Kind::Null => self.fail(
                Diagnostic::new(Code::OperationFailed, operation.label())
                    .with_arguments(&["the operand is null"]),
            ),
            Kind::Number | Kind::True | Kind::False => {
                let reason = if is_number { "a number is required" } else { "a bool is required" };
                self.fail(
                    Diagnostic::new(Code::InvalidOperand, operand.label())
                        .with_arguments(&["operand", reason]),
                );
            }
            _ => self.wrapped(operation),
        }
    }

    /// Returns the name of an object's item.
    fn key(&mut self, key: Native<'a>) -> String {
        match key.kind() {
            // A name, not a text in quotes.
            Kind::Text | Kind::AmbiguousKey | Kind::Traversal => key.text().to_owned(),
            _ => {
                let mut text = String::new();
                self.push_text(key, &mut text);
                text
            }
        }
    }

    /// Appends a part of a template, or a template, as text.
    fn push_text(&mut self, part: Native<'a>, out: &mut String) {
        let mut work = vec![Part::Node(part)];
        while let Some(next) = work.pop() {
            let part = match next {
                Part::Directive(text) => {
                    out.push_str(text);
                    continue;
                }
                Part::Else(part) => {
                    out.push_str(ELSE);
                    work.push(Part::EndElse(out.len()));
                    work.push(Part::Node(part));
                    continue;
                }
                Part::EndElse(start) => {
                    if out.len() == start {
                        out.truncate(start - ELSE.len());
                    }
                    continue;
                }
                Part::Node(part) => unwrapped(part),
            };
            match part.kind() {
                Kind::Text => {
                    let text = normalized(self.arena, part.as_text().unwrap_or_default());
                    match self.version {
                        Version::V0_3 => out.push_str(text),
                        Version::V0_6 => push_escaped(out, text),
                    }
                }
                Kind::Number => self.push_number(part, out),
                Kind::Null if self.version == Version::V0_3 => self.null_in_template(part),
                Kind::Null | Kind::True | Kind::False => out.push_str(part.text()),
                Kind::Template => {
                    work.extend(part.operands().into_iter().rev().map(Part::Node));
                }
                Kind::Conditional | Kind::If => {
                    let [condition, when_true, when_false] = part.operands()[..] else { continue };
                    // hcl2json drops the error that a template is null.
                    if is_null(when_true) {
                        continue;
                    }
                    out.push_str("%{if ");
                    out.push_str(condition.text());
                    out.push('}');
                    work.push(Part::Directive("%{endif}"));
                    if !is_null(when_false) {
                        work.push(Part::Else(when_false));
                    }
                    work.push(Part::Node(when_true));
                }
                Kind::Join => {
                    let Some(head) = part.joined() else { continue };
                    if is_null(head.value) {
                        self.null_in_template(head.value);
                    }
                    out.push_str("%{for ");
                    if let Some(key) = head.key_name {
                        out.push_str(key);
                        out.push_str(", ");
                    }
                    out.push_str(head.value_name);
                    out.push_str(" in ");
                    out.push_str(head.collection.text());
                    out.push('}');
                    work.push(Part::Directive("%{endfor}"));
                    work.push(Part::Node(head.value));
                }
                _ => {
                    out.push_str("${");
                    out.push_str(part.text());
                    out.push('}');
                }
            }
        }
    }

    #[cold]
    fn null_in_template(&mut self, part: Native<'a>) {
        self.fail(
            Diagnostic::new(Code::OperationFailed, part.label())
                .with_arguments(&["a template cannot contain null"]),
        );
    }

    fn push_number(&mut self, number: Native<'a>, out: &mut String) {
        // The limit has been reported; each further number may have a million digits.
        if self.digits > MAX_REPEATED {
            return;
        }
        let digits = decimal(self.arena, number.digits().unwrap_or("0")).unwrap_or_default();
        self.digits += digits.len();
        if digits.is_empty() || self.digits > MAX_REPEATED {
            let limit = self.arena.format(format_args!("{MAX_REPEATED}"));
            self.fail(Diagnostic::new(Code::JsonTooLarge, number.label()).with_arguments(&[limit]));
            return;
        }
        out.push_str(digits);
    }

    #[cold]
    pub(super) fn fail(&mut self, diagnostic: Diagnostic<'a>) {
        self.has_failed = true;
        self.sink.report(diagnostic);
    }
}

/// Returns the expression in a template that is one interpolation.
fn unwrapped(mut expression: Native<'_>) -> Native<'_> {
    while expression.kind() == Kind::Wrap {
        match expression.operands().first() {
            Some(inner) => expression = *inner,
            None => break,
        }
    }
    expression
}

/// Whether a template has `null` as its only part.
fn is_null(template: Native<'_>) -> bool {
    let is_null = |parts: &[Native<'_>]| matches!(parts, [part] if part.kind() == Kind::Null);
    template.kind() == Kind::Template && is_null(&template.operands())
}

/// Appends literal text so that it has no sequences.
fn push_escaped(out: &mut String, text: &str) {
    let mut done = 0;
    for at in memchr::memchr2_iter(b'$', b'%', text.as_bytes()) {
        if text.as_bytes().get(at + 1) == Some(&b'{') {
            out.push_str(&text[done..at]);
            out.push_str(&text[at..=at]);
            done = at;
        }
    }
    out.push_str(&text[done..]);
}
