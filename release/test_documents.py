# SPDX-License-Identifier: MIT OR Apache-2.0
"""What documents say about installation: it works today, and one program says what is not released.

python3 -m unittest release.test_documents
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from release import documents, version
from release.make import ROOT, tracked

# A line that only a registry with a release understands.
FROM_REGISTRY = re.compile(
    r"(?:pipx?|uv pip) install [^\n`]*?(?<![\w/.-])wiresum(?![\w./*-])"
    r"|uvx (?!--from)[^\n`]*wiresum"
    r"|npm (?:install|i|add) (?:\S+ )*wiresum"
    r"|cargo (?:install|add|binstall) (?!--path)(?:--(?!path)\S+ )*wiresum(?![\w/]*/)"
    r"|go get github\.com/wiresum/wiresum"
    r"|(?:brew|apt(?:-get)?|conan|vcpkg) install [^\n`]*wiresum"
)
# A sentence about a release that is to come.
TO_COME = re.compile(
    r"no release yet|not (?:yet )?(?:been )?released|(?:before|after) the first release"
    r"|not (?:yet )?on (?:PyPI|npm|crates\.io)",
    re.IGNORECASE,
)
# What says how releases work, and what a release is.
ABOUT = {"docs/releases.md", "docs/CHANGELOG.md"}
READ = (".md", ".astro", ".html", ".rs", ".toml")


def said(root, pattern):
    """Each place outside of generated parts where a document or a message says this."""
    for name in tracked():
        path = root / name
        outside = ("release/", "evidence/bench/results/", "site/src/install.json")
        if not name.endswith(READ) or name.startswith(outside) or name in ABOUT:
            continue
        text = path.read_text(errors="replace")
        text = re.sub(r"<!-- install:begin.*?<!-- install:end -->", "", text, flags=re.DOTALL)
        for match in pattern.finditer(text):
            yield f"{name}: {match[0]}"


class Documents(unittest.TestCase):
    def test_generated_parts_are_up_to_date(self):
        ran = subprocess.run(
            [sys.executable, "-m", "release.documents", "--check"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        again = "again: python3 -m release.documents --write"
        self.assertEqual(ran.returncode, 0, ran.stdout + again)

    def test_every_line_for_an_installation_works_today(self):
        self.assertEqual([*said(ROOT, FROM_REGISTRY)], [])

    def test_one_program_says_what_is_not_released(self):
        self.assertEqual([*said(ROOT, TO_COME)], [])

    def test_the_search_finds_a_line(self):
        for line in (
            *("pip install wiresum", "pip install 'wiresum[ray]'", "pip install -U wiresum numpy"),
            *("npm install wiresum", "npm i -D wiresum", "uvx wiresum verify x"),
            *("cargo install wiresum-cli --features live", "cargo add wiresum"),
            *("cargo install --locked wiresum-cli", "go get github.com/wiresum/wiresum/go"),
            *("brew install wiresum", "sudo apt install wiresum"),
        ):
            self.assertRegex(line, FROM_REGISTRY)
        for line in (
            *("pip install ./python", "pip install './python[ray]'", "npm install ./build/web/npm"),
            *("cargo install --path cli", "cargo add --path ../wiresum/rust wiresum"),
            *("pip install wiresum-*.tar.gz", "cargo install --locked --path cli"),
        ):
            self.assertNotRegex(line, FROM_REGISTRY)
        for line in ("wiresum has no release yet", "after the first release", "not released"):
            self.assertRegex(line, TO_COME)

    def test_a_release_changes_every_generated_part(self):
        """In a copy with a release, no part says that there is none, and each system has a line."""
        with tempfile.TemporaryDirectory() as place:
            root = Path(place)
            names = ("Cargo.toml", "CITATION.cff", "go/go.mod", version.CHANGELOG, documents.SITE)
            for name in names:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, root / name)
            for file, _, _ in documents.TABLES:
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / file, root / file)
            for folder in ("release", "evidence"):
                (root / folder).mkdir(exist_ok=True)
                for file in (ROOT / folder).glob("*.py"):
                    shutil.copy(file, root / folder)
            before = {file: (root / file).read_text() for file, _, _ in documents.TABLES}
            for words in (
                ["release.version", "--released", "2027-01-02"],
                ["release.documents", "--write"],
                ["release.documents", "--check"],
            ):
                ran = subprocess.run(
                    [sys.executable, "-m", *words], cwd=root, capture_output=True, text=True
                )
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            for file, name, _ in documents.TABLES:
                if name == "install":
                    text = (root / file).read_text()
                    self.assertIn("no release yet", before[file])
                    self.assertNotIn("no release yet", text)
            readme = (root / "README.md").read_text()
            for line in ("pip install wiresum", "npm install wiresum", "| Debian | macOS |"):
                self.assertIn(line, readme)
            self.assertNotIn("no release yet", (root / documents.SITE).read_text())


if __name__ == "__main__":
    unittest.main()
