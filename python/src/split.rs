// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where one capture can be split: `wiresum_packet::ranges` for Python.

use std::io::Read;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wiresum_packet::ranges::{self, Beginning, Header, WINDOW};
use wiresum_packet::{Capture, OpenError};

use crate::source::Shared;

/// is_capture(source): whether a file begins as a capture does, compressed or not.
#[pyfunction]
pub(crate) fn is_capture(py: Python<'_>, source: &Shared) -> PyResult<bool> {
    let (reader, meter) = source.0.metered(py)?;
    match py.detach(|| Capture::open(reader).map(drop)) {
        Ok(()) | Err(OpenError::CutShort | OpenError::SnoopVersion(_)) => Ok(true),
        Err(OpenError::Io(error)) => Err(source.0.error(py, &meter, &error.to_string())),
        Err(_) => Ok(false),
    }
}

/// runs(bytes): the place of the first byte of each run, and of the byte after its last one.
#[pyfunction]
pub(crate) fn runs(runs: &[u8]) -> Vec<(u64, u64)> {
    ranges::runs(runs)
        .map(|run| (run.start, run.start + run.len))
        .collect()
}

/// beginning(source): how the records of a capture begin, or None if such a capture is not split.
///
/// The place of the first record; the header before it; and the header that most records have. In a
/// pcapng it is another one, because interfaces are described after the beginning of a section.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn beginning<'py>(
    py: Python<'py>,
    source: &Shared,
) -> PyResult<Option<(u64, Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let (reader, meter) = source.0.metered(py)?;
    let head = py.detach(|| {
        let mut head = Vec::new();
        reader.take(WINDOW).read_to_end(&mut head).map(|_| head)
    });
    let head = head.map_err(|error| source.0.error(py, &meter, &error.to_string()))?;
    Ok(
        Beginning::of(&head).map(|Beginning { start, first, most }| {
            let bytes = |header: Header| PyBytes::new(py, header.bytes());
            (start, bytes(first), bytes(most))
        }),
    )
}

/// index(source, header, start, known, until): the records from the first one at or after `start`
/// to the first one at or after `until`. If `known`, one begins at `start`. The bytes of `source`
/// are the bytes of the file from `start` on. None if no record is found.
///
/// The result is where the records begin and end; whether the capture ends there; the number of
/// frames; the header of the next record; and, for each stretch of waiting frames with the same
/// header, that header and the runs, in which frames are counted from the first of the range.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn index<'py>(
    py: Python<'py>,
    source: &Shared,
    header: Vec<u8>,
    start: u64,
    known: bool,
    until: u64,
) -> PyResult<
    Option<(
        u64,
        u64,
        bool,
        u64,
        Option<Bound<'py, PyBytes>>,
        Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>,
    )>,
> {
    let Some(header) = Header::of(&header) else {
        return Err(PyValueError::new_err("the header belongs to no capture"));
    };
    let (reader, meter) = source.0.metered(py)?;
    let index = py.detach(|| ranges::index(reader, &header, start, known, until));
    let index = index.map_err(|error| source.0.error(py, &meter, &error.to_string()))?;
    let bytes = |bytes: &Vec<u8>| PyBytes::new(py, bytes);
    Ok(index.map(|index| {
        let waiting = index.waiting.iter();
        (
            index.begin,
            index.end,
            index.ended,
            index.frames,
            index.header.as_ref().map(bytes),
            waiting
                .map(|(header, runs)| (bytes(header), bytes(runs)))
                .collect(),
        )
    }))
}
