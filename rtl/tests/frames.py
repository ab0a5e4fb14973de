# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ethernet frames and the result that wiresum_rx_check has to have of each."""

from bench import PARAMETERS, sum16
from specification import checksum, pseudo_ipv4, pseudo_ipv6, udp_field
from streams import lanes

HEADER_BYTES = PARAMETERS.get("HEADER_BYTES", 128)
ABORTED, SPARSE, LONG, TRUNCATED, FRAGMENT, MALFORMED, UNKNOWN, DEEP, ROUTED = (
    1 << bit for bit in range(9)
)
NO_VERDICT, GOOD, BAD, ABSENT = range(4)
ICMP_4, TCP_, UDP_, ICMP_6 = 1, 6, 17, 58
FIELDS = ("sum", "length", "network", "upper", "protocol", "ipv4", "verdict", "status")


class Frame:
    """A frame and its result. `upper` is the number of the first byte behind the headers."""

    def __init__(self, data, network=0, upper=0, protocol=None, ipv4=0, verdict=0, status=0):
        self.data, self.aborted, self.null = data, 0, ()
        self.wanted = {
            "network": network,
            "upper": upper,
            "protocol": protocol,
            "ipv4": ipv4,
            "verdict": verdict,
            "status": status,
        }

    def beats(self, width, rng):
        for tdata, tkeep, tlast in lanes(self.data, width, self.null):
            tuser = self.aborted if tlast else rng.getrandbits(1)
            yield {"tdata": tdata, "tkeep": tkeep, "tlast": tlast, "tuser": tuser}

    def check(self, got):
        wanted = {**self.wanted}
        kept = bytes(0 if i in self.null else byte for i, byte in enumerate(self.data))
        about = (self.data[:160].hex(), len(self.data), wanted, got)
        assert got["sum"] == sum16(kept[14:]), about
        if self.null:
            assert got["status"] & SPARSE and not got["verdict"] and not got["ipv4"], about
            return
        assert got["length"] == len(self.data) & 0xFFFF, about
        if self.aborted:
            wanted.update(ipv4=0, verdict=0, status=wanted["status"] | ABORTED)
            got = {**got, "status": got["status"] & ~ROUTED}
            wanted["status"] &= ~ROUTED
        if len(self.data) > 0xFFFF:
            wanted["status"] |= LONG
        for name, value in wanted.items():
            assert value is None or got[name] == value, (name, about)


def upper_layer(rng, protocol, size):
    """The bytes of a message with a field of 0, and where the field is."""
    data = rng.choice([rng.randbytes(size), bytes(size), b"\xff" * size])
    if protocol == TCP_:
        head = rng.randbytes(12) + bytes([rng.choice([0x50, 0xF0])]) + rng.randbytes(3)
        return head + bytes(2) + rng.randbytes(2) + data, 16
    if protocol == UDP_:
        return rng.randbytes(4) + (8 + size).to_bytes(2, "big") + bytes(2) + data, 6
    return rng.randbytes(2) + bytes(2) + data, 2


def random_options(rng):
    """Options of IPv4 without a source route, and nothing that looks like one."""
    words = rng.choice([0, 0, 0, 1, 3, 10])
    return bytes(rng.choice([0, 1, 7, 68, 130, 148]) for _ in range(4 * words))


def random_extensions(rng, most):
    """Extension headers of IPv6 (number, bytes behind the next header), up to that many bytes."""
    found = []
    while rng.random() < 0.6:
        kind = rng.choice([43, 44, 51, 60] if found else [0, 43, 44, 51, 60])
        if kind == 44:  # an atomic fragment is whole
            found.append((kind, bytes([rng.getrandbits(8), 0, rng.choice([0, 2, 4])]) + bytes(4)))
        elif kind == 51:
            units = rng.randrange(1, 4)
            found.append((kind, bytes([units]) + rng.randbytes(4 * units + 6)))
        else:
            length = rng.randrange(3)
            rest = bytearray(rng.choice([0, 1, 5, 30]) for _ in range(8 * length + 6))
            if kind == 43:
                rest[1] = 0  # no segments left
            found.append((kind, bytes([length]) + bytes(rest)))
    while sum(1 + len(rest) for _, rest in found) > most:
        found.pop()
    return found


def random_frame(rng, longest, verdict=None):
    """A frame of a packet that is right, or has one damaged bit, and its result."""
    tags = rng.choice([0, 0, 1, 2])
    link = rng.randbytes(12)
    for _ in range(tags):
        link += rng.choice([b"\x81\x00", b"\x88\xa8", b"\x91\x00"]) + rng.randbytes(2)
    six = rng.random() < 0.5
    protocol = rng.choice([TCP_, UDP_, ICMP_6 if six else ICMP_4])
    size = rng.choice([rng.randrange(40), rng.randrange(max(1, longest))])
    message, field = upper_layer(rng, protocol, size)
    chain = []
    if six:
        chain = random_extensions(rng, HEADER_BYTES - 22 - 16 - 40)
    addresses = rng.randbytes(32 if six else 8)
    pseudo = b""
    if six:
        pseudo = pseudo_ipv6(addresses[:16], addresses[16:], protocol, len(message))
    elif protocol != ICMP_4:
        pseudo = pseudo_ipv4(addresses[:4], addresses[4:], protocol, len(message))
    value = checksum(pseudo + message)
    if protocol == UDP_:
        value = udp_field(value)
    message = message[:field] + value.to_bytes(2, "big") + message[field + 2 :]
    options = random_options(rng)
    network = 14 + 4 * tags
    if six:
        between = b""
        for number, (_, rest) in enumerate(chain):
            following = chain[number + 1][0] if number + 1 < len(chain) else protocol
            between += bytes([following]) + rest
        header = b"\x60" + rng.randbytes(3) + (len(between) + len(message)).to_bytes(2, "big")
        header += bytes([chain[0][0] if chain else protocol, 64]) + addresses + between
        link += b"\x86\xdd"
    else:
        total = 20 + len(options) + len(message)
        header = bytes([0x45 + len(options) // 4, rng.getrandbits(8)]) + total.to_bytes(2, "big")
        header += rng.randbytes(2) + rng.choice([b"\0\0", b"\x40\0", b"\x80\0"])
        header += bytes([64, protocol]) + bytes(2) + addresses + options
        header = header[:10] + checksum(header).to_bytes(2, "big") + header[12:]
        link += b"\x08\x00"
    padding = rng.choice([b"", b"", rng.randbytes(rng.randrange(1, 30))])
    data = bytearray(link + header + message + padding)
    upper = network + len(header)
    ipv4 = 0 if six else GOOD
    damage = rng.random()
    wanted = GOOD
    if damage < 0.2:  # a bit of the message, except in what tells its length
        spots = [i for i in range(len(message)) if not (protocol == UDP_ and i in (4, 5, 6, 7))]
        spots = [i for i in spots if not (protocol == TCP_ and i == 12)]
        data[upper + rng.choice(spots)] ^= 1 << rng.randrange(8)
        wanted = BAD
    elif damage < 0.3:  # a bit of an address
        at = network + (rng.randrange(8, 40) if six else rng.randrange(12, 20))
        data[at] ^= 1 << rng.randrange(8)
        wanted = GOOD if protocol == ICMP_4 else BAD
        ipv4 = 0 if six else BAD
    elif damage < 0.4 and protocol == UDP_:
        data[upper + 6 : upper + 8] = b"\0\0"
        wanted = BAD if six else ABSENT
    elif damage < 0.5 and not six:  # the time to live, or the identification
        data[network + rng.choice([4, 5, 8])] ^= 1 << rng.randrange(8)
        ipv4 = BAD
    status = 0
    if upper + (16 if protocol == TCP_ else 8 if protocol == UDP_ else 0) > HEADER_BYTES - 2:
        wanted, status = NO_VERDICT, DEEP
        if upper > HEADER_BYTES - 2:
            return Frame(bytes(data), network, None, None, None, NO_VERDICT, DEEP)
    return Frame(bytes(data), network, upper, protocol, ipv4, wanted, status)


def plain_udp(load, six=False, flags=b"\0\0"):
    """A small frame of UDP that is right, at 14 and 34 or 54."""
    message = b"\x12\x34\x56\x78" + (8 + len(load)).to_bytes(2, "big") + bytes(2) + load
    if six:
        addresses = bytes(range(32))
        pseudo = pseudo_ipv6(addresses[:16], addresses[16:], UDP_, len(message))
        header = b"\x60\0\0\0" + len(message).to_bytes(2, "big") + b"\x11\x40" + addresses
    else:
        pseudo = pseudo_ipv4(b"\xc0\0\2\1", b"\xc0\0\2\2", UDP_, len(message))
        header = b"\x45\0" + (20 + len(message)).to_bytes(2, "big") + b"\1\2" + flags
        header += b"\x40\x11\0\0" + b"\xc0\0\2\1\xc0\0\2\2"
        header = header[:10] + checksum(header).to_bytes(2, "big") + header[12:]
    value = udp_field(checksum(pseudo + message))
    message = message[:6] + value.to_bytes(2, "big") + message[8:]
    return bytes(12) + (b"\x86\xdd" if six else b"\x08\0") + header + message
