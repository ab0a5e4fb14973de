// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams: sums that know the length of their data.

use core::iter;
use core::ops::{Add, AddAssign};

use crate::checksum::Checksum;
use crate::sum::Sum;

/// The sum of a stream of bytes that comes in pieces of any length, even or odd. A `Stream` keeps
/// the length, so it joins each piece at the right offset.
///
/// ```
/// use wiresum::{Stream, sum};
///
/// let mut stream = Stream::new();
/// stream.push(b"odd").push(b"").push(b"pieces").push(b".");
/// assert_eq!(stream.sum(), sum(b"oddpieces."));
/// assert_eq!(stream.len(), 10);
///
/// // Parts that other cores have summed join in the order of their bytes.
/// assert_eq!(Stream::of(b"odd") + Stream::of(b"pieces."), stream);
///
/// // An iterator of pieces can be collected.
/// let pieces = [&b"odd"[..], b"pieces", b"."];
/// assert_eq!(pieces.iter().collect::<Stream>(), stream);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stream {
    sum: Sum,
    len: u64,
}

impl Stream {
    /// Returns the stream of no bytes.
    #[inline]
    #[must_use]
    pub const fn new() -> Stream {
        Stream {
            sum: Sum::ZERO,
            len: 0,
        }
    }

    /// Returns the stream of `data`.
    ///
    /// ```
    /// # use wiresum::{Stream, sum};
    /// assert_eq!(Stream::of(b"abc").sum(), sum(b"abc"));
    /// ```
    #[inline]
    #[must_use]
    pub fn of(data: &[u8]) -> Stream {
        Stream {
            sum: Sum::of(data),
            len: data.len() as u64,
        }
    }

    /// Adds `data` at the end.
    ///
    /// ```
    /// # use wiresum::{Stream, sum};
    /// assert_eq!(Stream::new().push(b"a").push(b"bc").sum(), sum(b"abc"));
    /// ```
    #[inline]
    pub fn push(&mut self, data: &[u8]) -> &mut Stream {
        self.push_sum(Sum::of(data), data.len() as u64)
    }

    /// Adds `len` bytes at the end, whose sum is `sum`.
    ///
    /// ```
    /// # use wiresum::{Stream, sum};
    /// assert_eq!(Stream::new().push(b"a").push_sum(sum(b"bc"), 2).sum(), sum(b"abc"));
    /// ```
    #[inline]
    pub fn push_sum(&mut self, sum: Sum, len: u64) -> &mut Stream {
        *self = self.join(Stream { sum, len });
        self
    }

    /// Returns the stream of all bytes of `self` and then all bytes of `tail`. The operator `+` is
    /// the same function, so the order of its sides counts.
    ///
    /// ```
    /// # use wiresum::{Stream, sum};
    /// let (head, tail) = (Stream::of(b"a"), Stream::of(b"bc"));
    /// assert_eq!(head.join(tail).sum(), sum(b"abc"));
    /// assert_eq!((tail + head).sum(), sum(b"bca"));
    /// ```
    #[inline]
    #[must_use]
    pub const fn join(self, tail: Stream) -> Stream {
        // A length beyond 2^64 wraps and keeps its parity; the sum needs only the parity.
        Stream {
            sum: self.sum.append((self.len % 2) as usize, tail.sum),
            len: self.len.wrapping_add(tail.len),
        }
    }

    /// Returns the sum of all bytes so far.
    #[inline]
    #[must_use]
    pub const fn sum(&self) -> Sum {
        self.sum
    }

    /// Returns the checksum of all bytes so far.
    ///
    /// ```
    /// # use wiresum::{Stream, checksum};
    /// assert_eq!(Stream::of(b"abc").checksum(), checksum(b"abc"));
    /// ```
    #[inline]
    #[must_use]
    pub const fn checksum(&self) -> Checksum {
        self.sum.checksum()
    }

    /// Returns the number of bytes so far.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether no byte has come yet.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Joins two streams as [`join`](Stream::join) does. The lengths may be odd.
impl Add for Stream {
    type Output = Stream;

    #[inline]
    fn add(self, tail: Stream) -> Stream {
        self.join(tail)
    }
}

/// Joins two streams as [`join`](Stream::join) does. The lengths may be odd.
impl AddAssign for Stream {
    #[inline]
    fn add_assign(&mut self, tail: Stream) {
        *self = self.join(tail);
    }
}

/// Joins any number of streams in the order of their bytes, as [`join`](Stream::join) does.
impl iter::Sum for Stream {
    fn sum<I: Iterator<Item = Stream>>(streams: I) -> Stream {
        streams.fold(Stream::new(), Stream::join)
    }
}

impl<P: AsRef<[u8]>> Extend<P> for Stream {
    fn extend<I: IntoIterator<Item = P>>(&mut self, pieces: I) {
        for piece in pieces {
            self.push(piece.as_ref());
        }
    }
}

impl<P: AsRef<[u8]>> FromIterator<P> for Stream {
    fn from_iter<I: IntoIterator<Item = P>>(pieces: I) -> Stream {
        let mut stream = Stream::new();
        stream.extend(pieces);
        stream
    }
}

/// A write adds its bytes to the sum, and stores them nowhere. No write fails.
///
/// ```
/// use wiresum::{Stream, sum};
///
/// let mut stream = Stream::new();
/// std::io::copy(&mut &b"from any reader"[..], &mut stream)?;
/// assert_eq!(stream.sum(), sum(b"from any reader"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "std")]
impl std::io::Write for Stream {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.push(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
