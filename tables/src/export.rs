//! Exports: tables as files in a directory, which other engines read.
//!
//! `DIR/TABLE/REPOSITORY/data.parquet` has the rows of one repository. [`MANIFEST`] says which rows
//! came from which files. A second export reads again only what has changed: the encoded rows of
//! other modules are copied.
//!
//! An export is written beside the directory and then takes its place, so readers of the directory
//! see the old rows or the new ones. A run that fails leaves the old ones.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray, cast::AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::{ArrowSchemaConverter, ArrowWriter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::Compression;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::ChunkReader;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use simd_hcl::Arena;

use crate::columns::TABLES;
use crate::scan::{Gap, ReadOptions, Tables, Wanted, hash_of, hash_of_file};
use crate::source::{FindOptions, Sources, Unit};
use crate::table::{Origin, Table, VERSION};

/// The file that describes an export.
pub const MANIFEST: &str = "manifest.json";

/// The number of modules whose rows are written together.
const TOGETHER: usize = 4;

/// A format of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Apache Parquet, one file for each table and repository.
    #[default]
    Parquet,
    /// Files of Arrow IPC.
    Arrow,
    /// An object on each line.
    Ndjson,
    /// Comma-separated values; the elements of lists are joined by spaces.
    Csv,
}

impl Format {
    /// The extension of the files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
        }
    }
}

/// What an export writes.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format.
    pub format: Format,
    /// The tables; all of them if there is none.
    pub tables: Vec<&'static Table>,
    /// The name of the snapshot that is added to earlier ones; `None` to replace them.
    pub snapshot: Option<String>,
    /// How sources are found.
    pub find: FindOptions,
    /// How they are read.
    pub read: ReadOptions,
    /// The number of threads; 0 for one for each processor.
    pub threads: usize,
    /// Ends the export when it is set.
    pub cancelled: Arc<AtomicBool>,
}

/// What an export has done. Displayed as one line.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The rows of each table.
    pub rows: BTreeMap<&'static str, u64>,
    /// The modules, repositories and documents that were read.
    pub read: usize,
    /// Those whose rows were copied from the earlier export.
    pub copied: usize,
    /// The paths that could not be read.
    pub gaps: Vec<Gap>,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: u64 = self.rows.values().sum();
        write!(f, "{rows} rows in {} tables; ", self.rows.len())?;
        write!(f, "{} groups of files read, {} unchanged", self.read, self.copied)
    }
}

/// An error that ends an export. The directory is as it was.
#[derive(Debug)]
pub enum ExportError {
    /// A file or directory cannot be written or read.
    Io(PathBuf, io::Error),
    /// A file of the earlier export is damaged.
    Parquet(PathBuf, ParquetError),
    /// Rows cannot be encoded.
    Arrow(ArrowError),
    /// The directory has something else, or tables of a newer version.
    Refused(String),
    /// [`Options::cancelled`] was set.
    Cancelled,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Parquet(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Arrow(error) => error.fmt(f),
            Self::Refused(why) => f.write_str(why),
            Self::Cancelled => f.write_str("the export was cancelled; nothing has changed"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<ArrowError> for ExportError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

type Result<T> = std::result::Result<T, ExportError>;

fn at(path: &Path) -> impl FnOnce(io::Error) -> ExportError {
    move |error| ExportError::Io(path.to_owned(), error)
}

fn of_parquet(path: &Path) -> impl Fn(ParquetError) -> ExportError {
    move |error| match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => ExportError::Io(path.to_owned(), *error),
            Err(error) => ExportError::Parquet(path.to_owned(), ParquetError::External(error)),
        },
        error => ExportError::Parquet(path.to_owned(), error),
    }
}

/// The rows of a group of files: what they were read from, and where they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Segment {
    /// The group.
    key: String,
    /// The hash of all that its rows depend on; none if they depend on more than files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    /// The number of row groups of each table, and of rows.
    tables: BTreeMap<String, (usize, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<(String, String)>,
}

/// The rows of a repository.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Repository {
    directory: String,
    segments: Vec<Segment>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    /// The version of the columns.
    version: (u32, u32),
    format: Format,
    /// Tables and options of reading: rows of other ones are not copied.
    settings: String,
    /// The snapshots, oldest first; empty without `--append-snapshot`.
    snapshots: Vec<String>,
    repositories: BTreeMap<String, Repository>,
}

/// Reads the manifest of a directory; `None` if it has none.
fn manifest(directory: &Path) -> Result<Option<Manifest>> {
    let path = directory.join(MANIFEST);
    match fs::read(&path) {
        Ok(text) => parsed(&directory.display().to_string(), &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(&path)(error)),
    }
}

/// Reads the manifest of a directory from its text.
fn parsed(directory: &str, text: &[u8]) -> Result<Manifest> {
    /// What every version has.
    #[derive(Deserialize)]
    struct Version {
        version: (u32, u32),
    }
    let damaged = |error: serde_json::Error| {
        ExportError::Refused(format!("{directory}: invalid {MANIFEST}: {error}"))
    };
    let Version { version } = serde_json::from_slice(text).map_err(damaged)?;
    if version.0 > VERSION.0 {
        return Err(ExportError::Refused(format!(
            "{directory}: its tables have version {}.{} of the columns, and this program reads {}.{}: install a newer one",
            version.0, version.1, VERSION.0, VERSION.1
        )));
    }
    serde_json::from_slice(text).map_err(damaged)
}

/// Checks that this program knows the columns of an exported directory.
///
/// # Errors
/// It has a newer version, or its manifest is damaged.
pub fn check_version(directory: &Path) -> std::result::Result<(), String> {
    manifest(directory).map(|_| ()).map_err(|error| error.to_string())
}

/// Checks that this program knows the columns of an exported directory, by the text of its manifest.
///
/// # Errors
/// As [`check_version`].
pub fn check_manifest(directory: &str, text: &[u8]) -> std::result::Result<(), String> {
    parsed(directory, text).map(|_| ()).map_err(|error| error.to_string())
}

/// The time as the name of a snapshot: `2026-01-31T12-00-00Z`.
#[must_use]
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // The civil calendar, by the algorithm of Howard Hinnant's `civil_from_days`.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}-{minute:02}-{second:02}Z")
}

/// A repository as the name of a directory: bytes that some reader does not accept are `~XX`. Names
/// that start with `.` or `_` are hidden from some.
fn encoded(repository: &str) -> String {
    let mut name = String::new();
    for byte in repository.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => name.push(byte.into()),
            b'.' | b'_' if !name.is_empty() => name.push(byte.into()),
            _ => name.push_str(&format!("~{byte:02X}")),
        }
    }
    // Longer names are not allowed.
    if name.len() > 200 {
        name.truncate(160);
        name = format!("{name}-{}", hash_of(repository.as_bytes()));
    }
    name
}

/// A group of files whose rows are written together.
struct Group {
    key: String,
    units: Vec<Unit>,
    wanted: Vec<Wanted>,
    hash: Option<String>,
}

/// The rows of a group, encoded.
struct Encoded {
    tables: Vec<(&'static Table, Vec<u8>, u64)>,
    gaps: Vec<Gap>,
    /// Whether the rows depend on files outside of the group.
    reaches_out: bool,
}

/// A directory beside the target that is removed unless it is published.
struct Staging {
    path: PathBuf,
    /// Locked as long as the export runs.
    _lock: File,
}

impl Staging {
    fn create(target: &Path) -> Result<Self> {
        let name = target.file_name().ok_or_else(|| {
            ExportError::Refused(format!("{}: not the name of a directory", target.display()))
        })?;
        let parent = target.parent().unwrap_or(Path::new(""));
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        fs::create_dir_all(parent).map_err(at(parent))?;
        let path = parent.join(format!(".{}.staging", name.to_string_lossy()));
        let lock_path = path.join(".lock");
        if let Ok(lock) = File::open(&lock_path)
            && lock.try_lock().is_err()
        {
            let message = format!("{}: another export is writing it", target.display());
            return Err(ExportError::Refused(message));
        }
        // A killed run has left it.
        if path.exists() {
            fs::remove_dir_all(&path).map_err(at(&path))?;
        }
        fs::create_dir(&path).map_err(at(&path))?;
        let lock = File::create(&lock_path).map_err(at(&lock_path))?;
        lock.lock().map_err(at(&lock_path))?;
        Ok(Self { path, _lock: lock })
    }

    /// Puts the directory in the place of the target.
    fn publish(self, target: &Path) -> Result<()> {
        let lock = self.path.join(".lock");
        fs::remove_file(&lock).map_err(at(&lock))?;
        if !target.exists() {
            return fs::rename(&self.path, target).map_err(at(target));
        }
        if exchange(&self.path, target).is_ok() {
            // What is left is the earlier export, which `drop` removes.
            return Ok(());
        }
        let old = self.path.with_extension("old");
        fs::rename(target, &old).map_err(at(target))?;
        fs::rename(&self.path, target).map_err(at(target))?;
        fs::remove_dir_all(&old).map_err(at(&old))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // It may have been published.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Exchanges two directories in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes the tables of some paths to a directory.
///
/// Cost: that of hashing all files, and of reading those that have changed since the export that is
/// in the directory.
///
/// # Errors
/// See [`ExportError`]. The directory is as it was then.
pub fn export(paths: &[PathBuf], target: &Path, options: &Options) -> Result<Written> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| ExportError::Refused(error.to_string()))?;
    pool.install(|| Export::new(paths, target, options)?.run())
}

struct Export<'o> {
    sources: Sources,
    target: &'o Path,
    options: &'o Options,
    tables: Vec<&'static Table>,
    old: Option<Manifest>,
    settings: String,
    staging: Staging,
}

impl<'o> Export<'o> {
    fn new(paths: &[PathBuf], target: &'o Path, options: &'o Options) -> Result<Self> {
        let old = manifest(target)?;
        let is_used = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_some());
        if old.is_none() && (target.is_file() || is_used()) {
            let message = format!("{}: it is not empty, and no export", target.display());
            return Err(ExportError::Refused(message));
        }
        if let (Some(old), Some(snapshot)) = (&old, &options.snapshot) {
            if old.snapshots.contains(snapshot) {
                let message = format!("{}: it has a snapshot {snapshot:?}", target.display());
                return Err(ExportError::Refused(message));
            }
            if old.snapshots.is_empty() || old.format != options.format {
                let message = format!(
                    "{}: it was written without --append-snapshot, or in another format",
                    target.display()
                );
                return Err(ExportError::Refused(message));
            }
        }
        let sources = Sources::find(paths, options.find);
        let tables = match options.tables.is_empty() {
            true => TABLES.to_vec(),
            false => TABLES.into_iter().filter(|it| is_in(&options.tables, it)).collect(),
        };
        let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
        let settings = format!(
            "{}; {}.{}; sensitive: {}; {:?}; {}",
            env!("CARGO_PKG_VERSION"),
            VERSION.0,
            VERSION.1,
            options.read.shows_secrets,
            options.find,
            names.join(" ")
        );
        let staging = Staging::create(target)?;
        Ok(Self { sources, target, options, tables, old, settings, staging })
    }

    fn check(&self) -> Result<()> {
        match self.options.cancelled.load(Ordering::Relaxed) {
            true => Err(ExportError::Cancelled),
            false => Ok(()),
        }
    }

    fn run(self) -> Result<Written> {
        let mut written = Written::default();
        let mut manifest = Manifest {
            version: VERSION,
            format: self.options.format,
            settings: self.settings.clone(),
            ..Manifest::default()
        };
        self.keep_snapshots(&mut manifest)?;
        for (repository, groups) in self.groups()? {
            self.check()?;
            let found = self.write_repository(&repository, groups, &mut written)?;
            manifest.repositories.insert(repository, found);
        }
        for table in &self.tables {
            let rows = written.rows.entry(table.name).or_default();
            if *rows == 0 {
                self.write_empty(table)?;
            }
        }
        let gaps = self.sources.gaps().iter().cloned();
        written.gaps.extend(gaps);
        written.gaps.sort();
        written.gaps.dedup();
        let path = self.staging.path.join(MANIFEST);
        let text = serde_json::to_vec(&manifest);
        let text = text.map_err(|error| ExportError::Refused(error.to_string()))?;
        let mut file = File::create(&path).map_err(at(&path))?;
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(at(&path))?;
        self.check()?;
        self.staging.publish(self.target)?;
        Ok(written)
    }

    /// The name of the file of a table, without its extension.
    fn stem(&self) -> String {
        match &self.options.snapshot {
            Some(snapshot) => format!("snapshot-{}", encoded(snapshot)),
            None => "data".to_owned(),
        }
    }

    /// Links the files of earlier snapshots into the new directory.
    fn keep_snapshots(&self, manifest: &mut Manifest) -> Result<()> {
        let Some(snapshot) = &self.options.snapshot else { return Ok(()) };
        if let Some(old) = &self.old {
            manifest.snapshots.clone_from(&old.snapshots);
            for table in list(self.target)?.into_iter().filter(|path| path.is_dir()) {
                for entry in list(&table)? {
                    let to =
                        self.staging.path.join(entry.strip_prefix(self.target).unwrap_or(&entry));
                    match entry.is_dir() {
                        true => {
                            fs::create_dir_all(&to).map_err(at(&to))?;
                            for file in list(&entry)? {
                                link(&file, &to.join(file.file_name().unwrap_or_default()))?;
                            }
                        }
                        false => {
                            let parent = to.parent().unwrap_or(&to);
                            fs::create_dir_all(parent).map_err(at(parent))?;
                            link(&entry, &to)?;
                        }
                    }
                }
            }
        }
        manifest.snapshots.push(snapshot.clone());
        Ok(())
    }

    /// The groups of each repository. Reads all files, to hash them.
    fn groups(&self) -> Result<BTreeMap<String, Vec<Group>>> {
        let of = |is_wanted: &dyn Fn(&Table) -> bool| {
            let tables = self.tables.iter().filter(|table| is_wanted(table));
            tables.map(|table| Wanted::all(table)).collect::<Vec<_>>()
        };
        let of_modules = of(&|it| matches!(it.origin, Origin::File | Origin::Module));
        let of_trees = of(&|it| it.origin == Origin::Tree);
        let of_documents = of(&|it| it.origin.is_document() || it.name == "diagnostics");
        let of_gaps = of(&|it| it.name == "diagnostics");

        let modules = self.sources.modules();
        let hashed: Vec<Hashed> =
            modules.par_iter().map(|module| Hashed::of(&module.files)).collect();
        let documents: Vec<Option<String>> = (self.sources.documents().par_iter())
            .map(|document| hash_of_file(&document.path).ok())
            .collect();
        self.check()?;
        let mut groups: BTreeMap<String, Vec<Group>> = BTreeMap::new();
        for (number, (repository, places)) in self.sources.repositories().iter().enumerate() {
            let of_repository = groups.entry(repository.to_string()).or_default();
            let count = places.len().div_ceil(TOGETHER).next_power_of_two();
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
                key: document.path.to_string_lossy().into_owned(),
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

    fn write_repository(
        &self,
        repository: &str,
        groups: Vec<Group>,
        written: &mut Written,
    ) -> Result<Repository> {
        let old = self.old.as_ref().filter(|old| {
            let adds_column = self.options.snapshot.is_some();
            let can_copy = self.options.format == Format::Parquet || !adds_column;
            can_copy && old.format == self.options.format && old.snapshots.is_empty() != adds_column
        });
        let stem = match self.options.snapshot {
            Some(_) => {
                old.and_then(|it| it.snapshots.last()).map(|it| format!("snapshot-{}", encoded(it)))
            }
            None => Some("data".to_owned()),
        };
        let old = old.zip(stem).and_then(|(old, stem)| {
            let found = old.repositories.get(repository)?;
            Some(Earlier::new(self.target, found, stem))
        });
        let directory = match repository {
            "" => "none".to_owned(),
            repository => encoded(repository),
        };
        let mut files = Files {
            export: self,
            directory: directory.clone(),
            writers: BTreeMap::new(),
            earlier: BTreeMap::new(),
        };
        let mut segments = Vec::new();
        let chunk = rayon::current_num_threads() * 4;
        for groups in groups.chunks(chunk) {
            self.check()?;
            let encoded: Vec<Option<Encoded>> = groups
                .par_iter()
                .map(|group| match old.as_ref().and_then(|old| old.find(group)) {
                    Some(_) => Ok(None),
                    None => self.encode(group).map(Some),
                })
                .collect::<Result<_>>()?;
            for (group, encoded) in groups.iter().zip(encoded) {
                let segment = match encoded {
                    Some(encoded) => {
                        written.read += 1;
                        files.add(group, encoded)?
                    }
                    None => {
                        written.copied += 1;
                        match old.as_ref().and_then(|old| Some((old, old.find(group)?))) {
                            Some((old, found)) => files.copy(group, old, found)?,
                            None => continue,
                        }
                    }
                };
                for (table, (_, rows)) in &segment.tables {
                    if let Some(table) = self.tables.iter().find(|it| it.name == table) {
                        *written.rows.entry(table.name).or_default() += rows;
                    }
                }
                let gaps = segment.gaps.iter().cloned();
                written.gaps.extend(gaps.map(|(path, why)| Gap { path, why }));
                segments.push(segment);
            }
        }
        files.finish()?;
        Ok(Repository { directory, segments })
    }

    /// Reads the rows of a group.
    fn encode(&self, group: &Group) -> Result<Encoded> {
        self.check()?;
        let mut writers: Vec<Writer> = Vec::new();
        for wanted in &group.wanted {
            writers.push(Writer::new(wanted.table, self.options)?);
        }
        let mut failed = None;
        let take = |table: &'static Table, batch: RecordBatch| {
            if self.options.cancelled.load(Ordering::Relaxed) {
                failed = Some(ExportError::Cancelled);
                return false;
            }
            let mut writers = writers.iter_mut().filter(|it| std::ptr::eq(it.table, table));
            match writers.try_for_each(|writer| writer.write(&batch)) {
                Ok(()) => true,
                Err(error) => {
                    failed = Some(error);
                    false
                }
            }
        };
        let mut arena = Arena::new();
        let mut tables = Tables::new(&group.wanted, self.options.read, Box::new(take))?;
        for unit in &group.units {
            tables.read(&self.sources, *unit, &arena, &|_| true);
            arena.reset();
        }
        let reaches_out = tables.reaches_out();
        let gaps = tables.finish();
        if let Some(error) = failed {
            return Err(error);
        }
        let mut tables = Vec::new();
        for writer in writers {
            if writer.rows > 0 {
                let (table, rows) = (writer.table, writer.rows);
                tables.push((table, writer.finish()?, rows));
            }
        }
        Ok(Encoded { tables, gaps, reaches_out })
    }

    /// Writes a file without rows, so that readers find the columns of the table.
    fn write_empty(&self, table: &'static Table) -> Result<()> {
        let directory = self.staging.path.join(table.name);
        fs::create_dir_all(&directory).map_err(at(&directory))?;
        if !list(&directory)?.is_empty() {
            return Ok(());
        }
        let schema = file_schema(table, self.options.snapshot.is_some());
        let path = directory.join(format!("empty.{}", self.options.format.extension()));
        let mut bytes = Vec::new();
        match self.options.format {
            Format::Parquet => {
                let writer = ArrowWriter::try_new(&mut bytes, schema, Some(properties()));
                writer.and_then(ArrowWriter::close).map_err(of_parquet(&path))?;
            }
            Format::Arrow => {
                arrow::ipc::writer::FileWriter::try_new(&mut bytes, &schema)?.finish()?;
            }
            Format::Ndjson => {}
            Format::Csv => {
                let batch = without_lists(&RecordBatch::new_empty(schema))?;
                arrow::csv::WriterBuilder::new()
                    .with_header(true)
                    .build(&mut bytes)
                    .write(&batch)?;
            }
        }
        fs::write(&path, bytes).map_err(at(&path))
    }
}

fn is_in(tables: &[&'static Table], table: &'static Table) -> bool {
    tables.iter().any(|it| std::ptr::eq(*it, table))
}

/// The entries of a directory, sorted.
fn list(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).map_err(at(directory))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(at(directory))?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Makes a file appear under another name; on file systems without links it is copied.
fn link(from: &Path, to: &Path) -> Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(_) => fs::copy(from, to).map(|_| ()).map_err(at(to)),
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
    fn of(module: &simd_hcl::directory::ModuleFiles) -> Self {
        let directory = module.path.to_string_lossy();
        let name = blake3::hash(directory.as_bytes());
        let bucket = name.as_bytes().iter().take(8).fold(0, |sum, it| sum << 8 | u64::from(*it));
        let mut text = format!("{directory}\n{}\n", module.dialect.name());
        let (mut is_complete, mut may_read_files) = (true, false);
        for file in &module.files {
            text.push_str(&format!("{:?} {:?} ", file.path, file.shadowed_by));
            if !file.is_read() {
                continue;
            }
            match simd_hcl::Source::refuse_special_file(&file.path)
                .is_ok()
                .then(|| fs::read(&file.path))
            {
                Some(Ok(bytes)) => {
                    may_read_files |= memchr::memmem::find(&bytes, b"file").is_some();
                    text.push_str(&hash_of(&bytes));
                }
                _ => is_complete = false,
            }
            text.push('\n');
        }
        let hash = is_complete.then(|| hash_of(text.as_bytes()));
        Self { hash, bucket, may_read_files }
    }
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        // Groups are small: statistics and indexes of pages would be larger than they help.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .build()
}

/// The schema of the files: texts in the layout that every reader of Arrow knows.
fn file_schema(table: &Table, has_snapshot: bool) -> SchemaRef {
    let schema = table.schema();
    let mut fields: Vec<Field> = schema
        .fields()
        .iter()
        .map(|field| match field.data_type() {
            DataType::Utf8View => field.as_ref().clone().with_data_type(DataType::Utf8),
            _ => field.as_ref().clone(),
        })
        .collect();
    if has_snapshot {
        fields.push(Field::new("snapshot", DataType::Utf8, true));
    }
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// Joins the elements of lists by spaces, for formats without lists.
///
/// # Errors
/// A column cannot be shown as text.
pub fn without_lists(batch: &RecordBatch) -> std::result::Result<RecordBatch, ArrowError> {
    let options = FormatOptions::default();
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        let column: ArrayRef = match column.data_type() {
            DataType::List(_) => {
                let lists = column.as_list::<i32>();
                let texts = lists.iter().map(|list| {
                    let Some(list) = list else { return Ok(None) };
                    let formatter = ArrayFormatter::try_new(&list, &options)?;
                    let texts: Vec<String> =
                        (0..list.len()).map(|row| formatter.value(row).to_string()).collect();
                    Ok(Some(texts.join(" ")))
                });
                let texts: std::result::Result<Vec<Option<String>>, ArrowError> = texts.collect();
                Arc::new(StringArray::from(texts?))
            }
            _ => Arc::clone(column),
        };
        fields.push(Field::new(field.name(), column.data_type().clone(), true));
        columns.push(column);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

/// Encodes the rows of a group into memory.
struct Writer {
    table: &'static Table,
    rows: u64,
    format: Format,
    schema: SchemaRef,
    snapshot: Option<String>,
    parquet: Option<ArrowWriter<Vec<u8>>>,
    arrow: Option<arrow::ipc::writer::FileWriter<Vec<u8>>>,
    text: Vec<u8>,
}

impl Writer {
    fn new(table: &'static Table, options: &Options) -> Result<Self> {
        // In Parquet the column is added when groups are joined.
        let snapshot = options.snapshot.clone().filter(|_| options.format != Format::Parquet);
        let schema = file_schema(table, snapshot.is_some());
        let format = options.format;
        let (text, rows) = (Vec::new(), 0);
        Ok(Self { table, rows, format, schema, snapshot, parquet: None, arrow: None, text })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut columns = Vec::new();
        for (column, field) in batch.columns().iter().zip(self.schema.fields()) {
            columns.push(cast(column, field.data_type())?);
        }
        if let Some(snapshot) = &self.snapshot {
            let names = std::iter::repeat_n(Some(snapshot.as_str()), batch.num_rows());
            columns.push(Arc::new(names.collect::<StringArray>()));
        }
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        let is_first = self.rows == 0;
        self.rows += batch.num_rows() as u64;
        let of_parquet = of_parquet(Path::new(self.table.name));
        match self.format {
            Format::Parquet => {
                let new = |schema| ArrowWriter::try_new(Vec::new(), schema, Some(properties()));
                if self.parquet.is_none() {
                    self.parquet = Some(new(Arc::clone(&self.schema)).map_err(&of_parquet)?);
                }
                if let Some(writer) = &mut self.parquet {
                    writer.write(&batch).map_err(of_parquet)?;
                }
            }
            Format::Arrow => {
                if self.arrow.is_none() {
                    let writer = arrow::ipc::writer::FileWriter::try_new(Vec::new(), &self.schema);
                    self.arrow = Some(writer?);
                }
                if let Some(writer) = &mut self.arrow {
                    writer.write(&batch)?;
                }
            }
            Format::Ndjson => {
                let builder = arrow::json::WriterBuilder::new().with_explicit_nulls(true);
                let mut writer =
                    builder.build::<_, arrow::json::writer::LineDelimited>(&mut self.text);
                writer.write(&batch)?;
                writer.finish()?;
            }
            Format::Csv => {
                let builder = arrow::csv::WriterBuilder::new().with_header(is_first);
                builder.build(&mut self.text).write(&without_lists(&batch)?)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>> {
        let of_parquet = of_parquet(Path::new(self.table.name));
        match (self.parquet, self.arrow) {
            (Some(writer), _) => writer.into_inner().map_err(of_parquet),
            (_, Some(mut writer)) => {
                writer.finish()?;
                Ok(writer.into_inner()?)
            }
            _ => Ok(self.text),
        }
    }
}

/// The earlier export of a repository.
struct Earlier<'e> {
    target: &'e Path,
    repository: &'e Repository,
    stem: String,
    /// The segments by their keys, with the first row group of each table.
    segments: BTreeMap<&'e str, (&'e Segment, BTreeMap<&'e str, usize>)>,
}

impl<'e> Earlier<'e> {
    fn new(target: &'e Path, repository: &'e Repository, stem: String) -> Self {
        let mut segments = BTreeMap::new();
        let mut firsts: BTreeMap<&str, usize> = BTreeMap::new();
        for segment in &repository.segments {
            segments.insert(segment.key.as_str(), (segment, firsts.clone()));
            for (table, (groups, _)) in &segment.tables {
                *firsts.entry(table).or_default() += groups;
            }
        }
        Self { target, repository, stem, segments }
    }

    /// The segment of a group whose files have not changed.
    fn find(&self, group: &Group) -> Option<&(&'e Segment, BTreeMap<&'e str, usize>)> {
        let found = self.segments.get(group.key.as_str())?;
        (group.hash.is_some() && found.0.hash == group.hash).then_some(found)
    }

    fn path(&self, table: &str, extension: &str) -> PathBuf {
        let directory = self.target.join(table).join(&self.repository.directory);
        directory.join(format!("{}.{extension}", self.stem))
    }
}

/// The name of the file of a group, for formats whose files cannot be joined.
fn name_of(key: &str) -> String {
    hash_of(key.as_bytes())
}

/// The files of a repository that are being written.
struct Files<'f, 'o> {
    export: &'f Export<'o>,
    directory: String,
    writers: BTreeMap<&'static str, (PathBuf, SerializedFileWriter<BufWriter<File>>)>,
    /// Files of the earlier export that are open.
    earlier: BTreeMap<&'static str, (File, ParquetMetaData)>,
}

impl Files<'_, '_> {
    fn table(&self, name: &str) -> Option<&'static Table> {
        self.export.tables.iter().copied().find(|table| table.name == name)
    }

    fn path(&self, table: &Table, name: &str) -> Result<PathBuf> {
        let directory = self.export.staging.path.join(table.name).join(&self.directory);
        fs::create_dir_all(&directory).map_err(at(&directory))?;
        Ok(directory.join(format!("{name}.{}", self.export.options.format.extension())))
    }

    /// Adds the rows of a group.
    fn add(&mut self, group: &Group, encoded: Encoded) -> Result<Segment> {
        let mut segment = Segment {
            key: group.key.clone(),
            hash: group.hash.clone().filter(|_| !encoded.reaches_out),
            tables: BTreeMap::new(),
            gaps: encoded.gaps.into_iter().map(|gap| (gap.path, gap.why)).collect(),
        };
        for (table, bytes, rows) in encoded.tables {
            let groups = match self.export.options.format {
                Format::Parquet => {
                    let bytes = bytes::Bytes::from(bytes);
                    let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes);
                    let metadata = metadata.map_err(of_parquet(Path::new(table.name)))?;
                    self.append(table, &bytes, &metadata, 0..metadata.num_row_groups())?;
                    metadata.num_row_groups()
                }
                _ => {
                    let name = format!("{}-{}", self.export.stem(), name_of(&group.key));
                    let path = self.path(table, &name)?;
                    fs::write(&path, bytes).map_err(at(&path))?;
                    1
                }
            };
            segment.tables.insert(table.name.to_owned(), (groups, rows));
        }
        Ok(segment)
    }

    /// Copies the rows of a group from the earlier export.
    fn copy(
        &mut self,
        group: &Group,
        old: &Earlier<'_>,
        (segment, firsts): &(&Segment, BTreeMap<&str, usize>),
    ) -> Result<Segment> {
        for (name, (groups, _)) in &segment.tables {
            let Some(table) = self.table(name) else { continue };
            if self.export.options.format != Format::Parquet {
                let name = format!("{}-{}", self.export.stem(), name_of(&group.key));
                let path = self.path(table, &name)?;
                let from = old.target.join(table.name).join(&old.repository.directory);
                link(&from.join(path.file_name().unwrap_or_default()), &path)?;
                continue;
            }
            let path = old.path(table.name, "parquet");
            if !self.earlier.contains_key(table.name) {
                let file = File::open(&path).map_err(at(&path))?;
                let metadata = ParquetMetaDataReader::new().parse_and_finish(&file);
                self.earlier.insert(table.name, (file, metadata.map_err(of_parquet(&path))?));
            }
            let first = firsts.get(table.name).copied().unwrap_or(0);
            if let Some((file, metadata)) = self.earlier.remove(table.name) {
                self.append(table, &file, &metadata, first..first + groups)?;
                self.earlier.insert(table.name, (file, metadata));
            }
        }
        Ok((*segment).clone())
    }

    /// Appends encoded row groups to the file of a table.
    fn append<R: ChunkReader>(
        &mut self,
        table: &'static Table,
        from: &R,
        metadata: &ParquetMetaData,
        groups: std::ops::Range<usize>,
    ) -> Result<()> {
        let snapshot = self.export.options.snapshot.clone();
        if !self.writers.contains_key(table.name) {
            let path = self.path(table, &self.export.stem())?;
            let file = File::create(&path).map_err(at(&path))?;
            let schema = file_schema(table, snapshot.is_some());
            let mut properties = properties();
            add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
            let types = ArrowSchemaConverter::new().convert(&schema).map_err(of_parquet(&path))?;
            let (root, properties) = (types.root_schema_ptr(), Arc::new(properties));
            let writer = SerializedFileWriter::new(BufWriter::new(file), root, properties);
            self.writers.insert(table.name, (path.clone(), writer.map_err(of_parquet(&path))?));
        }
        let Some((path, writer)) = self.writers.get_mut(table.name) else { return Ok(()) };
        let of_parquet = of_parquet(path);
        // The column `snapshot` is the last one, and new in each snapshot.
        let own = file_schema(table, false);
        let own = ArrowSchemaConverter::new().convert(&own).map_err(&of_parquet)?.num_columns();
        for group in groups {
            let Some(group) = metadata.row_groups().get(group) else {
                let message = "it has fewer rows than its manifest says".to_owned();
                return Err(ExportError::Parquet(path.clone(), ParquetError::General(message)));
            };
            let mut out = writer.next_row_group().map_err(&of_parquet)?;
            for column in group.columns().iter().take(own) {
                let rows = u64::try_from(group.num_rows()).unwrap_or(0);
                let closed = closed(column, rows);
                out.append_column(from, closed).map_err(&of_parquet)?;
            }
            if let Some(snapshot) = &snapshot {
                let rows = usize::try_from(group.num_rows()).unwrap_or(0);
                let (bytes, column) = constant(snapshot, rows).map_err(&of_parquet)?;
                out.append_column(&bytes, closed(&column, rows as u64)).map_err(&of_parquet)?;
            }
            out.close().map_err(&of_parquet)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        for (path, writer) in self.writers.into_values() {
            let of_parquet = of_parquet(&path);
            let file = writer.into_inner().map_err(of_parquet)?;
            let file = file.into_inner().map_err(|error| at(&path)(error.into_error()))?;
            file.sync_data().map_err(at(&path))?;
        }
        Ok(())
    }
}

fn closed(column: &parquet::file::metadata::ColumnChunkMetaData, rows: u64) -> ColumnCloseResult {
    ColumnCloseResult {
        bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
        rows_written: rows,
        metadata: column.clone(),
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    }
}

/// A column `snapshot` with one text, encoded.
fn constant(
    text: &str,
    rows: usize,
) -> std::result::Result<(bytes::Bytes, parquet::file::metadata::ColumnChunkMetaData), ParquetError>
{
    let field = Field::new("snapshot", DataType::Utf8, true);
    let names: StringArray = std::iter::repeat_n(Some(text), rows).collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![Arc::new(names)])?;
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties()))?;
    writer.write(&batch)?;
    let bytes = bytes::Bytes::from(writer.into_inner()?);
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes)?;
    let group = metadata.row_groups().first();
    let column = group.and_then(|group| group.columns().first()).cloned();
    let column = column.ok_or_else(|| ParquetError::General("a group without rows".to_owned()))?;
    Ok((bytes, column))
}
