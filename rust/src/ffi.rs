// SPDX-License-Identifier: MIT OR Apache-2.0
//! The only unsafe code of this crate: slices become the pointers and lengths of the C interface.
//!
//! Every function here is safe, and checks whatever C requires and the types do not say. C reads exactly the bytes that it
//! is given, writes exactly those that it is asked for, and keeps no pointer (`wiresum.h`, "Contract of all functions").
//! Sums and checksums are bare `u16` in memory order.

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
use core::sync::atomic::Ordering;
use core::{ptr, slice};

use crate::Sum;
use crate::batch::{BatchError, Why};

#[cfg(not(miri))]
use wiresum_sys as c;

/// What Miri runs in place of the C library.
#[cfg(miri)]
mod stand_in;
#[cfg(miri)]
use stand_in as c;

/// The pointer to `bytes` as C takes it.
fn at(bytes: &[u8]) -> *const c_void {
    bytes.as_ptr().cast()
}

/* ---- buffers ---- */

/// What sums. On x86-64 the kernel in use itself, as in the inline functions of `wiresum.h`, which says why.
#[inline]
fn sum_in_use() -> unsafe extern "C" fn(*const c_void, usize) -> u16 {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    // SAFETY: it points to constant data of the library, from the start on.
    unsafe {
        (*c::wiresum_active.load(Ordering::Relaxed)).sum
    }
    #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
    c::wiresum_sum
}

/// What copies, likewise.
#[inline]
fn copy_in_use() -> unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> u16 {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    // SAFETY: as above.
    unsafe {
        (*c::wiresum_active.load(Ordering::Relaxed)).copy
    }
    #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
    c::wiresum_copy
}

#[inline]
pub fn sum(data: &[u8]) -> u16 {
    // SAFETY: a slice can be read for its length.
    unsafe { sum_in_use()(at(data), data.len()) }
}

#[track_caller]
fn assert_same_len(what: &str, left: usize, right: usize) {
    assert!(
        left == right,
        "{what} must be of one length, not {left} and {right}"
    );
}

#[inline]
#[track_caller]
pub fn copy(dst: &mut [u8], src: &[u8]) -> u16 {
    assert_same_len("destination and source", dst.len(), src.len());
    // SAFETY: both are as long as src; a mutable slice overlaps no other.
    unsafe { copy_in_use()(dst.as_mut_ptr().cast(), at(src), src.len()) }
}

#[inline]
#[track_caller]
pub fn copy_uninit<'a>(dst: &'a mut [MaybeUninit<u8>], src: &[u8]) -> (&'a mut [u8], u16) {
    assert_same_len("destination and source", dst.len(), src.len());
    // SAFETY: as copy; C reads nothing of dst, and has then written all of it.
    unsafe {
        let sum = copy_in_use()(dst.as_mut_ptr().cast(), at(src), src.len());
        (
            slice::from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()),
            sum,
        )
    }
}

/* ---- incremental update ---- */

#[inline]
pub fn update128(checksum: u16, was: &[u8; 16], is: &[u8; 16]) -> u16 {
    // SAFETY: both have the 16 bytes that C reads.
    unsafe { c::wiresum_update128(checksum, at(was), at(is)) }
}

#[inline]
#[track_caller]
pub fn update(checksum: u16, offset: usize, was: &[u8], is: &[u8]) -> u16 {
    assert_same_len("the bytes before and after an update", was.len(), is.len());
    // SAFETY: both are as long as was.
    unsafe { c::wiresum_update(checksum, offset, at(was), at(is), was.len()) }
}

#[inline]
#[track_caller]
pub fn udp_update(checksum: u16, offset: usize, was: &[u8], is: &[u8]) -> u16 {
    assert_same_len("the bytes before and after an update", was.len(), is.len());
    // SAFETY: both are as long as was.
    unsafe { c::wiresum_udp_update(checksum, offset, at(was), at(is), was.len()) }
}

/* ---- headers and segments ---- */

#[track_caller]
fn assert_whole(protocol: &str, header: &[u8], len: usize) {
    assert!(
        header.len() >= len,
        "a header of {protocol} has {len} bytes at least, not {}",
        header.len()
    );
}

/// A protocol's two functions: the checksum, which panics on a header shorter than the protocol's; and whether the field is
/// right, which it is not in such a header.
macro_rules! segment {
    ($checksum:ident, $ok:ident, $c_checksum:ident, $c_ok:ident, $protocol:literal, $len:literal, ($($pseudo:ident)?)) => {
        #[inline]
        #[track_caller]
        pub fn $checksum($($pseudo: u16,)? header: &[u8], payload: &[u8]) -> u16 {
            assert_whole($protocol, header, $len);
            // SAFETY: the header is whole; slices can be read for their lengths.
            unsafe { c::$c_checksum($($pseudo,)? at(header), header.len(), at(payload), payload.len()) }
        }

        #[inline]
        pub fn $ok($($pseudo: u16,)? header: &[u8], payload: &[u8]) -> bool {
            // SAFETY: as above.
            header.len() >= $len
                && unsafe { c::$c_ok($($pseudo,)? at(header), header.len(), at(payload), payload.len()) }
        }
    };
}
segment!(
    tcp,
    tcp_ok,
    wiresum_tcp,
    wiresum_tcp_ok,
    "TCP",
    20,
    (pseudo)
);
segment!(udp, udp_ok, wiresum_udp, wiresum_udp_ok, "UDP", 8, (pseudo));
segment!(icmp, icmp_ok, wiresum_icmp, wiresum_icmp_ok, "ICMP", 4, ());
segment!(
    icmpv6,
    icmpv6_ok,
    wiresum_icmpv6,
    wiresum_icmpv6_ok,
    "ICMPv6",
    4,
    (pseudo)
);

/* ---- batches ---- */

/// Where C writes sums: `Sum` is a transparent `u16`.
fn out(sums: &mut [Sum]) -> *mut u16 {
    sums.as_mut_ptr().cast()
}

#[track_caller]
pub fn batch(packets: &[&[u8]], sums: &mut [Sum]) {
    assert_same_len("packets and sums", packets.len(), sums.len());
    // How a slice of slices lies in memory is Rust's own affair, so C gets a copy that lies as C has it, some at a time.
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

/// An offset as C has it; sealed here, as the safety of `batch_offsets` rests on it.
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
pub fn batch_offsets<O: COffset>(
    base: &[u8],
    offsets: &[O],
    sums: &mut [Sum],
) -> Result<(), BatchError> {
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
        let why = match u64::try_from(offset) {
            Err(_) => Why::OffsetNegative,
            Ok(_) if offset < before => Why::OffsetDescends,
            Ok(place) if place > base.len() as u64 => Why::OffsetBeyondEnd,
            Ok(_) => {
                before = offset;
                continue;
            }
        };
        return Err(BatchError { index, why });
    }
    // SAFETY: the offsets ascend within base, and there is one more of them than there are sums.
    unsafe { O::BATCH(at(base), offsets.as_ptr(), sums.len(), out(sums)) }
    Ok(())
}

pub fn batch_ipv4_headers(buf: &[u8], stride: usize, sums: &mut [Sum]) -> Result<(), BatchError> {
    for index in 0..sums.len() {
        let rest = index.checked_mul(stride).and_then(|start| buf.get(start..));
        let whole = rest
            .is_some_and(|rest| rest.len() >= 20 && rest.len() >= 4 * usize::from(rest[0] & 15));
        if !whole {
            return Err(BatchError {
                index,
                why: Why::HeaderBeyondEnd,
            });
        }
    }
    // SAFETY: each of the headers is whole, and there is a sum for each.
    unsafe { c::wiresum_batch_ipv4_headers(at(buf), stride, sums.len(), out(sums)) }
    Ok(())
}

/* ---- kernels ---- */

/// A kernel of the library's list, which is constant and lives forever.
#[derive(Clone, Copy)]
pub struct Kernel(&'static c::wiresum_kernel);

// SAFETY: what it points to is never written, and its functions may be called from any thread.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

impl PartialEq for Kernel {
    fn eq(&self, other: &Kernel) -> bool {
        ptr::eq(self.0, other.0)
    }
}
impl Eq for Kernel {}
impl core::hash::Hash for Kernel {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        ptr::hash(self.0, state);
    }
}

pub fn kernels() -> impl ExactSizeIterator<Item = Kernel> + Clone {
    let mut count = 0;
    // SAFETY: C writes the number of kernels, and returns the first of them, all constant.
    let list = unsafe { slice::from_raw_parts(c::wiresum_kernels(&raw mut count), count) };
    list.iter().map(Kernel)
}

pub fn kernel_in_use() -> Kernel {
    // SAFETY: C returns one of the list.
    Kernel(unsafe { &*c::wiresum_kernel_in_use() })
}

impl Kernel {
    pub fn name(self) -> &'static str {
        // SAFETY: a name is never null, ends with NUL, and is constant.
        let name = unsafe { CStr::from_ptr(self.0.name) };
        name.to_str().expect("the name of a kernel is of [a-z0-9_]")
    }

    pub fn is_supported(self) -> bool {
        // SAFETY: to ask this is always allowed.
        unsafe { (self.0.is_supported)() }
    }

    pub fn supported(self) -> Option<SupportedKernel> {
        self.is_supported().then_some(SupportedKernel(self))
    }
}

/// A kernel that this machine supports, as whoever makes one has checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SupportedKernel(Kernel);

impl SupportedKernel {
    pub fn kernel(self) -> Kernel {
        self.0
    }

    pub fn partial(self, data: &[u8]) -> u64 {
        // SAFETY: the kernel is supported; a slice can be read for its length.
        unsafe { (self.0.0.partial)(at(data), data.len()) }
    }

    #[track_caller]
    pub fn copy_partial(self, dst: &mut [u8], src: &[u8]) -> u64 {
        assert_same_len("destination and source", dst.len(), src.len());
        // SAFETY: the kernel is supported; both are as long as src; a mutable slice overlaps no other.
        unsafe { (self.0.0.copy_partial)(dst.as_mut_ptr().cast(), at(src), src.len()) }
    }

    pub fn make_default(self) {
        // SAFETY: the kernel is of the list.
        let done = unsafe { c::wiresum_use_kernel(self.0.0) };
        assert!(
            done,
            "the kernel {} is supported and was refused",
            self.0.name()
        );
    }
}
