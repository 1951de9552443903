//! Checks numbers and literals on the dense stream of their bytes, 512 bytes at a time.
//!
//! In the stream, each scalar is followed by the byte that ended it: whitespace, operator or quote,
//! here called its *end*. The rules are those of the engine with AVX-512, see
//! `engine/avx512/scalars.rs`, on a mask for each byte that occurs in a scalar. "The byte *n*
//! before" is a shift by *n* bits.

use super::marked::Marked;
use crate::scan::words::{GROUP, Letters, LettersOf, Words};
use crate::scan::{BLOCK, Rejected, WINDOW};

/// The number of bytes that are copied at once.
const PIECE: usize = 16;
/// Room for the bytes of a block, and for what is copied after them.
const COPY: usize = 2 * BLOCK + PIECE;
/// Room for an unfilled group, the bytes of a window and one more, and another group.
const ROOM: usize = GROUP * BLOCK + WINDOW + GROUP * BLOCK;
const _: () = assert!(COPY < GROUP * BLOCK);

/// The scalar bytes that have not been checked yet, and where those of a window are.
pub(super) struct Scalars {
    bytes: [u8; ROOM],
    end: usize,
    /// The scalar bytes of each block.
    pub(super) marked: Marked,
    /// The masks of the bytes that are checked together, and of the last 64 before them.
    letters: LettersOf,
    carry: Carry,
}

/// Whether a run of digits continues from the previous word: a run of a fraction or exponent, and
/// a run of an exponent.
#[derive(Clone, Copy, Default)]
struct Carry {
    run: bool,
    power: bool,
}

impl Scalars {
    pub(super) fn new() -> Self {
        Self {
            bytes: [0; ROOM],
            end: 0,
            marked: Marked::new(),
            letters: LettersOf::default(),
            carry: Carry::default(),
        }
    }

    /// Starts a text: an end precedes the first scalar.
    #[inline]
    pub(super) fn start(&mut self) {
        self.end = 0;
        self.marked.clear();
        self.letters.set(0, &Letters { end: !0, ..Letters::default() });
        self.carry = Carry::default();
    }

    /// Appends the scalars of a window to the stream; a space ends the one at the end of the
    /// `last` window.
    #[inline(always)]
    pub(super) fn append(&mut self, window: &[u8], last: bool) {
        // The last two blocks, followed by spaces.
        let whole = (window.len() / BLOCK).saturating_sub(1);
        let mut tail = [b' '; 3 * BLOCK];
        let rest = &window[BLOCK * whole..];
        tail[..rest.len()].copy_from_slice(rest);
        let mut end = self.end;
        for (first, mut left) in self.marked.take() {
            while left != 0 {
                let block = first + left.trailing_zeros() as usize;
                left &= left - 1;
                let bytes = match window.get(BLOCK * block..).and_then(<[u8]>::first_chunk) {
                    Some(bytes) => Some(bytes),
                    None => tail.get(BLOCK * (block - whole)..).and_then(<[u8]>::first_chunk),
                };
                let to = self.bytes.get_mut(end..).and_then(<[u8]>::first_chunk_mut);
                let (Some(bytes), Some(to)) = (bytes, to) else {
                    return; // Never: the window has the block, and there is room for its bytes.
                };
                end += copy(bytes, self.marked.mask(block), to);
            }
        }
        if last {
            self.bytes[end] = b' ';
            end += 1;
        }
        self.end = end;
    }

    /// Checks all groups that are full, and the rest if it is the `last`.
    #[inline(always)]
    pub(super) fn check<W: Words>(&mut self, words: W, last: bool) -> Result<(), Rejected> {
        const BYTES: usize = GROUP * BLOCK;
        if self.end < BYTES && !last {
            return Ok(());
        }
        let count = self.end.min(ROOM - BYTES);
        let judged = if last { count.div_ceil(BYTES) } else { count / BYTES };
        if last {
            // The rest of the last group.
            self.bytes[count..(BYTES * judged).max(count)].fill(b' ');
        }
        let mut wrong = 0;
        let (groups, _) = self.bytes.as_chunks::<BYTES>();
        for group in groups.iter().take(judged) {
            if let Some(blocks) = group.as_chunks::<BLOCK>().0.first_chunk() {
                words.letters_of(blocks, &mut self.letters);
                wrong |= errors(&self.letters, &mut self.carry);
                self.letters.carry();
            }
        }
        let judged = BYTES * judged;
        self.bytes.copy_within(judged..judged + BYTES, 0);
        self.end = count.saturating_sub(judged);
        if wrong == 0 { Ok(()) } else { Err(Rejected) }
    }
}

/// Returns bytes of a group that break a rule: 0 if there is none.
#[inline(always)]
fn errors(letters: &LettersOf, carry: &mut Carry) -> u64 {
    // Each word depends on the one before only, so this loop becomes vectors.
    let (mut wrong, mut power, mut fraction) = ([0; GROUP], [0; GROUP], [0; GROUP]);
    for k in 0..GROUP {
        (wrong[k], power[k], fraction[k]) = errors_of(letters, k);
    }
    let mut all = 0;
    for k in 0..GROUP {
        // Runs of digits: of exponents, and of fractions or exponents.
        let digit = letters.digit[k + 1];
        let second_exponent = after_runs(digit, power[k], &mut carry.power);
        let second_point = after_runs(digit, power[k] | fraction[k], &mut carry.run);
        all |= wrong[k]
            | letters.exponent[k + 1] & second_exponent
            | letters.point[k + 1] & second_point;
    }
    all
}

/// Returns the bytes of a word that break a rule about at most four bytes, and the first digits of
/// exponents and of fractions.
#[inline(always)]
fn errors_of(letters: &LettersOf, k: usize) -> (u64, u64, u64) {
    macro_rules! now {
        ($letter:ident) => {
            letters.$letter[k + 1]
        };
    }
    macro_rules! before {
        ($letter:ident, $n:literal) => {
            letters.$letter[k + 1] << $n | letters.$letter[k] >> (64 - $n)
        };
    }
    let (end, digit, point) = (now!(end), now!(digit), now!(point));
    let (exponent, sign) = (now!(exponent), now!(sign));
    let (end1, end2, end3) = (before!(end, 1), before!(end, 2), before!(end, 3));
    let (exponent1, digit1, sign1) = (before!(exponent, 1), before!(digit, 1), before!(sign, 1));
    let (u1, u2, l1) = (before!(u, 1), before!(u, 2), before!(l, 1));
    let a2 = before!(a, 2);

    // Letters.
    let literal = now!(a) | now!(f) | now!(l) | now!(n) | now!(r) | now!(s) | now!(t) | now!(u);
    let unknown = !(end | digit | point | exponent | sign | literal);
    let first = (now!(t) | now!(n) | now!(f)) & !end1;
    let r = now!(r) ^ before!(t, 1);
    let u = now!(u) ^ (before!(r, 1) | before!(n, 1));
    let a = now!(a) ^ before!(f, 1);
    // An `l` follows `a`, and `nu`, and `ul`.
    let l = now!(l) ^ (before!(a, 1) | u1 & before!(n, 2) | l1 & u2);
    let s = now!(s) ^ l1 & a2;
    // An `e` follows `s`, and `ru`.
    let e_follows = before!(s, 1) | u1 & before!(r, 2);
    let e = e_follows & !now!(small_e);
    // The end follows the last letter; if no digit precedes it, only the last letter.
    let last_e = exponent1 & (u2 | before!(s, 2));
    let literal_before = last_e | l1 & before!(l, 2);
    let ends = end & !(digit1 | end1) ^ literal_before;

    // Numbers.
    // A sign follows the exponent's letter; a minus can also start a number.
    let sign_alone = sign & !exponent1 & !(now!(minus) & end1);
    // Digits must follow signs and points; a digit or a sign must follow the exponent's letter.
    let digit_missing = (sign1 | before!(point, 1)) & !digit;
    let power_missing = exponent1 & !last_e & !(digit | sign);
    // A digit precedes points and exponents.
    let point_alone = point & !digit1;
    let exponent_alone = exponent & !e_follows & !digit1;
    // No digit follows a leading zero of the integer part.
    let zeros = digit & before!(zero, 1) & (end2 | before!(sign, 2) & end3);

    let power = digit & (exponent1 | sign1 & before!(exponent, 2));
    let fraction = digit & before!(point, 1);
    let wrong = unknown
        | first
        | (r | u | a | l | s | e)
        | ends
        | (sign_alone | digit_missing | power_missing | point_alone | exponent_alone)
        | zeros;
    (wrong, power, fraction)
}

/// Returns the bits after runs of ones in `runs`: after the runs whose first bits are in `starts`,
/// and after a run that continues from the previous word.
#[inline(always)]
fn after_runs(runs: u64, starts: u64, carry: &mut bool) -> u64 {
    let (sum, over) = runs.overflowing_add(starts);
    let (sum, over_again) = sum.overflowing_add(u64::from(*carry));
    *carry = over | over_again;
    sum & !runs
}

/// Copies the runs of bytes that the mask selects, one after another. Returns their number.
#[inline(always)]
fn copy(bytes: &[u8; BLOCK + PIECE], mut mask: u64, to: &mut [u8; COPY]) -> usize {
    let mut copied = 0;
    while mask != 0 {
        let start = mask.trailing_zeros() as usize % BLOCK;
        let after = mask.wrapping_add(mask & mask.wrapping_neg());
        let len = after.trailing_zeros() as usize - start;
        mask &= after;
        // Most are short, so that one piece is enough. No index is out of bounds.
        let at = copied % (2 * BLOCK);
        if let (Some(from), Some(to)) = (
            bytes.get(start..start + PIECE).and_then(<[u8]>::first_chunk::<PIECE>),
            to.get_mut(at..at + PIECE).and_then(<[u8]>::first_chunk_mut),
        ) {
            *to = *from;
        }
        for piece in (PIECE..len).step_by(PIECE) {
            let from = bytes.get(start + piece..).and_then(<[u8]>::first_chunk::<PIECE>);
            let to = to.get_mut(copied + piece..).and_then(<[u8]>::first_chunk_mut);
            if let (Some(from), Some(to)) = (from, to) {
                *to = *from;
            }
        }
        copied += len;
    }
    copied
}
