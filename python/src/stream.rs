// SPDX-License-Identifier: MIT OR Apache-2.0
//! The class `Stream`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::buffer::Data;
use crate::capture::without_gil;

/// The sum of bytes that come in pieces, in the manner of hashlib. The pieces may have odd lengths.
#[pyclass(frozen, module = "wiresum")]
pub(crate) struct Stream(Mutex<wiresum::Stream>);

impl Stream {
    fn now(&self) -> MutexGuard<'_, wiresum::Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (*data), text_signature = "(data=b'', /)")]
    fn new(data: &Bound<'_, PyTuple>) -> PyResult<Stream> {
        let stream = Stream(Mutex::default());
        match data.len() {
            0 => {}
            1 => stream.update(data.py(), &data.get_item(0)?)?,
            n => {
                let message = format!("Stream() takes at most 1 argument; {n} were given");
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(stream)
    }

    /// Add bytes after those that were added before.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Data::of(data)?;
        let sum = without_gil(py, data.len(), || wiresum::sum(data.as_slice()));
        self.now().push_sum(sum, data.len() as u64);
        Ok(())
    }

    /// Return the sum of all bytes so far.
    fn sum(&self) -> u16 {
        self.now().sum().value()
    }

    /// Return the checksum of all bytes so far.
    fn checksum(&self) -> u16 {
        self.now().checksum().value()
    }

    /// Return the two bytes of the checksum, in the order of the wire.
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.now().checksum().to_wire())
    }

    /// Return the checksum as four hexadecimal digits.
    fn hexdigest(&self) -> String {
        format!("{:04x}", self.now().checksum())
    }

    /// Return a stream of the same bytes, which goes its own way from here.
    fn copy(&self) -> Stream {
        Stream(Mutex::new(*self.now()))
    }

    /// The number of bytes so far.
    #[getter]
    fn length(&self) -> u64 {
        self.now().len()
    }

    /// The length of digest() in bytes.
    #[classattr]
    fn digest_size() -> usize {
        2
    }

    fn __repr__(&self) -> String {
        let now = self.now();
        format!("<wiresum.Stream of {} bytes, sum {}>", now.len(), now.sum())
    }
}
