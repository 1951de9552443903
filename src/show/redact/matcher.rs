//! Finds texts in a text, whichever way they are encoded there.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;

use super::stands::{REDACTED_TEXT, Stands};
use super::unescape::{is_encoded, readings};
use crate::hash::HashMap;

/// The maximal length in bytes of the part of a secret that is searched for. The rest of the same
/// string is hidden with it.
const LONGEST: usize = 1024;

/// Automata of texts. A copy shares them.
#[derive(Clone)]
pub(super) struct Matchers(Arc<[Matcher; 2]>);

impl fmt::Debug for Matchers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matchers").finish_non_exhaustive()
    }
}

impl Matchers {
    /// Of all secrets, and of those that are searched for in names: plain words are not.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t [u8]> + Clone) -> Self {
        let named = texts.clone().filter(|text| !is_plain_word(text));
        Self(Arc::new([Matcher::of(texts), Matcher::of(named)]))
    }

    /// Of too many secrets: every text counts as one.
    pub(super) fn of_everything() -> Self {
        Self(Arc::new([Matcher::Everything, Matcher::Everything]))
    }

    /// Finds the texts in a text, sorted by their end. They may overlap.
    pub(super) fn find(&self, text: &[u8], stands: Stands, mut found: impl FnMut(usize, usize)) {
        let [everything, named] = &*self.0;
        match stands {
            Stands::Format | Stands::Text => everything.find(text, found),
            Stands::Names => {
                named.find(text, &mut found);
                // Keys of instances are searched like values.
                for (start, end) in keys(text) {
                    everything.find(&text[start..end], |from, to| {
                        found(start + from, start + to);
                    });
                }
            }
        }
    }

    /// The secret parts of the text between the quotes of a string, in order and without overlaps.
    pub(super) fn parts(&self, raw: &[u8], stands: Stands) -> Vec<(u32, u32)> {
        let mut parts: Vec<(u32, u32)> = Vec::new();
        if !is_encoded(raw) {
            self.find(raw, stands, |start, end| parts.push((start as u32, end as u32)));
        } else if !readings(raw, |level| {
            self.find(&level.text, stands, |start, end| parts.push(level.place(start, end)));
        }) {
            // Nobody writes so many levels, except to hide something.
            return vec![(0, raw.len() as u32)];
        }
        parts.sort_unstable();
        parts.dedup_by(|next, last| {
            let overlaps = next.0 <= last.1;
            if overlaps {
                last.1 = last.1.max(next.1);
            }
            overlaps
        });
        parts
    }

    /// A text of the document without its secret parts.
    pub(super) fn without<'t>(&self, text: &'t str, stands: Stands) -> Cow<'t, str> {
        let parts = self.parts(text.as_bytes(), stands);
        if parts.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut left, mut done) = (Vec::new(), 0);
        for (start, end) in parts {
            left.extend_from_slice(&text.as_bytes()[done..start as usize]);
            left.extend_from_slice(REDACTED_TEXT.as_bytes());
            done = end as usize;
        }
        left.extend_from_slice(&text.as_bytes()[done..]);
        Cow::Owned(String::from_utf8_lossy(&left).into_owned())
    }
}

/// Whether a text consists of short words of lower-case letters and underscores, like names of
/// attributes, types and blocks. A long word is rather several without spaces: a passphrase.
fn is_plain_word(text: &[u8]) -> bool {
    /// The most letters of a word in a name.
    const LONGEST: usize = 15;
    let mut words = text.split(|byte| *byte == b'_');
    words.all(|word| word.len() <= LONGEST && word.iter().all(u8::is_ascii_lowercase))
}

/// Finds secrets in one text.
enum Matcher {
    Automaton(Box<NFA>, Vec<bool>),
    /// Nothing to search for.
    Nothing,
    /// There are too many secrets for an automaton: every text counts as a secret.
    Everything,
}

impl Matcher {
    fn of<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Self {
        let texts: Vec<&[u8]> = texts.into_iter().collect();
        if texts.is_empty() {
            return Self::Nothing;
        }
        // Several texts may have the same beginning. If one of them is longer, the rest is hidden.
        let mut patterns: Vec<(&[u8], bool)> = Vec::new();
        let mut numbers: HashMap<&[u8], usize> = HashMap::default();
        for text in texts {
            let (start, is_cut) = (&text[..text.len().min(LONGEST)], text.len() > LONGEST);
            let number = *numbers.entry(start).or_insert(patterns.len());
            match patterns.get_mut(number) {
                Some((_, is_any_cut)) => *is_any_cut |= is_cut,
                None => patterns.push((start, is_cut)),
            }
        }
        let is_cut = patterns.iter().map(|(_, is_cut)| *is_cut).collect();
        NFA::new(patterns.iter().map(|(start, _)| start))
            .map_or(Self::Everything, |automaton| Self::Automaton(Box::new(automaton), is_cut))
    }

    /// Finds the secret parts of a text, sorted by their end. They may overlap.
    fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        let (automaton, is_cut) = match self {
            Self::Automaton(automaton, is_cut) => (automaton, is_cut),
            Self::Nothing => return,
            Self::Everything => return found(0, text.len()),
        };
        let Ok(mut state) = automaton.start_state(Anchored::No) else {
            return found(0, text.len());
        };
        for (at, byte) in text.iter().enumerate() {
            state = automaton.next_state(Anchored::No, state, *byte);
            if !automaton.is_match(state) {
                continue;
            }
            // The first pattern of a state is the longest; all others are its suffixes.
            let pattern = automaton.match_pattern(state, 0);
            let start = at + 1 - automaton.pattern_len(pattern);
            if is_cut.get(pattern.as_usize()).copied().unwrap_or_default() {
                return found(start, text.len());
            }
            found(start, at + 1);
        }
    }
}

/// The parts of an address between quotes.
fn keys(text: &[u8]) -> Vec<(usize, usize)> {
    let mut keys = Vec::new();
    let mut quotes = memchr::memchr_iter(b'"', text);
    while let Some(start) = quotes.next() {
        let end = quotes.next().unwrap_or(text.len());
        keys.push((start + 1, end));
    }
    keys
}
