# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report as a reader gets it: well-formed, self-contained, drawn on a desk and on a phone."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from matplotlib import image

from evidence.lab import build
from evidence.lab.__main__ import DOCUMENTS, experiment, records
from evidence.lab.machines.list import MODELS
from evidence.lab.report import page
from evidence.lab.testing import result

VOID = {"meta", "br", "hr", "img", "link"}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    documents = [(name, experiment(key).DOCUMENT, result(key)) for key, name in DOCUMENTS.items()]
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page.page(documents, MODELS, records(), "a machine", "compilers"))
    return path


def test_well_formed(report):
    class Parser(HTMLParser):
        def __init__(self):
            super().__init__()
            self.open, self.ids = [], []

        def handle_starttag(self, tag, attributes):
            self.ids += [value for name, value in attributes if name == "id"]
            if tag not in VOID:
                self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open and self.open.pop() == tag, self.getpos()

    parser = Parser()
    parser.feed(report.read_text())
    assert not parser.open
    assert len(parser.ids) == len(set(parser.ids)), [
        name for name in parser.ids if parser.ids.count(name) > 1
    ][:3]


def test_self_contained(report):
    text = report.read_text()
    assert "<script" not in text and "@import" not in text
    addresses = re.findall(r'(?:src|href)="([^"#]+)"', text) + re.findall(
        r"url\((?!#)([^)]+)\)", text
    )
    assert not addresses
    assert "#010203" not in text and "#040506" not in text  # the charts' stand-in colors


def test_every_chart_fits_its_page(report):
    charts = re.findall(r"<svg[^>]*>", report.read_text())
    assert len(charts) > 10
    assert all("viewBox=" in head for head in charts)
    # evidence/bench/tcp drew six of them with a width of their own, which the page may reduce.
    assert sum('class="chart"' in head and " width=" not in head for head in charts) + 6 == len(
        charts
    )
    assert "figure svg { max-width: 100%; height: auto;" in page.page([], [], [], "", "")


def test_every_row_shows_its_evidence(report):
    shown = re.findall(
        r'<tr id="([^"]+)">.*?data-label="evidence">([^<]*)</td>', report.read_text()
    )
    assert shown == [
        (f"{key}-{row.id}", row.evidence) for key in DOCUMENTS for row in result(key).rows
    ]


def test_figures_of_records_are_named(report):
    """The rows of evidence/bench/tcp are marked, and the page names the files that it read."""
    text = report.read_text()
    marked = sum(row.measured for key in DOCUMENTS for row in result(key).rows)
    assert text.count("(measured)</span>") == marked > 0
    for file, _, _ in records():
        assert f"<td>{file}</td>" in text and (build.ROOT / file).exists()


@pytest.mark.parametrize("width", [1200, 400])
def test_drawn_in_both_themes(report, tmp_path, width):
    assert shutil.which("chromium"), "chromium draws the page: apt-get install chromium"
    corners = {}
    for name, scheme in (("dark", 0), ("light", 1)):
        shot = tmp_path / f"{name}.png"
        subprocess.run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                f"--user-data-dir={tmp_path}/profile",
                f"--blink-settings=preferredColorScheme={scheme}",
                f"--window-size={width},1500",
                f"--screenshot={shot}",
                report.as_uri(),
            ],
            capture_output=True,
            timeout=240,
            check=True,
        )
        pixels = image.imread(shot)[..., :3]
        assert pixels.shape[0] == 1500 and pixels.std() > 0.05, "something is drawn"
        corners[name] = pixels[0, 0].mean()
    assert corners["dark"] < 0.2 and corners["light"] > 0.95
