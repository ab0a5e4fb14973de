# SPDX-License-Identifier: MIT OR Apache-2.0
"""What stops the walk, and frames that were cut."""

from struct import pack

from cases.build import ETH4, ETH6, ETHERNET, MAC, case, dccp, ip4, ip6, pseudo4, tcp, udp, whole
from cases.tunnels import tunnel4

# What stops the walk is counted. ARP and its like have no Internet checksum, and stop nothing.
case(
    "an EtherType that no standard names",
    ETHERNET,
    MAC + b"\x88\xb5data",
    "obstacle: EtherType 0x88b5",
)
case("ARP: nothing to verify", ETHERNET, MAC + b"\x08\x06" + bytes(28))
case("LLDP: nothing to verify", ETHERNET, MAC + b"\x88\xcc" + bytes(28))
case(
    "ESP over IPv4 (RFC 4303)",
    ETHERNET,
    ETH4 + ip4(50, pack(">II", 0x1000, 1) + bytes(32)),
    "ipv4 good",
    "obstacle: encrypted ESP",
)
case(
    "ESP over IPv6",
    ETHERNET,
    ETH6 + ip6(50, pack(">II", 0x1000, 1) + bytes(32)),
    "obstacle: encrypted ESP",
)
case(
    "ESP over UDP (RFC 3948)",
    ETHERNET,
    tunnel4(4500, pack(">II", 0x1000, 1), bytes(32)),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: encrypted ESP",
)
case(
    "a key exchange at the port of ESP: nothing to verify after UDP",
    ETHERNET,
    tunnel4(4500, bytes(4), bytes(32)),
    "ipv4 good",
    "udp absent, found 0x0000",
)
case(
    "an IP protocol that the walk does not know",
    ETHERNET,
    ETH4 + ip4(253, b"data"),
    "ipv4 good",
    "obstacle: IP protocol 253",
)
case(
    "an IPv6 next header that the walk does not know",
    ETHERNET,
    ETH6 + ip6(253, b"data"),
    "obstacle: IP protocol 253",
)
case("IPv6 without a next header: nothing to verify", ETHERNET, ETH6 + ip6(59, b"data"))
case(
    "encrypted PPP (RFC 1968)",
    9,
    bytes.fromhex("ff03 0053") + bytes(32),
    "obstacle: encrypted PPP",
)
case(
    "compressed PPP (RFC 1962)",
    9,
    bytes.fromhex("ff03 00fd") + bytes(32),
    "obstacle: PPP protocol 0x00fd",
)
case("PPP link control: nothing to verify", 9, bytes.fromhex("ff03 c021 0109 0008 05061234"))
case(
    "a service access point that the walk does not know (NetBIOS)",
    ETHERNET,
    MAC + bytes.fromhex("0008 f0f0 03") + bytes(5),
    "obstacle: LLC 0xf0",
)
case("spanning tree: nothing to verify", ETHERNET, MAC + bytes.fromhex("0026 4242 03") + bytes(35))
case(
    "LISP whose data are encrypted (RFC 8061)",
    ETHERNET,
    tunnel4(4341, bytes.fromhex("01000000 00000000"), bytes(40)),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: encrypted LISP",
)
case(
    "NSH with a next protocol that the walk does not know",
    ETHERNET,
    MAC + bytes.fromhex("894f 0fc2 01fe 00000101") + bytes(24),
    "obstacle: NSH",
)

case(
    "snapped after the bytes that the checksum of DCCP covers",
    ETHERNET,
    (ETH4 + ip4(33, dccp(pseudo4, 1)))[:52],
    "ipv4 good",
    "dccp good",
    wire=72,
)
case(
    "snapped after the TCP checksum",
    ETHERNET,
    whole[:54],
    "ipv4 good",
    "tcp unverified (snapped)",
    wire=len(whole),
)
case(
    "snapped before the TCP checksum",
    ETHERNET,
    whole[:50],
    "ipv4 good",
    "tcp unverified (snapped)",
    wire=len(whole),
)
case(
    "snapped before the TCP header",
    ETHERNET,
    whole[:34],
    "ipv4 good",
    "tcp unverified (snapped)",
    wire=len(whole),
)
case(
    "snapped within the IPv4 options",
    ETHERNET,
    (ETH4 + ip4(6, tcp(pseudo4), options=b"\1\1\1\0"))[:36],
    "ipv4 unverified (snapped)",
    "tcp unverified (snapped)",
    wire=60,
)
case("snapped within the IPv4 header", ETHERNET, whole[:30], "obstacle: snapped", wire=len(whole))
case(
    "snapped within the Ethernet header", ETHERNET, whole[:13], "obstacle: snapped", wire=len(whole)
)
case(
    "snapped UDP that has no checksum",
    ETHERNET,
    (ETH4 + ip4(17, udp(pseudo4, checksum=0)))[:44],
    "ipv4 good",
    "udp absent, found 0x0000",
    wire=47,
)
case(
    "short on the wire: Ethernet",
    ETHERNET,
    whole[:13],
    "malformed: Ethernet frame shorter than its header",
)
case(
    "short on the wire: IPv4",
    ETHERNET,
    whole[:30],
    "malformed: IPv4 packet shorter than its header",
)
