//! The rows of a scan while they are collected: what is asked for, and where batches go.

use arrow::array::RecordBatch;
use arrow::error::ArrowError;

use crate::columns;
use crate::copies::{Copies, Gap};
use crate::table::{Origin, Rows, Table};

pub use crate::table::HIDDEN;

/// The number of rows of a batch, apart from the last one.
pub const BATCH: usize = 8192;

/// A table, and the parts of it that a scan reads.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The table.
    pub table: &'static Table,
    /// Its columns, by their indexes; `None` for all.
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

    /// Whether a table is asked for.
    pub(crate) fn has(&self, table: &'static Table) -> bool {
        self.place(table).is_some()
    }

    /// Whether a table of this origin is asked for.
    pub(crate) fn has_origin(&self, origin: Origin) -> bool {
        self.rows.iter().any(|(table, _)| table.origin == origin)
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

    /// Names copies by their URLs from now on.
    pub(crate) fn set_copies(&mut self, copies: &Copies) {
        self.copies = copies.clone();
        self.rows.iter_mut().for_each(|(_, rows)| rows.set_copies(copies));
    }

    pub(crate) fn report_file(&mut self, path: &str, why: &str) {
        let gap = Gap { path: self.copies.name_of(path).into_owned(), why: why.to_owned() };
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// Passes on the rows that are left, and returns the paths that could not be read.
    pub(crate) fn finish(mut self) -> Vec<Gap> {
        (0..self.rows.len()).for_each(|place| self.flush(place));
        self.gaps.sort();
        self.gaps
    }
}
