//! Findings for people: a headline, the place in its line, further places, an explanation.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;

use crate::excerpt::{Excerpt, Range};
use crate::finding::Finding;

/// Writes one finding, with colours that the stream strips where they are not wanted.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let level = if finding.is_error() { Level::ERROR } else { Level::WARNING };
    let title = level.primary_title(finding.summary).id(finding.code);
    let mut group = title.element(origin(&finding.range));
    if let Some(snippet) = &finding.snippet {
        let place = snippet.highlight_start_offset..snippet.highlight_end_offset;
        let mut source = Snippet::source(&*snippet.code)
            .line_start(snippet.start_line as usize)
            .annotation(AnnotationKind::Primary.span(place));
        // A second place on the same, wholly shown line belongs into the same picture.
        for related in finding.related.iter().filter(|related| shares_line(finding, &related.range))
        {
            if let Some(excerpt) = related.excerpt.as_ref().filter(|e| e.text == snippet.code) {
                source = source.annotation(
                    AnnotationKind::Context.span(excerpt.start..excerpt.end).label(related.message),
                );
            }
        }
        group = group.element(source);
    }
    group = group.element(Level::NOTE.no_name().message(&*finding.detail));
    let mut report = vec![group];
    for related in &finding.related {
        let Some(excerpt) = &related.excerpt else { continue };
        let shown = finding.snippet.as_ref().is_some_and(|snippet| snippet.code == excerpt.text);
        if !(shown && shares_line(finding, &related.range)) {
            report.push(elsewhere(related.message, &related.range, excerpt));
        }
    }
    let text = Renderer::styled().decor_style(DecorStyle::Ascii).render(&report);
    // Between an origin and its text the renderer puts a row that only says "elsewhere".
    for row in text.lines().filter(|row| strip_str(row).to_string().trim() != ":::") {
        writeln!(out, "{row}")?;
    }
    writeln!(out)
}

fn elsewhere<'f>(message: &'f str, range: &'f Range, excerpt: &'f Excerpt) -> Group<'f> {
    let source = Snippet::source(&*excerpt.text)
        .line_start(range.start.line as usize)
        .annotation(AnnotationKind::Context.span(excerpt.start..excerpt.end));
    Group::with_title(Level::NOTE.secondary_title(message)).element(origin(range)).element(source)
}

/// The true place: the text shown may be a window of its line.
fn origin(range: &Range) -> Origin<'_> {
    Origin::path(&*range.filename)
        .line(range.start.line as usize)
        .char_column(range.start.column as usize)
}

fn shares_line(finding: &Finding, range: &Range) -> bool {
    range.filename == finding.range.filename && range.start.line == finding.range.start.line
}
