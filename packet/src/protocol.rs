// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocols whose checksums are judged.

use std::fmt;

/// A protocol that carries an Internet checksum. Its [`key`](Protocol::key) is its name in every output.
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
}

impl Protocol {
    /// All of them, in the order of every output.
    pub const ALL: [Protocol; 5] = [
        Protocol::Ipv4,
        Protocol::Tcp,
        Protocol::Udp,
        Protocol::Icmp,
        Protocol::Icmpv6,
    ];

    /// Returns its name in every output: `ipv4`, `tcp`, `udp`, `icmp`, `icmpv6`. It never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Protocol::Ipv4 => "ipv4",
            Protocol::Tcp => "tcp",
            Protocol::Udp => "udp",
            Protocol::Icmp => "icmp",
            Protocol::Icmpv6 => "icmpv6",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}
