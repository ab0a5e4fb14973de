#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""zig cc, as the C compiler that c/tests/run expects: for WebAssembly `zig cc -c a.c b.c` writes the object of a.c alone, so
each source is compiled by a call of its own. What zig builds of its C library is kept in build/zig."""

import os
import subprocess
import sys
from pathlib import Path

CACHE = str(Path(__file__).resolve().parents[3] / "build" / "zig")


def main():
    env = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": CACHE, "ZIG_LOCAL_CACHE_DIR": CACHE}
    words = sys.argv[1:]
    sources = [word for word in words if word.endswith(".c")]
    if "-c" not in words or "-o" in words:
        return subprocess.run([sys.executable, "-m", "ziglang", "cc", *words], env=env).returncode
    others = [word for word in words if word not in sources]
    return max(
        subprocess.run([sys.executable, "-m", "ziglang", "cc", *others, source], env=env).returncode
        for source in sources
    )


if __name__ == "__main__":
    sys.exit(main())
