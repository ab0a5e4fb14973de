// SPDX-License-Identifier: MIT OR Apache-2.0
//! Batches: many packets, one call of C.

use core::ffi::c_void;
use core::ptr;

use super::{assert_same_len, at, c};
use crate::sum::Sum;

/// A fault in the input of a batch. The functions return it with the index of the first wrong
/// offset, or of the first header that is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    OffsetNegative,
    OffsetDescends,
    OffsetBeyondEnd,
    HeaderBeyondEnd,
}

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
pub trait COffset: Copy + Into<i64> {
    /// The batch function that takes such offsets.
    const BATCH: unsafe extern "C" fn(
        base: *const c_void,
        offsets: *const Self,
        n: usize,
        sums: *mut u16,
    );
}
impl COffset for i32 {
    const BATCH: unsafe extern "C" fn(*const c_void, *const i32, usize, *mut u16) =
        c::wiresum_batch_offsets32;
}
impl COffset for i64 {
    const BATCH: unsafe extern "C" fn(*const c_void, *const i64, usize, *mut u16) =
        c::wiresum_batch_offsets64;
}

#[track_caller]
pub fn offsets<O: COffset>(
    base: &[u8],
    offsets: &[O],
    sums: &mut [Sum],
) -> Result<(), (usize, Fault)> {
    if offsets.is_empty() && sums.is_empty() {
        return Ok(());
    }
    assert!(
        offsets.len() == sums.len() + 1,
        "there must be one offset more than there are sums, not {} and {}",
        offsets.len(),
        sums.len()
    );
    let mut before = 0;
    for (index, &offset) in offsets.iter().enumerate() {
        let offset: i64 = offset.into();
        let fault = match u64::try_from(offset) {
            Err(_) => Fault::OffsetNegative,
            Ok(_) if offset < before => Fault::OffsetDescends,
            Ok(place) if place > base.len() as u64 => Fault::OffsetBeyondEnd,
            Ok(_) => {
                before = offset;
                continue;
            }
        };
        return Err((index, fault));
    }
    // SAFETY: the offsets ascend within base, and there is one more of them than there are sums.
    unsafe { O::BATCH(at(base), offsets.as_ptr(), sums.len(), out(sums)) }
    Ok(())
}

pub fn ipv4_headers(buf: &[u8], stride: usize, sums: &mut [Sum]) -> Result<(), (usize, Fault)> {
    for index in 0..sums.len() {
        let rest = index.checked_mul(stride).and_then(|start| buf.get(start..));
        let whole = rest
            .is_some_and(|rest| rest.len() >= 20 && rest.len() >= 4 * usize::from(rest[0] & 15));
        if !whole {
            return Err((index, Fault::HeaderBeyondEnd));
        }
    }
    // SAFETY: each header is whole, and there is a sum for each.
    unsafe { c::wiresum_batch_ipv4_headers(at(buf), stride, sums.len(), out(sums)) }
    Ok(())
}
