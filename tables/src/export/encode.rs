//! Rows of a group of files, encoded into memory.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray, cast::AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::FileWriter;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use super::group::Group;
use super::{Export, ExportError, Format, Result, of_parquet};
use crate::scan::{Gap, Tables};
use crate::table::{Kind, PATHS, Table};

/// The number of rows of a row group of Parquet, at most.
const ROW_GROUP: u64 = 1 << 20;

/// How the files of a table are written.
pub(super) struct Layout {
    pub(super) table: &'static Table,
    /// The columns of the files: those of the table, and `snapshot` if there are snapshots.
    pub(super) schema: SchemaRef,
    snapshot: Option<String>,
    columns: ArrowRowGroupWriterFactory,
}

impl Layout {
    pub(super) fn new(table: &'static Table, snapshot: Option<&str>) -> Result<Self> {
        let schema = file_schema(table, snapshot.is_some());
        let writer = parquet_writer(table, &schema, Vec::new())?;
        let columns = ArrowRowGroupWriterFactory::new(&writer, Arc::clone(&schema));
        Ok(Self { table, schema, snapshot: snapshot.map(str::to_owned), columns })
    }

    /// Whether there is the column `snapshot`.
    pub(super) fn has_snapshots(&self) -> bool {
        self.snapshot.is_some()
    }

    /// The number of columns without `snapshot`.
    pub(super) fn own_columns(&self) -> usize {
        self.schema.fields().len() - usize::from(self.snapshot.is_some())
    }

    /// Starts a file.
    pub(super) fn writer<W: std::io::Write + Send>(
        &self,
        out: W,
    ) -> Result<SerializedFileWriter<W>> {
        parquet_writer(self.table, &self.schema, out)
    }

    /// Rows as files have them.
    fn of_file(&self, batch: &RecordBatch) -> std::result::Result<RecordBatch, ArrowError> {
        let fields = batch.columns().iter().zip(self.schema.fields());
        let columns = fields.map(|(column, field)| cast(column, field.data_type()));
        let mut columns: Vec<ArrayRef> = columns.collect::<std::result::Result<_, _>>()?;
        columns.extend(self.snapshots(batch.num_rows()));
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }

    /// A file without rows, from which readers learn the columns.
    pub(super) fn empty_file(&self, format: Format) -> Result<Vec<u8>> {
        match format {
            Format::Parquet => {
                let bytes = self.writer(Vec::new())?.into_inner();
                bytes.map_err(of_parquet(Path::new(self.table.name)))
            }
            Format::Arrow => {
                let mut writer = FileWriter::try_new(Vec::new(), &self.schema)?;
                writer.finish()?;
                Ok(writer.into_inner()?)
            }
            Format::Ndjson => Ok(Vec::new()),
            Format::Csv => {
                let batch = without_lists(&RecordBatch::new_empty(Arc::clone(&self.schema)))?;
                let mut text = Vec::new();
                arrow::csv::WriterBuilder::new()
                    .with_header(true)
                    .build(&mut text)
                    .write(&batch)?;
                Ok(text)
            }
        }
    }

    /// The column `snapshot` of some rows, as an array.
    fn snapshots(&self, rows: usize) -> Option<ArrayRef> {
        let name = self.snapshot.as_deref()?;
        Some(Arc::new(std::iter::repeat_n(Some(name), rows).collect::<StringArray>()))
    }

    /// The column `snapshot` of some rows, encoded.
    pub(super) fn encoded_snapshots(
        &self,
        rows: usize,
    ) -> std::result::Result<Option<ArrowColumnChunk>, ParquetError> {
        let Some(array) = self.snapshots(rows) else { return Ok(None) };
        let Some(mut writer) = self.columns.create_column_writers(0)?.pop() else {
            return Ok(None);
        };
        for leaf in compute_leaves(self.schema.field(self.own_columns()), &array)? {
            writer.write(&leaf)?;
        }
        writer.close().map(Some)
    }
}

fn parquet_writer<W: std::io::Write + Send>(
    table: &Table,
    schema: &Schema,
    out: W,
) -> Result<SerializedFileWriter<W>> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        // Groups are small: statistics and indexes of pages would be larger than they help.
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    for column in table.all_columns() {
        let path = ColumnPath::from(column.name);
        if PATHS.contains(&column.name) || column.name == "type" {
            // Of other columns, nearly every group has a part of all values, so that the least and
            // the greatest one leave out no group.
            properties =
                properties.set_column_statistics_enabled(path.clone(), EnabledStatistics::Chunk);
        }
        if column.kind == Kind::Number {
            // Lines and offsets grow from row to row.
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    let mut properties = properties.build();
    add_encoded_arrow_schema_to_metadata(schema, &mut properties);
    let writer = ArrowSchemaConverter::new().convert(schema).and_then(|types| {
        SerializedFileWriter::new(out, types.root_schema_ptr(), Arc::new(properties))
    });
    writer.map_err(of_parquet(Path::new(table.name)))
}

/// The columns of files: texts in the layout that every reader of Arrow knows.
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
            // Each column has one leaf, also a list of texts.
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
