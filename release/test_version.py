# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command release.version, in a copy of the project.

python3 -m unittest release.test_version
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from release import version
from release.make import ROOT, tracked

NEW, NEXT = "7.8.9", "7.8.10"
# What has the old version for a reason of its own.
OTHERS = re.compile(
    r"evidence/bench/(results|rivals|captures/rival)/|web/bindgen/|go/|.*package-lock\.json"
)
TEXT = {".toml", ".lock", ".md", ".h", ".build", ".map", ".core", ".cff", ".py", ".rs", ".ts"}
TEXT |= {".json", ".txt", ".rb", ".nix", ".cmake", ".yaml", ".yml", ".in", ""}


def command(root, *words):
    words = [sys.executable, "-m", "release.version", "--root", root, *words]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)


def places(root, old):
    """Every line that has the old version, and not the version of another crate or package."""
    whole = re.compile(rf"(?<![\d.]){re.escape(old)}(?![\d.])")
    for name in tracked():
        path = root / name
        if OTHERS.match(name) or path.suffix not in TEXT:
            continue
        text = path.read_text(errors="replace")
        if path.name == "Cargo.lock":  # crates of others, and programs that keep a version
            text = re.sub(r'(?m)^name = "(?!wiresum(-|")).*\nversion = .*$', "", text)
            text = re.sub(r'(?m)^name = "wiresum-(rivals|bench-tcp)"\nversion = .*$', "", text)
        for line in text.splitlines():
            if whole.search(line) and not re.match(r'\w[\w-]* = ("|\{ version = ")', line):
                yield f"{name}: {line}"


class Version(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        for name in tracked():
            if (ROOT / name).stat().st_size < 1_000_000:
                (cls.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, cls.root / name)
        cls.old = version.current()
        cls.ran = command(cls.root, NEW)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_no_old_version_is_left(self):
        self.assertEqual(self.ran.returncode, 0, self.ran.stderr)
        self.assertEqual([*places(self.root, self.old)], [])
        self.assertGreater(len([*places(self.root, NEW)]), 10)
        self.assertEqual(version.current(self.root), NEW)

    def test_the_search_finds_an_old_version(self):
        for name in ("c/README.md", "release/recipes/vcpkg/vcpkg.json", "Cargo.lock"):
            path = self.root / name
            kept = path.read_text()
            path.write_text(f'{kept}\nname = "wiresum-new"\nversion {self.old}\n')
            found = [*places(self.root, self.old)]
            path.write_text(kept)
            self.assertEqual([place.split(":")[0] for place in found], [name])

    def test_cargo_accepts_its_lock_files(self):
        for manifest in (
            *("Cargo.toml", "packet/fuzz/Cargo.toml", "site/programs/Cargo.toml"),
            *("evidence/bench/tcp/Cargo.toml", "evidence/bench/rivals/Cargo.toml"),
        ):
            words = ["cargo", "metadata", "--locked", "--offline", "--format-version=1"]
            words += ["--manifest-path", self.root / manifest]
            ran = subprocess.run(words, capture_output=True, text=True)
            said = ran.stderr.replace("attempting to make an HTTP request", "")
            self.assertNotIn("lock file", said, manifest)
            self.assertTrue(ran.returncode == 0 or "offline" in said, said)

    def test_the_header_and_the_symbols_have_it(self):
        header = (self.root / "c/include/wiresum_inline.h").read_text()
        numbers = re.findall(r"define WIRESUM_VERSION_\w+ (\d+)", header)
        self.assertEqual(".".join(numbers), NEW)
        self.assertIn("WIRESUM_7 {", (self.root / "c/wiresum.map").read_text())
        self.assertEqual(version.interface("0.3.1"), "0.3")

    def test_the_changelog(self):
        """The section that nobody has released becomes the new version's. After a release, the next
        version gets a section of its own."""
        path = self.root / version.CHANGELOG
        kept = path.read_text()
        self.assertIn(f"## {NEW} (unreleased)", kept)
        self.assertFalse(version.is_released(self.root))
        self.assertEqual(command(self.root, "--released", "2027-01-02").returncode, 0)
        self.assertTrue(version.is_released(self.root))
        self.assertIn("date-released: 2027-01-02\n", (self.root / "CITATION.cff").read_text())
        again = command(self.root, "--released", "2027-01-03")
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("is released already", again.stderr)
        self.assertEqual(command(self.root, NEXT).returncode, 0)
        found = [(number, date) for number, date, _ in version.sections(self.root)]
        self.assertEqual(found[:2], [(NEXT, None), (NEW, "2027-01-02")])
        self.assertTrue(version.is_released(self.root))
        self.assertEqual(command(self.root, NEW).returncode, 0)
        path.write_text(kept)

    def test_wrong_words(self):
        for words, said in (
            (["1.2"], "three numbers"),
            (["v1.2.3"], "three numbers"),
            (["1.2.3", "--released", "2027-01-01"], "one of them"),
            (["--released", "soon"], "invalid"),
            ([NEW], f"version {NEW} already"),
        ):
            ran = command(self.root, *words)
            self.assertEqual(ran.returncode, 2, words)
            self.assertIn(said, ran.stderr)
        self.assertEqual(version.current(self.root), NEW)


if __name__ == "__main__":
    unittest.main()
