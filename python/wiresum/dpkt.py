# SPDX-License-Identifier: MIT OR Apache-2.0
"""dpkt with the checksums of wiresum.

import wiresum.dpkt
wiresum.dpkt.install()
"""

import importlib
from typing import Any

from . import _wiresum
from ._replace import Replacement

_replacement = Replacement("dpkt")


def _in_cksum_add(s: int, buf: bytes) -> int:
    # dpkt adds words whose first byte is the low one.
    return s + int.from_bytes(_wiresum.sum(buf).to_bytes(2), "little")


def _in_cksum_done(s: int) -> int:
    while s > 0xFFFF:
        s = (s >> 16) + (s & 0xFFFF)
    return 0xFFFF - int.from_bytes(s.to_bytes(2), "little")


def install() -> None:
    """Replace dpkt's `in_cksum`, `in_cksum_add` and `in_cksum_done`."""
    dpkt: Any = importlib.import_module("dpkt.dpkt")
    _replacement.install(
        [
            (dpkt.in_cksum, _wiresum.checksum),
            (dpkt.in_cksum_add, _in_cksum_add),
            (dpkt.in_cksum_done, _in_cksum_done),
        ]
    )


def uninstall() -> None:
    """Put dpkt's own functions back."""
    _replacement.uninstall()


def installed() -> bool:
    """Return whether dpkt uses the checksums of wiresum."""
    return _replacement.installed
