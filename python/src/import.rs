// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrow columns of other libraries, by the Arrow PyCapsule interface.

use std::ffi::{CStr, c_void};
use std::ptr::{self, NonNull};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, StructArray, make_array};
use arrow_schema::ArrowError;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{Py_buffer, PyBUF_FORMAT, PyBUF_ND, PyBuffer_FillInfo};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

/// The chunks of a column that an object exports, or `None` if it exports no Arrow data.
///
/// The exporter is another library of this process. What it exports is checked before it is used,
/// except for what no one can check: that pointers lead to memory of the lengths that it says.
pub(crate) fn chunks(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    let chunks = if object.hasattr("__arrow_c_array__")? {
        vec![array(object)?]
    } else if object.hasattr("__arrow_c_stream__")? {
        stream(object)?
    } else {
        return Ok(None);
    };
    let columns = chunks.into_iter().map(|chunk| {
        chunk.to_data().validate_full().map_err(refused)?;
        column(chunk)
    });
    columns.collect::<PyResult<_>>().map(Some)
}

fn array(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let pair = object
        .call_method0("__arrow_c_array__")?
        .cast_into::<PyTuple>()?;
    let schema = capsule(&pair.get_item(0)?, c"arrow_schema")?;
    let array = capsule(&pair.get_item(1)?, c"arrow_array")?;
    // SAFETY: the names of the capsules say what they hold, and `pair` keeps them alive. The array
    // is moved out of its capsule, which its consumer may do once.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.cast().as_ptr());
        if array.is_released() {
            return Err(PyValueError::new_err(
                "the Arrow array was consumed already",
            ));
        }
        from_ffi(array, schema.cast::<FFI_ArrowSchema>().as_ref())
    };
    Ok(make_array(data.map_err(refused)?))
}

fn stream(object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let exported = object.call_method0("__arrow_c_stream__")?;
    let stream = capsule(&exported, c"arrow_array_stream")?;
    // SAFETY: the name of the capsule says what it holds, and `exported` keeps it alive. The stream
    // is moved out of its capsule, which its consumer may do once.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.cast().as_ptr()) };
    let reader = ArrayStreamReader::try_new(stream).map_err(refused)?;
    // Other threads run meanwhile: the exporter may compute, or wait for one of them.
    let chunks = object.py().detach(|| reader.collect::<Result<Vec<_>, _>>());
    chunks.map_err(refused)
}

/// The pointer that a capsule of this name holds.
fn capsule(object: &Bound<'_, PyAny>, name: &'static CStr) -> PyResult<NonNull<c_void>> {
    object.cast::<PyCapsule>()?.pointer_checked(Some(name))
}

/// The column of a table that has one column, or the column itself.
fn column(chunk: ArrayRef) -> PyResult<ArrayRef> {
    let Some(table) = chunk.as_any().downcast_ref::<StructArray>() else {
        return Ok(chunk);
    };
    match table.columns() {
        [column] if table.null_count() == 0 => Ok(ArrayRef::clone(column)),
        columns => Err(PyTypeError::new_err(format!(
            "this is a table of {} columns; give one of its columns",
            columns.len()
        ))),
    }
}

pub(crate) fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Fills in a buffer with numbers that `owner` keeps in their place.
///
/// # Safety
/// `view` is a buffer to be filled in, of a request with these `flags`. `owner` never changes nor
/// frees the numbers nor their count, `rows`, while it lives.
pub(crate) unsafe fn export_numbers(
    owner: &Bound<'_, PyAny>,
    numbers: &[u16],
    rows: &isize,
    view: *mut Py_buffer,
    flags: std::ffi::c_int,
) -> PyResult<()> {
    let start = numbers.as_ptr().cast_mut().cast::<c_void>();
    let bytes = size_of_val(numbers) as isize;
    // SAFETY: as the caller promises. The buffer is read-only, and holds a reference to the owner.
    // The stride that Python fills in is a pointer to the size of an item.
    unsafe {
        if PyBuffer_FillInfo(view, owner.as_ptr(), start, bytes, 1, flags) != 0 {
            return Err(PyErr::fetch(owner.py()));
        }
        (*view).itemsize = size_of::<u16>() as isize;
        if flags & PyBUF_FORMAT != 0 {
            (*view).format = c"H".as_ptr().cast_mut();
        }
        if flags & PyBUF_ND != 0 {
            (*view).shape = ptr::from_ref(rows).cast_mut();
        }
    }
    Ok(())
}
