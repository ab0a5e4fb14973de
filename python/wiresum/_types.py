# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of arguments that several functions take."""

from typing import Any, Protocol


class _Buffer(Protocol):
    """What collections.abc.Buffer is, which Python 3.11 does not have."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class _NumPyArray(Protocol):
    """An array of NumPy, whose types say only from Python 3.12 on that it is a buffer."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


Buffer = _Buffer | _NumPyArray
"""An object with bytes: bytes, bytearray, memoryview, mmap, an array of NumPy."""
