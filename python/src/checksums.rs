// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checksums of many packets in one call.

use std::sync::Arc;

use arrow_array::builder::NullBufferBuilder;
use arrow_array::{Array, ArrayRef, UInt16Array};
use arrow_buffer::NullBuffer;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use wiresum::{BatchError, Offset, Sum};

use crate::buffer::Data;
use crate::capture::without_gil;
use crate::column::Column;
use crate::import::chunks;
use crate::packets::{Bytes, Packets};

/// checksums(packets, offsets=None)
#[pyfunction]
pub(crate) fn checksums(
    packets: &Bound<'_, PyAny>,
    offsets: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let py = packets.py();
    if let Some(offsets) = offsets {
        return one_behind_the_other(packets, offsets).map(column);
    }
    let Some(chunks) = chunks(packets)? else {
        return objects(packets).map(column);
    };
    let packets = chunks.iter().map(|chunk| Packets::of(&**chunk));
    let packets = packets.collect::<Result<Vec<_>, _>>();
    let packets = packets.map_err(PyTypeError::new_err)?;
    let computed = py.detach(|| {
        let checksums = packets
            .iter()
            .map(|chunk| Ok(array(&sums(chunk)?, chunk.nulls.clone())));
        checksums.collect::<Result<Vec<_>, _>>()
    });
    Ok(column(join(computed.map_err(refused)?)))
}

fn refused(error: BatchError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn column(checksums: UInt16Array) -> Column {
    let array: ArrayRef = Arc::new(checksums);
    Column::new(array)
}

/// The checksums of the chunks of one column, one after the other.
fn join(mut chunks: Vec<UInt16Array>) -> UInt16Array {
    if chunks.len() == 1 {
        return chunks.remove(0);
    }
    let rows = chunks.iter().map(Array::len).sum();
    let mut values = Vec::with_capacity(rows);
    let mut nulls = NullBufferBuilder::new(rows);
    for chunk in &chunks {
        values.extend_from_slice(chunk.values());
        match chunk.nulls() {
            Some(some) => nulls.append_buffer(some),
            None => nulls.append_n_non_nulls(chunk.len()),
        }
    }
    UInt16Array::new(values.into(), nulls.finish())
}

fn array(sums: &[Sum], nulls: Option<NullBuffer>) -> UInt16Array {
    let values = sums.iter().map(|sum| sum.checksum().value());
    UInt16Array::new(values.collect(), nulls)
}

/// The checksums of any sequence of buffers, in which None is a null.
fn objects(packets: &Bound<'_, PyAny>) -> PyResult<UInt16Array> {
    let py = packets.py();
    let mut held = Vec::with_capacity(packets.len().unwrap_or(0));
    let items = packets.try_iter().map_err(|_| {
        PyTypeError::new_err(
            "packets are a sequence of bytes-like objects, an Arrow column, or the bytes of all \
             packets with their offsets",
        )
    })?;
    for (index, packet) in items.enumerate() {
        let packet = packet?;
        held.push(match packet.is_none() {
            true => None,
            false => Some(Data::of(&packet).inspect_err(|error| {
                let note = format!("this is packet {index}");
                let _ = error.value(py).call_method1("add_note", (note,));
            })?),
        });
    }
    let len = held.iter().flatten().map(Data::len).sum();
    Ok(without_gil(py, len, || {
        let packets = held
            .iter()
            .map(|packet| packet.as_ref().map_or(&[][..], Data::as_slice));
        let sums = of_slices(packets);
        let nulls = NullBuffer::from_iter(held.iter().map(Option::is_some));
        array(&sums, Some(nulls).filter(|nulls| nulls.null_count() > 0))
    }))
}

fn of_slices<'a>(packets: impl Iterator<Item = &'a [u8]>) -> Vec<Sum> {
    let packets: Vec<_> = packets.collect();
    let mut sums = vec![Sum::ZERO; packets.len()];
    wiresum::batch(&packets, &mut sums);
    sums
}

/// The checksums of packets that lie one after the other.
fn one_behind_the_other(
    data: &Bound<'_, PyAny>,
    offsets: &Bound<'_, PyAny>,
) -> PyResult<UInt16Array> {
    let py = data.py();
    let data = Data::of(data)?;
    if let Ok(offsets) = PyBuffer::<i64>::get(offsets) {
        return between(py, &data, &offsets.to_vec(py)?);
    }
    if let Ok(offsets) = PyBuffer::<i32>::get(offsets) {
        return between(py, &data, &offsets.to_vec(py)?);
    }
    Err(PyTypeError::new_err(
        "offsets are an array of int32 or int64: numpy.cumsum of the lengths, with 0 before it",
    ))
}

fn between<O: Offset + Sync>(py: Python<'_>, data: &Data, offsets: &[O]) -> PyResult<UInt16Array> {
    let sums = without_gil(py, data.len(), || of_offsets(data.as_slice(), offsets));
    Ok(array(&sums.map_err(refused)?, None))
}

/// The sums of the packets of a chunk. The sum of a null may be any value.
fn sums(packets: &Packets<'_>) -> Result<Vec<Sum>, BatchError> {
    Ok(match &packets.bytes {
        Bytes::Small(array) => of_offsets(array.value_data(), array.value_offsets())?,
        Bytes::Large(array) => of_offsets(array.value_data(), array.value_offsets())?,
        Bytes::Coded(values, keys) => {
            let sums = sums(values)?; // each value of the dictionary is summed once
            keys.iter().map(|&key| sums[key]).collect()
        }
        _ => of_slices(packets.iter().map(Option::unwrap_or_default)),
    })
}

fn of_offsets<O: Offset>(data: &[u8], offsets: &[O]) -> Result<Vec<Sum>, BatchError> {
    let mut sums = vec![Sum::ZERO; offsets.len().saturating_sub(1)];
    wiresum::batch_offsets(data, offsets, &mut sums)?;
    Ok(sums)
}
