# SPDX-License-Identifier: MIT OR Apache-2.0
"""Functions of this machine: load them, call them, time them."""

import ctypes
import functools
from pathlib import Path

from .build import library


@functools.cache
def _clock():
    clock = ctypes.CDLL(str(library(Path(__file__).with_name("native.c")))).lab_time
    clock.restype = ctypes.c_double
    clock.argtypes = [
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_uint,
        ctypes.c_uint,
    ]
    return clock


def functions(path, names):
    """{name: function} of a library, each uint64_t (const void *, size_t)."""
    loaded, found = ctypes.CDLL(str(path)), {}
    for name in names:
        function = getattr(loaded, name)
        function.restype, function.argtypes = ctypes.c_uint64, [ctypes.c_void_p, ctypes.c_size_t]
        found[name] = function
    return found


def buffer(data, alignment=64):
    """(address, owner) of a copy of the data at an aligned address. Keep the owner while the
    address is in use."""
    owner = ctypes.create_string_buffer(len(data) + alignment)
    address = -(-ctypes.addressof(owner) // alignment) * alignment
    ctypes.memmove(address, data, len(data))
    return address, owner


def nanoseconds(function, address, length, total=200_000, rounds=80):
    """Of one call: the best of `rounds`, each of about `total` bytes."""
    calls = max(total // max(length, 64), 1)
    return _clock()(ctypes.cast(function, ctypes.c_void_p), address, length, calls, rounds)
