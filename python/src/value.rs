// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of Arrow arrays as Python objects.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int32Type, TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A value of an array that this package made: a time as the nanoseconds since 1970, a struct as a
/// dict, a null as None.
pub(crate) fn value<'py>(
    py: Python<'py>,
    array: &dyn Array,
    index: usize,
) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! number {
        ($type:ty) => {
            array
                .as_primitive::<$type>()
                .value(index)
                .into_pyobject(py)?
                .into_any()
        };
    }
    if array.is_null(index) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Timestamp(..) => number!(TimestampNanosecondType),
        DataType::Boolean => array
            .as_boolean()
            .value(index)
            .into_pyobject(py)?
            .to_owned()
            .into_any(),
        DataType::Binary => PyBytes::new(py, array.as_binary::<i32>().value(index)).into_any(),
        DataType::Utf8 => array
            .as_string::<i32>()
            .value(index)
            .into_pyobject(py)?
            .into_any(),
        DataType::Dictionary(..) => {
            let texts = array.as_dictionary::<Int32Type>();
            let key = texts.keys().value(index) as usize;
            value(py, &**texts.values(), key)?
        }
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), value(py, &**column, index)?)?;
            }
            dict.into_any()
        }
        other => return Err(PyTypeError::new_err(format!("no Python value for {other}"))),
    })
}
