// SPDX-License-Identifier: MIT OR Apache-2.0
#![doc = include_str!("../README.md")]
#![no_std]
#![deny(missing_docs, unsafe_code, unsafe_op_in_unsafe_fn)]

#[cfg(any(feature = "std", test))]
extern crate std;

use core::mem::MaybeUninit;

mod batch;
mod checksum;
#[cfg(feature = "c")]
#[allow(unsafe_code)]
mod ffi;
pub mod kernel;
pub mod packet;
mod partial;
mod protocols;
#[cfg(not(feature = "c"))]
#[allow(unsafe_code)]
mod pure;
mod stream;
mod sum;

/// Sums, copies, batches and kernels: of the C library, or the same in Rust.
#[cfg(feature = "c")]
use ffi as backend;
#[cfg(not(feature = "c"))]
use pure as backend;

pub use batch::{BatchError, Offset, batch, batch_ipv4_headers, batch_offsets};
pub use checksum::Checksum;
pub use protocols::{icmp, icmpv6, ipv4, pseudo, tcp, udp, udplite};
pub use stream::{RangeError, Stream};
pub use sum::Sum;

/// Returns the sum of `data`, as [`Sum::of`] does. The last byte of an odd length is the first byte
/// of its word (RFC 1071 section 4.1).
///
/// ```
/// // The example of RFC 1071 section 3:
/// let data = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
/// assert_eq!(wiresum::sum(&data).value(), 0xddf2);
/// ```
#[inline]
#[must_use]
pub fn sum(data: &[u8]) -> Sum {
    Sum::of(data)
}

/// Returns the checksum of `data`, to store in a field that was zero, or left out, in `data`.
///
/// ```
/// let data = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
/// assert_eq!(wiresum::checksum(&data).to_wire(), [0x22, 0x0d]);
/// ```
#[inline]
#[must_use]
pub fn checksum(data: &[u8]) -> Checksum {
    Sum::of(data).checksum()
}

/// Returns whether `data`, which include their checksum field, sum to 0xFFFF (RFC 1071 section 1,
/// step 3). Empty data and all-zero data sum to 0x0000, so the result is false for them.
///
/// ```
/// assert!(wiresum::ok(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7, 0x22, 0x0d]));
/// ```
#[inline]
#[must_use]
pub fn ok(data: &[u8]) -> bool {
    Sum::of(data).is_ok()
}

/// Copies `src` to `dst` and returns its sum, in one pass over the bytes.
///
/// # Panics
/// If `dst` and `src` differ in length.
///
/// ```
/// let mut packet = [0; 6];
/// assert_eq!(wiresum::copy(&mut packet[2..], b"wire"), wiresum::sum(b"wire"));
/// assert_eq!(&packet, b"\0\0wire");
/// ```
#[inline]
#[track_caller]
pub fn copy(dst: &mut [u8], src: &[u8]) -> Sum {
    Sum(backend::copy(dst, src))
}

/// Copies `src` to `dst`, which may be uninitialized, and returns the initialized bytes and their
/// sum.
///
/// # Panics
/// If `dst` and `src` differ in length.
///
/// ```
/// let mut buffer = Vec::with_capacity(4);
/// let (written, sum) = wiresum::copy_uninit(&mut buffer.spare_capacity_mut()[..4], b"wire");
/// assert_eq!(written, b"wire");
/// assert_eq!(sum, wiresum::sum(b"wire"));
/// # let _: Vec<u8> = buffer;
/// ```
#[inline]
#[track_caller]
pub fn copy_uninit<'a>(dst: &'a mut [MaybeUninit<u8>], src: &[u8]) -> (&'a mut [u8], Sum) {
    let (written, sum) = backend::copy_uninit(dst, src);
    (written, Sum(sum))
}

/// Returns the sum of `pieces` as one stream of bytes. Any piece may be odd, empty or unaligned. An
/// iterator of pieces, of any type that is a slice of bytes, can be collected into a [`Stream`].
///
/// ```
/// assert_eq!(wiresum::gather(&[b"odd", b"", b"pieces"]), wiresum::sum(b"oddpieces"));
/// ```
#[must_use]
pub fn gather(pieces: &[&[u8]]) -> Sum {
    pieces.iter().collect::<Stream>().sum()
}

/// Returns the sum of `pieces` as one stream of bytes, as [`gather`] does.
///
/// ```
/// use std::io::IoSlice;
///
/// let pieces = [IoSlice::new(b"odd"), IoSlice::new(b"pieces")];
/// assert_eq!(wiresum::gather_io(&pieces), wiresum::sum(b"oddpieces"));
/// ```
#[cfg(feature = "std")]
#[must_use]
pub fn gather_io(pieces: &[std::io::IoSlice<'_>]) -> Sum {
    pieces
        .iter()
        .map(|piece| &**piece)
        .collect::<Stream>()
        .sum()
}

/// Copies `pieces` to `dst`, one after the other, and returns the sum of all.
///
/// # Panics
/// If `dst` is not as long as all pieces together.
///
/// ```
/// let mut packet = [0; 9];
/// let sum = wiresum::gather_copy(&mut packet, &[b"odd", b"", b"pieces"]);
/// assert_eq!(sum, wiresum::sum(b"oddpieces"));
/// assert_eq!(&packet, b"oddpieces");
/// ```
#[track_caller]
pub fn gather_copy(dst: &mut [u8], pieces: &[&[u8]]) -> Sum {
    let room = dst.len();
    let mut rest = dst;
    let mut stream = Stream::new();
    for piece in pieces {
        let Some((here, after)) = rest.split_at_mut_checked(piece.len()) else {
            panic!("the pieces are longer than the destination, which has {room} bytes");
        };
        stream.push_sum(copy(here, piece), piece.len() as u64);
        rest = after;
    }
    assert!(
        rest.is_empty(),
        "the pieces have {} bytes, and the destination {room}",
        stream.len()
    );
    stream.sum()
}

/// Panics if two lengths differ that must be the same.
#[track_caller]
pub(crate) fn assert_same_len(what: &str, left: usize, right: usize) {
    assert!(
        left == right,
        "{what} must be of one length, not {left} and {right}"
    );
}
