#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""zig cc, as the C compiler that c/tests/run expects.

For WebAssembly `zig cc -c a.c b.c` writes only the object of a.c, so this program compiles each
source by a call of its own. zig keeps what it builds of its C library in the user's cache folder,
for all clones.
"""

import os
import subprocess
import sys


def main():
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "zig")
    env = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
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
