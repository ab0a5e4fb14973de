# SPDX-License-Identifier: MIT OR Apache-2.0
"""The Internet checksum (RFC 1071), written to be obviously right: the oracle of every test.

Every number here is the value of two bytes read big-endian, as they go over the wire. Of an
operation without a function here, plainer data are the oracle: pieces are concatenated, changed
data summed anew.
"""


def total(data):
    """The plain integer sum of the 16-bit words. A last odd byte is the high byte of its word."""
    return 256 * sum(data[0::2]) + sum(data[1::2])


def fold(total):
    """The one's complement value of an integer sum: every carry out of the top comes back in at the
    bottom."""
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def sum16(data):
    """The sum: 0x0000 for empty or all-zero data, 0xFFFF for every other multiple of 0xFFFF."""
    return fold(total(data))


def checksum(data):
    """The checksum: the complement of the sum."""
    return 0xFFFF - sum16(data)


def subtract(whole, part):
    """The sum of what is left of data with the sum `whole` when a piece with the sum `part` is
    taken away."""
    return fold(whole + 0xFFFF - part) if part else whole


def update(checksum, offset, was, now):
    """The checksum after the bytes `was` at `offset` have become `now` (RFC 1624, equation 3)."""
    pad = bytes(offset % 2)  # keeps the high bytes high and the low bytes low
    return 0xFFFF - fold(subtract(0xFFFF - checksum, sum16(pad + was)) + sum16(pad + now))


def pseudo_ipv4(source, destination, protocol, length):
    """The bytes of the IPv4 pseudo-header (RFC 768, RFC 9293 section 3.1). The length of a packet
    before segmentation may need more than 16 bits: it takes two words then, as in Linux."""
    size = 2 if length <= 0xFFFF else 4
    return source + destination + bytes([0, protocol]) + length.to_bytes(size, "big")


def pseudo_ipv6(source, destination, next_header, length):
    """The bytes of the IPv6 pseudo-header (RFC 8200 section 8.1)."""
    return source + destination + length.to_bytes(4, "big") + bytes([0, 0, 0, next_header])


def udp_field(checksum):
    """What UDP sends for a computed checksum: 0x0000 would mean "not computed" (RFC 768)."""
    return checksum or 0xFFFF
