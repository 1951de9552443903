//! Finds the bytes that are tokens, and the bytes of scalars.
//!
//! The input is the steps of a window. The results are two masks per block, one of tokens, and one
//! of the bytes of scalars with the byte that ends each, and whether a byte is invalid at its
//! place. Two loops go over the window: the first classifies bytes, and its steps are independent;
//! the second does the mask algebra, in which each step depends on the previous one. In a single
//! loop, instructions that wait for that chain would fill the processor's queue and keep out those
//! that could run.

use std::ops::Range;

use super::streams::STEPS;
use super::utf8::Utf8;
use crate::scan::avx512::classify::{self, Classes};
use crate::scan::avx512::planes::Kept;
use crate::scan::avx512::{STEP, high_bits, load, masks, prefetch, store, with_avx512};
use crate::scan::{Rejected, State, WINDOW};

/// The masks of a window.
pub(super) struct Masks {
    /// The masks of tokens and of scalars, by step.
    pub(super) steps: Box<[StepMasks; STEPS]>,
    classes: Box<[Kept; STEPS]>,
    utf8: Utf8,
}

/// The masks of a step.
#[derive(Clone, Copy)]
pub(super) struct StepMasks {
    pub(super) tokens: [u64; 8],
    pub(super) scalars: [u64; 8],
}

impl Masks {
    pub(super) fn new() -> Self {
        let masks = StepMasks { tokens: [0; 8], scalars: [0; 8] };
        Self {
            steps: Box::new([masks; STEPS]),
            classes: Box::new([[[0; 8]; 3]; STEPS]),
            utf8: Utf8::new(),
        }
    }

    /// Starts a text.
    #[inline]
    pub(super) fn start(&mut self) {
        self.utf8 = Utf8::new();
    }

    with_avx512! {
        /// Fills the masks of the first `steps` steps of a window: the steps of `whole`, then
        /// `padded`. Ends the window in `state`.
        #[inline]
        pub(super) fn find(
            &mut self,
            text: &[u8],
            window: &Range<usize>,
            (whole, padded): (&[[u8; STEP]], &[u8; STEP]),
            steps: usize,
            state: &mut State,
        ) -> Result<(), Rejected> {
            let start = window.start;
            for (i, classes) in self.classes[..steps].iter_mut().enumerate() {
                for line in 0..4 {
                    prefetch(text, start + WINDOW + STEP / 2 * i + 64 * line);
                }
                let step = whole.get(i).unwrap_or(padded);
                let mut blocks = load(step);
                let high = high_bits(&blocks) != 0;
                if high | self.utf8.goes_on {
                    self.utf8.look(step, high);
                    blocks = classify::without_high_bits(blocks);
                }
                classify::classes(&blocks).store(classes);
            }

            let mut carry = masks::Carry::new(state.carry);
            let mut surrogates = false;
            for (i, masks) in self.steps[..steps].iter_mut().enumerate() {
                let found = masks::tokens(Classes::load(&self.classes[i]), &mut carry);
                if found.suspect != 0 {
                    let at = start + STEP * i;
                    let blocks = classify::without_high_bits(load(whole.get(i).unwrap_or(padded)));
                    surrogates |= masks::check_suspects(&text[..state.end()], at, &blocks, &found)?;
                }
                store(&mut masks.tokens, found.tokens);
                store(&mut masks.scalars, found.scalars);
            }
            state.surrogates |= surrogates;
            state.finish_valid_window(window.end, carry.between_windows())?;
            self.utf8.finish(state.is_done())
        }
    }
}
