//! Results in the formats that `--format` names.

use std::io::{self, IsTerminal as _, Write};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use clap::ValueEnum;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use simd_hcl::report::visible;

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Columns for people
    Table,
    /// Comma-separated values with a header
    Csv,
    /// An array of objects
    Json,
    /// An object on each line
    Ndjson,
    /// Apache Parquet
    Parquet,
}

/// Writes rows as they come, apart from `table`, whose widths depend on all of them.
pub(crate) async fn write(
    mut rows: SendableRecordBatchStream,
    format: Format,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let schema = rows.schema();
    match format {
        Format::Table => {
            let mut table = Table::new(&schema);
            while let Some(batch) = rows.next().await {
                table.add(&batch?)?;
            }
            table.print(out)?;
        }
        Format::Csv => {
            let mut writer = arrow::csv::WriterBuilder::new().with_header(true).build(&mut *out);
            let mut is_empty = true;
            while let Some(batch) = rows.next().await {
                writer.write(&plain(&batch?)?)?;
                is_empty = false;
            }
            if is_empty {
                writer.write(&plain(&RecordBatch::new_empty(schema))?)?;
            }
        }
        Format::Json => {
            let mut writer = arrow::json::WriterBuilder::new()
                .with_explicit_nulls(true)
                .build::<_, arrow::json::writer::JsonArray>(&mut *out);
            while let Some(batch) = rows.next().await {
                writer.write(&batch?)?;
            }
            writer.finish()?;
            drop(writer);
            writeln!(out)?;
        }
        Format::Ndjson => {
            let mut writer = arrow::json::WriterBuilder::new()
                .with_explicit_nulls(true)
                .build::<_, arrow::json::writer::LineDelimited>(&mut *out);
            while let Some(batch) = rows.next().await {
                writer.write(&batch?)?;
            }
            writer.finish()?;
        }
        Format::Parquet => {
            if io::stdout().is_terminal() {
                let message = "Parquet is not for terminals: redirect standard output to a file";
                return Err(DataFusionError::Plan(message.to_owned()));
            }
            let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
            let properties = Some(properties.build());
            let mut writer = ArrowWriter::try_new(&mut *out, schema, properties)?;
            while let Some(batch) = rows.next().await {
                writer.write(&batch?)?;
            }
            writer.close()?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Joins lists, which CSV does not have, by spaces.
fn plain(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    simd_hcl_tables::export::without_lists(batch)
}

/// A table for people: all rows, since the widths of columns depend on them.
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(schema: &SchemaRef) -> Self {
        let header = schema.fields().iter().map(|field| visible(field.name()).into_owned());
        Self { header: header.collect(), rows: Vec::new() }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let options = FormatOptions::default();
        let columns = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column, &options))
            .collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            let cells = columns.iter().map(|column| {
                let text = column.value(row).try_to_string()?;
                Ok(visible(&text).replace('\n', "\u{240a}"))
            });
            self.rows.push(cells.collect::<Result<_, ArrowError>>()?);
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let all = || std::iter::once(&self.header).chain(&self.rows);
        let mut widths = vec![0; self.header.len()];
        for row in all() {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for row in all() {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
