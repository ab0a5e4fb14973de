# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runner of the parts: time limits, CPU times, and what counts as a failure.

python3 -m unittest discover -s .ci
"""

import argparse
import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from evidence.checks import check, needs  # noqa: E402
from evidence.checks.parts import PARTS, Part  # noqa: E402

SPIN = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.4: pass"]
REQUIRED = (ROOT / ".ci/run").read_text().partition("required=(")[2].partition(")")[0].split()


class Commands(unittest.TestCase):
    def test_the_cpu_time_includes_that_of_children(self):
        child = [sys.executable, "-c", f"import subprocess; subprocess.run({SPIN!r})"]
        status, cpu = check.run_command(child, 60)
        self.assertEqual(status, 0)
        self.assertGreater(cpu, 0.35)

    def test_a_command_is_stopped_with_all_its_children(self):
        with tempfile.TemporaryDirectory() as folder:
            pid = Path(folder, "pid")
            script = f"sleep 600 & echo $! >{pid}; wait"
            begin = time.monotonic()
            status, _ = check.run_command(["sh", "-c", script], 0.5)
            self.assertIsNone(status)
            self.assertLess(time.monotonic() - begin, 30)
            self.assert_gone(int(pid.read_text()))

    def test_what_a_command_leaves_in_the_background_ends_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            pid = Path(folder, "pid")
            status, _ = check.run_command(["sh", "-c", f"sleep 600 & echo $! >{pid}"], 60)
            self.assertEqual(status, 0)
            self.assert_gone(int(pid.read_text()))

    def assert_gone(self, pid):
        for _ in range(100):
            try:
                state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return
            if state == "Z":
                return
            time.sleep(0.05)
        self.fail(f"process {pid} still runs")

    def test_ctrl_c_ends_what_runs(self):
        # A shell lets what it starts in the background ignore SIGINT, and children inherit that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with tempfile.TemporaryDirectory() as folder:
            pid = Path(folder, "pid")
            script = f"""
import sys, unittest.mock
sys.path.insert(0, {str(ROOT)!r})
from evidence.checks import check
from evidence.checks.parts import Part
command = ["sh", "-c", "echo $$ >{pid}; exec sleep 600"]
check.PARTS[:] = [Part("sleeps", "", [command])]
sys.argv[1:] = ["--no-install", "sleeps"]
sys.exit(check.main())
"""
            for number in (signal.SIGINT, signal.SIGTERM):
                program = subprocess.Popen(
                    [sys.executable, "-c", script], stdout=subprocess.DEVNULL
                )
                while not (pid.exists() and pid.read_text().strip()):
                    self.assertIsNone(program.poll())
                    time.sleep(0.05)
                program.send_signal(number)
                self.assertEqual(program.wait(timeout=60), 130)
                self.assert_gone(int(pid.read_text()))
                pid.unlink()

    def test_an_exit_status_is_reported(self):
        self.assertEqual(check.run_command(["sh", "-c", "exit 3"], 60)[0], 3)
        self.assertEqual(check.run_command(["sh", "-c", "kill -9 $$"], 60)[0], -9)

    def test_a_limit_grows_with_the_part_and_with_the_machine(self):
        short, long = Part("a", "", [], seconds=10), Part("b", "", [], seconds=200)
        self.assertGreaterEqual(check.limit(short, 1), 5 * 60)
        self.assertGreaterEqual(check.limit(long, 1), 5 * long.seconds)
        self.assertEqual(check.limit(long, 3), 3 * check.limit(long, 1))
        recorded = Part("c", "", [], seconds=10, whole=200)
        self.assertEqual(check.limit(recorded, 1), check.limit(long, 1))
        self.assertGreaterEqual(check.slowness(), 1)


class Runs(unittest.TestCase):
    """The whole program, with parts of the test's own."""

    def check(self, parts, *words):
        with (
            tempfile.TemporaryDirectory() as logs,
            mock.patch.object(check, "PARTS", parts),
            mock.patch.object(check, "LOGS", ROOT / "build" / Path(logs).name),
            mock.patch.object(sys, "argv", ["check", "--no-install", *words]),
            contextlib.redirect_stdout(io.StringIO()) as out,
        ):
            return check.main(), out.getvalue()

    def test_a_part_that_passes_has_its_cpu_time_in_the_table(self):
        status, out = self.check([Part("spin", "spins", [SPIN])], "spin")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"(?m)^spin +passed +\d+ s +[01] s +spins$")
        self.assertTrue(out.endswith("1 passed, 0 failed\n"), out)

    def test_a_command_that_fails_is_a_failure(self):
        status, out = self.check([Part("no", "fails", [["sh", "-c", "exit 4"]])], "no")
        self.assertEqual(status, 1)
        self.assertIn("exit status 4", out)
        self.assertTrue(out.endswith("0 passed, 1 failed\n"), out)

    def test_a_part_that_was_named_and_could_not_run_is_a_failure(self):
        parts = [Part("lacks", "never runs", [["true"]], needs=["apt:no-such-package"])]
        status, out = self.check(parts, "lacks")
        self.assertEqual(status, 1)
        self.assertIn("lacks is required, and did not run", out)
        self.assertTrue(out.endswith("0 passed, 1 failed\n"), out)
        status, out = self.check(parts, "all")
        self.assertEqual(status, 0, "all runs what it can")
        self.assertTrue(out.endswith("0 passed, 0 failed\n"), out)

    def test_a_recorded_result_is_named_and_fresh_reaches_the_part(self):
        script = 'test -n "$WIRESUM_FRESH" && echo whole || echo "recorded, inputs unchanged"'
        parts = [Part("kept", "has a record", [["sh", "-c", script]])]
        with mock.patch.dict(os.environ):
            os.environ.pop("WIRESUM_FRESH", None)
            self.assertIn("recorded, inputs unchanged: has a record", self.check(parts, "kept")[1])
            _, fresh = self.check(parts, "--fresh", "kept")
        self.assertNotIn("recorded, inputs unchanged", fresh)


class Parts(unittest.TestCase):
    def test_the_parts_fit_the_time_of_continuous_integration(self):
        """90 minutes on two cores, some of which take 2.5 times as long."""
        total = sum(part.seconds for part in PARTS) / 60
        self.assertLessEqual(total, 65, "core-minutes")

    def test_every_required_part_exists_and_every_part_is_required(self):
        names = {part.name for part in PARTS}
        self.assertEqual(set(REQUIRED) - {"kernels"}, names - {"advisories"})

    def test_a_part_waits_only_for_parts_that_exist(self):
        for part in PARTS:
            if part.after:
                parser = argparse.ArgumentParser()
                self.assertTrue(check.choose(parser, part.after.split()), part.name)

    def test_a_tool_of_cargo_is_found_where_it_is_installed(self):
        with tempfile.TemporaryDirectory() as home:
            tool = Path(home, "wiresum/cargo/bin/wiresum-test-tool")
            tool.parent.mkdir(parents=True)
            tool.write_text("#!/bin/sh\n")
            tool.chmod(0o755)
            self.assertFalse(needs.have("cargo:wiresum-test-tool"))
            path = f"{os.environ['PATH']}:{tool.parent}"
            with mock.patch.dict(os.environ, PATH=path):
                self.assertTrue(needs.have("cargo:wiresum-test-tool"))
            # ./check puts that folder into the PATH.
            script = (ROOT / "check").read_text()
            self.assertIn("${XDG_CACHE_HOME:-$HOME/.cache}/wiresum/cargo/bin", script)


if __name__ == "__main__":
    unittest.main()
