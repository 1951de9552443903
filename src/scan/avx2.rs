//! The AVX2 kernel: two registers of 32 bytes per block, one mask extraction per class of bytes.

mod words;

use std::arch::x86_64::*;
use std::sync::OnceLock;

use super::block::{self, Blocks, Classes, Room};
use super::flags::StringFlags;
use super::halves::{CODE_AND_HEREDOC, ESCAPABLE, OPERATOR, Pair, QUOTED_AND_NAME, WHITE};
use super::isa::{Isa, Task};
use super::marks::Marks;
use super::portable;
use super::rejected::Rejected;
use super::state::State;
use super::tokens::{BLOCK, Tokens};
use super::words::WordsTask;

/// Puts the target features of this kernel on functions, so that they are inlined into each other.
macro_rules! with_avx2 {
    ($($item:item)*) => {
        $(
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,pclmulqdq")]
            $item
        )*
    };
}
use with_avx2;

/// The proof that this CPU has AVX2, and the extensions that every CPU with AVX2 has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Returns the proof if the CPU has the features.
    pub(super) fn new() -> Option<Self> {
        let supported = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("pclmulqdq");
        supported.then_some(Self(()))
    }

    /// Whether the CPU compresses masks with one instruction. AMD processors before Zen 3 (family
    /// 19h) need up to 300 cycles for it.
    pub(super) fn compresses_fast(self) -> bool {
        static FAST: OnceLock<bool> = OnceLock::new();
        *FAST.get_or_init(|| {
            // Older compilers call this function unsafe.
            #[allow(unused_unsafe)]
            // SAFETY: a CPU with AVX2 has the instruction.
            let cpuid = |leaf| unsafe { __cpuid(leaf) };
            let is_amd = cpuid(0).ebx == u32::from_le_bytes(*b"Auth");
            let version = cpuid(1).eax;
            let family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
            !is_amd | (family >= 0x19)
        })
    }

    /// Runs `task`, compiled with the features of this kernel.
    pub(super) fn run_words<T: WordsTask>(self, task: T) -> T::Output {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { run_words(self, task) }
    }

    /// Runs `task`, compiled with the features of this kernel.
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { run(self, task) }
    }
}

with_avx2! {
    fn run<T: Task>(isa: Avx2, task: T) -> T::Output {
        task.run(isa)
    }

    fn run_words<T: WordsTask>(isa: Avx2, task: T) -> T::Output {
        task.run(isa)
    }

    #[inline]
    fn scan_window(
        isa: Avx2,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected> {
        block::scan_window(isa, text, state, tokens)
    }
}

impl Isa for Avx2 {
    #[inline(always)]
    fn scan_window(
        self,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected> {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { scan_window(self, text, state, tokens) }
    }

    #[inline(always)]
    fn string_flags(self, string: &[u8]) -> StringFlags {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { string_flags(string) }
    }

    #[inline(always)]
    fn marks(self, block: &[u8; BLOCK]) -> Marks {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { marks(block) }
    }
}

impl Blocks for Avx2 {
    #[inline(always)]
    fn prefetch(self, text: &[u8], at: usize) {
        if let Some(byte) = text.get(at) {
            // SAFETY: a prefetch is a hint; the pointer is valid anyway.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(byte).cast()) }
        }
    }

    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Classes {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { classify(block) }
    }

    #[inline(always)]
    fn escapable(self, block: &[u8; BLOCK], _: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { escapable(block) }
    }

    #[inline(always)]
    fn prefix_xor(self, mask: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { prefix_xor(mask) }
    }

    #[inline(always)]
    fn flatten(self, base: u32, mask: u64, block: &[u8; BLOCK], room: Room<'_>) -> usize {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { flatten(base, mask, block, room) }
    }
}

with_avx2! {
    #[inline]
    fn marks(block: &[u8; BLOCK]) -> Marks {
        let [low, high] = halves(block);
        let (first, second) = (common(&CODE_AND_HEREDOC, low), common(&CODE_AND_HEREDOC, high));
        let (third, fourth) = (common(&QUOTED_AND_NAME, low), common(&QUOTED_AND_NAME, high));
        Marks {
            code: !mask(lacking(first, 0x0F), lacking(second, 0x0F)),
            quoted: !mask(lacking(third, 0x07), lacking(fourth, 0x07)),
            heredoc: !mask(lacking(first, 0x30), lacking(second, 0x30)),
            dark: !mask(blanks(low), blanks(high)),
            unnamed: mask(lacking(third, 0xF8), lacking(fourth, 0xF8)),
        }
    }

    /// Returns the bits that the halves of each byte have in common.
    #[inline]
    fn common((low, high): &Pair, bytes: __m256i) -> __m256i {
        let half = _mm256_set1_epi8(0xF);
        let high_halves = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
        _mm256_and_si256(lookup(low, _mm256_and_si256(bytes, half)), lookup(high, high_halves))
    }

    #[inline]
    fn lacking(bytes: __m256i, bits: u8) -> __m256i {
        let found = _mm256_and_si256(bytes, _mm256_set1_epi8(bits as i8));
        _mm256_cmpeq_epi8(found, _mm256_setzero_si256())
    }

    #[inline]
    fn blanks(bytes: __m256i) -> __m256i {
        _mm256_or_si256(equal(bytes, b' '), equal(bytes, b'\t'))
    }

    #[inline]
    fn classify(block: &[u8; BLOCK]) -> Classes {
        let [low, high] = halves(block);
        let control = mask(controls(low), controls(high));
        Classes {
            quote: mask(equal(low, b'"'), equal(high, b'"')),
            backslash: mask(equal(low, b'\\'), equal(high, b'\\')),
            // Setting a bit to match brackets and braces at once also turns two control characters
            // into operators.
            operator: mask(operators(low), operators(high)) & !control,
            white: mask(whites(low), whites(high)),
            control,
            high: u64::from(_mm256_movemask_epi8(_mm256_or_si256(low, high)) as u32),
        }
    }

    #[inline]
    fn operators(bytes: __m256i) -> __m256i {
        let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(b'[' as i8 ^ b'{' as i8));
        _mm256_cmpeq_epi8(folded, lookup(&OPERATOR, bytes))
    }

    #[inline]
    fn whites(bytes: __m256i) -> __m256i {
        _mm256_cmpeq_epi8(bytes, lookup(&WHITE, bytes))
    }

    #[inline]
    fn controls(bytes: __m256i) -> __m256i {
        _mm256_cmpeq_epi8(bytes, _mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)))
    }

    #[inline]
    fn escapable(block: &[u8; BLOCK]) -> u64 {
        let [low, high] = halves(block);
        !mask(not_escapables(low), not_escapables(high))
    }

    #[inline]
    fn not_escapables(bytes: __m256i) -> __m256i {
        let high_halves = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0xF));
        let common =
            _mm256_and_si256(lookup(&ESCAPABLE.0, bytes), lookup(&ESCAPABLE.1, high_halves));
        _mm256_cmpeq_epi8(common, _mm256_setzero_si256())
    }

    /// A carry-less product with all ones adds, without carries, all shifts of the mask.
    #[inline]
    fn prefix_xor(mask: u64) -> u64 {
        let ones = _mm_set1_epi8(-1);
        let product = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(mask as i64), ones);
        _mm_cvtsi128_si64(product) as u64
    }

    #[inline]
    fn flatten(base: u32, mask: u64, block: &[u8; BLOCK], room: Room<'_>) -> usize {
        block::flatten_eights(base, mask, block, room)
    }

    #[inline]
    fn string_flags(string: &[u8]) -> StringFlags {
        let Some(last) = string.last_chunk::<32>() else {
            return short_string_flags(string);
        };
        let mut flags = flags_of(load(last), !0);
        // Steps of 31 bytes: two neighbours are always together in one of the loads.
        let mut rest = string;
        while let Some(bytes) = rest.first_chunk::<32>() {
            flags = flags.union(flags_of(load(bytes), !0));
            rest = &rest[31..];
        }
        flags
    }

    /// The flags of fewer than 32 bytes. Two loads that overlap cover them; the last byte of the
    /// first load and the first byte of the second one are neighbours in the register only.
    #[inline]
    fn short_string_flags(string: &[u8]) -> StringFlags {
        if let (Some(first), Some(last)) = (string.first_chunk::<16>(), string.last_chunk::<16>()) {
            return flags_of(_mm256_set_m128i(load_half(last), load_half(first)), !(1 << 16));
        }
        let (low, high) = match (string.first_chunk::<8>(), string.last_chunk::<8>()) {
            (Some(first), Some(last)) => (i64::from_le_bytes(*first), i64::from_le_bytes(*last)),
            _ => (portable::short_word(string) as i64, 0),
        };
        flags_of(_mm256_zextsi128_si256(_mm_set_epi64x(high, low)), !(1 << 8))
    }

    /// The flags of 32 bytes; a pair of neighbours counts if `pairs` has the bit of its second
    /// byte.
    #[inline]
    fn flags_of(bytes: __m256i, pairs: u32) -> StringFlags {
        // `$` and `%` differ in the lowest bit.
        let marker = equal(_mm256_or_si256(bytes, _mm256_set1_epi8(1)), b'%');
        let marker = _mm256_movemask_epi8(marker) as u32;
        let brace = _mm256_movemask_epi8(equal(bytes, b'{')) as u32;
        let escape = _mm256_movemask_epi8(equal(bytes, b'\\'));
        StringFlags::new(escape != 0, marker << 1 & brace & pairs != 0)
    }

    #[inline]
    fn equal(bytes: __m256i, byte: u8) -> __m256i {
        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8))
    }

    /// Returns the entry of `table` for the low half of each byte, or 0 for bytes of 0x80 and more.
    #[inline]
    fn lookup(table: &[u8; 16], bytes: __m256i) -> __m256i {
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(table)), bytes)
    }

    /// One bit per byte of both halves of a block.
    #[inline]
    fn mask(low: __m256i, high: __m256i) -> u64 {
        let (low, high) = (_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32);
        u64::from(low) | u64::from(high) << 32
    }

    #[inline]
    fn halves(block: &[u8; BLOCK]) -> [__m256i; 2] {
        let (halves, _) = block.as_chunks::<32>();
        [load(&halves[0]), load(&halves[1])]
    }

    #[inline]
    fn load(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the pointer is valid for 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    fn load_half(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: the pointer is valid for 16 bytes, and the load needs no alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }
}
