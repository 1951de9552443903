//! Collects the findings of a rule.

use super::option::OptionValues;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Safety, Severity};
use crate::format::{Token, TokenKind, tokens};
use crate::span::Span;

/// The largest edit, in bytes.
const LONGEST: usize = 4096;

/// Takes the findings of one rule, and has its options.
pub(super) struct Found<'f, 'a> {
    code: Code,
    pub(super) options: &'f OptionValues,
    pub(super) arena: &'a Arena,
    all: &'f mut Vec<Diagnostic<'a>>,
}

impl<'f, 'a> Found<'f, 'a> {
    pub(super) fn new(
        code: Code,
        options: &'f OptionValues,
        arena: &'a Arena,
        all: &'f mut Vec<Diagnostic<'a>>,
    ) -> Self {
        Self { code, options, arena, all }
    }

    /// Reports a place, with the arguments of the rule's texts.
    pub(super) fn report(&mut self, label: Label<'a>, arguments: &[&'a str]) -> Reported<'_, 'a> {
        self.all.push(Diagnostic::new(self.code, label).with_arguments(arguments));
        Reported { all: &mut *self.all }
    }
}

/// A diagnostic that was just reported.
pub(super) struct Reported<'f, 'a> {
    all: &'f mut Vec<Diagnostic<'a>>,
}

impl<'a> Reported<'_, 'a> {
    /// Adds the edit that repairs it: a text instead of a span of its file. An edit that loses a
    /// comment is unsafe, whatever the rule says, and there is none of a long text: expressions in one
    /// another would have edits of quadratic size.
    pub(super) fn fix(self, span: Span, text: &str, safety: Safety) {
        if text.len().max(span.len() as usize) > LONGEST {
            return;
        }
        let Some(last) = self.all.pop() else { return };
        let source = last.source();
        let old = str::from_utf8(span.slice(source.bytes())).unwrap_or_default();
        let loses = comments(old) > comments(text);
        let safety = if loses { Safety::Unsafe } else { safety };
        self.all.push(last.with_fix(span, source.arena().str(text), safety));
    }

    /// Makes it an error.
    pub(super) fn error(self) -> Self {
        if let Some(last) = self.all.pop() {
            self.all.push(last.with_severity(Severity::Error));
        }
        self
    }

    /// Adds a related place.
    pub(super) fn related(self, label: Label<'a>, message: &'static str) {
        if let Some(last) = self.all.pop() {
            self.all.push(last.with_related(label, message));
        }
    }
}

/// The number of comments in a text.
fn comments(text: &str) -> usize {
    let may_have = text.contains('#') || text.contains("//") || text.contains("/*");
    let is_comment = |token: &&Token<'_>| token.kind() == TokenKind::Comment;
    if may_have { tokens(text).iter().filter(is_comment).count() } else { 0 }
}
