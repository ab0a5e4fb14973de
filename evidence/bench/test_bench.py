# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests of a short run of `wiresum bench`, of its table and its page, and of the records' tools."""

import io
import itertools
import json
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from matplotlib import image

from evidence.bench import chart, readme, record
from evidence.bench.families import family

ROOT = Path(__file__).resolve().parents[2]


def wiresum(*words):
    return subprocess.run(
        [
            "cargo",
            "run",
            "--quiet",
            "-p",
            "wiresum-cli",
            "--features",
            "bench",
            "--",
            "bench",
            *words,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = json.loads(wiresum("--quick", "--json"))

    def rows(self, **wanted):
        return [
            row
            for row in self.report["rows"]
            if all(row[key] == value for key, value in wanted.items())
        ]

    def test_what_sums_was_verified(self):
        entries = self.report["contenders"]
        self.assertTrue({"wiresum", "portable"} <= {entry["name"] for entry in entries})
        for entry in entries:
            self.assertTrue(entry["verified"] or entry["role"] == "yardstick", entry)

    def test_every_section_has_numbers(self):
        for section in (
            *("memory", "sizes", "page_offsets", "mixes"),
            *("latency", "headers", "batch", "page_end"),
        ):
            rows = self.rows(section=section)
            self.assertGreaterEqual(len(rows), 3, section)
            for row in rows:
                self.assertTrue(0 < row["min_ns"] <= row["median_ns"], row)
        self.assertEqual(len({row["mix"] for row in self.rows(section="mixes")}), 8)
        self.assertEqual(
            {row["level"] for row in self.rows(section="sizes")} & {"L1", "L2"}, {"L1", "L2"}
        )

    def test_numbers_hang_together(self):
        # A loop takes longer over 16 KiB than over 1 KiB by about as much, unless a compiler left
        # calls out.
        time = {
            row["bytes"]: row["min_ns"]
            for row in self.rows(
                section="sizes", operation="sum", contender="portable", alignment=0
            )
        }
        self.assertGreater(time[16384], 8 * time[1024])
        if self.report["machine"]["cycles_per_tick"]:
            for row in self.rows(contender="portable"):
                self.assertLess(row["bytes_per_cycle"], 129, row)  # two loads of 512 bits

    def test_each_kernel_copies_to_places_of_a_page(self):
        kernels = {row["contender"] for row in self.rows(section="sizes", operation="copy")}
        sizes = {row["bytes"] for row in self.rows(section="sizes", operation="copy", alignment=14)}
        rows = self.rows(section="page_offsets")
        self.assertEqual({row["contender"] for row in rows}, kernels)
        self.assertEqual({row["bytes"] for row in rows}, sizes)
        self.assertEqual({(row["operation"], row["alignment"]) for row in rows}, {("copy", 14)})
        best = [row for row in rows if row["contender"] == "memcpy"]
        self.assertEqual({row["of_limit"] for row in best}, {1.0})

    def test_mixes_of_unforeseen_lengths_have_a_limit_without_a_branch(self):
        unforeseen = {"IMIX", "uniform 0-1500", "uniform 64-256", "uniform 1-64"}
        limits = [row for row in self.rows(section="mixes") if "no branch" in row["contender"]]
        self.assertEqual({row["mix"] for row in limits}, unforeseen)
        for row in limits:
            self.assertEqual((row["role"], row["operation"]), ("yardstick", "sum"))
        # The limit of a case is the fastest of its yardsticks, those without a branch included.
        for mix in unforeseen:
            rows = self.rows(section="mixes", operation="sum", mix=mix, level="L1", alignment=14)
            best = min(row["min_ns"] for row in rows if row["role"] == "yardstick")
            for row in rows:
                self.assertAlmostEqual(row["of_limit"], best / row["min_ns"], places=6)

    def test_the_sum_is_measured_behind_a_pointer_as_rivals_are(self):
        for bytes_ in (20, 40, 64):
            for alignment in (0, 14):
                wanted = {"section": "sizes", "bytes": bytes_, "alignment": alignment}
                rows = self.rows(contender="wiresum_sum, by pointer", **wanted)
                self.assertEqual([row["role"] for row in rows], ["library"])

    def test_new_pages_and_cpuid_are_apart(self):
        rows = {row["contender"]: row for row in self.rows(section="memory")}
        ns = {name: row["min_ns"] for name, row in rows.items()}
        self.assertEqual("CPUID" in ns, self.report["machine"]["architecture"].startswith("x86"))
        # The system answers each first access, and loads of pages in use are loads alone.
        for first in ("first load of a page", "first store to a page"):
            self.assertGreater(ns[first], 5 * ns["load, one line of each page"])
        for copy in ("wiresum_copy", "memcpy"):
            self.assertGreater(ns[f"{copy}, to new pages"], ns[f"{copy}, to pages in use"])
        self.assertIn("wiresum_copy, first huge one", ns)
        self.assertEqual({row["of_limit"] for row in rows.values()}, {None})

    def test_a_copy_of_4_kib_tells_who_else_used_the_core(self):
        core = self.report["machine"]["core"]
        self.assertGreater(core["best"], 10)
        self.assertGreater(core["rounds"], 500)
        self.assertEqual(core["shared"], 10 * core["slow_rounds"] > core["rounds"])
        of_cases = [row["core"] for row in self.report["rows"]]
        self.assertTrue(all(times > 0.5 for times in of_cases), of_cases)
        self.assertAlmostEqual(max(of_cases), core["most"], places=6)

    def test_a_shared_core_is_in_the_table_and_on_the_page(self):
        core = {"best": 64.0, "rounds": 100, "slow_rounds": 40, "most": 1.5, "shared": True}
        for shared, word in ((True, "SHARED"), (False, "not shared"), (None, None)):
            report = json.loads(json.dumps(self.report))
            report["machine"]["core"] = core | {"shared": shared}
            if shared is None:  # a report that lacks the member
                del report["machine"]["core"]
                for row in report["rows"]:
                    del row["core"]
            with tempfile.TemporaryDirectory() as folder:
                path, page = Path(folder) / "report.json", Path(folder) / "page.html"
                path.write_text(json.dumps(report))
                table = wiresum("--from", str(path), "--html", str(page))
                for text in (table, page.read_text()):
                    self.assertEqual(word is not None, "a memcpy of 4 KiB took more" in text)
                    self.assertIn(word or "latency", text)

    def test_the_table_shows_all(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.json"
            path.write_text(json.dumps(self.report))
            text = wiresum("--from", str(path))
        machine = self.report["machine"]
        for part in (
            machine["cpu"],
            machine["c_compiler"],
            machine["date"],
            machine["commit"],
            "IMIX",
            "latency",
            "memcpy",
            "wiresum_batch",
            "the mean over places of the destination in its page",
            "apart from the steady state",
            "first store to a page",
            "load-only",
            "no branch",
            "uniform 64-256",
            "wiresum_sum, by pointer",
        ):
            self.assertIn(part, text)

    def test_the_page_opens(self):
        self.assertTrue(
            shutil.which("chromium"), "chromium draws the page: apt-get install chromium"
        )
        with tempfile.TemporaryDirectory() as folder:
            report, page = Path(folder) / "report.json", Path(folder) / "page.html"
            report.write_text(json.dumps(self.report))
            wiresum("--from", str(report), "--html", str(page))
            text = page.read_text()
            self.assertNotIn("<script", text)
            self.assertEqual(
                [], [at for at in re.findall(r'(?:src|href)="([^"]*)"', text) if at != "data:,"]
            )
            browser = [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                f"--user-data-dir={folder}/profile",
            ]
            dom = subprocess.run(
                [*browser, "--dump-dom", page.as_uri()],
                capture_output=True,
                text=True,
                timeout=240,
                check=True,
            ).stdout
            charts = dom.count('class="limit"')
            self.assertEqual(charts, 5, "sums and copies at two alignments, and at places")
            lines = {
                (row["operation"], row["contender"])
                for row in self.report["rows"]
                if row["section"] == "sizes" and row["role"] in ("library", "kernel")
            }
            copies = [line for line in lines if line[0] == "copy"]
            self.assertEqual(
                dom.count("<polyline"), 2 * len(lines) + len(copies) + charts
            )  # at two alignments, copies over places in a page, and the limits
            for points in re.findall(r'<polyline[^>]* points="([^"]*)"', dom):
                places = [tuple(map(float, point.split(","))) for point in points.split()]
                self.assertGreater(len(places), 8)
                self.assertEqual(places, sorted(places))
                self.assertTrue(all(0 <= x <= 1000 and 0 <= y <= 200 for x, y in places), points)
            corners = {}
            for name, scheme in (("dark", 0), ("light", 1)):
                shot = Path(folder) / f"{name}.png"
                subprocess.run(
                    [
                        *browser,
                        f"--blink-settings=preferredColorScheme={scheme}",
                        "--window-size=1200,1500",
                        f"--screenshot={shot}",
                        page.as_uri(),
                    ],
                    capture_output=True,
                    timeout=240,
                    check=True,
                )
                pixels = image.imread(shot)[..., :3]
                self.assertGreater(pixels.std(), 0.02, "something is drawn")
                corners[name] = pixels[0, 0].mean()
            self.assertLess(corners["dark"], 0.2)
            self.assertGreater(corners["light"], 0.95)


class Families(unittest.TestCase):
    def test_a_family_has_the_name_that_people_use(self):
        for cpu, folder, name in (
            ("AMD EPYC (family 25, model 17)", "amd-zen4", "AMD Zen 4"),
            ("AMD EPYC-Genoa (family 25, model 160)", "amd-zen4c", "AMD Zen 4c"),
            ("AMD EPYC (family 26, model 2)", "amd-zen5", "AMD Zen 5"),
            (
                "Intel(R) Xeon(R) Processor (family 6, model 207)",
                "intel-emerald-rapids",
                "Intel Emerald Rapids",
            ),
        ):
            self.assertEqual(family(cpu), (folder, name))

    def test_an_unknown_cpu_has_its_numbers(self):
        found = family("AMD Future (family 99, model 2)")
        self.assertEqual(found, ("amd-family-99-model-2", "AMD family 99 model 2"))
        self.assertEqual(family("ARM Neoverse-N1")[0], "arm-neoverse-n1")


class Records(unittest.TestCase):
    def test_each_record_is_in_the_folder_of_its_family(self):
        for kept in readme.records():
            self.assertEqual(kept.folder.name, family(kept.machine["cpu"])[0])

    def test_a_table_has_its_unit_in_its_head_and_at_most_eight_rows(self):
        for kept in readme.records():
            head, _, *rows = readme.table(kept)
            self.assertTrue(head.startswith(f"| {kept.unit} |"), head)
            self.assertEqual(kept.unit == "GB/s", kept.machine["cycles_per_tick"] is None)
            self.assertTrue(5 <= len(rows) <= 8, rows)
            ours = kept.rates(readme.SHOWN[0])
            self.assertTrue(set(readme.SIZES) <= set(ours), ours)

    def test_a_chart_is_the_same_each_time_and_readable_in_both_themes(self):
        for kept in readme.records():
            drawn = readme.picture(kept)
            self.assertEqual(drawn, readme.picture(readme.read(kept.folder / "shown.csv")))
            self.assertIn("prefers-color-scheme: dark", drawn)
            self.assertGreaterEqual(drawn.count("<polyline"), 4)
            for points in re.findall(r'points="([^"]*)"', drawn):
                for point in points.split():
                    x, y = map(float, point.split(","))
                    self.assertTrue(chart.LEFT <= x <= chart.RIGHT, point)
                    self.assertTrue(chart.TOP <= y <= chart.BOTTOM, point)

    def test_names_of_lines_do_not_overlap(self):
        places = sorted(chart.spread([100.0, 101.0, 102.0, 300.0]))
        for above, below in itertools.pairwise(places):
            self.assertGreaterEqual(below - above, chart.LABEL)

    def test_a_family_is_not_recorded_twice_without_saying_so(self):
        kept = readme.records()[0]
        with (
            unittest.mock.patch("evidence.bench.record.this_cpu", return_value=kept.machine["cpu"]),
            unittest.mock.patch("evidence.bench.record.measure") as measure,
            self.assertRaisesRegex(SystemExit, "--replace"),
        ):
            record.record(replace=False, anyway=True)
        measure.assert_not_called()

    def fake(self, cpu, per_tick=1.5, core=None):
        """The report of a run on some CPU: what the README shows, each call in ten nanoseconds."""
        rows = []
        for shown in readme.SHOWN:
            for size in (*readme.SIZES, None):
                row = dict.fromkeys(record.COLUMNS)
                row |= {"contender": shown.contenders[0], "role": "rival", "level": "L1"}
                row |= {"section": "sizes", "operation": shown.operation, "alignment": 14}
                row |= {"bytes": float(size or 340), "min_ns": 10.0, "spread": 0.01}
                if size is None:
                    row |= {"section": "mixes", "mix": "IMIX"}
                if per_tick:
                    row |= {"min_cycles": 20.0, "bytes_per_cycle": row["bytes"] / 20.0}
                rows.append(row)
        rows[0]["role"] = "library"
        return {
            "machine": {
                "cpu": cpu,
                "caches": {"l1": 32 << 10},
                "c_compiler": "cc",
                "rust_compiler": "rustc",
                "date": "2026-01-02T03:04:05Z",
                "commit": "1234567890ab",
                "cycles_per_tick": per_tick,
                "core": core,
            },
            "contenders": [
                {"name": shown.contenders[0], "role": "rival", "verified": True, "note": ""}
                for shown in readme.SHOWN
            ],
            "rows": rows,
        }

    def recorded(self, results, report, this_cpu=None, **options):
        """What a record of this report prints, and the records that are then in the folder."""
        this_cpu = this_cpu or report["machine"]["cpu"]
        with (
            unittest.mock.patch("evidence.bench.readme.RESULTS", results),
            unittest.mock.patch("evidence.bench.record.this_cpu", return_value=this_cpu),
            unittest.mock.patch("evidence.bench.record.obstacles", return_value=[]),
            unittest.mock.patch("evidence.bench.record.measure", return_value=report),
            unittest.mock.patch("evidence.bench.record.table", return_value="all figures"),
            unittest.mock.patch("sys.stdout", io.StringIO()) as printed,
        ):
            record.record(**{"replace": False, "anyway": False} | options)
            return printed.getvalue(), readme.records()

    def results(self):
        build = ROOT / "build"
        build.mkdir(exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=build)
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def test_a_cpu_without_a_record_adds_one_and_says_so(self):
        results = self.results()
        cpu = "AMD Future (family 99, model 2)"
        printed, kept = self.recorded(results, self.fake(cpu))
        self.assertIn("amd-family-99-model-2: the first record of AMD family 99 model 2", printed)
        self.assertEqual([each.name for each in kept], ["AMD family 99 model 2"])
        text = "\n".join(readme.section(kept[0]))
        self.assertIn("### AMD family 99 model 2\n", text)
        rows = [line for line in readme.table(kept[0]) if not line.startswith("|---")]
        self.assertEqual(len(rows), 1 + 8)
        self.assertIn("| **wiresum_sum** | yes | 1 | 3.2 | 28.8 | 75 | 205 |", rows[1])

        # A second CPU adds its own record, and the first one stays as it is.
        before = (results / "amd-family-99-model-2/shown.csv").read_bytes()
        arm = self.fake("ARM Neoverse-N1", per_tick=None)
        printed, kept = self.recorded(results, arm)
        self.assertIn("arm-neoverse-n1: the first record of ARM Neoverse-N1", printed)
        self.assertEqual(
            [each.folder.name for each in kept], ["amd-family-99-model-2", "arm-neoverse-n1"]
        )
        self.assertEqual((results / "amd-family-99-model-2/shown.csv").read_bytes(), before)
        # Cycles that nobody knows are not shown.
        rows = readme.table(kept[1])
        self.assertIn("| GB/s |", rows[0])
        self.assertIn("| **wiresum_sum** | yes | 2 | 6.4 | 57.6 | 150 |", rows[2])
        self.assertIn("GB/s over the size", readme.picture(kept[1]))

        # The same CPU again: a record is replaced only where that is asked for.
        with self.assertRaisesRegex(SystemExit, "--replace"):
            self.recorded(results, self.fake(cpu))
        printed, kept = self.recorded(results, self.fake(cpu), replace=True)
        self.assertIn("the new record of AMD family 99 model 2", printed)
        self.assertEqual(len(kept), 2)

    def test_a_record_is_in_the_folder_that_its_own_machine_names(self):
        report = self.fake("AMD EPYC (family 26, model 2)")
        _, kept = self.recorded(self.results(), report, this_cpu="unknown")
        self.assertEqual([each.folder.name for each in kept], ["amd-zen5"])

    def test_a_shared_core_is_no_record_unless_asked_for(self):
        core = {"best": 64.0, "rounds": 100, "slow_rounds": 40, "most": 1.5, "shared": True}
        report = self.fake("AMD Future (family 99, model 2)", core=core)
        with (
            unittest.mock.patch("sys.stderr", io.StringIO()),
            self.assertRaisesRegex(SystemExit, "nothing was recorded"),
        ):
            self.recorded(self.results(), report)
        with unittest.mock.patch("sys.stderr", io.StringIO()):
            _, kept = self.recorded(self.results(), report, anyway=True)
        self.assertIn("slow in 40% of the rounds", kept[0].machine["in_spite_of"][0])

    def test_columns_are_those_of_a_row_and_records_that_lack_one_are_read(self):
        for kept in readme.records():
            self.assertLessEqual(set(kept.rows[0]), set(record.COLUMNS))

    def test_an_obstacle_stops_the_record_before_it_measures(self):
        with (
            unittest.mock.patch(
                "evidence.bench.record.obstacles", return_value=["the core is shared"]
            ),
            unittest.mock.patch("evidence.bench.record.measure") as measure,
            self.assertRaisesRegex(SystemExit, "nothing was measured"),
        ):
            record.record(replace=True, anyway=False)
        measure.assert_not_called()


if __name__ == "__main__":
    unittest.main()
