#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""zig cc, as the C compiler that c/tests/run expects.

For WebAssembly `zig cc -c a.c b.c` writes only the object of a.c, so this program compiles each
source by a call of its own. build/zig keeps what zig builds of its C library.
"""

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
