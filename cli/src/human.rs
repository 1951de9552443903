//! Findings for people: a headline, the place in its line, further places, an explanation.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;

use crate::excerpt::{Excerpt, Range};
use crate::finding::{Finding, Related};
use crate::visible::{visible, visible_place};

/// Writes one finding, with colours that the stream strips where they are not wanted.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let level = if finding.is_error() { Level::ERROR } else { Level::WARNING };
    let title = level.primary_title(finding.summary).id(visible(finding.id()));
    let mut group = match finding.has_lines {
        true => title.element(origin(&finding.range)),
        // A file that cannot be read has no lines.
        false => title.element(Origin::path(visible(&finding.range.filename))),
    };
    if let Some(snippet) = &finding.snippet {
        let place = snippet.highlight_start_offset..snippet.highlight_end_offset;
        let (text, place) = visible_place(&snippet.code, place);
        let mut source = Snippet::source(text)
            .line_start(snippet.start_line as usize)
            .annotation(AnnotationKind::Primary.span(place));
        for related in finding.related.iter().filter(|related| is_beside(finding, related)) {
            if let Some(excerpt) = &related.excerpt {
                let (_, place) = visible_place(&excerpt.text, excerpt.start..excerpt.end);
                source =
                    source.annotation(AnnotationKind::Context.span(place).label(related.message));
            }
        }
        group = group.element(source);
    }
    group = group.element(Level::NOTE.no_name().message(visible(&finding.detail)));
    if let Some(rule) = &finding.rule {
        for text in rule.help.iter().chain(&rule.url) {
            group = group.element(Level::HELP.message(visible(text)));
        }
    }
    let mut report = vec![group];
    for related in finding.related.iter().filter(|related| !is_beside(finding, related)) {
        if let Some(excerpt) = &related.excerpt {
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

fn elsewhere<'f>(message: &'f str, range: &'f Range, excerpt: &Excerpt) -> Group<'f> {
    let (text, place) = visible_place(&excerpt.text, excerpt.start..excerpt.end);
    let source = Snippet::source(text)
        .line_start(range.start.line as usize)
        .annotation(AnnotationKind::Context.span(place));
    Group::with_title(Level::NOTE.secondary_title(message)).element(origin(range)).element(source)
}

/// The true place: the text shown may be a window of its line.
fn origin(range: &Range) -> Origin<'_> {
    Origin::path(visible(&range.filename))
        .line(range.start.line as usize)
        .char_column(range.start.column as usize)
}

/// Whether a further place is on the same, wholly shown line, so that it belongs into the same picture.
fn is_beside(finding: &Finding, related: &Related) -> bool {
    let (here, there) = (&finding.range, &related.range);
    here.filename == there.filename
        && here.start.line == there.start.line
        && match (&finding.snippet, &related.excerpt) {
            (Some(snippet), Some(excerpt)) => snippet.code == excerpt.text,
            _ => false,
        }
}
