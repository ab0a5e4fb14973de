# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts the operations that a WebAssembly program executes between two marks.

    fuel.py FILE PROGRAM [ARGUMENT...]    write the counts into FILE, one a line

wasmtime takes a unit of fuel for each operation, except for those that are no work: nop, block,
loop and drop.
"""

import sys

import wasmtime


def main():
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    store.set_fuel(2**62)
    wasi = wasmtime.WasiConfig()
    wasi.argv = sys.argv[2:]
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    store.set_wasi(wasi)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    marks = []
    linker.define_func(
        "count", "mark", wasmtime.FuncType([], []), lambda: marks.append(store.get_fuel())
    )
    start = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[2])).exports(
        store
    )["_start"]
    try:
        start(store)
    except wasmtime.ExitTrap as end:
        if end.code:
            return end.code
    with open(sys.argv[1], "w") as out:
        out.writelines(
            f"{begin - end}\n" for begin, end in zip(marks[::2], marks[1::2], strict=False)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
