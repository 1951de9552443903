//! Parses a text, or one part of it, with the faster engine.

use super::automaton;
use super::options::ParseOptions;
use super::scratch::Scratch;
use super::skeleton;
use crate::lexical::{closing_quote, is_white};
use crate::scan::Rejected;
use crate::span::Part;

/// Parses one part of a text. Leaves its events in `scratch.build`, and the containers that are
/// open at its end in `scratch.open` unless it is the last part.
pub(crate) fn parse_part(
    text: &[u8],
    part: Part<'_>,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Result<bool, Rejected> {
    scratch.build.expect(part.span.len() as usize);
    if skeleton::is_chosen(part.span, options) {
        return skeleton::parse(text, part, options, scratch);
    }
    options.kernel.run(automaton::Parse {
        text,
        part,
        max_depth: options.max_depth,
        skeleton_depth: options.skeleton_depth,
        scratch,
    })
}

/// Returns whether the member after a comma has a name. Returns `None` unless a closing bracket
/// precedes the comma, and a name with a colon, or an opening bracket, follows it. The comma must
/// be outside of strings.
pub(crate) fn has_name(text: &[u8], comma: u32) -> Option<bool> {
    let before = text.get(..comma as usize)?;
    let (b'}' | b']') = before.iter().rev().find(|&&byte| !is_white(byte))? else {
        return None;
    };
    starts_with_name(text.get(comma as usize..)?.strip_prefix(b",")?)
}

/// Returns whether the member at the start of a text has a name. Returns `None` unless there is a
/// name with a colon, or an opening bracket.
pub(crate) fn starts_with_name(text: &[u8]) -> Option<bool> {
    let skip_white = |text: &'_ [u8]| text.iter().position(|&byte| !is_white(byte));
    let member = &text[skip_white(text)?..];
    match member[0] {
        b'{' | b'[' => Some(false),
        b'"' => {
            let after = &member[closing_quote(member, 1)? + 1..];
            (after[skip_white(after)?] == b':').then_some(true)
        }
        _ => None,
    }
}
