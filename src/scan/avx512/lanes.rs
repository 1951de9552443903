//! Shared by all stages of the kernel: its target features, and loads and stores of vectors.

use std::arch::x86_64::*;

use crate::scan::tokens::BLOCK;

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

with_avx512! {
    /// Prefetches the block at `at`, if the text has it: see
    /// [`Blocks::prefetch`](crate::scan::block::Blocks::prefetch). Requests that are spread over
    /// the stage that reads no text keep the memory busy while it runs.
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

    /// Without a loop, which compilers do not always unroll: the blocks would go through memory.
    #[inline]
    pub(crate) fn load(step: &[u8; STEP]) -> [__m512i; 8] {
        let (chunks, _) = step.as_chunks();
        let Ok([a, b, c, d, e, f, g, h]) = <&[[u8; BLOCK]; 8]>::try_from(chunks) else {
            return [_mm512_setzero_si512(); 8]; // Never: a step has eight blocks.
        };
        [
            load_block(a),
            load_block(b),
            load_block(c),
            load_block(d),
            load_block(e),
            load_block(f),
            load_block(g),
            load_block(h),
        ]
    }

    /// Loads fewer bytes than a step, padded with spaces.
    #[inline]
    pub(crate) fn load_padded(bytes: &[u8]) -> [__m512i; 8] {
        let spaces = _mm512_set1_epi8(b' ' as i8);
        let mut blocks = [spaces; 8];
        for (index, block) in blocks.iter_mut().enumerate() {
            let left = bytes.len().saturating_sub(BLOCK * index).min(BLOCK);
            let present = _bzhi_u64(!0, left as u32);
            let start = bytes.as_ptr().wrapping_add(BLOCK * index);
            // SAFETY: the mask selects those of the 64 bytes that are in `bytes`; a masked load
            // touches no others.
            *block = unsafe { _mm512_mask_loadu_epi8(spaces, present, start.cast()) };
        }
        blocks
    }

    /// Returns a value other than 0 if there is a byte of 0x80 or more.
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
