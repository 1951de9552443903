//! Runs the phases on one window after another, and carries state between windows.
//!
//! The phases carry a small state from window to window:
//!
//! - masks: whether a string, an escape or a scalar continues (in [`State`]);
//! - [`Masks`], for UTF-8: the bytes of the last step, if they are not all ASCII;
//! - [`Scalars`]: bytes that do not fill a group yet, and the bytes before them;
//! - [`Tokens`]: the last four tokens, of which the grammar has checked all but two;
//! - [`Depth`] and [`Brackets`]: nesting, and the types of the open containers.
//!
//! Each phase that reads text prefetches half of the next window, to keep the memory busy.
//!
//! Text is never read past its end: the rest after the last whole step is copied and padded with
//! spaces.

use super::brackets::{Brackets, Symbols};
use super::compress;
use super::events::{self, Depth};
use super::grammar;
use super::masks::Masks;
use super::picks::{Picked, Picks};
use super::scalars::Scalars;
use super::streams::{FIRST, FRONT, ROOM, Tokens};
use crate::engine::sink::{Limits, Phase, Sink};
use crate::scan::avx512::with_avx512;
use crate::scan::avx512::{Avx512, STEP, prefetch};
use crate::scan::{Rejected, State, WINDOW};
use crate::span::Part;

/// The buffers of one thread's parses: about 130 KB, and a byte for every level of nesting.
pub(crate) struct Buffers {
    tokens: Tokens,
    scalars: Scalars,
    brackets: Brackets,
    picks: Picks,
    symbols: Symbols,
    grammar: Box<grammar::Masks>,
    masks: Masks,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            tokens: Tokens::new(),
            scalars: Scalars::new(),
            brackets: Brackets::new(),
            picks: Picks::new(),
            symbols: Symbols::new(),
            grammar: Box::default(),
            masks: Masks::new(),
        }
    }
}

/// Validates one part of a text and passes the tokens of its skeleton to `sink`.
///
/// Returns whether it contains an escaped surrogate.
#[inline]
pub(crate) fn parse<S: Sink>(
    isa: Avx512,
    text: &[u8],
    part: Part<'_>,
    limits: Limits,
    buffers: &mut Buffers,
    sink: &mut S,
) -> Result<bool, Rejected> {
    // SAFETY: `isa` proves that the CPU has the features.
    unsafe { run(isa, text, part, limits, buffers, sink) }
}

with_avx512! {
    fn run<S: Sink>(
        isa: Avx512,
        text: &[u8],
        part: Part<'_>,
        limits: Limits,
        buffers: &mut Buffers,
        sink: &mut S,
    ) -> Result<bool, Rejected> {
        let mut state = State::new(part.span);
        let mut depth = Depth {
            now: part.open.len() as i64,
            limit: limits.max_depth.into(),
            skeleton: limits.skeleton_depth.into(),
        };
        let Buffers { tokens, scalars, brackets, picks, symbols, grammar, masks } = buffers;
        tokens.start();
        masks.start();
        scalars.start();
        brackets.start();
        symbols.end = 0;
        if !part.open.is_empty() {
            resume(part.open, tokens, symbols)?;
        }
        let (mut all, mut first) = (0, 0);
        loop {
            let window = state.window(text)?;
            let (whole, rest) = text[window.clone()].as_chunks::<STEP>();
            let mut padded = [b' '; STEP];
            padded[..rest.len()].copy_from_slice(rest);
            let steps = whole.len() + usize::from(!rest.is_empty());

            masks.find(text, &window, (whole, &padded), steps, &mut state)?;
            sink.finished(Phase::Masks);

            tokens.base = window.start as u32;
            for (i, masks) in masks.steps[..steps].iter().enumerate() {
                let step = whole.get(i).unwrap_or(&padded);
                let half = window.start + WINDOW + WINDOW / 2;
                for line in 0..4 {
                    prefetch(text, half + STEP / 2 * i + 64 * line);
                }
                let masks = (&masks.tokens, &masks.scalars);
                compress::append(step, STEP * i, masks, tokens, scalars);
            }
            if all == 0 {
                first = tokens.bytes[FIRST];
            }
            all += tokens.end - FIRST;

            if state.is_done() {
                scalars.finish();
                tokens.push(b',', window.len() as u16);
                tokens.push(b'0', window.len() as u16);
            }
            sink.finished(Phase::Compress);
            scalars.check(state.is_done())?;
            sink.finished(Phase::Scalars);
            grammar::check(tokens, grammar)?;
            sink.finished(Phase::Grammar);
            events::pick(tokens, grammar, &mut depth, picks, symbols)?;
            sink.finished(Phase::Pick);
            brackets.check(symbols, state.is_done())?;
            sink.finished(Phase::Brackets);
            give(isa, Picked { picks, tokens }, sink);
            sink.finished(Phase::Sink);
            if state.is_done() {
                break;
            }
            if part.is_stopped() {
                return Err(Rejected);
            }
            tokens.carry();
        }
        // The root is a scalar; see the grammar.
        let is_scalar = first != b'{' && first != b'[';
        if part.is_last && depth.now != 0 || part.open.is_empty() && all != 1 && is_scalar {
            return Err(Rejected);
        }
        Ok(state.surrogates())
    }

    /// A separate function, so that its loop has all registers.
    #[inline(never)]
    fn give<S: Sink>(isa: Avx512, picked: Picked<'_>, sink: &mut S) {
        sink.take_picked(isa, picked);
    }
}

/// Starts after a comma. The tokens before it do not matter if the comma's container is known.
fn resume(open: &[bool], tokens: &mut Tokens, symbols: &mut Symbols) -> Result<(), Rejected> {
    if open.len() > symbols.bytes.len() - ROOM {
        return Err(Rejected);
    }
    tokens.bytes[FIRST - 1] = b',';
    let places = &mut symbols.bytes[..open.len()];
    for (place, &is_object) in places.iter_mut().zip(open) {
        *place = if is_object { b'{' } else { b'[' };
    }
    symbols.end = open.len();
    Ok(())
}

impl Buffers {
    /// The containers that were open at the end of the last part, outermost first: true for each
    /// object.
    pub(crate) fn open(&self) -> impl Iterator<Item = bool> {
        self.brackets.open()
    }
}

const _: () = assert!(FRONT < FIRST);
