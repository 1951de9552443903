//! Exports: tables as files in a directory, which other engines read.
//!
//! `DIR/TABLE/REPOSITORY/data.parquet` has the rows of one repository. [`MANIFEST`] says which rows
//! came from which files. A second export reads again only what has changed: the encoded rows of
//! other modules are copied.
//!
//! An export is written beside the directory and then takes its place, so readers of the directory
//! see the old rows or the new ones. A run that fails leaves the old ones.

mod encode;
mod error;
mod files;
mod group;
mod layout;
mod manifest;
mod options;
mod staging;
mod state;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use self::encode::Encoded;
use self::error::{Result, at};
use self::files::{Files, Rows};
use self::group::Group;
use self::layout::Layout;
use self::manifest::{Earlier, Found, Manifest, Repository, Segment};
use self::staging::{link, list};
use self::state::{Export, encoded};
use crate::copies::Gap;
use crate::table::VERSION;

pub use self::error::ExportError;
pub use self::layout::without_lists;
pub use self::manifest::{Exported, MANIFEST};
pub use self::options::{Format, Options};

/// The result of an export. Displayed as one line.
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

/// The time as the name of a snapshot: `2026-01-31T12-00-00Z`.
#[must_use]
pub fn now() -> String {
    chrono::Utc::now().format("%Y-%m-%dT%H-%M-%SZ").to_string()
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

impl Export<'_> {
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
            let found = self.write_repository(&repository, &groups, &mut written)?;
            manifest.repositories.insert(repository, found);
        }
        for layout in &self.layouts {
            let rows = written.rows.entry(layout.table.name).or_default();
            if *rows == 0 {
                self.write_empty(layout)?;
            }
        }
        let gaps = self.sources.gaps().iter().cloned();
        written.gaps.extend(gaps);
        written.gaps.sort();
        written.gaps.dedup();
        let path = self.staging.path().join(MANIFEST);
        let text = serde_json::to_vec(&manifest);
        let text = text.map_err(|error| ExportError::Refused(error.to_string()))?;
        let mut file = File::create(&path).map_err(at(&path))?;
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(at(&path))?;
        self.check()?;
        self.staging.publish(self.target)?;
        Ok(written)
    }

    /// Links the files of earlier snapshots into the new directory.
    fn keep_snapshots(&self, manifest: &mut Manifest) -> Result<()> {
        let Some(snapshot) = &self.options.snapshot else { return Ok(()) };
        if let Some(old) = &self.old {
            manifest.snapshots.clone_from(&old.snapshots);
            for table in list(self.target)?.into_iter().filter(|path| path.is_dir()) {
                for entry in list(&table)? {
                    let to =
                        self.staging.path().join(entry.strip_prefix(self.target).unwrap_or(&entry));
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

    /// Writes a file without rows, from which readers learn the columns.
    fn write_empty(&self, layout: &Layout) -> Result<()> {
        let directory = self.staging.path().join(layout.table.name);
        fs::create_dir_all(&directory).map_err(at(&directory))?;
        // An earlier snapshot may have rows.
        if !list(&directory)?.is_empty() {
            return Ok(());
        }
        let format = self.options.format;
        let path = directory.join(format!("empty.{}", format.extension()));
        fs::write(&path, layout.empty_file(format)?).map_err(at(&path))
    }

    fn write_repository(
        &self,
        repository: &str,
        groups: &[Group],
        written: &mut Written,
    ) -> Result<Repository> {
        let old = self.earlier(repository);
        let directory = match repository {
            "" => "none".to_owned(),
            repository => encoded(repository),
        };
        let layouts = self.layouts.iter();
        let mut files: Vec<Files<'_>> =
            layouts.map(|layout| Files::new(self, layout, &directory)).collect();
        let mut segments = Vec::new();
        let chunk = rayon::current_num_threads() * 4;
        for groups in groups.chunks(chunk) {
            self.check()?;
            let read = groups.par_iter().map(|group| {
                match old.as_ref().and_then(|old| old.find(&group.key, group.hash.as_deref())) {
                    Some(found) => Ok(Read::Unchanged(found)),
                    None => self.encode(group).map(Read::Encoded),
                }
            });
            let mut rows: Vec<Vec<(&str, Rows)>> = files.iter().map(|_| Vec::new()).collect();
            for (group, read) in groups.iter().zip(read.collect::<Result<Vec<_>>>()?) {
                let segment = self.segment(group, read, &mut rows, written);
                segments.push(segment);
            }
            let by_table = files.par_iter_mut().zip(rows);
            by_table.try_for_each(|(files, rows)| {
                rows.into_iter().try_for_each(|(key, rows)| files.add(key, rows, old.as_ref()))
            })?;
        }
        let ends = files.into_par_iter().map(|files| files.finish(old.as_ref()));
        ends.collect::<Result<()>>()?;
        Ok(Repository { directory, segments })
    }

    /// The rows of a repository in the earlier export, if they can be copied.
    fn earlier(&self, repository: &str) -> Option<Earlier<'_>> {
        let (old, options) = (self.old.as_ref()?, self.options);
        let adds_column = options.snapshot.is_some();
        let can_copy = options.format == Format::Parquet || !adds_column;
        if !can_copy || old.format != options.format || old.snapshots.is_empty() == adds_column {
            return None;
        }
        let stem = match options.snapshot {
            Some(_) => format!("snapshot-{}", encoded(old.snapshots.last()?)),
            None => "data".to_owned(),
        };
        let found = old.repositories.get(repository)?;
        Some(Earlier::new(self.target, found, old.format, stem))
    }

    /// Adds the rows of a group to those of each table.
    fn segment<'g>(
        &self,
        group: &'g Group,
        read: Read<'_>,
        rows: &mut [Vec<(&'g str, Rows)>],
        written: &mut Written,
    ) -> Segment {
        let segment = match read {
            Read::Encoded(encoded) => {
                written.read += 1;
                let mut tables = BTreeMap::new();
                for (place, part, count) in encoded.parts {
                    let table = self.layouts[place].table;
                    tables.insert(table.name.to_owned(), (part.groups(), count));
                    rows[place].push((&group.key, Rows::New(part)));
                }
                Segment {
                    key: group.key.clone(),
                    hash: group.hash.clone().filter(|_| !encoded.reaches_out),
                    tables,
                    gaps: encoded.gaps.into_iter().map(|gap| (gap.path, gap.why)).collect(),
                }
            }
            Read::Unchanged((segment, firsts)) => {
                written.copied += 1;
                for (layout, rows) in self.layouts.iter().zip(rows) {
                    let name = layout.table.name;
                    if let Some((groups, _)) = segment.tables.get(name) {
                        let first = firsts.get(name).copied().unwrap_or(0);
                        rows.push((&group.key, Rows::Earlier(first..first + groups)));
                    }
                }
                (*segment).clone()
            }
        };
        for layout in &self.layouts {
            let (_, count) = segment.tables.get(layout.table.name).copied().unwrap_or_default();
            *written.rows.entry(layout.table.name).or_default() += count;
        }
        let gaps = segment.gaps.iter().cloned();
        written.gaps.extend(gaps.map(|(path, why)| Gap { path, why }));
        segment
    }
}

/// A group of files whose rows are known.
enum Read<'e> {
    Encoded(Encoded),
    /// The files have not changed since the earlier export.
    Unchanged(&'e Found<'e>),
}
