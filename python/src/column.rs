// SPDX-License-Identifier: MIT OR Apache-2.0
//! The class `Column`: an Arrow array that this package computed.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::types::UInt16Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::Field;
use pyo3::exceptions::{PyBufferError, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList};

use crate::import::{export_numbers, refused};
use crate::value::value;

/// An Arrow column that any library can take by the Arrow PyCapsule interface:
/// pyarrow.array(column), polars.Series(column).
///
/// A column of numbers without nulls also has the buffer protocol, with items of uint16:
/// numpy.asarray(column), pandas.Series(column).
#[pyclass(frozen, sequence, module = "wiresum")]
pub(crate) struct Column {
    array: ArrayRef,
    /// The number of rows, to which a buffer points.
    rows: isize,
}

impl Column {
    pub(crate) fn new(array: ArrayRef) -> Column {
        let rows = array.len() as isize;
        Column { array, rows }
    }

    /// The values, if they are numbers and none is null.
    fn numbers(&self) -> Option<&[u16]> {
        let numbers = self.array.as_primitive_opt::<UInt16Type>();
        let numbers = numbers.filter(|numbers| numbers.null_count() == 0);
        numbers.map(|numbers| &numbers.values()[..])
    }
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = self.array.len();
        let index = if index < 0 {
            index + len as isize
        } else {
            index
        };
        match usize::try_from(index) {
            Ok(index) if index < len => value(py, &*self.array, index),
            _ => Err(PyIndexError::new_err(format!("the column has {len} rows"))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_list(py)?.try_iter()
    }

    /// Return an array of NumPy: of uint16, or of objects if there are nulls or structs.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let numpy = py.import("numpy")?;
        let array = match slf.get().numbers() {
            Some(_) => numpy.call_method1("frombuffer", (slf, "uint16"))?,
            None if copy == Some(false) => {
                let message = "objects of a column are made anew, so copy=False is not possible";
                return Err(PyValueError::new_err(message));
            }
            None => {
                let array = numpy.call_method1("empty", (slf.get().__len__(), "object"))?;
                let whole = pyo3::types::PySlice::full(py);
                array.set_item(whole, slf.get().to_list(py)?)?;
                array
            }
        };
        let how = PyDict::new(py);
        how.set_item("dtype", dtype)?;
        if let Some(copy) = copy {
            how.set_item("copy", copy)?;
        }
        let make = if copy.is_some() { "array" } else { "asarray" };
        numpy.call_method(make, (array,), Some(&how))
    }

    /// Return the values as a list, with None for nulls.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = (0..self.array.len()).map(|index| value(py, &*self.array, index));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The number of nulls.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        // Not from the type alone: a field says that there may be nulls.
        let field = Field::new("", self.array.data_type().clone(), true);
        let schema = FFI_ArrowSchema::try_from(&field).map_err(refused)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The type is what it is, whatever type is requested, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = FFI_ArrowArray::new(&self.array.to_data());
        Ok((
            self.__arrow_c_schema__(py)?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }

    #[allow(unsafe_code)] // the protocol passes a pointer
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut pyo3::ffi::Py_buffer,
        flags: std::ffi::c_int,
    ) -> PyResult<()> {
        let Some(numbers) = slf.get().numbers() else {
            return Err(PyBufferError::new_err(
                "only a column of numbers without nulls is a buffer; take it as Arrow, by \
                 pyarrow.array(column), or as a list, by column.to_list()",
            ));
        };
        // SAFETY: Python asks for this buffer. The class is frozen: it keeps the array and the
        // number of its rows, and an array never changes.
        unsafe { export_numbers(slf.as_any(), numbers, &slf.get().rows, view, flags) }
    }

    fn __repr__(&self) -> String {
        let (rows, nulls) = (self.array.len(), self.array.null_count());
        format!(
            "<wiresum.Column of {rows} rows, {nulls} null, {}>",
            self.array.data_type()
        )
    }
}
