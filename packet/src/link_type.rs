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
    /// Token ring.
    pub const IEEE802_5: LinkType = LinkType(6);
    /// ARCnet, as BSD has it.
    pub const ARCNET_BSD: LinkType = LinkType(7);
    /// SLIP, behind a header that BSD's libpcap makes.
    pub const SLIP: LinkType = LinkType(8);
    /// PPP, in HDLC-like framing or without.
    pub const PPP: LinkType = LinkType(9);
    /// FDDI.
    pub const FDDI: LinkType = LinkType(10);
    /// Raw IP, as most systems' DLT_RAW got into files.
    pub const RAW_DLT: LinkType = LinkType(12);
    /// Raw IP, as OpenBSD's DLT_RAW got into files.
    pub const RAW_OPENBSD: LinkType = LinkType(14);
    /// PPP in HDLC-like framing, or Cisco HDLC.
    pub const PPP_HDLC: LinkType = LinkType(50);
    /// PPP over Ethernet, without the Ethernet header.
    pub const PPP_ETHER: LinkType = LinkType(51);
    /// ATM with RFC 2684 encapsulation.
    pub const ATM_RFC1483: LinkType = LinkType(100);
    /// Raw IP: an IPv4 or an IPv6 header.
    pub const RAW: LinkType = LinkType(101);
    /// Cisco HDLC.
    pub const C_HDLC: LinkType = LinkType(104);
    /// IEEE 802.11.
    pub const IEEE802_11: LinkType = LinkType(105);
    /// Linux's classical IP over ATM.
    pub const ATM_CLIP: LinkType = LinkType(106);
    /// Frame relay.
    pub const FRELAY: LinkType = LinkType(107);
    /// OpenBSD loopback: an address family in network byte order.
    pub const LOOP: LinkType = LinkType(108);
    /// OpenBSD's encapsulated IP.
    pub const ENC: LinkType = LinkType(109);
    /// Linux cooked capture, version 1.
    pub const LINUX_SLL: LinkType = LinkType(113);
    /// Packets that BSD's packet filter logged.
    pub const PFLOG: LinkType = LinkType(117);
    /// IEEE 802.11 behind a Prism header.
    pub const IEEE802_11_PRISM: LinkType = LinkType(119);
    /// IP over Fibre Channel.
    pub const IP_OVER_FC: LinkType = LinkType(122);
    /// ATM, as SunATM devices have it.
    pub const SUNATM: LinkType = LinkType(123);
    /// IEEE 802.11 behind a radiotap header.
    pub const IEEE802_11_RADIOTAP: LinkType = LinkType(127);
    /// ARCnet, as Linux has it.
    pub const ARCNET_LINUX: LinkType = LinkType(129);
    /// Apple's IP over FireWire.
    pub const APPLE_IP_OVER_IEEE1394: LinkType = LinkType(138);
    /// Free for all; PKTAP in files of old versions of macOS.
    pub const USER2: LinkType = LinkType(149);
    /// IEEE 802.11 behind an AVS header.
    pub const IEEE802_11_AVS: LinkType = LinkType(163);
    /// Ethernet behind Juniper's header.
    pub const JUNIPER_ETHER: LinkType = LinkType(178);
    /// Per-packet information, and behind it a link type that it names.
    pub const PPI: LinkType = LinkType(192);
    /// PPP behind a byte for the direction.
    pub const PPP_WITH_DIR: LinkType = LinkType(204);
    /// MPLS labels.
    pub const MPLS: LinkType = LinkType(219);
    /// Solaris's IP network devices.
    pub const IPNET: LinkType = LinkType(226);
    /// Raw IPv4.
    pub const IPV4: LinkType = LinkType(228);
    /// Raw IPv6.
    pub const IPV6: LinkType = LinkType(229);
    /// Linux's netfilter log.
    pub const NFLOG: LinkType = LinkType(239);
    /// IP over InfiniBand.
    pub const IPOIB: LinkType = LinkType(242);
    /// A header of macOS, and behind it a link type that it names.
    pub const PKTAP: LinkType = LinkType(258);
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
