//! Both engines side by side, for the fuzz targets of this repository (feature `fuzzing`).
//!
//! In go a text, the range of it that should hold one JSON value, and options; out come the events, or
//! nothing when the engine refuses the text. No part of the library's interface.

use crate::event::split::{self, Cut};
use crate::event::{self, Event, ParseOptions, Scratch, reader};
use crate::span::Span;

/// By the engine that decides.
#[must_use]
pub fn parse(text: &[u8], span: Span, options: &ParseOptions) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    event::parse(text, span, options, &mut scratch).ok()?;
    Some(scratch.build.events().to_vec())
}

/// By the engine that explains.
#[must_use]
pub fn read(text: &[u8], span: Span, options: &ParseOptions) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    let ParseOptions { max_depth, skeleton_depth, .. } = *options;
    reader::read(text, span, max_depth, skeleton_depth, &mut scratch.build).ok()?;
    Some(scratch.build.events().to_vec())
}

/// By the engine that decides, in parts: at the offsets of commas, each with the containers that are
/// thought to be open there. None also when that is no place to split a text.
#[must_use]
pub fn parse_parts(
    text: &[u8],
    span: Span,
    commas: &[(u32, Vec<bool>)],
    options: &ParseOptions,
) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    let cuts: Vec<Cut> =
        commas.iter().map(|(comma, open)| Cut { comma: *comma, open: open.clone() }).collect();
    split::parse_parts(text, span, &cuts, options, &mut scratch)?;
    Some(scratch.build.events().to_vec())
}
