//! Renders diagnostics for people: a headline, an excerpt, further positions, an explanation.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer as Pictures, Snippet};

use super::visible::{visible, visible_place};
use super::{Excerpt, OwnedDiagnostic, Range, Related};

/// Renders diagnostics with their lines of source.
///
/// ```
/// use simd_hcl::report::{OwnedDiagnostic, Renderer};
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "main.tf.json", br#"{"a": "${1 +}"}"#)?;
/// let mut found = Vec::new();
/// document.body().just_attributes(&mut found)[0].expression().value(&Default::default(), &mut found);
///
/// let picture = Renderer::plain().render(&OwnedDiagnostic::of(&found[0]));
/// assert!(picture.starts_with("error["), "{picture}");
/// assert!(picture.contains("--> main.tf.json:1:"), "{picture}");
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Renderer {
    pictures: Pictures,
}

impl Renderer {
    /// A renderer without colours.
    #[must_use]
    pub fn plain() -> Self {
        Self { pictures: Pictures::plain().decor_style(DecorStyle::Ascii) }
    }

    /// A renderer with escape sequences for colours.
    #[must_use]
    pub fn styled() -> Self {
        Self { pictures: Pictures::styled().decor_style(DecorStyle::Ascii) }
    }

    /// Renders a diagnostic as several lines, the last one empty. Control characters of files are
    /// escaped.
    #[must_use]
    pub fn render(&self, diagnostic: &OwnedDiagnostic) -> String {
        let level = if diagnostic.is_error() { Level::ERROR } else { Level::WARNING };
        let title = level.primary_title(visible(&diagnostic.summary)).id(visible(diagnostic.id()));
        let mut group = match diagnostic.has_lines {
            true => title.element(origin(&diagnostic.range)),
            // A file that cannot be read has no lines.
            false => title.element(Origin::path(visible(&diagnostic.range.filename))),
        };
        if let Some(snippet) = &diagnostic.snippet {
            let place = snippet.highlight_start_offset..snippet.highlight_end_offset;
            let (text, place) = visible_place(&snippet.code, place);
            let mut source = Snippet::source(text)
                .line_start(snippet.start_line as usize)
                .annotation(AnnotationKind::Primary.span(place));
            for related in diagnostic.related.iter().filter(|one| is_beside(diagnostic, one)) {
                if let Some(excerpt) = &related.excerpt {
                    let (_, place) = visible_place(&excerpt.text, excerpt.start..excerpt.end);
                    let label = visible(&related.message);
                    source = source.annotation(AnnotationKind::Context.span(place).label(label));
                }
            }
            group = group.element(source);
        }
        if !diagnostic.detail.is_empty() {
            group = group.element(Level::NOTE.no_name().message(visible(&diagnostic.detail)));
        }
        let rule = diagnostic.rule.as_ref();
        let of_rule = rule.into_iter().flat_map(|rule| rule.help.iter().chain(&rule.url));
        for text in diagnostic.help.iter().chain(of_rule) {
            group = group.element(Level::HELP.message(visible(text)));
        }
        let mut report = vec![group];
        for related in diagnostic.related.iter().filter(|one| !is_beside(diagnostic, one)) {
            if let Some(excerpt) = &related.excerpt {
                report.push(elsewhere(&related.message, &related.range, excerpt));
            }
        }
        let text = self.pictures.render(&report);
        let mut picture = String::with_capacity(text.len() + 2);
        // The renderer writes a row between an origin and its text that only means "elsewhere".
        for row in text.lines().filter(|row| !is_elsewhere(row)) {
            picture.push_str(row);
            picture.push('\n');
        }
        picture.push('\n');
        picture
    }
}

/// Whether a row contains only `:::`, apart from spaces and colours.
fn is_elsewhere(row: &str) -> bool {
    let mut pieces = row.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default();
    let without_colours = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, text)| text));
    let text: String = std::iter::once(first).chain(without_colours).collect();
    text.trim() == ":::"
}

fn elsewhere<'f>(message: &'f str, range: &'f Range, excerpt: &Excerpt) -> Group<'f> {
    let (text, place) = visible_place(&excerpt.text, excerpt.start..excerpt.end);
    let source = Snippet::source(text)
        .line_start(range.start.line as usize)
        .annotation(AnnotationKind::Context.span(place));
    Group::with_title(Level::NOTE.secondary_title(visible(message)))
        .element(origin(range))
        .element(source)
}

/// The position in the file: the excerpt may be a part of its line.
fn origin(range: &Range) -> Origin<'_> {
    Origin::path(visible(&range.filename))
        .line(range.start.line as usize)
        .char_column(range.start.column as usize)
}

/// Whether a further position is on the same line, and the line is shown whole, so that one excerpt
/// shows both.
fn is_beside(diagnostic: &OwnedDiagnostic, related: &Related) -> bool {
    let (here, there) = (&diagnostic.range, &related.range);
    here.filename == there.filename
        && here.start.line == there.start.line
        && match (&diagnostic.snippet, &related.excerpt) {
            (Some(snippet), Some(excerpt)) => snippet.code == excerpt.text,
            _ => false,
        }
}
