//! Sequences of rows, and their columns for Arrow: the PyCapsule interface.

use std::sync::{Arc, Mutex};

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Field, Schema};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PySlice};

use crate::error::Range;

/// The columns of a table.
#[derive(Default)]
pub(crate) struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    fn push(&mut self, name: &str, array: ArrayRef) {
        self.fields.push(Field::new(name, array.data_type().clone(), true));
        self.arrays.push(array);
    }

    pub(crate) fn text<S: AsRef<str>>(
        &mut self,
        name: &str,
        values: impl Iterator<Item = Option<S>>,
    ) {
        let array: StringArray = values.collect();
        self.push(name, Arc::new(array));
    }

    pub(crate) fn number(&mut self, name: &str, values: impl Iterator<Item = Option<u64>>) {
        let array: UInt64Array = values.collect();
        self.push(name, Arc::new(array));
    }

    pub(crate) fn flag(&mut self, name: &str, values: impl Iterator<Item = Option<bool>>) {
        let array: BooleanArray = values.collect();
        self.push(name, Arc::new(array));
    }

    pub(crate) fn texts(&mut self, name: &str, values: impl Iterator<Item = Vec<String>>) {
        let mut list = ListBuilder::new(StringBuilder::new());
        for texts in values {
            list.append_value(texts.into_iter().map(Some));
        }
        self.push(name, Arc::new(list.finish()));
    }

    /// The file, and lines, columns and bytes of places.
    pub(crate) fn places<'r>(&mut self, places: impl Iterator<Item = &'r Range> + Clone) {
        self.text("filename", places.clone().map(|it| Some(it.filename.as_str())));
        let mut part = |name: &str, get: fn(&Range) -> u64| {
            let array: UInt64Array = places.clone().map(|it| Some(get(it))).collect();
            self.push(name, Arc::new(array));
        };
        part("line", |it| it.start.line);
        part("column", |it| it.start.column);
        part("end_line", |it| it.end.line);
        part("end_column", |it| it.end.column);
        part("start_byte", |it| it.start.byte);
        part("end_byte", |it| it.end.byte);
    }

    fn batch(self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(Arc::new(Schema::new(self.fields)), self.arrays)
    }
}

fn arrow_error(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the capsule of `__arrow_c_stream__`.
pub(crate) fn stream<'py>(py: Python<'py>, columns: Columns) -> PyResult<Bound<'py, PyCapsule>> {
    let batch = columns.batch().map_err(|error| arrow_error(&error))?;
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(
        py,
        FFI_ArrowArrayStream::new(Box::new(reader)),
        c"arrow_array_stream",
    )
}

/// Returns the capsule of `__arrow_c_schema__`.
pub(crate) fn schema<'py>(py: Python<'py>, columns: Columns) -> PyResult<Bound<'py, PyCapsule>> {
    let batch = columns.batch().map_err(|error| arrow_error(&error))?;
    let schema =
        FFI_ArrowSchema::try_from(&*batch.schema()).map_err(|error| arrow_error(&error))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// The place in a sequence that an index of Python means.
pub(crate) fn place(index: isize, len: usize) -> PyResult<usize> {
    let from_end = || index.checked_add_unsigned(len).and_then(|place| usize::try_from(place).ok());
    let place = usize::try_from(index).ok().or_else(from_end);
    place.filter(|place| *place < len).ok_or_else(|| PyIndexError::new_err("index out of range"))
}

/// An index of a sequence.
#[derive(FromPyObject)]
pub(crate) enum Index<'py> {
    Place(isize),
    Slice(Bound<'py, PySlice>),
}

/// The places in a sequence that a slice means.
pub(crate) fn places(
    slice: &Bound<'_, PySlice>,
    len: usize,
) -> PyResult<impl Iterator<Item = usize> + use<>> {
    let found = slice.indices(isize::try_from(len).unwrap_or(isize::MAX))?;
    let (start, step) = (found.start, found.step);
    Ok((0..found.slicelength).filter_map(move |number| {
        usize::try_from(start + step * isize::try_from(number).ok()?).ok()
    }))
}

type Next = dyn FnMut(Python<'_>) -> Option<PyResult<Py<PyAny>>> + Send;

/// An iterator that makes each object when it is asked for.
#[pyclass(frozen, module = "simd_hcl._simd_hcl")]
pub(crate) struct ObjectIterator(Mutex<Box<Next>>);

impl ObjectIterator {
    pub(crate) fn new(
        items: impl FnMut(Python<'_>) -> Option<PyResult<Py<PyAny>>> + Send + 'static,
    ) -> Self {
        Self(Mutex::new(Box::new(items)))
    }
}

#[pymethods]
impl ObjectIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> Option<PyResult<Py<PyAny>>> {
        use pyo3::sync::MutexExt as _;
        match self.0.lock_py_attached(py) {
            Ok(mut next) => next(py),
            Err(poisoned) => poisoned.into_inner()(py),
        }
    }
}

/// Defines a sequence of Python whose elements are made on access, and which is a table of Arrow.
macro_rules! sequence {
    ($(#[$doc:meta])* $name:ident of $rows:ty, $element:ty) => {
        $(#[$doc])*
        #[pyclass(frozen, sequence, module = "simd_hcl")]
        pub(crate) struct $name(pub(crate) std::sync::Arc<Vec<$rows>>);

        impl $name {
            pub(crate) fn new(rows: Vec<$rows>) -> Self {
                Self(std::sync::Arc::new(rows))
            }
        }

        #[pymethods]
        impl $name {
            fn __len__(&self) -> usize {
                self.0.len()
            }

            fn __getitem__(
                &self,
                py: Python<'_>,
                index: $crate::table::Index<'_>,
            ) -> PyResult<Py<PyAny>> {
                let object = |place: usize| {
                    Py::new(py, <$element>::from(self.0[place].clone())).map(Py::into_any)
                };
                match index {
                    $crate::table::Index::Place(index) => {
                        object($crate::table::place(index, self.0.len())?)
                    }
                    $crate::table::Index::Slice(slice) => {
                        let places = $crate::table::places(&slice, self.0.len())?;
                        let objects = places.map(object).collect::<PyResult<Vec<_>>>()?;
                        Ok(pyo3::types::PyList::new(py, objects)?.into_any().unbind())
                    }
                }
            }

            fn __iter__(&self) -> $crate::table::ObjectIterator {
                let (rows, mut place) = (std::sync::Arc::clone(&self.0), 0);
                $crate::table::ObjectIterator::new(move |py| {
                    let row = rows.get(place)?.clone();
                    place += 1;
                    Some(Py::new(py, <$element>::from(row)).map(Py::into_any))
                })
            }

            fn __repr__(&self) -> String {
                format!("<{} of {}>", stringify!($name), self.0.len())
            }

            #[pyo3(signature = (requested_schema=None))]
            fn __arrow_c_stream__<'py>(
                &self,
                py: Python<'py>,
                requested_schema: Option<Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, pyo3::types::PyCapsule>> {
                // A consumer casts what it wants in another type.
                drop(requested_schema);
                let columns = py.detach(|| self.columns());
                $crate::table::stream(py, columns)
            }

            fn __arrow_c_schema__<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<Bound<'py, pyo3::types::PyCapsule>> {
                let columns = Self::new(Vec::new()).columns();
                $crate::table::schema(py, columns)
            }
        }
    };
}
pub(crate) use sequence;
