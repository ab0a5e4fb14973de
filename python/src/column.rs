// SPDX-License-Identifier: MIT OR Apache-2.0
//! The class `Column`: an Arrow array that this package computed.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::types::UInt16Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::Field;
use pyo3::exceptions::{PyBufferError, PyIndexError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

use crate::import::{export_bytes, refused};
use crate::value::value;

/// An Arrow column that any library can take by the Arrow PyCapsule interface:
/// pyarrow.array(column), polars.Series(column).
///
/// A column of numbers without nulls also has the buffer protocol: numpy.frombuffer(column,
/// numpy.uint16).
#[pyclass(frozen, sequence, module = "wiresum")]
pub(crate) struct Column(pub(crate) ArrayRef);

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = self.0.len();
        let index = if index < 0 {
            index + len as isize
        } else {
            index
        };
        match usize::try_from(index) {
            Ok(index) if index < len => value(py, &*self.0, index),
            _ => Err(PyIndexError::new_err(format!("the column has {len} rows"))),
        }
    }

    /// Return the values as a list, with None for nulls.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = (0..self.0.len()).map(|index| value(py, &*self.0, index));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The number of nulls.
    #[getter]
    fn null_count(&self) -> usize {
        self.0.null_count()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        // Not from the type alone: a field says that there may be nulls.
        let field = Field::new("", self.0.data_type().clone(), true);
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
        let array = FFI_ArrowArray::new(&self.0.to_data());
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
        let array = &slf.get().0;
        let Some(numbers) = array
            .as_primitive_opt::<UInt16Type>()
            .filter(|n| n.null_count() == 0)
        else {
            return Err(PyBufferError::new_err(
                "only a column of numbers without nulls is a buffer; take it as Arrow, by \
                 pyarrow.array(column), or as a list, by column.to_list()",
            ));
        };
        let bytes = numbers.values().inner().as_slice();
        // SAFETY: Python asks for this buffer. The class is frozen: it keeps the array, and an
        // array never changes.
        unsafe { export_bytes(slf.as_any(), bytes, view, flags) }
    }

    fn __repr__(&self) -> String {
        let (rows, nulls) = (self.0.len(), self.0.null_count());
        format!(
            "<wiresum.Column of {rows} rows, {nulls} null, {}>",
            self.0.data_type()
        )
    }
}
