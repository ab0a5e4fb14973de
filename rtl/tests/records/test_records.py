# SPDX-License-Identifier: MIT OR Apache-2.0
"""A bounded run repeats a sample only if nothing that it computes from has changed."""

import contextlib
import io
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from rtl import records, run
from rtl.environment import PACKAGES, Failed
from rtl.formal import prove
from rtl.sources import ROOT
from rtl.tests import simulate
from rtl.tests.testbenches import TESTBENCHES

# For each part: a file of its inputs, text in it, and other text.
CHANGES = {
    "sim": [
        ("rtl/src/engine/wiresum_engine.sv", "clear = stop && quiet", "clear = stop"),
        ("rtl/src/tcoe/tcoe_adder.sv", "always_ff", "always"),
        ("rtl/models/npi_memory.sv", "posedge", "negedge"),
        ("rtl/driver/tcoe.c", "TCOE", "TC0E"),
        ("rtl/tests/engine/test_engine.py", "assert", "assert not"),
        ("rtl/tests/simulate.py", "jobs[:10000]", "jobs[:100]"),
        ("rtl/tests/system/harness.cpp", "tick", "tack"),
        ("spec/vectors.json", "00", "01"),
        ("rtl/results.json", '"1": [35.2', '"1": [35.3'),
        ("rtl/README.md", "| 2639 |", "| 2640 |"),
    ],
    "formal": [
        ("rtl/src/stream/wiresum_queue.sv", "push_at", "push_to"),
        ("rtl/src/engine/engine.f", "wiresum_engine.sv", "wiresum_engine_.sv"),
        ("rtl/formal/queue.svh", "assert", "assume"),
        ("rtl/formal/queue.svh", "// property ", "// invariant "),
        ("rtl/formal/lemmas.sv", "// property ", "// invariant "),
        ("rtl/formal/proof.py", "depth: int = 3", "depth: int = 2"),
        ("rtl/formal/prove.py", "mode {task}", "mode bmc"),
    ],
    "synth": [
        ("rtl/src/stream/wiresum_sum_stream.sv", "carry", "carried"),
        ("rtl/synth/synthesize.py", "-flatten", ""),
        ("rtl/results.json", '"xc7 LUT": ', '"xc7 LUT": 1'),
        ("rtl/README.md", "500 to 663 LUT4", "500 to 664 LUT4"),
    ],
}


class Records(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for folder in ("rtl", "spec"):
            shutil.copytree(ROOT / folder, self.root / folder)
        self.enterContext(mock.patch.dict(os.environ))
        for name in ("WIRESUM_FRESH", *records.CHOOSERS.values()):
            os.environ.pop(name, None)
        for part in records.PARTS:
            records.keep(part, records.digest(part, self.root), f"{part}'s result", self.root)

    def recorded(self, part, **more):
        return records.recorded(part, self.root, **more)

    def test_unchanged(self):
        for part in records.PARTS:
            self.assertEqual(self.recorded(part), f"{part}'s result")
        for part in ("lint", "crossover"):
            self.assertIsNone(self.recorded(part))

    def test_each_change_makes_the_run_whole(self):
        for part, changes in CHANGES.items():
            for name, old, new in changes:
                path = self.root / name
                text = path.read_text()
                self.assertTrue(old in text, f"{name}: {old}")
                path.write_text(text.replace(old, new))
                self.assertIsNone(self.recorded(part), f"{part}: {name}: {old}")
                path.write_text(text)
                self.assertTrue(self.recorded(part))
            added = self.root / "rtl/src/stream/wiresum_new.sv"
            added.write_text("module wiresum_new;\nendmodule\n")
            self.assertIsNone(self.recorded(part), f"{part}: a new file")
            added.unlink()
            self.assertIsNone(self.recorded(part, packages=PACKAGES[1:]), "other packages")

    def test_comments_are_no_input(self):
        for part in records.PARTS:
            for name, comment in (
                ("rtl/src/stream/wiresum_queue.sv", "\n// More.\n"),
                ("rtl/driver/tcoe.h", "\n/* More.\n * And more. */\n"),
                ("rtl/tests/simulate.py", "\n# More.\n"),
            ):
                path = self.root / name
                path.write_text(path.read_text().rstrip() + comment)
            if part != "sim":  # an empty line of a script counts, for a string may have it
                self.assertTrue(self.recorded(part), part)

    def test_the_environment(self):
        for name, parts in (
            ("WIRESUM_FRESH", records.PARTS),
            *((chooser, [part]) for part, chooser in records.CHOOSERS.items()),
        ):
            with mock.patch.dict(os.environ, {name: "1"}):
                for part in parts:
                    self.assertIsNone(self.recorded(part), name)

    def test_a_record_is_of_a_whole_run_of_these_inputs(self):
        with mock.patch.dict(os.environ, {"WIRESUM_SIM": "bus"}), self.assertRaises(Failed):
            records.keep("sim", records.digest("sim", self.root), "", self.root)
        with self.assertRaises(Failed):
            records.keep("sim", "of other inputs", "", self.root)

    def test_what_runs(self):
        """A changed input has the whole bounded run, an unchanged one the sample, and says so."""
        for known, wanted in (("its result", "sample"), (None, "run")):
            with (
                mock.patch.object(records, "recorded", return_value=known),
                mock.patch.object(simulate, "run") as whole,
                mock.patch.object(simulate, "sample") as sample,
                contextlib.redirect_stdout(io.StringIO()) as said,
            ):
                run.run_part("sim", True, False)
                run.run_part("sim", False, False)
            self.assertEqual(sample.called, wanted == "sample")
            self.assertEqual(
                whole.mock_calls,
                [mock.call(False)] if known else [mock.call(True), mock.call(False)],
            )
            self.assertEqual("recorded, inputs unchanged" in said.getvalue(), bool(known))

    def test_a_failed_run_keeps_nothing(self):
        with (
            mock.patch.object(records, "keep") as kept,
            mock.patch.object(prove, "run", side_effect=Failed),
            self.assertRaises(Failed),
        ):
            run.run_part("formal", True, True)
        kept.assert_not_called()

    def test_the_samples_are_parts_of_the_runs(self):
        jobs = {job[4] for job in prove.jobs(True)}
        self.assertLess(set(prove.SAMPLE), jobs)
        benches = {name for name, b in TESTBENCHES.items() if "icarus" in b.bounded}
        self.assertLess(set(simulate.SAMPLE), benches)
