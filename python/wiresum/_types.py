# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of arguments that several functions take."""

from typing import Protocol


class Buffer(Protocol):
    """An object with bytes: bytes, bytearray, memoryview, mmap, an array of NumPy. It is
    collections.abc.Buffer, which Python 3.11 does not have.
    """

    def __buffer__(self, flags: int, /) -> memoryview: ...
