//! The files that contain places.

use super::parts::Parts;
use crate::hash::HashMap;
use crate::source::Source;

/// The files of a module, in the order of its sources.
pub(super) struct Files<'a> {
    names: Vec<Box<str>>,
    /// The number of each file, and whether it is JSON, by the identifier of its source.
    known: HashMap<u32, (u32, bool)>,
    /// The file of the last place: most have that of the one before.
    last: Option<(Source<'a>, (u32, bool))>,
}

impl<'a> Files<'a> {
    pub(super) fn new(parts: &Parts<'_, 'a>) -> Self {
        let mut files = Self { names: Vec::new(), known: HashMap::default(), last: None };
        for &source in parts.sources {
            files.add(source, is_named_json(source));
        }
        for (_, file) in parts.files.iter().chain(parts.shadowed) {
            files.add(file.source(), file.as_json().is_some());
        }
        files
    }

    /// The number of a file, and whether it is JSON.
    pub(super) fn of(&mut self, source: Source<'a>) -> (u32, bool) {
        if let Some((last, file)) = self.last
            && last.id() == source.id()
        {
            return file;
        }
        let file = match self.known.get(&source.id()) {
            Some(&file) => file,
            None => self.add(source, is_named_json(source)),
        };
        self.last = Some((source, file));
        file
    }

    pub(super) fn into_names(self) -> Vec<Box<str>> {
        self.names
    }

    fn add(&mut self, source: Source<'a>, is_json: bool) -> (u32, bool) {
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let file = self.known.entry(source.id()).or_insert((next, is_json));
        file.1 = is_json;
        if file.0 == next {
            self.names.push(source.name().into());
        }
        *file
    }
}

/// Whether a file is JSON by its name, as [`ParsedFile::parse`](crate::ParsedFile::parse) decides.
fn is_named_json(source: Source<'_>) -> bool {
    let name = source.name().as_bytes();
    name.len() > 5 && name[name.len() - 5..].eq_ignore_ascii_case(b".json")
}
