//! Clauses of messages that quote values, and the clauses that replace them if these values must
//! not be shown.

use std::fmt;

use super::marks::HIDDEN;
use super::{ConversionError, Marks};
use crate::arena::Arena;

/// A clause of a message, such as `"10.0.0" is not a prefix in CIDR notation`, in two forms: with
/// the values that it quotes, and with `(sensitive)` in their place. The displayed text depends on
/// the marks of everything that the values are made from.
///
/// A clause consists of text of the program, and of quotations. So a value cannot be in it by
/// mistake:
///
/// ```
/// use simd_hcl::value::{Clause, Marks, Quotation};
///
/// let arena = simd_hcl::Arena::new();
/// let clause = Clause::quoting(&arena, "{} is not a prefix", &[Quotation::Text("hunter2")]);
/// assert_eq!(clause.shown(Marks::NONE), "\"hunter2\" is not a prefix");
/// assert_eq!(clause.shown(Marks::SENSITIVE), "(sensitive) is not a prefix");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause<'a> {
    quoting: &'a str,
    hiding: &'a str,
    /// The text without any value, for an expression at a place where none is shown.
    bare: &'a str,
}

/// A form of a clause.
#[derive(Clone, Copy)]
enum Form {
    Quoting,
    Hiding,
    Bare,
}

/// A quotation in a [`Clause`].
#[derive(Clone, Copy)]
pub enum Quotation<'q> {
    /// A text, which is written in quotes.
    Text(&'q str),
    /// Something that depends on a value, such as a number.
    Value(&'q dyn fmt::Display),
    /// A text without a value, such as a limit, the name of a type or a line: it is always shown.
    Plain(&'q dyn fmt::Display),
    /// Another clause.
    Clause(Clause<'q>),
}

impl<'a> Clause<'a> {
    /// Returns a clause that quotes nothing.
    #[must_use]
    pub const fn fixed(text: &'static str) -> Self {
        Self { quoting: text, hiding: text, bare: text }
    }

    /// Returns a clause with quotations: each `{}` of the template stands for the next one.
    #[must_use]
    pub fn quoting(arena: &'a Arena, template: &'static str, quotations: &[Quotation<'_>]) -> Self {
        let fill = |form: Form| {
            let mut text = String::new();
            let mut rest = quotations.iter();
            for (at, part) in template.split("{}").enumerate() {
                if at > 0
                    && let Some(quotation) = rest.next()
                {
                    quotation.push(&mut text, form);
                }
                text.push_str(part);
            }
            arena.str(&text)
        };
        Self { quoting: fill(Form::Quoting), hiding: fill(Form::Hiding), bare: fill(Form::Bare) }
    }

    /// Returns a clause whose text as a whole depends on values, and what it says if these must not be
    /// shown.
    #[must_use]
    pub fn or(arena: &'a Arena, text: &str, instead: &'static str) -> Self {
        Self { quoting: arena.str(text), hiding: instead, bare: instead }
    }

    /// Returns the clause about a value that cannot be converted.
    pub(crate) fn of_conversion(arena: &'a Arena, error: &ConversionError<'_>) -> Self {
        let hiding = arena.str(error.without_names());
        Self { quoting: arena.format(format_args!("{error}")), hiding, bare: hiding }
    }

    /// Returns the clause as it is shown for these marks, which then shows the same for all marks.
    #[must_use]
    pub const fn resolved(self, marks: Marks) -> Self {
        let text = self.shown(marks);
        Self { quoting: text, hiding: text, bare: self.bare }
    }

    /// The text without any value.
    pub(crate) const fn bare(self) -> &'a str {
        self.bare
    }

    /// The text, if the values that it quotes are made from values with these marks.
    #[must_use]
    pub const fn shown(self, marks: Marks) -> &'a str {
        if marks.hides() { self.hiding } else { self.quoting }
    }
}

impl From<&'static str> for Clause<'_> {
    fn from(text: &'static str) -> Self {
        Self::fixed(text)
    }
}

impl Quotation<'_> {
    fn push(self, out: &mut String, form: Form) {
        use fmt::Write;
        let _ = match (self, form) {
            (Self::Clause(clause), Form::Quoting) => out.write_str(clause.quoting),
            (Self::Clause(clause), Form::Hiding) => out.write_str(clause.hiding),
            (Self::Clause(clause), Form::Bare) => out.write_str(clause.bare),
            (Self::Plain(plain), _) => write!(out, "{plain}"),
            (Self::Text(text), Form::Quoting) => write!(out, "{text:?}"),
            (Self::Value(value), Form::Quoting) => write!(out, "{value}"),
            (Self::Text(_) | Self::Value(_), _) => out.write_str(HIDDEN),
        };
    }
}

impl fmt::Debug for Quotation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Quotation")
    }
}

/// Returns a text that is made from values with these marks, as a message shows it.
pub(crate) const fn shown(text: &str, marks: Marks) -> &str {
    if marks.hides() { HIDDEN } else { text }
}
