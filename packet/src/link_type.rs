// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link-layer types, as <https://www.tcpdump.org/linktypes.html> numbers them.

use std::fmt;

/// The link type of a frame: the LINKTYPE_ value in its capture file or interface.
///
/// ```
/// use wiresum_packet::LinkType;
///
/// assert_eq!(LinkType::ETHERNET.to_string(), "Ethernet");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkType(pub u32);

impl LinkType {
    /// BSD loopback: an address family in the byte order of the capturing machine.
    pub const NULL: LinkType = LinkType(0);
    /// Ethernet.
    pub const ETHERNET: LinkType = LinkType(1);
    /// Token ring.
    pub const IEEE802_5: LinkType = LinkType(6);
    /// ARCnet with the header of BSD.
    pub const ARCNET_BSD: LinkType = LinkType(7);
    /// SLIP after a header that BSD's libpcap adds.
    pub const SLIP: LinkType = LinkType(8);
    /// PPP, in HDLC-like framing or without.
    pub const PPP: LinkType = LinkType(9);
    /// FDDI.
    pub const FDDI: LinkType = LinkType(10);
    /// Raw IP: the DLT_RAW of most systems, where a file holds it instead of LINKTYPE_RAW.
    pub const RAW_DLT: LinkType = LinkType(12);
    /// Raw IP: OpenBSD's DLT_RAW, where a file holds it instead of LINKTYPE_RAW.
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
    /// IEEE 802.11 after a Prism header.
    pub const IEEE802_11_PRISM: LinkType = LinkType(119);
    /// IP over Fibre Channel.
    pub const IP_OVER_FC: LinkType = LinkType(122);
    /// ATM with the header of SunATM devices.
    pub const SUNATM: LinkType = LinkType(123);
    /// IEEE 802.11 after a radiotap header.
    pub const IEEE802_11_RADIOTAP: LinkType = LinkType(127);
    /// ARCnet with the header of Linux.
    pub const ARCNET_LINUX: LinkType = LinkType(129);
    /// Apple's IP over FireWire.
    pub const APPLE_IP_OVER_IEEE1394: LinkType = LinkType(138);
    /// Reserved for private use. Old versions of macOS wrote PKTAP with this number.
    pub const USER2: LinkType = LinkType(149);
    /// IEEE 802.11 after an AVS header.
    pub const IEEE802_11_AVS: LinkType = LinkType(163);
    /// Ethernet after Juniper's header.
    pub const JUNIPER_ETHER: LinkType = LinkType(178);
    /// Per-packet information, which names the link type of the frame after it.
    pub const PPI: LinkType = LinkType(192);
    /// PPP after one byte for the direction.
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
    /// A header of macOS, which names the link type of the frame after it.
    pub const PKTAP: LinkType = LinkType(258);
    /// Linux cooked capture, version 2.
    pub const LINUX_SLL2: LinkType = LinkType(276);
    /// Ethernet with a tag of Broadcom switches after the addresses.
    pub const DSA_TAG_BRCM: LinkType = LinkType(281);
    /// Ethernet after a tag of Broadcom switches.
    pub const DSA_TAG_BRCM_PREPEND: LinkType = LinkType(282);
    /// Ethernet with a tag of Marvell switches after the addresses.
    pub const DSA_TAG_DSA: LinkType = LinkType(284);
    /// Ethernet with a tag of Marvell switches after the addresses, and an EtherType before it.
    pub const DSA_TAG_EDSA: LinkType = LinkType(285);

    /// Returns the link type of a pcap file header. The upper bits of `network` describe the frame
    /// check sequence.
    pub(crate) const fn from_pcap_header(network: u32) -> LinkType {
        LinkType(network & 0x03ff_ffff)
    }

    /// Marks a datalink type of snoop (RFC 1761 section 4) that has no LINKTYPE_ value, or none
    /// that this crate knows.
    const SNOOP: u32 = 1 << 31;

    /// Returns the link type of a snoop file header.
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
        if self.0 & LinkType::SNOOP != 0 {
            return write!(f, "snoop datalink type {}", self.0 ^ LinkType::SNOOP);
        }
        let find = |names: &[(u32, &'static str)]| {
            let at = names.binary_search_by_key(&self.0, |&(number, _)| number);
            at.map(|at| names[at].1).ok()
        };
        if let Some(name) = find(WALKED) {
            return f.write_str(name);
        }
        write!(f, "link type {}", self.0)?;
        match find(NAMES) {
            Some(name) => write!(f, " ({name})"),
            None => Ok(()),
        }
    }
}

/// The names of the link types that are walked, in words.
const WALKED: &[(u32, &str)] = &[
    (0, "BSD loopback"),
    (1, "Ethernet"),
    (6, "Token Ring"),
    (7, "ARCnet"),
    (8, "SLIP"),
    (9, "PPP"),
    (10, "FDDI"),
    (12, "raw IP"),
    (14, "raw IP"),
    (50, "PPP in HDLC-like framing"),
    (51, "PPPoE"),
    (100, "ATM (RFC 2684)"),
    (101, "raw IP"),
    (104, "Cisco HDLC"),
    (105, "IEEE 802.11"),
    (106, "classical IP over ATM"),
    (107, "frame relay"),
    (108, "OpenBSD loopback"),
    (109, "OpenBSD encapsulated IP"),
    (113, "Linux cooked v1"),
    (117, "pflog"),
    (119, "IEEE 802.11 with Prism header"),
    (122, "IP over Fibre Channel"),
    (123, "SunATM"),
    (127, "IEEE 802.11 with radiotap header"),
    (129, "ARCnet of Linux"),
    (138, "Apple IP over FireWire"),
    (163, "IEEE 802.11 with AVS header"),
    (178, "Juniper Ethernet"),
    (192, "PPI"),
    (204, "PPP with direction"),
    (219, "MPLS"),
    (226, "Solaris ipnet"),
    (228, "raw IPv4"),
    (229, "raw IPv6"),
    (239, "Linux netfilter log"),
    (242, "IP over InfiniBand"),
    (258, "PKTAP"),
    (276, "Linux cooked v2"),
];

/// The names of the link types that are not walked, so that a reader can look them up: the
/// LINKTYPE_ names of tcpdump.org's list, and libpcap's names for the numbers that it reserves for
/// others.
const NAMES: &[(u32, &str)] = &[
    (2, "EXP_ETHERNET"),
    (3, "AX25"),
    (4, "PRONET"),
    (5, "CHAOS"),
    (99, "SYMANTEC_FIREWALL"),
    (114, "LTALK"),
    (130, "JUNIPER_MLPPP"),
    (131, "JUNIPER_MLFR"),
    (132, "JUNIPER_ES"),
    (133, "JUNIPER_GGSN"),
    (134, "JUNIPER_MFR"),
    (135, "JUNIPER_ATM2"),
    (136, "JUNIPER_SERVICES"),
    (137, "JUNIPER_ATM1"),
    (139, "MTP2_WITH_PHDR"),
    (140, "MTP2"),
    (141, "MTP3"),
    (142, "SCCP"),
    (143, "DOCSIS"),
    (144, "LINUX_IRDA"),
    (147, "USER0"),
    (148, "USER1"),
    (149, "USER2"),
    (150, "USER3"),
    (151, "USER4"),
    (152, "USER5"),
    (153, "USER6"),
    (154, "USER7"),
    (155, "USER8"),
    (156, "USER9"),
    (157, "USER10"),
    (158, "USER11"),
    (159, "USER12"),
    (160, "USER13"),
    (161, "USER14"),
    (162, "USER15"),
    (164, "JUNIPER_MONITOR"),
    (165, "BACNET_MS_TP"),
    (166, "PPP_PPPD"),
    (167, "JUNIPER_PPPOE"),
    (168, "JUNIPER_PPPOE_ATM"),
    (169, "GPRS_LLC"),
    (170, "GPF_T"),
    (171, "GPF_F"),
    (174, "JUNIPER_PIC_PEER"),
    (175, "ERF_ETH"),
    (176, "ERF_POS"),
    (177, "LINUX_LAPD"),
    (179, "JUNIPER_PPP"),
    (180, "JUNIPER_FRELAY"),
    (181, "JUNIPER_CHDLC"),
    (182, "MFR"),
    (183, "JUNIPER_VP"),
    (184, "A429"),
    (185, "A653_ICM"),
    (186, "USB_FREEBSD"),
    (187, "BLUETOOTH_HCI_H4"),
    (188, "IEEE802_16_MAC_CPS"),
    (189, "USB_LINUX"),
    (190, "CAN20B"),
    (191, "IEEE802_15_4_LINUX"),
    (193, "IEEE802_16_MAC_CPS_RADIO"),
    (194, "JUNIPER_ISM"),
    (195, "IEEE802_15_4_WITHFCS"),
    (196, "SITA"),
    (197, "ERF"),
    (198, "RAIF1"),
    (199, "IPMB_KONTRON"),
    (200, "JUNIPER_ST"),
    (201, "BLUETOOTH_HCI_H4_WITH_PHDR"),
    (202, "AX25_KISS"),
    (203, "LAPD"),
    (205, "C_HDLC_WITH_DIR"),
    (206, "FRELAY_WITH_DIR"),
    (207, "LAPB_WITH_DIR"),
    (209, "IPMB_LINUX"),
    (210, "FLEXRAY"),
    (211, "MOST"),
    (212, "LIN"),
    (213, "X2E_SERIAL"),
    (214, "X2E_XORAYA"),
    (215, "IEEE802_15_4_NONASK_PHY"),
    (216, "LINUX_EVDEV"),
    (217, "GSMTAP_UM"),
    (218, "GSMTAP_ABIS"),
    (220, "USB_LINUX_MMAPPED"),
    (221, "DECT"),
    (222, "AOS"),
    (223, "WIHART"),
    (224, "FC_2"),
    (225, "FC_2_WITH_FRAME_DELIMS"),
    (227, "CAN_SOCKETCAN"),
    (230, "IEEE802_15_4_NOFCS"),
    (231, "DBUS"),
    (232, "JUNIPER_VS"),
    (233, "JUNIPER_SRX_E2E"),
    (234, "JUNIPER_FIBRECHANNEL"),
    (235, "DVB_CI"),
    (236, "MUX27010"),
    (237, "STANAG_5066_D_PDU"),
    (238, "JUNIPER_ATM_CEMIC"),
    (240, "NETANALYZER"),
    (241, "NETANALYZER_TRANSPARENT"),
    (243, "MPEG_2_TS"),
    (244, "NG40"),
    (245, "NFC_LLCP"),
    (246, "PFSYNC"),
    (247, "INFINIBAND"),
    (248, "SCTP"),
    (249, "USBPCAP"),
    (250, "RTAC_SERIAL"),
    (251, "BLUETOOTH_LE_LL"),
    (252, "WIRESHARK_UPPER_PDU"),
    (253, "NETLINK"),
    (254, "BLUETOOTH_LINUX_MONITOR"),
    (255, "BLUETOOTH_BREDR_BB"),
    (256, "BLUETOOTH_LE_LL_WITH_PHDR"),
    (257, "PROFIBUS_DL"),
    (259, "EPON"),
    (260, "IPMI_HPM_2"),
    (261, "ZWAVE_R1_R2"),
    (262, "ZWAVE_R3"),
    (263, "WATTSTOPPER_DLM"),
    (264, "ISO_14443"),
    (265, "RDS"),
    (266, "USB_DARWIN"),
    (267, "OPENFLOW"),
    (268, "SDLC"),
    (269, "TI_LLN_SNIFFER"),
    (270, "LORATAP"),
    (271, "VSOCK"),
    (272, "NORDIC_BLE"),
    (273, "DOCSIS31_XRA31"),
    (274, "ETHERNET_MPACKET"),
    (275, "DISPLAYPORT_AUX"),
    (277, "SERCOS_MONITOR"),
    (278, "OPENVIZSLA"),
    (279, "EBHSCR"),
    (280, "VPP_DISPATCH"),
    (283, "IEEE802_15_4_TAP"),
    (286, "ELEE"),
    (287, "Z_WAVE_SERIAL"),
    (288, "USB_2_0"),
    (289, "ATSC_ALP"),
    (290, "ETW"),
    (292, "ZBOSS_NCP"),
    (293, "USB_2_0_LOW_SPEED"),
    (294, "USB_2_0_FULL_SPEED"),
    (295, "USB_2_0_HIGH_SPEED"),
    (296, "AUERSWALD_LOG"),
    (297, "ZWAVE_TAP"),
    (298, "SILABS_DEBUG_CHANNEL"),
    (299, "FIRA_UCI"),
    (300, "MDB"),
    (301, "DECT_NR"),
];

#[cfg(test)]
mod tests {
    use super::{LinkType, NAMES, WALKED};

    #[test]
    fn names() {
        for names in [NAMES, WALKED] {
            assert!(names.is_sorted_by(|a, b| a.0 < b.0), "or a search misses");
        }
        assert_eq!(LinkType(147).to_string(), "link type 147 (USER0)");
        assert_eq!(LinkType(301).to_string(), "link type 301 (DECT_NR)");
        assert_eq!(LinkType::ETHERNET.to_string(), "Ethernet");
        assert_eq!(LinkType::LINUX_SLL2.to_string(), "Linux cooked v2");
        assert_eq!(LinkType(999).to_string(), "link type 999");
    }
}
