//! Scans: the rows of some tables of some sources, in batches.
//!
//! The sources are divided into [`Unit`]s. Any number of threads may read units at the same time, each
//! into its own [`Tables`]; the rows of a unit do not depend on the others.

use arrow::error::ArrowError;
use simd_hcl::Arena;
use simd_hcl::directory::ModuleFile;

use crate::collect::Tables;
use crate::columns;
use crate::file::on_disk;
use crate::source::{Sources, Unit};
use crate::table::Origin;
use crate::{document, module, tree};

pub use crate::collect::{BATCH, HIDDEN, ReadOptions, Take, Wanted};
pub use crate::copies::Gap;
pub use crate::hash::{hash_of, hash_of_file};

impl Tables<'_> {
    /// Adds the rows of a unit. Files for which `is_wanted` returns `false` may be left out of
    /// tables that are read file by file.
    fn read(
        &mut self,
        sources: &Sources,
        unit: Unit,
        arena: &Arena,
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
    ) {
        if self.is_over() {
            return;
        }
        match unit {
            Unit::Module(place) => {
                let found = &sources.modules()[place];
                let is_file_wanted =
                    |file: &ModuleFile| is_wanted(&sources.name_of(on_disk(&file.path)));
                let of = (&found.files, sources);
                if self.has_origin(Origin::File) {
                    module::read(of, &found.repository, arena, self, &is_file_wanted);
                }
                if self.has(&columns::REFERENCES) {
                    module::read_references(of, &found.repository, self, is_wanted);
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
        self.set_copies(sources.copies());
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
