# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of the engines, by mypy in strict mode, with the packages of the engines.

python3 -m unittest discover -s python/tests/engines -p test_engine_types.py
"""

import subprocess
import sys
import unittest

from archives import ROOT


class Types(unittest.TestCase):
    def test_mypy(self):
        ran = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "-p", "wiresum.engines"],
            cwd=ROOT / "python",
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("Success: no issues found in 8 source files", ran.stdout)


if __name__ == "__main__":
    unittest.main()
