// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link-layer types, as <https://www.tcpdump.org/linktypes.html> numbers them.

use std::fmt;

/// What a frame begins with: the LINKTYPE_ value of its capture file or interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkType(pub u32);

impl LinkType {
    /// BSD loopback: an address family in the byte order of the machine that captured.
    pub const NULL: LinkType = LinkType(0);
    /// Ethernet.
    pub const ETHERNET: LinkType = LinkType(1);
    /// Raw IP, as most systems' DLT_RAW got into files.
    pub const RAW_DLT: LinkType = LinkType(12);
    /// Raw IP, as OpenBSD's DLT_RAW got into files.
    pub const RAW_OPENBSD: LinkType = LinkType(14);
    /// Raw IP: an IPv4 or an IPv6 header.
    pub const RAW: LinkType = LinkType(101);
    /// OpenBSD loopback: an address family in network byte order.
    pub const LOOP: LinkType = LinkType(108);
    /// Linux cooked capture, version 1.
    pub const LINUX_SLL: LinkType = LinkType(113);
    /// Raw IPv4.
    pub const IPV4: LinkType = LinkType(228);
    /// Raw IPv6.
    pub const IPV6: LinkType = LinkType(229);
    /// Linux cooked capture, version 2.
    pub const LINUX_SLL2: LinkType = LinkType(276);

    /// The link type of a pcap file header, whose upper bits tell of the length of a frame check sequence.
    pub(crate) const fn from_pcap_header(network: u32) -> LinkType {
        LinkType(network & 0x03ff_ffff)
    }

    /// What stands for a datalink type of snoop (RFC 1761 section 4) that has no LINKTYPE_ value, or none known here.
    const SNOOP: u32 = 1 << 31;

    /// The link type of a snoop file header.
    pub(crate) const fn from_snoop(datalink: u32) -> LinkType {
        match datalink {
            0 | 4 => LinkType::ETHERNET, // IEEE 802.3, Ethernet
            2 => LinkType(6),            // IEEE 802.5
            8 => LinkType(10),           // FDDI
            _ => LinkType(LinkType::SNOOP | datalink),
        }
    }
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 & LinkType::SNOOP {
            0 => write!(f, "link type {}", self.0),
            _ => write!(f, "snoop datalink type {}", self.0 ^ LinkType::SNOOP),
        }
    }
}
