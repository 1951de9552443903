//! The rare escape: `\u` and its four hexadecimal digits.

use super::Rejected;

/// Checks the escaped bytes of a block that are not a whole escape by themselves: each must be a
/// `u` followed by four hexadecimal digits. Bit *i* of `escaped` is `text[base + i]`; `text` ends
/// where the scanned range ends. Returns whether one of the escapes is a surrogate.
#[cold]
#[inline(never)]
pub(super) fn check_unicode(text: &[u8], base: usize, mut escaped: u64) -> Result<bool, Rejected> {
    let mut surrogates = false;
    while escaped != 0 {
        let at = base + escaped.trailing_zeros() as usize;
        escaped &= escaped - 1;
        let Some(&[b'u', ref digits @ ..]) =
            text.get(at..).and_then(|rest| rest.first_chunk::<5>())
        else {
            return Err(Rejected);
        };
        let mut unit = 0u32;
        for &digit in digits {
            let value = char::from(digit).to_digit(16).ok_or(Rejected)?;
            unit = unit << 4 | value;
        }
        surrogates |= unit & 0xF800 == 0xD800;
    }
    Ok(surrogates)
}
