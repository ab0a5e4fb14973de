# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of the package: mypy and pyright in strict mode, and the stubs against the module."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import wiresum

PYTHON = Path(__file__).resolve().parents[1]


class Types(unittest.TestCase):
    """The folder has the settings of the checkers, the package as it is installed, with its
    compiled module, and a program that uses it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        # The tests of the engines check those, because the packages of engines are there.
        engines = shutil.ignore_patterns("ray.py", "spark.py")
        shutil.copytree(Path(wiresum.__file__).parent, cls.folder / "wiresum", ignore=engines)
        for name in ("pyproject.toml", "tests/typed.py"):
            shutil.copy(PYTHON / name, cls.folder)

    def run_module(self, *words):
        ran = subprocess.run(
            [sys.executable, "-m", *words], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return ran.stdout

    def test_mypy(self):
        out = self.run_module("mypy", "--strict", "wiresum", "typed.py")
        self.assertIn("Success: no issues found", out)

    def test_pyright(self):
        # pyarrow has no types, so the engines are read for what they promise alone.
        files = sorted(self.folder.glob("wiresum/*.py*"))
        files = [file for file in files if file.suffix in (".py", ".pyi")]
        words = ("--pythonpath", sys.executable, *map(str, files), "typed.py")
        out = self.run_module("pyright", *words)
        self.assertIn("0 errors, 0 warnings", out)

    def test_the_stubs_are_those_of_the_module(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as allowed:
            # Python 3.11 has the buffer protocol in C alone.
            allowed.write("wiresum._wiresum.Column.__buffer__\n")
            allowed.flush()
            words = ("--allowlist", allowed.name, "--ignore-unused-allowlist", "wiresum")
            words = ("--mypy-config-file", "pyproject.toml", *words)
            self.assertIn("Success", self.run_module("mypy.stubtest", *words))


if __name__ == "__main__":
    unittest.main()
