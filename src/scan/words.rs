//! The masks of a block for the engine of [words](crate::engine): the operations of kernels without
//! byte compression.
//!
//! A kernel turns 64 bytes into masks, and compresses masks by one another. All rules are
//! arithmetic on these words, the same for every kernel.

use super::block::find_escaped;
use super::escape;
use super::isa::Isa;
use super::rejected::Rejected;
use super::state::Carry;
use super::tokens::BLOCK;

/// The number of blocks that are classified together.
pub(crate) const STEP: usize = 16;

/// A mask of 64 bytes in halves, which a kernel may find one after the other.
pub(crate) type Halves = [u32; 2];

/// Both halves of a mask.
#[inline(always)]
pub(crate) fn whole([low, high]: Halves) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Halves of a mask.
#[inline(always)]
pub(crate) fn halves(mask: u64) -> Halves {
    [mask as u32, (mask >> 32) as u32]
}

/// One mask per block.
pub(crate) type OfBlocks<T> = [T; STEP];

/// The planes of the blocks of a step, and masks of some of their bytes.
///
/// The planes are three bits per byte: the number of its [class](kind). Bytes that are neither
/// operators nor quotes have the class of a scalar. The control characters 0x0C and 0x1A may have
/// the class of an operator.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Masks {
    pub(crate) planes: [OfBlocks<Halves>; 3],
    /// Space, tab, line feed, carriage return.
    pub(crate) white: OfBlocks<Halves>,
    /// Bytes below 0x20.
    pub(crate) control: OfBlocks<Halves>,
    /// `\`
    pub(crate) backslash: OfBlocks<Halves>,
    /// For the kernel: whether the last step had bytes below 0x20, or of 0x80 or more. If it had
    /// not, `control` is empty.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(crate) is_mixed: bool,
}

/// The classes of tokens. The lowest bit of a bracket is its type.
pub(crate) mod kind {
    pub(crate) const SCALAR: u8 = 0;
    pub(crate) const STRING: u8 = 1;
    pub(crate) const COLON: u8 = 2;
    pub(crate) const COMMA: u8 = 3;
    pub(crate) const OPEN_OBJECT: u8 = 4;
    pub(crate) const OPEN_ARRAY: u8 = 5;
    pub(crate) const CLOSE_OBJECT: u8 = 6;
    pub(crate) const CLOSE_ARRAY: u8 = 7;

    /// The class of a byte: a scalar, if it is neither an operator nor a quote.
    pub(crate) const fn of(byte: u8) -> u8 {
        match byte {
            b'"' => STRING,
            b':' => COLON,
            b',' => COMMA,
            b'{' => OPEN_OBJECT,
            b'[' => OPEN_ARRAY,
            b'}' => CLOSE_OBJECT,
            b']' => CLOSE_ARRAY,
            _ => SCALAR,
        }
    }
}

/// The number of blocks of scalar bytes that are checked together.
pub(crate) const GROUP: usize = 8;

/// Masks of the bytes that occur in numbers and literals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters<T = u64> {
    /// Whitespace, operators and quotes, which end a scalar.
    pub(crate) end: T,
    /// `0` to `9`
    pub(crate) digit: T,
    pub(crate) zero: T,
    pub(crate) point: T,
    /// `e` and `E`
    pub(crate) exponent: T,
    pub(crate) small_e: T,
    /// `+` and `-`
    pub(crate) sign: T,
    pub(crate) minus: T,
    pub(crate) a: T,
    pub(crate) f: T,
    pub(crate) l: T,
    pub(crate) n: T,
    pub(crate) r: T,
    pub(crate) s: T,
    pub(crate) t: T,
    pub(crate) u: T,
}

/// The masks of the block before a group, and of the blocks of the group.
pub(crate) type LettersOf = Letters<[u64; GROUP + 1]>;

impl LettersOf {
    /// Sets the masks of the block at `i`.
    #[inline(always)]
    pub(crate) fn set(&mut self, i: usize, block: &Letters) {
        macro_rules! set {
            ($($letter:ident)*) => {
                $(self.$letter[i] = block.$letter;)*
            };
        }
        set! { end digit zero point exponent small_e sign minus a f l n r s t u }
    }

    /// Makes the last block the one before the next group.
    #[inline(always)]
    pub(crate) fn carry(&mut self) {
        macro_rules! carry {
            ($($letter:ident)*) => {
                $(self.$letter[0] = self.$letter[GROUP];)*
            };
        }
        carry! { end digit zero point exponent small_e sign minus a f l n r s t u }
    }
}

/// Masks of the bytes of `\u` escapes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Units {
    /// `u`
    pub(crate) u: u64,
    /// Hexadecimal digits.
    pub(crate) digit: u64,
    /// Those of at least 8.
    pub(crate) upper: u64,
    /// `d` and `D`
    pub(crate) d: u64,
}

/// The operations of a kernel on blocks and on words of one bit per token.
pub(crate) trait Words: Isa {
    /// Prefetches the block at `at`, if the text has it.
    fn prefetch(self, text: &[u8], at: usize);

    /// Finds the masks of all blocks. Returns whether there is a byte of 0x80 or more.
    fn masks(self, step: &[[u8; BLOCK]; STEP], masks: &mut Masks) -> bool;

    /// Returns which of the `escaped` bytes complete an escape directly after the backslash: `" \ / b
    /// f n r t`. The bits of other bytes are unspecified.
    fn escapable(self, block: &[u8; BLOCK], escaped: u64) -> u64;

    /// Returns masks of the bytes of `\u` escapes, if that is faster than to read these byte by byte.
    #[inline(always)]
    fn units(self, block: &[u8; BLOCK]) -> Option<Units> {
        let _ = block;
        None
    }

    /// Returns the masks of scalar bytes.
    fn letters(self, block: &[u8; BLOCK]) -> Letters;

    /// Sets the masks of scalar bytes of all blocks of a group.
    #[inline(always)]
    fn letters_of(self, blocks: &[[u8; BLOCK]; GROUP], letters: &mut LettersOf) {
        for (i, block) in blocks.iter().enumerate() {
            letters.set(i + 1, &self.letters(block));
        }
    }

    /// Returns which masks are not empty, one bit for each.
    #[inline(always)]
    fn not_empty(self, masks: &OfBlocks<u64>) -> u64 {
        let bits = masks.iter().enumerate().map(|(i, &mask)| u64::from(mask != 0) << i);
        bits.fold(0, |all, bit| all | bit)
    }

    /// Returns the bytes from each opening quote up to, not including, the closing one. `inside` is
    /// all ones if the step starts inside a string, otherwise 0, and is set for the next step.
    fn strings(self, quotes: &OfBlocks<u64>, inside: &mut u64) -> OfBlocks<u64>;

    /// Finds the tokens of a step, of which the `escaped` bytes are known. Returns a word other than 0
    /// if a byte is invalid at its place.
    #[inline(always)]
    fn find_tokens(
        self,
        masks: &Masks,
        escaped: &OfBlocks<u64>,
        carry: &mut Carry,
        found: &mut Found,
    ) -> u64 {
        find_tokens(self, masks, escaped, carry, found)
    }

    /// Moves the bits of each word that `mask` selects to the lowest places, in order.
    fn compress<const N: usize>(self, words: [u64; N], mask: u64) -> [u64; N];

    /// Whether `compress_step` and `compress_all` are faster than `compress` for each mask.
    const COMPRESSES_MANY: bool;

    /// Compresses the planes of all blocks of a step.
    #[inline(always)]
    fn compress_step(
        self,
        [low, middle, high]: &[OfBlocks<Halves>; 3],
        masks: &OfBlocks<u64>,
        compressed: &mut [OfBlocks<u64>; 3],
    ) {
        for (i, &mask) in masks.iter().enumerate() {
            let bits = self.compress([low[i], middle[i], high[i]].map(whole), mask);
            for (place, bits) in compressed.iter_mut().zip(bits) {
                place[i] = bits;
            }
        }
    }

    /// Compresses the words of three planes in place, each by the mask at its index.
    #[inline(always)]
    fn compress_all(self, [low, middle, high]: [&mut [u64]; 3], masks: &[u64]) {
        for (((low, middle), high), &mask) in low.iter_mut().zip(middle).zip(high).zip(masks) {
            [*low, *middle, *high] = self.compress([*low, *middle, *high], mask);
        }
    }

    /// Returns how many of the numbers, which ascend, are at most `limit`.
    #[inline(always)]
    fn count_at_most(self, numbers: &[u16; 8], limit: u16) -> usize {
        usize::from(numbers.iter().map(|&number| u16::from(number <= limit)).sum::<u16>())
    }

    /// Returns the place of the set bit of `mask` that has `n` set bits below it; unspecified if
    /// `mask` has no such bit.
    fn nth(self, mask: u64, n: u32) -> u32;

    /// Moves the lowest bits to the places of the set bits of `mask`, in order.
    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        let count = mask.count_ones();
        let mut left = if count < 64 { bits & !(!0 << count) } else { bits };
        let mut found = 0;
        while left != 0 {
            found |= 1 << (self.nth(mask, left.trailing_zeros()) & 63);
            left &= left - 1;
        }
        found
    }

    /// Returns the places up to which at most `levels` more brackets open than close. A bracket is
    /// not inside itself.
    fn at_most(self, levels: i8, open: u64, close: u64) -> u64;
}

/// Work that is generic over the kernel, as [`Task`](super::Task) is.
pub(crate) trait WordsTask {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, as for
    /// [`Task::run`](super::Task::run).
    fn run<W: Words>(self, words: W) -> Self::Output;
}

/// The result of [`find`] in a step.
#[derive(Default)]
pub(crate) struct Found {
    /// Tokens.
    pub(crate) tokens: OfBlocks<u64>,
    /// The bytes of scalars, and the byte that ends each.
    pub(crate) scalars: OfBlocks<u64>,
    /// The bytes after a backslash that escapes them, without quotes and backslashes, which are valid
    /// there: other escapes are rarer.
    pub(crate) escapes: OfBlocks<u64>,
}

/// Finds the tokens of a step with these masks. Returns a word other than 0 if a byte is invalid at
/// its place.
///
/// Each loop is either independent of the blocks before, so that it becomes vectors of several
/// blocks, or a short chain through the blocks. Backslashes outside of strings are scalars, as all
/// other bytes without a meaning are.
#[inline(always)]
pub(crate) fn find<W: Words>(words: W, masks: &Masks, carry: &mut Carry, found: &mut Found) -> u64 {
    let mut escaped = [0; STEP];
    let last = masks.backslash.iter().fold(0, |last, &[_, high]| last | high) >> 31;
    if u64::from(last) | carry.escaped == 0 {
        for (escaped, &backslash) in escaped.iter_mut().zip(&masks.backslash) {
            *escaped = find_escaped(whole(backslash), &mut 0);
        }
    } else {
        for (escaped, &backslash) in escaped.iter_mut().zip(&masks.backslash) {
            *escaped = find_escaped(whole(backslash), &mut carry.escaped);
        }
    }
    words.find_tokens(masks, &escaped, carry, found)
}

/// [`Words::find_tokens`] on every CPU.
#[inline(always)]
fn find_tokens<W: Words>(
    words: W,
    masks: &Masks,
    escaped: &OfBlocks<u64>,
    carry: &mut Carry,
    found: &mut Found,
) -> u64 {
    let [low, middle, high] = &masks.planes;
    let Found { tokens, scalars, escapes } = found;
    let (mut quotes, mut operators) = ([0; STEP], [0; STEP]);
    for i in 0..STEP {
        operators[i] = whole(middle[i]) | whole(high[i]);
        let quote = whole(low[i]) & !operators[i];
        quotes[i] = quote & !escaped[i];
        escapes[i] = escaped[i] & !(quote | whole(masks.backslash[i]));
    }
    let strings = words.strings(&quotes, &mut carry.in_string);
    let mut bad = 0;
    // The scalar bytes; first those of the block before.
    let mut bytes = [0; STEP + 1];
    bytes[0] = carry.scalar << 63;
    for i in 0..STEP {
        bad |= whole(masks.control[i]) & (strings[i] | operators[i]);
        bytes[i + 1] = !(operators[i] | whole(masks.white[i]) | strings[i] | quotes[i]);
    }
    for i in 0..STEP {
        let (scalar, after) = (bytes[i + 1], bytes[i + 1] << 1 | bytes[i] >> 63);
        let (string, quote) = (strings[i], quotes[i]);
        tokens[i] = string & quote | operators[i] & !string | scalar & !after;
        scalars[i] = scalar | after;
    }
    carry.scalar = bytes[STEP] >> 63;
    bad
}

/// Checks the escaped bytes of the block at the offset `at` of `text`, which ends where the range
/// ends. Returns whether one of the escapes is a surrogate.
#[inline(always)]
pub(crate) fn check_escapes<W: Words>(
    words: W,
    block: &[u8; BLOCK],
    (text, at): (&[u8], usize),
    escaped: u64,
) -> Result<bool, Rejected> {
    let long = escaped & !words.escapable(block, escaped);
    if long == 0 {
        return Ok(false);
    }
    let later = text.get(at + DIGITS..).and_then(<[u8]>::first_chunk);
    if let Some(later) = later
        && let (Some(now), Some(later)) = (words.units(block), words.units(later))
    {
        check_units(&now, &later, long)
    } else {
        escape::check_unicode(text, at, long)
    }
}

/// The number of hexadecimal digits of an escape.
const DIGITS: usize = 4;

/// Like [`escape::check_unicode`], from the masks of the block and of as many bytes [`DIGITS`] later.
#[inline(always)]
fn check_units(now: &Units, later: &Units, long: u64) -> Result<bool, Rejected> {
    // The byte *n* after each.
    let after = |now: u64, later: u64, n: usize| {
        let known = (1 << (DIGITS - n)) - 1;
        now >> n & known | later << (DIGITS - n)
    };
    let mut right = now.u & later.digit;
    for n in 1..DIGITS {
        right &= after(now.digit, later.digit, n);
    }
    if long & !right != 0 {
        return Err(Rejected);
    }
    Ok(long & after(now.d, later.d, 1) & after(now.upper, later.upper, 2) != 0)
}
