# SPDX-License-Identifier: MIT OR Apache-2.0
"""What documents say must be so: links lead somewhere, licences stand where they must, shown output is what a run prints.

python3 -m unittest docs/test_docs.py     check
python3 docs/test_docs.py --write         put what a run prints into README.md
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPDX = "SPDX-License-Identifier: MIT OR Apache-2.0"
SOURCES = {".c", ".h", ".rs", ".py", ".sh", ".sv", ".S", ".s", ".cmake", ".toml", ".go"}
SHOWN = "verify examples/office.pcapng"


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


def shown_block():
    """README's block of what the main job prints, made anew."""
    ran = subprocess.run(
        ["cargo", "run", "--release", "--quiet", "--", *SHOWN.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(ran.stderr)
    return f"<!-- verify:begin -->\n```\n$ wiresum {SHOWN}\n{ran.stdout.rstrip()}\n```\n<!-- verify:end -->"


def with_shown_block(readme):
    block = shown_block()
    return re.sub(
        r"<!-- verify:begin -->.*<!-- verify:end -->", lambda _: block, readme, flags=re.DOTALL
    )


class Documents(unittest.TestCase):
    def test_links_lead_to_files(self):
        seen = 0
        for page in tracked():
            if page.suffix != ".md":
                continue
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
                if "://" not in target:
                    seen += 1
                    self.assertTrue(
                        (page.parent / target).exists(),
                        f"{page.relative_to(ROOT)} links to {target}",
                    )
        self.assertGreater(seen, 5)

    def test_the_kernel_read_line_by_line_is_the_kernel(self):
        page = (ROOT / "docs/kernels.md").read_text()
        section = page[page.index("## One kernel, line by line") :]
        file = re.search(r"\]\(\.\./(c/kernels/\w+\.c)\)", section).group(1)
        code = [line.strip() for line in (ROOT / file).read_text().splitlines()]
        shown = [
            line.strip()
            for block in re.findall(r"```c\n(.*?)```", section, re.DOTALL)
            for line in block.splitlines()
        ]
        self.assertGreater(len(shown), 20)
        self.assertEqual(
            [line for line in shown if line != "..." and line not in code], [], f"not in {file}"
        )

    def test_paths_in_code_font_exist(self):
        # `c/src/checksum.c` and the like: a path with a folder of ours at its head, and no placeholder in it.
        folders = {
            path.relative_to(ROOT).parts[0]
            for path in tracked()
            if len(path.relative_to(ROOT).parts) > 1
        }
        for page in tracked():
            if page.suffix != ".md" or page.name == "CHANGELOG.md":
                continue
            for path in re.findall(r"`([\w.-]+/[\w./-]*)`", page.read_text()):
                if path.split("/")[0] in folders - {"build"}:
                    self.assertTrue(
                        (ROOT / path).exists() or (page.parent / path).exists(),
                        f"{page.relative_to(ROOT)} names {path}",
                    )

    def test_every_source_has_its_licence_line(self):
        seen = 0
        for source in tracked():
            if source.suffix in SOURCES or source.name in ("check", "run", "CMakeLists.txt"):
                seen += 1
                with self.subTest(source.relative_to(ROOT)):
                    self.assertIn(SPDX, "".join(source.read_text().splitlines(keepends=True)[:5]))
        self.assertGreater(seen, 50)

    def test_readme_shows_what_a_run_prints(self):
        readme = (ROOT / "README.md").read_text()
        self.assertEqual(
            readme, with_shown_block(readme), "again: python3 docs/test_docs.py --write"
        )

    def test_readme_shows_the_newest_record(self):
        ran = subprocess.run(
            [sys.executable, ROOT / "bench/record.py", "--check"], capture_output=True, text=True
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        page = ROOT / "README.md"
        page.write_text(with_shown_block(page.read_text()))
    else:
        unittest.main()
