//! Views bytes that a parser has validated as text.

/// Returns bytes that the parser has validated as UTF-8 as text; other bytes as the empty text. The
/// bytes are checked again, so that a change of a mapped file stays harmless. Most texts are short
/// and ASCII: this checks them in a few instructions, while the standard library goes byte by byte.
#[inline]
#[allow(unsafe_code, reason = "no safe function makes text of ASCII that is checked by words")]
pub(crate) fn str_of(bytes: &[u8]) -> &str {
    if is_short_ascii(bytes) {
        // SAFETY: ASCII is UTF-8.
        return unsafe { std::str::from_utf8_unchecked(bytes) };
    }
    checked(bytes)
}

#[inline(never)]
fn checked(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).unwrap_or_default()
}

/// The maximum number of bytes that are checked by words. Vector instructions are faster for more.
const SHORT: usize = 64;

/// The highest bit of each byte, which is not set in ASCII.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether there are at most [`SHORT`] bytes, all of them ASCII.
#[inline]
fn is_short_ascii(bytes: &[u8]) -> bool {
    let bits = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // The first and the last word may overlap.
        let mut bits = u64::from_le_bytes(*first) | u64::from_le_bytes(*last);
        if bytes.len() > 16 {
            if bytes.len() > SHORT {
                return false;
            }
            for word in bytes.as_chunks().0 {
                bits |= u64::from_le_bytes(*word);
            }
        }
        bits
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_le_bytes(*first) | u32::from_le_bytes(*last))
    } else {
        bytes.iter().fold(0, |bits, &byte| bits | u64::from(byte))
    };
    bits & HIGH == 0
}

/// Asks the processor to bring the bytes from `at` on into its cache, where it can be asked.
#[inline]
#[allow(unsafe_code, reason = "no safe function asks for bytes")]
#[cfg(feature = "serde")]
pub(crate) fn prefetch(bytes: &[u8], at: u32) {
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = bytes.get(at as usize) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction reads nothing that the program sees, and every processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}

#[cfg(test)]
mod tests {
    use super::{SHORT, str_of};

    #[cfg(feature = "serde")]
    #[test]
    fn prefetching_ends_with_the_text() {
        for at in [0, 2, 3, u32::MAX] {
            super::prefetch(b"abc", at);
        }
    }

    #[test]
    fn text_is_what_the_standard_library_says() {
        for len in 0..SHORT + 3 {
            let ascii = vec![b'x'; len];
            assert_eq!(str_of(&ascii), "x".repeat(len));
            for at in 0..len {
                let mut invalid = ascii.clone();
                invalid[at] = 0x80;
                assert_eq!(str_of(&invalid), "", "{at} of {len}");
                if at + 2 <= len {
                    let mut accented = ascii.clone();
                    accented[at..at + 2].copy_from_slice("é".as_bytes());
                    assert_eq!(str_of(&accented), std::str::from_utf8(&accented).unwrap());
                }
            }
        }
    }
}
