//! Rows of a group of files, encoded into memory.

use std::path::Path;
use std::sync::atomic::Ordering;

use arrow::array::RecordBatch;
use arrow::ipc::writer::FileWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};
use parquet::errors::ParquetError;

use super::error::{ExportError, Result, of_parquet};
use super::group::Group;
use super::layout::{Layout, without_lists};
use super::options::Format;
use super::state::Export;
use crate::collect::Tables;
use crate::copies::Gap;
use crate::table::Table;

/// The number of rows of a row group of Parquet, at most.
const ROW_GROUP: u64 = 1 << 20;

/// Rows of a table, encoded.
pub(super) enum Part {
    /// The columns of row groups, each with the number of rows.
    RowGroups(Vec<(u64, Vec<ArrowColumnChunk>)>),
    /// A file.
    File(Vec<u8>),
}

impl Part {
    /// The number of row groups; 1 for a file.
    pub(super) fn groups(&self) -> usize {
        match self {
            Self::RowGroups(groups) => groups.len(),
            Self::File(_) => 1,
        }
    }
}

/// The rows of a group of files, encoded.
pub(super) struct Encoded {
    /// The parts that have rows, each with the place of its table and the number of rows.
    pub(super) parts: Vec<(usize, Part, u64)>,
    pub(super) gaps: Vec<Gap>,
    /// Whether the rows depend on files outside of the group.
    pub(super) reaches_out: bool,
}

impl Export<'_> {
    /// Reads the rows of a group.
    pub(super) fn encode(&self, group: &Group) -> Result<Encoded> {
        self.check()?;
        let is_wanted = |layout: &Layout| {
            group.wanted.iter().any(|wanted| std::ptr::eq(wanted.table, layout.table))
        };
        let layouts = self.layouts.iter().enumerate().filter(|(_, layout)| is_wanted(layout));
        let mut encoders: Vec<(usize, Encoder<'_>)> = layouts
            .map(|(place, layout)| (place, Encoder::new(layout, self.options.format)))
            .collect();
        let mut failed = None;
        let take = |table: &'static Table, batch: RecordBatch| {
            let is_of_table = |encoder: &Encoder<'_>| std::ptr::eq(encoder.layout.table, table);
            let encoder = encoders.iter_mut().find(|(_, encoder)| is_of_table(encoder));
            let result = match encoder {
                _ if self.options.cancelled.load(Ordering::Relaxed) => Err(ExportError::Cancelled),
                Some((_, encoder)) => encoder.add(&batch),
                None => Ok(()),
            };
            failed = result.err();
            failed.is_none()
        };
        let mut tables = Tables::new(&group.wanted, self.options.read, Box::new(take))?;
        tables.read_units(&self.sources, &group.units, &|_| true);
        tables.read_components(&self.sources, &group.components);
        let reaches_out = tables.reaches_out();
        let gaps = tables.finish();
        if let Some(error) = failed {
            return Err(error);
        }
        let mut parts = Vec::new();
        for (place, encoder) in encoders {
            let rows = encoder.rows;
            if rows > 0 {
                parts.push((place, encoder.finish()?, rows));
            }
        }
        Ok(Encoded { parts, gaps, reaches_out })
    }
}

/// Encodes rows of a table.
struct Encoder<'e> {
    layout: &'e Layout,
    rows: u64,
    output: Output,
}

enum Output {
    Parquet(RowGroups),
    Arrow(Option<Box<FileWriter<Vec<u8>>>>),
    Ndjson(Vec<u8>),
    Csv(Vec<u8>),
}

impl<'e> Encoder<'e> {
    fn new(layout: &'e Layout, format: Format) -> Self {
        let output = match format {
            Format::Parquet => Output::Parquet(RowGroups::default()),
            Format::Arrow => Output::Arrow(None),
            Format::Ndjson => Output::Ndjson(Vec::new()),
            Format::Csv => Output::Csv(Vec::new()),
        };
        Self { layout, rows: 0, output }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let layout = self.layout;
        let is_first = self.rows == 0;
        self.rows += batch.num_rows() as u64;
        match &mut self.output {
            Output::Parquet(groups) => {
                let added = groups.add(layout, batch);
                added.map_err(of_parquet(Path::new(layout.table.name)))?;
            }
            Output::Arrow(writer) => {
                let writer = match writer {
                    Some(writer) => writer,
                    None => {
                        let new = FileWriter::try_new(Vec::new(), &layout.schema)?;
                        writer.insert(Box::new(new))
                    }
                };
                writer.write(&layout.of_file(batch)?)?;
            }
            Output::Ndjson(text) => {
                let builder = arrow::json::WriterBuilder::new().with_explicit_nulls(true);
                let mut writer = builder.build::<_, arrow::json::writer::LineDelimited>(text);
                writer.write(&layout.of_file(batch)?)?;
                writer.finish()?;
            }
            Output::Csv(text) => {
                let batch = without_lists(&layout.of_file(batch)?)?;
                arrow::csv::WriterBuilder::new().with_header(is_first).build(text).write(&batch)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Part> {
        let table = Path::new(self.layout.table.name);
        match self.output {
            Output::Parquet(groups) => {
                Ok(Part::RowGroups(groups.finish().map_err(of_parquet(table))?))
            }
            Output::Arrow(Some(mut writer)) => {
                writer.finish()?;
                Ok(Part::File(writer.into_inner()?))
            }
            Output::Arrow(None) => Ok(Part::File(Vec::new())),
            Output::Ndjson(text) | Output::Csv(text) => Ok(Part::File(text)),
        }
    }
}

/// Row groups of Parquet that are being encoded.
#[derive(Default)]
struct RowGroups {
    /// Those that are complete, each with the number of rows.
    done: Vec<(u64, Vec<ArrowColumnChunk>)>,
    /// The number of rows of the last one, and its columns.
    rows: u64,
    columns: Vec<ArrowColumnWriter>,
}

impl RowGroups {
    fn add(
        &mut self,
        layout: &Layout,
        batch: &RecordBatch,
    ) -> std::result::Result<(), ParquetError> {
        if self.columns.is_empty() {
            self.columns = layout.columns.create_column_writers(self.done.len())?;
        }
        let schema = batch.schema();
        let snapshots = layout.snapshots(batch.num_rows());
        let fields = schema.fields().iter().zip(batch.columns());
        let last = layout.schema.fields().last().zip(snapshots.as_ref());
        let mut writers = self.columns.iter_mut();
        for (field, array) in fields.chain(last) {
            // A column has one leaf, also a list of texts; a map has two.
            for (leaf, writer) in compute_leaves(field, array)?.iter().zip(&mut writers) {
                writer.write(leaf)?;
            }
        }
        self.rows += batch.num_rows() as u64;
        if self.rows >= ROW_GROUP { self.end() } else { Ok(()) }
    }

    fn end(&mut self) -> std::result::Result<(), ParquetError> {
        let columns = std::mem::take(&mut self.columns).into_iter().map(ArrowColumnWriter::close);
        let columns: Vec<ArrowColumnChunk> = columns.collect::<std::result::Result<_, _>>()?;
        if !columns.is_empty() {
            self.done.push((std::mem::take(&mut self.rows), columns));
        }
        Ok(())
    }

    fn finish(mut self) -> std::result::Result<Vec<(u64, Vec<ArrowColumnChunk>)>, ParquetError> {
        self.end()?;
        Ok(self.done)
    }
}
