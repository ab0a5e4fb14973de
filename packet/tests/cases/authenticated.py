# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checksums that a digest covers, and reserved bits, which a receiver ignores."""

from struct import pack

from cases.build import (
    B6,
    ETH4,
    ETH6,
    ETHERNET,
    MAC,
    OFFLOAD,
    case,
    good4,
    good6,
    gre,
    ip4,
    ip6,
    pseudo4,
    pseudo6,
    stored,
    tcp,
)
from cases.ip import at_home, from_home
from cases.links import ppp4
from cases.tunnels import inner4, udp_tunnel

# A digest or a signature covers the checksum of these, so that a repair would spoil it.
case(
    "IPv4 authentication header around a tunnel",
    ETHERNET,
    ETH4 + ip4(51, b"\4\4" + bytes(22) + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "EIGRP with authentication (RFC 7868 section 6.7.2)",
    ETHERNET,
    ETH4
    + ip4(
        88,
        stored(
            "eigrp",
            bytes.fromhex("0205 0000 00000000 00000000 00000000 00000064")
            + bytes.fromhex("0002 0028 0002 0010 00000001 00000000 0000000000000000")
            + bytes(range(16))
            + bytes.fromhex("0001000c010001000000000f"),
            2,
        ),
    ),
    "ipv4 good",
    "eigrp good",
)
case(
    "ICMPv6 neighbor advertisement with an RSA signature (RFC 3971 section 5.2)",
    ETHERNET,
    ETH6
    + ip6(
        58,
        stored(
            "icmpv6",
            bytes([136, 0, 0, 0, 0x60, 0, 0, 0])
            + B6
            + bytes([2, 1, 2, 0, 0, 0, 0, 1])
            + bytes([12, 4, 0, 0])
            + bytes(range(28)),
            2,
            None,
            pseudo6,
            58,
            64,
        ),
    ),
    "icmpv6 good",
)
udp_tunnel(
    "AYIYA, signed with a shared secret",
    5072,
    "4152 11 29 00000000" + "00" * 16 + "11" * 20,
    good6,
    "tcp good",
    zero6=False,
)
# The digests of these take the checksum as 0, so that a repair does not change them.
case(
    "TCP with an authentication option (RFC 5925 section 5.1)",
    ETHERNET,
    ETH4
    + ip4(
        6,
        stored(
            "tcp",
            pack(">HHIIBBHHH", 1000, 80, 1, 2, 0x90, 0x18, 1024, 0, 0)
            + bytes([29, 16, 1, 1])
            + bytes(range(12)),
            16,
            None,
            pseudo4,
            6,
            36,
        ),
    ),
    "ipv4 good",
    "tcp good",
)
case(
    "TCP with an MD5 signature (RFC 2385 section 2.0)",
    ETHERNET,
    ETH4
    + ip4(
        6,
        stored(
            "tcp",
            pack(">HHIIBBHHH", 1000, 179, 1, 2, 0xA0, 0x18, 1024, 0, 0)
            + bytes([1, 1, 19, 18])
            + bytes(range(16)),
            16,
            None,
            pseudo4,
            6,
            40,
        ),
    ),
    "ipv4 good",
    "tcp good",
)
case(
    "RSVP with an INTEGRITY object (RFC 2747 section 3)",
    ETHERNET,
    ETH4
    + ip4(
        46,
        stored(
            "rsvp",
            bytes.fromhex("1001 0000 ff 00 002c 0024 0401 00 00 000000000001")
            + bytes.fromhex("0000000000000007")
            + bytes(range(16)),
            2,
        ),
    ),
    "ipv4 good",
    "rsvp good",
)
case(
    "HIP with a keyed hash (RFC 7401 section 5.2.12)",
    ETHERNET,
    ETH4
    + ip4(
        139,
        stored(
            "hip",
            bytes([59, 7, 3, 0x21, 0, 0, 0, 0])
            + bytes(range(32))
            + bytes.fromhex("f041 0014")
            + bytes(range(20)),
            4,
            None,
            pseudo4,
            139,
            64,
        ),
    ),
    "ipv4 good",
    "hip good",
)
case(
    "a binding update with authorization data (RFC 6275 section 6.2.7)",
    ETHERNET,
    ETH6
    + ip6(
        60,
        at_home(135)
        + stored(
            "mobility",
            bytes([59, 3, 5, 0, 0, 0])
            + bytes.fromhex("0001 8000 003c 0101 00 00 050c")
            + bytes(range(12))
            + bytes(2),
            4,
            None,
            from_home,
            135,
            32,
        ),
    ),
    "mobility good",
)

# A receiver ignores them: RFC 7348 section 5, draft-ietf-nvo3-vxlan-gpe section 3, RFC 8926 section
# 3.4, RFC 2784 section 2.3, 3GPP TS 29.281 section 5.1, RFC 2661 section 3.1, RFC 9300 section 5.3,
# RFC 8300 section 2.2, RFC 6325 section 3.3, RFC 4302 section 2.3, RFC 8200 section 4.5.
inner_bad = "ipv4 good", "tcp bad (offload), found 0x8420, expected 0xbb22"
offloaded4 = ip4(6, tcp(pseudo4, checksum=OFFLOAD))
udp_tunnel("VXLAN, all reserved bits set", 4789, "ffffffff 000007ff", ETH4 + good4, *inner4)
udp_tunnel(
    "VXLAN, all reserved bits set, a bad checksum within",
    4789,
    "ffffffff 000007ff",
    ETH4 + offloaded4,
    *inner_bad,
)
udp_tunnel("VXLAN with a group policy", 4789, "88000064 00000700", ETH4 + good4, *inner4)
udp_tunnel("VXLAN-GPE, all reserved bits set", 4790, "cc ffff 01 000007ff", good4, *inner4)
udp_tunnel("Geneve, all reserved bits set", 6081, "003f 0800 000007ff", good4, *inner4)
udp_tunnel("GTP-U, the spare bit set", 2152, f"38 ff {len(good4):04x} 00000007", good4, *inner4)
udp_tunnel("L2TP, all reserved bits set", 1701, "34f2 0001 0002", ppp4, *inner4, zero6=False)
udp_tunnel("LISP, the reserved bit set", 4341, "84000001 00000000", good4, *inner4)
udp_tunnel("GRE over UDP, bits 6 to 12 set", 4754, "03f8 0800", good4, *inner4)
case(
    "GRE with all reserved bits set, and Reserved1",
    ETHERNET,
    ETH4
    + ip4(
        47,
        stored("gre", bytes.fromhex("83f8 0800 0000 ffff") + good4, 4),
    ),
    "ipv4 good",
    "gre good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
    single=False,
)
case(
    "NSH, all unassigned bits set",
    ETHERNET,
    MAC + bytes.fromhex("894f 1fc2 f101 00000102") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "TRILL, the reserved bits set",
    ETHERNET,
    MAC + bytes.fromhex("22f3 3040 0001 0002 00000000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "the reserved bit of IPv4, and the reserved bits of an authentication header",
    ETHERNET,
    ETH4 + ip4(51, b"\6\4\xff\xff" + bytes(20) + tcp(pseudo4), fragment=0x8000),
    "ipv4 good",
    "tcp good",
)
case(
    "the reserved bits of an IPv6 Fragment header",
    ETHERNET,
    ETH6 + ip6(44, bytes([6, 0xFF, 0, 6]) + bytes(4) + tcp(pseudo6)),
    "tcp good",
)
# Versions are no reserved bits: a receiver discards what it does not know.
case(
    "GRE of version 2",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, good4, 2)),
    "ipv4 good",
    "obstacle: GRE",
)
case(
    "TRILL of version 1",
    ETHERNET,
    MAC + bytes.fromhex("22f3 4040 0001 0002 00000000") + ETH4 + good4,
    "obstacle: TRILL",
)
case(
    "NSH of version 1",
    ETHERNET,
    MAC + bytes.fromhex("894f 4fc2 0101 00000102") + good4,
    "obstacle: NSH",
)
