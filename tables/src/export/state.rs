//! An export that is being written: its sources, its target, and the export that is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::error::{ExportError, Result};
use super::layout::Layout;
use super::manifest::{self, Manifest};
use super::options::Options;
use super::staging::Staging;
use crate::columns::TABLES;
use crate::hash::hash_of;
use crate::source::Sources;
use crate::table::{Table, VERSION};

/// An export that is being written.
pub(super) struct Export<'o> {
    pub(super) sources: Sources,
    pub(super) target: &'o Path,
    pub(super) options: &'o Options,
    pub(super) layouts: Vec<Layout>,
    pub(super) old: Option<Manifest>,
    pub(super) settings: String,
    pub(super) staging: Staging,
}

impl<'o> Export<'o> {
    pub(super) fn new(paths: &[PathBuf], target: &'o Path, options: &'o Options) -> Result<Self> {
        let old = manifest::read(target)?;
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
        let sources = Sources::find(paths, options.find).with_copies(options.copies.clone());
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
        let layout = |table| Layout::new(table, options.snapshot.as_deref());
        let layouts = tables.into_iter().map(layout).collect::<Result<_>>()?;
        Ok(Self { sources, target, options, layouts, old, settings, staging })
    }

    /// Fails if the export has been cancelled.
    pub(super) fn check(&self) -> Result<()> {
        match self.options.cancelled.load(Ordering::Relaxed) {
            true => Err(ExportError::Cancelled),
            false => Ok(()),
        }
    }

    /// The name of the file of a table, without its extension.
    pub(super) fn stem(&self) -> String {
        match &self.options.snapshot {
            Some(snapshot) => format!("snapshot-{}", encoded(snapshot)),
            None => "data".to_owned(),
        }
    }
}

/// A repository as the name of a directory: bytes that some reader does not accept are `~XX`. Names
/// that start with `.` or `_` are hidden from some.
pub(super) fn encoded(repository: &str) -> String {
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

fn is_in(tables: &[&'static Table], table: &'static Table) -> bool {
    tables.iter().any(|it| std::ptr::eq(*it, table))
}
