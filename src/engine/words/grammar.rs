//! Checks the order of tokens in bit planes, 64 tokens to a word.
//!
//! The rules, and why neighbours suffice, are those of the engine with AVX-512: see
//! `engine/avx512/grammar.rs`. "The token *n* before" is a shift by *n* bits.

use super::streams::{CHUNK, Tokens, WORD, WORDS, lowest};
use crate::scan::Rejected;

/// The masks of the tokens of a window. The word *i* is about the tokens of the word *i* of the
/// planes.
pub(super) struct Found {
    /// `{ [`
    pub(super) open: [u64; WORDS],
    /// `} ]`
    pub(super) close: [u64; WORDS],
    /// All tokens except `:` and `,`.
    pub(super) value: [u64; WORDS],
    /// Of the token two before: brackets, and commas after a closing bracket.
    pub(super) symbol: [u64; WORDS],
    /// Of the token two before: brackets of objects, and commas that a name and a colon follow.
    pub(super) object: [u64; WORDS],
    /// Of the token two before: `{ [`
    pub(super) opens: [u64; WORDS],
    /// Of the token two before: `} ]`
    pub(super) closes: [u64; WORDS],
    errors: [u64; WORDS],
}

/// The masks of [`Found`] for so many words.
#[derive(Default)]
struct Chunk {
    open: [u64; CHUNK],
    close: [u64; CHUNK],
    value: [u64; CHUNK],
    symbol: [u64; CHUNK],
    object: [u64; CHUNK],
    opens: [u64; CHUNK],
    closes: [u64; CHUNK],
    errors: [u64; CHUNK],
}

impl Found {
    /// Sets the masks of the words from `start` on.
    #[inline(always)]
    fn set(&mut self, start: usize, made: &Chunk) {
        let put = |words: &mut [u64; WORDS], made: &[u64; CHUNK]| {
            if let Some(place) = words.get_mut(start..).and_then(<[u64]>::first_chunk_mut) {
                *place = *made;
            }
        };
        put(&mut self.open, &made.open);
        put(&mut self.close, &made.close);
        put(&mut self.value, &made.value);
        put(&mut self.symbol, &made.symbol);
        put(&mut self.object, &made.object);
        put(&mut self.opens, &made.opens);
        put(&mut self.closes, &made.closes);
        put(&mut self.errors, &made.errors);
    }
}

impl Default for Found {
    fn default() -> Self {
        let zeros = [0; WORDS];
        Self {
            open: zeros,
            close: zeros,
            value: zeros,
            symbol: zeros,
            object: zeros,
            opens: zeros,
            closes: zeros,
            errors: zeros,
        }
    }
}

/// Checks the order of `count` tokens, virtual ones included. Fills all masks of the words with
/// tokens.
#[inline(always)]
pub(super) fn check(tokens: &Tokens, count: usize, found: &mut Found) -> Result<(), Rejected> {
    let words = count.div_ceil(WORD).min(WORDS - CHUNK);
    if words == 0 {
        return Ok(());
    }
    let planes = [0, 1, 2].map(|plane: usize| tokens.planes[plane].words());
    let mut start = 1;
    while start <= words {
        // Arrays of fixed size, which become vectors: nothing else is at the same place.
        let mut now = [[0; CHUNK]; 3];
        let mut last = [[0; CHUNK]; 3];
        for plane in 0..3 {
            let Some(words) = planes[plane].get(start - 1..).and_then(<[_]>::first_chunk) else {
                return Err(Rejected); // Never: the planes have whole chunks.
            };
            let words: &[[u8; 8]; CHUNK + 1] = words;
            for k in 0..CHUNK {
                last[plane][k] = u64::from_le_bytes(words[k]);
                now[plane][k] = u64::from_le_bytes(words[k + 1]);
            }
        }
        let mut made = Chunk::default();
        for k in 0..CHUNK {
            // The classes of the tokens, and of those one, two, three and four before.
            let (p_low, p_middle, p_high) = (now[0][k], now[1][k], now[2][k]);
            let (low0, middle0, high0) = (last[0][k], last[1][k], last[2][k]);
            let before = |word: u64, previous: u64, n: u32| word << n | previous >> (64 - n);
            let q_low = before(p_low, low0, 1);
            let q_middle = before(p_middle, middle0, 1);
            let q_high = before(p_high, high0, 1);
            let r_low = before(p_low, low0, 2);
            let r_middle = before(p_middle, middle0, 2);
            let r_high = before(p_high, high0, 2);
            let p_close = p_middle & p_high;
            let s_close = before(p_close, middle0 & high0, 3);
            let s_simple = before(!(p_middle | p_high), !(middle0 | high0), 3);
            let p_colon = p_middle & !p_high & !p_low;
            let t_colon = before(p_colon, middle0 & !high0 & !low0, 4);

            let q_string = q_low & !q_middle & !q_high;
            let q_open = q_high & !q_middle;
            let q_simple = !(q_middle | q_high);
            let r_open = r_high & !r_middle;
            let r_close = r_high & r_middle;
            let r_comma = r_low & r_middle & !r_high;
            let r_colon = r_middle & !r_high & !r_low;
            let r_open_object = r_open & !r_low;

            // 1 and 2
            let value_before = !(q_middle ^ q_high);
            let empty = q_open & p_close;
            let e1 = (value_before ^ p_middle) & !empty;
            let e2 = empty & (q_low ^ p_low);
            // 3 and 4
            let e34 = p_colon & !(q_string & (r_open_object | r_comma));
            // 5
            let e5 = q_open & !q_low & !p_middle & (p_high | !p_low);
            // 6
            let e6 = r_open_object & q_string & !p_colon;
            // 7
            let e7 = r_comma & s_simple & (p_colon ^ t_colon);
            // 8
            let e8 = p_close & q_simple & !(p_low ^ r_colon);
            made.errors[k] = e1 | e2 | e34 | e5 | e6 | e7 | e8;

            made.open[k] = p_high & !p_middle;
            made.close[k] = p_close;
            made.value[k] = !p_middle | p_high;
            made.symbol[k] = r_high | r_comma & s_close;
            made.object[k] = r_high & !r_low | r_comma & p_colon;
            made.opens[k] = r_open;
            made.closes[k] = r_close;
        }
        found.set(start, &made);
        start += CHUNK;
    }
    let Found { symbol, errors, .. } = found;
    // The last word may not be full.
    let valid = lowest(count - WORD * (words - 1));
    errors[words] &= valid;
    symbol[words] &= valid;
    let wrong = errors[1..=words].iter().fold(0, |wrong, word| wrong | word);
    if wrong == 0 { Ok(()) } else { Err(Rejected) }
}
