//! Static readings of strings: traversals, calls and expressions in native syntax.

use super::written::literal_text;
use super::{Expression, Syntax};
use crate::diagnostic::{Code, Diagnostic, Fix, Sink};
use crate::native::{
    self, FunctionCall, Native, Text, Traversal, parse_expression, parse_pattern, parse_relative,
    parse_traversal,
};

impl<'a> Expression<'a> {
    /// The text to parse, of a JSON string.
    fn parsed_text(self) -> Option<Text<'a>> {
        self.as_json()?.as_string().map(|string| Text::of_string(self.source(), string))
    }

    /// The native expression; for JSON, the expression in the text of a string.
    fn as_written(self) -> Option<Native<'a>> {
        match self.syntax() {
            Syntax::Native(native) => Some(native),
            Syntax::Json(_) | Syntax::Block(_) => None,
        }
    }

    /// The absolute traversal, if it is a string that contains one: names and literal indexes.
    /// `None` for templates.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = aws_instance.web[0].id\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let a = file.body().just_attributes(&mut ())[0].expression();
    /// assert_eq!(a.as_traversal().unwrap().root_name(), "aws_instance");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn as_traversal(self) -> Option<Traversal<'a>> {
        if let Some(native) = self.as_written() {
            return native.as_bare_traversal();
        }
        parse_traversal(&self.parsed_text()?)
    }

    /// Like [`Expression::as_traversal`], but `[*]` is also a step: for patterns of addresses.
    #[must_use]
    pub fn as_traversal_pattern(self) -> Option<Traversal<'a>> {
        if let Some(native) = self.as_written() {
            return native.as_pattern();
        }
        parse_pattern(&self.parsed_text()?)
    }

    /// The relative traversal, if it is a string that contains one: like
    /// [`Expression::as_traversal`], but the first step is an attribute.
    #[must_use]
    pub fn as_relative_traversal(self) -> Option<Traversal<'a>> {
        if let Some(native) = self.as_written() {
            return native.as_bare_traversal().map(Traversal::into_relative);
        }
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

    /// The function call, if it is a string that contains only a call.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = max(1, 2)\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let a = file.body().just_attributes(&mut ())[0].expression().as_call().unwrap();
    /// assert_eq!((a.name, a.arguments.len()), ("max", 2));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
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

    /// [`Expression::as_native`], or a diagnostic that one is required, or the error in the string.
    pub fn native(self, sink: &mut dyn Sink<'a>) -> Option<Native<'a>> {
        if self.is_json() && !self.is_string() {
            return self.or_report(None, Code::NativeExpressionRequired, sink);
        }
        self.native_with(sink)
    }

    fn native_with(self, sink: &mut dyn Sink<'a>) -> Option<Native<'a>> {
        if let Some(native) = self.as_written() {
            return Some(native);
        }
        let text = self.parsed_text()?;
        Native::of(parse_expression(text.source().arena(), &text, native::MAX_DEPTH, sink)?)
    }

    /// Returns the expression in a native string without templates, which was the old syntax of
    /// references and keywords, and reports the quotes. Returns anything else unchanged.
    pub(crate) fn unquoted(self, sink: &mut dyn Sink<'a>) -> Self {
        let Some(native) = self.as_written() else { return self };
        let Some(text) = literal_text(native).filter(|_| self.is_string()) else { return self };
        let span = self.span();
        let written = native.text();
        // With escapes, or in a heredoc, the decoded text differs from the bytes here.
        let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let Some(inner) = inner.filter(|inner| *inner == text) else { return self };
        let source = self.source();
        let text = Text::as_written(source, inner, span.start + 1);
        let parsed = parse_expression(source.arena(), &text, native::MAX_DEPTH, &mut ());
        let Some(parsed) =
            parsed.and_then(Native::of).filter(|it| it.as_bare_traversal().is_some())
        else {
            return self;
        };
        let fix = Fix::replacement(span, inner.to_owned());
        sink.report(Diagnostic::new(Code::QuotedReference, self.label()).with_repair(Some(fix)));
        Self::from_native(parsed)
    }

    fn or_report<T>(self, found: Option<T>, code: Code, sink: &mut dyn Sink<'a>) -> Option<T> {
        if found.is_none() && !self.is_invalid() {
            sink.report(self.required(code));
        }
        found
    }
}
