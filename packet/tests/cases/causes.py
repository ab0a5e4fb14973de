# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bad checksums with a cause."""

from struct import pack
from zlib import adler32

from cases.build import (
    C4,
    ETH4,
    ETH6,
    ETHERNET,
    case,
    changed,
    good4,
    ip4,
    ip6,
    padding_that_makes,
    pseudo4,
    pseudo6,
    sctp,
    stored,
    tcp,
    udp,
)

# The case "TCP over IPv4" has the checksum 0xbb22, a pseudo-header that sums to 0x8420, a length of
# 22, and an IPv4 header with the checksum 0xe496.


def because(about, cause, packet, found, expected, where="tcp"):
    """Prints a case of a packet with one bad checksum."""
    others = ["ipv4 good", "tcp good"]
    bad = f"{where} bad ({cause}), found {found}, expected {expected}"
    case(
        about,
        ETHERNET,
        ETH4 + packet,
        *[bad if other.startswith(where) else other for other in others],
    )


because("zeroed", "zeroed", ip4(6, tcp(pseudo4, checksum=0)), "0x0000", "0xbb22")
because(
    "not complemented",
    "not-complemented",
    ip4(6, tcp(pseudo4, checksum=0x44DD)),
    "0x44dd",
    "0xbb22",
)
because("byte-swapped", "byte-swapped", ip4(6, tcp(pseudo4, checksum=0x22BB)), "0x22bb", "0xbb22")
because(
    "without the pseudo-header",
    "no-pseudo-header",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 0x8420 - 0xFFFF)),
    "0x3f43",
    "0xbb22",
)
because(
    "the length of the IPv4 packet in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 - 20)),
    "0xbb0e",
    "0xbb22",
)
because(
    "the length without the TCP header in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 20)),
    "0xbb36",
    "0xbb22",
)
because(
    "no length in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 22)),
    "0xbb38",
    "0xbb22",
)
because(
    "the length in the wrong byte order in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 0x0016 - 0x1600)),
    "0xa538",
    "0xbb22",
)
padded = ip4(6, tcp(pseudo4, checksum=0xBB22 - 0x1234)) + b"\x12\x34\0\0"
because("padding summed", "padding", padded, "0xa8ee", "0xbb22")
because(
    "padding summed, and its length",
    "padding",
    changed(padded, 36, pack(">H", 0xBB22 - 0x1234 - 4)),
    "0xa8ea",
    "0xbb22",
)
because(
    "padding summed, but not the frame check sequence after it",
    "padding",
    padded + b"FCS!",
    "0xa8ee",
    "0xbb22",
)
# The padding follows an odd length, so its bytes change places in the sum: 0x0012 and 0x3400.
odd = ip4(17, udp(pseudo4, checksum=0x6842 - 0x0012 - 0x3400)) + b"\x12\x34"
case(
    "padding summed after an odd length",
    ETHERNET,
    ETH4 + odd,
    "ipv4 good",
    "udp bad (padding), found 0x3430, expected 0x6842",
)
# From 192.0.2.1 to 198.51.100.7, the sum grows by 0x0633 + 0x6206 = 0x6839.
case(
    "source address rewritten",
    ETHERNET,
    ETH4 + changed(good4, 12, C4),
    "ipv4 bad (rewritten), found 0xe496, expected 0x7c5d",
    "tcp bad (rewritten), found 0xbb22, expected 0x52e9",
)
case(
    "source address rewritten, the IPv4 checksum with it: the cause is unknown",
    ETHERNET,
    ETH4 + changed(changed(good4, 12, C4), 10, b"\x7c\x5d"),
    "ipv4 good",
    "tcp bad (unknown), found 0xbb22, expected 0x52e9",
)
case(
    "source address rewritten in a tunnel",
    ETHERNET,
    ETH4 + ip4(4, changed(good4, 12, C4)),
    "ipv4 good",
    "layer 2 ipv4 bad (rewritten), found 0xe496, expected 0x7c5d",
    "layer 2 tcp bad (rewritten), found 0xbb22, expected 0x52e9",
)
case(
    "source address rewritten around a tunnel",
    ETHERNET,
    ETH4 + changed(ip4(4, good4), 12, C4),
    "ipv4 bad (unknown), found 0xe484, expected 0x7c4b",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
because(
    "time to live one less",
    "header-changed",
    changed(good4, 8, b"\x3f"),
    "0xe496",
    "0xe596",
    "ipv4",
)
because(
    "time to live one more than the checksum has",
    "header-changed",
    changed(good4, 8, b"\x41"),
    "0xe496",
    "0xe396",
    "ipv4",
)
because(
    "time to live that was 255",
    "header-changed",
    changed(ip4(6, tcp(pseudo4), checksum=0xE496 - 0xBF00), 8, b"\x40"),
    "0x2596",
    "0xe496",
    "ipv4",
)
because(
    "DSCP set to expedited forwarding",
    "header-changed",
    changed(good4, 1, b"\xb8"),
    "0xe496",
    "0xe3de",
    "ipv4",
)
because(
    "congestion experienced", "header-changed", changed(good4, 1, b"\3"), "0xe496", "0xe493", "ipv4"
)
because(
    "identification set late",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 + 0x1234),
    "0xf6ca",
    "0xe496",
    "ipv4",
)
because(
    "identification in the wrong byte order",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 + 0x1234 - 0x3412),
    "0xc2b8",
    "0xe496",
    "ipv4",
)
because(
    "total length set late",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 + 42),
    "0xe4c0",
    "0xe496",
    "ipv4",
)
because(
    "don't-fragment bit cleared",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 - 0x4000),
    "0xa496",
    "0xe496",
    "ipv4",
)
because(
    "one bit of the identification",
    "one-bit",
    changed(good4, 4, b"\x1a"),
    "0xe496",
    "0xdc96",
    "ipv4",
)
because(
    "one bit of the checksum",
    "one-bit",
    ip4(6, tcp(pseudo4, checksum=0xBB22 ^ 0x1000)),
    "0xab22",
    "0xbb22",
)
because("one byte, the first of its word", "one-byte", changed(good4, 40, b"z"), "0xbb22", "0xa922")
because(
    "one byte, the second of its word", "one-byte", changed(good4, 41, b"b"), "0xbb22", "0xbb29"
)
# The words of the segment and of its pseudo-header add up to 0x344dc, and to 0x2df42 with their
# bytes exchanged. The next one adds up to 0x444dd, and to 0x3e141.
because(
    "three carries left out",
    "no-carry",
    ip4(6, tcp(pseudo4, b"hi\xff\xff", checksum=0xBB23)),
    "0xbb23",
    "0xbb20",
)
because(
    "three carries of a little-endian machine left out",
    "no-carry",
    ip4(6, tcp(pseudo4, b"hi\xff\xff\xff\xff", checksum=0xBE1E)),
    "0xbe1e",
    "0xbb1e",
)
because("anything", "unknown", ip4(6, tcp(pseudo4, checksum=0x1234)), "0x1234", "0xbb22")
# Each of these is one packet of three in a row, which are judged together in other tests.
for nth, last, expected in (
    ("first", b"i", 0xBB22),
    ("second", b"j", 0xBB21),
    ("third", b"k", 0xBB20),
):
    because(
        f"the source port, 1000, left out of the {nth} packet",
        "unknown",
        ip4(6, tcp(pseudo4, b"h" + last, checksum=expected + 1000)),
        f"{expected + 1000:#06x}",
        f"{expected:#06x}",
    )
    because(
        f"a carry of a little-endian machine lost in the {nth} packet",
        "one-bit",
        ip4(6, tcp(pseudo4, b"h" + last, checksum=expected + 0x0100)),
        f"{expected + 0x0100:#06x}",
        f"{expected:#06x}",
    )


# The CRC32c of the SCTP packet is 0x4c0b6e01, with its lowest byte first. zlib computes Adler-32.
def because_of_crc(about, cause, packet, found, expected="0x4c0b6e01"):
    case(
        about,
        ETHERNET,
        ETH4 + ip4(132, packet),
        "ipv4 good",
        f"sctp bad ({cause}), found {found}, expected {expected}",
    )


because_of_crc("SCTP zeroed", "zeroed", changed(sctp(), 8, bytes(4)), "0x00000000")
because_of_crc(
    "SCTP not complemented",
    "not-complemented",
    changed(sctp(), 8, bytes.fromhex("b3f491fe")),
    "0xb3f491fe",
)
because_of_crc(
    "SCTP byte-swapped", "byte-swapped", changed(sctp(), 8, bytes.fromhex("016e0b4c")), "0x016e0b4c"
)
because_of_crc(
    "SCTP with Adler-32",
    "adler-32",
    changed(sctp(), 8, pack(">I", adler32(changed(sctp(), 8, bytes(4))))),
    "0x1c2f01c6",
)
because_of_crc(
    "SCTP with one bit flipped", "one-bit", changed(sctp(), 17, b"\x42"), "0x4c0b6e01", "0x958b0bc6"
)
because_of_crc(
    "SCTP with one byte changed",
    "one-byte",
    changed(sctp(), 17, b"\x55"),
    "0x4c0b6e01",
    "0x769259c2",
)
because_of_crc(
    "SCTP with one bit of the CRC flipped", "one-bit", changed(sctp(), 11, b"\0"), "0x4c0b6e00"
)
because_of_crc(
    "SCTP with two bytes changed",
    "unknown",
    changed(changed(sctp(), 17, b"\x55"), 4, b"\x99"),
    "0x4c0b6e01",
    "0xa9f88dfa",
)
case(
    "IGMP with 0xffff for 0x0000, which receivers accept",
    ETHERNET,
    ETH4
    + ip4(
        2,
        changed(
            padding_that_makes(0, 2, lambda data: stored("igmp", b"\x22\0\0\0" + data, 2)),
            2,
            b"\xff\xff",
        ),
    ),
    "ipv4 good",
    "igmp good",
    single=False,
)
case(
    "UDP over IPv6 with 0x0000 for the 0xffff that is due",
    ETHERNET,
    ETH6
    + ip6(17, changed(padding_that_makes(0xFFFF, 6, lambda data: udp(pseudo6, data)), 6, b"\0\0")),
    "udp illegal (udp-zero), found 0x0000, expected 0xffff",
)
