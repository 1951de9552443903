//! The files of a table and a repository.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    RowGroupMetaData,
};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::SerializedFileWriter;

use super::encode::Part;
use super::error::{ExportError, Result, at, of_parquet};
use super::layout::Layout;
use super::manifest::Earlier;
use super::staging::link;
use super::state::Export;
use crate::hash::hash_of;

/// Rows of a table that are added to its files.
pub(super) enum Rows {
    /// New ones.
    New(Part),
    /// Row groups of the earlier export.
    Earlier(Range<usize>),
}

/// The files of a table and a repository that are being written: in Parquet one, in other formats
/// one for each group, since their files cannot be joined.
pub(super) struct Files<'f> {
    export: &'f Export<'f>,
    layout: &'f Layout,
    /// The directory of the repository.
    directory: &'f str,
    writer: Option<(PathBuf, SerializedFileWriter<BufWriter<File>>)>,
    /// The file of the earlier export.
    earlier: Option<(PathBuf, File, ParquetMetaData)>,
    /// Row groups of the earlier export that come next.
    next: Range<usize>,
}

/// The number of row groups that are copied at once. Most are small.
const COPIED: usize = 16;

impl<'f> Files<'f> {
    pub(super) fn new(export: &'f Export<'f>, layout: &'f Layout, directory: &'f str) -> Self {
        Self { export, layout, directory, writer: None, earlier: None, next: 0..0 }
    }

    fn path(&self, name: &str) -> Result<PathBuf> {
        let directory =
            self.export.staging.path().join(self.layout.table.name).join(self.directory);
        fs::create_dir_all(&directory).map_err(at(&directory))?;
        Ok(directory.join(format!("{name}.{}", self.export.options.format.extension())))
    }

    /// The path of the file of a group.
    fn path_of(&self, group: &str) -> Result<PathBuf> {
        self.path(&format!("{}-{}", self.export.stem(), hash_of(group.as_bytes())))
    }

    /// Adds the rows of a group.
    pub(super) fn add(&mut self, group: &str, rows: Rows, old: Option<&Earlier<'_>>) -> Result<()> {
        match (rows, old) {
            (Rows::New(Part::RowGroups(groups)), _) => {
                self.copy(old)?;
                let (path, writer) = self.writer()?;
                let of_parquet = of_parquet(path);
                for (_, columns) in groups {
                    let mut out = writer.next_row_group().map_err(&of_parquet)?;
                    for column in columns {
                        column.append_to_row_group(&mut out).map_err(&of_parquet)?;
                    }
                    out.close().map_err(&of_parquet)?;
                }
                Ok(())
            }
            (Rows::New(Part::File(bytes)), _) => {
                let path = self.path_of(group)?;
                fs::write(&path, bytes).map_err(at(&path))
            }
            (Rows::Earlier(groups), Some(old)) if old.is_parquet() => {
                if self.next.end != groups.start {
                    self.copy(Some(old))?;
                    self.next = groups.start..groups.start;
                }
                self.next.end = groups.end;
                Ok(())
            }
            (Rows::Earlier(_), Some(old)) => {
                let path = self.path_of(group)?;
                link(
                    &old.directory(self.layout.table).join(path.file_name().unwrap_or_default()),
                    &path,
                )
            }
            // The rows were found there.
            (Rows::Earlier(_), None) => Ok(()),
        }
    }

    /// Copies the row groups that come next from the earlier export.
    fn copy(&mut self, old: Option<&Earlier<'_>>) -> Result<()> {
        let Some(old) = old.filter(|_| !self.next.is_empty()) else { return Ok(()) };
        let (path, file, metadata) = match self.earlier.take() {
            Some(earlier) => earlier,
            None => {
                let path = old.path(self.layout.table);
                let file = File::open(&path).map_err(at(&path))?;
                // All of it, so that copies have the same bytes.
                let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
                let reader = ParquetMetaDataReader::new().with_metadata_options(Some(options));
                let metadata = reader.parse_and_finish(&file);
                let metadata = metadata.map_err(of_parquet(&path))?;
                (path, file, metadata)
            }
        };
        let next = std::mem::take(&mut self.next);
        let layout = self.layout;
        let Some(groups) = metadata.row_groups().get(next) else {
            let message = "it has fewer rows than its manifest says".to_owned();
            return Err(ExportError::Parquet(path, ParquetError::General(message)));
        };
        let (to, writer) = self.writer()?;
        let of_parquet = of_parquet(to);
        for groups in groups.chunks(COPIED) {
            let bytes = Bytes::read(&file, groups).map_err(at(&path))?;
            for group in groups {
                let mut out = writer.next_row_group().map_err(&of_parquet)?;
                let rows = usize::try_from(group.num_rows()).unwrap_or(0);
                // The column `snapshot` is the last one, and new in each snapshot.
                for column in group.columns().iter().take(layout.own_columns()) {
                    out.append_column(&bytes, closed(column, rows as u64)).map_err(&of_parquet)?;
                }
                if let Some(column) = layout.encoded_snapshots(rows).map_err(&of_parquet)? {
                    column.append_to_row_group(&mut out).map_err(&of_parquet)?;
                }
                out.close().map_err(&of_parquet)?;
            }
        }
        drop(of_parquet);
        self.earlier = Some((path, file, metadata));
        Ok(())
    }

    /// The file of Parquet, which the first rows create.
    fn writer(&mut self) -> Result<&mut (PathBuf, SerializedFileWriter<BufWriter<File>>)> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => {
                let path = self.path(&self.export.stem())?;
                let file = File::create(&path).map_err(at(&path))?;
                (path, self.layout.writer(BufWriter::with_capacity(1 << 15, file))?)
            }
        };
        Ok(self.writer.insert(writer))
    }

    pub(super) fn finish(mut self, old: Option<&Earlier<'_>>) -> Result<()> {
        if let Some(old) = old
            && self.writer.is_none()
            && !self.next.is_empty()
            && self.next == (0..old.groups(self.layout.table))
            && !self.layout.has_snapshots()
        {
            // The file would have the same bytes.
            return link(&old.path(self.layout.table), &self.path(&self.export.stem())?);
        }
        self.copy(old)?;
        let Some((path, writer)) = self.writer else { return Ok(()) };
        let file = writer.into_inner().map_err(of_parquet(&path))?;
        let file = file.into_inner().map_err(|error| at(&path)(error.into_error()))?;
        file.sync_data().map_err(at(&path))
    }
}

/// The bytes of row groups. Read as a file, each column would cost some system calls.
struct Bytes {
    /// Their offset in the file.
    start: u64,
    bytes: bytes::Bytes,
}

impl Bytes {
    fn read(mut file: &File, groups: &[RowGroupMetaData]) -> io::Result<Self> {
        let (mut start, mut end) = (u64::MAX, 0);
        for column in groups.iter().flat_map(RowGroupMetaData::columns) {
            let from = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let from = u64::try_from(from).unwrap_or(0);
            let length = u64::try_from(column.compressed_size()).unwrap_or(0);
            (start, end) = (start.min(from), end.max(from.saturating_add(length)));
        }
        let mut bytes = Vec::new();
        // A damaged file may say anything: no memory is reserved, and what is missing is noticed.
        file.seek(SeekFrom::Start(start))?;
        file.take(end.saturating_sub(start)).read_to_end(&mut bytes)?;
        Ok(Self { start, bytes: bytes.into() })
    }

    fn from(&self, start: u64) -> bytes::Bytes {
        let start = usize::try_from(start.saturating_sub(self.start)).unwrap_or(usize::MAX);
        self.bytes.slice(start.min(self.bytes.len())..)
    }
}

impl Length for Bytes {
    fn len(&self) -> u64 {
        self.start.saturating_add(self.bytes.len() as u64)
    }
}

impl ChunkReader for Bytes {
    type T = bytes::buf::Reader<bytes::Bytes>;

    fn get_read(&self, start: u64) -> std::result::Result<Self::T, ParquetError> {
        Ok(bytes::Buf::reader(self.from(start)))
    }

    fn get_bytes(
        &self,
        start: u64,
        length: usize,
    ) -> std::result::Result<bytes::Bytes, ParquetError> {
        let found = self.from(start);
        let message = || ParquetError::General("it ends too early".to_owned());
        (length <= found.len()).then(|| found.slice(..length)).ok_or_else(message)
    }
}

fn closed(column: &ColumnChunkMetaData, rows: u64) -> ColumnCloseResult {
    ColumnCloseResult {
        bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
        rows_written: rows,
        metadata: column.clone(),
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    }
}
