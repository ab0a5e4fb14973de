# SPDX-License-Identifier: MIT OR Apache-2.0
"""A short run of the real program: every section produces numbers that hang together, the table shows them, and a browser the page."""

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from matplotlib import image

ROOT = Path(__file__).resolve().parents[1]


def wiresum(*words):
    return subprocess.run(
        ["cargo", "run", "--release", "--quiet", "--", "bench", *words],
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
        for section in ("sizes", "mixes", "latency", "headers", "batch", "page_end"):
            rows = self.rows(section=section)
            self.assertGreaterEqual(len(rows), 3, section)
            for row in rows:
                self.assertTrue(0 < row["min_ns"] <= row["median_ns"], row)
        self.assertEqual(len({row["mix"] for row in self.rows(section="mixes")}), 7)
        self.assertEqual(
            {row["level"] for row in self.rows(section="sizes")} & {"L1", "L2"}, {"L1", "L2"}
        )

    def test_numbers_hang_together(self):
        # A loop at -O3 over 16 KiB takes many times what it takes over 1 KiB: nothing was left out by a compiler.
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
            self.assertEqual(charts, 4, "sums and copies, at two alignments")
            lines = {
                (row["operation"], row["contender"])
                for row in self.report["rows"]
                if row["section"] == "sizes" and row["role"] in ("library", "kernel")
            }
            self.assertEqual(
                dom.count("<polyline"), 2 * len(lines) + charts
            )  # at two alignments, and the limits
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


if __name__ == "__main__":
    unittest.main()
