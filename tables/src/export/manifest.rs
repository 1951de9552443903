//! The manifest of an export: which rows came from which files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use serde::{Deserialize, Serialize};

use super::error::{ExportError, Result, at};
use super::options::Format;
use crate::table::{Table, VERSION};

/// The file that describes an export.
pub const MANIFEST: &str = "manifest.json";

/// The rows of a group of files: what they were read from, and where they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Segment {
    /// The group.
    pub(super) key: String,
    /// The hash of all that its rows depend on; `None` if they depend on more than files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    /// The number of row groups of each table, and of rows.
    pub(super) tables: BTreeMap<String, (usize, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) gaps: Vec<(String, String)>,
}

/// The rows of a repository.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Repository {
    pub(super) directory: String,
    pub(super) segments: Vec<Segment>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The version of the columns.
    pub(super) version: (u32, u32),
    pub(super) format: Format,
    /// Tables and options of reading: rows of other ones are not copied.
    pub(super) settings: String,
    /// The snapshots, oldest first; empty without `--append-snapshot`.
    pub(super) snapshots: Vec<String>,
    pub(super) repositories: BTreeMap<String, Repository>,
}

/// Reads the manifest of a directory; `None` if it has none.
pub(super) fn read(directory: &Path) -> Result<Option<Manifest>> {
    let path = directory.join(MANIFEST);
    match fs::read(&path) {
        Ok(text) => parsed(&directory.display().to_string(), &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(&path)(error)),
    }
}

/// Reads the manifest of a directory from its text.
fn parsed(directory: &str, text: &[u8]) -> Result<Manifest> {
    /// The member that every version has.
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

/// The manifest of an export, as far as it is about its tables.
#[derive(Clone, Copy, Debug)]
pub struct Exported {
    /// The format of their files.
    pub format: Format,
    has_snapshots: bool,
}

impl Exported {
    /// Reads the manifest of a directory; `None` if it has none.
    ///
    /// # Errors
    /// Its tables have a newer version of the columns, or the manifest is damaged.
    pub fn of(directory: &Path) -> std::result::Result<Option<Self>, String> {
        let manifest = read(directory).map_err(|error| error.to_string())?;
        Ok(manifest.as_ref().map(Self::new))
    }

    /// Reads the text of a manifest. `name` is what errors call its directory.
    ///
    /// # Errors
    /// As [`Exported::of`].
    pub fn of_manifest(name: &str, text: &[u8]) -> std::result::Result<Self, String> {
        parsed(name, text).map(|it| Self::new(&it)).map_err(|error| error.to_string())
    }

    fn new(manifest: &Manifest) -> Self {
        Self { format: manifest.format, has_snapshots: !manifest.snapshots.is_empty() }
    }

    /// The columns of a table. Files of an older version may lack some.
    #[must_use]
    pub fn schema(self, table: &Table) -> SchemaRef {
        let schema = table.schema();
        if !self.has_snapshots {
            return schema;
        }
        let own = schema.fields().iter().map(|field| field.as_ref().clone());
        let fields = own.chain([Field::new("snapshot", DataType::Utf8View, true)]);
        Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone()))
    }
}

/// The rows of a repository in the earlier export.
pub(super) struct Earlier<'e> {
    target: &'e Path,
    repository: &'e Repository,
    format: Format,
    stem: String,
    /// The segments by their keys, with the first row group of each table.
    segments: BTreeMap<&'e str, Found<'e>>,
    /// The number of row groups of each table.
    groups: BTreeMap<&'e str, usize>,
}

/// A segment of the earlier export, with the first row group of each table.
pub(super) type Found<'e> = (&'e Segment, BTreeMap<&'e str, usize>);

impl<'e> Earlier<'e> {
    pub(super) fn new(
        target: &'e Path,
        repository: &'e Repository,
        format: Format,
        stem: String,
    ) -> Self {
        let mut segments = BTreeMap::new();
        let mut firsts: BTreeMap<&str, usize> = BTreeMap::new();
        for segment in &repository.segments {
            segments.insert(segment.key.as_str(), (segment, firsts.clone()));
            for (table, (groups, _)) in &segment.tables {
                *firsts.entry(table).or_default() += groups;
            }
        }
        Self { target, repository, format, stem, segments, groups: firsts }
    }

    /// The segment of the group with this key, if its files have not changed: if the hashes are
    /// known and the same.
    pub(super) fn find(&self, key: &str, hash: Option<&str>) -> Option<&Found<'e>> {
        let found = self.segments.get(key)?;
        (hash.is_some() && found.0.hash.as_deref() == hash).then_some(found)
    }

    /// The number of row groups of a table.
    pub(super) fn groups(&self, table: &Table) -> usize {
        self.groups.get(table.name).copied().unwrap_or(0)
    }

    /// The directory of a table.
    pub(super) fn directory(&self, table: &Table) -> PathBuf {
        self.target.join(table.name).join(&self.repository.directory)
    }

    /// The file of a table in Parquet.
    pub(super) fn path(&self, table: &Table) -> PathBuf {
        self.directory(table).join(format!("{}.{}", self.stem, self.format.extension()))
    }

    pub(super) fn is_parquet(&self) -> bool {
        self.format == Format::Parquet
    }
}
