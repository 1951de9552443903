//! Samples: names and commas in a few kilobytes of a text, read without the text before them.
//!
//! A sample of a range that starts outside of strings has the names in it, each with the depth of
//! its object, and the shallowest comma at which the text may be split. Depths count from the start
//! of the sample. Closing brackets reveal the containers that were open there, so a sample at the
//! end of the text knows all of them, and so does one at its start.

use std::hash::BuildHasher;
use std::ops::Range;

use crate::hash::{HashMap, Keyed};
use crate::scan::{self, Kernel};
use memchr::memmem;

/// How often a sample that starts inside a string may start again.
const TRIES: usize = 4;
/// The minimum number of names that must agree.
const QUORUM: usize = 8;
/// The number of bytes of a name that are compared.
const NAME: usize = 24;
/// The maximum number of containers opened in a sample whose types are kept.
const DEEPEST: u32 = 64;

/// The findings in a range of a text.
pub(super) struct Sample {
    names: Vec<(u64, Nesting)>,
    /// The shallowest comma that follows a closing bracket and precedes a name or an opening
    /// bracket.
    pub(super) place: Option<Place>,
    /// The containers that start before the sample and end in it, innermost first: true for each
    /// object.
    closed: Vec<bool>,
}

/// A comma and the containers around it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) comma: u32,
    nesting: Nesting,
}

/// The open containers at one place of a sample.
#[derive(Clone, Copy, Default)]
struct Nesting {
    /// The number of closed containers that started before the sample.
    closed: u32,
    /// The number of open containers that started in the sample.
    opened: u32,
    /// Their types: a bit for each, set for objects; the innermost is the lowest bit.
    objects: u64,
}

/// The hashes of a text's names, with the open containers around each, outermost first.
pub(super) type Names = HashMap<u64, Vec<bool>>;

impl Nesting {
    /// The number of open containers, minus those that were open at the start of the sample.
    fn depth(self) -> i64 {
        i64::from(self.opened) - i64::from(self.closed)
    }
}

impl Sample {
    /// Returns the sample from about `from` to `to`. It starts after the first bytes that look like
    /// the end of a name. `None` if there are none, or if they turn out to be inside a string.
    pub(super) fn at(kernel: Kernel, text: &[u8], from: usize, to: usize) -> Option<Self> {
        let to = to.min(text.len());
        let colons = memmem::find_iter(text.get(from..to)?, b"\":").map(|quote| from + quote + 1);
        let outside = colons.filter(|&colon| !text[..colon - 1].ends_with(b"\\"));
        outside.take(TRIES).find_map(|colon| Self::new(kernel, text, colon..to))
    }

    /// Returns the sample of `range`; `None` if it contains an invalid token.
    pub(super) fn new(kernel: Kernel, text: &[u8], range: Range<usize>) -> Option<Self> {
        let bytes = text.get(range.start..range.end.min(text.len()))?;
        let mut sample = Self { names: Vec::new(), place: None, closed: Vec::new() };
        let (mut now, mut comma) = (Nesting::default(), 0);
        // The last token: its byte and offset, and whether it is a comma after a bracket.
        let (mut before, mut before_at, mut follows_comma) = (0, 0, false);
        let mut is_text = true;
        // A string that is cut off at the end of the sample is rejected together with its window.
        let _ = scan::windows(kernel, bytes, |window| {
            for &at in window {
                let at = at as usize;
                let byte = bytes[at];
                if follows_comma && matches!(byte, b'{' | b'[' | b'"') {
                    let shallowest = sample.place.map_or(i64::MAX, |place| place.nesting.depth());
                    if now.depth() < shallowest {
                        let comma = (range.start + comma) as u32;
                        sample.place = Some(Place { comma, nesting: now });
                    }
                }
                follows_comma = byte == b',' && matches!(before, b'}' | b']');
                match byte {
                    b'{' | b'[' => {
                        now.opened += 1;
                        now.objects = now.objects << 1 | u64::from(byte == b'{');
                    }
                    b'}' | b']' => {
                        now.objects >>= 1;
                        if now.opened > 0 {
                            now.opened -= 1;
                        } else {
                            now.closed += 1;
                            sample.closed.push(byte == b'}');
                        }
                    }
                    b',' => comma = at,
                    b':' if before == b'"' => {
                        sample.names.push((hash(&bytes[before_at + 1..at]), now));
                    }
                    b'"' | b':' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {}
                    _ => is_text = false,
                }
                (before, before_at) = (byte, at);
            }
        });
        is_text.then_some(sample)
    }

    /// Returns the names, if the sample starts or ends with the text, so that all containers have
    /// their start or end in it.
    pub(super) fn names(&self) -> Names {
        let mut names = Names::default();
        for &(name, nesting) in &self.names {
            if nesting.opened <= DEEPEST {
                names.entry(name).or_insert_with(|| self.open(nesting));
            }
        }
        names
    }

    /// Returns the open containers, outermost first: true for each object.
    fn open(&self, nesting: Nesting) -> Vec<bool> {
        let outer = &self.closed[nesting.closed as usize..];
        let inner = (0..nesting.opened).rev().map(|level| nesting.objects >> level & 1 == 1);
        outer.iter().rev().copied().chain(inner).collect()
    }

    /// Returns the open containers at a place of this sample, if most of its known names agree on
    /// them.
    pub(super) fn vote(&self, place: Place, known: &Names) -> Option<Vec<bool>> {
        let mut votes: HashMap<usize, (usize, &[bool])> = HashMap::default();
        let mut all = 0;
        for (name, nesting) in &self.names {
            let below = usize::try_from(nesting.depth() - place.nesting.depth());
            let (Ok(below), Some(open)) = (below, known.get(name)) else {
                continue;
            };
            all += 1;
            if let Some(depth) = open.len().checked_sub(below) {
                votes.entry(depth).or_insert((0, &open[..depth])).0 += 1;
            }
        }
        let (count, open) = votes.into_values().max_by_key(|&(count, open)| (count, open.len()))?;
        (count >= QUORUM && 2 * count > all).then(|| open.to_vec())
    }
}

/// Returns the hash of a name, from the bytes after its first quote up to its colon.
fn hash(name: &[u8]) -> u64 {
    let name = &name[..name.len().min(NAME)];
    let len = name.iter().position(|&byte| byte == b'"').unwrap_or(name.len());
    Keyed::default().hash_one(&name[..len])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> Sample {
        Sample::new(Kernel::detect(), text.as_bytes(), 0..text.len()).unwrap()
    }

    /// Returns the containers that a sample guesses to be open at its place, from the names of
    /// another sample.
    fn guess(text: &str, known: &str) -> Option<Vec<bool>> {
        let sample = sample(text);
        sample.vote(sample.place.unwrap(), &super::tests::sample(known).names())
    }

    #[test]
    fn names_are_known_with_all_that_is_open() {
        let deepest = DEEPEST as usize;
        let arrays = "[".repeat(deepest - 1);
        let text = format!("{arrays}{{\"at\":{{\"below\":0}}}}{}", "]".repeat(deepest - 1));
        let names = sample(&text).names();
        let mut open = vec![false; deepest];
        open[deepest - 1] = true;
        assert_eq!(names.get(&hash(b"at\"")), Some(&open));
        assert_eq!(names.get(&hash(b"below\"")), None, "{DEEPEST} levels are distinguished");
    }

    /// Returns a container with this many names, and a place to split after them.
    fn members(names: usize) -> String {
        let members: String = (1..names).map(|number| format!("\"n{number}\":{{}},")).collect();
        format!("{members}\"last\":0")
    }

    #[test]
    fn a_guess_needs_a_quorum_and_a_majority() {
        let known = format!("{{\"r\":[{{{}}}]}}", members(20));
        let open = Some(vec![true, false, true]);
        assert_eq!(guess(&members(QUORUM), &known), open);
        assert_eq!(guess(&members(QUORUM - 1), &known), None);
        // Names that are known at other places.
        let elsewhere = |names| format!("{}{}", members(QUORUM), ",\"r\":0".repeat(names));
        assert_eq!(guess(&elsewhere(QUORUM - 1), &known), open);
        assert_eq!(guess(&elsewhere(QUORUM), &known), None);
    }

    /// Names eight levels below the place cannot be in one container with it.
    #[test]
    fn a_name_that_cannot_stand_so_deep_has_no_vote() {
        let known = "{\"name\":{},\"other\":0}";
        let below = format!("{{}},{}{}", "{\"x\":".repeat(8), "{\"name\":0},".repeat(QUORUM));
        assert_eq!(guess(&below, known), None);
        let beside = "{},\"name\":0".repeat(QUORUM);
        assert_eq!(guess(&beside, known), Some(vec![true]));
    }

    #[test]
    fn a_sample_starts_after_a_name_but_not_after_an_escaped_quote() {
        for (text, names) in [("\":{},\"a\":0", 1), ("x\\\":{},\"a\":0", 0)] {
            let sample = Sample::at(Kernel::detect(), text.as_bytes(), 0, text.len()).unwrap();
            assert_eq!(sample.names.len(), names, "{text}");
        }
    }
}
