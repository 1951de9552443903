//! The AVX-512 kernel: 512 bytes at a time, masks in vectors, offsets by compression.
//!
//! A window goes through three stages:
//!
//! - [`planes`]: 512 bytes become three *planes*, vectors whose 64-bit lanes are masks of one block
//!   each, and which together hold a category of three bits per byte; [`classify`] has the
//!   categories;
//! - [`masks`]: the mask algebra of [`block`](super::block) on eight blocks at once gives a mask of
//!   tokens per block;
//! - [`flatten`]: masks become offsets.
//!
//! It needs the instructions that Intel has since Ice Lake and AMD since Zen 4: VBMI for byte
//! permutes, VBMI2 for byte compression, GFNI for bit transposition, VPCLMULQDQ for strings.

pub(crate) mod classify;
mod flags;
pub(crate) mod flatten;
mod lanes;
mod marks;
pub(crate) mod masks;
pub(crate) mod planes;
mod unicode;

pub(crate) use flags::string_flags;
pub(crate) use lanes::{
    STEP, high_bits, load, load_block, load_lanes, load_padded, or, prefetch, store, with_avx512,
};

use super::flags::StringFlags;
use super::isa::{Isa, Task};
use super::marks::Marks;
use super::rejected::Rejected;
use super::state::State;
use super::tokens::{BLOCK, Tokens, WINDOW};

/// The proof that this CPU has all instructions of this kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Returns the proof if the CPU has the instructions.
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

    /// Runs `task`, compiled with the features of this kernel.
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

    #[inline(always)]
    fn marks(self, block: &[u8; BLOCK]) -> Marks {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { marks::marks(block) }
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
        let mut masks = [[0; STEP / BLOCK]; WINDOW / STEP];
        let mut carry = masks::Carry::new(state.carry);
        let mut high = 0;
        let mut surrogates = false;
        let mut at = window.start;
        for masks in &mut masks {
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

        let (room, _) = tokens.room();
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
}
