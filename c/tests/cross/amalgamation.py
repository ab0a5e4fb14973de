# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles the library as one file for every target, with warnings as errors.

python3 -m c.tests.cross.amalgamation
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from .targets import ROOT, TARGETS, compile_one

STRICT = ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "c/amalgamate.py", folder], check=True)
        for target in TARGETS:
            to = Path(folder, f"{target.name}.o")
            compile_one(target, Path(folder, "wiresum.c"), to, STRICT)
            print(f"{target.name}: {to.stat().st_size} bytes")


if __name__ == "__main__":
    main()
