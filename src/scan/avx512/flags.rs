//! Flags of strings, with loads that are masked to the string.

use std::arch::x86_64::*;

use super::lanes::with_avx512;
use crate::scan::flags::StringFlags;

with_avx512! {
    /// [`Isa::string_flags`](crate::scan::Isa::string_flags). Most strings fit into a register.
    #[inline]
    pub(crate) fn string_flags(string: &[u8]) -> StringFlags {
        if string.len() > 64 { long_string_flags(string) } else { short_string_flags(string) }
    }

    #[inline]
    fn short_string_flags(string: &[u8]) -> StringFlags {
        let present = _bzhi_u64(!0, string.len().min(64) as u32);
        // SAFETY: the mask selects bytes of the string; a masked load touches no others.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(present, string.as_ptr().cast()) };
        let equal = |bytes, byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
        // `$` and `%` differ in the lowest bit.
        let marker = equal(_mm512_or_si512(bytes, _mm512_set1_epi8(1)), b'%');
        let no_template = _ktestz_mask64_u8(_kadd_mask64(marker, marker), equal(bytes, b'{'));
        StringFlags::new(equal(bytes, b'\\') != 0, no_template == 0)
    }

    /// Steps of 63 bytes: two neighbours are always together in one of the loads.
    #[inline(never)]
    fn long_string_flags(mut string: &[u8]) -> StringFlags {
        let mut flags = StringFlags::default();
        while string.len() > 1 {
            flags = flags.union(short_string_flags(string));
            string = string.get(63..).unwrap_or_default();
        }
        flags
    }
}
