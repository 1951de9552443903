//! Finds the bytes of a document that may belong to a secret, and the secret.
//!
//! A secret is found by a *window* of it: a few bytes that the document contains verbatim,
//! whichever way the secret is escaped. A window has a *gram*, five to eight bytes, at every offset
//! that is a multiple of `step`. So only these offsets are tested: by two bits of one word of a
//! table. If both are set, the grams around it are tested: all grams of a window are in the table.
//! The remaining candidates are compared with the exact windows.

use std::hash::BuildHasher;
use std::ops::Range;

use super::place::Place;
use super::secrets::Secrets;
use super::table::Table;
use crate::hash::Keyed;
use crate::parallel;

/// The maximal length of a gram in bytes: that of a register.
const MAX_GRAM: usize = 8;

/// The usual length of a gram. Shorter ones are too frequent in text of a small alphabet, such as
/// hexadecimal digits.
const GRAM: usize = 6;

/// The minimal number of adjacent bytes without escapes that a secret needs to have a window.
const SHORTEST_GRAM: usize = 4;

/// The maximal step between tested offsets.
const MAX_STEP: usize = 8;

/// Number of grams tested before the first branch.
const LANES: usize = 8;

/// The number of bytes that a thread takes at once.
const STRETCH: usize = 1 << 20;

/// Bits of the table for each gram, and how many bits it has at least and at most: half a megabyte,
/// which fits into caches of the second level.
const BITS_FOR_GRAM: usize = 32;
const TABLE_BITS: Range<usize> = 1 << 13..1 << 22;

/// The number of no secret.
const NONE: u32 = u32::MAX;

/// Finds windows of secrets.
pub(super) struct Filter {
    step: usize,
    gram: usize,
    /// The bits of the first bytes of a register that belong to a gram.
    mask: u64,
    table: Vec<u64>,
    /// The number of bits of a hash that are not used as an index.
    shift: u32,
    /// The last secret that has a window, by the hash of the window.
    windows: Table,
    /// The secret before with the same window, or `NONE`.
    next: Vec<u32>,
}

/// The result of a filter.
pub(super) struct Candidates {
    /// The offsets of windows, in order.
    pub(super) places: Vec<u32>,
    /// The secrets that have these windows, in order.
    pub(super) secrets: Vec<u32>,
}

impl Filter {
    /// Builds a filter. Returns `None` if a secret has no window, so that all strings have to be
    /// searched.
    pub(super) fn of(secrets: &Secrets) -> Option<Self> {
        let shortest = secrets.iter().map(|secret| plain_run(secret).len()).min()?;
        // Short secrets have shorter grams, at every offset.
        let step = (shortest + 1).saturating_sub(GRAM).clamp(1, MAX_STEP);
        let gram = (shortest + 1 - step).min(MAX_GRAM);
        if gram < SHORTEST_GRAM {
            return None;
        }
        let bits = (secrets.len() * step * BITS_FOR_GRAM).next_power_of_two();
        let bits = bits.clamp(TABLE_BITS.start, TABLE_BITS.end);
        let mut filter = Self {
            step,
            gram,
            mask: u64::MAX >> (64 - 8 * gram),
            table: vec![0; bits / 64],
            shift: 64 - (bits / 64).trailing_zeros(),
            windows: Table::default(),
            next: vec![NONE; secrets.len()],
        };
        for (number, secret) in (0..).zip(secrets.iter()) {
            let run = plain_run(secret);
            // Secrets share their start more often than their end.
            let window = &run[run.len() - filter.window_len()..];
            let before = filter.windows.insert(Keyed::default().hash_one(window), number);
            filter.next[number as usize] = before.unwrap_or(NONE);
            for start in 0..filter.step {
                let mut register = [0; MAX_GRAM];
                register[..gram].copy_from_slice(&window[start..start + gram]);
                let (place, bits) = filter.place_of(u64::from_le_bytes(register));
                filter.table[place] |= bits;
            }
        }
        Some(filter)
    }

    fn window_len(&self) -> usize {
        self.step + self.gram - 1
    }

    /// The index of a word of the table, and its bits, for the gram at the start of a register.
    #[inline]
    fn place_of(&self, register: u64) -> (usize, u64) {
        // No closures here: without optimization across crates each would be a function call.
        let product = u128::from(register & self.mask) * 0x9E37_79B9_7F4A_7C15;
        let hash = product as u64 ^ (product >> 64) as u64;
        ((hash >> self.shift) as usize, 1 << (hash & 63) | 1 << (hash >> 6 & 63))
    }

    /// Whether the gram at the start of a register may be one of a secret.
    #[inline]
    fn may_have(&self, register: u64) -> bool {
        let (place, bits) = self.place_of(register);
        self.table[place] & bits == bits
    }

    /// The offsets of windows of secrets outside of hidden parts. Cost: linear in the bytes, on all
    /// threads of the current pool if `is_parallel`.
    pub(super) fn candidates(
        &self,
        bytes: &[u8],
        hidden: &[Place],
        is_parallel: bool,
    ) -> Candidates {
        let ends = hidden.iter().map(|place| place.span.end as usize);
        let starts = hidden.iter().map(|place| place.span.start as usize);
        let gaps = std::iter::once(0).chain(ends).zip(starts.chain([bytes.len()]));
        let search = |gaps: &[(usize, usize)], range: Range<usize>| {
            let mut found = Vec::new();
            for &(start, end) in gaps {
                let grams = start.max(range.start)..end.min(range.end);
                self.scan(bytes, start..end, grams, &mut found);
            }
            found
        };
        let gaps: Vec<(usize, usize)> = gaps.collect();
        let mut found = match is_parallel {
            false => search(&gaps, 0..bytes.len()),
            true => {
                let stretches = 0..bytes.len().div_ceil(STRETCH);
                let found = parallel::map(stretches, 1, |stretch| {
                    let range = stretch * STRETCH..(stretch + 1) * STRETCH;
                    let first = gaps.partition_point(|(_, end)| *end <= range.start);
                    let rest = gaps.get(first..).unwrap_or_default();
                    let count = rest.partition_point(|(start, _)| *start < range.end);
                    search(&rest[..count], range)
                });
                found.concat()
            }
        };
        found.sort_unstable();
        found.dedup();
        let mut heads: Vec<u32> = found.iter().map(|(_, secret)| *secret).collect();
        heads.sort_unstable();
        heads.dedup();
        let next = |secret: &u32| Some(self.next[*secret as usize]).filter(|next| *next != NONE);
        let secrets = heads.into_iter().flat_map(|head| std::iter::successors(Some(head), next));
        let mut secrets: Vec<u32> = secrets.collect();
        secrets.sort_unstable();
        let mut places: Vec<u32> = found.into_iter().map(|(place, _)| place).collect();
        places.dedup();
        Candidates { places, secrets }
    }

    /// Tests the grams that start in a part of a gap. Whole windows must be inside the gap.
    fn scan(
        &self,
        bytes: &[u8],
        gap: Range<usize>,
        grams: Range<usize>,
        found: &mut Vec<(u32, u32)>,
    ) {
        let text = &bytes[..gap.end.min(bytes.len())];
        match self.step {
            1 => self.scan_by::<1>(text, gap.start, grams, found),
            2 => self.scan_by::<2>(text, gap.start, grams, found),
            3 => self.scan_by::<3>(text, gap.start, grams, found),
            4 => self.scan_by::<4>(text, gap.start, grams, found),
            5 => self.scan_by::<5>(text, gap.start, grams, found),
            6 => self.scan_by::<6>(text, gap.start, grams, found),
            7 => self.scan_by::<7>(text, gap.start, grams, found),
            _ => self.scan_by::<MAX_STEP>(text, gap.start, grams, found),
        }
    }

    /// Like `scan`, with the step as a constant.
    fn scan_by<const STEP: usize>(
        &self,
        text: &[u8],
        start: usize,
        grams: Range<usize>,
        found: &mut Vec<(u32, u32)>,
    ) {
        let mut at = grams.start.next_multiple_of(STEP);
        while at < grams.end {
            let lanes = text.get(at..at + LANES * STEP + MAX_GRAM);
            if let Some(lanes) = lanes
                && at + LANES * STEP <= grams.end
            {
                let mut any = false;
                for lane in 0..LANES {
                    if let Some(register) = lanes[lane * STEP..].first_chunk() {
                        any |= self.may_have(u64::from_le_bytes(*register));
                    }
                }
                if !any {
                    at += LANES * STEP;
                    continue;
                }
            }
            let end = grams.end.min(at + LANES * STEP);
            while at < end {
                let Some(register) = register(text, at) else { return };
                if self.may_have(register) {
                    self.windows_around(text, start, at, found);
                }
                at += STEP;
            }
        }
    }

    /// The windows with the gram at `at`, which is in the table.
    #[cold]
    fn windows_around(&self, text: &[u8], start: usize, at: usize, found: &mut Vec<(u32, u32)>) {
        let has_gram = |at: &usize| register(text, *at).is_some_and(|gram| self.may_have(gram));
        let earliest = start.max((at + 1).saturating_sub(self.step));
        let first = (earliest..at).rev().take_while(has_gram).last().unwrap_or(at);
        let end = at + (at + 1..at + self.step).take_while(has_gram).count() + 1;
        for begin in first..(end + 1).saturating_sub(self.step) {
            let window = text.get(begin..begin + self.window_len());
            let number = window.map(|window| Keyed::default().hash_one(window));
            if let Some(secret) = number.and_then(|number| self.windows.get(number)) {
                found.push((begin as u32, secret));
            }
        }
    }
}

/// The bytes at an offset of a text; zeros after its end.
#[inline]
fn register(text: &[u8], at: usize) -> Option<u64> {
    let bytes = text.get(at..)?;
    Some(match bytes.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => {
            let mut register = [0; MAX_GRAM];
            register[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(register)
        }
    })
}

/// The longest part of a text without characters that a usual writer encodes.
fn plain_run(text: &[u8]) -> &[u8] {
    let runs = text.split(|byte| !is_plain(*byte));
    runs.max_by_key(|run| run.len()).unwrap_or_default()
}

/// Whether documents usually have a character as it is: no writer of JSON escapes it, and in a
/// form, nothing stands for it. Text that encodes it all the same is found by
/// [`needless`](super::unescape::needless).
pub(super) fn is_plain(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~')
        && !matches!(byte, b'"' | b'\\' | b'/' | b'<' | b'>' | b'&' | b'\'' | b'=')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::redact::place::Replacement;
    use crate::span::Span;

    fn candidates(secrets: &[&str], text: &str, hidden: &[Place]) -> Option<Candidates> {
        let mut all = Secrets::default();
        secrets.iter().for_each(|one| all.push(one.as_bytes()));
        let filter = Filter::of(&all)?;
        let [one, other] =
            [false, true].map(|threads| filter.candidates(text.as_bytes(), hidden, threads));
        assert_eq!((&one.places, &one.secrets), (&other.places, &other.secrets));
        Some(one)
    }

    #[test]
    fn windows_are_found_at_every_place() {
        for secret in ["hunter22", "a\"hunter2", "ab<hunt>cd", "long secret with spaces in it"] {
            for before in 0..99 {
                let text = format!("{}{secret}{}", "x".repeat(before), "y".repeat(before));
                let found = candidates(&["another one", secret], &text, &[]).unwrap();
                assert_eq!((found.places.len(), found.secrets), (1, vec![1]), "{secret} {before}");
            }
        }
        let found = candidates(&["hunter22"], &"hunter3 ".repeat(100), &[]).unwrap();
        assert!(found.places.is_empty() && found.secrets.is_empty());
        assert!(candidates(&["<a><b><c>"], "anything", &[]).is_none());
    }

    #[test]
    fn secrets_with_the_same_window_are_all_found() {
        let secrets = ["first,and-the-same-end", "second,and-the-same-end", "something-else"];
        let found = candidates(&secrets, "x first,and-the-same-end x", &[]).unwrap();
        assert_eq!(found.secrets, [0, 1]);
    }

    #[test]
    fn what_is_hidden_is_passed_over() {
        let text = format!("{}hunter22{}hunter22", "x".repeat(3), "y".repeat(5));
        let hide =
            |start, end| [Place { span: Span::new(start, end), replacement: Replacement::Value }];
        let places = |hidden: &[Place]| candidates(&["hunter22"], &text, hidden).unwrap().places;
        assert_eq!(places(&[]).len(), 2);
        assert_eq!(places(&hide(0, 5)).len(), 1);
        assert_eq!(places(&hide(3, 11)).len(), 1);
        assert_eq!(places(&hide(10, 18)), Vec::<u32>::new());
    }

    #[test]
    fn windows_across_stretches_are_found() {
        for shift in 0..12 {
            let mut text = "x".repeat(STRETCH - shift);
            text.push_str("hunter22");
            text.push_str(&"x".repeat(STRETCH));
            let found = candidates(&["hunter22"], &text, &[]).unwrap();
            assert_eq!(found.places, [(STRETCH - shift) as u32], "{shift}");
        }
    }
}
