// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions that Miri runs in place of the C library, because Miri cannot run C. They have the
//! names, types and contract of that library. Each is as simple as possible, and each accesses
//! every byte that its contract lets C access.
//!
//! Miri proves three things with them. The pointers and lengths of the safe functions are valid for
//! the contract (bounds, lifetimes, aliasing, initialization). The Rust code of this crate has no
//! undefined behavior. On a target such as s390x, the algebra in Rust is right in the other byte
//! order. Miri proves nothing about the C code: sanitizers, guard pages and exhaustive tests check
//! the C library.

use core::ffi::c_void;
use core::slice;
use core::sync::atomic::{AtomicPtr, Ordering};

pub use wiresum_sys::{wiresum_kernel, wiresum_piece};

/// Returns the sum of the words as big-endian numbers, not folded. `data` begin at an even offset.
fn words(data: &[u8]) -> u64 {
    data.chunks(2)
        .map(|word| u64::from(word[0]) << 8 | word.get(1).map_or(0, |&low| u64::from(low)))
        .sum()
}

/// Returns the sum in memory order of a sum of big-endian words that is not folded.
fn fold(mut words: u64) -> u16 {
    while words > 0xFFFF {
        words = (words >> 16) + (words & 0xFFFF);
    }
    (words as u16).to_be()
}

unsafe fn bytes<'a>(data: *const c_void, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the caller keeps to the contract of wiresum.h, as for each function of this file.
    unsafe { slice::from_raw_parts(data.cast(), len) }
}

pub unsafe extern "C" fn wiresum_sum(data: *const c_void, len: usize) -> u16 {
    fold(words(unsafe { bytes(data, len) }))
}

pub unsafe extern "C" fn wiresum_copy(dst: *mut c_void, src: *const c_void, len: usize) -> u16 {
    unsafe {
        core::ptr::copy_nonoverlapping(src.cast::<u8>(), dst.cast::<u8>(), len);
        wiresum_sum(dst, len)
    }
}

pub unsafe extern "C" fn wiresum_batch(packets: *const wiresum_piece, n: usize, sums: *mut u16) {
    for i in 0..n {
        unsafe {
            let packet = *packets.add(i);
            sums.add(i).write(wiresum_sum(packet.data, packet.len));
        }
    }
}

macro_rules! batch_offsets {
    ($name:ident, $offset:ty) => {
        pub unsafe extern "C" fn $name(
            base: *const c_void,
            offsets: *const $offset,
            n: usize,
            sums: *mut u16,
        ) {
            for i in 0..n {
                unsafe {
                    let (start, end) = (*offsets.add(i) as usize, *offsets.add(i + 1) as usize);
                    sums.add(i)
                        .write(wiresum_sum(base.byte_add(start), end - start));
                }
            }
        }
    };
}
batch_offsets!(wiresum_batch_offsets32, i32);
batch_offsets!(wiresum_batch_offsets64, i64);

pub unsafe extern "C" fn wiresum_batch_ipv4_headers(
    first: *const c_void,
    stride: usize,
    n: usize,
    sums: *mut u16,
) {
    for i in 0..n {
        unsafe {
            let header = first.byte_add(i * stride);
            let len = 4 * usize::from(*header.cast::<u8>() & 15);
            sums.add(i).write(if len < 20 {
                0
            } else {
                wiresum_sum(header, len)
            });
        }
    }
}

unsafe extern "C" fn is_supported() -> bool {
    true
}

unsafe extern "C" fn partial(data: *const c_void, len: usize) -> u64 {
    u64::from(unsafe { wiresum_sum(data, len) })
}

unsafe extern "C" fn copy_partial(dst: *mut c_void, src: *const c_void, len: usize) -> u64 {
    u64::from(unsafe { wiresum_copy(dst, src, len) })
}

struct List([wiresum_kernel; 2]);

// SAFETY: the list is constant.
unsafe impl Sync for List {}

static KERNELS: List = List([
    wiresum_kernel {
        name: c"miri".as_ptr(),
        is_supported,
        partial,
        copy_partial,
    },
    wiresum_kernel {
        name: c"portable".as_ptr(),
        is_supported,
        partial,
        copy_partial,
    },
]);
static IN_USE: AtomicPtr<wiresum_kernel> = AtomicPtr::new((&raw const KERNELS.0[0]).cast_mut());

pub unsafe extern "C" fn wiresum_kernels(count: *mut usize) -> *const wiresum_kernel {
    unsafe { *count = KERNELS.0.len() };
    KERNELS.0.as_ptr()
}

pub unsafe extern "C" fn wiresum_kernel_in_use() -> *const wiresum_kernel {
    IN_USE.load(Ordering::Relaxed)
}

pub unsafe extern "C" fn wiresum_use_kernel(kernel: *const wiresum_kernel) -> bool {
    IN_USE.store(kernel.cast_mut(), Ordering::Relaxed);
    true
}
