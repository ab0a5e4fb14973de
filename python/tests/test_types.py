# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of the package: mypy and pyright in strict mode, and the stubs against the module."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


class Types(unittest.TestCase):
    def run_module(self, *words):
        ran = subprocess.run(
            [sys.executable, "-m", *words], cwd=PACKAGE, capture_output=True, text=True
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return ran.stdout

    def test_mypy(self):
        out = self.run_module("mypy", "--strict", "wiresum", "tests/typed.py")
        self.assertIn("Success: no issues found", out)

    def test_pyright(self):
        out = self.run_module(
            *("pyright", "--pythonpath", sys.executable, "wiresum", "tests/typed.py")
        )
        self.assertIn("0 errors, 0 warnings", out)

    def test_the_stubs_are_those_of_the_module(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as allowed:
            # Python 3.11 has the buffer protocol in C alone.
            allowed.write("wiresum._wiresum.Column.__buffer__\n")
            allowed.flush()
            words = ("--allowlist", allowed.name, "--ignore-unused-allowlist", "wiresum")
            self.assertIn("Success", self.run_module("mypy.stubtest", *words))


if __name__ == "__main__":
    unittest.main()
