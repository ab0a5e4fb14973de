// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many packets, one call.

use core::error::Error;
use core::fmt;

use crate::{Sum, ffi};

/// Writes to `sums[i]` the sum of `packets[i]`.
///
/// # Panics
/// If `packets` and `sums` are not of one length.
///
/// ```
/// use wiresum::{Sum, batch, sum};
///
/// let packets: [&[u8]; 3] = [b"one", b"", b"three"];
/// let mut sums = [Sum::ZERO; 3];
/// batch(&packets, &mut sums);
/// assert_eq!(sums, packets.map(sum));
/// ```
#[track_caller]
pub fn batch(packets: &[&[u8]], sums: &mut [Sum]) {
    ffi::batch(packets, sums);
}

/// Writes to `sums[i]` the sum of `base[offsets[i]..offsets[i + 1]]`: packets one after the other, in the layouts of Arrow's
/// Binary (`i32`) and LargeBinary (`i64`).
///
/// # Errors
/// If an offset is negative, less than the one before it, or beyond the end of `base`. No sum is written then.
///
/// # Panics
/// If there is not one offset more than there are `sums`. (None at all is taken for the one of no packets, as Arrow has it.)
///
/// ```
/// use wiresum::{Sum, batch_offsets, sum};
///
/// let mut sums = [Sum::ZERO; 3];
/// batch_offsets(b"onethree", &[0, 3, 3, 8], &mut sums)?;
/// assert_eq!(sums, [sum(b"one"), sum(b""), sum(b"three")]);
/// assert_eq!(batch_offsets(b"onethree", &[0, 3, 2, 8], &mut sums).unwrap_err().index(), 2);
/// # Ok::<(), wiresum::BatchError>(())
/// ```
#[track_caller]
pub fn batch_offsets<O: Offset>(
    base: &[u8],
    offsets: &[O],
    sums: &mut [Sum],
) -> Result<(), BatchError> {
    ffi::batch_offsets(base, offsets, sums)
}

/// Writes to `sums[i]` the sum of the IPv4 header that begins at `buf[i * stride]`, as long as its own IHL says: 0xFFFF
/// ([`Sum::is_ok`]) means that its checksum is right. An IHL below 5 gives 0x0000, which no header sums to.
///
/// # Errors
/// If a header, or the 20 bytes that each must have, reaches beyond the end of `buf`. No sum is written then.
///
/// ```
/// use wiresum::{Sum, batch_ipv4_headers};
///
/// let header = [0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199];
/// let slots = [header, header].concat();
/// let mut sums = [Sum::ZERO; 2];
/// batch_ipv4_headers(&slots, 20, &mut sums)?;
/// assert!(sums.iter().all(|sum| sum.is_ok()));
/// assert_eq!(batch_ipv4_headers(&slots[..39], 20, &mut sums).unwrap_err().index(), 1);
/// # Ok::<(), wiresum::BatchError>(())
/// ```
pub fn batch_ipv4_headers(buf: &[u8], stride: usize, sums: &mut [Sum]) -> Result<(), BatchError> {
    ffi::batch_ipv4_headers(buf, stride, sums)
}

/// What the offsets of [`batch_offsets`] can be: `i32` and `i64`.
pub trait Offset: ffi::COffset {}
impl Offset for i32 {}
impl Offset for i64 {}

/// The input of a batch is wrong: which part of it, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchError {
    pub(crate) index: usize,
    pub(crate) why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    OffsetNegative,
    OffsetDescends,
    OffsetBeyondEnd,
    HeaderBeyondEnd,
}

impl BatchError {
    /// Returns the index of the first wrong offset, or of the first header that is not whole.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, why) = match self.why {
            Why::OffsetNegative => ("offset", "is negative"),
            Why::OffsetDescends => ("offset", "is less than the one before it"),
            Why::OffsetBeyondEnd => ("offset", "is beyond the end of the data"),
            Why::HeaderBeyondEnd => ("IPv4 header", "reaches beyond the end of the data"),
        };
        write!(f, "{what} {} {why}", self.index)
    }
}

impl Error for BatchError {}
