//! Texts of expressions that edits move to another place.

use crate::native::{Kind, Native};

/// The text of an expression where a postfix, an operator or the end of an argument may follow:
/// in parentheses unless it needs none.
pub(super) fn operand(expression: Native<'_>) -> String {
    let text = expression.text();
    if is_closed(expression) { text.to_owned() } else { format!("({text})") }
}

/// The text of an expression that stands alone, as an argument or between brackets. A line break
/// would end an argument, so an expression with one is written in parentheses.
pub(super) fn alone(expression: Native<'_>) -> String {
    let text = expression.text();
    let is_open = text.contains('\n') && !is_closed(expression);
    if is_open { format!("({text})") } else { text.to_owned() }
}

/// Whether nothing that follows an expression, or precedes it, becomes a part of it.
fn is_closed(expression: Native<'_>) -> bool {
    let kind = expression.kind();
    let is_closed = matches!(kind, Kind::Null | Kind::True | Kind::False) || kind.takes_steps();
    // A heredoc needs the line break after it.
    is_closed && !expression.text().starts_with("<<")
}
