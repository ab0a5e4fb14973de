// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of `ffi` in Rust, for a build without the feature `c`. It needs no C compiler.
//!
//! The kernels work on slices and arrays, so the compiler checks each bound. Five things are
//! unsafe: the loads and stores of arrays as vectors, their bytes taken as numbers, an `asm!`
//! without an instruction, the questions to the CPU, and in this file the calls of kernels, whose
//! instructions the CPU has to support, with destinations that may be uninitialized.

use core::mem::MaybeUninit;
use core::ptr;
use core::slice;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::assert_same_len;
use crate::partial::fold;

pub mod batch;
#[deny(unsafe_code)]
mod portable;
#[macro_use]
#[deny(unsafe_code)]
mod walk;

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
mod arm_neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;

/// A kernel. Each of its functions takes data of any length at any address.
struct Functions {
    name: &'static str,
    is_supported: fn() -> bool,
    /// Returns the partial sum of the data.
    ///
    /// # Safety
    /// The CPU supports the kernel.
    partial: unsafe fn(data: &[u8]) -> u64,
    /// Copies all bytes of `src` to `dst`, which is as long, and returns their partial sum.
    ///
    /// # Safety
    /// The CPU supports the kernel.
    copy_partial: unsafe fn(dst: &mut [MaybeUninit<u8>], src: &[u8]) -> u64,
}

/// The kernels, best first.
static KERNELS: &[Functions] = &[
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Functions {
        name: "x86_avx512bw",
        is_supported: x86::cpu::has_avx512bw,
        partial: x86::avx512bw::partial,
        copy_partial: x86::avx512bw::copy_partial,
    },
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Functions {
        name: "x86_avx2",
        is_supported: x86::cpu::has_avx2,
        partial: x86::avx2::partial,
        copy_partial: x86::avx2::copy_partial,
    },
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Functions {
        name: "x86_sse2",
        is_supported: || true, // the target has it
        partial: x86::sse2::partial,
        copy_partial: x86::sse2::copy_partial,
    },
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ))]
    Functions {
        name: "arm_neon",
        is_supported: || true, // the target has it
        partial: arm_neon::partial,
        copy_partial: arm_neon::copy_partial,
    },
    Functions {
        name: "portable",
        is_supported: || true,
        partial: portable::partial,
        copy_partial: portable::copy_partial,
    },
];

// ---- The kernel in use ----

/// Calls the best kernel, and makes it the one in use. It is what the first call finds.
static DETECTOR: Functions = Functions {
    name: "",
    is_supported: || true,
    // SAFETY: a kernel in use is supported.
    partial: |data| unsafe { (detected().partial)(data) },
    // SAFETY: as for partial.
    copy_partial: |dst, src| unsafe { (detected().copy_partial)(dst, src) },
};

/// Points to the detector or to a kernel that this CPU supports. Both are constant, so that no
/// order of memory accesses matters.
static IN_USE: AtomicPtr<Functions> = AtomicPtr::new((&raw const DETECTOR).cast_mut());

#[inline]
fn in_use() -> &'static Functions {
    // SAFETY: the pointer is never null, and points to a constant.
    unsafe { &*IN_USE.load(Ordering::Relaxed) }
}

/// Returns the kernel in use, which another thread may have chosen meanwhile.
#[cold]
fn detected() -> &'static Functions {
    if ptr::eq(in_use(), &DETECTOR) {
        let best = KERNELS.iter().find(|kernel| (kernel.is_supported)());
        let best = ptr::from_ref(best.expect("portable is supported")).cast_mut();
        let undecided = (&raw const DETECTOR).cast_mut();
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        #[cfg(target_has_atomic = "ptr")]
        let _ = IN_USE.compare_exchange(undecided, best, set, get); // a kernel chosen is kept
        #[cfg(not(target_has_atomic = "ptr"))]
        let _ = (IN_USE.store(best, set), undecided, get); // there is nothing to choose from
    }
    in_use()
}

// ---- Buffers ----

#[inline]
pub fn sum(data: &[u8]) -> u16 {
    // SAFETY: a kernel in use is supported.
    fold(unsafe { (in_use().partial)(data) })
}

#[inline]
#[track_caller]
pub fn copy(dst: &mut [u8], src: &[u8]) -> u16 {
    assert_same_len("destination and source", dst.len(), src.len());
    // SAFETY: a kernel in use is supported, and stores no byte that is uninitialized.
    fold(unsafe { (in_use().copy_partial)(room_in(dst), src) })
}

#[inline]
#[track_caller]
pub fn copy_uninit<'a>(dst: &'a mut [MaybeUninit<u8>], src: &[u8]) -> (&'a mut [u8], u16) {
    assert_same_len("destination and source", dst.len(), src.len());
    // SAFETY: a kernel in use is supported, and has written each byte of dst when it returns.
    unsafe {
        let sum = fold((in_use().copy_partial)(dst, src));
        (
            slice::from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()),
            sum,
        )
    }
}

/// Returns the bytes as a destination.
///
/// # Safety
/// The caller stores no byte that is uninitialized.
unsafe fn room_in(dst: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: both types have one layout.
    unsafe { slice::from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()) }
}

// ---- Kernels ----

/// A kernel of the list.
#[derive(Clone, Copy)]
pub struct Kernel(&'static Functions);

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
    KERNELS.iter().map(Kernel)
}

pub fn kernel_in_use() -> Kernel {
    Kernel(detected())
}

impl Kernel {
    pub fn name(self) -> &'static str {
        self.0.name
    }

    pub fn is_supported(self) -> bool {
        (self.0.is_supported)()
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
        // SAFETY: the kernel is supported.
        unsafe { (self.0.0.partial)(data) }
    }

    #[track_caller]
    pub fn copy_partial(self, dst: &mut [u8], src: &[u8]) -> u64 {
        assert_same_len("destination and source", dst.len(), src.len());
        // SAFETY: the kernel is supported, and stores no byte that is uninitialized.
        unsafe { (self.0.0.copy_partial)(room_in(dst), src) }
    }

    pub fn make_default(self) {
        IN_USE.store(ptr::from_ref(self.0.0).cast_mut(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::{kernels, portable, walk};
    use crate::partial::fold;

    /// Sums by the definition of RFC 1071 section 1, word by word.
    fn reference(data: &[u8]) -> u16 {
        let mut sum = 0u32;
        for word in data.chunks(2) {
            sum += u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0));
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        (sum as u16).to_be()
    }

    /// The blocks of a test are short, so that data of a few of them cross the seams that long data
    /// cross. All kernels of this CPU run.
    #[test]
    fn sums_and_copies_are_right_at_each_seam() {
        let most = 3 * walk::BLOCK.max(portable::BLOCK) + 130;
        let ones = vec![0xFF; most];
        let bytes: vec::Vec<u8> = (0..most).map(|i| ((i * i / 7) ^ i) as u8).collect();
        for kernel in kernels().filter_map(super::Kernel::supported) {
            for len in (0..=most).step_by(if cfg!(miri) { 211 } else { 1 }) {
                for data in [&ones[..len], &bytes[..len], &bytes[most - len..]] {
                    let mut copied = vec![0; len];
                    let name = kernel.kernel().name();
                    assert_eq!(fold(kernel.partial(data)), reference(data), "{name} {len}");
                    let sum = fold(kernel.copy_partial(&mut copied, data));
                    assert_eq!(sum, reference(data), "copy of {name} {len}");
                    assert!(copied == data, "copy of {name} {len}");
                }
            }
        }
    }
}
