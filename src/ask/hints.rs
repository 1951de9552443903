//! Values beside the places that name them.

use super::answers::{Answers, Owner};
use crate::facts::{Place, PlaceUse, Target};
use crate::hash::HashMap;
use crate::module::Object;
use crate::span::Span;

/// A value beside a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hint {
    /// The offset that it is shown at.
    pub offset: u32,
    /// The value, in one line.
    pub text: Box<str>,
}

/// The number of hints of an answer.
const MOST: usize = 500;

/// The number of bytes of a value that are shown.
const MOST_TEXT: usize = 40;

impl<'t, 'a> Answers<'t, 'a> {
    /// The values of the variables and local values that a part of a file names, in the order of the
    /// text, at most 500: those of the first root module that contains its module. Values that are not
    /// known, or sensitive, have none.
    ///
    /// Cost: the places of the module, and the evaluation of the values.
    #[must_use]
    pub fn hints(&self, file: &str, range: Span) -> Vec<Hint> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let Owner::Module(module) = entry.owner else { return Vec::new() };
        let places = self.places(module);
        let Some((root, prefix)) = self.roots_of(module).into_iter().next() else {
            return Vec::new();
        };
        let found = self.with_expansion(root, |expansion| {
            let mut known: HashMap<u32, Option<String>> = HashMap::default();
            let mut found = Vec::new();
            let here = places.iter().filter(|place| {
                let span = place.span();
                place.file() == entry.at && range.start <= span.end && span.start <= range.end
            });
            for &place in here {
                if found.len() == MOST {
                    break;
                }
                let is_declared = place.usage() == PlaceUse::Declaration;
                // A part of the value is another value.
                let is_whole = is_declared || names_all_of_it(&place);
                if !is_whole || !is_declared && !place.usage().is_reference() {
                    continue;
                }
                let Target::Object(number) = places.target(&place) else { continue };
                let object = match self.module(module).module.object(number) {
                    Some(object @ Object::Variable(_)) => object,
                    Some(object @ Object::Local(_)) if !is_declared => object,
                    _ => continue,
                };
                let text = known.entry(number).or_insert_with(|| {
                    let value = self.shown(expansion, &format!("{prefix}{object}"), "")?;
                    short(&value.text)
                });
                if let Some(text) = text {
                    let end = place.span().end;
                    let is_quoted = is_declared && has_quote(entry.source.bytes(), place.span());
                    let offset = end + u32::from(is_quoted);
                    found.push(Hint { offset, text: text.as_str().into() });
                }
            }
            found
        });
        let mut found = found.unwrap_or_default();
        found.sort_by_key(|hint| hint.offset);
        found.dedup();
        found
    }
}

/// Whether a reference has no steps after the name.
fn names_all_of_it(place: &Place) -> bool {
    place.name().map(|name| name.end) == Some(place.span().end)
}

/// Whether a quote follows.
fn has_quote(bytes: &[u8], span: Span) -> bool {
    bytes.get(span.end as usize) == Some(&b'"')
}

/// A known value in one line.
fn short(text: &str) -> Option<String> {
    if text.starts_with('(') {
        return None;
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() <= MOST_TEXT {
        return Some(line);
    }
    let end = (0..=MOST_TEXT).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
    Some(format!("{}…", &line[..end]))
}
