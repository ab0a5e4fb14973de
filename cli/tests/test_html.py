# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page of `verify --html` in a browser.

The page shows the numbers of --json, in both color schemes, on a desk and on a phone. It loads
nothing. `./check report` installs the modules that this test needs, and runs it:

    build/venv/bin/python -m unittest discover -s cli/tests -p test_html.py
"""

import csv
import json
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
STATUSES = ["good", "bad", "unverified", "absent", "illegal"]
HOSTILE = """<img src=x onerror=alert(1)>&"'.pcap"""
# The least WCAG 2 contrast of all texts with their backgrounds, and the number of texts. axe checks
# contrast too, but passes over the texts of which it cannot tell the background.
CONTRAST = """() => {
  const parse = color => (color.match(/[\\d.]+/g) || []).map(Number);
  const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) =>
    .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
  const background = element => getComputedStyle(element).backgroundColor;
  const isTransparent = element => (parse(background(element))[3] ?? 1) == 0;
  const hasText = element =>
    [...element.childNodes].some(node => node.nodeType == 3 && node.data.trim());
  let least = 99, seen = 0;
  for (const element of document.querySelectorAll('body *')) {
    if (!hasText(element) || element.closest('svg') || !element.getClientRects().length) continue;
    let backdrop = element;
    while (backdrop && isTransparent(backdrop)) backdrop = backdrop.parentElement;
    const text = light(parse(getComputedStyle(element).color));
    const paper = light(parse(background(backdrop || document.body)));
    const contrast = (Math.max(text, paper) + .05) / (Math.min(text, paper) + .05);
    least = Math.min(least, contrast);
    seen++;
  }
  return [least, seen];
}"""


def report(folder, *captures):
    """The page of these captures, and the JSON of the same run. The CSV lies next to the page."""
    page = Path(folder) / "report.html"
    verify = ["cargo", "run", "--quiet", "--", "verify", "--json", "--html", page]
    command = [*verify, "--csv", page.with_suffix(".csv"), *captures]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        raise RuntimeError(ran.stderr)
    return page, json.loads(ran.stdout)


class Html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.enterClassContext(cls.scratch)
        hostile = Path(cls.scratch.name) / HOSTILE
        hostile.write_bytes((ROOT / "examples/corrupted.pcap").read_bytes())
        names = "office.pcapng tunnels-offload.pcap corrupted.pcap snapped.pcap cooked-v1.pcap"
        captures = [ROOT / "examples" / name for name in names.split()]
        cls.page, cls.json = report(cls.scratch.name, *captures, hostile)
        playwright = cls.enterClassContext(sync_playwright())
        cls.browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        cls.addClassCleanup(cls.browser.close)

    def open(self, scheme="light", width=1280, page=None):
        """The page in a new tab. `said` collects its messages, and `asked` its requests."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        self.addCleanup(context.close)
        tab, self.said, self.asked = context.new_page(), [], []
        tab.on("console", lambda message: self.said.append(message.text))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("dialog", lambda dialog: (self.said.append("a dialog"), dialog.dismiss()))
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.goto((page or self.page).as_uri())
        return tab

    def number(self, tab, of):
        value = tab.locator(f'section[aria-label="Totals"] data[data-of="{of}"]')
        return int(value.get_attribute("value"))

    def test_numbers_equal_the_json(self):
        tab, files = self.open(), self.json["files"]
        self.assertEqual(self.number(tab, "packets"), sum(file["packets"] for file in files))
        self.assertEqual(
            self.number(tab, "captured_bytes"), sum(file["captured_bytes"] for file in files)
        )
        self.assertEqual(self.number(tab, "malformed"), sum(file["malformed"] for file in files))
        for status in STATUSES:
            of_all = sum(counts[status] for file in files for counts in file["checksums"].values())
            self.assertEqual(self.number(tab, status), of_all, status)
        tables = tab.locator("details.file").all()
        self.assertEqual(len(tables), len(files))
        for table, file in zip(tables, files, strict=True):
            for protocol, counts in file["checksums"].items():
                for status in STATUSES if any(counts.values()) else []:
                    cell = table.locator(f'data[data-of="{protocol}.{status}"]')
                    self.assertEqual(
                        int(cell.get_attribute("value")),
                        counts[status],
                        (file["path"], protocol, status),
                    )
            entered = table.locator('data[data-of="not_entered"]').all()
            self.assertEqual(
                sum(int(frames.get_attribute("value")) for frames in entered),
                sum(file["not_entered"].values()),
                file["path"],
            )
        kinds = tab.locator("table.cards data[data-of^='kind.']").all()
        self.assertEqual(
            sum(int(kind.get_attribute("value")) for kind in kinds),
            self.number(tab, "bad") + self.number(tab, "illegal"),
        )
        self.assertEqual(self.said, [])

    def test_senders_equal_the_csv(self):
        with self.page.with_suffix(".csv").open(newline="") as rows:
            wrong = [
                row
                for row in csv.DictReader(rows)
                if row["status"] in ("bad", "illegal") and row["quoted"] == "false"
            ]
        expected = Counter(
            (row["source"], row["protocol"], row["cause"] or "illegal") for row in wrong
        )
        shown, rows = Counter(), self.open().locator("table.senders tbody tr").all()
        for row in rows:
            source, protocol, kind, n, _ = [
                cell.inner_text().strip() for cell in row.locator("th, td").all()
            ]
            kind = kind.split()[0]  # the page distinguishes kinds of offload, and CSV does not
            shown[source, protocol, kind] += int(n.replace(",", ""))
        self.assertGreater(len(rows), 5)
        if len(rows) < 20:  # all of them
            self.assertEqual(shown, expected)
        else:
            least = min(shown.values())
            self.assertEqual(
                {sender for sender in expected if expected[sender] > least} - set(shown), set()
            )
            self.assertEqual([sender for sender in shown if shown[sender] > expected[sender]], [])

    def test_first_explanation_is_open_and_others_open_at_a_click(self):
        examples = self.open().locator("details.example").all()
        self.assertGreater(len(examples), 5)
        self.assertEqual(
            [example.locator("pre").is_visible() for example in examples],
            [True] + [False] * (len(examples) - 1),
        )
        examples[-1].locator("summary").click()
        self.assertTrue(examples[-1].locator("pre").is_visible())
        self.assertIn("0x", examples[-1].locator("pre").inner_text())

    def test_charts_have_visible_bars(self):
        tab = self.open()
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        charts = tab.locator("svg.bars").all()
        self.assertGreaterEqual(len(charts), 5)
        for chart in charts:
            bars = chart.locator("rect").all()
            self.assertGreater(len(bars), 0)
            for bar in bars:
                box = bar.bounding_box()
                self.assertTrue(box["height"] >= 2 and box["width"] >= 1, box)
            self.assertRegex(
                chart.get_attribute("aria-label"), r"^Wrong checksums from \d{4}-\d\d-\d\d "
            )

    def test_page_is_legible_and_accessible_in_both_schemes_at_both_widths(self):
        papers = {}
        for scheme in ("light", "dark"):
            for width in (1280, 390):
                with self.subTest(scheme=scheme, width=width):
                    tab = self.open(scheme, width)
                    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
                    least, seen = tab.evaluate(CONTRAST)
                    self.assertGreater(seen, 200)
                    self.assertGreaterEqual(least, 4.5)
                    self.assertLessEqual(
                        tab.evaluate("document.documentElement.scrollWidth"),
                        width,
                        "nothing is wider than the screen",
                    )
                    papers[scheme] = tab.evaluate("getComputedStyle(document.body).backgroundColor")
                    # The policy of the page forbids scripts, and axe is one: a copy has no policy.
                    copy = self.page.with_name("copy.html")
                    copy.write_text(
                        self.page.read_text().replace("Content-Security-Policy", "x-none")
                    )
                    found = Axe().run(self.open(scheme, width, copy))
                    self.assertEqual(found.violations_count, 0, found.generate_report())
        self.assertNotEqual(papers["light"], papers["dark"])

    def test_page_loads_nothing_and_escapes_all(self):
        tab = self.open()
        self.assertEqual(
            [url for url in self.asked if not url.startswith("data:")], [self.page.as_uri()]
        )
        self.assertEqual((self.said, tab.locator("img, script").count()), ([], 0))
        self.assertIn(HOSTILE, tab.locator("body").inner_text())
        self.assertTrue(tab.pdf().startswith(b"%PDF"), "it prints")

    def test_page_without_bad_checksums(self):
        page, _ = report(
            self.enterContext(tempfile.TemporaryDirectory()), ROOT / "examples/offload-off.pcap"
        )
        tab = self.open(page=page)
        self.assertIn("checksums are right.", tab.locator("p.headline").inner_text())
        self.assertEqual((tab.locator("svg, .example").count(), self.said), (0, []))


if __name__ == "__main__":
    unittest.main()
