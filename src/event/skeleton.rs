//! Writes events from the tokens of the vectorised engine.
//!
//! It writes the same events as the [`automaton`](super::automaton). The [`engine`] has validated
//! every byte and selected the tokens of the skeleton. For each of these, this module finds the end
//! of the string or scalar, the flags of strings, and the distance from a start to its end.

use super::build::Builder;
use super::options::{Engine, ParseOptions};
use super::scratch::Scratch;
#[cfg(target_arch = "x86_64")]
use crate::engine::avx512::{BATCH, Picked};
use crate::engine::{self, Limits, Phase, Sink, Token, end_before};
#[cfg(target_arch = "x86_64")]
use crate::scan::avx512::Avx512;
use crate::scan::words::{Words, WordsTask};
use crate::scan::{FastEngine, Isa, Rejected};
use crate::span::{Part, Span};
use crate::word::{Event, Flags, Kind};

/// The texts for which an engine is faster than the automaton.
struct Range {
    /// The minimum number of bytes: each phase has a fixed cost per window.
    smallest: u32,
    /// The maximum skeleton depth: writing events costs the same in both engines, or more in the
    /// vectorised one, so when nearly every token gets an event, there is little to gain.
    deepest: u32,
}

/// Whether the engine should parse this text.
#[inline]
pub(super) fn is_chosen(span: Span, options: &ParseOptions) -> bool {
    match options.engine {
        Engine::Fastest => {
            let range = match options.kernel.fast_engine() {
                #[cfg(target_arch = "x86_64")]
                Some(FastEngine::Bytes) => Range { smallest: 1 << 10, deepest: 8 },
                Some(FastEngine::Words) => Range { smallest: 3 << 9, deepest: 3 },
                None => return false,
            };
            span.len() >= range.smallest && options.skeleton_depth <= range.deepest
        }
        Engine::Automaton => false,
        Engine::Vectorised => true,
    }
}

/// Like [`parse_part`](super::part::parse_part), with this engine.
pub(super) fn parse(
    text: &[u8],
    part: Part<'_>,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Result<bool, Rejected> {
    parse_noting(text, part, options, scratch, |_| {})
}

/// Like [`parse`], but calls `finished` after every phase of every window.
pub(crate) fn parse_noting(
    text: &[u8],
    part: Part<'_>,
    options: &ParseOptions,
    scratch: &mut Scratch,
    finished: impl FnMut(Phase),
) -> Result<bool, Rejected> {
    let limits = Limits { max_depth: options.max_depth, skeleton_depth: options.skeleton_depth };
    // Brackets that are not events are not selected.
    let levels = part.open.len().min((limits.skeleton_depth as usize).saturating_add(1));
    let open = &part.open[..levels];
    let builder = Builder::new(&mut scratch.build, open, limits.max_depth, limits.skeleton_depth);
    let text = text.get(..part.span.end as usize).ok_or(Rejected)?;
    let mut events = Events { text, builder, finished };
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = options.kernel.avx512() {
        let buffers = scratch.avx512.get_or_insert_default();
        let surrogates = engine::avx512::parse(isa, text, part, limits, buffers, &mut events)?;
        events.builder.finish();
        if !part.is_last {
            scratch.open.clear();
            scratch.open.extend(buffers.open());
        }
        return Ok(surrogates);
    }
    let buffers = scratch.words.get_or_insert_default();
    let task = InWords { text, part, limits, buffers, events: &mut events };
    let surrogates = options.kernel.run_words(task)?;
    events.builder.finish();
    if !part.is_last {
        scratch.open.clear();
        scratch.open.extend(buffers.open());
    }
    Ok(surrogates)
}

/// The engine of words, compiled once per kernel.
struct InWords<'t, 'b, S> {
    text: &'t [u8],
    part: Part<'t>,
    limits: Limits,
    buffers: &'b mut engine::words::Buffers,
    events: &'b mut S,
}

impl<S: Sink> WordsTask for InWords<'_, '_, S> {
    type Output = Result<bool, Rejected>;

    #[inline(always)]
    fn run<W: Words>(self, words: W) -> Self::Output {
        let Self { text, part, limits, buffers, events } = self;
        engine::words::parse(words, text, part, limits, buffers, events)
    }
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
    fn take<I: Isa>(&mut self, isa: I, count: usize, tokens: impl Iterator<Item = Token>) {
        let mut writer = self.builder.writer(count);
        for token in tokens {
            match token.byte {
                // The engine has checked the nesting limit.
                b'{' | b'[' => writer.open(token.byte == b'{', token.offset),
                b'}' | b']' => writer.end(token.offset),
                _ => {
                    if let Some(event) = string_or_scalar(isa, self.text, token) {
                        writer.add(event);
                    }
                }
            }
        }
        let progress = writer.progress();
        self.builder.advance(progress);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn take_picked(&mut self, isa: Avx512, mut picked: Picked<'_>) {
        let count = picked.len();
        let mut writer = self.builder.writer(count.next_multiple_of(BATCH));
        let room = writer.room();
        picked.write(isa, self.text, room);
        for (event, token) in room.iter_mut().zip(picked.pending()) {
            *event = match string_or_scalar(isa, self.text, token) {
                Some(whole) => whole,
                None => event.with_offset(token.offset),
            };
        }
        for batch in 0..count.div_ceil(BATCH) {
            for i in bits(picked.brackets(isa, batch)) {
                writer.link(BATCH * batch + i);
            }
        }
        writer.keep(count);
        let progress = writer.progress();
        self.builder.advance(progress);
    }
}

/// The numbers of the bits that are set.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize & 63);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

/// Returns the event of a value that is no container; none for a bracket.
#[inline(always)]
fn string_or_scalar<I: Isa>(isa: I, text: &[u8], token: Token) -> Option<Event> {
    match token.byte {
        b'"' => string(isa, text, token),
        b'{' | b'[' | b'}' | b']' => None,
        _ => Some(scalar(text, token)),
    }
}

/// Returns the event of a string. It ends with the last quote before the next token.
#[inline(always)]
fn string<I: Isa>(isa: I, text: &[u8], token: Token) -> Option<Event> {
    let kind = if token.next_byte == b':' { Kind::Key } else { Kind::String };
    let start = token.offset as usize + 1;
    let end = end_before(text, token.next as usize).wrapping_sub(1);
    // The slice always exists. This is a branch so that no address waits for the result.
    let raw = text.get(start..end)?;
    let flags = isa.string_flags(raw);
    let flags = Flags::of_string(flags.has_escape(), flags.has_template());
    Some(Event::of_length(kind, flags, raw.len(), token.offset))
}

/// Returns the event of a number or literal, identified by its first byte.
#[inline(always)]
fn scalar(text: &[u8], token: Token) -> Event {
    let kind = match token.byte {
        b't' => Kind::True,
        b'f' => Kind::False,
        b'n' => Kind::Null,
        _ => Kind::Number,
    };
    let len = end_before(text, token.next as usize).saturating_sub(token.offset as usize);
    Event::of_length(kind, Flags::NONE, len, token.offset)
}
