// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checksum, what a packet's field holds, and its incremental update (RFC 1624).

use core::fmt;

use crate::{Sum, ffi};

/// A checksum: what a packet's field holds, the complement of a [`Sum`].
///
/// A number goes in and out by [`value`](Checksum::value) and [`from_value`](Checksum::from_value), bytes of a packet by
/// [`to_wire`](Checksum::to_wire) and [`from_wire`](Checksum::from_wire); no byte order is left to guess.
///
/// ```
/// use wiresum::Checksum;
///
/// let mut header = [
///     0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x00, 0x00, 192, 168, 0, 1, 192, 168, 0, 199,
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
    /// Returns the checksum's two bytes in the order of the wire, to store in the field.
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

    /// Returns the checksum that the two bytes of a field are.
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

    /// Returns the checksum as the number that protocol documents print: its two bytes on the wire read as big-endian.
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

    /// Returns the sum that this is the complement of.
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

    /// Returns the new checksum when a 16-bit word at an even offset goes from `was` to `is`, both numbers as read
    /// big-endian on the wire (a port, an identification).
    ///
    /// As all updates it is RFC 1624 equation 3: equal to a checksum computed afresh, save that data that becomes all zero
    /// gets 0x0000, not 0xFFFF (RFC 1624 section 3; it cannot happen where a pseudo-header or a version is summed in).
    /// For UDP use [`update_udp`](Checksum::update_udp).
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// // RFC 1624 section 4, where the equation of RFC 1141 gives 0xffff
    /// assert_eq!(Checksum::from_value(0xdd2f).update16(0x5555, 0x3285), Checksum::from_value(0x0000));
    /// ```
    #[inline]
    #[must_use]
    pub const fn update16(self, was: u16, is: u16) -> Checksum {
        self.replace(Sum::from_value(was), Sum::from_value(is))
    }

    /// Returns the new checksum when 32 bits at an even offset go from `was` to `is`, both numbers as read big-endian on the
    /// wire (an IPv4 address by `to_bits`, a sequence number). Zero as [`update16`](Checksum::update16).
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
        self.replace(sum32(was), sum32(is))
    }

    /// Returns the new checksum when 128 bits at an even offset go from `was` to `is`, both numbers as read big-endian on the
    /// wire (an IPv6 address by `to_bits`). Zero as [`update16`](Checksum::update16).
    ///
    /// ```
    /// # use wiresum::checksum;
    /// use core::net::Ipv6Addr;
    ///
    /// let (inside, outside) = (Ipv6Addr::LOCALHOST, Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 7));
    /// let rewritten = checksum(&inside.octets()).update128(inside.to_bits(), outside.to_bits());
    /// assert_eq!(rewritten, checksum(&outside.octets()));
    /// ```
    #[inline]
    #[must_use]
    pub fn update128(self, was: u128, is: u128) -> Checksum {
        Checksum(ffi::update128(
            self.0,
            &was.to_be_bytes(),
            &is.to_be_bytes(),
        ))
    }

    /// Returns the new checksum when the bytes at `offset`, odd or even, go from `was` to `is`. The offset counts from where
    /// the sum begins. Zero as [`update16`](Checksum::update16).
    ///
    /// # Panics
    /// If `was` and `is` are not of one length.
    ///
    /// ```
    /// # use wiresum::checksum;
    /// assert_eq!(checksum(b"a cat sat").update(3, b"at s", b"ow d"), checksum(b"a cow dat"));
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn update(self, offset: usize, was: &[u8], is: &[u8]) -> Checksum {
        Checksum(ffi::update(self.0, offset, was, is))
    }

    /// Returns the checksum as UDP sends it: 0xFFFF for 0x0000, which says "not computed" there (RFC 768).
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

    /// Returns the new checksum of a UDP datagram, as [`update`](Checksum::update) and [`udp`](Checksum::udp); 0x0000 ("not
    /// computed") stays as it is.
    ///
    /// # Panics
    /// If `was` and `is` are not of one length.
    ///
    /// ```
    /// # use wiresum::Checksum;
    /// assert_eq!(Checksum::from_value(0x0000).update_udp(0, &[0x12, 0x34], &[0x56, 0x78]).value(), 0x0000);
    /// assert_eq!(Checksum::from_value(0xdd2f).update_udp(0, &[0x55, 0x55], &[0x32, 0x85]).value(), 0xffff);
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn update_udp(self, offset: usize, was: &[u8], is: &[u8]) -> Checksum {
        Checksum(ffi::udp_update(self.0, offset, was, is))
    }

    /// Returns whether this says "not computed" in a UDP header: whether it is 0x0000. Accepted on IPv4 (RFC 768), refused on
    /// IPv6 (RFC 8200 section 8.1) but in the tunnels of RFC 6935.
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

    /// RFC 1624 equation 3, for parts whose sums are `was` and `is`.
    #[inline]
    const fn replace(self, was: Sum, is: Sum) -> Checksum {
        self.sum().minus(was).plus(is).checksum()
    }
}

/// The sum of a number's four bytes.
#[inline]
const fn sum32(value: u32) -> Sum {
    Sum::from_value((value >> 16) as u16).plus(Sum::from_value(value as u16))
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checksum({self})")
    }
}

crate::show_as_number!(Checksum);
