# SPDX-License-Identifier: MIT OR Apache-2.0
"""What documents say is true: links lead to files, shown output is what a run prints, counts agree.

python3 -m unittest discover -s evidence/documents  checks
python3 -m evidence.documents.test_docs --write     puts what a run prints into README.md
"""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

from evidence.bench.archives import tables as archives
from evidence.documents import generated, tested

ROOT = Path(__file__).resolve().parent.parent.parent
SPDX = "SPDX-License-Identifier: MIT OR Apache-2.0"
SOURCES = {".c", ".cpp", ".h", ".rs", ".py", ".sh", ".sv", ".svh", ".S", ".s", ".cmake", ".toml"}
SOURCES |= {".go", ".css", ".html", ".ts"}
SHOWN = "verify examples/office.pcapng"
COLUMNS = 100
# Sources with wide lines, by the beginning of their name: the reason is in the comment next to it.
WIDE = (
    "spec/make_vectors.py",  # packets in hexadecimal, and a sentence for each vector
    "cli/tests/cli/",  # what the program prints
)


def tracked():
    """The files of the project: what git has, or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def pages():
    return [path for path in tracked() if path.suffix == ".md"]


def is_source(path):
    return path.suffix in SOURCES or path.name in ("check", "run", "CMakeLists.txt")


def shown_block():
    """README's block of what the main job prints, made anew. The build is the one that the tests
    use."""
    ran = subprocess.run(
        ["cargo", "run", "--quiet", "--", *SHOWN.split()], cwd=ROOT, capture_output=True, text=True
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(ran.stderr)
    return f"```\n$ wiresum {SHOWN}\n{ran.stdout.rstrip()}\n```"


class Documents(unittest.TestCase):
    def test_links_lead_to_files(self):
        seen = 0
        for page in pages():
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
                if "://" not in target:
                    seen += 1
                    self.assertTrue(
                        (page.parent / target).exists(),
                        f"{page.relative_to(ROOT)} links to {target}",
                    )
        self.assertGreater(seen, 5)

    def test_the_kernel_read_line_by_line_is_the_kernel(self):
        folder = ROOT / "c/kernels"
        page = (folder / "README.md").read_text()
        section = page[page.index("## One kernel, line by line") :]
        file = re.search(r"\]\((\w+\.c)\)", section).group(1)
        code = [line.strip() for line in (folder / file).read_text().splitlines()]
        shown = [
            line.strip()
            for block in re.findall(r"```c\n(.*?)```", section, re.DOTALL)
            for line in block.splitlines()
        ]
        self.assertGreater(len(shown), 20)
        absent = [line for line in shown if line != "..." and line not in code]
        self.assertEqual(absent, [], f"not in {file}")

    def test_paths_in_code_font_exist(self):
        # A path begins with a folder of ours and holds no placeholder: `c/src/checksum.c`.
        parts = [path.relative_to(ROOT).parts for path in tracked()]
        folders = {names[0] for names in parts if len(names) > 1} - {"build"}
        for page in pages():
            for path in re.findall(r"`([\w.-]+/[\w./-]*)`", page.read_text()):
                if path.split("/")[0] in folders:
                    self.assertTrue(
                        (ROOT / path).exists() or (page.parent / path).exists(),
                        f"{page.relative_to(ROOT)} names {path}",
                    )

    def test_functions_in_code_font_exist(self):
        # `wiresum_sum` is in a header, and so is `wiresum_sum()`.
        headers = "".join(path.read_text() for path in (ROOT / "c/include").glob("*.h"))
        declared = set(re.findall(r"\bwiresum_\w+", headers))
        seen = 0
        for page in (ROOT / "README.md", ROOT / "c/README.md", ROOT / "spec/checksum.md"):
            for name in re.findall(r"`(wiresum_\w+)(?:\(\))?`", page.read_text()):
                seen += 1
                self.assertIn(name, declared, page.name)
        self.assertGreater(seen, 25)

    def test_line_references_lead_to_lines(self):
        # `dispatch.c:12` in a document or a comment names a line that the file has.
        files = {}
        for path in tracked():
            files.setdefault(path.name, []).append(path)
        for source in tracked():
            if source.suffix != ".md" and not is_source(source):
                continue
            for name, line in re.findall(
                r"\b([\w-]+\.(?:c|h|rs|py|sv)):(\d+)\b", source.read_text()
            ):
                for file in files.get(name, []):
                    with self.subTest(f"{source.relative_to(ROOT)} names {name}:{line}"):
                        self.assertLessEqual(int(line), len(file.read_text().splitlines()))

    def test_counts_are_true(self):
        vectors = json.loads((ROOT / "spec/vectors.json").read_text())
        cases = sum(len(group) for group in vectors.values() if isinstance(group, list))
        for page in (ROOT / "README.md", ROOT / "docs/CHANGELOG.md"):
            said = re.findall(r"([\d,]+)\s+(?:cases|test\s+vectors)", page.read_text())
            self.assertEqual(said, [f"{cases:,}"], page.name)
        visible = {path.relative_to(ROOT).parts[0] for path in tracked()}
        self.assertLessEqual(len([name for name in visible if name[0] != "."]), 21)

    def test_every_source_has_its_license_line(self):
        seen = 0
        for source in tracked():
            if is_source(source) and source.suffix != ".html":
                seen += 1
                with self.subTest(source.relative_to(ROOT)):
                    self.assertIn(SPDX, "".join(source.read_text().splitlines(keepends=True)[:5]))
        self.assertGreater(seen, 50)

    def test_lines_have_at_most_100_columns(self):
        for source in tracked():
            name = str(source.relative_to(ROOT))
            if not is_source(source) or name.startswith(WIDE) or source.name == "Cargo.toml":
                continue
            lines = source.read_text().splitlines()
            long = [number for number, line in enumerate(lines, 1) if len(line) > COLUMNS]
            with self.subTest(name):
                self.assertEqual(long, [], "lines that are too long")

    def test_readme_shows_what_a_run_prints(self):
        _, shown, _ = generated.parts_of("README.md", "verify")
        again = "again: python3 -m evidence.documents.test_docs --write"
        self.assertEqual(shown.strip(), shown_block(), again)

    def test_readme_shows_the_newest_record(self):
        ran = subprocess.run(
            [sys.executable, "-m", "evidence.bench.record", "--check"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_the_tables_of_archives_are_those_of_the_record(self):
        for file, name, make in archives.TABLES:
            with self.subTest(file, table=name):
                stands = generated.parts_of(file, name)[1].strip()
                again = "again: python3 -m evidence.bench.archives.tables --write"
                self.assertEqual(stands, make().strip(), again)

    def test_the_numbers_of_what_is_tested_are_true(self):
        for file, name, make in tested.TABLES:
            with self.subTest(name):
                stands = generated.parts_of(file, name)[1].strip()
                self.assertEqual(
                    stands, make().strip(), "again: python3 -m evidence.documents.tested --write"
                )


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        generated.write("README.md", "verify", shown_block())
    else:
        unittest.main()
