//! Groups of files: their rows are written together, and read again together.

use std::collections::BTreeMap;
use std::path::Path;

use memchr::memmem;
use rayon::prelude::*;
use simd_hcl::dialect::List;
use simd_hcl::directory::ModuleFiles;
use simd_hcl::source::{Access, SourceError};

use super::error::Result;
use super::state::Export;
use crate::collect::Wanted;
use crate::file::on_disk;
use crate::hash::{hash_of, hash_of_file};
use crate::source::{Sources, Unit};
use crate::table::{Origin, Table};

/// The number of modules, or of components, whose rows are written together, in repositories of up to
/// 8,192 of them.
const TOGETHER: usize = 4;

/// The number of such groups of a repository, at most: each has a row group in every file, and
/// readers keep what files say about those.
const MOST_GROUPS: usize = 2048;

/// A group of files whose rows are written together.
pub(super) struct Group {
    pub(super) key: String,
    pub(super) units: Vec<Unit>,
    /// Components of a repository, each as the places of its modules.
    pub(super) components: Vec<Vec<usize>>,
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
        let of_trees = of(&|it| it.origin == Origin::Tree && it.name != "units");
        let of_units = of(&|it| it.name == "units");
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
            let hash = |places: &mut dyn Iterator<Item = &usize>| {
                self.hash(places.map(|place| hashed[*place].hash.as_deref()))
            };
            // The calls of a module decide which of its values are secret.
            let shows_secrets = self.options.read.shows_secrets;
            let needs_components = !of_trees.is_empty() || !of_modules.is_empty() && !shows_secrets;
            let (components, is_closed) = match needs_components {
                true => self.sources.closed_components(number),
                false => (Vec::new(), true),
            };
            let mut together: BTreeMap<usize, Option<String>> = BTreeMap::new();
            if !shows_secrets {
                for component in &components {
                    let of_all = match component.len() {
                        1 => Some(String::new()),
                        _ if is_closed => hash(&mut component.iter()),
                        _ => None,
                    };
                    let calling = component.iter().filter(|place| hashed[**place].may_call);
                    together.extend(calling.map(|place| (*place, of_all.clone())));
                }
            }
            let modules = places.iter().map(|place| (hashed[*place].bucket, *place));
            for (key, places) in buckets("modules", modules.collect()) {
                of_repository.push(Group {
                    key,
                    units: places.iter().map(|place| Unit::Module(*place)).collect(),
                    components: Vec::new(),
                    wanted: of_modules.clone(),
                    hash: self.hash(places.iter().flat_map(|place| {
                        let called = together.get(place).map(Option::as_deref);
                        [Some(hashed[*place].hash.as_deref()), called].into_iter().flatten()
                    })),
                });
            }
            if self.sources.has_units(repository) {
                of_repository.push(Group {
                    key: "units".to_owned(),
                    units: vec![Unit::Tree(number)],
                    components: Vec::new(),
                    wanted: of_units.clone(),
                    // They read files that are no configuration, and some that do not exist yet.
                    hash: None,
                });
            }
            if of_trees.is_empty() {
                continue;
            }
            // A component has the bucket of its first module.
            let components = components.into_iter().filter_map(|component| {
                let first = component.first()?;
                Some((hashed[*first].bucket, component))
            });
            for (key, components) in buckets("trees", components.collect()) {
                let places = || components.iter().flatten();
                // Values depend on other files if functions read them.
                let reads_files = places().any(|place| hashed[*place].may_read_files);
                of_repository.push(Group {
                    key,
                    units: Vec::new(),
                    hash: hash(&mut places()).filter(|_| !reads_files),
                    components,
                    wanted: of_trees.clone(),
                });
            }
        }
        for (place, document) in self.sources.documents().iter().enumerate() {
            groups.entry(document.repository.to_string()).or_default().push(Group {
                key: self.sources.name_of(&document.path),
                units: vec![Unit::Document(place)],
                components: Vec::new(),
                wanted: of_documents.clone(),
                hash: self.hash(std::iter::once(documents[place].as_deref())),
            });
        }
        if !self.sources.gaps().is_empty() {
            let group = Group {
                key: "gaps".to_owned(),
                units: vec![Unit::Gaps],
                components: Vec::new(),
                wanted: of_gaps,
                hash: None,
            };
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

/// Distributes parts of a repository, each with a number from its name, over groups with keys. Which
/// parts are together hardly depends on other parts.
fn buckets<T>(name: &str, parts: Vec<(u64, T)>) -> Vec<(String, Vec<T>)> {
    let count = parts.len().div_ceil(TOGETHER).next_power_of_two().min(MOST_GROUPS);
    let mut buckets: BTreeMap<u64, Vec<T>> = BTreeMap::new();
    for (number, part) in parts {
        buckets.entry(number % count as u64).or_default().push(part);
    }
    let key = |bucket| format!("{name} {bucket} of {count}");
    buckets.into_iter().map(|(bucket, parts)| (key(bucket), parts)).collect()
}

/// A module, hashed.
struct Hashed {
    /// The hash of its files; `None` if one cannot be read.
    hash: Option<String>,
    /// A number from the name of its directory.
    bucket: u64,
    /// Whether it may call functions that read files.
    may_read_files: bool,
    /// Whether it may call modules.
    may_call: bool,
}

impl Hashed {
    /// `buffer` is for the bytes of a file: fresh memory would cost more than reading.
    fn of(module: &ModuleFiles, sources: &Sources, buffer: &mut Vec<u8>) -> Self {
        let directory = sources.name_of(on_disk(&module.path));
        let name = blake3::hash(directory.as_bytes());
        let bucket = name.as_bytes().iter().take(8).fold(0, |sum, it| sum << 8 | u64::from(*it));
        let mut text = format!("{directory}\n{}\n", module.dialect.name());
        let (mut is_complete, mut may_read_files, mut may_call) = (true, false, false);
        for file in &module.files {
            text.push_str(&format!("{:?} {:?} {:?} ", file.name, file.shadowed_by, file.given));
            if !file.is_read() {
                continue;
            }
            match read(on_disk(&file.path), buffer) {
                Ok(()) => {
                    let is_opaque = is_opaque(buffer);
                    may_read_files = may_read_files || is_opaque || calls_files(buffer);
                    let is_stack = matches!(file.kind.list, List::Component | List::Deployment);
                    may_call = may_call || is_opaque || is_stack || calls_modules(buffer);
                    text.push_str(&hash_of(buffer));
                }
                Err(_) => is_complete = false,
            }
            text.push('\n');
        }
        let hash = is_complete.then(|| hash_of(text.as_bytes()));
        Self { hash, bucket, may_read_files, may_call }
    }
}

/// Whether a text is compressed, or not in UTF-8, so that words in it are not found.
fn is_opaque(bytes: &[u8]) -> bool {
    const GZIP: &[u8] = b"\x1f\x8b";
    const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
    // UTF-16 has one in each letter of ASCII.
    bytes.starts_with(GZIP) || bytes.starts_with(ZSTD) || memchr::memchr(0, bytes).is_some()
}

/// Whether a text may call a module. An escape may stand for a letter.
fn calls_modules(text: &[u8]) -> bool {
    ["module", "\\u"].iter().any(|word| memmem::find(text, word.as_bytes()).is_some())
}

/// Whether a text may call a function that reads files: `file`, `templatefile`, `filesha256`, … An
/// escape of JSON or a comment may stand before the parenthesis.
fn calls_files(text: &[u8]) -> bool {
    // A letter of the name may be written as an escape.
    if memmem::find(text, b"\\u006").is_some() {
        return true;
    }
    memmem::find_iter(text, b"file").any(|start| {
        let rest = &text[start + 4..];
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        // No name of a function is longer.
        let name = rest.iter().take(32).take_while(is_part).count();
        let after = rest[name..].trim_ascii_start();
        matches!(after.first(), Some(b'(' | b'\\' | b'/' | b'#'))
    })
}

/// Reads a file into a buffer. Pipes and devices may never end, and are refused.
fn read(path: &Path, buffer: &mut Vec<u8>) -> std::result::Result<(), SourceError> {
    Access::FOUND.open(path)?.read_into(buffer)
}

#[cfg(test)]
mod tests {
    use super::{calls_files, calls_modules, is_opaque};

    #[test]
    fn what_cannot_be_searched_may_call_anything() {
        let text = "module \"a\" {\n  source = \"./b\"\n}\nlocals {\n  c = file(\"d\")\n}\n";
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let gzip = [b"\x1f\x8b\x08\0\0", text.as_bytes()].concat();
        let zstd = [b"\x28\xb5\x2f\xfd", &text.as_bytes()[40..]].concat();
        for bytes in [&utf16, &gzip, &zstd] {
            assert!(is_opaque(bytes));
        }
        assert!(!calls_modules(&utf16) && !calls_files(&utf16));
        let text = text.as_bytes();
        assert!(!is_opaque(text) && calls_modules(text) && calls_files(text));
    }
}
