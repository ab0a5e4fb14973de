// SPDX-License-Identifier: MIT OR Apache-2.0
//! Batches: many packets, one call of C.

use core::ffi::c_void;
use core::ptr;

use super::{at, c};
use crate::assert_same_len;
use crate::batch::{Fault, check_headers, check_offsets};
use crate::sum::Sum;

/// Returns where C writes sums: a `Sum` is a transparent `u16`.
fn out(sums: &mut [Sum]) -> *mut u16 {
    sums.as_mut_ptr().cast()
}

#[track_caller]
pub fn batch(packets: &[&[u8]], sums: &mut [Sum]) {
    assert_same_len("packets and sums", packets.len(), sums.len());
    // Rust does not define the layout of a slice in memory, so C gets an array of its own structs.
    const SOME: usize = 64;
    let mut pieces = [c::wiresum_piece {
        data: ptr::null(),
        len: 0,
    }; SOME];
    for (packets, sums) in packets.chunks(SOME).zip(sums.chunks_mut(SOME)) {
        for (piece, packet) in pieces.iter_mut().zip(packets) {
            *piece = c::wiresum_piece {
                data: at(packet),
                len: packet.len(),
            };
        }
        // SAFETY: the first packets.len() pieces are slices, and there are as many sums.
        unsafe { c::wiresum_batch(pieces.as_ptr(), packets.len(), out(sums)) }
    }
}

/// An offset with the layout that C reads. The trait is sealed, because the safety of [`offsets`]
/// depends on each implementation.
pub trait BatchOffset: Copy + Into<i64> {
    /// The batch function that takes such offsets.
    const BATCH: unsafe extern "C" fn(
        base: *const c_void,
        offsets: *const Self,
        n: usize,
        sums: *mut u16,
    );
}
impl BatchOffset for i32 {
    const BATCH: unsafe extern "C" fn(*const c_void, *const i32, usize, *mut u16) =
        c::wiresum_batch_offsets32;
}
impl BatchOffset for i64 {
    const BATCH: unsafe extern "C" fn(*const c_void, *const i64, usize, *mut u16) =
        c::wiresum_batch_offsets64;
}

#[track_caller]
pub fn offsets<O: BatchOffset>(
    base: &[u8],
    offsets: &[O],
    sums: &mut [Sum],
) -> Result<(), (usize, Fault)> {
    check_offsets(base, offsets, sums)?;
    if sums.is_empty() {
        return Ok(()); // perhaps without an offset, which C would read
    }
    // SAFETY: the offsets ascend within base, and there is one more of them than there are sums.
    unsafe { O::BATCH(at(base), offsets.as_ptr(), sums.len(), out(sums)) }
    Ok(())
}

pub fn ipv4_headers(buf: &[u8], stride: usize, sums: &mut [Sum]) -> Result<(), (usize, Fault)> {
    check_headers(buf, stride, sums)?;
    // SAFETY: each header is whole, and there is a sum for each.
    unsafe { c::wiresum_batch_ipv4_headers(at(buf), stride, sums.len(), out(sums)) }
    Ok(())
}
