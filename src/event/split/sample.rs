//! Samples: names and commas in a few kilobytes of a text whose beginning has not been read.
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

/// So often a sample that starts inside a string may start anew.
const TRIES: usize = 4;
/// How many names have to agree at least.
const QUORUM: usize = 8;
/// How many bytes of a name are compared.
const NAME: usize = 24;
/// Containers opened by a sample of which the kinds are kept.
const DEEPEST: u32 = 64;

/// What was found in a sample.
pub(super) struct Sample {
    names: Vec<(u64, Nesting)>,
    /// The shallowest comma that follows a closing bracket and precedes a name or an opening
    /// bracket.
    pub(super) place: Option<Place>,
    /// The containers of which the sample has seen only the end, innermost first: whether each is
    /// an object.
    closed: Vec<bool>,
}

/// A comma and its place.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) comma: u32,
    nesting: Nesting,
}

/// What is open at one place of a sample.
#[derive(Clone, Copy, Default)]
struct Nesting {
    /// How many containers that were open at the start of the sample have been closed.
    closed: u32,
    /// How many are open that were opened since.
    opened: u32,
    /// Whether these are objects, the innermost in the lowest bit.
    objects: u64,
}

/// Where a text's names stand, by their hashes: all that is open there, outermost first.
pub(super) type Names = HashMap<u64, Vec<bool>>;

impl Nesting {
    /// How many more containers are open than at the start of the sample.
    fn depth(self) -> i64 {
        i64::from(self.opened) - i64::from(self.closed)
    }
}

impl Sample {
    /// The sample from about `from` to `to`, which starts after the first bytes that look like the
    /// end of a name. `None` if there are none, or if they turn out to be inside a string.
    pub(super) fn at(kernel: Kernel, text: &[u8], from: usize, to: usize) -> Option<Self> {
        let to = to.min(text.len());
        let colons = memmem::find_iter(text.get(from..to)?, b"\":").map(|quote| from + quote + 1);
        let outside = colons.filter(|&colon| !text[..colon - 1].ends_with(b"\\"));
        outside.take(TRIES).find_map(|colon| Self::new(kernel, text, colon..to))
    }

    /// The sample of `range`. `None` if it contains an invalid token.
    pub(super) fn new(kernel: Kernel, text: &[u8], range: Range<usize>) -> Option<Self> {
        let bytes = text.get(range.start..range.end.min(text.len()))?;
        let mut sample = Self { names: Vec::new(), place: None, closed: Vec::new() };
        let (mut now, mut comma) = (Nesting::default(), 0);
        // The last token: its byte and offset, and whether it is a comma after a bracket.
        let (mut before, mut before_at, mut is_behind_comma) = (0, 0, false);
        let mut is_text = true;
        // A string that the end of the sample cuts is refused, together with the window it is in.
        let _ = scan::windows(kernel, bytes, |window| {
            for &at in window {
                let at = at as usize;
                let byte = bytes[at];
                if is_behind_comma && matches!(byte, b'{' | b'[' | b'"') {
                    let shallowest = sample.place.map_or(i64::MAX, |place| place.nesting.depth());
                    if now.depth() < shallowest {
                        let comma = (range.start + comma) as u32;
                        sample.place = Some(Place { comma, nesting: now });
                    }
                }
                is_behind_comma = byte == b',' && matches!(before, b'}' | b']');
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

    /// The names, if the sample starts or ends with the text, so that it has seen the start or the
    /// end of all containers.
    pub(super) fn names(&self) -> Names {
        let mut names = Names::default();
        for &(name, nesting) in &self.names {
            if nesting.opened <= DEEPEST {
                names.entry(name).or_insert_with(|| self.open(nesting));
            }
        }
        names
    }

    /// All that is open, outermost first: whether each is an object.
    fn open(&self, nesting: Nesting) -> Vec<bool> {
        let outer = &self.closed[nesting.closed as usize..];
        let inner = (0..nesting.opened).rev().map(|level| nesting.objects >> level & 1 == 1);
        outer.iter().rev().copied().chain(inner).collect()
    }

    /// What is open at a place of this sample, if most of the names in it that are known say the
    /// same.
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

/// The key of a name, given the bytes from its first quote, exclusive, to its colon.
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

    /// What a sample guesses to be open at its place, given another one that knows.
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

    /// How many names one container has, and a place among them.
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
        // Names that are known to stand elsewhere.
        let elsewhere = |names| format!("{}{}", members(QUORUM), ",\"r\":0".repeat(names));
        assert_eq!(guess(&elsewhere(QUORUM - 1), &known), open);
        assert_eq!(guess(&elsewhere(QUORUM), &known), None);
    }

    /// Eight levels below the place cannot be in one container.
    #[test]
    fn a_name_that_cannot_stand_so_deep_has_no_vote() {
        let known = "{\"name\":{},\"other\":0}";
        let below = format!("{{}},{}{}", "{\"x\":".repeat(8), "{\"name\":0},".repeat(QUORUM));
        assert_eq!(guess(&below, known), None);
        let beside = "{},\"name\":0".repeat(QUORUM);
        assert_eq!(guess(&beside, known), Some(vec![true]));
    }

    #[test]
    fn a_sample_starts_behind_a_name_but_not_behind_an_escaped_quote() {
        for (text, names) in [("\":{},\"a\":0", 1), ("x\\\":{},\"a\":0", 0)] {
            let sample = Sample::at(Kernel::detect(), text.as_bytes(), 0, text.len()).unwrap();
            assert_eq!(sample.names.len(), names, "{text}");
        }
    }
}
