//! Finds a name in files where nothing is known to have it.

use super::change::{NotChanged, Why};
use super::files::comments_of;
use crate::diagnostic::Label;
use crate::hash::HashMap;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;

/// A search for all other places with a name, which shows what is not changed.
#[derive(Default)]
pub(super) struct Search<'a> {
    /// The bytes that are known, by file.
    covered: HashMap<&'a str, Vec<Span>>,
    /// The files that may have the name.
    files: Vec<ParsedFile<'a>>,
}

impl<'a> Search<'a> {
    /// Notes bytes that the search leaves out.
    pub(super) fn cover(&mut self, source: Source<'a>, span: Span) {
        self.covered.entry(source.name()).or_default().push(span);
    }

    /// Adds files to search.
    pub(super) fn add(&mut self, files: impl IntoIterator<Item = ParsedFile<'a>>) {
        self.files.extend(files);
    }

    /// Finds the name as a word of its own.
    ///
    /// Cost: linear in the files, each once.
    pub(super) fn find(mut self, name: &str) -> Vec<NotChanged<'a>> {
        self.files.sort_by_key(|file| file.source().name());
        self.files.dedup_by_key(|file| file.source().name());
        let mut found = Vec::new();
        for file in self.files {
            let source = file.source();
            let bytes = source.bytes();
            let mut covered = self.covered.remove(source.name()).unwrap_or_default();
            covered.sort_unstable_by_key(|span| (span.start, span.end));
            let mut comments = None;
            for span in words(bytes, name) {
                if is_covered(&covered, span) {
                    continue;
                }
                let comments = comments.get_or_insert_with(|| comments_of(file));
                let why = match is_covered(comments, span) {
                    true => Why::Comment,
                    false => Why::NoReference,
                };
                found.push(NotChanged { label: Label::new(source, span), why });
            }
        }
        found
    }
}

/// The places of a name as a word of its own.
pub(super) fn words<'t>(bytes: &'t [u8], name: &'t str) -> impl Iterator<Item = Span> + use<'t> {
    let found = memchr::memmem::find_iter(bytes, name.as_bytes());
    found.filter_map(move |at| {
        let end = at + name.len();
        let is_part = |byte: Option<&u8>| {
            byte.is_some_and(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || *byte >= 0x80
            })
        };
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let is_word = !is_part(before) && !is_part(bytes.get(end));
        is_word.then(|| Span::new(at as u32, end as u32))
    })
}

/// Whether a span of a sorted list contains another one. Lists have few spans that contain others.
fn is_covered(list: &[Span], span: Span) -> bool {
    let after = list.partition_point(|known| known.start <= span.start);
    list[..after].iter().rev().take(NEAR).any(|known| span.end <= known.end)
}

const NEAR: usize = 16;
