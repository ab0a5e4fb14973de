// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of an Arrow column, of any type that holds bytes.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// The packets of a chunk.
pub(crate) struct Packets<'a> {
    pub(crate) bytes: Bytes<'a>,
    pub(crate) nulls: Option<NullBuffer>,
    pub(crate) len: usize,
}

/// The bytes of each packet that is not null.
pub(crate) enum Bytes<'a> {
    Small(&'a BinaryArray),
    Large(&'a LargeBinaryArray),
    Views(&'a BinaryViewArray),
    Fixed(&'a FixedSizeBinaryArray),
    /// The values of a dictionary, and for each packet which of them it is.
    Coded(Box<Packets<'a>>, Vec<usize>),
    /// Every packet is null.
    None,
}

impl<'a> Packets<'a> {
    pub(crate) fn of(chunk: &'a dyn Array) -> Result<Packets<'a>, String> {
        let bytes = match chunk.data_type() {
            DataType::Binary => Bytes::Small(chunk.as_binary()),
            DataType::LargeBinary => Bytes::Large(chunk.as_binary()),
            DataType::BinaryView => Bytes::Views(chunk.as_binary_view()),
            DataType::FixedSizeBinary(_) => Bytes::Fixed(chunk.as_fixed_size_binary()),
            DataType::Dictionary(..) => {
                let chunk = chunk.as_any_dictionary();
                let values = Packets::of(&**chunk.values())?;
                match values.len {
                    0 => Bytes::None,
                    _ => Bytes::Coded(Box::new(values), chunk.normalized_keys()),
                }
            }
            DataType::Null => Bytes::None,
            other => {
                return Err(format!(
                    "a column of packets is of the type Binary, LargeBinary, BinaryView or \
                     FixedSizeBinary, or a dictionary of one of them, not {other}"
                ));
            }
        };
        Ok(Packets {
            bytes,
            nulls: chunk.logical_nulls(),
            len: chunk.len(),
        })
    }

    /// The packet in a row, unless it is null.
    pub(crate) fn get(&self, row: usize) -> Option<&'a [u8]> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None; // the offsets or the view of a null may lead anywhere
        }
        match &self.bytes {
            Bytes::Small(array) => Some(array.value(row)),
            Bytes::Large(array) => Some(array.value(row)),
            Bytes::Views(array) => Some(array.value(row)),
            Bytes::Fixed(array) => Some(array.value(row)),
            Bytes::Coded(values, keys) => values.get(keys[row]),
            Bytes::None => None,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<&'a [u8]>> {
        (0..self.len).map(|row| self.get(row))
    }
}
