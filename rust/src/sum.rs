// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sum, and its algebra (RFC 1071 section 2).

use core::fmt;
use core::iter;
use core::ops::{Add, AddAssign, Sub, SubAssign};

use crate::kernel::{fold, sum_20};
use crate::{Checksum, ffi};

/// A sum: the one's complement sum of 16-bit words (RFC 1071 section 1). Sums are combined and compared; what a packet's
/// field holds is the complement, a [`Checksum`].
///
/// A `Sum` does not know how many bytes it stands for, and a piece that begins at an odd offset of its stream counts with
/// its bytes exchanged. Where pieces may be odd, use [`Stream`](crate::Stream), which keeps the length and cannot go
/// wrong, or say the length yourself with [`append`](Sum::append). The operators `+` and `-` are for pieces at even offsets.
///
/// Empty and all-zero data sum to 0x0000; all other data whose words add up to a multiple of 0xFFFF sum to 0xFFFF. So two
/// sums of data that is not all zero are equal exactly when they are congruent mod 0xFFFF.
///
/// ```
/// use wiresum::Sum;
///
/// let sum = Sum::of(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]); // the example of RFC 1071 section 3
/// assert_eq!(sum.value(), 0xddf2);
/// assert_eq!(sum.to_wire(), [0xdd, 0xf2]);
/// assert_eq!(sum, Sum::of(&[0x00, 0x01, 0xf2, 0x03]) + Sum::of(&[0xf4, 0xf5, 0xf6, 0xf7]));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Sum(
    /// In memory order: the two bytes of the wire in a native load.
    pub(crate) u16,
);

impl Sum {
    /// The sum of no data, and of all-zero data.
    pub const ZERO: Sum = Sum(0);

    /// Returns the sum of `data`. A last odd byte is the first byte of its word (RFC 1071 section 4.1).
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::of(&[0x12, 0x34, 0x56]).value(), 0x1234 + 0x5600);
    /// ```
    #[inline]
    #[must_use]
    pub fn of(data: &[u8]) -> Sum {
        match data.try_into() {
            Ok(twenty) => fold(sum_20(twenty, u64::MAX)), // a header: sooner summed than a call is made
            Err(_) => Sum(ffi::sum(data)),
        }
    }

    /// Returns the sum as the number that protocol documents print: its two bytes on the wire read as big-endian.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::of(&[0x1c, 0x46]).value(), 0x1c46); // on every machine
    /// ```
    #[inline]
    #[must_use]
    pub const fn value(self) -> u16 {
        u16::from_be(self.0)
    }

    /// Returns the sum whose [`value`](Sum::value) is `value`.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::from_value(0x1c46), Sum::of(&[0x1c, 0x46]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_value(value: u16) -> Sum {
        Sum(value.to_be())
    }

    /// Returns the sum's two bytes in the order of the wire.
    ///
    /// To store a [pseudo-header](crate::pseudo)'s sum as the seed of `CHECKSUM_PARTIAL`; else what is stored is a
    /// [`Checksum`].
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::from_value(0x1c46).to_wire(), [0x1c, 0x46]);
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_wire(self) -> [u8; 2] {
        self.0.to_ne_bytes()
    }

    /// Returns the sum whose two bytes are `bytes`, in the order of the wire.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::from_wire([0x1c, 0x46]).value(), 0x1c46);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_wire(bytes: [u8; 2]) -> Sum {
        Sum(u16::from_ne_bytes(bytes))
    }

    /// Returns the sum of the same bytes begun at an offset of the other parity: its two bytes exchanged (RFC 1071 2(B)).
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::of(&[0x12, 0x34, 0x56]).swap(), Sum::of(&[0, 0x12, 0x34, 0x56]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn swap(self) -> Sum {
        Sum(self.0.swap_bytes())
    }

    /// Returns the sum of `head_len` bytes, whose sum is `self`, and the bytes after them, whose sum is `tail`. Right for odd
    /// lengths too.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// let data = b"an odd head, and its tail";
    /// let (head, tail) = data.split_at(11);
    /// assert_eq!(Sum::of(head).append(head.len(), Sum::of(tail)), Sum::of(data));
    /// ```
    #[inline]
    #[must_use]
    pub const fn append(self, head_len: usize, tail: Sum) -> Sum {
        self.plus(tail.at(head_len))
    }

    /// Returns the sum of the first `head_len` bytes of data whose sum is `self`, when the sum of all bytes after them is
    /// `tail`: the inverse of [`append`](Sum::append).
    ///
    /// A sum does not tell what it is made of, so a head of zeros comes out as 0xFFFF where `tail` is not 0x0000.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// let data = b"an odd head, and its tail";
    /// let (head, tail) = data.split_at(11);
    /// assert_eq!(Sum::of(data).remove(head.len(), Sum::of(tail)), Sum::of(head));
    /// ```
    #[inline]
    #[must_use]
    pub const fn remove(self, head_len: usize, tail: Sum) -> Sum {
        self.minus(tail.at(head_len))
    }

    /// Returns the checksum: the complement, to store in a field that was zero (or left out) while summing.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::from_value(0xddf2).checksum().value(), 0x220d);
    /// ```
    #[inline]
    #[must_use]
    pub const fn checksum(self) -> Checksum {
        Checksum(!self.0)
    }

    /// Returns whether this is the sum of data that includes its right checksum: whether it is 0xFFFF (RFC 1071 section 1,
    /// step 3). False for all-zero data.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert!(Sum::of(&[0xdd, 0xf2, 0x22, 0x0d]).is_ok());
    /// assert!(!Sum::of(&[0, 0, 0, 0]).is_ok());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_ok(self) -> bool {
        self.0 == 0xFFFF
    }

    /// The sum as it counts in a stream where its data begin at `offset`.
    #[inline]
    pub(crate) const fn at(self, offset: usize) -> Sum {
        if offset % 2 == 1 { self.swap() } else { self }
    }

    #[inline]
    pub(crate) const fn plus(self, other: Sum) -> Sum {
        let sum = self.0 as u32 + other.0 as u32;
        Sum(((sum >> 16) + sum) as u16)
    }

    #[inline]
    pub(crate) const fn minus(self, part: Sum) -> Sum {
        if part.0 == 0 {
            self
        } else {
            self.plus(Sum(!part.0))
        }
    }
}

/// The sum of two pieces, **each at an even offset** of the stream. Where a piece may have an odd length, use
/// [`Stream`](crate::Stream) or [`append`](Sum::append).
///
/// ```
/// # use wiresum::Sum;
/// assert_eq!(Sum::of(&[0xff, 0xfe]) + Sum::of(&[0x00, 0x03]), Sum::from_value(0x0002)); // the carry comes around
/// ```
impl Add for Sum {
    type Output = Sum;

    #[inline]
    fn add(self, other: Sum) -> Sum {
        self.plus(other)
    }
}

/// As `+`: pieces **at even offsets**.
impl AddAssign for Sum {
    #[inline]
    fn add_assign(&mut self, other: Sum) {
        *self = *self + other;
    }
}

/// The sum of what is left when a part **at an even offset** is taken out of a whole (RFC 1624). At other offsets, and for
/// what comes last, use [`remove`](Sum::remove).
///
/// A sum does not tell what it is made of, so a rest of zeros comes out as 0xFFFF where the part is not 0x0000.
///
/// ```
/// # use wiresum::Sum;
/// let whole = Sum::of(&[1, 2, 3, 4]);
/// assert_eq!(whole - Sum::of(&[3, 4]), Sum::of(&[1, 2]));
/// assert_eq!(whole - whole, Sum::from_value(0xffff));
/// ```
impl Sub for Sum {
    type Output = Sum;

    #[inline]
    fn sub(self, part: Sum) -> Sum {
        self.minus(part)
    }
}

/// As `-`: a part **at an even offset**.
impl SubAssign for Sum {
    #[inline]
    fn sub_assign(&mut self, part: Sum) {
        *self = *self - part;
    }
}

/// As `+`, for any number of pieces **at even offsets**. For pieces one after the other, collect into a
/// [`Stream`](crate::Stream).
impl iter::Sum for Sum {
    fn sum<I: Iterator<Item = Sum>>(sums: I) -> Sum {
        sums.fold(Sum::ZERO, Add::add)
    }
}

impl fmt::Debug for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sum({self})")
    }
}

crate::show_as_number!(Sum);
