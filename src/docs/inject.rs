//! A page in a file: the comments around it, and its place between them.

use super::settings::{Mode, Problem, Settings, problem};
use super::template::{self, Value, record};

/// The result of writing a page into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Written {
    /// The whole new content.
    Content(Vec<u8>),
    /// Why the page has no place in the file: of its two comments, one is missing or they are swapped.
    Refused(&'static str),
}

/// The comments around a page.
struct Markers {
    begin: String,
    end: String,
}

impl Markers {
    fn of(settings: &Settings) -> Self {
        let template = settings.whole_template();
        let line = |line: Option<&str>| line.unwrap_or_default().trim().to_owned();
        Self { begin: line(template.split('\n').next()), end: line(template.rsplit('\n').next()) }
    }
}

fn find(content: &[u8], marker: &str) -> Option<usize> {
    memchr::memmem::find(content, marker.as_bytes())
}

/// Whether a file has one of the comments that a page is written between.
#[must_use]
pub fn has_marker(settings: &Settings, content: &[u8]) -> bool {
    let Markers { begin, end } = Markers::of(settings);
    find(content, &begin).or_else(|| find(content, &end)).is_some()
}

/// Returns the content of the file that a page is written to. `old` is its content until now, if it
/// exists. In the mode `inject`, what is outside of the comments stays, byte for byte; a file without
/// them gets the page at its end. Cost: linear.
///
/// # Errors
/// The template of the output is invalid.
pub fn written(settings: &Settings, old: Option<&[u8]>, page: &str) -> Result<Written, Problem> {
    let template = settings.whole_template();
    if template.is_empty() {
        return Ok(Written::Content(page.as_bytes().to_vec()));
    }
    let dot = record([("Content", Value::text(page))]);
    let text = template::render(&template, &dot, &|_| None)
        .or_else(|error| settings.in_template(settings.template_place, &error))?;
    let old = old.unwrap_or_default();
    if settings.mode == Mode::Replace || old.is_empty() {
        return Ok(Written::Content(text.into_bytes()));
    }
    let Markers { begin, end } = Markers::of(settings);
    let content = match (find(old, &begin), find(old, &end)) {
        (None, None) => [old, b"\n", text.as_bytes()].concat(),
        (None, _) => return Ok(Written::Refused("the comment that begins the page is missing")),
        (_, None) => return Ok(Written::Refused("the comment that ends the page is missing")),
        (Some(start), Some(stop)) if stop < start => {
            return Ok(Written::Refused(
                "the comment that ends the page is before that which begins it",
            ));
        }
        (Some(start), Some(stop)) => {
            [&old[..start], text.as_bytes(), &old[stop + end.len()..]].concat()
        }
    };
    Ok(Written::Content(content))
}

impl Settings {
    /// An error in a template, at its place in the settings.
    pub(super) fn in_template<T>(
        &self,
        place: super::yaml::Place,
        error: &template::TemplateError,
    ) -> Result<T, Problem> {
        let line = place.line + error.line - 1;
        let column = if error.line == 1 { place.column } else { 0 };
        problem(super::yaml::Place { line, column }, error.message.clone())
    }
}
