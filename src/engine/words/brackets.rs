//! Checks that brackets match, and that commas are in the type of container that their neighbours
//! imply.
//!
//! The input is *symbols*: all brackets, and the commas that follow a closing bracket, in three
//! planes. Passes over words of 64 symbols drop those that their neighbours decide, as in the
//! engine with AVX-512: see `engine/avx512/brackets.rs`. The rest goes through a stack.

use super::streams::{BLOCKS, Bits, Packer, WORD, lowest};
use crate::scan::Rejected;
use crate::scan::words::Words;

/// The type below the outermost container; no container has this type.
const NONE: u8 = 2;

/// Each pair of passes moves the symbols to the other buffer and back.
const PAIRS_OF_PASSES: usize = 2;
/// The number of symbols that are collected before they are checked.
const BATCH: usize = 1024;
/// Words for an incomplete batch, the symbols of a window, virtual ones, and one more word.
const SYMBOLS: usize = BATCH / WORD + BLOCKS + 3;

/// One bit per symbol: whether it opens, whether it closes, whether it belongs to an object.
type Planes = [Bits<{ 8 * SYMBOLS }>; 3];

/// Symbols that have not been checked.
pub(super) struct Symbols {
    pub(super) planes: Planes,
    pub(super) count: usize,
}

impl Symbols {
    pub(super) fn new() -> Self {
        Self { planes: [Bits::new(), Bits::new(), Bits::new()], count: 0 }
    }

    /// Starts with the opening brackets of these containers: true for each object. There must be no
    /// more than a batch.
    pub(super) fn start(&mut self, open: &[bool]) -> Result<(), Rejected> {
        self.count = open.len();
        if self.count > BATCH {
            return Err(Rejected);
        }
        let mut packer = Packer::after(&self.planes, 0);
        for &is_object in open {
            packer.push(&mut self.planes, [1, 0, u64::from(is_object)], 1);
        }
        packer.flush(&mut self.planes);
        Ok(())
    }
}

/// The open containers.
pub(super) struct Brackets {
    /// For each pass, the last symbol.
    last: [[Last; 2]; PAIRS_OF_PASSES],
    /// The types of the open containers, outermost first, above [`NONE`], then unused room.
    stack: Vec<u8>,
    /// The length of the stack.
    top: usize,
    /// The symbols that a pass has left.
    left: Planes,
}

/// The symbol before those of a batch.
#[derive(Clone, Copy)]
struct Last {
    closes: u64,
    object: u64,
}

impl Last {
    /// Nothing is compared with a closing bracket.
    const START: Self = Self { closes: 1, object: 0 };
}

impl Brackets {
    pub(super) fn new() -> Self {
        Self {
            last: [[Last::START; 2]; PAIRS_OF_PASSES],
            stack: Vec::new(),
            top: 1,
            left: [Bits::new(), Bits::new(), Bits::new()],
        }
    }

    /// Starts a text.
    #[inline]
    pub(super) fn start(&mut self) {
        self.last = [[Last::START; 2]; PAIRS_OF_PASSES];
        self.top = 1;
        if let Some(bottom) = self.stack.first_mut() {
            *bottom = NONE;
        }
    }

    /// The open containers, outermost first: true for each object.
    pub(super) fn open(&self) -> impl Iterator<Item = bool> {
        let open = self.stack.get(1..self.top).unwrap_or_default();
        open.iter().map(|&kind| kind == 1)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, symbols: usize) {
        let room = (self.top + symbols + 1).max(2 * self.stack.len());
        self.stack.resize(room, 0);
        self.stack[0] = NONE;
    }

    /// Checks the symbols if they fill a batch, or if they are the `last`.
    #[inline(always)]
    pub(super) fn check<W: Words>(
        &mut self,
        words: W,
        symbols: &mut Symbols,
        last: bool,
    ) -> Result<(), Rejected> {
        if symbols.count < BATCH && !last {
            return Ok(());
        }
        let (mut count, mut wrong) = (symbols.count, 0);
        for [last, last_of_next] in &mut self.last {
            count = reduce(words, &symbols.planes, count, &mut self.left, last, &mut wrong);
            count = reduce(words, &self.left, count, &mut symbols.planes, last_of_next, &mut wrong);
        }
        symbols.count = 0;
        if wrong != 0 {
            return Err(Rejected);
        }
        self.pair(&symbols.planes, count)
    }

    /// Checks the remaining symbols with the stack. Every symbol takes the same step: it reads the
    /// type at its level and writes its own. If the types are equal, only opening brackets change
    /// the stack.
    #[inline(never)]
    fn pair(&mut self, planes: &Planes, count: usize) -> Result<(), Rejected> {
        if self.stack.len() < self.top + count + 1 {
            self.grow(count);
        }
        let mut differ = 0;
        let mut top = self.top;
        for (i, [mut opens, mut closes, mut object]) in words_of(planes).enumerate() {
            let here = count.saturating_sub(WORD * i);
            for _ in 0..here.min(WORD) {
                let (open, close, kind) = (opens & 1, closes & 1, object as u8 & 1);
                let level = top.wrapping_sub(1).wrapping_add(open as usize);
                let Some(place) = self.stack.get_mut(level) else { return Err(Rejected) };
                let old = std::mem::replace(place, kind);
                differ |= (old ^ kind) & (open as u8).wrapping_sub(1);
                top = top.wrapping_add(open as usize).wrapping_sub(close as usize);
                (opens, closes, object) = (opens >> 1, closes >> 1, object >> 1);
            }
            if here <= WORD {
                break;
            }
        }
        self.top = top;
        if differ == 0 { Ok(()) } else { Err(Rejected) }
    }
}

/// Runs one pass. Returns how many symbols are left; `wrong` is not 0 if types differ.
#[inline(always)]
fn reduce<W: Words>(
    words: W,
    symbols: &Planes,
    count: usize,
    left: &mut Planes,
    last: &mut Last,
    wrong: &mut u64,
) -> usize {
    let mut packer = Packer::after(left, 0);
    for (i, [open, close, object]) in words_of(symbols).enumerate() {
        let here = count.saturating_sub(WORD * i);
        if here == 0 {
            break;
        }
        let present = lowest(here);
        let (open, close) = (open & present, close & present);
        let after_close = close << 1 | last.closes;
        let differs = object ^ (object << 1 | last.object);
        *wrong |= differs & present & !open & !after_close;
        let end = here.min(WORD) - 1;
        *last = Last { closes: close >> end & 1, object: object >> end & 1 };

        // Commas after a closing bracket have not been compared with anything yet.
        let kept = (open | close | after_close) & present;
        let planes = words.compress([open, close, object], kept);
        // Pairs among the kept symbols.
        let pair_end = planes[0] << 1 & planes[1];
        let kept = !(pair_end | pair_end >> 1) & lowest(kept.count_ones() as usize);
        packer.push(left, words.compress(planes, kept), kept.count_ones());
    }
    packer.flush(left);
    packer.len
}

/// The words of the planes.
#[inline(always)]
fn words_of([a, b, c]: &Planes) -> impl Iterator<Item = [u64; 3]> {
    let words = a.words().iter().zip(b.words()).zip(c.words());
    words.map(|((a, b), c)| [a, b, c].map(|word| u64::from_le_bytes(*word)))
}
