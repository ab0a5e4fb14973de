#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes frames.txt: small frames, one for each thing that the walk must get right, with the verdicts typed by hand.

    python3 packet/tests/frames.py > packet/tests/frames.txt

The sums are those of RFC 1071, word by word; nothing here comes from wiresum.
"""

from ipaddress import ip_address
from struct import pack

A4, B4, C4 = (ip_address(a).packed for a in ("192.0.2.1", "192.0.2.2", "198.51.100.7"))
A6, B6, C6 = (ip_address(a).packed for a in ("2001:db8::1", "2001:db8::2", "2001:db8::3"))
ETHERNET, NULL, RAW, LOOP, SLL, SLL2 = 1, 0, 101, 108, 113, 276
MAC = bytes.fromhex("020000000002 020000000001")
ETH4, ETH6 = MAC + b"\x08\x00", MAC + b"\x86\xdd"
OFFLOAD, WITHOUT_LENGTH = "offload", "without length"  # instead of a checksum


def total(data):
    """The sum."""
    data += b"\0" * (len(data) % 2)
    sum_ = 0
    for i in range(0, len(data), 2):
        sum_ += data[i] << 8 | data[i + 1]
        sum_ = (sum_ & 0xFFFF) + (sum_ >> 16)
    return sum_


def pseudo4(protocol, length, source=A4, destination=B4):
    return source + destination + pack(">HH", protocol, length)


def pseudo6(protocol, length, source=A6, destination=B6):
    return source + destination + pack(">II", length, protocol)


def stored(data, at, value, pseudo=None, protocol=0, length=0):
    """The data with the checksum at an offset: the right one, that of an offload, or a given value."""
    if value is None:
        value = total((pseudo(protocol, length) if pseudo else b"") + data[:length or None]) ^ 0xFFFF
        if protocol == 17:
            value = value or 0xFFFF
    elif value == OFFLOAD:
        value = total(pseudo(protocol, length))
    elif value == WITHOUT_LENGTH:
        value = total(pseudo(protocol, 0))
    return data[:at] + pack(">H", value) + data[at + 2 :]


def ip4(protocol, payload, options=b"", fragment=0, length=None, checksum=None):
    ihl = 5 + len(options) // 4
    length = ihl * 4 + len(payload) if length is None else length
    header = pack(">BBHHHBBH", 0x40 | ihl, 0, length, 0x1234, fragment, 64, protocol, 0) + A4 + B4 + options
    return stored(header, 10, checksum) + payload


def ip6(next_header, payload, length=None):
    length = len(payload) if length is None else length
    return pack(">IHBB", 6 << 28, length, next_header, 64) + A6 + B6 + payload


def tcp(pseudo, data=b"hi", checksum=None):
    segment = pack(">HHIIBBHHH", 1000, 80, 1, 2, 0x50, 0x18, 1024, 0, 0) + data
    return stored(segment, 16, checksum, pseudo, 6, len(segment))


def udp(pseudo, data=b"ping!", checksum=None, length=None):
    length = 8 + len(data) if length is None else length
    return stored(pack(">HHHH", 5000, 53, length, 0) + data, 6, checksum, pseudo, 17, length)


def icmp(checksum=None):
    return stored(b"\x08\0\0\0\x12\x34\0\x01abc", 2, checksum)


def icmp6(checksum=None):
    return stored(b"\x80\0\0\0\x12\x34\0\x01abc", 2, checksum, pseudo6, 58, 11)


def padding_that_makes(value, at, make):
    """What `make` makes of the first two bytes of data with which its field at an offset holds a value."""
    return next(made for i in range(65536) if (made := make(pack(">H", i)))[at : at + 2] == pack(">H", value))


def case(about, link_type, frame, *verdicts, wire=None):
    """One case; `wire` is the length on the wire, if less was captured."""
    print(f"\n{about}")
    print(f"  link {link_type}")
    for at in range(0, len(frame), 32):
        print(f"  data {frame[at : at + 32].hex()}")
    if wire is not None:
        print(f"  wire {wire}")
    for verdict in verdicts:
        print(f"  = {verdict}")


good4, good6 = ip4(6, tcp(pseudo4)), ip6(6, tcp(pseudo6))
whole = ETH4 + good4

print("# SPDX-License-Identifier: MIT OR Apache-2.0")
print("# Frames, and the verdicts on their checksums, outermost first. Made by frames.py.")

# ------------------------------------------------------------------------------------------------------ transport
case("TCP over IPv4", ETHERNET, ETH4 + good4, "ipv4 good", "tcp good")
case("TCP over IPv6", ETHERNET, ETH6 + good6, "tcp good")
case("TCP that holds the sum of the pseudo-header", ETHERNET, ETH4 + ip4(6, tcp(pseudo4, checksum=OFFLOAD)),
     "ipv4 good", "tcp bad (offload), found 0x8420, expected 0xbb22")
case("TCP that holds the sum of the pseudo-header but for the length", ETHERNET,
     ETH4 + ip4(6, tcp(pseudo4, checksum=WITHOUT_LENGTH)),
     "ipv4 good", "tcp bad (offload without length), found 0x840a, expected 0xbb22")
case("TCP over IPv6 that holds the sum of the pseudo-header", ETHERNET, ETH6 + ip6(6, tcp(pseudo6, checksum=OFFLOAD)),
     "tcp bad (offload), found 0x5b91, expected 0xe3b1")
case("TCP with the last bit flipped", ETHERNET, ETH4 + ip4(6, tcp(pseudo4)[:-1] + b"h"),
     "ipv4 good", "tcp bad (one-bit), found 0xbb22, expected 0xbb23")
zero = padding_that_makes(0, 16, lambda data: tcp(pseudo4, data))
case("TCP whose checksum is 0x0000", ETHERNET, ETH4 + ip4(6, zero), "ipv4 good", "tcp good")
case("TCP with 0xffff for 0x0000: it adds up, but is never right (RFC 1624)", ETHERNET,
     ETH4 + ip4(6, zero[:16] + b"\xff\xff" + zero[18:]),
     "ipv4 good", "tcp bad (negative-zero), found 0xffff, expected 0x0000")
case("TCP with a header length of 16", ETHERNET, ETH4 + ip4(6, tcp(pseudo4)[:12] + b"\x40" + tcp(pseudo4)[13:]),
     "ipv4 good", "malformed: TCP header length below 20")
case("TCP that ends before its checksum", ETHERNET, ETH4 + ip4(6, tcp(pseudo4)[:17]),
     "ipv4 good", "malformed: TCP segment without a checksum field")
case("UDP over IPv4", ETHERNET, ETH4 + ip4(17, udp(pseudo4)), "ipv4 good", "udp good")
case("UDP over IPv4 without a checksum", ETHERNET, ETH4 + ip4(17, udp(pseudo4, checksum=0)), "ipv4 good", "udp absent, found 0x0000")
case("UDP over IPv6 without a checksum", ETHERNET, ETH6 + ip6(17, udp(pseudo6, checksum=0)),
     "udp illegal, found 0x0000, expected 0x90d1")
case("UDP whose checksum comes to 0x0000, sent as 0xffff", ETHERNET,
     ETH4 + ip4(17, padding_that_makes(0xFFFF, 6, lambda data: udp(pseudo4, data))), "ipv4 good", "udp good")
case("UDP that holds the sum of the pseudo-header", ETHERNET, ETH4 + ip4(17, udp(pseudo4, checksum=OFFLOAD)),
     "ipv4 good", "udp bad (offload), found 0x8422, expected 0x6842")
case("UDP shorter than its packet: the sum covers what its length says", ETHERNET, ETH4 + ip4(17, udp(pseudo4) + b"beyond"),
     "ipv4 good", "udp good")
case("UDP longer than its packet", ETHERNET, ETH4 + ip4(17, udp(pseudo4, length=14)), "ipv4 good", "udp unverified (length)")
case("UDP with an impossible length", ETHERNET, ETH4 + ip4(17, udp(pseudo4, length=7)),
     "ipv4 good", "malformed: UDP length below 8")
case("ICMP", ETHERNET, ETH4 + ip4(1, icmp()), "ipv4 good", "icmp good")
case("ICMP of zeros but for its checksum", ETHERNET, ETH4 + ip4(1, b"\0\0\xff\xff" + bytes(8)), "ipv4 good", "icmp good")
case("ICMP of zeros: 0x0000 is not what they sum to", ETHERNET, ETH4 + ip4(1, bytes(12)),
     "ipv4 good", "icmp bad (zeroed), found 0x0000, expected 0xffff")
case("ICMPv6", ETHERNET, ETH6 + ip6(58, icmp6()), "icmpv6 good")
case("ICMPv6 that holds the sum of the pseudo-header", ETHERNET, ETH6 + ip6(58, icmp6(OFFLOAD)),
     "icmpv6 bad (offload), found 0x5bba, expected 0x4dad")

# ----------------------------------------------------------------------------------------------------- link layers
snap = bytes.fromhex("aaaa03 000000 0800") + good4
cooked = "00000001000602000000000100 00"
case("VLAN", ETHERNET, MAC + bytes.fromhex("8100 0005 0800") + good4, "ipv4 good", "tcp good")
case("QinQ", ETHERNET, MAC + bytes.fromhex("88a8 0005 8100 0006 86dd") + good6, "tcp good")
case("QinQ as it was before it had a number", ETHERNET, MAC + bytes.fromhex("9100 0005 8100 0006 0800") + good4,
     "ipv4 good", "tcp good")
case("IEEE 802.3 with SNAP", ETHERNET, MAC + pack(">H", len(snap)) + snap, "ipv4 good", "tcp good")
case("IEEE 802.3 with SNAP and padding", ETHERNET, MAC + pack(">H", len(snap)) + snap + b"pad", "ipv4 good", "tcp good")
case("ARP: nothing to verify", ETHERNET, MAC + b"\x08\x06" + bytes(28))
case("padding that is not zero", ETHERNET, ETH4 + ip4(6, tcp(pseudo4, b"")) + b"\xde\xad\xbe\xef\xde\xad", "ipv4 good", "tcp good")
case("Linux cooked, version 1", SLL, bytes.fromhex(cooked + "0800") + good4, "ipv4 good", "tcp good")
case("Linux cooked, version 1, with a VLAN tag", SLL, bytes.fromhex(cooked + "8100 0005 86dd") + good6, "tcp good")
case("Linux cooked, version 1, of netlink: its protocols are others", SLL,
     bytes.fromhex(cooked.replace("00000001", "00000338") + "0800") + good4)
case("Linux cooked, version 2", SLL2, bytes.fromhex("86dd 0000 00000001 0001 00 06 0200000000010000") + good6, "tcp good")
case("raw IPv4", RAW, good4, "ipv4 good", "tcp good")
case("raw IPv6", RAW, good6, "tcp good")
case("raw, but neither", RAW, b"\x50" + good4[1:], "malformed: IP version that is neither 4 nor 6")
case("raw IPv4, as most DLT_RAW", 12, good4, "ipv4 good", "tcp good")
case("raw IPv6, as OpenBSD's DLT_RAW", 14, good6, "tcp good")
case("link type IPv4", 228, good4, "ipv4 good", "tcp good")
case("link type IPv6", 229, good6, "tcp good")
case("BSD loopback, little-endian", NULL, bytes.fromhex("02000000") + good4, "ipv4 good", "tcp good")
case("BSD loopback, big-endian", NULL, bytes.fromhex("00000002") + good4, "ipv4 good", "tcp good")
case("BSD loopback, IPv6 of NetBSD", NULL, bytes.fromhex("18000000") + good6, "tcp good")
case("BSD loopback, IPv6 of FreeBSD", NULL, bytes.fromhex("1c000000") + good6, "tcp good")
case("BSD loopback, IPv6 of macOS", NULL, bytes.fromhex("1e000000") + good6, "tcp good")
case("OpenBSD loopback", LOOP, bytes.fromhex("00000018") + good6, "tcp good")
case("a link type that is not known", 147, good4, "obstacle: link type 147")

# ------------------------------------------------------------------------------------------------------------ IPv4
case("IPv4 header with 0x0000 for its checksum", ETHERNET, ETH4 + ip4(6, tcp(pseudo4), checksum=0),
     "ipv4 bad (zeroed), found 0x0000, expected 0xe496", "tcp good")
case("IPv4 options", ETHERNET, ETH4 + ip4(6, tcp(pseudo4), options=b"\1\1\1\0"), "ipv4 good", "tcp good")
case("IPv4 with a loose source route: the last address is in the pseudo-header", ETHERNET,
     ETH4 + ip4(6, tcp(lambda p, n: pseudo4(p, n, destination=C4)), options=b"\x83\7\4" + C4 + b"\0"), "ipv4 good", "tcp good")
case("IPv4 with a strict source route that lies behind it", ETHERNET,
     ETH4 + ip4(6, tcp(pseudo4), options=b"\x89\7\x08" + C4 + b"\0"), "ipv4 good", "tcp good")
case("IPv4 total length 0: segmentation offload", ETHERNET, ETH4 + ip4(6, tcp(pseudo4), length=0), "ipv4 good", "tcp good")
case("IPv4 first fragment", ETHERNET, ETH4 + ip4(17, udp(pseudo4), fragment=0x2000), "ipv4 good", "udp unverified (fragment)")
case("IPv4 later fragment", ETHERNET, ETH4 + ip4(17, udp(pseudo4), fragment=0x2001), "ipv4 good")
case("IPv4 authentication header", ETHERNET, ETH4 + ip4(51, b"\6\4" + bytes(22) + tcp(pseudo4)), "ipv4 good", "tcp good")
case("IPv4 header length of 16", ETHERNET, ETH4 + b"\x44" + good4[1:], "malformed: IPv4 header length below 20")
case("IPv4 total length of 19", ETHERNET, ETH4 + ip4(6, tcp(pseudo4), length=19),
     "malformed: IPv4 total length below its header's")
case("IPv4 of version 5", ETHERNET, ETH4 + b"\x55" + good4[1:], "malformed: IPv4 version that is not 4")
case("IPv4 packet that lost its last byte on the way", ETHERNET, whole[:-1],
     "ipv4 good", "tcp bad (one-byte), found 0xbb22, expected 0xbb8c")

# ------------------------------------------------------------------------------------------------------------ IPv6
def elsewhere(protocol, length):
    return pseudo6(protocol, length, destination=C6)


def extension(next_header):
    return bytes([next_header, 0, 1, 4, 0, 0, 0, 0])


def fragment(next_header, offset, more):
    return pack(">BBHI", next_header, 0, offset << 3 | more, 0x99)


def routing(kind, next_header, left, *addresses):
    return bytes([next_header, 2 * len(addresses), kind, left, 0, 0, 0, 0]) + b"".join(addresses)


case("IPv6 hop-by-hop and destination options", ETHERNET, ETH6 + ip6(0, extension(60) + extension(6) + tcp(pseudo6)), "tcp good")
case("IPv6 routing header, one segment left: the last address is in the pseudo-header", ETHERNET,
     ETH6 + ip6(43, routing(0, 17, 1, B6, C6) + udp(elsewhere)), "udp good")
case("IPv6 routing header, no segment left: it is the destination", ETHERNET,
     ETH6 + ip6(43, routing(0, 17, 0, B6, C6) + udp(pseudo6)), "udp good")
case("IPv6 routing header, one segment left, summed with the destination", ETHERNET,
     ETH6 + ip6(43, routing(0, 17, 1, B6, C6) + udp(pseudo6)), "udp bad (next-hop), found 0x90d1, expected 0x90d0")
case("IPv6 routing header of mobile IP", ETHERNET, ETH6 + ip6(43, routing(2, 6, 1, C6) + tcp(elsewhere)), "tcp good")
case("IPv6 segment routing: the first address is the last segment", ETHERNET,
     ETH6 + ip6(43, routing(4, 6, 1, C6, B6) + tcp(elsewhere)), "tcp good")
case("IPv6 source route of RPL: the last address shares 15 bytes with the destination", ETHERNET,
     ETH6 + ip6(43, bytes([6, 1, 3, 1, 0xFF, 0x70, 0, 0]) + b"\3" + bytes(7) + tcp(elsewhere)), "tcp good")
case("IPv6 fragment that is the whole", ETHERNET, ETH6 + ip6(44, fragment(17, 0, 0) + udp(pseudo6)), "udp good")
case("IPv6 first fragment", ETHERNET, ETH6 + ip6(44, fragment(17, 0, 1) + udp(pseudo6)), "udp unverified (fragment)")
case("IPv6 later fragment", ETHERNET, ETH6 + ip6(44, fragment(17, 1, 0) + udp(pseudo6)))
case("IPv6 authentication header, options behind it", ETHERNET,
     ETH6 + ip6(51, b"\x3c\4" + bytes(22) + extension(6) + tcp(pseudo6)), "tcp good")
case("IPv6 jumbogram, padding behind it", ETHERNET,
     ETH6 + ip6(0, bytes([6, 0, 0xC2, 4]) + pack(">I", 30) + tcp(pseudo6), length=0) + b"pad", "tcp good")
case("IPv6 payload length 0: segmentation offload", ETHERNET, ETH6 + ip6(6, tcp(pseudo6), length=0), "tcp good")
case("IPv6 extension header longer than its packet", ETHERNET, ETH6 + ip6(60, b"\6\x09" + bytes(6) + tcp(pseudo6)),
     "malformed: IPv6 extension header longer than its packet")
case("IPv6 with nothing in it", ETHERNET, ETH6 + ip6(59, bytes(8)))

# --------------------------------------------------------------------------------------------------------- tunnels
case("IPv4 in IPv4", ETHERNET, ETH4 + ip4(4, good4), "ipv4 good", "layer 2 ipv4 good", "layer 2 tcp good")
case("IPv6 in IPv4", ETHERNET, ETH4 + ip4(41, ip6(17, udp(pseudo6, checksum=OFFLOAD))),
     "ipv4 good", "layer 2 udp bad (offload), found 0x5b93, expected 0x90d1")
case("IPv4 in IPv6", ETHERNET, ETH6 + ip6(4, ip4(1, icmp())), "layer 2 ipv4 good", "layer 2 icmp good")
case("IPv4 in a first fragment of IPv4, as a whole", ETHERNET, ETH4 + ip4(4, good4, fragment=0x2000),
     "ipv4 good", "layer 2 ipv4 good", "layer 2 tcp good")
case("IPv4 in a first fragment of IPv4, in part", ETHERNET, ETH4 + ip4(4, good4[:-1], fragment=0x2000),
     "ipv4 good", "layer 2 ipv4 good", "layer 2 tcp unverified (fragment)")
case("IPv4 in a first fragment of IPv4, the TCP header in part", ETHERNET, ETH4 + ip4(4, good4[:-8], fragment=0x2000),
     "ipv4 good", "layer 2 ipv4 good", "obstacle: fragment")

# ---------------------------------------------------------------------------------------------------------- causes
# TCP over IPv4 as above has 0xbb22, a pseudo-header that sums to 0x8420 and a length of 22; its IPv4 header has 0xe496.
def changed(packet, at, data):
    """The packet with other bytes, and its checksums as they were."""
    return packet[:at] + data + packet[at + len(data):]


def because(about, cause, packet, found, expected, where="tcp"):
    """A case of a packet of which one checksum is bad."""
    others = ["ipv4 good", "tcp good"]
    bad = f"{where} bad ({cause}), found {found}, expected {expected}"
    case(about, ETHERNET, ETH4 + packet, *[bad if other.startswith(where) else other for other in others])


because("zeroed", "zeroed", ip4(6, tcp(pseudo4, checksum=0)), "0x0000", "0xbb22")
because("not complemented", "not-complemented", ip4(6, tcp(pseudo4, checksum=0x44DD)), "0x44dd", "0xbb22")
because("byte-swapped", "byte-swapped", ip4(6, tcp(pseudo4, checksum=0x22BB)), "0x22bb", "0xbb22")
because("without the pseudo-header", "no-pseudo-header", ip4(6, tcp(pseudo4, checksum=0xBB22 + 0x8420 - 0xFFFF)), "0x3f43", "0xbb22")
because("the length of the IPv4 packet in the pseudo-header", "wrong-length", ip4(6, tcp(pseudo4, checksum=0xBB22 - 20)),
        "0xbb0e", "0xbb22")
because("the length without the TCP header in the pseudo-header", "wrong-length", ip4(6, tcp(pseudo4, checksum=0xBB22 + 20)),
        "0xbb36", "0xbb22")
because("no length in the pseudo-header", "wrong-length", ip4(6, tcp(pseudo4, checksum=0xBB22 + 22)), "0xbb38", "0xbb22")
because("the length in the wrong byte order in the pseudo-header", "wrong-length",
        ip4(6, tcp(pseudo4, checksum=0xBB22 + 0x0016 - 0x1600)), "0xa538", "0xbb22")
padded = ip4(6, tcp(pseudo4, checksum=0xBB22 - 0x1234)) + b"\x12\x34\0\0"
because("padding summed", "padding", padded, "0xa8ee", "0xbb22")
because("padding summed, and its length", "padding", changed(padded, 36, pack(">H", 0xBB22 - 0x1234 - 4)), "0xa8ea", "0xbb22")
because("padding summed, but not the frame check sequence behind it", "padding", padded + b"FCS!", "0xa8ee", "0xbb22")
odd = ip4(17, udp(pseudo4, checksum=0x6842 - 0x0012 - 0x3400)) + b"\x12\x34"  # they join an odd length
case("padding summed behind an odd length", ETHERNET, ETH4 + odd, "ipv4 good", "udp bad (padding), found 0x3430, expected 0x6842")
# From 192.0.2.1 to 198.51.100.7 it is 0x0633 + 0x6206 = 0x6839.
case("source address rewritten", ETHERNET, ETH4 + changed(good4, 12, C4),
     "ipv4 bad (rewritten), found 0xe496, expected 0x7c5d", "tcp bad (rewritten), found 0xbb22, expected 0x52e9")
case("source address rewritten, the IPv4 checksum with it: it might be anything", ETHERNET,
     ETH4 + changed(changed(good4, 12, C4), 10, b"\x7c\x5d"), "ipv4 good", "tcp bad (unknown), found 0xbb22, expected 0x52e9")
case("source address rewritten in a tunnel", ETHERNET, ETH4 + ip4(4, changed(good4, 12, C4)),
     "ipv4 good", "layer 2 ipv4 bad (rewritten), found 0xe496, expected 0x7c5d",
     "layer 2 tcp bad (rewritten), found 0xbb22, expected 0x52e9")
case("source address rewritten around a tunnel", ETHERNET, ETH4 + changed(ip4(4, good4), 12, C4),
     "ipv4 bad (unknown), found 0xe484, expected 0x7c4b", "layer 2 ipv4 good", "layer 2 tcp good")
because("time to live one less", "header-changed", changed(good4, 8, b"\x3f"), "0xe496", "0xe596", "ipv4")
because("time to live that was 255", "header-changed", changed(ip4(6, tcp(pseudo4), checksum=0xE496 - 0xBF00), 8, b"\x40"),
        "0x2596", "0xe496", "ipv4")
because("DSCP set to expedited forwarding", "header-changed", changed(good4, 1, b"\xb8"), "0xe496", "0xe3de", "ipv4")
because("congestion experienced", "header-changed", changed(good4, 1, b"\3"), "0xe496", "0xe493", "ipv4")
because("identification set late", "header-changed", ip4(6, tcp(pseudo4), checksum=0xE496 + 0x1234), "0xf6ca", "0xe496", "ipv4")
because("identification in the wrong byte order", "header-changed",
        ip4(6, tcp(pseudo4), checksum=0xE496 + 0x1234 - 0x3412), "0xc2b8", "0xe496", "ipv4")
because("total length set late", "header-changed", ip4(6, tcp(pseudo4), checksum=0xE496 + 42), "0xe4c0", "0xe496", "ipv4")
because("don't-fragment bit cleared", "header-changed", ip4(6, tcp(pseudo4), checksum=0xE496 - 0x4000), "0xa496", "0xe496", "ipv4")
because("one bit of the identification", "one-bit", changed(good4, 4, b"\x1a"), "0xe496", "0xdc96", "ipv4")
because("one bit of the checksum", "one-bit", ip4(6, tcp(pseudo4, checksum=0xBB22 ^ 0x1000)), "0xab22", "0xbb22")
because("one byte, the first of its word", "one-byte", changed(good4, 40, b"z"), "0xbb22", "0xa922")
because("one byte, the second of its word", "one-byte", changed(good4, 41, b"b"), "0xbb22", "0xbb29")
because("anything", "unknown", ip4(6, tcp(pseudo4, checksum=0x1234)), "0x1234", "0xbb22")
case("UDP over IPv6 with 0x0000 for the 0xffff that is due", ETHERNET,
     ETH6 + ip6(17, changed(padding_that_makes(0xFFFF, 6, lambda data: udp(pseudo6, data)), 6, b"\0\0")),
     "udp illegal (udp-zero), found 0x0000, expected 0xffff")

# --------------------------------------------------------------------------------------------------------- snapped
case("snapped behind the TCP checksum", ETHERNET, whole[:54], "ipv4 good", "tcp unverified (snapped)", wire=len(whole))
case("snapped before the TCP checksum", ETHERNET, whole[:50], "ipv4 good", "tcp unverified (snapped)", wire=len(whole))
case("snapped before the TCP header", ETHERNET, whole[:34], "ipv4 good", "tcp unverified (snapped)", wire=len(whole))
case("snapped within the IPv4 options", ETHERNET, (ETH4 + ip4(6, tcp(pseudo4), options=b"\1\1\1\0"))[:36],
     "ipv4 unverified (snapped)", "tcp unverified (snapped)", wire=60)
case("snapped within the IPv4 header", ETHERNET, whole[:30], "obstacle: snapped", wire=len(whole))
case("snapped within the Ethernet header", ETHERNET, whole[:13], "obstacle: snapped", wire=len(whole))
case("snapped UDP that has no checksum", ETHERNET, (ETH4 + ip4(17, udp(pseudo4, checksum=0)))[:44],
     "ipv4 good", "udp absent, found 0x0000", wire=47)
case("short on the wire: Ethernet", ETHERNET, whole[:13], "malformed: Ethernet frame shorter than its header")
case("short on the wire: IPv4", ETHERNET, whole[:30], "malformed: IPv4 packet shorter than its header")
