# SPDX-License-Identifier: MIT OR Apache-2.0
"""UDP-Lite datagrams."""

from groups.inputs import random_bytes, recipe, word
from groups.packets import segment_of
from groups.segments import ADDRESSES
from reference import fold, pseudo_ipv4, pseudo_ipv6, sum16


def udplite_vector(family, name, catches, coverage, field=None, ports=0xD431):
    source, destination = ADDRESSES[family]
    pseudo = (pseudo_ipv4 if family == 4 else pseudo_ipv6)(source, destination, 136, 39)
    covers = 39 if coverage == 0 else coverage if 8 <= coverage <= 39 else 0
    data = ports.to_bytes(2, "big") + b"\0\x35" + coverage.to_bytes(2, "big") + bytes(2)
    data = segment_of(136, source, destination, data + random_bytes("udplite", 31), covers=covers)
    right = int.from_bytes(data[6:8], "big")
    found = right if field is None else field
    data = data[:6] + found.to_bytes(2, "big") + data[8:]
    return {
        "name": f"{name}-ipv{family}",
        "catches": catches,
        "family": family,
        "source": source.hex(),
        "destination": destination.hex(),
        "segment": recipe(data),
        "seed": word(sum16(pseudo)),
        "coverage": covers,
        "field": word(right if covers else 0),
        "ok": covers > 0 and found != 0 and sum16(pseudo + data[:covers]) == 0xFFFF,
    }


def udplites():
    for family in (4, 6):
        for coverage in (0, 8, 9, 20, 38, 39):
            yield udplite_vector(
                family,
                f"coverage-{coverage}",
                "More or fewer bytes summed than the coverage says; 0 is the whole datagram.",
                coverage,
            )
        for coverage in (1, 7, 40, 0xFFFF):
            yield udplite_vector(
                family,
                f"illegal-{coverage}",
                "An illegal coverage that is summed (RFC 3828 section 3.1).",
                coverage,
            )
        yield udplite_vector(family, "zero-field", "A field of 0x0000 let pass as in UDP.", 8, 0)
        yield udplite_vector(family, "bad", "A verifier that accepts anything.", 8, 0x1234)
        plain = int(udplite_vector(family, "", "", 8)["field"], 16)
        v = udplite_vector(
            family,
            "zero",
            "A computed 0x0000 sent as it is: UDP-Lite sends 0xFFFF.",
            8,
            ports=fold(0xD431 + plain),
        )
        assert v["field"] == "0xffff"
        yield v
