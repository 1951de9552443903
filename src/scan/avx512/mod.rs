//! The AVX-512 kernel: 512 bytes at a time, masks in vectors, offsets by compression.
//!
//! A window goes through three stages:
//!
//! - [`planes`]: 512 bytes become three *planes*, vectors whose 64-bit lanes are masks of one block
//!   each, and which together hold a category of three bits per byte; [`classify`] has the categories;
//! - [`masks`]: the mask algebra of [`block`](super::block) on eight blocks at once gives a mask of
//!   tokens per block;
//! - [`flatten`]: masks become offsets.
//!
//! It needs what Intel has since Ice Lake and AMD since Zen 4: VBMI for byte permutes, VBMI2 for byte
//! compression, GFNI for bit transposition, VPCLMULQDQ for strings.

pub(crate) mod classify;
mod flags;
pub(crate) mod flatten;
pub(crate) mod masks;
pub(crate) mod planes;
mod unicode;

use std::arch::x86_64::*;

use super::flags::StringFlags;
use super::isa::{Isa, Task};
use super::state::{Rejected, State};
use super::tokens::{BLOCK, Tokens, WINDOW};

/// Puts the target features of this kernel on functions, so that they are inlined into each other.
macro_rules! with_avx512 {
    ($($item:item)*) => {
        $(
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            #[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,vpclmulqdq,pclmulqdq")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            $item
        )*
    };
}
pub(crate) use with_avx512;

/// Bytes that are classified together: eight blocks, one per lane.
pub(crate) const STEP: usize = 512;

/// The proof that this CPU has all instructions of this kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The proof, if it holds.
    pub(super) fn new() -> Option<Self> {
        let supported = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("vpclmulqdq")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        supported.then_some(Self(()))
    }

    /// Does `task`, compiled with the features of this kernel.
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { run(self, task) }
    }
}

impl Isa for Avx512 {
    #[inline(always)]
    fn scan_window(
        self,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected> {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { scan_window(text, state, tokens) }
    }

    #[inline(always)]
    fn string_flags(self, string: &[u8]) -> StringFlags {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { flags::string_flags(string) }
    }
}

with_avx512! {
    fn run<T: Task>(isa: Avx512, task: T) -> T::Output {
        task.run(isa)
    }

    #[inline]
    fn scan_window(text: &[u8], state: &mut State, tokens: &mut Tokens) -> Result<(), Rejected> {
        let window = state.window(text)?;
        let text = &text[..state.end()];
        let (masks, room) = tokens.room();
        let (masks, _) = masks.as_chunks_mut::<8>();
        let mut carry = masks::Carry::new(state.carry);
        let mut high = 0;
        let mut surrogates = false;
        let mut at = window.start;
        for masks in &mut *masks {
            if at >= window.end {
                break;
            }
            let bytes = &text[at..window.end];
            let mut blocks = match bytes.first_chunk() {
                Some(step) => load(step),
                None => load_padded(bytes),
            };
            let high_in_step = high_bits(&blocks);
            if high_in_step != 0 {
                high |= high_in_step;
                blocks = classify::without_high_bits(blocks);
            }
            let classes = classify::classes(&blocks);
            let found = masks::tokens(classes, &mut carry);
            if found.suspect != 0 {
                surrogates |= masks::check_suspects(text, at, &blocks, &found)?;
            }
            store(masks, found.tokens);
            at += STEP;
        }

        let mut count = 0;
        let blocks = window.clone().step_by(BLOCK);
        for (at, &mask) in blocks.zip(masks.as_flattened()) {
            prefetch(text, at + WINDOW);
            let Some(offsets) = room.get_mut(count..).and_then(<[u32]>::first_chunk_mut) else {
                return Err(Rejected); // Never: a window has at most as many tokens as bytes.
            };
            flatten::offsets(at as u32, mask, offsets);
            count += mask.count_ones() as usize;
        }
        tokens.add(count);
        state.surrogates |= surrogates;
        state.finish_window(text, window.end, carry.between_windows(), high != 0)
    }

    /// Asks for the block at `at`, if the text has it, to be brought near: see
    /// [`Blocks::prefetch`](super::block::Blocks::prefetch). Requests that are spread over the stage
    /// that reads no text keep the memory busy while it runs.
    #[inline]
    pub(crate) fn prefetch(text: &[u8], at: usize) {
        if let Some(byte) = text.get(at) {
            #[allow(unused_unsafe)] // Not all supported compilers know that it is safe.
            // SAFETY: a prefetch is a hint; the pointer is valid anyway.
            unsafe {
                _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(byte).cast());
            }
        }
    }

    #[inline]
    pub(crate) fn load(step: &[u8; STEP]) -> [__m512i; 8] {
        let mut blocks = [_mm512_setzero_si512(); 8];
        let (chunks, _) = step.as_chunks::<64>();
        for (block, chunk) in blocks.iter_mut().zip(chunks) {
            // SAFETY: the pointer is valid for 64 bytes, and the load needs no alignment.
            *block = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
        }
        blocks
    }

    /// The bytes, fewer than a step, with spaces behind them.
    #[inline]
    pub(crate) fn load_padded(bytes: &[u8]) -> [__m512i; 8] {
        let spaces = _mm512_set1_epi8(b' ' as i8);
        let mut blocks = [spaces; 8];
        for (index, block) in blocks.iter_mut().enumerate() {
            let left = bytes.len().saturating_sub(BLOCK * index).min(BLOCK);
            let present = _bzhi_u64(!0, left as u32);
            let start = bytes.as_ptr().wrapping_add(BLOCK * index);
            // SAFETY: the mask selects those of the 64 bytes that are in `bytes`; a masked load touches
            // no others.
            *block = unsafe { _mm512_mask_loadu_epi8(spaces, present, start.cast()) };
        }
        blocks
    }

    /// Not 0 when a byte of 0x80 or more is there.
    #[inline]
    pub(crate) fn high_bits(blocks: &[__m512i; 8]) -> u64 {
        let [a, b, c, d, e, f, g, h] = *blocks;
        let any = or(or(a, b, c), or(d, e, f), _mm512_or_si512(g, h));
        _mm512_movepi8_mask(any)
    }

    #[inline]
    pub(crate) fn or(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0xFE>(a, b, c)
    }

    #[inline]
    pub(crate) fn load_lanes(lanes: &[u64; 8]) -> __m512i {
        // SAFETY: the pointer is valid for 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
    }

    #[inline]
    pub(crate) fn load_block(table: &[u8; 64]) -> __m512i {
        // SAFETY: the pointer is valid for 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(table.as_ptr().cast()) }
    }

    #[inline]
    pub(crate) fn store(lanes: &mut [u64; 8], vector: __m512i) {
        // SAFETY: the pointer is valid for 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), vector) }
    }
}
