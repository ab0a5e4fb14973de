# SPDX-License-Identifier: MIT OR Apache-2.0
"""The Internet checksum (RFC 1071): of bytes, of packets in Arrow columns, and of captures.

Every number is what protocol documents print: 0x1c46 for the bytes 1C 46. Its `.to_bytes(2)` is
what goes over the wire.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from . import _wiresum
from ._captures import (
    Explanation,
    Packet,
    Packets,
    Repairs,
    Row,
    Rows,
    Verification,
    explain,
    fix,
    packets,
    read,
    undo,
    verify,
    verify_packets,
)
from ._errors import CaptureError
from ._wiresum import (
    Column,
    Stream,
    __version__,
    append,
    checksum,
    copy,
    icmp,
    icmp_ok,
    icmpv6,
    icmpv6_ok,
    ipv4_header,
    ipv4_header_ok,
    ok,
    packet_fill,
    packet_finish,
    packet_verify,
    pseudo_ipv4,
    pseudo_ipv6,
    remove,
    remove_head,
    sum,
    tcp,
    tcp_ok,
    udp,
    udp_ok,
    udplite,
    udplite_ok,
    update,
    update_sum,
    update_udp,
    update_udp_sum,
)

__all__ = [
    "CaptureError",
    "Column",
    "Explanation",
    "Kernel",
    "Packet",
    "Packets",
    "Repairs",
    "Row",
    "Rows",
    "Stream",
    "Verification",
    "__version__",
    "append",
    "checksum",
    "checksums",
    "copy",
    "explain",
    "fix",
    "icmp",
    "icmp_ok",
    "icmpv6",
    "icmpv6_ok",
    "ipv4_header",
    "ipv4_header_ok",
    "kernels",
    "ok",
    "packet_fill",
    "packet_finish",
    "packet_verify",
    "packets",
    "pseudo_ipv4",
    "pseudo_ipv6",
    "read",
    "remove",
    "remove_head",
    "sum",
    "tcp",
    "tcp_ok",
    "udp",
    "udp_ok",
    "udplite",
    "udplite_ok",
    "undo",
    "update",
    "update_sum",
    "update_udp",
    "update_udp_sum",
    "verify",
    "verify_packets",
]


class Kernel(NamedTuple):
    """A function that sums with the instructions of one instruction set."""

    name: str
    supported: bool
    """Whether this CPU and its operating system support it."""
    in_use: bool


def kernels() -> list[Kernel]:
    """Return the kernels of the library, best first."""
    return [Kernel._make(kernel) for kernel in _wiresum.kernels()]


def checksums(packets: object, offsets: object = None) -> Column:
    """Return the checksum of each packet, as an Arrow column of uint16. It is 0 for a packet that
    includes its right checksum.

    The packets are a sequence of bytes-like objects, in which None is a null, or anything that
    exports an Arrow column by the PyCapsule interface: an array or a chunked array of pyarrow, a
    series of polars, a relation of DuckDB with one column. Its type is Binary, LargeBinary,
    BinaryView or FixedSizeBinary, or a dictionary of one of them. The result has the same nulls.

    With `offsets`, an array of int32 or int64, `packets` are the bytes of all packets, and packet i
    is packets[offsets[i]:offsets[i + 1]].
    """
    return _wiresum.checksums(packets, offsets)


if TYPE_CHECKING:
    from .engines import duckdb as duckdb

    # Whoever has no Ray has no types of it either.
    ray: ModuleType
    spark: ModuleType
else:

    def __getattr__(name):
        """Import wiresum.duckdb, wiresum.ray or wiresum.spark when it is named."""
        if name in ("duckdb", "ray", "spark"):
            return import_module(f".engines.{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
