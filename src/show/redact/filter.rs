//! Which bytes of a document may belong to a secret.
//!
//! A secret is looked for by a *window* of it: a few bytes that stand in the document as they are, however the secret
//! is escaped. A window of `step + 3` bytes has four of them at every place that is a multiple of `step`, so that only
//! these places are looked at: by a table of bits, and only where that says yes, by the exact window.

use super::place::Place;
use crate::hash::HashSet;

/// Bytes of a document that a table of bits compares at once.
const GRAM: usize = 4;

/// At most so many places are passed at once.
const MAX_STEP: usize = 4;

pub(super) struct Filter {
    step: usize,
    bits: Vec<u64>,
    shift: u32,
    windows: HashSet<[u8; GRAM + MAX_STEP - 1]>,
    /// A secret has no window: all strings have to be searched.
    is_blind: bool,
}

impl Filter {
    pub(super) fn of(secrets: &[Vec<u8>]) -> Self {
        let runs: Vec<&[u8]> = secrets.iter().map(|secret| plain_run(secret)).collect();
        let shortest = runs.iter().map(|run| run.len()).min().unwrap_or_default();
        let step = (shortest + 1).saturating_sub(GRAM).min(MAX_STEP);
        let is_blind = step == 0;
        let bits_needed =
            (secrets.len() * MAX_STEP * 64).next_power_of_two().clamp(1 << 13, 1 << 22);
        let mut filter = Self {
            step,
            bits: vec![0; bits_needed / 64],
            shift: 32 - bits_needed.trailing_zeros(),
            windows: HashSet::default(),
            is_blind,
        };
        if is_blind {
            return filter;
        }
        for run in runs {
            // Secrets have their beginnings in common more often than their ends.
            let window = &run[run.len() - (step + GRAM - 1)..];
            filter.windows.insert(padded(window));
            for gram in window.windows(GRAM) {
                let bit = filter.bit(gram);
                filter.bits[bit / 64] |= 1 << (bit % 64);
            }
        }
        filter
    }

    fn bit(&self, gram: &[u8]) -> usize {
        let gram = u32::from_le_bytes([gram[0], gram[1], gram[2], gram[3]]);
        (gram.wrapping_mul(0x9E37_79B1) >> self.shift) as usize
    }

    /// The places where a window of a secret starts, apart from what is hidden already; none if all strings have to be
    /// searched. Cost: linear in the bytes.
    pub(super) fn candidates(&self, bytes: &[u8], hidden: &[Place]) -> Option<Vec<u32>> {
        if self.is_blind {
            return None;
        }
        let mut found = Vec::new();
        let mut start = 0;
        for place in hidden {
            self.scan(bytes, start, place.span.start as usize, &mut found);
            start = place.span.end as usize;
        }
        self.scan(bytes, start, bytes.len(), &mut found);
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// Looks at the grams that start in a part of the bytes.
    fn scan(&self, bytes: &[u8], start: usize, end: usize, found: &mut Vec<u32>) {
        let len = self.step + GRAM - 1;
        let end = end.min(bytes.len());
        let first = start.next_multiple_of(self.step);
        let mut at = first;
        while at + GRAM <= end {
            let bit = self.bit(&bytes[at..at + GRAM]);
            if self.bits[bit / 64] >> (bit % 64) & 1 == 1 {
                for begin in at.saturating_sub(self.step - 1)..=at {
                    let window = bytes.get(begin..begin + len).filter(|_| begin >= start);
                    if window.is_some_and(|window| self.windows.contains(&padded(window))) {
                        found.push(begin as u32);
                    }
                }
            }
            at += self.step;
        }
    }
}

fn padded(window: &[u8]) -> [u8; GRAM + MAX_STEP - 1] {
    let mut bytes = [0; GRAM + MAX_STEP - 1];
    bytes[..window.len()].copy_from_slice(window);
    bytes
}

/// The longest part of a text that no JSON writer escapes.
fn plain_run(text: &[u8]) -> &[u8] {
    let is_plain = |byte: &u8| {
        matches!(byte, b' '..=b'~')
            && !matches!(byte, b'"' | b'\\' | b'/' | b'<' | b'>' | b'&' | b'\'' | b'=')
    };
    let runs = text.split(|byte| !is_plain(byte));
    runs.max_by_key(|run| run.len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Filter;

    fn candidates(secrets: &[&str], text: &str) -> Option<Vec<u32>> {
        let secrets: Vec<Vec<u8>> = secrets.iter().map(|one| one.as_bytes().to_vec()).collect();
        Filter::of(&secrets).candidates(text.as_bytes(), &[])
    }

    #[test]
    fn windows_are_found_at_every_place() {
        for secret in ["hunter22", "a\"hunter2", "ab<hunt>cd", "long secret with spaces in it"] {
            for before in 0..9 {
                let text = format!("{}{secret}{}", "x".repeat(before), "y".repeat(before));
                let found = candidates(&[secret], &text).unwrap();
                assert!(!found.is_empty(), "{secret} {before}");
            }
        }
        assert_eq!(candidates(&["hunter22"], &"hunter3 ".repeat(100)), Some(vec![]));
        assert_eq!(candidates(&["<a><b><c>"], "anything"), None);
    }
}
