//! Writes events from the tokens of the vectorised engine.
//!
//! It writes the same events as the [`automaton`](super::automaton). The [`engine`] has validated
//! every byte and selected the tokens of the skeleton. For each of these, this module finds the end
//! of the string or scalar, the flags of strings, and the distance from a start to its end.

use super::build::{Builder, Writer};
use super::options::{Engine, ParseOptions};
use super::scratch::Scratch;
use super::word::{Flags, Kind};
use crate::engine::{self, Limits, Phase, Picked, Sink, Token};
use crate::lexical::is_white;
use crate::scan::avx512::Avx512;
use crate::scan::{Isa, Rejected};
use crate::span::{Part, Span};

/// Texts with fewer bytes are parsed by the automaton: each phase has a fixed cost per window.
const SMALLEST: u32 = 1 << 10;
/// Texts with a deeper skeleton are parsed by the automaton: writing events costs the same in both
/// engines, so when nearly every token gets an event, there is little to gain.
const DEEPEST: u32 = 8;

/// Returns the proof that the CPU can run the engine, if the engine should parse this text.
#[inline]
pub(super) fn chosen(span: Span, options: &ParseOptions) -> Option<Avx512> {
    let chosen = match options.engine {
        Engine::Fastest => span.len() >= SMALLEST && options.skeleton_depth <= DEEPEST,
        Engine::Automaton => false,
        Engine::Vectorised => true,
    };
    options.kernel.avx512().filter(|_| chosen)
}

/// Like [`parse_part`](super::part::parse_part), with this engine.
pub(super) fn parse(
    isa: Avx512,
    text: &[u8],
    part: Part<'_>,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Result<bool, Rejected> {
    parse_noting(isa, text, part, options, scratch, |_| {})
}

/// Like [`parse`], but calls `finished` after every phase of every window.
pub(crate) fn parse_noting(
    isa: Avx512,
    text: &[u8],
    part: Part<'_>,
    options: &ParseOptions,
    scratch: &mut Scratch,
    finished: impl FnMut(Phase),
) -> Result<bool, Rejected> {
    let limits = Limits { max_depth: options.max_depth, skeleton_depth: options.skeleton_depth };
    let buffers = scratch.engine.get_or_insert_default();
    // Brackets that are not events are not selected.
    let levels = part.open.len().min((limits.skeleton_depth as usize).saturating_add(1));
    let open = &part.open[..levels];
    let builder = Builder::new(&mut scratch.build, open, limits.max_depth, limits.skeleton_depth);
    let text = text.get(..part.span.end as usize).ok_or(Rejected)?;
    let mut events = Events { text, builder, finished };
    let surrogates = engine::parse(isa, text, part, limits, buffers, &mut events)?;
    events.builder.finish();
    if !part.is_last {
        scratch.open.clear();
        scratch.open.extend(buffers.open());
    }
    Ok(surrogates)
}

/// Writes events.
struct Events<'t, 's, F> {
    /// The text up to the end of the value.
    text: &'t [u8],
    builder: Builder<'s>,
    finished: F,
}

impl<F: FnMut(Phase)> Sink for Events<'_, '_, F> {
    #[inline(always)]
    fn finished(&mut self, phase: Phase) {
        (self.finished)(phase);
    }

    #[inline(always)]
    fn take<I: Isa>(&mut self, isa: I, picked: Picked<'_>) {
        let mut writer = self.builder.writer(picked.len());
        for token in picked.iter() {
            match token.byte {
                b'"' => string(isa, self.text, token, &mut writer),
                // The engine has checked the nesting limit.
                b'{' | b'[' => writer.open(token.byte == b'{', token.offset),
                b'}' | b']' => writer.end(token.offset),
                _ => scalar(self.text, token, &mut writer),
            }
        }
        let progress = writer.progress();
        self.builder.advance(progress);
    }
}

/// Writes a string. It ends with the last quote before the next token.
#[inline(always)]
fn string<I: Isa>(isa: I, text: &[u8], token: Token, writer: &mut Writer<'_>) {
    let kind = if token.next_byte == b':' { Kind::Key } else { Kind::String };
    let start = token.offset as usize + 1;
    let end = end_before(text, token.next).wrapping_sub(1);
    // The slice always exists. This is a branch so that no address waits for the result.
    let Some(raw) = text.get(start..end) else { return };
    let flags = isa.string_flags(raw);
    let flags = Flags::of_string(flags.has_escape(), flags.has_template());
    writer.push(kind, flags, raw.len(), token.offset);
}

/// Writes a number or literal, identified by its first byte.
#[inline(always)]
fn scalar(text: &[u8], token: Token, writer: &mut Writer<'_>) {
    let kind = match token.byte {
        b't' => Kind::True,
        b'f' => Kind::False,
        b'n' => Kind::Null,
        _ => Kind::Number,
    };
    let len = end_before(text, token.next).saturating_sub(token.offset as usize);
    writer.push(kind, Flags::NONE, len, token.offset);
}

/// Returns the offset after the last byte before `next` that is not whitespace.
#[inline(always)]
fn end_before(text: &[u8], next: u32) -> usize {
    let mut end = next as usize;
    while text.get(end.wrapping_sub(1)).is_some_and(|&byte| is_white(byte)) {
        end -= 1;
    }
    end
}
