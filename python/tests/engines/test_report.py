# SPDX-License-Identifier: MIT OR Apache-2.0
"""`wiresum report` of a folder of results shows what `wiresum verify` shows of the captures.

python3 -m unittest discover -s python/tests/engines -p test_report.py
"""

import re
import shlex
import tempfile
import unittest
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import wiresum
from archives import SPLIT, ArchiveTest, beside_examples, documented, page, printed
from captures import ROOT, many, program
from wiresum.engines import _results
from wiresum.engines._parts import on_threads


class Report(ArchiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.results = cls.scratch / "results"
        cls.written = _results.write(
            str(cls.archive), str(cls.results), run=on_threads(3), split=SPLIT
        )
        cls.verified = page("verify", cls.archive)

    def test_the_page_is_that_of_verify(self):
        self.assertGreater(self.written.parts, self.written.captures)
        self.assertEqual(len(self.written.problems), 2)
        text, status = self.verified
        self.assertEqual(status, 2)
        for words in self.written.problems.values():
            self.assertIn(words, text)
        self.assertGreater(text.count("<pre"), 20)
        self.assertGreater(text.count('<figure class="chart">'), 5)
        self.assertEqual(page("report", self.results), self.verified)

    def test_the_other_outputs_are_those_of_verify(self):
        for options in (
            ["--json"],
            ["--brief"],
            ["--brief", "--only-bad", "--allow", "offload"],
            ["--only-bad"],
            ["--quiet"],
            [],
        ):
            with self.subTest(options=options):
                expected = program("verify", *options, self.archive)
                found = program("report", *options, self.results)
                self.assertEqual(found.stdout, expected.stdout)
                self.assertEqual(found.stderr, expected.stderr)
                self.assertEqual(found.returncode, expected.returncode)

    def test_one_capture_alone(self):
        """Its page has one chart and its name as the title, and its times their own digits."""
        for name in ("office.pcapng", "tunnels-offload.pcap", "offload-off.pcap"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                capture = ROOT / "examples" / name
                wiresum.duckdb.write(str(capture), folder)
                self.assertEqual(page("report", folder), page("verify", capture))

    def test_the_captures_are_not_read_again(self):
        away = self.archive.rename(self.scratch / "away")
        self.addCleanup(away.rename, self.archive)
        self.assertEqual(page("report", self.results), self.verified)

    def test_a_run_that_was_cut_off(self):
        """A capture without all parts is an error."""
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        results = archive / "results"
        good = archive / "good.pcap"
        good.write_bytes((ROOT / "examples/vlan.pcap").read_bytes())
        large = many(archive / "large.pcap", 4)
        written = _results.write([str(good), str(large)], str(results), split=SPLIT)
        self.assertEqual(page("report", results), page("verify", good, large))
        parts = written.parts - 1
        (path,) = results.glob("counts/*.parquet")
        rows = pq.read_table(path, partitioning=None)
        is_cut = pc.and_(
            pc.starts_with(rows["capture"].cast("string"), "large"), pc.equal(rows["part"], 1)
        )
        pq.write_table(rows.filter(pc.invert(is_cut)), path)
        found = program("report", "--json", results)
        expected = program("verify", "--json", good)
        said = (
            f"the folder of results lacks 1 of its {parts} parts; start `write` again, which goes "
            "on where it was cut off"
        )
        self.assertEqual(found.stderr, f"wiresum: {large}: {said}\n")
        self.assertEqual(found.returncode, 2)
        without_errors = re.sub(r'"errors": \[.*\]', '"errors": []', found.stdout, flags=re.DOTALL)
        self.assertEqual(without_errors, expected.stdout)

    def test_the_documentation(self):
        (_, write) = documented("duckdb")
        commands = re.findall(
            r"```sh\n(.*?)```", (ROOT / "python/archives.md").read_text(), re.DOTALL
        )
        (command,) = [command for command in commands if "wiresum report" in command]
        with beside_examples() as here:
            printed(write)
            name, *arguments = shlex.split(command)
            self.assertEqual(name, "wiresum")
            ran = program(*arguments)
            expected = program("verify", "--html", "expected.html", "--brief", "examples")
            self.assertEqual((ran.stdout, ran.returncode), (expected.stdout, 1))
            self.assertEqual(ran.stderr, "")
            made = (here / "report.html").read_text()
            self.assertEqual(made, (here / "expected.html").read_text())


if __name__ == "__main__":
    unittest.main()
