# SPDX-License-Identifier: MIT OR Apache-2.0
"""Link layers."""

from struct import pack

from cases.build import (
    ETH4,
    ETH6,
    ETHERNET,
    LOOP,
    MAC,
    NULL,
    RAW,
    SLL,
    SLL2,
    case,
    good4,
    good6,
    ip4,
    pseudo4,
    tcp,
)

snap = bytes.fromhex("aaaa03 000000 0800") + good4
cooked = "00000001000602000000000100 00"
case("VLAN", ETHERNET, MAC + bytes.fromhex("8100 0005 0800") + good4, "ipv4 good", "tcp good")
case("QinQ", ETHERNET, MAC + bytes.fromhex("88a8 0005 8100 0006 86dd") + good6, "tcp good")
case(
    "QinQ with the number used before 802.1ad",
    ETHERNET,
    MAC + bytes.fromhex("9100 0005 8100 0006 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case("IEEE 802.3 with SNAP", ETHERNET, MAC + pack(">H", len(snap)) + snap, "ipv4 good", "tcp good")
case(
    "IEEE 802.3 with SNAP and padding",
    ETHERNET,
    MAC + pack(">H", len(snap)) + snap + b"pad",
    "ipv4 good",
    "tcp good",
)
case("ARP: nothing to verify", ETHERNET, MAC + b"\x08\x06" + bytes(28))
case(
    "padding that is not zero",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4, b"")) + b"\xde\xad\xbe\xef\xde\xad",
    "ipv4 good",
    "tcp good",
)
case(
    "Linux cooked, version 1", SLL, bytes.fromhex(cooked + "0800") + good4, "ipv4 good", "tcp good"
)
case(
    "Linux cooked, version 1, with a VLAN tag",
    SLL,
    bytes.fromhex(cooked + "8100 0005 86dd") + good6,
    "tcp good",
)
case(
    "Linux cooked, version 1, of netlink: its protocol numbers are no EtherTypes",
    SLL,
    bytes.fromhex(cooked.replace("00000001", "00000338") + "0800") + good4,
)
case(
    "Linux cooked, version 1, of a GRE device",
    SLL,
    bytes.fromhex(cooked.replace("00000001", "0000030a") + "0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Linux cooked, version 1, of a GRE device that carries Ethernet",
    SLL,
    bytes.fromhex(cooked.replace("00000001", "0000030a") + "6558") + ETH6 + good6,
    "tcp good",
)
case(
    "Linux cooked, version 2",
    SLL2,
    bytes.fromhex("86dd 0000 00000001 0001 00 06 0200000000010000") + good6,
    "tcp good",
)
case("raw IPv4", RAW, good4, "ipv4 good", "tcp good")
case("raw IPv6", RAW, good6, "tcp good")
case(
    "raw IP of an unknown version",
    RAW,
    b"\x50" + good4[1:],
    "malformed: IP version that is neither 4 nor 6",
)
case("raw IPv4 with most systems' DLT_RAW", 12, good4, "ipv4 good", "tcp good")
case("raw IPv6 with OpenBSD's DLT_RAW", 14, good6, "tcp good")
case("link type IPv4", 228, good4, "ipv4 good", "tcp good")
case("link type IPv6", 229, good6, "tcp good")
case(
    "BSD loopback, little-endian", NULL, bytes.fromhex("02000000") + good4, "ipv4 good", "tcp good"
)
case("BSD loopback, big-endian", NULL, bytes.fromhex("00000002") + good4, "ipv4 good", "tcp good")
case("BSD loopback, IPv6 of NetBSD", NULL, bytes.fromhex("18000000") + good6, "tcp good")
case("BSD loopback, IPv6 of FreeBSD", NULL, bytes.fromhex("1c000000") + good6, "tcp good")
case("BSD loopback, IPv6 of macOS", NULL, bytes.fromhex("1e000000") + good6, "tcp good")
case(
    "BSD loopback with an EtherType, little-endian",
    NULL,
    bytes.fromhex("00080000") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "BSD loopback with an EtherType, big-endian",
    NULL,
    bytes.fromhex("000086dd") + good6,
    "tcp good",
)
case("OpenBSD loopback", LOOP, bytes.fromhex("00000018") + good6, "tcp good")
case("an unknown link type", 147, good4, "obstacle: link type 147 (USER0)")

case(
    "IEEE 802.2 with IP's own number",
    ETHERNET,
    MAC + pack(">H", 3 + len(good4)) + b"\6\6\3" + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "a redundancy tag",
    ETHERNET,
    MAC + bytes.fromhex("f1c1 0000 0001 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "E-Tag of a port extender",
    ETHERNET,
    MAC + bytes.fromhex("893f 2001 1002 00 00 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Cisco metadata",
    ETHERNET,
    MAC + bytes.fromhex("8909 01 01 0001 0007 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "timestamp of 64 bits from an Arista switch",
    ETHERNET,
    MAC + bytes.fromhex("d28b 0001 0010 5f000000 00000001 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "timestamp of 48 bits from an Arista switch",
    ETHERNET,
    MAC + bytes.fromhex("d28b 0001 0020 5f00 00000001 86dd") + good6,
    "tcp good",
)
case(
    "timestamp from an Arista switch, cut short",
    ETHERNET,
    MAC + bytes.fromhex("d28b 0001 0010 5f00 0000"),
    "malformed: Arista timestamp cut short",
)
case(
    "tag of a Broadcom switch after the addresses",
    281,
    MAC + bytes.fromhex("20000003 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "tag of a Broadcom switch before the frame",
    282,
    bytes.fromhex("20000003") + ETH6 + good6,
    "tcp good",
)
case(
    "tag of a Marvell switch after the addresses",
    284,
    MAC + bytes.fromhex("c0180001 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "tag of a Marvell switch after an EtherType",
    285,
    MAC + bytes.fromhex("dada 0000 c0180001 86dd") + good6,
    "tcp good",
)
case(
    "tag of a Marvell switch, SNAP after it",
    285,
    MAC + bytes.fromhex("dada 0000 c0180001") + pack(">H", len(snap)) + snap + b"pad",
    "ipv4 good",
    "tcp good",
)
case(
    "tag of a Marvell switch cut short",
    284,
    MAC + bytes(3),
    "malformed: Ethernet frame shorter than its header",
)
case(
    "a frame check sequence after the packet",
    ETHERNET,
    ETH6 + good6 + b"\x12\x34\x56\x78",
    "tcp good",
)
case(
    "a VLAN tag cut short",
    ETHERNET,
    MAC + bytes.fromhex("8100 0005 08"),
    "malformed: VLAN or other tag cut short",
)
ppp4, ppp6 = b"\xff\x03\0\x21" + good4, b"\xff\x03\0\x57" + good6
inner_ethernet = bytes.fromhex("fe0000000002 fe0000000001")
case(
    "PPPoE session",
    ETHERNET,
    MAC
    + bytes.fromhex("8864 11 00 0001")
    + pack(">H", 2 + len(good4))
    + b"\0\x21"
    + good4
    + b"pad",
    "ipv4 good",
    "tcp good",
)
case(
    "PPPoE session, IPv6",
    ETHERNET,
    MAC + bytes.fromhex("8864 11 00 0001") + pack(">H", 2 + len(good6)) + b"\0\x57" + good6,
    "tcp good",
)
case("PPPoE discovery: nothing to verify", ETHERNET, MAC + bytes.fromhex("8863 11 09 0000 0000"))
case(
    "PPPoE cut short",
    ETHERNET,
    MAC + bytes.fromhex("8864 11 00 0001"),
    "malformed: PPPoE packet shorter than its header",
)
case(
    "link type PPPoE",
    51,
    bytes.fromhex("11 00 0001") + pack(">H", 2 + len(good4)) + b"\0\x21" + good4,
    "ipv4 good",
    "tcp good",
)
case("PPP", 9, ppp4, "ipv4 good", "tcp good")
case("PPP, IPv6", 9, ppp6, "tcp good")
case("PPP without address and control", 9, ppp4[2:], "ipv4 good", "tcp good")
case("PPP with its protocol compressed", 9, ppp4[3:], "ipv4 good", "tcp good")
case("PPP without a protocol", 9, b"\xff\x03", "malformed: PPP frame without a protocol")
case("PPP in HDLC-like framing", 50, ppp4, "ipv4 good", "tcp good")
case(
    "Cisco HDLC with the link type of PPP",
    50,
    bytes.fromhex("0f00 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Cisco HDLC with the other link type of PPP",
    9,
    bytes.fromhex("8f00 86dd") + good6,
    "tcp good",
)
case("PPP after a byte for its direction", 204, b"\1" + ppp4, "ipv4 good", "tcp good")
case("PPP with MPLS", 9, bytes.fromhex("ff03 0281 000641ff") + good4, "ipv4 good", "tcp good")
case(
    "PPP that bridges Ethernet",
    9,
    bytes.fromhex("ff03 0031 00 01") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("Cisco HDLC", 104, bytes.fromhex("0f00 86dd") + good6, "tcp good")
case(
    "Cisco HDLC cut short",
    104,
    b"\x0f\0\x08",
    "malformed: Cisco HDLC frame shorter than its header",
)
case("MPLS", ETHERNET, MAC + bytes.fromhex("8847 000641ff") + good4, "ipv4 good", "tcp good")
case(
    "MPLS, a stack of labels, IPv6",
    ETHERNET,
    MAC + bytes.fromhex("8847 000640ff 000650ff 000021ff") + good6,
    "tcp good",
)
case(
    "MPLS pseudowire",
    ETHERNET,
    MAC + bytes.fromhex("8847 000651ff") + inner_ethernet + b"\x08\0" + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "MPLS pseudowire with a control word",
    ETHERNET,
    MAC + bytes.fromhex("8847 000651ff 00000000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "MPLS that carries something else",
    ETHERNET,
    MAC + bytes.fromhex("8847 000651ff") + b"\x10" + bytes(40),
    "obstacle: MPLS",
)
case(
    "MPLS label cut short",
    ETHERNET,
    MAC + bytes.fromhex("8847 000640ff 0006"),
    "malformed: MPLS label cut short",
)
case("link type MPLS", 219, bytes.fromhex("000641ff") + good4, "ipv4 good", "tcp good")
case(
    "MACsec that is not encrypted",
    ETHERNET,
    MAC + bytes.fromhex("88e5 2000 00000001 0200000000010001 0800") + good4 + bytes(16),
    "ipv4 good",
    "tcp good",
)
case(
    "MACsec without a channel identifier, with a short frame",
    ETHERNET,
    MAC
    + bytes.fromhex("88e5 00")
    + bytes([2 + len(good4)])
    + bytes.fromhex("00000001 0800")
    + good4
    + b"padpad"
    + bytes(16),
    "ipv4 good",
    "tcp good",
)
case(
    "MACsec with an integrity check value of 12 bytes",
    ETHERNET,
    MAC
    + bytes.fromhex("88e5 2000 00000001 0200000000010001 0800")
    + ip4(6, tcp(pseudo4, b"more than 48 bytes"))
    + bytes(12),
    "ipv4 good",
    "tcp good",
)
case(
    "MACsec that is encrypted",
    ETHERNET,
    MAC + bytes.fromhex("88e5 2c00 00000001 0200000000010001 0800") + good4 + bytes(16),
    "obstacle: encrypted MACsec",
)
case(
    "MACsec cut short",
    ETHERNET,
    MAC + bytes.fromhex("88e5 2000 00000001 02000000"),
    "malformed: MACsec frame shorter than its header",
)
case(
    "Cisco FabricPath, with its frame check sequence",
    ETHERNET,
    MAC + bytes.fromhex("8903 0044") + ETH4 + good4 + b"\1\2\3\4",
    "ipv4 good",
    "tcp good",
)
case(
    "TRILL",
    ETHERNET,
    MAC + bytes.fromhex("22f3 0040 0001 0002 00000000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "provider backbone bridge",
    ETHERNET,
    MAC + bytes.fromhex("88e7 00000001") + ETH6 + good6,
    "tcp good",
)
case(
    "network service header",
    ETHERNET,
    MAC + bytes.fromhex("894f 0fc2 02 01 00000102") + good4,
    "ipv4 good",
    "tcp good",
)
case("frame relay", 107, bytes.fromhex("1841 03 cc") + good4, "ipv4 good", "tcp good")
case("frame relay, IPv6", 107, bytes.fromhex("1841 03 8e") + good6, "tcp good")
case(
    "frame relay with SNAP",
    107,
    bytes.fromhex("1841 03 00 80 000000 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "frame relay that bridges Ethernet",
    107,
    bytes.fromhex("1841 03 00 80 0080c2 0007") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("frame relay of Cisco", 107, bytes.fromhex("1841 0800") + good4, "ipv4 good", "tcp good")
case(
    "frame relay with an address that does not end",
    107,
    bytes(8),
    "malformed: frame relay address longer than 4 bytes",
)
data_frame = "0801 2c00" + "020000000001020000000002020000000003" + "1000"
case("IEEE 802.11", 105, bytes.fromhex(data_frame) + snap, "ipv4 good", "tcp good")
case(
    "IEEE 802.11 with quality of service",
    105,
    bytes.fromhex(data_frame.replace("0801", "8802") + "0000") + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 between distribution systems: four addresses",
    105,
    bytes.fromhex(data_frame.replace("0801", "0803") + "020000000004") + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 that is encrypted",
    105,
    bytes.fromhex(data_frame.replace("0801", "0841")) + bytes(60),
    "obstacle: encrypted 802.11",
)
case(
    "IEEE 802.11 beacon: nothing to verify",
    105,
    bytes.fromhex(data_frame.replace("0801", "8000")) + bytes(60),
)
case(
    "IEEE 802.11 fragment",
    105,
    bytes.fromhex(data_frame.replace("1000", "1100")) + snap,
    "obstacle: fragment",
)
case(
    "IEEE 802.11 first fragment",
    105,
    bytes.fromhex(data_frame.replace("0801", "0805")) + snap[:-2],
    "ipv4 good",
    "tcp unverified (fragment)",
)
subframe = bytes.fromhex("020000000001 020000000002") + pack(">H", len(snap)) + snap
case(
    "IEEE 802.11 with two frames in one",
    105,
    bytes.fromhex(data_frame.replace("0801", "8801") + "8000")
    + subframe
    + bytes(-len(subframe) % 4)
    + subframe,
    "ipv4 good",
    "tcp good",
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 shorter than its header",
    105,
    bytes.fromhex(data_frame)[:23],
    "malformed: 802.11 frame shorter than its header",
)
case(
    "IEEE 802.11 after radiotap",
    127,
    bytes.fromhex("0000 0d00 04800200 0200 0000 00" + data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 after radiotap: time, flags, a padded header and a frame check sequence",
    127,
    bytes.fromhex(
        "0000 1100 03000000 0102030405060708 30" + data_frame.replace("0801", "8801") + "0000 0000"
    )
    + snap
    + b"\1\2\3\4",
    "ipv4 good",
    "tcp good",
)
case(
    "radiotap longer than its frame",
    127,
    bytes.fromhex("0000 2000 00000000") + bytes(8),
    "malformed: radiotap header longer than its frame",
)
case(
    "IEEE 802.11 after Prism",
    119,
    bytes.fromhex("44000000 90000000") + b"wlan0" + bytes(131) + bytes.fromhex(data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 after AVS",
    163,
    bytes.fromhex("80211001 00000040") + bytes(56) + bytes.fromhex(data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "AVS with the link type of Prism",
    119,
    bytes.fromhex("80211001 00000040") + bytes(56) + bytes.fromhex(data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "per-packet information",
    192,
    bytes.fromhex("00 00 0800 69000000" + data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "per-packet information before an unknown link type",
    192,
    bytes.fromhex("00 00 0800 93000000") + good4,
    "obstacle: link type 147 (USER0)",
)
case(
    "per-packet information longer than its frame",
    192,
    bytes.fromhex("00 00 0900 69000000"),
    "malformed: per-packet information shorter than its header",
)
case("FDDI", 10, b"\x50" + MAC + snap, "ipv4 good", "tcp good")
case("FDDI cut short", 10, b"\x50" + MAC[:11], "malformed: FDDI frame shorter than its header")
case("token ring", 6, b"\x10\x40" + MAC + snap, "ipv4 good", "tcp good")
case(
    "token ring with a source route",
    6,
    b"\x10\x40" + MAC[:6] + bytes.fromhex("820000000001 0630 0012 0020") + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "ARCnet of Linux", 129, bytes.fromhex("01 02 0000 d4 00 0001") + good4, "ipv4 good", "tcp good"
)
case(
    "ARCnet of Linux, RFC 1051",
    129,
    bytes.fromhex("01 02 0000 f0") + good4,
    "ipv4 good",
    "tcp good",
)
case("ARCnet of BSD", 7, bytes.fromhex("01 02 d4 00 0001") + good4, "ipv4 good", "tcp good")
case(
    "ARCnet fragment",
    129,
    bytes.fromhex("01 02 0000 d4 01 0001") + good4[:30],
    "obstacle: fragment",
)
case("ATM with SNAP", 100, snap, "ipv4 good", "tcp good")
case(
    "ATM with a network layer number",
    100,
    bytes.fromhex("fefe03 cc") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "ATM that bridges Ethernet",
    100,
    bytes.fromhex("aaaa03 0080c2 0007 0000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("classical IP over ATM", 106, good4, "ipv4 good", "tcp good")
case("classical IP over ATM with SNAP", 106, snap, "ipv4 good", "tcp good")
case("SunATM", 123, bytes.fromhex("02 00 0020") + snap, "ipv4 good", "tcp good")
case(
    "SunATM, LAN emulation",
    123,
    bytes.fromhex("01 00 0020 0001") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("SLIP", 8, b"\1\x45" + bytes(14) + good4, "ipv4 good", "tcp good")
case(
    "IP over Fibre Channel",
    122,
    bytes.fromhex("1000020000000001 1000020000000002") + snap,
    "ipv4 good",
    "tcp good",
)
case("IP over FireWire", 138, bytes(16) + b"\x08\0" + good4, "ipv4 good", "tcp good")
case(
    "IP over InfiniBand",
    242,
    bytes(40) + bytes.fromhex("0800 0000") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "IP over InfiniBand cut short", 242, bytes(39), "malformed: frame shorter than its link header"
)
case(
    "netfilter log",
    239,
    bytes.fromhex("02 00 0000 0800 0100 08000102 0600 0a00 61620000")
    + pack("<HH", 4 + len(good4), 9)
    + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "netfilter log, big-endian, IPv6",
    239,
    bytes.fromhex("0a 00 0000 0008 0001 86dd0102") + pack(">HH", 4 + len(good6), 9) + good6,
    "tcp good",
)
case(
    "netfilter log with an attribute of no length",
    239,
    bytes.fromhex("02 00 0000 0000 0900 00000000"),
    "malformed: netfilter log attribute longer than its frame",
)
case(
    "OpenBSD's encapsulation device",
    109,
    bytes.fromhex("02000000 00001234 00000000") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "packet filter log",
    117,
    bytes.fromhex("3d 02 00 00") + bytes(60) + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Solaris IP network",
    226,
    bytes.fromhex("01 02 0001 0000002a") + bytes(16) + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Solaris IP network, IPv6",
    226,
    bytes.fromhex("01 1a 0001 0000003e") + bytes(16) + good6,
    "tcp good",
)
pktap = bytes.fromhex("6c000000 01000000 01000000") + bytes(96)
case("PKTAP", 258, pktap + ETH4 + good4, "ipv4 good", "tcp good")
case("PKTAP with a link type for private use", 149, pktap + ETH4 + good4, "ipv4 good", "tcp good")
case(
    "a link type for private use, with something else",
    149,
    ETH4 + good4,
    "obstacle: link type 149 (USER2)",
)
case(
    "PKTAP within PKTAP",
    258,
    pktap[:8] + bytes.fromhex("02010000") + pktap[12:] + pktap + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Ethernet after Juniper's header",
    178,
    bytes.fromhex("4d4743 00") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Ethernet after Juniper's header and options",
    178,
    bytes.fromhex("4d4743 80 0003 010203") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
