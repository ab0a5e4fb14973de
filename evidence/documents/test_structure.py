# SPDX-License-Identifier: MIT OR Apache-2.0
"""The structure that docs/design.md draws: no circles, and nothing uses what is built on it."""

import os
import unittest

from evidence.documents import structure
from evidence.documents.test_docs import ROOT, tracked

SUFFIXES = (".py", ".pyi", ".rs", ".c", ".h", ".cpp", ".toml")
# Circles that stay, by the folder of their files, with the reason.
CIRCLES = {
    "packet/src/walk": "a packet may be in a packet of any other protocol",
}
RINGS = [  # each may use those before it
    {"spec"},
    {"bpf", "c", "cli", "go", "packet", "python", "rtl", "rust", "web"},
    {"evidence"},
    {"release"},
    {"docs", "examples", "site"},
]
# The crates with modules. The types of the crate `wiresum` convert into each other.
CRATES = ("packet", "cli", "cli/measure", "python")
MOST_ENTRIES = 22  # of the root that a listing shows


def unlisted(graph):
    """The circles of files that are not all in one folder of CIRCLES."""
    return [
        circle
        for circle in structure.circles(graph)
        if not any(all(f.startswith(f"{folder}/") for f in circle) for folder in CIRCLES)
    ]


def within(graph, folder):
    """The part of a graph that is in a folder."""
    return {
        file: {other for other in used if other.startswith(f"{folder}/")}
        for file, used in graph.items()
        if file.startswith(f"{folder}/")
    }


def modules(graph, crate):
    """The graph of the modules of a crate, without its root: each file of src/, and each folder
    with the file of its name."""

    def module(file):
        return file.removeprefix(f"{crate}/src/").removesuffix(".rs").split("/")[0]

    found = {}
    for file, used in within(graph, f"{crate}/src").items():
        others = {module(other) for other in used} - {module(file), "lib", "main"}
        found.setdefault(module(file), set()).update(others)
    return {name: used for name, used in found.items() if name not in ("lib", "main")}


def outward(graph):
    """Each use of an outer ring, as a pair of folders."""
    ring = {folder: number for number, folders in enumerate(RINGS) for folder in folders}
    return sorted(
        (folder, other)
        for folder, used in structure.folders(graph, 1).items()
        for other in used
        if folder and other and ring[folder] < ring[other]
    )


class Structure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        paths = [path for path in tracked() if path.suffix in SUFFIXES]
        cls.files = {path.relative_to(ROOT).as_posix(): path.read_text() for path in paths}
        cls.graph = structure.whole(cls.files)

    def planted(self, path, text):
        """The graph with text at the end of a file."""
        read = structure.LANGUAGES[os.path.splitext(path)[1]]
        files = {**self.files, path: self.files.get(path, "") + text}
        return {**self.graph, **read(files)}

    def test_no_circle_of_files(self):
        self.assertEqual(unlisted(self.graph), [])

    def test_each_listed_circle_is_there(self):
        circles = structure.circles(self.graph)
        for folder in CIRCLES:
            self.assertTrue(any(f.startswith(f"{folder}/") for c in circles for f in c), folder)

    def test_no_circle_of_folders(self):
        self.assertEqual(structure.circles(structure.folders(self.graph, 1)), [])
        parts = structure.folders(within(self.graph, "evidence"), 2)
        self.assertEqual(structure.circles(parts), [])

    def test_no_circle_of_modules(self):
        for crate in CRATES:
            found = modules(self.graph, crate)
            self.assertTrue(any(found.values()), crate)
            self.assertEqual(structure.circles(found), [], crate)

    def test_no_use_of_an_outer_ring(self):
        self.assertEqual(outward(self.graph), [])

    def test_the_root_has_few_entries(self):
        names = {path.relative_to(ROOT).parts[0] for path in tracked()}
        visible = sorted(name for name in names if not name.startswith("."))
        self.assertLessEqual(len(visible), MOST_ENTRIES, visible)
        folders = {name for name in visible if (ROOT / name).is_dir()}
        self.assertEqual(folders, set.union(*RINGS))

    def test_the_graph_has_every_language(self):
        """Uses that are there now, one of each kind."""
        for file, other in (
            ("c/src/checksum.c", "c/src/dispatch.h"),
            ("c/tests/vectors.c", "c/tests/test.h"),
            ("c/tests/test.h", "c/include/wiresum.h"),
            ("cli/Cargo.toml", "packet/Cargo.toml"),
            ("evidence/bench/tcp/Cargo.toml", "c/Cargo.toml"),
            ("cli/src/verify/json.rs", "cli/src/verify/counted.rs"),
            ("packet/src/walk/gre.rs", "packet/src/walk/ethernet.rs"),
            ("evidence/lab/tcoe/limits.py", "rtl/results.py"),
            ("evidence/lab/tcoe/limits.py", "evidence/lab/tcoe/crossover.py"),
            ("rtl/tests/bus/test_bus.py", "rtl/tests/bench.py"),
            ("python/wiresum/engines/ray.py", "python/wiresum/engines/_files.py"),
        ):
            self.assertIn(other, self.graph[file], file)

    def test_a_planted_circle_of_files_is_found(self):
        for path, text, other in (
            ("rtl/results.py", "def late():\n    from rtl import figures\n", "rtl/figures.py"),
            ("rtl/tests/bench.py", "import streams\n", "rtl/tests/streams.py"),
            ("python/wiresum/engines/_files.py", "from . import _parts\n", "_parts.py"),
            ("c/src/kernel.h", '#include "dispatch.h"\n', "c/src/dispatch.h"),
            ("packet/src/verdict.rs", "use crate::tally::Tally;\n", "packet/src/tally.rs"),
            ("packet/src/verdict.rs", "use crate::{sink::{Sink}};\n", "packet/src/sink.rs"),
            ("packet/src/verdict.rs", "fn f() { crate::tally::f() }\n", "packet/src/tally.rs"),
            ("packet/src/verdict.rs", "use super::tally::*;\n", "packet/src/tally.rs"),
        ):
            with self.subTest(path, text=text):
                circles = unlisted(self.planted(path, text))
                self.assertTrue(
                    any(path in c and any(f.endswith(other) for f in c) for c in circles), circles
                )

    def test_no_circle_is_found_in_comments(self):
        for path, text in (
            ("rtl/results.py", '# import rtl.figures\n"""import rtl.figures"""\n'),
            (
                "packet/src/verdict.rs",
                '// crate::tally::Tally\nfn f() { "crate::tally::Tally"; }\n',
            ),
        ):
            with self.subTest(path):
                self.assertEqual(self.planted(path, text)[path], self.graph[path])

    def test_a_planted_circle_of_folders_is_found(self):
        folders = structure.folders(self.planted("c/tests/new.py", "from rtl import run\n"), 1)
        self.assertEqual(structure.circles(folders), [["c", "rtl"]])
        manifest = '[build-dependencies]\nwiresum-cli = { path = "../cli" }\n'
        folders = structure.folders(self.planted("rust/Cargo.toml", manifest), 1)
        self.assertIn("cli", structure.circles(folders)[0])
        graph = self.planted("evidence/bench/new.py", "from evidence.documents import tested\n")
        parts = structure.folders(within(graph, "evidence"), 2)
        self.assertEqual(structure.circles(parts), [["evidence/bench", "evidence/documents"]])

    def test_a_planted_circle_of_modules_is_found(self):
        graph = self.planted("cli/src/args.rs", "use crate::explain::Explanation;\n")
        (circle,) = structure.circles(modules(graph, "cli"))
        self.assertTrue({"args", "explain"}.issubset(circle), circle)
        self.assertEqual(modules(self.graph, "packet")["walk"] & {"capture"}, {"capture"})

    def test_a_planted_use_of_an_outer_ring_is_found(self):
        graph = self.planted("go/new.py", "from evidence import generated\n")
        self.assertEqual(outward(graph), [("go", "evidence")])


if __name__ == "__main__":
    unittest.main()
