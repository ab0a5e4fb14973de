// SPDX-License-Identifier: MIT OR Apache-2.0
//! Batches: many packets, one call.

use crate::assert_same_len;
use crate::batch::{Fault, check_headers, check_offsets};
use crate::sum::Sum;

#[track_caller]
pub fn batch(packets: &[&[u8]], sums: &mut [Sum]) {
    assert_same_len("packets and sums", packets.len(), sums.len());
    for (sum, packet) in sums.iter_mut().zip(packets) {
        *sum = Sum::of(packet);
    }
}

/// An offset of [`offsets`]. The trait is sealed.
pub trait BatchOffset: Copy + Into<i64> {}
impl BatchOffset for i32 {}
impl BatchOffset for i64 {}

#[track_caller]
pub fn offsets<O: BatchOffset>(
    base: &[u8],
    offsets: &[O],
    sums: &mut [Sum],
) -> Result<(), (usize, Fault)> {
    check_offsets(base, offsets, sums)?;
    for (sum, ends) in sums.iter_mut().zip(offsets.windows(2)) {
        let [start, end] = [ends[0], ends[1]].map(|offset| offset.into() as usize);
        *sum = Sum::of(&base[start..end]);
    }
    Ok(())
}

pub fn ipv4_headers(buf: &[u8], stride: usize, sums: &mut [Sum]) -> Result<(), (usize, Fault)> {
    check_headers(buf, stride, sums)?;
    for (i, sum) in sums.iter_mut().enumerate() {
        let header = &buf[i * stride..];
        let len = 4 * usize::from(header[0] & 15);
        *sum = if len < 20 {
            Sum::ZERO
        } else {
            Sum::of(&header[..len])
        };
    }
    Ok(())
}
