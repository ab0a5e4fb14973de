// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C library, and all unsafe code of a build with the feature `c`: slices become the pointers
//! and lengths of the C interface.
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

use crate::assert_same_len;

pub mod batch;

/// Returns the pointer to `bytes` as C takes it.
fn at(bytes: &[u8]) -> *const c_void {
    bytes.as_ptr().cast()
}

// ---- Buffers ----

/// Returns the function that sums. On x86-64 it is the function of the kernel in use, as in
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
