// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pseudo-headers, headers and segments, with one module for each protocol.
//!
//! `checksum` and `header` return the checksum to store, whatever the field holds. They panic if
//! the slice is shorter than the header of the protocol. `ok` and `header_ok` return whether the
//! field is right; in a shorter header it is not.

/// The pseudo-header, which TCP, UDP and ICMPv6 sum before their own header (RFC 9293 section 3.1,
/// RFC 768, RFC 8200 section 8.1).
///
/// Its sum is also the seed of `CHECKSUM_PARTIAL`. Linux and virtio store it, not complemented (by
/// [`to_wire`](crate::Sum::to_wire)), in the checksum field. The device finishes the checksum: it
/// stores the [`checksum`](crate::checksum) of header and payload, seed included. Under
/// segmentation offload the length is not known yet, so the seed has a length of 0.
pub mod pseudo {
    use crate::sum::Sum;

    /// Returns the sum of the IPv4 pseudo-header. `protocol` is 6 for TCP and 17 for UDP. `len` is
    /// the length of header and payload. A length above 65,535, of a packet before segmentation,
    /// counts as two words, as in Linux's `csum_tcpudp_nofold`.
    ///
    /// A sum does not depend on order: to exchange source and destination changes no result.
    /// Protocol and length have different types, so that variables cannot be exchanged:
    ///
    /// ```compile_fail,E0308
    /// let (protocol, len): (u8, u32) = (17, 0x5f);
    /// let sum = wiresum::pseudo::ipv4([10, 0, 0, 1], [10, 0, 0, 2], len, protocol);
    /// ```
    ///
    /// ```
    /// use core::net::Ipv4Addr;
    /// use wiresum::{Sum, pseudo};
    ///
    /// let source = Ipv4Addr::new(192, 168, 0, 1);
    /// let destination = Ipv4Addr::new(192, 168, 0, 199);
    /// let sum = pseudo::ipv4(source.octets(), destination.octets(), 17, 0x5f);
    /// assert_eq!(sum, Sum::of(&[192, 168, 0, 1, 192, 168, 0, 199, 0, 17, 0, 0x5f]));
    /// ```
    #[inline]
    #[must_use]
    pub fn ipv4(source: [u8; 4], destination: [u8; 4], protocol: u8, len: u32) -> Sum {
        Sum::from_partial(words(&source) + words(&destination) + last(protocol, len))
    }

    /// Returns the sum of the IPv6 pseudo-header. `protocol` names the segment after all
    /// extension headers: TCP 6, UDP 17, ICMPv6 58. With a routing header, `destination` is the
    /// final one. `len` is the length of header and payload, of 32 bits for jumbograms (RFC 2675
    /// section 4).
    ///
    /// ```
    /// use core::net::Ipv6Addr;
    /// use wiresum::{Stream, pseudo};
    ///
    /// let (source, destination) = (Ipv6Addr::LOCALHOST.octets(), Ipv6Addr::UNSPECIFIED.octets());
    /// let sum = pseudo::ipv6(source, destination, 58, 0x12345);
    /// let bytes = [&source[..], &destination, &[0, 1, 0x23, 0x45], &[0, 0, 0, 58]];
    /// assert_eq!(sum, Stream::from_iter(bytes).sum());
    /// ```
    #[inline]
    #[must_use]
    pub fn ipv6(source: [u8; 16], destination: [u8; 16], protocol: u8, len: u32) -> Sum {
        Sum::from_partial(words(&source) + words(&destination) + last(protocol, len))
    }

    /// Returns the partial sum of an address. A call of C takes longer than these few additions.
    #[inline]
    fn words(address: &[u8]) -> u64 {
        let words = address.as_chunks::<4>().0.iter();
        words.map(|word| u64::from(u32::from_ne_bytes(*word))).sum()
    }

    /// Returns the partial sum of the length and the protocol, the last fields of both
    /// pseudo-headers.
    #[inline]
    fn last(protocol: u8, len: u32) -> u64 {
        let word = |word: u16| u64::from(word.to_be());
        word((len >> 16) as u16) + word(len as u16) + word(protocol.into())
    }
}

/// The IPv4 header (RFC 791 section 3.1).
pub mod ipv4 {
    use crate::checksum::Checksum;
    use crate::partial;
    use crate::sum::Sum;

    /// Returns the checksum of an IPv4 header with its options, whatever its field holds.
    ///
    /// # Panics
    /// If `header` is shorter than 20 bytes.
    ///
    /// ```
    /// use wiresum::ipv4;
    ///
    /// let mut header = [
    ///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xde, 0xad,
    ///     192, 168, 0, 1, 192, 168, 0, 199,
    /// ];
    /// let checksum = ipv4::header(&header);
    /// assert_eq!(checksum.value(), 0xb861);
    /// header[10..12].copy_from_slice(&checksum.to_wire());
    /// assert!(ipv4::header_ok(&header));
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn header(header: &[u8]) -> Checksum {
        let Some((fixed, options)) = header.split_first_chunk::<20>() else {
            panic!("an IPv4 header has 20 bytes at least, not {}", header.len());
        };
        Sum::from_partial(sum(fixed, options, false)).checksum()
    }

    /// Returns whether the checksum of an IPv4 header with its options is right. A header shorter
    /// than 20 bytes gives false.
    ///
    /// ```
    /// use wiresum::ipv4;
    ///
    /// let header = [
    ///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61,
    ///     192, 168, 0, 1, 192, 168, 0, 199,
    /// ];
    /// assert!(ipv4::header_ok(&header));
    /// assert!(!ipv4::header_ok(&header[..19]));
    /// ```
    #[inline]
    #[must_use]
    pub fn header_ok(header: &[u8]) -> bool {
        header
            .split_first_chunk::<20>()
            .is_some_and(|(fixed, options)| partial::folds_to_ones(sum(fixed, options, true)))
    }

    /// Returns the partial sum of a header of 20 bytes and its options, with or without the
    /// checksum field.
    #[inline]
    fn sum(fixed: &[u8; 20], options: &[u8], with_field: bool) -> u64 {
        const ALL_BUT_FIELD: u64 = u64::from_ne_bytes([0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
        let sum = partial::of_20(fixed, if with_field { u64::MAX } else { ALL_BUT_FIELD });
        if options.is_empty() {
            sum
        } else {
            partial::add(sum, Sum::of(options).0.into())
        }
    }
}

/// TCP (RFC 9293 section 3.1).
pub mod tcp {
    use super::segment::{self, Form};
    use crate::checksum::Checksum;
    use crate::sum::Sum;

    const FORM: Form = Form {
        protocol: "TCP",
        header: 20,
        field: 16,
    };

    /// Returns the checksum of a segment, whatever its field holds. `payload` follows `header` in
    /// the packet; `header` may include it, with an empty `payload`.
    ///
    /// # Panics
    /// If `header` is shorter than 20 bytes.
    ///
    /// ```
    /// use wiresum::{pseudo, tcp};
    ///
    /// let mut header = [
    ///     0x1f, 0x90, 0, 80, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 0x02, 0xff, 0xff, 0, 0, 0, 0,
    /// ];
    /// let payload = b"hello";
    /// let pseudo = pseudo::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 6, 25);
    /// let checksum = tcp::checksum(pseudo, &header, payload);
    /// header[16..18].copy_from_slice(&checksum.to_wire());
    /// assert!(tcp::ok(pseudo, &header, payload));
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn checksum(pseudo: Sum, header: &[u8], payload: &[u8]) -> Checksum {
        segment::checksum(&FORM, pseudo, header, payload)
    }

    /// Returns whether the checksum of a segment is right. A header shorter than 20 bytes gives
    /// false.
    #[inline]
    #[must_use]
    pub fn ok(pseudo: Sum, header: &[u8], payload: &[u8]) -> bool {
        segment::ok(&FORM, pseudo, header, payload)
    }
}

/// UDP (RFC 768), with its rule for zero: a computed 0x0000 is sent as 0xFFFF, and a received
/// 0x0000 means "not computed".
pub mod udp {
    use super::segment::{self, Form};
    use crate::checksum::Checksum;
    use crate::sum::Sum;

    const FORM: Form = Form {
        protocol: "UDP",
        header: 8,
        field: 6,
    };

    /// Returns the checksum of a datagram as UDP sends it, so never 0x0000, whatever its field
    /// holds. `payload` follows `header` in the packet; `header` may include it, with an empty
    /// `payload`.
    ///
    /// # Panics
    /// If `header` is shorter than 8 bytes.
    ///
    /// ```
    /// use wiresum::{pseudo, udp};
    ///
    /// let mut header = [0x14, 0xe9, 0, 53, 0, 11, 0, 0];
    /// let payload = b"dig";
    /// let pseudo = pseudo::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 17, 11);
    /// assert!(udp::is_absent(&header));
    /// let checksum = udp::checksum(pseudo, &header, payload);
    /// header[6..8].copy_from_slice(&checksum.to_wire());
    /// assert!(udp::ok(pseudo, &header, payload));
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn checksum(pseudo: Sum, header: &[u8], payload: &[u8]) -> Checksum {
        segment::checksum(&FORM, pseudo, header, payload).udp()
    }

    /// Returns whether the checksum of a datagram is right. A field of 0x0000 gives false;
    /// [`is_absent`] distinguishes it from a wrong one. A header shorter than 8 bytes gives false.
    #[inline]
    #[must_use]
    pub fn ok(pseudo: Sum, header: &[u8], payload: &[u8]) -> bool {
        !is_absent(header) && segment::ok(&FORM, pseudo, header, payload)
    }

    /// Returns whether the field of a header is 0x0000, "not computed". A receiver accepts that on
    /// IPv4 (RFC 768), and refuses it on IPv6 (RFC 8200 section 8.1) except in the tunnels of RFC
    /// 6935. A header shorter than 8 bytes gives false.
    ///
    /// ```
    /// use wiresum::udp;
    ///
    /// assert!(udp::is_absent(&[0x14, 0xe9, 0, 53, 0, 8, 0, 0]));
    /// assert!(!udp::is_absent(&[0x14, 0xe9, 0, 53, 0, 8, 0xff, 0xff]));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_absent(header: &[u8]) -> bool {
        header.get(6..8) == Some(&[0, 0])
    }
}

/// UDP-Lite (RFC 3828), whose checksum covers the first bytes of a datagram alone.
///
/// The header has 8 bytes. In place of the length it has the coverage: the number of bytes, header
/// included, that the checksum covers. The pseudo-header has protocol 136, and the length of the
/// whole datagram. A field of 0x0000 is never sent.
pub mod udplite {
    use crate::checksum::Checksum;
    use crate::sum::Sum;
    use crate::udp;

    /// Returns the number of bytes that the checksum of a datagram covers: the coverage, or all if
    /// the coverage is 0. Returns `None` if the coverage is illegal, 1 to 7 or more than the
    /// datagram has, or if the header is not whole.
    ///
    /// ```
    /// use wiresum::udplite::coverage;
    ///
    /// assert_eq!(coverage(&[0xd4, 0x31, 0, 53, 0, 8, 0, 0, b'?']), Some(8));
    /// assert_eq!(coverage(&[0xd4, 0x31, 0, 53, 0, 0, 0, 0, b'?']), Some(9));
    /// assert_eq!(coverage(&[0xd4, 0x31, 0, 53, 0, 7, 0, 0, b'?']), None);
    /// assert_eq!(coverage(&[0xd4, 0x31, 0, 53, 0, 10, 0, 0, b'?']), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn coverage(datagram: &[u8]) -> Option<usize> {
        let [_, _, _, _, high, low, _, _] = *datagram.first_chunk()?;
        match usize::from(u16::from_be_bytes([high, low])) {
            0 => Some(datagram.len()),
            coverage => (8..=datagram.len()).contains(&coverage).then_some(coverage),
        }
    }

    /// Returns the checksum of a datagram as UDP-Lite sends it, so never 0x0000, whatever its field
    /// holds. Returns `None` if the [`coverage`] is illegal.
    ///
    /// ```
    /// use wiresum::{pseudo, udplite};
    ///
    /// let mut datagram = [0xd4, 0x31, 0, 53, 0, 8, 0, 0, b'?'];
    /// let pseudo = pseudo::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 136, 9);
    /// let checksum = udplite::checksum(pseudo, &datagram).expect("a coverage of 8 is legal");
    /// datagram[6..8].copy_from_slice(&checksum.to_wire());
    /// datagram[8] = b'!'; // which is not covered
    /// assert!(udplite::ok(pseudo, &datagram));
    /// ```
    #[inline]
    #[must_use]
    pub fn checksum(pseudo: Sum, datagram: &[u8]) -> Option<Checksum> {
        let covered = &datagram[..coverage(datagram)?];
        Some(udp::checksum(pseudo, covered, &[]))
    }

    /// Returns whether the checksum of a datagram is right. An illegal [`coverage`] and a field of
    /// 0x0000 give false.
    #[inline]
    #[must_use]
    pub fn ok(pseudo: Sum, datagram: &[u8]) -> bool {
        coverage(datagram).is_some_and(|covers| udp::ok(pseudo, &datagram[..covers], &[]))
    }
}

/// ICMP (RFC 792), which has no pseudo-header.
pub mod icmp {
    use super::segment::{self, Form};
    use crate::checksum::Checksum;
    use crate::sum::Sum;

    const FORM: Form = Form {
        protocol: "ICMP",
        header: 4,
        field: 2,
    };

    /// Returns the checksum of a message, whatever its field holds. `payload` follows `header` in
    /// the packet; `header` may include it, with an empty `payload`.
    ///
    /// # Panics
    /// If `header` is shorter than 4 bytes.
    ///
    /// ```
    /// use wiresum::icmp;
    ///
    /// let mut header = [8, 0, 0, 0, 0, 1, 0, 1];
    /// let checksum = icmp::checksum(&header, b"ping");
    /// header[2..4].copy_from_slice(&checksum.to_wire());
    /// assert!(icmp::ok(&header, b"ping"));
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn checksum(header: &[u8], payload: &[u8]) -> Checksum {
        segment::checksum(&FORM, Sum::ZERO, header, payload)
    }

    /// Returns whether the checksum of a message is right. A header shorter than 4 bytes gives
    /// false.
    #[inline]
    #[must_use]
    pub fn ok(header: &[u8], payload: &[u8]) -> bool {
        segment::ok(&FORM, Sum::ZERO, header, payload)
    }
}

/// ICMPv6 (RFC 4443 section 2.3), which has a pseudo-header with protocol 58.
pub mod icmpv6 {
    use super::segment::{self, Form};
    use crate::checksum::Checksum;
    use crate::sum::Sum;

    const FORM: Form = Form {
        protocol: "ICMPv6",
        header: 4,
        field: 2,
    };

    /// Returns the checksum of a message, whatever its field holds. `payload` follows `header` in
    /// the packet; `header` may include it, with an empty `payload`.
    ///
    /// # Panics
    /// If `header` is shorter than 4 bytes.
    ///
    /// ```
    /// use core::net::Ipv6Addr;
    /// use wiresum::{icmpv6, pseudo};
    ///
    /// let mut header = [128, 0, 0, 0, 0, 1, 0, 1];
    /// let address = Ipv6Addr::LOCALHOST.octets();
    /// let pseudo = pseudo::ipv6(address, address, 58, 12);
    /// let checksum = icmpv6::checksum(pseudo, &header, b"ping");
    /// header[2..4].copy_from_slice(&checksum.to_wire());
    /// assert!(icmpv6::ok(pseudo, &header, b"ping"));
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn checksum(pseudo: Sum, header: &[u8], payload: &[u8]) -> Checksum {
        segment::checksum(&FORM, pseudo, header, payload)
    }

    /// Returns whether the checksum of a message is right. A header shorter than 4 bytes gives
    /// false.
    #[inline]
    #[must_use]
    pub fn ok(pseudo: Sum, header: &[u8], payload: &[u8]) -> bool {
        segment::ok(&FORM, pseudo, header, payload)
    }
}

/// What the protocols share: a checksum over pseudo-header, header and payload.
mod segment {
    use crate::checksum::Checksum;
    use crate::sum::Sum;

    /// The form of a protocol's header.
    pub(super) struct Form {
        pub(super) protocol: &'static str,
        /// The least length in bytes.
        pub(super) header: usize,
        /// The offset of the checksum, which is even.
        pub(super) field: usize,
    }

    /// Returns the checksum with zero for its field. Panics if the header is too short.
    #[inline]
    #[track_caller]
    pub(super) fn checksum(form: &Form, pseudo: Sum, header: &[u8], payload: &[u8]) -> Checksum {
        assert!(
            header.len() >= form.header,
            "a header of {} has {} bytes at least, not {}",
            form.protocol,
            form.header,
            header.len()
        );
        let field = Sum::from_wire([header[form.field], header[form.field + 1]]);
        let rest = sum(pseudo, header, payload) - field;
        if rest.is_ok() {
            // Subtraction cannot tell all-zero data from a multiple of 0xFFFF. The sum of the bytes
            // before the field and of the bytes after it can.
            let (before, behind) = (&header[..form.field], &header[form.field + 2..]);
            return (Sum::of(before) + sum(pseudo, behind, payload)).checksum();
        }
        rest.checksum()
    }

    /// Returns whether the field is right. In a header that is too short it is not.
    #[inline]
    pub(super) fn ok(form: &Form, pseudo: Sum, header: &[u8], payload: &[u8]) -> bool {
        header.len() >= form.header && sum(pseudo, header, payload).is_ok()
    }

    /// Returns the sum of pseudo-header, header and payload as found, the field included.
    #[inline]
    fn sum(pseudo: Sum, header: &[u8], payload: &[u8]) -> Sum {
        let head = pseudo + Sum::of(header);
        if payload.is_empty() {
            head
        } else {
            head.append(header.len(), Sum::of(payload))
        }
    }
}
