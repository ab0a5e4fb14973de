# SPDX-License-Identifier: MIT OR Apache-2.0
"""The file of `verify --parquet`, as Apache's own reader reads it, equals the rows of --csv.

The program is the one of the Python package, `python -m wiresum`, which has all features.
`./check parquet` installs it with the modules that this test needs, and runs the test:

    build/venv/bin/python -m unittest discover -s cli/tests -p test_parquet.py
"""

import csv
import shutil
import subprocess
import sys
import tempfile
import unittest
from datetime import UTC, datetime
from pathlib import Path
from struct import pack

import pyarrow as arrow
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[2]
WIRESUM = [sys.executable, "-m", "wiresum"]
TEXT = arrow.dictionary(arrow.int32(), arrow.string())
TYPES = {  # as cli/README.md promises
    "file": TEXT,
    "frame": arrow.uint64(),
    "time": arrow.timestamp("ns", "UTC"),
    "layer": arrow.uint8(),
    "quoted": arrow.bool_(),
    "protocol": TEXT,
    "source": TEXT,
    "source_port": arrow.uint16(),
    "destination": TEXT,
    "destination_port": arrow.uint16(),
    "status": TEXT,
    "cause": TEXT,
    "reason": TEXT,
    "found": arrow.uint32(),
    "expected": arrow.uint32(),
    "offset": arrow.uint64(),
}


class Parquet(unittest.TestCase):
    def verify(self, *captures):
        """The rows of the CSV, and the Parquet file, of one run."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        rows, file = folder / "rows.csv", folder / "rows.parquet"
        command = [*WIRESUM, "verify", "--csv", rows, "--parquet", file, *captures]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        with rows.open(newline="") as lines:
            return list(csv.DictReader(lines)), arrow.parquet.ParquetFile(file)

    def test_rows_equal_the_csv(self):
        expected, file = self.verify(*sorted((ROOT / "examples").glob("*.pcap*")))
        table = file.read()
        self.assertEqual({field.name: field.type for field in table.schema}, TYPES)
        self.assertEqual(len(expected), table.num_rows)
        self.assertGreater(len(expected), 3000)
        columns = {name: table.column(name).to_pylist() for name in TYPES if name != "time"}
        times = table.column("time").cast(arrow.int64()).to_pylist()
        for n, row in enumerate(expected):
            for name, values in columns.items():
                value = values[n]
                if name in ("found", "expected") and value is not None:
                    self.assertEqual(row[name], f"{value:#0{len(row[name])}x}", (n, name))
                else:
                    text = "" if value is None else str(value)
                    shown = text.lower() if name == "quoted" else text
                    self.assertEqual(row[name], shown, (n, name))
            self.assertEqual(nanoseconds(row["time"]), times[n], n)

    def test_a_field_of_the_link_layer_has_no_addresses(self):
        capture = Path(self.enterContext(tempfile.TemporaryDirectory())) / "cdp.pcap"
        packet = bytes.fromhex("02b4 0000 0001 0008 7769 7265")  # CDP without its checksum
        addresses = bytes.fromhex("01000ccccccc 020000000001")
        logical_link = pack(">H", 8 + len(packet)) + bytes.fromhex("aaaa03 00000c 2000")
        frame = addresses + logical_link + packet
        header = pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
        capture.write_bytes(header + pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
        rows, file = self.verify(capture)
        self.assertEqual([(row["protocol"], row["layer"]) for row in rows], [("cdp", "0")])
        (row,) = file.read().to_pylist()
        self.assertEqual((row["protocol"], row["layer"]), ("cdp", 0))
        for name in ("source", "source_port", "destination", "destination_port"):
            self.assertEqual(rows[0][name], "", name)
            self.assertIsNone(row[name], name)
        # 0x02b4 + 0x0001 + 0x0008 + 0x7769 + 0x7265 = 0xec8b, whose complement is 0x1374
        self.assertEqual((row["found"], row["expected"]), (0, 0x1374))

    def test_row_groups_bound_the_memory(self):
        capture = (ROOT / "examples/corrupted.pcap").read_bytes()
        many = Path(self.enterContext(tempfile.TemporaryDirectory())) / "many.pcap"
        many.write_bytes(capture + capture[24:] * 700)
        expected, file = self.verify(many)
        sizes = [file.metadata.row_group(n).num_rows for n in range(file.metadata.num_row_groups)]
        self.assertEqual(sum(sizes), len(expected))
        self.assertEqual(sizes[:-1], [262144] * (len(sizes) - 1))
        self.assertGreater(len(sizes), 1)

    def test_no_file_is_replaced_unasked_and_no_capture_ever(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("good.pcap", "mixed.pcap"):
            shutil.copy(ROOT / "examples/corrupted.pcap", folder / name)
        shutil.copy(ROOT / "examples/corrupted.pcap", folder / "capture.csv")
        (folder / "notes").write_text("what somebody wrote")

        def verify(to, *options):
            command = [*WIRESUM, "verify", "--parquet", to, "mixed.pcap", *options]
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            return ran.returncode, ran.stderr

        for name in ("good.pcap", "capture.csv"):
            before = (folder / name).read_bytes()
            said = f"wiresum: verify: {name} is a capture; give the output another name\n"
            for force in ([], ["--force"]):
                self.assertEqual(verify(name, *force), (2, said))
                self.assertEqual((folder / name).read_bytes(), before)
        said = "wiresum: verify: notes exists; --force replaces it\n"
        self.assertEqual(verify("notes"), (2, said))
        self.assertEqual((folder / "notes").read_text(), "what somebody wrote")
        self.assertEqual(verify("notes", "--force")[0], 1)
        self.assertEqual((folder / "notes").read_bytes()[:4], b"PAR1")

    def test_short_help_has_the_option(self):
        command = [*WIRESUM, "verify", "-h"]
        help = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertIn("--parquet <FILE>", help)


def nanoseconds(text):
    """The nanoseconds from 1970 to an RFC 3339 time."""
    whole, _, digits = text.rstrip("Z").partition(".")
    seconds = int(datetime.fromisoformat(whole).replace(tzinfo=UTC).timestamp())
    return seconds * 10**9 + int(digits.ljust(9, "0") or 0)


if __name__ == "__main__":
    unittest.main()
