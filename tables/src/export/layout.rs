//! How the files of a table are laid out: their columns and types.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, MapArray, RecordBatch, StringArray, cast::AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::FileWriter;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use super::error::{Result, of_parquet};
use super::options::Format;
use crate::table::{Kind, PATHS, Table};

/// How the files of a table are written.
pub(super) struct Layout {
    pub(super) table: &'static Table,
    /// The columns of the files: those of the table, and `snapshot` if there are snapshots.
    pub(super) schema: SchemaRef,
    snapshot: Option<String>,
    pub(super) columns: ArrowRowGroupWriterFactory,
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
    pub(super) fn of_file(
        &self,
        batch: &RecordBatch,
    ) -> std::result::Result<RecordBatch, ArrowError> {
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
    pub(super) fn snapshots(&self, rows: usize) -> Option<ArrayRef> {
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

/// Joins the elements of lists by spaces, and those of maps as `key=value`, for formats without either.
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
            DataType::Map(..) => Arc::new(texts_of_maps(column.as_map(), &options)?),
            _ => Arc::clone(column),
        };
        fields.push(Field::new(field.name(), column.data_type().clone(), true));
        columns.push(column);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

fn texts_of_maps(
    maps: &MapArray,
    options: &FormatOptions<'_>,
) -> std::result::Result<StringArray, ArrowError> {
    let texts = maps.iter().map(|map| {
        let Some(map) = map else { return Ok(None) };
        let [keys, values] = [0, 1].map(|part| ArrayFormatter::try_new(map.column(part), options));
        let (keys, values) = (keys?, values?);
        let pairs = (0..map.len()).map(|row| format!("{}={}", keys.value(row), values.value(row)));
        Ok(Some(pairs.collect::<Vec<_>>().join(" ")))
    });
    texts.collect::<std::result::Result<Vec<Option<String>>, ArrowError>>().map(StringArray::from)
}
