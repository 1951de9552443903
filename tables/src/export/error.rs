//! Errors that end an export.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use arrow::error::ArrowError;
use parquet::errors::ParquetError;

/// An error that ends an export. The directory is as it was.
#[derive(Debug)]
pub enum ExportError {
    /// A file or directory cannot be written or read.
    Io(PathBuf, io::Error),
    /// A file of the earlier export is damaged.
    Parquet(PathBuf, ParquetError),
    /// Rows cannot be encoded.
    Arrow(ArrowError),
    /// The directory has something else, or tables of a newer version.
    Refused(String),
    /// [`super::Options::cancelled`] was set.
    Cancelled,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Parquet(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Arrow(error) => error.fmt(f),
            Self::Refused(why) => f.write_str(why),
            Self::Cancelled => f.write_str("the export was cancelled; nothing has changed"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<ArrowError> for ExportError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

pub(super) type Result<T> = std::result::Result<T, ExportError>;

/// An error of a path.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> ExportError {
    move |error| ExportError::Io(path.to_owned(), error)
}

/// An error in a file of Parquet.
pub(super) fn of_parquet(path: &Path) -> impl Fn(ParquetError) -> ExportError {
    move |error| match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => ExportError::Io(path.to_owned(), *error),
            Err(error) => ExportError::Parquet(path.to_owned(), ParquetError::External(error)),
        },
        error => ExportError::Parquet(path.to_owned(), error),
    }
}
