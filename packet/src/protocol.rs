// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocols whose checksums are judged: one table, one row for each.

use std::fmt;

/// Makes the enum, [`Protocol::ALL`] and [`Protocol::key`] from the rows of the table.
macro_rules! protocols {
    ($($(#[$about:meta])* $protocol:ident = $key:literal,)*) => {
        /// A protocol that carries a checksum. Its [`key`](Protocol::key) is its name in every
        /// output.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Protocol {
            $($(#[$about])* $protocol,)*
        }

        impl Protocol {
            /// All protocols, in the order of every output.
            pub const ALL: [Protocol; [$($key),*].len()] = [$(Protocol::$protocol),*];

            /// Returns the protocol's name in every output: its usual name in small letters, such
            /// as `ipv4`. The name never changes.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self {
                    $(Protocol::$protocol => $key,)*
                }
            }
        }
    };
}

protocols! {
    /// IPv4 (RFC 791): the header with its options, without the payload.
    Ipv4 = "ipv4",
    /// TCP (RFC 9293), with a pseudo-header.
    Tcp = "tcp",
    /// UDP (RFC 768), with a pseudo-header. 0x0000 means "not computed".
    Udp = "udp",
    /// ICMP (RFC 792), without a pseudo-header.
    Icmp = "icmp",
    /// ICMPv6 (RFC 4443), with a pseudo-header.
    Icmpv6 = "icmpv6",
    /// UDP-Lite (RFC 3828): as many bytes as its checksum coverage field says, with a
    /// pseudo-header. 0x0000 is illegal.
    UdpLite = "udplite",
    /// DCCP (RFC 4340): the header and as much data as its checksum coverage field says, with a
    /// pseudo-header.
    Dccp = "dccp",
    /// SCTP (RFC 9260): a CRC32c of four bytes, without a pseudo-header.
    Sctp = "sctp",
    /// IGMP (RFC 3376), without a pseudo-header.
    Igmp = "igmp",
    /// PIM (RFC 7761): only the first 8 bytes of a Register. Over IPv6 it has a pseudo-header.
    Pim = "pim",
    /// OSPF: version 2 (RFC 2328) without its authentication field, version 3 (RFC 5340) with a
    /// pseudo-header.
    Ospf = "ospf",
    /// VRRP: version 2 (RFC 3768) without a pseudo-header, version 3 (RFC 9568) with one. CARP has
    /// the protocol number of VRRP and the checksum of version 2.
    Vrrp = "vrrp",
    /// EIGRP (RFC 7868), without a pseudo-header.
    Eigrp = "eigrp",
    /// RSVP (RFC 2205), without a pseudo-header. 0x0000 means "not computed".
    Rsvp = "rsvp",
    /// GRE (RFC 2784): header and payload, where the checksum bit is set.
    Gre = "gre",
    /// The mobility header of IPv6 (RFC 6275), with a pseudo-header.
    Mobility = "mobility",
    /// The Host Identity Protocol (RFC 7401), with a pseudo-header.
    Hip = "hip",
    /// Shim6 (RFC 5533): its own header, without a pseudo-header.
    Shim6 = "shim6",
    /// PGM (RFC 3208), without a pseudo-header. 0x0000 means "not computed".
    Pgm = "pgm",
    /// The Cisco Discovery Protocol, in frames of the link layer. It has a rule of its own for a
    /// last byte alone.
    Cdp = "cdp",
    /// The extension structure of ICMP and ICMPv6 errors (RFC 4884), without a pseudo-header.
    /// 0x0000 means "not computed".
    IcmpExtension = "icmpext",
    /// NHRP (RFC 2332): as many bytes as its packet size field says.
    Nhrp = "nhrp",
    /// IS-IS (ISO 10589): a link state PDU from its identifier on, by Fletcher's checksum. 0x0000
    /// means "not computed".
    IsIs = "isis",
    /// ES-IS (ISO 9542), by Fletcher's checksum. 0x0000 means "not computed".
    EsIs = "esis",
    /// The header of CLNP (ISO 8473), by Fletcher's checksum. 0x0000 means "not computed".
    Clnp = "clnp",
}

impl Protocol {
    /// Returns whether systems leave this checksum to the network card and say so in the flags of
    /// a captured packet.
    pub(crate) const fn is_offloaded(self) -> bool {
        matches!(self, Protocol::Tcp | Protocol::Udp | Protocol::Sctp)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}
