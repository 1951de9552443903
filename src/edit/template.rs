//! The variables of a template file, and their renames.

use super::bytes::{Edit, TextEdits};
use super::file::Edited;
use super::refusal::Refusal;
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::native::Native;
use crate::source::Source;
use crate::span::Span;

/// The places in a template file where it uses the variables that its caller gives it.
pub(crate) struct TemplateNames<'a> {
    source: Source<'a>,
    all: Vec<(&'a str, Span)>,
}

impl<'a> TemplateNames<'a> {
    /// Cost: linear in the file.
    ///
    /// # Errors
    /// The file is not a valid template.
    pub(crate) fn of(source: Source<'a>) -> Result<Self, Refusal> {
        let mut error: Option<Diagnostic<'a>> = None;
        let template = Native::template(source.arena(), source, &mut error);
        if error.is_some() {
            return Err(Refusal::Invalid);
        }
        let names = template.variables().filter_map(|traversal| {
            let first = traversal.steps().first()?;
            let name = first.span.slice(source.bytes());
            Some((str::from_utf8(name).ok()?, first.span))
        });
        let mut all: Vec<_> = names.collect();
        all.sort_unstable_by_key(|(_, span)| span.start);
        Ok(Self { source, all })
    }

    /// The places of a name.
    pub(crate) fn of_name(&self, name: &str) -> impl Iterator<Item = Span> {
        self.all.iter().filter(move |(found, _)| *found == name).map(|(_, span)| *span)
    }

    /// Renames a variable. The new text is parsed again, and proven to use the same variables at the same
    /// places, with the new name.
    ///
    /// # Errors
    /// The new name has another meaning at one of the places, such as that of a `for`.
    pub(crate) fn rename(&self, old: &str, new: &str) -> Result<Edited, Refusal> {
        let text = str::from_utf8(self.source.bytes()).map_err(|_| Refusal::Invalid)?;
        let edits = self.of_name(old).map(|span| Edit::new(span, new));
        let edits = TextEdits::new(edits.collect())?;
        let renamed = edits.apply(text);
        let arena = Arena::new();
        let unproven = |at: u32| Refusal::Unproven(at);
        let source = Source::copy_from(&arena, self.source.name(), renamed.as_bytes());
        let after = TemplateNames::of(source.map_err(|_| unproven(0))?)?;
        let expected =
            self.all.iter().map(|(name, span)| (if *name == old { new } else { *name }, span));
        let mut found = after.all.iter();
        for (name, span) in expected {
            if found.next().is_none_or(|(other, _)| *other != name) {
                return Err(unproven(span.start));
            }
        }
        match found.next() {
            Some((_, span)) => Err(unproven(span.start)),
            None => Ok(Edited::new(edits, renamed)),
        }
    }
}
