# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a caller writes, for mypy and pyright in strict mode; test_types.py runs them over it.

A line with `type: ignore` must be an error: both report an ignore that nothing needs.
"""

import io
import mmap
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import assert_type

import duckdb
import numpy as np
import wiresum
import wiresum.dpkt
import wiresum.scapy


def on_bytes(mapped: mmap.mmap) -> None:
    assert_type(wiresum.checksum(b"wire"), int)
    assert_type(wiresum.sum(bytearray(4)), int)
    assert_type(wiresum.ok(memoryview(b"wire")), bool)
    assert_type(wiresum.sum(mapped), int)
    assert_type(wiresum.sum(np.zeros(4, np.uint16)), int)
    assert_type(wiresum.copy(bytearray(4), b"wire"), int)
    assert_type(wiresum.update(0, 0, b"ab", b"cd"), int)
    assert_type(wiresum.pseudo_ipv4("192.0.2.1", IPv4Address(1), 6, 20), int)
    assert_type(wiresum.pseudo_ipv6(b"\0" * 16, IPv6Address(1), 58, 20), int)
    assert_type(wiresum.update_sum(0, 1, 2), int)
    assert_type(wiresum.packet_fill(bytearray(20)), None)
    assert wiresum.packet_verify(b"wire") != "bad-header"
    wiresum.packet_fill("text")  # type: ignore[arg-type]
    assert_type(wiresum.tcp(0, bytes(20)), int)
    assert_type(wiresum.udp_ok(0, bytes(8), b"payload"), bool)
    stream = wiresum.Stream()
    stream.update(b"wire")
    assert_type(wiresum.Stream(b"wire").copy().digest(), bytes)
    assert_type(stream.length, int)
    assert_type(wiresum.kernels()[0].name, str)
    wiresum.checksum("text")  # type: ignore[arg-type]
    wiresum.checksum(data=b"wire")  # type: ignore[call-arg]
    wiresum.append(0, 0)  # type: ignore[call-arg]


def on_captures(path: Path) -> None:
    counted = wiresum.verify(path, progress=lambda read, total: print(read, total))
    assert_type(counted.checksums["tcp"]["bad"], int)
    assert_type(counted.ok, bool)
    for row in counted:
        assert_type(row.source, str | None)
    for row in wiresum.read(io.BytesIO(b"")):
        assert_type(row.found, int | None)
    for packet in wiresum.packets("office.pcapng"):
        assert_type(packet.data, bytes)
    assert_type(wiresum.fix(path, "out.pcap", only=["offload"]).changed_packets, int)
    assert_type(wiresum.undo("record", path), None)
    assert_type(str(wiresum.explain(b"", 101)), str)
    assert_type(len(wiresum.checksums([b"a", None])), int)
    with path.open("rb") as file:
        wiresum.verify(file)
    with path.open() as text:
        wiresum.verify(text)  # type: ignore[arg-type]
    try:
        wiresum.verify(17)  # type: ignore[arg-type]
    except wiresum.CaptureError as error:
        assert_type(error.file, str | None)
        assert_type(error.offset, int)


def in_duckdb(con: duckdb.DuckDBPyConnection) -> None:
    wiresum.duckdb.install(con, threads=2, schemes=["https"])
    assert_type(wiresum.duckdb.write(["a.pcap"], "results").problems, dict[str, str])
    wiresum.duckdb.install(17)  # type: ignore[arg-type]


def replaced() -> None:
    wiresum.scapy.install()
    wiresum.dpkt.uninstall()
    assert_type(wiresum.scapy.installed(), bool)
