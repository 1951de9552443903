//! Static readings of strings: traversals, calls and expressions in native syntax.

use super::Expression;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::native::{
    self, FunctionCall, Native, Text, Traversal, parse_expression, parse_pattern, parse_relative,
    parse_traversal,
};

impl<'a> Expression<'a> {
    fn parsed_text(self) -> Option<Text<'a>> {
        self.node().as_string().map(|string| Text::of_string(self.source(), string))
    }

    /// The absolute traversal, if it is a string that holds one: names, and indexes that are
    /// literals. Templates are none.
    #[must_use]
    pub fn as_traversal(self) -> Option<Traversal<'a>> {
        parse_traversal(&self.parsed_text()?)
    }

    /// The same, where `[*]` is a step too: for patterns of addresses.
    #[must_use]
    pub fn as_traversal_pattern(self) -> Option<Traversal<'a>> {
        parse_pattern(&self.parsed_text()?)
    }

    /// The relative traversal, if it is a string that holds one: as [`Expression::as_traversal`],
    /// but the first step is an attribute.
    #[must_use]
    pub fn as_relative_traversal(self) -> Option<Traversal<'a>> {
        parse_relative(&self.parsed_text()?)
    }

    /// [`Expression::as_traversal`], or a diagnostic that one is required.
    pub fn traversal(self, sink: &mut dyn Sink<'a>) -> Option<Traversal<'a>> {
        self.or_report(self.as_traversal(), Code::StaticTraversalRequired, sink)
    }

    /// [`Expression::as_relative_traversal`], or a diagnostic that one is required.
    pub fn relative_traversal(self, sink: &mut dyn Sink<'a>) -> Option<Traversal<'a>> {
        self.or_report(self.as_relative_traversal(), Code::StaticTraversalRequired, sink)
    }

    /// The function call, if it is a string that holds one and nothing else.
    #[must_use]
    pub fn as_call(self) -> Option<FunctionCall<'a>> {
        self.as_native()?.call()
    }

    /// [`Expression::as_call`], or a diagnostic that one is required.
    pub fn call(self, sink: &mut dyn Sink<'a>) -> Option<FunctionCall<'a>> {
        self.or_report(self.as_call(), Code::StaticCallRequired, sink)
    }

    /// The expression in native syntax, if it is a string that contains one. It is not a template:
    /// `${a}` is not an expression.
    #[must_use]
    pub fn as_native(self) -> Option<Native<'a>> {
        self.native_with(&mut ())
    }

    /// [`Expression::as_native`], or a diagnostic that one is required, or why the string is not an
    /// expression.
    pub fn native(self, sink: &mut dyn Sink<'a>) -> Option<Native<'a>> {
        if !self.node().is_string() {
            return self.or_report(None, Code::NativeExpressionRequired, sink);
        }
        self.native_with(sink)
    }

    fn native_with(self, sink: &mut dyn Sink<'a>) -> Option<Native<'a>> {
        let text = self.parsed_text()?;
        Native::of(parse_expression(text.source().arena(), &text, native::MAX_DEPTH, sink)?)
    }

    fn or_report<T>(self, found: Option<T>, code: Code, sink: &mut dyn Sink<'a>) -> Option<T> {
        if found.is_none() {
            sink.report(
                Diagnostic::new(code, self.start_label())
                    .with_arguments(&[self.node().type_name()]),
            );
        }
        found
    }
}
