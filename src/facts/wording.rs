//! Expressions as owned text, which is parsed again where it is evaluated.

use crate::arena::Arena;
use crate::expression::Expression;
use crate::json::JsonValue;
use crate::native::{MAX_DEPTH, Native, Text, parse_expression, parse_template};
use crate::source::Source;

/// The text of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wording {
    text: Box<str>,
    /// Whether the text is that of a template, decoded, instead of an expression.
    is_template: bool,
    /// The bytes that it takes in its file.
    len: u32,
}

impl Wording {
    /// The text of an expression: a native expression, or a string or a literal of JSON. `None` for
    /// arrays and objects of JSON, for blocks, and for what is not UTF-8.
    pub(super) fn of(expression: Expression<'_>) -> Option<Self> {
        let len = expression.span().len();
        let (text, is_template) = match expression.as_json().map(|node| node.value()) {
            Some(JsonValue::String(string)) => (string.to_str(), true),
            Some(JsonValue::Array(_) | JsonValue::Object(_)) => return None,
            _ if expression.as_block().is_some() => return None,
            _ => (str::from_utf8(expression.text()).ok()?, false),
        };
        Some(Self { text: text.into(), is_template, len })
    }

    /// The text of a type, which JSON has in a string. See [`Wording::of`].
    pub(super) fn of_type(expression: Expression<'_>) -> Option<Self> {
        Self::of(expression).map(|wording| Self { is_template: false, ..wording })
    }

    /// The bytes that it takes in its file, which decide how long it may be evaluated.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// The expression in an arena; `None` if it is invalid.
    pub(super) fn open<'a>(&self, arena: &'a Arena) -> Option<Expression<'a>> {
        // The end marker of a heredoc needs a line feed.
        let text = arena.format(format_args!("{}\n", self.text));
        let text = if self.is_template { text.strip_suffix('\n')? } else { text };
        let source = Source::copy_from(arena, "", text.as_bytes()).ok()?;
        let text = Text::of_source(source, str::from_utf8(source.bytes()).ok()?);
        let program = match self.is_template {
            true => parse_template(arena, &text, MAX_DEPTH, &mut ()),
            false => parse_expression(arena, &text, MAX_DEPTH, &mut ()),
        };
        program.and_then(Native::of).map(Expression::from_native)
    }
}
