# SPDX-License-Identifier: MIT OR Apache-2.0
"""Packets in packets."""

from struct import pack

from cases.build import (
    A4,
    C4,
    ETH4,
    ETH6,
    ETHERNET,
    OFFLOAD,
    WITHOUT_LENGTH,
    case,
    good4,
    good6,
    gre,
    icmp,
    ip4,
    ip6,
    nhrp,
    pseudo4,
    pseudo6,
    stored,
    tcp,
    udp,
)
from cases.links import data_frame, ppp4, ppp6, snap

case(
    "IPv4 in IPv4",
    ETHERNET,
    ETH4 + ip4(4, good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "IPv6 in IPv4",
    ETHERNET,
    ETH4 + ip4(41, ip6(17, udp(pseudo6, checksum=OFFLOAD))),
    "ipv4 good",
    "layer 2 udp bad (offload), found 0x5b93, expected 0x90d1",
)
case(
    "IPv4 in IPv6",
    ETHERNET,
    ETH6 + ip6(4, ip4(1, icmp())),
    "layer 2 ipv4 good",
    "layer 2 icmp good",
)
case(
    "IPv4 in a first fragment of IPv4, as a whole",
    ETHERNET,
    ETH4 + ip4(4, good4, fragment=0x2000),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "IPv4 in a first fragment of IPv4, in part",
    ETHERNET,
    ETH4 + ip4(4, good4[:-1], fragment=0x2000),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp unverified (fragment)",
)
case(
    "IPv4 in a first fragment of IPv4, the TCP header in part",
    ETHERNET,
    ETH4 + ip4(4, good4[:-8], fragment=0x2000),
    "ipv4 good",
    "layer 2 ipv4 good",
    "obstacle: fragment",
    single=False,
)


def tunnel4(port, header, payload, checksum=0):
    """Returns UDP over IPv4 without a checksum. Each tunnel has a source port of its own."""
    source = 40000 + port
    data = header + payload
    return ETH4 + ip4(
        17,
        stored(
            "udp",
            pack(">HHHH", source, port, 8 + len(data), 0) + data,
            6,
            checksum,
            pseudo4,
            17,
            8 + len(data),
        ),
    )


def tunnel6(port, header, payload, checksum=0):
    """Returns UDP over IPv6 without a checksum, which only tunnels may send."""
    data = header + payload
    return ETH6 + ip6(
        17,
        stored(
            "udp",
            pack(">HHHH", 40000 + port, port, 8 + len(data), 0) + data,
            6,
            checksum,
            pseudo6,
            17,
            8 + len(data),
        ),
    )


def udp_tunnel(about, port, header, payload, *inner, zero6=True):
    inner = [f"layer 2 {verdict}" for verdict in inner]
    header = bytes.fromhex(header)
    case(
        about,
        ETHERNET,
        tunnel4(port, header, payload),
        "ipv4 good",
        "udp absent, found 0x0000",
        *inner,
    )
    if zero6:
        case(
            f"{about}, over IPv6 without a checksum",
            ETHERNET,
            tunnel6(port, header, payload),
            "udp absent, found 0x0000",
            *inner,
        )


inner4 = "ipv4 good", "tcp good"
case(
    "GRE",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case("GRE over IPv6", ETHERNET, ETH6 + ip6(47, gre(0x86DD, good6)), "layer 2 tcp good")
case(
    "GRE with a checksum",
    ETHERNET,
    ETH4 + ip4(47, gre(0x88B5, b"any payload", 0x8000)),
    "ipv4 good",
    "gre good",
    "obstacle: EtherType 0x88b5",
)
case(
    "GRE with a key and a sequence number",
    ETHERNET,
    ETH4 + ip4(47, gre(0x86DD, good6, 0x3000, b"\0\0\0\7\0\0\0\1")),
    "ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE with a source route",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, good4, 0x4000, bytes(4) + b"\x08\0\0\4" + C4 + bytes(4))),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE cut short",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, b"", 0x3000, bytes(7))),
    "ipv4 good",
    "malformed: GRE header cut short",
)
case(
    "GRE that carries Ethernet (NVGRE)",
    ETHERNET,
    ETH4 + ip4(47, gre(0x6558, ETH4 + good4, 0x2000, b"\0\0\7\0")),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE that carries MPLS",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8847, bytes.fromhex("000641ff") + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE with Cisco metadata, which begins with the protocol type",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8909, bytes.fromhex("0800 01 01 0001 0007") + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE with Cisco metadata around NHRP",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8909, bytes.fromhex("2001 01 01 0001 0007") + nhrp())),
    "ipv4 good",
    "nhrp good",
)
case(
    "GRE with Cisco metadata cut short",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8909, bytes.fromhex("0800 01 01 0001"))),
    "ipv4 good",
    "malformed: Cisco metadata cut short",
)
case(
    "GRE of a web cache redirection",
    ETHERNET,
    ETH4 + ip4(47, gre(0x883E, bytes(4) + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "PPTP: GRE version 1 with PPP",
    ETHERNET,
    ETH4 + ip4(47, pack(">HHHHII", 0x3081, 0x880B, len(ppp4), 7, 1, 0) + ppp4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type I",
    ETHERNET,
    ETH4 + ip4(47, gre(0x88BE, ETH4 + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type II",
    ETHERNET,
    ETH4
    + ip4(47, gre(0x88BE, bytes.fromhex("1001 0001 00000001") + ETH4 + good4, 0x1000, bytes(4))),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III",
    ETHERNET,
    ETH4
    + ip4(
        47,
        gre(0x22EB, bytes.fromhex("2001 0001 00000001 0000 0000") + ETH4 + good4, 0x1000, bytes(4)),
    ),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III with its subheader",
    ETHERNET,
    ETH4
    + ip4(
        47,
        gre(
            0x22EB,
            bytes.fromhex("2001 0001 00000001 0000 0001") + bytes(8) + ETH4 + good4,
            0x1000,
            bytes(4),
        ),
    ),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III that carries IP",
    ETHERNET,
    ETH4
    + ip4(47, gre(0x22EB, bytes.fromhex("2001 0001 00000001 0000 0800") + good4, 0x1000, bytes(4))),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III that carries something else",
    ETHERNET,
    ETH4
    + ip4(47, gre(0x22EB, bytes.fromhex("2001 0001 00000001 0000 0400") + good4, 0x1000, bytes(4))),
    "ipv4 good",
    "obstacle: ERSPAN",
)
case(
    "GRE of an Aruba access point, which carries 802.11",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8200, bytes.fromhex(data_frame) + snap)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE of MikroTik, which carries Ethernet",
    ETHERNET,
    ETH4 + ip4(47, bytes.fromhex("2001 6400") + pack("<HH", len(ETH4 + good4), 7) + ETH4 + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "Ethernet in IPv6",
    ETHERNET,
    ETH6 + ip6(143, ETH4 + good4),
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
for about, before in (
    ("", ""),
    (" and a cookie of 4 bytes", "01020304"),
    (" and a cookie of 8 bytes", "0102030405060708"),
    (", a cookie of 8 bytes and a sublayer", "0102030405060708 40000001"),
):
    case(
        f"L2TP version 3 with a session{about}",
        ETHERNET,
        ETH4 + ip4(115, bytes.fromhex("00000007" + before) + ETH4 + good4),
        "ipv4 good",
        "layer 2 ipv4 good",
        "layer 2 tcp good",
    )
case(
    "L2TP version 3 that carries PPP",
    ETHERNET,
    ETH4 + ip4(115, bytes.fromhex("00000007") + ppp6),
    "ipv4 good",
    "layer 2 tcp good",
)
case(
    "L2TP version 3 that carries Cisco HDLC",
    ETHERNET,
    ETH4 + ip4(115, bytes.fromhex("00000007 0f00 0800") + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "L2TP version 3, a control message",
    ETHERNET,
    ETH4 + ip4(115, bytes.fromhex("00000000 c803 000c 00000001 0000 0000")),
    "ipv4 good",
)
case(
    "L2TP version 3 shorter than its session number",
    ETHERNET,
    ETH4 + ip4(115, bytes(3)),
    "ipv4 good",
    "malformed: L2TP packet shorter than its session number",
)
case(
    "EtherIP",
    ETHERNET,
    ETH4 + ip4(97, b"\x30\0" + ETH4 + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "MPLS in IPv4",
    ETHERNET,
    ETH4 + ip4(137, bytes.fromhex("000641ff") + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
udp_tunnel("VXLAN", 4789, "08000000 00000700", ETH4 + good4, *inner4)
udp_tunnel("VXLAN with Linux's first port", 8472, "08000000 00000700", ETH6 + good6, "tcp good")
udp_tunnel("VXLAN-GPE", 4790, "0c000001 00000700", good4, *inner4)
udp_tunnel("VXLAN-GPE that carries Ethernet", 4790, "0c000003 00000700", ETH4 + good4, *inner4)
udp_tunnel(
    "VXLAN-GPE that carries a network service header",
    4790,
    "0c000004 00000700 0fc20201 00000102",
    good4,
    *inner4,
)
udp_tunnel("Geneve", 6081, "0100 6558 00000700 0102 80 00", ETH4 + good4, *inner4)
finished4 = tunnel4(4789, bytes.fromhex("08000000 00000700"), ETH4 + good4, None)
case(
    "VXLAN with a checksum",
    ETHERNET,
    finished4,
    "ipv4 good",
    "udp good",
    *(f"layer 2 {verdict}" for verdict in inner4),
    single=False,
)
case(
    "VXLAN with a checksum, one inner bit flipped",
    ETHERNET,
    finished4[:-1] + b"h",
    "ipv4 good",
    "udp bad (one-bit), found 0x22cd, expected 0x22ce",
    "layer 2 ipv4 good",
    "layer 2 tcp bad (one-bit), found 0xbb22, expected 0xbb23",
)
# The inner checksum is 0x8420 instead of 0xbb22. That is 0x3702 less, so the outer checksum, a
# complement, is 0x3702 more.
case(
    "VXLAN with a checksum, the inner one left to the network card",
    ETHERNET,
    finished4[: -len(good4)] + ip4(6, tcp(pseudo4, checksum=OFFLOAD)),
    "ipv4 good",
    "udp bad (offload within), found 0x22cd, expected 0x59cf",
    "layer 2 ipv4 good",
    "layer 2 tcp bad (offload), found 0x8420, expected 0xbb22",
)
finished6 = tunnel6(6081, bytes.fromhex("0000 86dd 00000700"), good6, None)
case(
    "Geneve with a checksum, the inner segments left to the network card",
    ETHERNET,
    finished6[: -len(good6)] + ip6(6, tcp(pseudo6, checksum=WITHOUT_LENGTH)),
    "udp bad (offload within), found 0xe402, expected 0x6c39",
    "layer 2 tcp bad (offload without length), found 0x5b7b, expected 0xe3b1",
)
udp_tunnel("Geneve that carries IPv6", 6081, "0000 86dd 00000700", good6, "tcp good")
udp_tunnel("GTP-U", 2152, f"30 ff {len(good4):04x} 00000007", good4, *inner4)
udp_tunnel(
    "GTP-U with a sequence number and an extension header",
    2152,
    f"36 ff {len(good6) + 8:04x} 00000007 0001 00 85 01 0009 00",
    good6,
    "tcp good",
)
udp_tunnel("GTP-U echo", 2152, "32 01 0004 00000000 0001 00 00", b"")
udp_tunnel("LISP", 4341, "80000001 00000000", good4, *inner4)
udp_tunnel("MPLS over UDP", 6635, "000641ff", good4, *inner4)
udp_tunnel("GRE over UDP", 4754, "0000 0800", good4, *inner4)
udp_tunnel("Teredo", 3544, "", good6, "tcp good", zero6=False)
udp_tunnel(
    "Teredo with authentication and origin",
    3544,
    "0001 0102 61 6262 0102030405060708 00 0000 1234 3f3f3f3f",
    good6,
    "tcp good",
    zero6=False,
)
udp_tunnel("L2TP", 1701, "0002 0001 0002", ppp4, *inner4, zero6=False)
udp_tunnel(
    "L2TP with length, sequence numbers and an offset",
    1701,
    f"4a02 {16 + len(ppp6):04x} 0001 0002 0001 0000 0002 ffff",
    ppp6,
    "tcp good",
    zero6=False,
)
udp_tunnel(
    "L2TP version 3 over UDP", 1701, "0003 0000 00000007", ETH4 + good4, *inner4, zero6=False
)
udp_tunnel(
    "GTP version 0",
    3386,
    f"1e ff {len(good4):04x} 0001 0002 ff ffffff 0000000000000007",
    good4,
    *inner4,
    zero6=False,
)
udp_tunnel("LISP encapsulated control message", 4342, "80000000", good4, *inner4, zero6=False)
station = bytes.fromhex(data_frame)
udp_tunnel(
    "CAPWAP that carries 802.11", 5247, "00 100300 0000 0000", station + snap, *inner4, zero6=False
)
udp_tunnel(
    "CAPWAP that carries 802.11 with the bytes of its control fields swapped",
    5247,
    "00 100300 0000 0000",
    station[1::-1] + station[2:22] + b"\x12\x30" + snap,
    *inner4,
    zero6=False,
)
case(
    "CAPWAP that carries a fragment of 802.11 with the bytes of its control fields swapped",
    ETHERNET,
    tunnel4(
        5247,
        bytes.fromhex("00 100300 0000 0000"),
        station[1::-1] + station[2:22] + b"\x12\x31" + snap,
    ),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: fragment",
)
udp_tunnel(
    "CAPWAP that carries Ethernet, with the address of a radio",
    5247,
    "00 200210 0000 0000 06 020000000003 00",
    ETH6 + good6,
    "tcp good",
    zero6=False,
)
udp_tunnel("CAPWAP keep-alive", 5247, "00 100208 0000 0000", bytes(8), zero6=False)
case(
    "CAPWAP fragment",
    ETHERNET,
    tunnel4(5247, bytes.fromhex("00 100380 0001 0000"), station + snap),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: fragment",
)


def sampled(link, packet, wire=None, kind=1):
    """Returns a flow sample of sFlow with a raw packet. `wire` is the packet's length."""
    wire = len(packet) if wire is None else wire
    record = pack(">IIII", link, wire, 0, len(packet)) + packet + bytes(-len(packet) % 4)
    head = bytes(28) if kind == 1 else bytes(40)
    sample = head + pack(">III", 1, 1, len(record)) + record
    return pack(">II", kind, len(sample)) + sample


sflow = bytes.fromhex("00000005 00000001") + A4 + pack(">III", 0, 1, 1000)
counters = pack(">II", 2, 12) + bytes(12)
case(
    "sFlow with the first bytes of a packet, counters and a whole packet",
    ETHERNET,
    tunnel4(
        6343,
        sflow + pack(">I", 3),
        sampled(1, (ETH4 + good4)[:54], 60) + counters + sampled(12, good6, kind=3),
    ),
    "ipv4 good",
    "udp absent, found 0x0000",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp unverified (quote)",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "sFlow with a sample longer than its datagram",
    ETHERNET,
    tunnel4(6343, sflow + pack(">I", 1), sampled(1, ETH4 + good4)[:-4]),
    "ipv4 good",
    "udp absent, found 0x0000",
)


def openflow(port, *messages, behind=b"", client=40000):
    """Returns a TCP segment with messages. Each message is a version, a kind and a body.

    tshark does not dissect data that a segment of the same connection had before.
    """
    data = b"".join(
        pack(">BBHI", version, kind, 8 + len(body), 7) + body for version, kind, body in messages
    )
    data += behind
    segment = pack(">HHIIBBHHH", client, port, 1, 2, 0x50, 0x18, 1024, 0, 0) + data
    return stored("tcp", segment, 16, None, pseudo4, 6, len(segment))


hello = (1, 0, b"")
packet_in = bytes.fromhex("ffffffff 0038 0001 00 00") + ETH4 + good4
case(
    "OpenFlow 1.0: a switch sends a packet to its controller",
    ETHERNET,
    ETH4 + ip4(6, openflow(6633, hello, (1, 10, packet_in))),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp good",
    single=False,
)
packet_in = bytes.fromhex(
    "ffffffff 004c 00 00 0000000000000001 0001 000c 80000004 00000001 00000000"
)
case(
    "OpenFlow 1.3: a switch sends a packet to its controller",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (4, 10, packet_in + bytes(2) + ETH6 + good6))),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted tcp good",
    single=False,
)
packet_out = bytes.fromhex("ffffffff ffff 0008 0000 0008 0001 0000") + ETH4 + good4
case(
    "OpenFlow 1.0: a controller sends a packet through a switch",
    ETHERNET,
    ETH4 + ip4(6, openflow(6633, (1, 13, packet_out), client=40001)),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "OpenFlow 1.0: a controller sends a packet that the switch has in a buffer",
    ETHERNET,
    ETH4 + ip4(6, openflow(6633, (1, 13, bytes(4) + packet_out[4:]), client=40002)),
    "ipv4 good",
    "tcp good",
)
action = bytes.fromhex("0000 0010 00000001 0000 000000000000")
packet_out = bytes.fromhex("ffffffff fffffffd 0010 000000000000") + action
case(
    "OpenFlow 1.3: a controller sends a packet through a switch",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (4, 13, packet_out + ETH6 + good6), client=40003)),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted tcp good",
    single=False,
)
packet_out = bytes.fromhex("ffffffff 0010 0000 0001 000c 80000004 00000001 00000000") + action
case(
    "OpenFlow 1.5: a controller sends a packet through a switch",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (6, 13, packet_out + ETH6 + good6), client=40004)),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "a port of OpenFlow with something else",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (4, 10, packet_in + bytes(2) + ETH6 + good6), behind=b"x")),
    "ipv4 good",
    "tcp good",
)
udp_tunnel("L2TP control message", 1701, "c802 000c 0001 0000 0000 0000", b"", zero6=False)
udp_tunnel(
    "AYIYA", 5072, "4152 01 29 00000000" + "00" * 16 + "11" * 20, good6, "tcp good", zero6=False
)
for about, port, header in (
    ("VXLAN", 4789, "f7ffffff 00000700"),
    ("VXLAN-GPE", 4790, "1c000001 00000700"),
    ("Geneve", 6081, "4000 0800 00000700"),
    ("GTP-U", 2152, "20ff 002a 00000007"),
    ("Teredo", 3544, "ff"),
    ("L2TP", 1701, "0004 0001 0002"),
    ("AYIYA", 5072, "4152 02 29"),
    ("GTP version 0", 3386, "1e ff 0029 0001 0002 ff ffffff 0000000000000007"),
    ("LISP control", 4342, "88000000"),
    ("CAPWAP", 5247, "01 100300 0000 0000"),
    ("sFlow", 6343, "00000004 00000001"),
):
    case(
        f"a port of {about} with another header",
        ETHERNET,
        tunnel4(port, bytes.fromhex(header), good4),
        "ipv4 good",
        "udp absent, found 0x0000",
        f"obstacle: {about}",
    )
due = tunnel6(4789, bytes(8), ETH4 + good4, None)[60:62]
case(
    "a port of VXLAN with another header, over IPv6 without a checksum",
    ETHERNET,
    tunnel6(4789, bytes(8), ETH4 + good4),
    f"udp illegal, found 0x0000, expected 0x{due.hex()}",
    "obstacle: VXLAN",
)
case(
    "VXLAN in VXLAN",
    ETHERNET,
    tunnel4(
        4789,
        bytes.fromhex("08000000 00000700"),
        tunnel4(4789, bytes.fromhex("08000000 00000700"), ETH4 + good4),
    ),
    "ipv4 good",
    "udp absent, found 0x0000",
    "layer 2 ipv4 good",
    "layer 2 udp absent, found 0x0000",
    "layer 3 ipv4 good",
    "layer 3 tcp good",
)
vxlan = tunnel4(4789, bytes.fromhex("08000000 00000700"), ETH4 + good4)
case(
    "snapped before the header of VXLAN",
    ETHERNET,
    vxlan[:44],
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: snapped",
    wire=len(vxlan),
)
case(
    "snapped after the header of VXLAN",
    ETHERNET,
    vxlan[:50],
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: snapped",
    wire=len(vxlan),
)
