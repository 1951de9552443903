//! Scans: the rows of some tables of some sources, in batches.
//!
//! The sources are divided into [`Unit`]s. Any number of threads may read units at the same time, each
//! into its own [`Tables`]; the rows of a unit do not depend on the others.

use std::fs::File;
use std::io;
use std::path::Path;

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use simd_hcl::Arena;
use simd_hcl::directory::ModuleFile;

use crate::columns;
use crate::source::{Copies, Sources, Unit};
use crate::table::{Origin, Rows, Table};
use crate::{document, module, tree};

/// What stands for a hidden value.
pub const HIDDEN: &str = "(sensitive)";

/// The number of rows of a batch, apart from the last one.
pub const BATCH: usize = 8192;

/// What a scan reads.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The table.
    pub table: &'static Table,
    /// Its columns, by their places; `None` for all.
    pub projection: Option<Vec<usize>>,
}

impl Wanted {
    /// All columns of a table.
    #[must_use]
    pub fn all(table: &'static Table) -> Self {
        Self { table, projection: None }
    }
}

/// How sources are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Whether sensitive values are written.
    pub shows_secrets: bool,
}

/// A path that could not be read, or only in part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The path.
    pub path: String,
    /// Why.
    pub why: String,
}

/// Takes batches; `false` ends the scan.
pub type Take<'s> = Box<dyn FnMut(&'static Table, RecordBatch) -> bool + Send + 's>;

/// The rows of a scan that are being built.
pub(crate) struct Tables<'s> {
    rows: Vec<(&'static Table, Rows)>,
    options: ReadOptions,
    gaps: Vec<Gap>,
    hashes: bool,
    lines: bool,
    bodies: bool,
    reaches_out: bool,
    copies: Copies,
    take: Take<'s>,
    /// Whether `take` has ended the scan.
    is_over: bool,
}

impl std::fmt::Debug for Tables<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// The hash of a text, as the column `content_hash` has it.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> String {
    shown(blake3::hash(bytes))
}

/// The hash of a file, as [`hash_of`] its text. The file may be larger than memory.
///
/// # Errors
/// It cannot be read.
pub fn hash_of_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(shown(hasher.finalize()))
}

fn shown(hash: blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}

/// The columns of `resources` that the labels of a block say.
const HEAD: &[&str] = &["module", "role", "address", "mode", "type", "name"];

impl Rows {
    /// Whether a column is asked for that the labels of a block do not say.
    pub(crate) fn opens_bodies(&self) -> bool {
        let own = columns::RESOURCES.columns.iter().map(|column| column.name);
        own.filter(|name| !HEAD.contains(name)).any(|name| self.wants(name))
    }
}

impl<'s> Tables<'s> {
    /// Starts a scan, whose batches `take` gets.
    ///
    /// # Errors
    /// A column that a table does not have.
    pub(crate) fn new(
        wanted: &[Wanted],
        options: ReadOptions,
        take: Take<'s>,
    ) -> Result<Self, ArrowError> {
        let rows = wanted
            .iter()
            .map(|it| Ok((it.table, Rows::new(it.table, it.projection.as_deref())?)))
            .collect::<Result<Vec<_>, ArrowError>>()?;
        let wants = |name| rows.iter().any(|(_, rows)| rows.wants(name));
        let (hashes, lines) = (wants("content_hash"), wants("line"));
        let bodies = rows.iter().any(|(table, rows)| {
            let is_head = std::ptr::eq(*table, &raw const columns::FILES)
                || std::ptr::eq(*table, &raw const columns::RESOURCES) && !rows.opens_bodies();
            !is_head
        });
        Ok(Self {
            rows,
            options,
            gaps: Vec::new(),
            hashes,
            lines,
            bodies,
            reaches_out: false,
            copies: Copies::default(),
            take,
            is_over: false,
        })
    }

    /// The rows of a table, if it is asked for and the scan goes on.
    pub(crate) fn rows(&mut self, table: &'static Table) -> Option<&mut Rows> {
        let place = self.place(table)?;
        if self.rows[place].1.len() >= BATCH {
            self.flush(place);
        }
        if self.is_over { None } else { Some(&mut self.rows[place].1) }
    }

    fn place(&self, table: &'static Table) -> Option<usize> {
        self.rows.iter().position(|(it, _)| std::ptr::eq(*it, table))
    }

    fn flush(&mut self, place: usize) {
        let (table, rows) = &mut self.rows[place];
        if rows.is_empty() || self.is_over {
            return;
        }
        let is_wanted = match rows.take() {
            Ok(batch) => (self.take)(table, batch),
            Err(_) => false,
        };
        self.is_over = !is_wanted;
    }

    pub(crate) fn has(&self, table: &'static Table) -> bool {
        self.place(table).is_some()
    }

    /// Whether a table has values of variables or outputs.
    pub(crate) fn has_values(&self) -> bool {
        [&columns::ATTRIBUTES, &columns::VARIABLES, &columns::OUTPUTS]
            .map(|it| self.has(it))
            .contains(&true)
    }

    pub(crate) fn need_bodies(&self) -> bool {
        self.bodies
    }

    pub(crate) fn want_hashes(&self) -> bool {
        self.hashes
    }

    pub(crate) fn want_lines(&self) -> bool {
        self.lines
    }

    pub(crate) fn shows_secrets(&self) -> bool {
        self.options.shows_secrets
    }

    /// Whether nobody takes batches any more.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether rows depend on modules that are not among the sources.
    pub(crate) fn reaches_out(&self) -> bool {
        self.reaches_out
    }

    pub(crate) fn set_reaches_out(&mut self) {
        self.reaches_out = true;
    }

    pub(crate) fn report_file(&mut self, path: &str, why: &str) {
        let gap = Gap { path: self.copies.name_of(path).into_owned(), why: why.to_owned() };
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// Adds the rows of a unit. Files for which `is_wanted` returns `false` may be left out of
    /// tables that are read file by file.
    fn read(
        &mut self,
        sources: &Sources,
        unit: Unit,
        arena: &Arena,
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
    ) {
        if self.is_over {
            return;
        }
        match unit {
            Unit::Module(place) => {
                let found = &sources.modules()[place];
                let is_file_wanted = |file: &ModuleFile| is_wanted(&sources.name_of(&file.path));
                let of_files = self.rows.iter().any(|(table, _)| table.origin == Origin::File);
                if of_files {
                    module::read(&found.files, &found.repository, arena, self, &is_file_wanted);
                }
                if self.has(&columns::REFERENCES) {
                    module::read_references(&found.files, &found.repository, self, is_wanted);
                }
            }
            Unit::Tree(place) => tree::read(sources, place, self),
            Unit::Document(place) => {
                let found = &sources.documents()[place];
                document::read(&found.path, &found.repository, self);
            }
            Unit::Gaps => {
                let Some(rows) = self.rows(&columns::DIAGNOSTICS) else { return };
                for gap in sources.gaps() {
                    tree::add_gap(gap, "", rows);
                }
            }
        }
    }

    /// Adds the rows of some units.
    pub(crate) fn read_units(
        &mut self,
        sources: &Sources,
        units: &[Unit],
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
    ) {
        self.copies = sources.copies().clone();
        self.rows.iter_mut().for_each(|(_, rows)| rows.set_copies(&self.copies));
        let mut arena = Arena::new();
        for unit in units {
            self.read(sources, *unit, &arena, is_wanted);
            arena.reset();
        }
    }

    /// Adds the rows of components of repositories.
    pub(crate) fn read_components(&mut self, sources: &Sources, components: &[Vec<usize>]) {
        let mut arena = Arena::new();
        for component in components {
            tree::read_component(sources, component, &arena, self);
            arena.reset();
        }
    }

    /// Passes on the rows that are left, and returns the paths that could not be read.
    pub(crate) fn finish(mut self) -> Vec<Gap> {
        (0..self.rows.len()).for_each(|place| self.flush(place));
        self.gaps.sort();
        self.gaps
    }
}

/// Reads units one after the other on this thread.
///
/// # Errors
/// A column that a table does not have.
pub fn read_units<'s>(
    sources: &Sources,
    units: &[Unit],
    wanted: &[Wanted],
    options: ReadOptions,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
    take: Take<'s>,
) -> Result<Vec<Gap>, ArrowError> {
    let mut tables = Tables::new(wanted, options, take)?;
    tables.read_units(sources, units, is_wanted);
    Ok(tables.finish())
}
