//! Runs the phases on one window after another, and carries state between windows.
//!
//! The phases carry a small state from window to window:
//!
//! - masks: whether a string, an escape or a scalar continues (in [`State`]);
//! - [`Scalars`]: bytes that do not fill a group yet, and the bytes before them;
//! - [`Tokens`]: the last 64 tokens;
//! - [`Depth`], [`Symbols`] and [`Brackets`]: nesting, and the types of the open containers;
//! - the last selected token of the window, if the token after it is in the next one.
//!
//! Text is never read past the end of the range: the rest after the last whole block is copied and
//! padded with spaces.

use super::brackets::{Brackets, Symbols};
use super::grammar::{self, Found};
use super::marked::Marked;
use super::pick::{self, Depth};
use super::scalars::Scalars;
use super::streams::{MOST, Picks, Tokens, WORD};
use crate::engine::sink::{Limits, Phase, Sink};
use crate::scan::words::{self, Masks, STEP, Words, kind};
use crate::scan::{BLOCK, PIECE, Rejected, State, WINDOW};
use crate::span::Part;

/// The buffers of one thread's parses: about 60 KB, and a byte for every level of nesting.
pub(crate) struct Buffers {
    masks: Masks,
    tokens: Tokens,
    scalars: Scalars,
    escapes: Marked,
    found: Found,
    picks: Picks,
    symbols: Symbols,
    brackets: Brackets,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            masks: Masks::default(),
            tokens: Tokens::new(),
            scalars: Scalars::new(),
            escapes: Marked::new(),
            found: Found::default(),
            picks: Picks::new(),
            symbols: Symbols::new(),
            brackets: Brackets::new(),
        }
    }
}

impl Buffers {
    /// The containers that were open at the end of the last part, outermost first: true for each
    /// object.
    pub(crate) fn open(&self) -> impl Iterator<Item = bool> {
        self.brackets.open()
    }
}

/// Validates one part of a text and passes the tokens of its skeleton to `sink`.
///
/// Returns whether it contains an escaped surrogate.
#[inline(always)]
pub(crate) fn parse<W: Words, S: Sink>(
    isa: W,
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
    let Buffers { masks, tokens, scalars, escapes, found, picks, symbols, brackets } = buffers;
    *masks = Masks::default();
    tokens.start(!part.open.is_empty());
    scalars.start();
    escapes.clear();
    brackets.start();
    symbols.start(part.open)?;
    let text = text.get(..state.end()).ok_or(Rejected)?;
    let (mut all, mut first) = (0, kind::SCALAR);
    // The offset of a selected token without a token after it.
    let mut pending = None;
    loop {
        let window = state.window(text)?;
        let bytes = &text[window.clone()];
        let to = (&mut *masks, &mut *tokens, &mut scalars.marked, &mut *escapes);
        find(isa, text, window.start, bytes, &mut state, to)?;
        let last = state.is_done();
        sink.finished(Phase::Masks);
        if all == 0 && tokens.count > 0 {
            first = tokens.first_class();
        }
        all += tokens.count;

        scalars.append(bytes, last);
        sink.finished(Phase::Compress);
        scalars.check(isa, last)?;
        sink.finished(Phase::Scalars);
        let count = tokens.count;
        let with_virtual = if last { count + 2 } else { count };
        grammar::check(tokens, with_virtual, found)?;
        sink.finished(Phase::Grammar);
        pick::pick(isa, found, (count, with_virtual), &mut depth, picks, symbols)?;
        sink.finished(Phase::Pick);
        brackets.check(isa, symbols, last)?;
        sink.finished(Phase::Brackets);

        if let Some(offset) = pending
            && (last || count > 0)
        {
            sink.take(isa, 1, std::iter::once(tokens.pending(text, offset)));
            pending = None;
        }
        if !last && count > 0 && picks.remove(count - 1) {
            pending = Some(tokens.last_offset());
        }
        sink.take(isa, picks.count, tokens.picked(isa, text, picks));
        sink.finished(Phase::Sink);
        if last {
            break;
        }
        if part.is_stopped() {
            return Err(Rejected);
        }
        tokens.carry();
    }
    // The root is a scalar; see the grammar.
    let is_scalar = first != kind::OPEN_OBJECT && first != kind::OPEN_ARRAY;
    if part.is_last && depth.now != 0 || part.open.is_empty() && all != 1 && is_scalar {
        return Err(Rejected);
    }
    Ok(state.surrogates())
}

/// Finds the tokens and scalars of the window at `base`, and ends it in `state`.
#[inline(always)]
fn find<W: Words>(
    isa: W,
    text: &[u8],
    base: usize,
    bytes: &[u8],
    state: &mut State,
    (masks, tokens, scalars, escapes): (&mut Masks, &mut Tokens, &mut Marked, &mut Marked),
) -> Result<(), Rejected> {
    let mut carry = state.carry;
    let (mut bad, mut not_ascii) = (0, 0);
    let mut packer = tokens.packer();
    let (whole, rest) = bytes.as_chunks::<BLOCK>();
    let blocks = whole.len() + usize::from(!rest.is_empty());
    let mut found = words::Found::default();
    let mut compressed = [[0; STEP]; 3];
    for start in (0..blocks).step_by(STEP) {
        let padded;
        let step = match whole.get(start..).and_then(<[_]>::first_chunk) {
            Some(step) => step,
            None => {
                padded = pad(&bytes[BLOCK * start..]);
                &padded
            }
        };
        // Several loops: the processor then works on several blocks at once, and each loop has
        // all registers.
        if let Some(ahead) = text.get(base + WINDOW + BLOCK * start..)
            && let Some(ahead) = ahead.get(..BLOCK * STEP)
        {
            for i in 0..STEP {
                isa.prefetch(ahead, BLOCK * i);
            }
        }
        not_ascii |= u64::from(isa.masks(step, masks)) << (start / STEP);
        bad |= words::find(isa, masks, &mut carry, &mut found);
        scalars.set(isa, start, &found.scalars);
        escapes.set(isa, start, &found.escapes);
        let Some((planes, token_masks, before)) = tokens.room(start) else {
            return Err(Rejected); // Never: a window has no more blocks.
        };
        *token_masks = found.tokens;
        if W::COMPRESSES_MANY {
            isa.compress_step(&masks.planes, &found.tokens, &mut compressed);
        }
        let [low, middle, high] = &masks.planes;
        let classes = |i: usize| match W::COMPRESSES_MANY {
            true => [compressed[0][i], compressed[1][i], compressed[2][i]],
            false => {
                let classes =
                    [words::whole(low[i]), words::whole(middle[i]), words::whole(high[i])];
                isa.compress(classes, found.tokens[i])
            }
        };
        for i in (0..STEP).step_by(2) {
            let (first, second) = (found.tokens[i].count_ones(), found.tokens[i + 1].count_ones());
            before[i] = (packer.len - WORD) as u16;
            before[i + 1] = before[i] + first as u16;
            let ([a, b, c], [d, e, f]) = (classes(i), classes(i + 1));
            // Usually both fit at once.
            if first + second <= MOST {
                let bits = [a | d << first, b | e << first, c | f << first];
                packer.push_few(planes, bits, first + second);
            } else {
                packer = packer.push_two(planes, ([a, b, c], first), ([d, e, f], second));
            }
        }
    }
    if bad != 0 {
        return Err(Rejected);
    }
    let mut padded = [b' '; BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    for (start, mut left) in escapes.take() {
        while left != 0 {
            let i = start + left.trailing_zeros() as usize;
            left &= left - 1;
            let block = whole.get(i).unwrap_or(&padded);
            let place = (text, base + BLOCK * i);
            state.surrogates |= words::check_escapes(isa, block, place, escapes.mask(i))?;
        }
    }
    state.finish_pieces(text, base + bytes.len(), carry, not_ascii)?;
    tokens.end(blocks, base as u32, packer, state.is_done());
    Ok(())
}

/// Returns the last bytes of a text, fewer than a step, padded with spaces.
#[cold]
#[inline(never)]
fn pad(rest: &[u8]) -> [[u8; BLOCK]; STEP] {
    let mut step = [[b' '; BLOCK]; STEP];
    step.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
    step
}

const _: () = assert!(PIECE == BLOCK * STEP && WINDOW / PIECE <= 64);
