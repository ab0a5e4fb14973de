// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocols whose checksums are judged.

use std::fmt;

/// A protocol that carries a checksum. Its [`key`](Protocol::key) is its name in every output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Protocol {
    /// The IPv4 header (RFC 791): its options, but not what follows.
    Ipv4,
    /// TCP (RFC 9293), with a pseudo-header.
    Tcp,
    /// UDP (RFC 768), with a pseudo-header; 0x0000 says "not computed".
    Udp,
    /// ICMP (RFC 792), without a pseudo-header.
    Icmp,
    /// ICMPv6 (RFC 4443), with a pseudo-header.
    Icmpv6,
    /// UDP-Lite (RFC 3828): as much as its checksum coverage says, with a pseudo-header; 0x0000 is illegal.
    UdpLite,
    /// DCCP (RFC 4340): the header and as much of the data as its checksum coverage says, with a pseudo-header.
    Dccp,
    /// SCTP (RFC 9260): a CRC32c of four bytes, without a pseudo-header.
    Sctp,
    /// IGMP (RFC 3376), without a pseudo-header.
    Igmp,
    /// PIM (RFC 7761): of a Register only the first 8 bytes; over IPv6 with a pseudo-header.
    Pim,
    /// OSPF, version 2 (RFC 2328) but for its authentication field, version 3 (RFC 5340) with a pseudo-header.
    Ospf,
    /// VRRP, version 2 (RFC 3768) and 3 (RFC 9568), the latter with a pseudo-header; and CARP, which has its number and its sum.
    Vrrp,
    /// EIGRP (RFC 7868), without a pseudo-header.
    Eigrp,
    /// RSVP (RFC 2205), without a pseudo-header; 0x0000 says "not computed".
    Rsvp,
    /// GRE (RFC 2784), where its checksum bit is set: header and payload.
    Gre,
    /// The mobility header of IPv6 (RFC 6275), with a pseudo-header.
    Mobility,
    /// The host identity protocol (RFC 7401), with a pseudo-header.
    Hip,
    /// Shim6 (RFC 5533): its own header, without a pseudo-header.
    Shim6,
    /// PGM (RFC 3208), without a pseudo-header; 0x0000 says "not computed".
    Pgm,
}

impl Protocol {
    /// All of them, in the order of every output.
    pub const ALL: [Protocol; 19] = [
        Protocol::Ipv4,
        Protocol::Tcp,
        Protocol::Udp,
        Protocol::Icmp,
        Protocol::Icmpv6,
        Protocol::UdpLite,
        Protocol::Dccp,
        Protocol::Sctp,
        Protocol::Igmp,
        Protocol::Pim,
        Protocol::Ospf,
        Protocol::Vrrp,
        Protocol::Eigrp,
        Protocol::Rsvp,
        Protocol::Gre,
        Protocol::Mobility,
        Protocol::Hip,
        Protocol::Shim6,
        Protocol::Pgm,
    ];

    /// Returns its name in every output: `ipv4`, `tcp`, `udp` …, its usual one in small letters. It never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Protocol::Ipv4 => "ipv4",
            Protocol::Tcp => "tcp",
            Protocol::Udp => "udp",
            Protocol::Icmp => "icmp",
            Protocol::Icmpv6 => "icmpv6",
            Protocol::UdpLite => "udplite",
            Protocol::Dccp => "dccp",
            Protocol::Sctp => "sctp",
            Protocol::Igmp => "igmp",
            Protocol::Pim => "pim",
            Protocol::Ospf => "ospf",
            Protocol::Vrrp => "vrrp",
            Protocol::Eigrp => "eigrp",
            Protocol::Rsvp => "rsvp",
            Protocol::Gre => "gre",
            Protocol::Mobility => "mobility",
            Protocol::Hip => "hip",
            Protocol::Shim6 => "shim6",
            Protocol::Pgm => "pgm",
        }
    }

    /// Whether its checksum is one that systems leave to the network card, and say so in the flags of a packet.
    pub(crate) const fn is_offloaded(self) -> bool {
        matches!(self, Protocol::Tcp | Protocol::Udp | Protocol::Sctp)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}
