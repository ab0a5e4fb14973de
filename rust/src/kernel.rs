// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kernels: the ways to sum, each made for one instruction set.
//!
//! The first call of any function picks the best kernel that this CPU and its operating system support. All give the same
//! sums, so most programs never need this module: it is for tests, for measuring, and for machines on which nothing tells
//! what the CPU has. A kernel can be called only through a [`SupportedKernel`], and such a value exists only where the CPU
//! can run it.
//!
//! ```
//! use wiresum::kernel;
//!
//! for kernel in kernel::all() {
//!     match kernel.supported() {
//!         Some(supported) => assert_eq!(supported.sum(&[0x1c, 0x46]).value(), 0x1c46),
//!         None => println!("this CPU lacks {kernel}"),
//!     }
//! }
//! ```

use core::fmt;

use crate::{Sum, ffi};

/// Returns the kernels built into this library, best first, `portable` last.
///
/// ```
/// assert_eq!(wiresum::kernel::all().last().unwrap().name(), "portable");
/// ```
pub fn all() -> impl ExactSizeIterator<Item = Kernel> + Clone {
    ffi::kernels().map(Kernel)
}

/// Returns the kernel of that name, supported or not, if it is built into this library.
///
/// ```
/// use wiresum::kernel;
///
/// assert!(kernel::by_name("portable").is_some_and(|kernel| kernel.is_supported()));
/// assert!(kernel::by_name("abacus").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<Kernel> {
    all().find(|kernel| kernel.name() == name)
}

/// Returns the kernel that all functions of this crate use.
///
/// ```
/// assert!(wiresum::kernel::in_use().is_supported());
/// ```
#[must_use]
pub fn in_use() -> Kernel {
    Kernel(ffi::kernel_in_use())
}

/// A kernel of the list, which this CPU may or may not support.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kernel(ffi::Kernel);

impl Kernel {
    /// Returns the name, such as `x86_avx2`: of `[a-z0-9_]`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns whether this CPU and its operating system run it.
    #[must_use]
    pub fn is_supported(self) -> bool {
        self.0.is_supported()
    }

    /// Returns the kernel to call, if this CPU and its operating system run it.
    ///
    /// ```
    /// use wiresum::kernel;
    ///
    /// let portable = kernel::by_name("portable").and_then(kernel::Kernel::supported).unwrap();
    /// assert_eq!(portable.sum(&[0x12, 0x34]).value(), 0x1234);
    /// ```
    #[must_use]
    pub fn supported(self) -> Option<SupportedKernel> {
        self.0.supported().map(SupportedKernel)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kernel").field(&self.name()).finish()
    }
}

/// A kernel that this CPU and its operating system run: [`Kernel::supported`] is the only way to get one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SupportedKernel(ffi::SupportedKernel);

impl SupportedKernel {
    /// Returns the kernel of the list that this is.
    #[must_use]
    pub fn kernel(self) -> Kernel {
        Kernel(self.0.kernel())
    }

    /// Returns the name, as [`Kernel::name`].
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.kernel().name()
    }

    /// Returns the sum of `data`, by this kernel. As [`sum`](crate::sum()).
    #[must_use]
    pub fn sum(self, data: &[u8]) -> Sum {
        fold(self.partial(data))
    }

    /// Returns the sum of `src`, copied to `dst`, by this kernel. As [`copy`](crate::copy).
    ///
    /// # Panics
    /// If `dst` and `src` are not of one length.
    ///
    /// ```
    /// # use wiresum::{kernel, sum};
    /// for kernel in kernel::all().filter_map(kernel::Kernel::supported) {
    ///     let mut copied = [0; 4];
    ///     assert_eq!(kernel.copy(&mut copied, b"wire"), sum(b"wire"));
    ///     assert_eq!(&copied, b"wire");
    /// }
    /// ```
    #[track_caller]
    pub fn copy(self, dst: &mut [u8], src: &[u8]) -> Sum {
        fold(self.0.copy_partial(dst, src))
    }

    /// Returns the unfolded sum of `data`: what the kernel itself returns, in memory order, different from kernel to kernel, and
    /// congruent mod 0xFFFF to the [`sum`](SupportedKernel::sum).
    #[must_use]
    pub fn partial(self, data: &[u8]) -> u64 {
        self.0.partial(data)
    }

    /// Makes all functions of this crate, and of the C library in it, use this kernel, from this call on, in every thread.
    ///
    /// ```
    /// use wiresum::kernel;
    ///
    /// let portable = kernel::by_name("portable").and_then(kernel::Kernel::supported).unwrap();
    /// portable.make_default();
    /// assert_eq!(kernel::in_use(), portable.kernel());
    /// ```
    pub fn make_default(self) {
        self.0.make_default();
    }
}

impl fmt::Display for SupportedKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for SupportedKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SupportedKernel")
            .field(&self.name())
            .finish()
    }
}

/// End-around addition of unfolded sums: 0 only for 0 + 0.
#[inline]
pub(crate) fn add(a: u64, b: u64) -> u64 {
    let (sum, carry) = a.overflowing_add(b);
    sum + u64::from(carry)
}

/// The unfolded sum of an IPv4 header, or one of TCP, without options: three words, so that the compiler keeps all in registers. Of the
/// second, the bits that are set in `of_second` count.
#[inline]
pub(crate) fn sum_20(bytes: &[u8; 20], of_second: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let [first, second] = [words[0], words[1]].map(u64::from_ne_bytes);
    let last = rest
        .first_chunk()
        .map_or(0, |rest| u32::from_ne_bytes(*rest));
    add(add(first, second & of_second), last.into())
}

/// The 16-bit sum that an unfolded one stands for: 0 for 0 only.
#[inline]
pub(crate) fn fold(unfolded: u64) -> Sum {
    let halves = (unfolded >> 32) + (unfolded & 0xFFFF_FFFF); // < 2^33
    let quarters = (halves >> 16) + (halves & 0xFFFF); // < 2^18
    let sum = (quarters >> 16) + (quarters & 0xFFFF); // <= 0x10002
    Sum(((sum >> 16) + sum) as u16)
}

/// Whether it folds to 0xFFFF: as `wiresum_folds_to_ones` in wiresum.h, which says why.
#[inline]
pub(crate) fn folds_to_ones(unfolded: u64) -> bool {
    unfolded.wrapping_mul(0xFFFE_FFFE_FFFE_FFFF).wrapping_sub(1) < 0x0001_0001_0001_0001
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_fold_of_edges_is_the_remainder_and_zero_only_for_zero() {
        const EDGES: [u64; 7] = [0, 1, 2, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF];
        for places in 0..EDGES.len().pow(4) {
            let word = |place| EDGES[places / EDGES.len().pow(place) % EDGES.len()] << (16 * place);
            let unfolded = word(0) | word(1) | word(2) | word(3);
            let folded = super::fold(unfolded).0;
            assert_eq!(
                u64::from(folded) % 0xFFFF,
                unfolded % 0xFFFF,
                "{unfolded:#x}"
            );
            assert_eq!(folded == 0, unfolded == 0, "{unfolded:#x}");
            let ones = super::folds_to_ones(unfolded);
            assert_eq!(ones, folded == 0xFFFF, "{unfolded:#x}");
        }
    }
}
