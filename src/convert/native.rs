//! Converts JSON to native syntax.

use std::borrow::Cow;

use super::text::{is_string, only_heredoc, push_template, stands_alone};
use super::walk::{JsonArgument, JsonKey, JsonVisitor, visit_json};
use super::{Blocks, Converted};
use crate::arena::Arena;
use crate::diagnostic::Sink;
use crate::dialect::{Dialect, List, Reading};
use crate::document::Document;
use crate::expression::Expression;
use crate::format::{Style, TooLarge, layout};
use crate::json::{JsonString, JsonValue, Node};
use crate::native::{MAX_DEPTH, Text, parse_expression};
use crate::source::Source;
use crate::structure::File;
use crate::value::{is_heredoc, quote};

/// Converts a JSON document to native syntax, in canonical layout. `kind` is the kind of the file,
/// if the tools read it; `blocks` finds the schemas of providers.
///
/// Reports parts that native syntax cannot express, and leaves them out: names that are not
/// identifiers, values of other types where blocks are required, templates with syntax errors.
///
/// Cost: linear in the document.
pub fn to_native<'a, 's>(
    document: Document<'a>,
    kind: Option<(Dialect, List)>,
    blocks: Blocks<'_, 's>,
    sink: &mut dyn Sink<'a>,
) -> Converted {
    let mut writer = Writer { out: String::new(), depth: 0 };
    let unknown_blocks = visit_json(document, kind, blocks, &mut writer, sink);
    let out = writer.out;
    let style = match kind {
        Some((Dialect::Packer, _)) => Style::Packer,
        _ => Style::Tofu,
    };
    // The output is valid, so the formatter accepts it. If it did not, the output would stay
    // unformatted, as it does if its layout is too large.
    let text = match laid_out(&out, style) {
        Ok(text) => text.unwrap_or(out),
        Err(too_large) => {
            sink.report(too_large.at(document.root().start_label()));
            out
        }
    };
    Converted { text, unknown_blocks }
}

/// Formats a native text, and removes the blank lines at its end.
fn laid_out(text: &str, style: Style) -> Result<Option<String>, TooLarge> {
    let arena = Arena::new();
    let Ok(source) = Source::from_bytes(&arena, "native", text.trim_end().as_bytes()) else {
        return Ok(None);
    };
    let mut text = layout(File::parse(&arena, source, &mut ()), style, &mut ())?;
    if let Some(text) = text.as_mut().filter(|text| !text.is_empty()) {
        text.push('\n');
    }
    Ok(text)
}

/// Writes items.
struct Writer {
    out: String,
    /// The number of blocks that are open.
    depth: usize,
}

impl<'a> JsonVisitor<'a> for Writer {
    /// Writes comment lines. A value that is not a string is written as JSON.
    fn comment(&mut self, value: Node<'a>) {
        let text = match value.to_str() {
            Some(text) => Cow::Borrowed(text),
            None => String::from_utf8_lossy(value.text()),
        };
        for line in text.lines() {
            self.out.push_str(if line.is_empty() { "#" } else { "# " });
            self.out.push_str(&line.trim_end_matches('\r').replace('\r', " "));
            self.out.push('\n');
        }
        if self.depth == 0 {
            // It belongs to the file, not to what follows.
            self.out.push('\n');
        }
    }

    fn attribute(&mut self, name: &'a str, value: JsonArgument<'a>, sink: &mut dyn Sink<'a>) {
        self.out.push_str(name);
        self.out.push_str(" = ");
        Values { out: &mut self.out, work: Vec::new(), sink }.argument(value);
        self.out.push('\n');
    }

    fn open_block(&mut self, block_type: &'a str, labels: &[&'a str]) {
        self.depth += 1;
        self.out.push_str(block_type);
        for label in labels {
            self.out.push(' ');
            let _ = quote(label, &mut self.out);
        }
        self.out.push_str(" {\n");
    }

    fn close_block(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.out.push_str(if self.depth == 0 { "}\n\n" } else { "}\n" });
    }
}

impl<'a> JsonArgument<'a> {
    /// The expression in native syntax. A template with a syntax error is reported, and is `null`.
    /// Cost: linear in the value.
    pub fn to_native(self, sink: &mut dyn Sink<'a>) -> String {
        let mut out = String::new();
        Values { out: &mut out, work: Vec::new(), sink }.argument(self);
        out
    }
}

impl JsonKey<'_> {
    /// The key in native syntax, without quotes if it then reads as itself. Cost: linear in the key.
    #[must_use]
    pub fn to_native(self) -> String {
        let mut out = String::new();
        match self {
            Self::Name(name) => out.push_str(name),
            Self::Text(text) => {
                let _ = quote(text, &mut out);
            }
            Self::Expression(argument) => {
                let Some(name) = argument.node.as_string() else { return out };
                let text = name.to_str();
                if argument.reading == Reading::Bare && is_expression(name) {
                    out.push_str(text.trim());
                } else if name.may_be_template() {
                    push_template(&mut out, text);
                    // Without parentheses, a name would be the key itself.
                    if !is_string(&out) {
                        out = format!("({out})");
                    }
                } else {
                    let _ = quote(text, &mut out);
                }
            }
        }
        out
    }
}

/// A part of a value that is still to be written.
enum Work<'a> {
    Text(Cow<'a, str>),
    Value(JsonArgument<'a>),
}

/// Writes values.
struct Values<'w, 'a> {
    out: &'w mut String,
    /// A stack.
    work: Vec<Work<'a>>,
    sink: &'w mut dyn Sink<'a>,
}

impl<'a> Values<'_, 'a> {
    fn argument(&mut self, value: JsonArgument<'a>) {
        self.work.push(Work::Value(value));
        while let Some(next) = self.work.pop() {
            match next {
                Work::Text(text) => self.out.push_str(&text),
                Work::Value(value) => self.value(value),
            }
        }
    }

    /// Reverses the parts that were pushed since `from`, so that they are written in order.
    fn in_order(&mut self, from: usize) {
        self.work[from..].reverse();
    }

    fn text(&mut self, text: impl Into<Cow<'a, str>>) {
        self.work.push(Work::Text(text.into()));
    }

    fn value(&mut self, argument: JsonArgument<'a>) {
        let reading = argument.reading;
        match argument.node.value() {
            JsonValue::Null => self.out.push_str("null"),
            JsonValue::Bool(truth) => self.out.push_str(if truth { "true" } else { "false" }),
            JsonValue::Number(number) => self.out.push_str(number.text()),
            JsonValue::String(string) => self.string(string, argument),
            JsonValue::Array(array) if array.is_empty() => self.out.push_str("[]"),
            JsonValue::Array(array) => {
                let from = self.work.len();
                let is_short = array
                    .elements()
                    .all(|it| !it.is_array() && !it.is_object() && !ends_with_heredoc(it, reading));
                let separator = if is_short { "" } else { "\n" };
                self.text("[");
                self.text(separator);
                for (place, element) in array.elements().enumerate() {
                    if place > 0 && is_short {
                        self.text(", ");
                    }
                    self.work.push(Work::Value(argument.element(element)));
                    if !is_short {
                        let line_feed = ends_with_heredoc(element, reading);
                        self.text(if line_feed { "\n,\n" } else { ",\n" });
                    }
                }
                self.text("]");
                self.in_order(from);
            }
            JsonValue::Object(object) if object.is_empty() => self.out.push_str("{}"),
            JsonValue::Object(object) => {
                let from = self.work.len();
                self.text("{\n");
                for member in object.members() {
                    let (key, inner) = argument.member(member);
                    self.text(key.to_native());
                    self.text(" = ");
                    self.work.push(Work::Value(inner));
                    self.text("\n");
                }
                self.text("}");
                self.in_order(from);
            }
        }
    }

    fn string(&mut self, string: JsonString<'a>, argument: JsonArgument<'a>) {
        let text = string.to_str();
        // Its last name stands alone on a line.
        let may_be_heredoc = argument.is_whole;
        match argument.reading {
            Reading::Bare if is_expression(string) => self.out.push_str(text.trim()),
            // Arguments that must be references may also be templates.
            Reading::Template | Reading::Bare if string.may_be_template() => {
                match Expression::from_json(string.node()).template() {
                    Some(Err(error)) => {
                        self.sink.report(error.clone());
                        self.out.push_str("null");
                    }
                    _ if may_be_heredoc && is_heredoc(text) => self.heredoc(text),
                    _ => match only_heredoc(text) {
                        Some(heredoc) => self.out.push_str(heredoc),
                        None => push_template(self.out, text),
                    },
                }
            }
            _ if may_be_heredoc && is_heredoc(text) && !string.may_be_template() => {
                self.heredoc(text);
            }
            _ => {
                let _ = quote(text, self.out);
            }
        }
    }

    fn heredoc(&mut self, text: &str) {
        self.out.push_str("<<EOT\n");
        self.out.push_str(text);
        self.out.push_str("EOT");
    }
}

/// Whether a value is written as a heredoc that its template has.
fn ends_with_heredoc(node: Node<'_>, reading: Reading) -> bool {
    let text = node.as_string().filter(|string| string.may_be_template());
    matches!(reading, Reading::Template | Reading::Bare)
        && text.is_some_and(|text| only_heredoc(text.to_str()).is_some())
}

/// Whether a string holds an expression in native syntax that can stand on a line.
fn is_expression(string: JsonString<'_>) -> bool {
    let node = string.node();
    let text = Text::of_string(node.source(), string);
    let has_lines = text.decoded().contains(['\n', '#']) || text.decoded().contains("//");
    parse_expression(node.source().arena(), &text, MAX_DEPTH, &mut ()).is_some()
        && (!has_lines || stands_alone(text.decoded().trim()))
}
