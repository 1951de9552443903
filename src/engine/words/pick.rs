//! Selects the tokens of the skeleton by their depth, checks the nesting limit, and collects the
//! symbols that the neighbours of a token do not decide.

use super::brackets::Symbols;
use super::grammar::Found;
use super::streams::{CHUNK, Packer, Picks, WORD, WORDS, lowest};
use crate::scan::Rejected;
use crate::scan::words::Words;

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

/// Selects tokens among `count`, and appends symbols of `all` tokens, virtual ones included.
#[inline(always)]
pub(super) fn pick<W: Words>(
    words: W,
    found: &mut Found,
    (count, all): (usize, usize),
    depth: &mut Depth,
    picks: &mut Picks,
    symbols: &mut Symbols,
) -> Result<(), Rejected> {
    picks.count = 0;
    let mut packer = Packer::after(&symbols.planes, symbols.count);
    let end = all.div_ceil(WORD).min(WORDS - CHUNK) + 1;
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
        let mut pick = 0;
        if levels + closed >= 0 {
            pick = found.value[i] & present;
            if levels < opened {
                pick &= words.at_most(levels as i8, open, close);
            }
            picks.count += pick.count_ones() as usize;
        }
        picks.words[i - 1] = pick;
        if depth.now + opened > depth.limit && is_too_deep(*depth, open, close) {
            return Err(Rejected);
        }
        depth.now += opened - closed;
    }
    picks.words[end - 1] = 0;
    picks.words[end] = 0;
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
