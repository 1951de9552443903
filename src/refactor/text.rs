//! Expressions as texts, which move from one place to another, and from one syntax to the other.

use std::collections::BTreeSet;

use crate::arena::Arena;
use crate::convert::to_native;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, List};
use crate::document::Document;
use crate::expression::Expression;
use crate::format::tokens;
use crate::native::{Construct, Native};
use crate::parsed::ParsedFile;
use crate::program::node::Kind;
use crate::source::Source;
use crate::span::Span;
use crate::structure::Item;
use crate::write::push_string;

/// The spaces at the start of the line of an offset.
pub(super) fn indentation_at(source: Source<'_>, offset: u32) -> &str {
    let line = str::from_utf8(source.line_span(offset).slice(source.bytes())).unwrap_or_default();
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A value in native syntax. `None` if its text cannot stand elsewhere: a heredoc, or JSON that native
/// syntax cannot express.
pub(super) fn native_text(value: Expression<'_>, dialect: Dialect) -> Option<String> {
    let text = match value.as_json() {
        None => str::from_utf8(value.text()).ok()?.to_owned(),
        Some(node) => {
            let raw = str::from_utf8(node.text()).ok()?;
            let arena = Arena::new();
            let json = format!("{{\"locals\":{{\"value\":{raw}}}}}");
            let document = Document::parse_bytes(&arena, "value.json", json.as_bytes()).ok()?;
            let kind = Some((dialect, List::Primary));
            let native = to_native(document, kind, &|_, _| None, &mut ()).text;
            let source = Source::copy_from(&arena, "value.tf", native.as_bytes()).ok()?;
            let file = ParsedFile::native(&arena, source).as_native()?;
            let Some(Item::Block(locals)) = file.body().items().next() else { return None };
            let Some(Item::Attribute(value)) = locals.body().items().next() else { return None };
            value.text().to_owned()
        }
    };
    let with_end = format!("{text}\n");
    let has_heredoc = tokens(&with_end).iter().any(|it| it.text().starts_with("<<"));
    (!has_heredoc).then_some(text)
}

/// A text as a part of a string of JSON.
pub(super) fn in_json(text: &str) -> String {
    let mut out = String::new();
    push_string(&mut out, text);
    let inner = out.strip_prefix('"').and_then(|out| out.strip_suffix('"'));
    inner.unwrap_or(&out).to_owned()
}

/// The names that a native expression uses, and whether it can be an operand without parentheses.
pub(super) struct Parts {
    /// The first names of its references.
    pub(super) roots: BTreeSet<String>,
    pub(super) functions: BTreeSet<String>,
    /// Whether it is an operation, which needs parentheses where it is a part of another expression.
    pub(super) is_operation: bool,
    /// Whether attributes and indexes may follow it without parentheses. Behind a splat they would
    /// belong to each element, and behind a number to the number.
    pub(super) takes_steps: bool,
    /// The type of a literal.
    pub(super) literal: Option<&'static str>,
}

impl Parts {
    /// The parts of a text; `None` if it is not an expression.
    pub(super) fn of(text: &str) -> Option<Self> {
        let arena = Arena::new();
        let source = Source::copy_from(&arena, "value", text.as_bytes()).ok()?;
        let mut error: Option<Diagnostic<'_>> = None;
        let native = Native::expression(&arena, source, &mut error);
        if error.is_some() {
            return None;
        }
        let roots = native.variables().map(|it| it.root_name().to_owned()).collect();
        let program = native.program();
        let functions = program.own_calls().map(|call| call.name.to_owned()).collect();
        // Parentheses around all of it are a node of their own.
        let kind = native.kind();
        let is_operation =
            matches!(kind, Kind::Negate | Kind::Not | Kind::Binary(_) | Kind::Conditional);
        let literal = literal_type(native);
        Some(Self { roots, functions, is_operation, takes_steps: kind.takes_steps(), literal })
    }

    /// Whether it needs parentheses as a part of another expression, where steps follow it or not.
    pub(super) fn needs_parentheses(&self, has_steps: bool) -> bool {
        self.is_operation || has_steps && !self.takes_steps
    }
}

/// The type of a number, a bool or a text that is written as such.
pub(super) fn literal_type(native: Native<'_>) -> Option<&'static str> {
    match native.construct() {
        Construct::Number(_) => Some("number"),
        Construct::Unary(_, operand) => match operand.construct() {
            Construct::Number(_) => Some("number"),
            _ => None,
        },
        Construct::Bool(_) => Some("bool"),
        Construct::Template(_) | Construct::Text(_) => Some("string"),
        _ => None,
    }
}

/// The keys of an object or of a set that are written.
#[derive(Default)]
pub(crate) struct Keys {
    /// Those that are written as they are, with the bytes of their text.
    pub(crate) names: Vec<(String, Span)>,
    /// Those that are written with escapes.
    pub(super) others: Vec<String>,
}

impl Keys {
    /// The keys of a value; `None` if it is neither an object nor `toset([…])`.
    pub(super) fn of(value: Expression<'_>) -> Option<Self> {
        let mut keys = Self::default();
        if let Some(object) = value.as_json().and_then(|node| node.as_object()) {
            for member in object.members() {
                let Span { start, end } = member.name_span();
                let key = member.name().to_str().to_owned();
                keys.add(key, Span::new(start + 1, end - 1), value.source().bytes());
            }
            return Some(keys);
        }
        let native = native_of(value)?;
        match native.construct() {
            Construct::Object(_) => keys.add_objects(native),
            Construct::Call(call) if call.name == "toset" => match &*call.arguments {
                [list] => keys.add_elements(*list)?,
                _ => return None,
            },
            _ => return None,
        }
        Some(keys)
    }

    /// Adds the keys of an object, or of the objects that are merged or chosen from.
    pub(crate) fn add_objects(&mut self, value: Native<'_>) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value.construct() {
                Construct::Object(items) => {
                    items.into_iter().for_each(|(key, _)| self.add_native(key));
                }
                Construct::Call(call) if call.name == "merge" => open.extend(call.arguments),
                Construct::Conditional { when_true, when_false, .. } => {
                    open.extend([when_true, when_false]);
                }
                _ => {}
            }
        }
    }

    fn add_elements(&mut self, list: Native<'_>) -> Option<()> {
        let Construct::Tuple(elements) = list.construct() else { return None };
        elements.into_iter().for_each(|element| self.add_native(element));
        Some(())
    }

    /// Adds a key that is a text or a name.
    fn add_native(&mut self, key: Native<'_>) {
        let text = match key.construct() {
            Construct::Text(text) => text,
            Construct::Template(parts) => match &*parts {
                [part] => match part.as_text() {
                    Some(text) => text,
                    None => return,
                },
                _ => return,
            },
            Construct::Traversal(traversal) if traversal.steps().len() == 1 => {
                traversal.root_name()
            }
            _ => return,
        };
        let bytes = key.source().bytes();
        let quote = match key.span().slice(bytes) {
            [b'"', ..] => 1,
            [b'\\', b'"', ..] => 2,
            _ => 0,
        };
        let Span { start, end } = key.span();
        if end >= start + 2 * quote {
            self.add(text.to_owned(), Span::new(start + quote, end - quote), bytes);
        }
    }

    fn add(&mut self, key: String, span: Span, bytes: &[u8]) {
        match span.slice(bytes) == key.as_bytes() {
            true => self.names.push((key, span)),
            false => self.others.push(key),
        }
    }
}

/// The expression that a value is, without parentheses and `${}`.
pub(super) fn native_of(value: Expression<'_>) -> Option<Native<'_>> {
    let native = match value.as_json() {
        None => value.as_native(),
        Some(_) => value.template().and_then(Result::ok).and_then(Native::of),
    };
    native.map(Native::inner)
}

/// The first of some names that a text binds, in a `for` expression or in a `dynamic` block, so that it
/// may mean something else there.
pub(super) fn bound<'t>(text: &'t str, names: &BTreeSet<String>) -> Option<&'t str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut words = text.split(|c| !is_part(c)).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let bound = match word {
            "for" => 2,
            "dynamic" | "iterator" => 1,
            _ => continue,
        };
        let mut next = words.clone().take(bound).take_while(|word| *word != "in");
        if let Some(word) = next.find(|word| names.contains(*word)) {
            return Some(word);
        }
    }
    None
}

/// Whether attributes, indexes or splats may follow a reference that ends at a byte: those that do not belong
/// to its traversal, such as a computed index, too.
pub(super) fn goes_on(text: &[u8], end: u32) -> bool {
    let after = text.get(end as usize..).unwrap_or_default().trim_ascii_start();
    // They may be behind a comment, or behind an escaped line feed in JSON.
    matches!(after, [b'.' | b'[' | b'#' | b'\\', ..] | [b'/', b'/' | b'*', ..])
}

/// Whether an operation may stand at some bytes without parentheses: as the whole of a value, an
/// argument, an element or an interpolation.
pub(super) fn is_alone(text: &[u8], span: Span) -> bool {
    let before = text.get(..span.start as usize).unwrap_or_default().trim_ascii_end();
    let after = text.get(span.end as usize..).unwrap_or_default();
    let ends_line = after.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    let ends_line = matches!(ends_line, Some(b'\n' | b'\r' | b'#'));
    let after = after.trim_ascii_start();
    let starts = match before {
        [.., b'=' | b'!' | b'<' | b'>', b'='] => false,
        // The value of a member.
        [.., b'='] if ends_line => return true,
        [.., b'=' | b'(' | b'[' | b','] | [.., b'$', b'{'] => true,
        _ => false,
    };
    starts && matches!(after.first(), Some(b')' | b']' | b',' | b'}'))
}
