# SPDX-License-Identifier: MIT OR Apache-2.0
"""Each block of the guide and of the README runs, and prints what the page says.

python -m unittest discover -s python/tests -p test_guide.py     compares
python python/tests/test_guide.py --write                        puts what runs print into the guide
"""

import contextlib
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "python/guide.md"
BLOCK = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def printed(code, names):
    """What a block prints. It runs in a folder of its own, in which examples/ are."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, GUIDE.name, "exec"), names)
    return out.getvalue()


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        os.symlink(ROOT / "examples", "examples")
        yield Path(name)


class Guide(unittest.TestCase):
    def test_each_block_prints_what_the_guide_says(self):
        text, names = GUIDE.read_text(), {"__name__": "guide"}
        blocks = BLOCK.findall(text)
        self.assertEqual(len(blocks), text.count("```python\n"))
        self.assertGreater(len(blocks), 7)
        with folder() as here:
            for code, said in blocks:
                self.assertEqual(printed(code, names), said, code)
                self.assertGreater(len(said), 5, code)
            self.assertIn("<svg", (here / "bad-sums.svg").read_text())

    def test_the_readme_runs(self):
        text = (ROOT / "python/README.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertEqual(len(blocks), 1)
        with folder():
            lines = printed(blocks[0], {}).splitlines()
        self.assertEqual(len(lines), 142)
        self.assertEqual(lines[0].split()[3], "offload")


def write():
    names = {"__name__": "guide"}

    def block(found):
        return f"```python\n{found[1]}```\n\n```text\n{printed(found[1], names)}```"

    text = GUIDE.read_text()
    with folder():
        text = BLOCK.sub(block, text)
    GUIDE.write_text(text)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
