//! The parts of a plan file: entries of a zip archive, each decompressed on demand.
//!
//! An archive is refused as a whole if the names of its entries lead out of it, if entries share
//! bytes, and if there are more of them, or more bytes in all of them together, than the limits
//! allow.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::error::{PlanFileError, WHOLE};
use crate::arena::Arena;
use crate::relative::is_below;
use crate::source::{MAX_LEN, Source};

/// The entry with the schemas of providers.
pub(super) const SCHEMAS: &str = "tfschemas";
/// The entry with the lock file of the providers.
pub(super) const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The maximal number of entries.
const MAX_ENTRIES: usize = 100_000;

/// The maximal ratio of all compression methods of zip entries.
const MAX_RATIO: u64 = 1032;

/// An open archive.
#[derive(Clone, Debug)]
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    source: Source<'a>,
    max_bytes: u64,
}

impl<'a> Archive<'a> {
    pub(super) fn open(source: Source<'a>, max_bytes: u64) -> Result<Self, PlanFileError> {
        let damaged = |why: String| PlanFileError::damaged(WHOLE, why);
        let mut zip = ZipArchive::new(Cursor::new(source.bytes()))
            .map_err(|error| damaged(error.to_string()))?;
        if zip.len() > MAX_ENTRIES {
            return Err(damaged(format!("it has more than {MAX_ENTRIES} entries")));
        }
        if let Some(name) = zip.file_names_raw().find(|it| !is_below(&String::from_utf8_lossy(it)))
        {
            let path = String::from_utf8_lossy(name).into();
            return Err(PlanFileError::Outside { place: WHOLE.into(), path });
        }
        // A small archive could have any number of entries with the same large content.
        if zip.has_overlapping_entries().map_err(|error| damaged(error.to_string()))? {
            return Err(damaged("two of its entries share bytes".into()));
        }
        let max_bytes = max_bytes.min(MAX_LEN as u64);
        let mut left = max_bytes;
        for place in 0..zip.len() {
            // No entry is decompressed beyond this size.
            let entry = zip.by_index_raw(place).map_err(|error| damaged(error.to_string()))?;
            left = left
                .checked_sub(entry.size())
                .ok_or_else(|| PlanFileError::TooLarge { part: WHOLE.into(), max_bytes })?;
        }
        Ok(Self { zip, source, max_bytes })
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &'a str {
        self.source.name()
    }

    /// The names of all entries, if they are valid UTF-8.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.zip.file_names_raw().filter_map(|name| str::from_utf8(name).ok())
    }

    /// The bytes of an entry; `None` if there is no entry of this name.
    pub(super) fn read(
        &self,
        arena: &'a Arena,
        name: &str,
    ) -> Result<Option<&'a [u8]>, PlanFileError> {
        // A clone shares the index and has its own read position.
        let mut zip = self.zip.clone();
        let Some(place) = zip.index_for_name(name) else { return Ok(None) };
        let damaged = |why: String| PlanFileError::Damaged { part: name.into(), why };
        let mut file = zip.by_index(place).map_err(|error| damaged(error.to_string()))?;
        // The sizes in the archive may be false.
        let len = file.size();
        if len > (self.source.bytes().len() as u64).saturating_mul(MAX_RATIO) {
            return Err(damaged("its size is not what the archive says".into()));
        }
        let bytes = arena.bump().alloc_slice_fill_copy(len as usize, 0);
        let read = file.read_exact(bytes);
        read.map_err(|error| damaged(error.to_string()))?;
        // The checksum is compared at the end.
        match file.read(&mut [0]) {
            Ok(0) => Ok(Some(bytes)),
            Ok(_) => Err(damaged("it is longer than the archive says".into())),
            Err(error) => Err(damaged(error.to_string())),
        }
    }

    /// An entry as a source, named after the file and the entry.
    pub(super) fn source(
        &self,
        arena: &'a Arena,
        name: &str,
    ) -> Result<Option<Source<'a>>, PlanFileError> {
        let Some(bytes) = self.read(arena, name)? else { return Ok(None) };
        let full = format!("{}:{name}", self.source.name());
        let source = Source::from_bytes(arena, &full, bytes).map_err(|_| {
            PlanFileError::TooLarge { part: name.into(), max_bytes: self.max_bytes }
        })?;
        Ok(Some(source))
    }
}
