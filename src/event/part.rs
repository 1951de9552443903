//! Parses a text, or one part of it, with the faster engine.

use super::automaton;
use super::options::ParseOptions;
use super::scratch::Scratch;
#[cfg(target_arch = "x86_64")]
use super::skeleton;
use crate::scan::Rejected;
use crate::span::Part;

/// Parses one part of a text. Leaves its events in `scratch.build`, and the containers that are
/// open at its end in `scratch.open` unless it is the last part.
pub(super) fn parse_part(
    text: &[u8],
    part: Part<'_>,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Result<bool, Rejected> {
    scratch.build.expect(part.span.len() as usize);
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = skeleton::chosen(part.span, options) {
        return skeleton::parse(isa, text, part, options, scratch);
    }
    options.kernel.run(automaton::Parse {
        text,
        part,
        max_depth: options.max_depth,
        skeleton_depth: options.skeleton_depth,
        scratch,
    })
}
