# SPDX-License-Identifier: MIT OR Apache-2.0
"""scapy with the checksums of wiresum.

    import wiresum.scapy
    wiresum.scapy.install()

All modules of scapy then use them, those too that are imported later. `uninstall` ends that.
"""

import importlib
from typing import Any

from . import _wiresum
from ._replace import Replacement

_replacement = Replacement("scapy")


def install() -> None:
    """Replace scapy's `checksum`, `in4_chksum` and `in6_chksum`."""
    inet: Any = importlib.import_module("scapy.layers.inet")
    inet6: Any = importlib.import_module("scapy.layers.inet6")
    utils: Any = importlib.import_module("scapy.utils")
    in4, in6 = inet.in4_chksum, inet6.in6_chksum

    def in4_chksum(proto: int, u: Any, p: bytes) -> int:
        if not isinstance(u, inet.IP):
            return int(in4(proto, u, p))  # warns
        pseudo = inet.in4_pseudoheader(proto, u, len(p))
        return 0xFFFF - _wiresum.append(_wiresum.sum(pseudo), 12, _wiresum.sum(p))

    def in6_chksum(nh: int, u: Any, p: bytes) -> int:
        pseudo = inet6.in6_pseudoheader(nh, u, len(p))
        if pseudo is None:
            return 0
        source, destination = pseudo.src, pseudo.dst
        try:
            head = _wiresum.pseudo_ipv6(source, destination, pseudo.nh, pseudo.uplen)
        except (TypeError, ValueError):  # a name, or several addresses
            return int(in6(nh, u, p))
        return 0xFFFF - _wiresum.append(head, 40, _wiresum.sum(p))

    _replacement.install(
        [(utils.checksum, _wiresum.checksum), (in4, in4_chksum), (in6, in6_chksum)]
    )


def uninstall() -> None:
    """Put scapy's own functions back."""
    _replacement.uninstall()


def installed() -> bool:
    """Return whether scapy uses the checksums of wiresum."""
    return _replacement.installed
