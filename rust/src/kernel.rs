// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kernels: each sums with one instruction set.
//!
//! The first call that needs a kernel chooses the best one that this CPU and its operating system
//! support. All kernels give the same sums, so most programs never need this
//! module. Tests and measurements choose a kernel, and so do programs on a machine where nothing
//! says what the CPU has. A program calls a kernel through a [`SupportedKernel`], which exists
//! only if the CPU supports the kernel.
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

use crate::backend;
use crate::sum::Sum;

/// Returns the kernels of this library, best first, `portable` last.
///
/// ```
/// assert_eq!(wiresum::kernel::all().last().unwrap().name(), "portable");
/// ```
pub fn all() -> impl ExactSizeIterator<Item = Kernel> + Clone {
    backend::kernels().map(Kernel)
}

/// Returns the kernel with that name, supported or not, or `None` if this library has none.
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
    Kernel(backend::kernel_in_use())
}

/// A kernel of the library, which this CPU may or may not support.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kernel(backend::Kernel);

impl Kernel {
    /// Returns the name, such as `x86_avx2`: of `[a-z0-9_]`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns whether this CPU and its operating system support the kernel.
    #[must_use]
    pub fn is_supported(self) -> bool {
        self.0.is_supported()
    }

    /// Returns the kernel in a form that can be called, if this CPU and its operating system
    /// support it.
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

/// A kernel that this CPU and its operating system support. [`Kernel::supported`] alone returns
/// one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SupportedKernel(backend::SupportedKernel);

impl SupportedKernel {
    /// Returns the kernel itself.
    #[must_use]
    pub fn kernel(self) -> Kernel {
        Kernel(self.0.kernel())
    }

    /// Returns the name, as [`Kernel::name`] does.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.kernel().name()
    }

    /// Returns the sum of `data` as [`sum`](crate::sum()) does, by this kernel.
    #[must_use]
    pub fn sum(self, data: &[u8]) -> Sum {
        Sum::from_partial(self.partial(data))
    }

    /// Copies `src` to `dst` and returns the sum as [`copy`](crate::copy) does, by this kernel.
    ///
    /// # Panics
    /// If `dst` and `src` differ in length.
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
        Sum::from_partial(self.0.copy_partial(dst, src))
    }

    /// Returns the partial sum of `data`: 64 bits in memory order, not folded to 16 bits. The value
    /// differs between kernels. It is congruent mod 0xFFFF to the sum in memory order.
    #[must_use]
    pub fn partial(self, data: &[u8]) -> u64 {
        self.0.partial(data)
    }

    /// Makes all functions of this crate, and of the C library below it, use this kernel, from this
    /// call on, in every thread.
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
