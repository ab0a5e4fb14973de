// SPDX-License-Identifier: MIT OR Apache-2.0
//! The only unsafe code of this crate: slices become the pointers and lengths of the C interface.
//!
//! Every function of this module is safe: it checks each requirement of C that the types do not
//! express. C reads no byte outside of the data, writes no byte outside of the destination, and
//! keeps no pointer (`wiresum.h`, "All functions"). Sums and checksums are bare `u16` in memory
//! order; `batch` alone knows the type `Sum`.

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
use core::sync::atomic::Ordering;
use core::{ptr, slice};

#[cfg(not(miri))]
use wiresum_sys as c;

/// The functions that Miri runs in place of the C library.
#[cfg(miri)]
mod stand_in;
#[cfg(miri)]
use stand_in as c;

pub mod batch;

/// Returns the pointer to `bytes` as C takes it.
fn at(bytes: &[u8]) -> *const c_void {
    bytes.as_ptr().cast()
}

// ---- Buffers ----

/// Returns the function that sums. On x86-64 it is that of the kernel in use, as in
/// `wiresum_inline.h`, which says why.
#[inline]
fn sum_in_use() -> unsafe extern "C" fn(*const c_void, usize) -> u16 {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    // SAFETY: the pointer is never null, and points to constant data of the library.
    unsafe {
        (*c::wiresum_active_v1.load(Ordering::Relaxed)).sum
    }
    #[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64", not(miri))))]
    c::wiresum_sum
}

/// Returns the function that copies, as [`sum_in_use`] does.
#[inline]
fn copy_in_use() -> unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> u16 {
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
    // SAFETY: as in sum_in_use.
    unsafe {
        (*c::wiresum_active_v1.load(Ordering::Relaxed)).copy
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
    // SAFETY: both slices are as long as src; a mutable slice overlaps no other.
    unsafe { copy_in_use()(dst.as_mut_ptr().cast(), at(src), src.len()) }
}

#[inline]
#[track_caller]
pub fn copy_uninit<'a>(dst: &'a mut [MaybeUninit<u8>], src: &[u8]) -> (&'a mut [u8], u16) {
    assert_same_len("destination and source", dst.len(), src.len());
    // SAFETY: as in copy; C reads no byte of dst, and has written each of them when it returns.
    unsafe {
        let sum = copy_in_use()(dst.as_mut_ptr().cast(), at(src), src.len());
        (
            slice::from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()),
            sum,
        )
    }
}

// ---- Incremental update ----

#[inline]
pub fn update128(checksum: u16, was: &[u8; 16], is: &[u8; 16]) -> u16 {
    // SAFETY: both arrays have the 16 bytes that C reads.
    unsafe { c::wiresum_update128(checksum, at(was), at(is)) }
}

#[inline]
#[track_caller]
pub fn update(checksum: u16, offset: usize, was: &[u8], is: &[u8]) -> u16 {
    assert_same_len("the bytes before and after an update", was.len(), is.len());
    // SAFETY: both slices are as long as was.
    unsafe { c::wiresum_update(checksum, offset, at(was), at(is), was.len()) }
}

#[inline]
#[track_caller]
pub fn udp_update(checksum: u16, offset: usize, was: &[u8], is: &[u8]) -> u16 {
    assert_same_len("the bytes before and after an update", was.len(), is.len());
    // SAFETY: both slices are as long as was.
    unsafe { c::wiresum_udp_update(checksum, offset, at(was), at(is), was.len()) }
}

// ---- Headers and segments ----

#[track_caller]
fn assert_whole(protocol: &str, header: &[u8], len: usize) {
    assert!(
        header.len() >= len,
        "a header of {protocol} has {len} bytes at least, not {}",
        header.len()
    );
}

/// Defines the two functions of a protocol. The first returns the checksum, and panics if the
/// header is shorter than the protocol's. The second returns whether the field is right; in a
/// shorter header it is not.
macro_rules! segment {
    (
        $protocol:literal, $len:literal bytes, ($($pseudo:ident)?):
        $checksum:ident = $c_checksum:ident, $ok:ident = $c_ok:ident
    ) => {
        #[inline]
        #[track_caller]
        pub fn $checksum($($pseudo: u16,)? header: &[u8], payload: &[u8]) -> u16 {
            assert_whole($protocol, header, $len);
            let (h, p) = (at(header), at(payload));
            // SAFETY: the header is whole; slices can be read for their lengths.
            unsafe { c::$c_checksum($($pseudo,)? h, header.len(), p, payload.len()) }
        }

        #[inline]
        pub fn $ok($($pseudo: u16,)? header: &[u8], payload: &[u8]) -> bool {
            let (h, p) = (at(header), at(payload));
            header.len() >= $len
                // SAFETY: the header is whole; slices can be read for their lengths.
                && unsafe { c::$c_ok($($pseudo,)? h, header.len(), p, payload.len()) }
        }
    };
}
segment! { "TCP", 20 bytes, (pseudo): tcp = wiresum_tcp, tcp_ok = wiresum_tcp_ok }
segment! { "UDP", 8 bytes, (pseudo): udp = wiresum_udp, udp_ok = wiresum_udp_ok }
segment! { "ICMP", 4 bytes, (): icmp = wiresum_icmp, icmp_ok = wiresum_icmp_ok }
segment! { "ICMPv6", 4 bytes, (pseudo): icmpv6 = wiresum_icmpv6, icmpv6_ok = wiresum_icmpv6_ok }

// ---- Kernels ----

/// A kernel of the library's list, which is constant and lives as long as the program.
#[derive(Clone, Copy)]
pub struct Kernel(&'static c::wiresum_kernel);

// SAFETY: nothing writes the kernel, and any thread may call its functions.
unsafe impl Send for Kernel {}
// SAFETY: as for Send.
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
    // SAFETY: C returns the first kernel of a constant array, and writes the length of the array.
    let list = unsafe { slice::from_raw_parts(c::wiresum_kernels(&raw mut count), count) };
    list.iter().map(Kernel)
}

pub fn kernel_in_use() -> Kernel {
    // SAFETY: C returns a kernel of the list, which is constant.
    Kernel(unsafe { &*c::wiresum_kernel_in_use() })
}

impl Kernel {
    pub fn name(self) -> &'static str {
        // SAFETY: a name is never null, ends with a NUL, and is constant.
        let name = unsafe { CStr::from_ptr(self.0.name) };
        name.to_str().expect("the name of a kernel is of [a-z0-9_]")
    }

    pub fn is_supported(self) -> bool {
        // SAFETY: this function may be called on every CPU.
        unsafe { (self.0.is_supported)() }
    }

    pub fn supported(self) -> Option<SupportedKernel> {
        self.is_supported().then_some(SupportedKernel(self))
    }
}

/// A kernel that this CPU supports: [`Kernel::supported`] alone makes one.
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
        // SAFETY: the kernel is supported; both slices are as long as src; a mutable slice overlaps
        // no other.
        unsafe { (self.0.0.copy_partial)(dst.as_mut_ptr().cast(), at(src), src.len()) }
    }

    pub fn make_default(self) {
        // SAFETY: the kernel is of the list.
        let accepted = unsafe { c::wiresum_use_kernel(self.0.0) };
        assert!(accepted, "the library refuses its kernel {}", self.0.name());
    }
}
