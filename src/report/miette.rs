//! Implements `miette`'s traits for diagnostics.

use std::fmt::Display;

use ::miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity as Gravity, SourceCode,
    SourceSpan, SpanContents,
};

use super::OwnedDiagnostic;
use crate::diagnostic::Severity;

impl Diagnostic for OwnedDiagnostic {
    fn code<'d>(&'d self) -> Option<Box<dyn Display + 'd>> {
        Some(Box::new(self.id()))
    }

    fn severity(&self) -> Option<Gravity> {
        Some(match self.severity {
            Severity::Error => Gravity::Error,
            Severity::Warning => Gravity::Warning,
        })
    }

    fn help<'d>(&'d self) -> Option<Box<dyn Display + 'd>> {
        let of_rule = || self.rule.as_ref()?.help.as_deref();
        let help = self.help.as_deref().or_else(of_rule)?;
        Some(Box::new(help))
    }

    fn url<'d>(&'d self) -> Option<Box<dyn Display + 'd>> {
        let url = self.rule.as_ref()?.url.as_deref()?;
        Some(Box::new(url))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.snippet.as_ref().map(|_| self as &dyn SourceCode)
    }

    /// The primary place, and further ones in the same text.
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let snippet = self.snippet.as_ref()?;
        let span = |start: usize, end: usize| (start, end.saturating_sub(start));
        let (start, len) = span(snippet.highlight_start_offset, snippet.highlight_end_offset);
        let primary = LabeledSpan::new_primary_with_span(None, (start, len));
        let related = self.related.iter().filter_map(move |related| {
            let excerpt = related.excerpt.as_ref()?;
            let is_here = related.range.filename == self.range.filename
                && related.range.start.line == self.range.start.line
                && excerpt.text == snippet.code;
            let place = span(excerpt.start, excerpt.end);
            is_here.then(|| LabeledSpan::new_with_span(Some(related.message.to_string()), place))
        });
        Some(Box::new(std::iter::once(primary).chain(related)))
    }
}

/// The excerpt around the place, under the file's name and with its line number. The rest of the
/// file is not kept.
impl SourceCode for OwnedDiagnostic {
    fn read_span<'s>(
        &'s self,
        span: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'s> + 's>, MietteError> {
        let snippet = self.snippet.as_ref().ok_or(MietteError::OutOfBounds)?;
        let text = snippet.code.as_bytes();
        if span.offset() + span.len() > text.len() {
            return Err(MietteError::OutOfBounds);
        }
        Ok(Box::new(MietteSpanContents::new_named(
            self.range.filename.clone(),
            text,
            (0, text.len()).into(),
            snippet.start_line.saturating_sub(1) as usize,
            0,
            1,
        )))
    }
}
