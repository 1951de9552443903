//! Selects the tokens of the skeleton by their depth, checks the nesting limit, and collects the
//! symbols that the neighbours of a token do not decide.

use super::brackets::Symbols;
use super::grammar::Found;
use super::streams::{Packer, WORD, WORDS, lowest};
use crate::scan::words::Words;
use crate::scan::{Rejected, WINDOW};

/// The current nesting depth and its limits.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    /// The number of open containers at the first token of the window.
    pub(super) now: i64,
    /// The maximum depth.
    pub(super) limit: i64,
    /// The maximum number of containers around a selected token.
    pub(super) skeleton: i64,
}

/// The indices of the selected tokens of a window, and room for one word more.
pub(super) struct Indices {
    pub(super) all: [u16; WINDOW + WORD],
    pub(super) count: usize,
}

impl Indices {
    pub(super) fn new() -> Self {
        Self { all: [0; WINDOW + WORD], count: 0 }
    }

    /// Appends `at` plus the place of each set bit.
    #[inline(always)]
    fn push(&mut self, mut mask: u64, at: usize) {
        let mut left = mask.count_ones() as usize;
        let mut end = self.count;
        self.count += left;
        loop {
            let Some(places) = self.all.get_mut(end..).and_then(<[u16]>::first_chunk_mut::<4>)
            else {
                return;
            };
            for place in places {
                *place = (at as u16).wrapping_add(mask.trailing_zeros() as u16);
                mask &= mask.wrapping_sub(1);
            }
            if left <= 4 {
                return;
            }
            left -= 4;
            end += 4;
        }
    }
}

/// Selects tokens among `count`, and appends symbols of `all` tokens, virtual ones included.
#[inline(always)]
pub(super) fn pick<W: Words>(
    words: W,
    found: &mut Found,
    (count, all): (usize, usize),
    depth: &mut Depth,
    indices: &mut Indices,
    symbols: &mut Symbols,
) -> Result<(), Rejected> {
    indices.count = 0;
    let mut packer = Packer::after(&symbols.planes, symbols.count);
    let end = all.div_ceil(WORD).min(WORDS - 1) + 1;
    if W::COMPRESSES_MANY {
        let Found { opens, closes, object, .. } = found;
        let planes = [&mut opens[1..end], &mut closes[1..end], &mut object[1..end]];
        words.compress_all(planes, &found.symbol[1..end]);
    }
    for i in 1..end {
        let mut planes = [found.opens[i], found.closes[i], found.object[i]];
        if !W::COMPRESSES_MANY {
            planes = words.compress(planes, found.symbol[i]);
        }
        packer.push(&mut symbols.planes, planes, found.symbol[i].count_ones());

        let at = WORD * (i - 1);
        let present = lowest(count.saturating_sub(at));
        let (open, close) = (found.open[i] & present, found.close[i] & present);
        let (opened, closed) = (i64::from(open.count_ones()), i64::from(close.count_ones()));
        // The number of levels that may still open before tokens are too deep to be selected.
        let levels = depth.skeleton - depth.now;
        if levels + closed >= 0 {
            let mut pick = found.value[i] & present;
            if levels < opened {
                pick &= words.at_most(levels as i8, open, close);
            }
            indices.push(pick, at);
        }
        if depth.now + opened > depth.limit && is_too_deep(*depth, open, close) {
            return Err(Rejected);
        }
        depth.now += opened - closed;
    }
    packer.flush(&mut symbols.planes);
    symbols.count = packer.len;
    Ok(())
}

/// Whether the depth exceeds the limit, checked bracket by bracket.
#[cold]
#[inline(never)]
fn is_too_deep(depth: Depth, open: u64, close: u64) -> bool {
    let Depth { mut now, limit, .. } = depth;
    let mut left = open | close;
    while left != 0 {
        let bracket = left & left.wrapping_neg();
        left ^= bracket;
        if open & bracket == 0 {
            now -= 1;
        } else {
            now += 1;
            if now > limit {
                return true;
            }
        }
    }
    false
}
