# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs a WebAssembly program under wasmtime, with its arguments, environment and standard input."""

import os
import sys

import wasmtime


def main():
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    wasi = wasmtime.WasiConfig()
    wasi.argv = sys.argv[1:]
    wasi.env = list(os.environ.items())
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    store.set_wasi(wasi)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    start = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1])).exports(
        store
    )["_start"]
    try:
        start(store)
    except wasmtime.ExitTrap as end:
        return end.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
