// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams: sums that know the length of their data.

use core::error::Error;
use core::fmt;
use core::ops::{Add, AddAssign};
use core::{iter, mem};

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

    /// Adds at the end `len` bytes whose sum is `sum`.
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

    /// Adds the bytes `offset..offset + len` of a chain at the end, counted over all its pieces.
    /// The chain is an array of pieces, or any iterator over the buffers of a network stack. Asks
    /// for no piece after the last byte.
    ///
    /// # Errors
    /// If the chain ends before the range does. The stream stays as it is then.
    ///
    /// ```
    /// # use wiresum::{Stream, sum};
    /// let chain: std::collections::LinkedList<_> = ["odd", "", "pieces"].into();
    /// let mut stream = Stream::new();
    /// stream.push_range(&chain, 1, 5)?;
    /// assert_eq!(stream.sum(), sum(b"ddpie"));
    /// assert_eq!(stream.push_range(&chain, 8, 3).unwrap_err().missing(), 2);
    /// # Ok::<(), wiresum::RangeError>(())
    /// ```
    pub fn push_range<P: AsRef<[u8]>>(
        &mut self,
        chain: impl IntoIterator<Item = P>,
        mut offset: usize,
        mut len: usize,
    ) -> Result<&mut Stream, RangeError> {
        let mut all = *self;
        let mut pieces = chain.into_iter();
        while offset > 0 || len > 0 {
            let Some(piece) = pieces.next() else {
                let missing = offset.saturating_add(len);
                return Err(RangeError { missing });
            };
            let Some(rest) = piece.as_ref().get(offset..) else {
                offset -= piece.as_ref().len();
                continue;
            };
            let here = &rest[..rest.len().min(len)];
            all.push(here);
            offset = 0;
            len -= here.len();
        }
        *self = all;
        Ok(self)
    }

    /// Copies the bytes of `pieces`, from `offset` on, to `rooms` in their order, and adds them at
    /// the end. Ends where the rooms are full or the pieces end, and returns the number of bytes
    /// copied. Rooms and pieces may be cut at different places, even or odd, and may be empty. To
    /// go on with other rooms, call again with an offset that is greater by the result.
    ///
    /// ```
    /// # use wiresum::{Stream, sum};
    /// let (mut first, mut second) = ([0; 4], [0; 3]);
    /// let mut stream = Stream::new();
    /// let pieces = [&b"odd"[..], b"pieces"];
    /// let copied = stream.copy(0, pieces, [&mut first[..], &mut second]);
    /// assert_eq!((copied, &first, &second), (7, b"oddp", b"iec"));
    /// assert_eq!(stream.sum(), sum(b"oddpiec"));
    /// ```
    pub fn copy<'p, 'r>(
        &mut self,
        mut offset: usize,
        pieces: impl IntoIterator<Item = &'p [u8]>,
        rooms: impl IntoIterator<Item = &'r mut [u8]>,
    ) -> usize {
        let mut rooms = rooms.into_iter();
        let mut room: &mut [u8] = &mut [];
        let mut copied = 0;
        for piece in pieces {
            let Some(mut rest) = piece.get(offset..) else {
                offset -= piece.len();
                continue;
            };
            offset = 0;
            while !rest.is_empty() {
                while room.is_empty() {
                    match rooms.next() {
                        Some(next) => room = next,
                        None => return copied,
                    }
                }
                let here = rest.len().min(room.len());
                let (from, to);
                (from, rest) = rest.split_at(here);
                (to, room) = mem::take(&mut room).split_at_mut(here);
                self.push_sum(crate::copy(to, from), here as u64);
                copied += here;
            }
        }
        copied
    }

    /// Returns the stream without its first bytes, whose stream is `head`, as a receiver takes a
    /// header away. Returns `None` if `head` is longer than the stream.
    ///
    /// A sum does not tell what it is made of, so a rest of zeros that is not empty gives 0xFFFF if
    /// the sum of `head` is not 0x0000.
    ///
    /// ```
    /// # use wiresum::Stream;
    /// let (frame, head) = (Stream::of(b"odd header, payload"), Stream::of(b"odd header,"));
    /// assert_eq!(frame.remove_head(head), Some(Stream::of(b" payload")));
    /// assert_eq!(head.remove_head(frame), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn remove_head(self, head: Stream) -> Option<Stream> {
        let sum = self.sum.remove_head((head.len % 2) as usize, head.sum);
        self.rest(head.len, sum)
    }

    /// Returns the stream without its last bytes, whose stream is `tail`, as a receiver takes
    /// padding away. Returns `None` if `tail` is longer than the stream. A rest of zeros follows
    /// the rule of [`remove_head`](Stream::remove_head).
    ///
    /// ```
    /// # use wiresum::Stream;
    /// let (frame, tail) = (Stream::of(b"payload, padding"), Stream::of(b", padding"));
    /// assert_eq!(frame.remove_tail(tail), Some(Stream::of(b"payload")));
    /// ```
    #[inline]
    #[must_use]
    pub const fn remove_tail(self, tail: Stream) -> Option<Stream> {
        let head_len = self.len.wrapping_sub(tail.len);
        let sum = self.sum.remove((head_len % 2) as usize, tail.sum);
        self.rest(tail.len, sum)
    }

    /// Returns the stream that is shorter by `len` bytes and has this sum, or 0x0000 if it is
    /// empty.
    const fn rest(self, len: u64, sum: Sum) -> Option<Stream> {
        match self.len.checked_sub(len) {
            None => None,
            Some(0) => Some(Stream::new()),
            Some(len) => Some(Stream { sum, len }),
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

/// A chain ends before a range of [`Stream::push_range`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError {
    missing: usize,
}

impl RangeError {
    /// Returns the number of bytes that the chain lacks.
    #[must_use]
    pub const fn missing(&self) -> usize {
        self.missing
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the chain ends {} bytes before the range does",
            self.missing
        )
    }
}

impl Error for RangeError {}

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
