// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checksum, and its incremental update (RFC 1624).

use core::fmt;

use crate::sum::{Sum, show_as_number};
use crate::{assert_same_len, partial};

/// A checksum: the complement of a [`Sum`]. The field of a packet holds a checksum.
///
/// [`value`](Checksum::value) and [`from_value`](Checksum::from_value) convert to and from a
/// number, [`to_wire`](Checksum::to_wire) and [`from_wire`](Checksum::from_wire) to and from the
/// bytes of a packet. So no caller has to think of byte order.
///
/// ```
/// use wiresum::Checksum;
///
/// let mut header = [
///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0, 0, 192, 168, 0, 1, 192, 168, 0, 199,
/// ];
/// let checksum: Checksum = wiresum::checksum(&header);
/// assert_eq!(checksum.value(), 0xb861);
/// header[10..12].copy_from_slice(&checksum.to_wire());
/// assert!(wiresum::ok(&header));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Checksum(
    /// In memory order: the two bytes of the wire in a native load.
    pub(crate) u16,
);

impl Checksum {
    /// Returns the two bytes of the checksum in the order of the wire, to store in the field.
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// assert_eq!(Checksum::from_value(0x1c46).to_wire(), [0x1c, 0x46]);
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_wire(self) -> [u8; 2] {
        self.0.to_ne_bytes()
    }

    /// Returns the checksum of a field with these two bytes.
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// assert_eq!(Checksum::from_wire([0x1c, 0x46]).value(), 0x1c46);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_wire(bytes: [u8; 2]) -> Checksum {
        Checksum(u16::from_ne_bytes(bytes))
    }

    /// Returns the checksum as the number that protocol documents print: its two bytes on the wire,
    /// read as big-endian.
    ///
    /// ```
    /// # use wiresum::checksum;
    /// assert_eq!(checksum(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]).value(), 0x220d);
    /// ```
    #[inline]
    #[must_use]
    pub const fn value(self) -> u16 {
        u16::from_be(self.0)
    }

    /// Returns the checksum whose [`value`](Checksum::value) is `value`.
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// assert_eq!(Checksum::from_value(0x1c46), Checksum::from_wire([0x1c, 0x46]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_value(value: u16) -> Checksum {
        Checksum(value.to_be())
    }

    /// Returns the sum whose complement this checksum is.
    ///
    /// ```
    /// # use wiresum::{Sum, checksum};
    /// assert_eq!(checksum(b"wire").sum(), Sum::of(b"wire"));
    /// ```
    #[inline]
    #[must_use]
    pub const fn sum(self) -> Sum {
        Sum(!self.0)
    }

    /// Returns the new checksum when a 16-bit word at an even offset goes from `was` to `is` (a
    /// port, an identification). Both are numbers, read as big-endian.
    ///
    /// Every update is equation 3 of RFC 1624. The result equals a new computation, with one
    /// exception: data that become all zero get 0x0000 and not 0xFFFF (RFC 1624 section 3). Data
    /// with a pseudo-header or an IP version among them are never all zero. 0xFFFF, which is never
    /// the checksum of data that are not all zero, gives the result of 0x0000, with one exception:
    /// if the old bytes sum to 0xFFFF or are all zero, and the new ones are all zero, 0xFFFF stays
    /// 0xFFFF. For UDP use [`update_udp`](Checksum::update_udp).
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// // RFC 1624 section 4; the equation of RFC 1141 gives 0xffff.
    /// assert_eq!(Checksum::from_value(0xdd2f).update16(0x5555, 0x3285).value(), 0x0000);
    /// // Nothing changes: all-zero data keep 0xffff, and a word that is not zero contradicts it.
    /// assert_eq!(Checksum::from_value(0xffff).update16(0, 0).value(), 0xffff);
    /// assert_eq!(Checksum::from_value(0xffff).update16(0x1234, 0x1234).value(), 0x0000);
    /// assert_eq!(Checksum::from_value(0xffff).update16(0xffff, 0).value(), 0xffff);
    /// ```
    #[inline]
    #[must_use]
    pub const fn update16(self, was: u16, is: u16) -> Checksum {
        self.update_sum(Sum::from_value(was), Sum::from_value(is))
    }

    /// Returns the new checksum when 32 bits at an even offset go from `was` to `is` (an IPv4
    /// address by `to_bits`, a sequence number). Both are numbers, read as big-endian. All-zero
    /// data are the exception of [`update16`](Checksum::update16).
    ///
    /// ```
    /// # use wiresum::checksum;
    /// use core::net::Ipv4Addr;
    ///
    /// let (private, public) = (Ipv4Addr::new(192, 168, 0, 1), Ipv4Addr::new(203, 0, 113, 7));
    /// let rewritten = checksum(&private.octets()).update32(private.to_bits(), public.to_bits());
    /// assert_eq!(rewritten, checksum(&public.octets()));
    /// ```
    #[inline]
    #[must_use]
    pub const fn update32(self, was: u32, is: u32) -> Checksum {
        self.update_sum(sum32(was), sum32(is))
    }

    /// Returns the new checksum when 128 bits at an even offset go from `was` to `is` (an IPv6
    /// address by `to_bits`). Both are numbers, read as big-endian. All-zero data are the exception
    /// of [`update16`](Checksum::update16).
    ///
    /// ```
    /// # use wiresum::checksum;
    /// use core::net::Ipv6Addr;
    ///
    /// let inside = Ipv6Addr::LOCALHOST;
    /// let outside = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 7);
    /// let rewritten = checksum(&inside.octets()).update128(inside.to_bits(), outside.to_bits());
    /// assert_eq!(rewritten, checksum(&outside.octets()));
    /// ```
    #[inline]
    #[must_use]
    pub fn update128(self, was: u128, is: u128) -> Checksum {
        self.update_sum(sum128(was), sum128(is))
    }

    /// Returns the new checksum when the bytes at `offset`, even or odd, go from `was` to `is`. The
    /// offset counts from the first byte of the data. All-zero data are the exception of
    /// [`update16`](Checksum::update16).
    ///
    /// # Panics
    /// If `was` and `is` differ in length.
    ///
    /// ```
    /// # use wiresum::checksum;
    /// assert_eq!(checksum(b"a cat sat").update(3, b"at s", b"ow d"), checksum(b"a cow dat"));
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn update(self, offset: usize, was: &[u8], is: &[u8]) -> Checksum {
        assert_same_len("the bytes before and after an update", was.len(), is.len());
        self.update_sum(Sum::of(was).at(offset), Sum::of(is).at(offset))
    }

    /// Returns the checksum as UDP sends it: 0xFFFF for 0x0000, which means "not computed" in UDP
    /// (RFC 768).
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// assert_eq!(Checksum::from_value(0x0000).udp().value(), 0xffff);
    /// assert_eq!(Checksum::from_value(0x1c46).udp().value(), 0x1c46);
    /// ```
    #[inline]
    #[must_use]
    pub const fn udp(self) -> Checksum {
        if self.is_udp_absent() {
            Checksum(0xFFFF)
        } else {
            self
        }
    }

    /// Returns the new checksum of a UDP datagram, as [`update`](Checksum::update) and then
    /// [`udp`](Checksum::udp) do. A checksum of 0x0000, "not computed", stays 0x0000.
    ///
    /// # Panics
    /// If `was` and `is` differ in length.
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// let (absent, computed) = (Checksum::from_value(0x0000), Checksum::from_value(0xdd2f));
    /// assert_eq!(absent.update_udp(0, &[0x12, 0x34], &[0x56, 0x78]).value(), 0x0000);
    /// assert_eq!(computed.update_udp(0, &[0x55, 0x55], &[0x32, 0x85]).value(), 0xffff);
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn update_udp(self, offset: usize, was: &[u8], is: &[u8]) -> Checksum {
        let updated = self.update(offset, was, is);
        if self.is_udp_absent() {
            self
        } else {
            updated.udp()
        }
    }

    /// Returns whether the checksum means "not computed" in a UDP header: whether it is 0x0000. A
    /// receiver accepts that on IPv4 (RFC 768), and refuses it on IPv6 (RFC 8200 section 8.1)
    /// except in the tunnels of RFC 6935.
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// assert!(Checksum::from_wire([0, 0]).is_udp_absent());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_udp_absent(self) -> bool {
        self.0 == 0
    }

    /// Returns the new checksum after a part at an even offset, with the sum `was`, has given way
    /// to a part with the sum `is`, also at an even offset. The parts may differ in length: NAT64
    /// exchanges pseudo-headers in this way. All-zero data are the exception of
    /// [`update16`](Checksum::update16).
    ///
    /// ```
    /// use wiresum::{pseudo, tcp};
    ///
    /// let segment = [0xd4, 0x31, 1, 0xbb, 0, 0, 0, 1, 0, 0, 0, 2, 0x50, 0x10, 0, 1, 0, 0, 0, 0];
    /// let inside = pseudo::ipv6([0xfd; 16], [0x64; 16], 6, 20);
    /// let outside = pseudo::ipv4([192, 0, 2, 1], [198, 51, 100, 2], 6, 20);
    /// let translated = tcp::checksum(inside, &segment, &[]).update_sum(inside, outside);
    /// assert_eq!(translated, tcp::checksum(outside, &segment, &[]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn update_sum(self, was: Sum, is: Sum) -> Checksum {
        self.sum().minus(was).plus(is).checksum()
    }

    /// Returns the new checksum of a UDP datagram, as [`update_sum`](Checksum::update_sum) and then
    /// [`udp`](Checksum::udp) do. A checksum of 0x0000, "not computed", stays 0x0000: a translator
    /// to IPv6 computes it (RFC 7915 section 4.5).
    ///
    /// ```
    /// # use wiresum::{Checksum, Sum};
    /// let (was, is) = (Sum::ZERO, Sum::from_value(0x1c46));
    /// assert_eq!(Checksum::from_value(0x1c46).update_udp_sum(was, is).value(), 0xffff);
    /// assert_eq!(Checksum::from_value(0x0000).update_udp_sum(was, is).value(), 0x0000);
    /// ```
    #[inline]
    #[must_use]
    pub const fn update_udp_sum(self, was: Sum, is: Sum) -> Checksum {
        if self.is_udp_absent() {
            self
        } else {
            self.update_sum(was, is).udp()
        }
    }
}

/// Returns the sum of the four bytes of a number.
#[inline]
const fn sum32(value: u32) -> Sum {
    Sum::from_value((value >> 16) as u16).plus(Sum::from_value(value as u16))
}

impl Sum {
    /// Returns the checksum: the complement, to store in a field that was zero, or left out, in the
    /// data.
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
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checksum({self})")
    }
}

show_as_number!(Checksum);

/// Returns the sum of the 16 bytes of a number.
#[inline]
fn sum128(value: u128) -> Sum {
    let halves = partial::add((value >> 64) as u64, value as u64);
    Sum::from_value(partial::fold(halves))
}
