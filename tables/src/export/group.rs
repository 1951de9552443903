//! Groups of files: their rows are written together, and read again together.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rayon::prelude::*;
use simd_hcl::Source;
use simd_hcl::directory::ModuleFiles;
use simd_hcl::source::SourceError;

use super::{Export, Result};
use crate::scan::{Wanted, hash_of, hash_of_file};
use crate::source::{Sources, Unit};
use crate::table::{Origin, Table};

/// The number of modules whose rows are written together, in repositories of up to 8,192 modules.
const TOGETHER: usize = 4;

/// The number of groups of modules of a repository, at most: each has a row group in every file, and
/// readers keep what files say about those.
const MOST_GROUPS: usize = 2048;

/// A group of files whose rows are written together.
pub(super) struct Group {
    pub(super) key: String,
    pub(super) units: Vec<Unit>,
    pub(super) wanted: Vec<Wanted>,
    /// The hash of all that its rows depend on; `None` if they depend on more than files.
    pub(super) hash: Option<String>,
}

impl Export<'_> {
    /// The groups of each repository. Reads all files, to hash them.
    pub(super) fn groups(&self) -> Result<BTreeMap<String, Vec<Group>>> {
        let of = |is_wanted: &dyn Fn(&Table) -> bool| {
            let tables = self.layouts.iter().map(|layout| layout.table);
            tables.filter(|table| is_wanted(table)).map(Wanted::all).collect::<Vec<_>>()
        };
        let of_modules = of(&|it| matches!(it.origin, Origin::File | Origin::Module));
        let of_trees = of(&|it| it.origin == Origin::Tree);
        let of_documents = of(&|it| it.origin.is_document() || it.name == "diagnostics");
        let of_gaps = of(&|it| it.name == "diagnostics");

        let modules = self.sources.modules();
        let hashed: Vec<Hashed> = modules
            .par_iter()
            .map_init(Vec::new, |buffer, module| Hashed::of(&module.files, &self.sources, buffer))
            .collect();
        let documents: Vec<Option<String>> = (self.sources.documents().par_iter())
            .map(|document| hash_of_file(&document.path).ok())
            .collect();
        self.check()?;
        let mut groups: BTreeMap<String, Vec<Group>> = BTreeMap::new();
        for (number, (repository, places)) in self.sources.repositories().iter().enumerate() {
            let of_repository = groups.entry(repository.to_string()).or_default();
            let count = places.len().div_ceil(TOGETHER).next_power_of_two().min(MOST_GROUPS);
            let mut buckets: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for place in places {
                let bucket = hashed[*place].bucket % count as u64;
                buckets.entry(bucket).or_default().push(*place);
            }
            for (bucket, places) in buckets {
                let hashes = places.iter().map(|place| hashed[*place].hash.as_deref());
                of_repository.push(Group {
                    key: format!("modules {bucket} of {count}"),
                    units: places.iter().map(|place| Unit::Module(*place)).collect(),
                    wanted: of_modules.clone(),
                    hash: self.hash(hashes),
                });
            }
            // Values depend on other files if functions read them.
            let reads_files = places.iter().any(|place| hashed[*place].may_read_files);
            let hashes = places.iter().map(|place| hashed[*place].hash.as_deref());
            of_repository.push(Group {
                key: "tree".to_owned(),
                units: vec![Unit::Tree(number)],
                wanted: of_trees.clone(),
                hash: self.hash(hashes).filter(|_| !reads_files),
            });
        }
        for (place, document) in self.sources.documents().iter().enumerate() {
            groups.entry(document.repository.to_string()).or_default().push(Group {
                key: self.sources.name_of(&document.path),
                units: vec![Unit::Document(place)],
                wanted: of_documents.clone(),
                hash: self.hash(std::iter::once(documents[place].as_deref())),
            });
        }
        if !self.sources.gaps().is_empty() {
            let (units, wanted) = (vec![Unit::Gaps], of_gaps);
            let group = Group { key: "gaps".to_owned(), units, wanted, hash: None };
            groups.entry(String::new()).or_default().push(group);
        }
        for groups in groups.values_mut() {
            groups.retain(|group| !group.wanted.is_empty());
        }
        Ok(groups)
    }

    /// The hash of hashes; `None` if one is missing.
    fn hash<'h>(&self, hashes: impl Iterator<Item = Option<&'h str>>) -> Option<String> {
        let hashes: Option<Vec<&str>> = hashes.collect();
        Some(hash_of(format!("{}\n{}", self.settings, hashes?.join("\n")).as_bytes()))
    }
}

/// A module, hashed.
struct Hashed {
    /// The hash of its files; `None` if one cannot be read.
    hash: Option<String>,
    /// A number from the name of its directory.
    bucket: u64,
    /// Whether it may call functions that read files.
    may_read_files: bool,
}

impl Hashed {
    /// `buffer` is for the bytes of a file: fresh memory would cost more than reading.
    fn of(module: &ModuleFiles, sources: &Sources, buffer: &mut Vec<u8>) -> Self {
        let directory = sources.name_of(&module.path);
        let name = blake3::hash(directory.as_bytes());
        let bucket = name.as_bytes().iter().take(8).fold(0, |sum, it| sum << 8 | u64::from(*it));
        let mut text = format!("{directory}\n{}\n", module.dialect.name());
        let (mut is_complete, mut may_read_files) = (true, false);
        for file in &module.files {
            text.push_str(&format!("{:?} {:?} {:?} ", file.name, file.shadowed_by, file.given));
            if !file.is_read() {
                continue;
            }
            match read(&file.path, buffer) {
                Ok(()) => {
                    may_read_files |= memchr::memmem::find(buffer, b"file").is_some();
                    text.push_str(&hash_of(buffer));
                }
                Err(_) => is_complete = false,
            }
            text.push('\n');
        }
        let hash = is_complete.then(|| hash_of(text.as_bytes()));
        Self { hash, bucket, may_read_files }
    }
}

/// Reads a file into a buffer. Pipes and devices may never end, and are refused.
fn read(path: &Path, buffer: &mut Vec<u8>) -> std::result::Result<(), SourceError> {
    Source::refuse_special_file(path)?;
    buffer.clear();
    let read = File::open(path).and_then(|mut file| file.read_to_end(buffer));
    read.map(|_| ()).map_err(SourceError::Io)
}
