// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sum, and its algebra (RFC 1071 section 2).

use core::fmt;
use core::iter;
use core::ops::{Add, AddAssign, Sub, SubAssign};

use crate::{backend, partial};

/// A sum: the one's complement sum of 16-bit words (RFC 1071 section 1). Sums are combined and
/// compared. The field of a packet holds the complement, a [`Checksum`](crate::Checksum).
///
/// A `Sum` does not know the length of its data, and a piece that begins at an odd offset of its
/// stream counts with its bytes exchanged. If pieces may have odd lengths, use
/// [`Stream`](crate::Stream), which keeps the length, or pass the length to
/// [`append`](Sum::append). The operators `+` and `-` are for pieces at even offsets.
///
/// Empty data and all-zero data sum to 0x0000. All other data whose words add up to a multiple of
/// 0xFFFF sum to 0xFFFF. So two sums of data that are not all zero are equal exactly if they are
/// congruent mod 0xFFFF.
///
/// ```
/// use wiresum::Sum;
///
/// // The example of RFC 1071 section 3:
/// let sum = Sum::of(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]);
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
    /// The sum of empty data and of all-zero data.
    pub const ZERO: Sum = Sum(0);

    /// Returns the sum of `data`. The last byte of an odd length is the first byte of its word (RFC
    /// 1071 section 4.1).
    ///
    /// ```
    /// # use wiresum::Sum;
    /// assert_eq!(Sum::of(&[0x12, 0x34, 0x56]).value(), 0x1234 + 0x5600);
    /// ```
    #[inline]
    #[must_use]
    pub fn of(data: &[u8]) -> Sum {
        match data.try_into() {
            // A header: a call takes longer than its sum.
            Ok(twenty) => Sum::from_partial(partial::of_20(twenty, u64::MAX)),
            Err(_) => Sum(backend::sum(data)),
        }
    }

    /// Returns the sum that a partial sum stands for.
    #[inline]
    pub(crate) fn from_partial(partial: u64) -> Sum {
        Sum(partial::fold(partial))
    }

    /// Returns the sum as the number that protocol documents print: its two bytes on the wire, read
    /// as big-endian.
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
    /// The sum of a [pseudo-header](crate::pseudo) is stored in this way as the seed of
    /// `CHECKSUM_PARTIAL`. Every other field holds a [`Checksum`](crate::Checksum).
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

    /// Returns the sum with its two bytes exchanged: the sum of the same bytes at offsets of the
    /// other parity (RFC 1071 section 2 (B)).
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

    /// Returns the sum of `head_len` bytes, whose sum is `self`, and the bytes after them, whose
    /// sum is `tail`. The lengths may be odd.
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

    /// Returns the sum of the first `head_len` bytes of data whose sum is `self`. `tail` is the sum
    /// of all other bytes. This is the inverse of [`append`](Sum::append).
    ///
    /// A sum does not tell what it is made of, so a head of zeros gives 0xFFFF if `tail` is not
    /// 0x0000.
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

    /// Returns the sum of the bytes after the first `head_len` bytes of data whose sum is `self`.
    /// `head` is the sum of those first bytes. The bytes after an odd head are at odd offsets in
    /// the whole; the result is their sum as data of their own.
    ///
    /// A sum does not tell what it is made of, so a rest of zeros, or of no bytes, gives 0xFFFF if
    /// `head` is not 0x0000. [`Stream::remove_head`](crate::Stream::remove_head) knows the lengths,
    /// and gives 0x0000 for a rest of no bytes.
    ///
    /// ```
    /// # use wiresum::Sum;
    /// let data = b"an odd head, and its tail";
    /// let (head, tail) = data.split_at(11);
    /// assert_eq!(Sum::of(data).remove_head(head.len(), Sum::of(head)), Sum::of(tail));
    /// ```
    #[inline]
    #[must_use]
    pub const fn remove_head(self, head_len: usize, head: Sum) -> Sum {
        self.minus(head).at(head_len)
    }

    /// Returns whether data with this sum include their right checksum: whether it is 0xFFFF (RFC
    /// 1071 section 1, step 3). All-zero data sum to 0x0000, so the result is false for them.
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

    /// Returns what the sum adds to a stream in which its data begin at `offset`.
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

/// Adds the sums of two pieces, **each at an even offset** of the stream. If a piece may have an
/// odd length, use [`Stream`](crate::Stream) or [`append`](Sum::append).
///
/// ```
/// # use wiresum::Sum;
/// // The carry comes around to the lowest bit.
/// assert_eq!(Sum::of(&[0xff, 0xfe]) + Sum::of(&[0x00, 0x03]), Sum::from_value(0x0002));
/// ```
impl Add for Sum {
    type Output = Sum;

    #[inline]
    fn add(self, other: Sum) -> Sum {
        self.plus(other)
    }
}

/// Adds as `+` does: pieces **at even offsets**.
impl AddAssign for Sum {
    #[inline]
    fn add_assign(&mut self, other: Sum) {
        *self = *self + other;
    }
}

/// Takes a part **at an even offset** out of a whole (RFC 1624). For a part at an odd offset, and
/// for the tail of a whole, use [`remove`](Sum::remove).
///
/// A sum does not tell what it is made of, so a rest of zeros gives 0xFFFF if the part is not
/// 0x0000.
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

/// Subtracts as `-` does: a part **at an even offset**.
impl SubAssign for Sum {
    #[inline]
    fn sub_assign(&mut self, part: Sum) {
        *self = *self - part;
    }
}

/// Adds as `+` does, for any number of pieces **at even offsets**. Pieces one after the other are
/// collected into a [`Stream`](crate::Stream).
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

/// Implements the formats of a type as the number that protocol documents print: `{}` has the form
/// 0x1c46, and `{:x}` and `{:X}` are the forms of an integer.
macro_rules! show_as_number {
    ($type:ty) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{:#06x}", self.value())
            }
        }

        impl core::fmt::LowerHex for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::LowerHex::fmt(&self.value(), f)
            }
        }

        impl core::fmt::UpperHex for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::UpperHex::fmt(&self.value(), f)
            }
        }
    };
}
pub(crate) use show_as_number;
show_as_number!(Sum);
