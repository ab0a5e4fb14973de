// SPDX-License-Identifier: MIT OR Apache-2.0
//! Batches: one call sums many packets.

use core::error::Error;
use core::fmt;

use crate::backend::batch as backend;
use crate::sum::Sum;

/// Writes the sum of `packets[i]` to `sums[i]`.
///
/// # Panics
/// If `packets` and `sums` differ in length.
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
    backend::batch(packets, sums);
}

/// Writes the sum of `base[offsets[i]..offsets[i + 1]]` to `sums[i]`: packets that lie one after
/// the other, in the layouts of Arrow's Binary (`i32`) and LargeBinary (`i64`).
///
/// # Errors
/// If an offset is negative, less than the one before it, or beyond the end of `base`. The function
/// writes no sum then.
///
/// # Panics
/// If there is not one offset more than there are `sums`. As in Arrow, no packets may also have no
/// offset.
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
    backend::offsets(base, offsets, sums).map_err(BatchError::from_fault)
}

/// Writes the sum of the IPv4 header that begins at `buf[i * stride]` to `sums[i]`. Each header is
/// as long as its own IHL says. A sum of 0xFFFF ([`Sum::is_ok`]) means that its checksum is right.
/// An IHL below 5 gives 0x0000, to which no header sums.
///
/// # Errors
/// If a header, or the 20 bytes that each must have, reaches beyond the end of `buf`. The function
/// writes no sum then.
///
/// ```
/// use wiresum::{Sum, batch_ipv4_headers};
///
/// let header = [
///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199,
/// ];
/// let slots = [header, header].concat();
/// let mut sums = [Sum::ZERO; 2];
/// batch_ipv4_headers(&slots, 20, &mut sums)?;
/// assert!(sums.iter().all(|sum| sum.is_ok()));
/// assert_eq!(batch_ipv4_headers(&slots[..39], 20, &mut sums).unwrap_err().index(), 1);
/// # Ok::<(), wiresum::BatchError>(())
/// ```
pub fn batch_ipv4_headers(buf: &[u8], stride: usize, sums: &mut [Sum]) -> Result<(), BatchError> {
    backend::ipv4_headers(buf, stride, sums).map_err(BatchError::from_fault)
}

/// The type of an offset of [`batch_offsets`]: `i32` or `i64`.
pub trait Offset: backend::BatchOffset {}
impl Offset for i32 {}
impl Offset for i64 {}

/// A fault in the input of a batch. It comes with the index of the first wrong offset, or of the
/// first header that is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    OffsetNegative,
    OffsetDescends,
    OffsetBeyondEnd,
    HeaderBeyondEnd,
}

/// Checks that the offsets ascend within `base`, and that there is one more of them than there are
/// sums; without sums there may be none.
#[track_caller]
pub(crate) fn check_offsets<O: Copy + Into<i64>>(
    base: &[u8],
    offsets: &[O],
    sums: &[Sum],
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
    Ok(())
}

/// Checks that each header lies in `buf`, with the 20 bytes that each must have.
pub(crate) fn check_headers(buf: &[u8], stride: usize, sums: &[Sum]) -> Result<(), (usize, Fault)> {
    for index in 0..sums.len() {
        let rest = index.checked_mul(stride).and_then(|start| buf.get(start..));
        let whole = rest
            .is_some_and(|rest| rest.len() >= 20 && rest.len() >= 4 * usize::from(rest[0] & 15));
        if !whole {
            return Err((index, Fault::HeaderBeyondEnd));
        }
    }
    Ok(())
}

/// An error in the input of a batch: its place and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchError {
    index: usize,
    fault: Fault,
}

impl BatchError {
    fn from_fault((index, fault): (usize, Fault)) -> BatchError {
        BatchError { index, fault }
    }

    /// Returns the index of the first wrong offset, or of the first header that is not whole.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, why) = match self.fault {
            Fault::OffsetNegative => ("offset", "is negative"),
            Fault::OffsetDescends => ("offset", "is less than the one before it"),
            Fault::OffsetBeyondEnd => ("offset", "is beyond the end of the data"),
            Fault::HeaderBeyondEnd => ("IPv4 header", "reaches beyond the end of the data"),
        };
        write!(f, "{what} {} {why}", self.index)
    }
}

impl Error for BatchError {}
