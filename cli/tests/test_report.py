# SPDX-License-Identifier: MIT OR Apache-2.0
"""`wiresum report` of small folders of results, which pyarrow writes here row by row.

The program is the one of the Python package, `python -m wiresum`, which has all features.
`./check parquet` installs it with the modules that this test needs, and runs the test:

    build/venv/bin/python -m unittest discover -s cli/tests -p test_report.py

`python/tests/engines/test_report.py` compares it with `verify` on results of the engines.
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as arrow
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[2]
TEXT = arrow.string()
PART = {"capture": TEXT, "part": arrow.uint32()}
CHECKSUMS = arrow.schema(
    {
        **PART,
        "frame": arrow.uint64(),
        "time": arrow.timestamp("ns", "UTC"),
        "quoted": arrow.bool_(),
        "protocol": TEXT,
        "source": TEXT,
        "source_port": arrow.uint16(),
        "destination": TEXT,
        "destination_port": arrow.uint16(),
        "status": TEXT,
        "cause_label": TEXT,
        "explanation": TEXT,
    }
)
COUNTS = arrow.schema({**PART, "what": TEXT, "protocol": TEXT, "name": TEXT, "n": arrow.int64()})
PROBLEMS = arrow.schema({**PART, "error": TEXT})
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def checksum(frame, status, label=None, explanation=None, **others):
    """A row of TCP, except for what `others` say."""
    tcp = {"protocol": "tcp", "source_port": 1000, "destination_port": 80}
    ends = {"source": "192.0.2.1", "destination": "192.0.2.2"}
    row = {"frame": frame, "time": NOON, "quoted": False, "status": status, **tcp, **ends}
    return {**row, "cause_label": label, "explanation": explanation, **others}


def count(what, n, protocol=None, name=None):
    return {"what": what, "protocol": protocol, "name": name, "n": n}


class Report(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.results = self.scratch / "results"
        self.capture("a", "captures/a.pcap", 2)
        self.part(
            "counts",
            COUNTS,
            "a",
            0,
            count("packets", 3),
            count("captured_bytes", 300),
            count("malformed", 0),
            count("checksums", 2, "tcp", "bad"),
            count("checksums", 1, "udp", "good"),
            count("causes", 2, "tcp", "offload"),
        )
        self.part(
            "counts",
            COUNTS,
            "a",
            1,
            count("packets", 1),
            count("captured_bytes", 40),
            count("malformed", 1),
            count("checksums", 1, "tcp", "bad"),
            count("checksums", 1, "tcp", "unverified"),
            count("quoted", 1, "udp", "bad"),
            count("causes", 1, "tcp", "one-bit"),
            count("unverified", 1, "tcp", "snapped"),
            count("not_entered", 4, None, "IP protocol 99"),
            count("malformed_by", 1, None, "the last record is truncated"),
        )
        self.part(
            "checksums/date=2026-11-21",
            CHECKSUMS,
            "a",
            0,
            checksum(1, "bad", "offload", "The first.\n"),
            checksum(4, "bad", "offload without length", "The last.\n"),
            checksum(4, "good", protocol="udp"),
        )
        self.part(
            "checksums/date=2026-11-21",
            CHECKSUMS,
            "a",
            1,
            checksum(2, "bad", "one-bit", "The second.\n"),
            checksum(2, "bad", "one-bit", protocol="udp", quoted=True),
            checksum(3, "unverified"),
        )

    def capture(self, name, file, parts):
        path = self.results / f"captures/{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"file": file, "size": 1, "parts": parts}))

    def part(self, table, schema, name, number, *rows, compression="zstd"):
        path = self.results / table / f"part-{name}-{number:05}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [{**row, "capture": name, "part": number} for row in rows]
        table = arrow.Table.from_pylist(rows, schema=schema)
        arrow.parquet.write_table(table, path, compression=compression)
        return path

    def report(self, *options, folder=None):
        command = [sys.executable, "-m", "wiresum", "report", *options, folder or self.results]
        return subprocess.run(command, cwd=self.scratch, capture_output=True, text=True)

    def fails(self, words, folder=None, before=""):
        """The command fails, and says why."""
        ran = self.report(folder=folder)
        self.assertEqual((ran.returncode, ran.stderr), (2, f"wiresum: {words}\n"))
        self.assertEqual(ran.stdout, before)

    def test_the_table(self):
        ran = self.report()
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))
        self.assertEqual(
            ran.stdout,
            "captures/a.pcap: 4 packets, 340 B captured\n"
            "  malformed: the last record is truncated (1)\n"
            "  not entered: IP protocol 99 (4)\n"
            "  protocol  good  bad  unverified  absent  illegal  why\n"
            "  tcp          0    3           1       0        0  bad (offload): 1, "
            "bad (offload without length): 1, bad (one-bit): 1, unverified (snapped): 1\n"
            "  udp          1    0           0       0        0\n"
            "  quoted       0    1           0       0        0  "
            "in copies of packets; for information\n"
            "Real damage: 1 of 3 bad checksums looks like one flipped bit, sent by 192.0.2.1. "
            "2 are checksum offload, and were right on the wire. --allow offload accepts 2 of "
            "them.\n",
        )

    def test_the_json(self):
        ran = self.report("--json")
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))
        document = json.loads(ran.stdout)
        (file,) = document["files"]
        none = {"good": 0, "bad": 0, "unverified": 0, "absent": 0, "illegal": 0}
        checksums = file.pop("checksums")
        self.assertEqual(checksums.pop("tcp"), {**none, "bad": 3, "unverified": 1})
        self.assertEqual(checksums.pop("udp"), {**none, "good": 1})
        self.assertEqual(list(checksums.values()), [none] * len(checksums))
        self.assertEqual(
            file.pop("verdict"),
            {
                "tone": "bad",
                "sentence": "Real damage: 1 of 3 bad checksums looks like one flipped bit, sent by "
                "192.0.2.1. 2 are checksum offload, and were right on the wire.",
                "checksums": 5,
                "bad": 3,
                "cause": "one-bit",
                "with_cause": 1,
                "sent_by": ["192.0.2.1"],
            },
        )
        self.assertEqual(
            file,
            {
                "path": "captures/a.pcap",
                "packets": 4,
                "captured_bytes": 340,
                "malformed": 1,
                "quoted": {"udp": {**none, "bad": 1}},
                "causes": {"tcp": {"offload": 2, "one-bit": 1}},
                "unverified": {"tcp": {"snapped": 1}},
                "not_entered": {"IP protocol 99": 4},
                "malformed_by": {"the last record is truncated": 1},
            },
        )
        self.assertEqual((document["schema"], document["errors"]), (1, []))

    def test_the_page(self):
        page = self.scratch / "page.html"
        ran = self.report("--quiet", "--html", page)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (1, "", ""))
        text = page.read_text()
        explained = re.findall(r"<pre[^>]*>(.*?)\n?</pre>", text, re.DOTALL)
        self.assertEqual(explained, ["The first.", "The second.", "The last."])
        self.assertEqual(text.count("192.0.2.1:1000 &#62; 192.0.2.2:80"), 3)
        self.assertEqual(text.count("2026-11-21T12:00:00.000000Z"), 3)
        kinds = re.findall(r'<data value="(\d+)" data-of="kind.([^"]*)">', text)
        expected = [("1", "offload"), ("1", "offload without length"), ("1", "one-bit")]
        self.assertEqual(sorted(kinds), sorted(expected))
        self.assertEqual(self.report("--html", "-").stdout, text)
        again = self.report("--html", page)
        self.assertEqual(again.returncode, 2)
        self.assertEqual(again.stderr, f"wiresum: report: {page} exists; --force replaces it\n")
        page.write_text("other")
        self.assertEqual(self.report("--quiet", "--html", page, "--force").returncode, 1)
        self.assertEqual(page.read_text(), text)
        both = self.report("--json", "--html", "-")
        self.assertEqual((both.returncode, both.stdout), (2, ""))
        self.assertIn("--json and --html - both go to standard output", both.stderr)

    def test_nanoseconds(self):
        """Times have as many digits as the times of the capture need."""
        rows = [checksum(1, "bad", "offload", "One."), checksum(3, "bad", "offload", "Two.")]
        rows.append(checksum(4, "good", protocol="udp"))
        path = self.part("checksums/date=2026-11-21", CHECKSUMS, "a", 0, *rows)
        table = arrow.parquet.read_table(path, partitioning=None)
        at = table.column_names.index("time")
        nanosecond = table.column("time").cast(arrow.int64()).to_pylist()
        nanosecond[2] += 1
        times = arrow.array(nanosecond).cast(CHECKSUMS.field("time").type)
        arrow.parquet.write_table(table.set_column(at, CHECKSUMS.field("time"), times), path)
        text = self.report("--html", "-").stdout
        self.assertEqual(text.count("2026-11-21T12:00:00.000000000Z"), 3)

    def test_every_codec_of_small_files(self):
        for codec in ("none", "snappy", "zstd"):
            expected = self.report("--html", "-").stdout
            for path in [*self.results.rglob("*.parquet")]:
                table = arrow.parquet.read_table(path, partitioning=None)
                arrow.parquet.write_table(table, path, compression=codec)
            self.assertEqual(self.report("--html", "-").stdout, expected, codec)

    def test_problems(self):
        """A capture with a problem is an error, whatever else the folder has of it."""
        expected = self.report("--json")
        self.capture("b", "captures/b.pcap", 2)
        self.part("problems", PROBLEMS, "b", 1, {"error": "it is cut short"})
        self.part("counts", COUNTS, "b", 0, count("packets", 9))
        row = checksum(1, "bad", "padding", "Other.", source="198.51.100.9")
        self.part("checksums/date=2026-11-21", CHECKSUMS, "b", 0, row)
        ran = self.report("--json")
        said = "wiresum: captures/b.pcap: it is cut short\n"
        self.assertEqual((ran.returncode, ran.stderr), (2, said))
        found = json.loads(ran.stdout)
        self.assertEqual(found["files"], json.loads(expected.stdout)["files"])
        error = {"path": "captures/b.pcap", "error": "it is cut short"}
        self.assertEqual(found["errors"], [error])
        page = self.report("--html", "-").stdout
        self.assertIn("Files that could not be read", page)
        self.assertIn("<td>it is cut short</td>", page)
        self.assertNotIn("198.51.100.9", page)

    def test_captures_share_files(self):
        """The rows of two captures, in one file and in row groups of two rows."""
        files = {}
        for name in ("a", "b", "c"):
            self.capture(name, f"captures/{name}.pcap", 2)
            for table in ("counts", "checksums/date=2026-11-21"):
                for number in (0, 1):
                    path = self.results / table / f"part-a-{number:05}.parquet"
                    rows = arrow.parquet.read_table(path, partitioning=None).to_pylist()
                    files.setdefault(table, []).extend({**row, "capture": name} for row in rows)
        (alone,) = json.loads(self.report("--json").stdout)["files"][:1]
        table = self.report().stdout.split("captures/a.pcap")[1].split("3 bad")[0]
        for name, rows in files.items():
            for path in (self.results / name).iterdir():
                path.unlink()
            schema = COUNTS if name == "counts" else CHECKSUMS
            shared = arrow.Table.from_pylist(rows, schema=schema)
            path = self.results / name / "part-shared.parquet"
            arrow.parquet.write_table(shared, path, row_group_size=2)
        found = json.loads(self.report("--json").stdout)["files"]
        self.assertEqual([{**file, "path": alone["path"]} for file in found], [alone] * 3)
        self.assertEqual(self.report().stdout.count(table), 3)
        text = self.report("--html", "-").stdout
        self.assertEqual(text.count("The second."), 3)

    def test_no_folder_of_results(self):
        self.fails("report: none: No such file or directory (os error 2)", "none")
        file = self.scratch / "file"
        file.write_text("")
        self.fails(f"report: {file}: this is a file; name a folder of results", file)
        for inner in ("empty", "empty/inner"):
            (self.scratch / inner).mkdir()
            self.fails(
                "report: empty: this is no folder of results, which `write` of wiresum.duckdb, "
                "wiresum.ray or wiresum.spark makes",
                "empty",
            )
        self.capture("a", 7, 2)
        path = self.results / "captures/a.json"
        ran = self.report()
        self.assertEqual(ran.returncode, 2)
        self.assertIn(f"report: {self.results}: {path}: invalid type: integer `7`", ran.stderr)

    def test_parts_that_are_missing(self):
        lacks = "; start `write` again, which goes on where it was cut off"
        part = self.results / "counts/part-a-00001.parquet"
        part.rename(part.with_name(f".{part.name}.0e9f"))
        self.fails(f"captures/a.pcap: the folder of results lacks 1 of its 2 parts{lacks}")
        part.with_name(f".{part.name}.0e9f").rename(part)
        self.capture("a", "captures/a.pcap", 10**18)
        missing = 10**18 - 2
        of = f"{missing} of its {10**18} parts"
        self.fails(f"captures/a.pcap: the folder of results lacks {of}{lacks}")
        (self.results / "captures/a.json").unlink()
        self.fails(
            "a: the folder of results has no captures/a.json; write the results again, into "
            "another folder"
        )

    def test_the_page_has_nothing_of_results_that_disagree(self):
        expected = self.report("--html", "-").stdout
        self.capture("b", "captures/b.pcap", 1)
        self.part("counts", COUNTS, "b", 0, count("checksums", 1, "tcp", "bad"))
        row = checksum(1, "bad", "padding", "Other.", source="198.51.100.9")
        self.part("checksums/date=2026-11-21", CHECKSUMS, "b", 0, row)
        ran = self.report("--html", "-")
        self.assertIn("captures/b.pcap: its checksums differ from its counts", ran.stderr)
        start = ran.stdout.index('<section aria-labelledby="errors">')
        end = ran.stdout.index('<section aria-labelledby="why">')
        left = " ".join((ran.stdout[:start] + ran.stdout[end:]).split())
        for page, alone in (  # what says that there is another file, and that it was not read
            ("<title>Checksums: 2 files<", "<title>Checksums: captures/a.pcap<"),
            ("<h1><bdi>2 files<", "<h1><bdi>captures/a.pcap<"),
            (" on the wire. Files that could not be read: 1.<", " on the wire.<"),
        ):
            self.assertEqual(left.count(page), 1, page)
            left = left.replace(page, alone)
        self.assertEqual(left, " ".join(expected.split()))

    def test_other_columns(self):
        path = self.results / "checksums/date=2026-11-21/part-a-00000.parquet"
        table = arrow.parquet.read_table(path, partitioning=None)
        older = "; this version of wiresum did not write these results"
        arrow.parquet.write_table(table.drop_columns(["cause_label"]), path)
        self.fails(f"captures/a.pcap: {path}: there is no column cause_label{older}")
        at = table.column_names.index("protocol")
        wrong = table.set_column(at, "protocol", arrow.array([1, 2, 3]))
        arrow.parquet.write_table(wrong, path)
        self.fails(
            f"captures/a.pcap: {path}: the column protocol has another type than `write` gives it"
        )
        path.write_bytes(b"no Parquet at all")
        ran = self.report()
        self.assertEqual(ran.returncode, 2)
        self.assertIn(f"captures/a.pcap: {path}: Parquet error", ran.stderr)

    def test_other_words(self):
        self.part("checksums/date=2026-11-21", CHECKSUMS, "a", 0, checksum(1, "bad", "sunspots"))
        path = self.results / "checksums/date=2026-11-21/part-a-00000.parquet"
        self.fails(f'captures/a.pcap: {path}: "sunspots" is no cause that is known')
        self.part("checksums/date=2026-11-21", CHECKSUMS, "a", 0, checksum(1, "bad", "offload"))
        self.fails(
            "captures/a.pcap: its checksums differ from its counts; write the results again, "
            "into another folder"
        )
        for row, words in (
            (count("checksums", 1, "smoke", "good"), '"smoke" is no protocol that is known'),
            (count("causes", 1, "tcp", "sunspots"), '"sunspots" is no cause that is known'),
            (count("unverified", 1, "tcp", "mood"), '"mood" is no reason that is known'),
            (count("packets", -1), "a count is negative"),
            (count("packets", 2**63 - 1), "the counts are too large"),
        ):
            path = self.part("counts", COUNTS, "a", 0, row, row, row)
            ran = self.report()
            self.assertEqual((ran.returncode, ran.stdout), (2, ""))
            self.assertIn(words, ran.stderr)


if __name__ == "__main__":
    unittest.main()
