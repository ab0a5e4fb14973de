# SPDX-License-Identifier: MIT OR Apache-2.0
"""S3: a real server, a slow connection to it, and one that fails.

python3 -m unittest discover -s python/tests/engines -p test_s3.py
"""

import contextlib
import json
import os
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import wiresum
from archives import (
    SPLIT,
    counted,
    dictionaries,
    lines,
    make_archive,
    program_counted,
    program_lines,
)
from pyarrow import fs
from wiresum.engines import _files, _results
from wiresum.engines._files import find
from wiresum.engines._parts import Reading, on_threads, plan

# SeaweedFS, as a wheel of PyPI has it.
WEED = Path(sys.executable).with_name("weed")
WHO = {"accessKey": "key", "secretKey": "secret"}
IDENTITY = {"name": "test", "credentials": [WHO], "actions": ["Admin", "Read", "Write", "List"]}


def free_ports(number):
    """Ports that nobody listens to. The server adds 10,000 to each for a second one."""
    with contextlib.ExitStack() as stack:
        ports = []
        for port in range(20_000 + os.getpid() % 5000, 50_000):
            try:
                for each in (port, port + 10_000):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", each))
            except OSError:
                continue
            ports.append(port)
            if len(ports) == number:
                return ports
    raise OSError("no port is free")


class Link(socketserver.ThreadingTCPServer):
    """Passes connections on to the server, at a rate, and cuts some of them."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port):
        super().__init__(("127.0.0.1", 0), None)
        self.to = port
        self.rate = None
        """Bytes a second of each connection."""
        self.cuts = 0
        """The number of connections that are still to be cut, each after 20,000 bytes."""
        self.lock = threading.Lock()
        self.was_cut = 0
        self.sent = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, _):
        with socket.create_connection(("127.0.0.1", self.to)) as server, request:
            thread = threading.Thread(target=self.requests, args=(request, server), daemon=True)
            thread.start()
            with contextlib.suppress(OSError):
                self.answers(server, request)
            for end in (request, server):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            thread.join()

    def requests(self, client, server):
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)

    def answers(self, server, client):
        sent = 0
        while data := server.recv(1 << 14):
            if sent > 20_000:
                with self.lock:
                    cut, self.cuts = self.cuts > 0, max(0, self.cuts - 1)
                    self.was_cut += cut
                if cut:
                    return
            if self.rate:
                time.sleep(len(data) / self.rate)
            client.sendall(data)
            sent += len(data)
            self.sent += len(data)


class S3(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (folder / "s3.json").write_text(json.dumps({"identities": [IDENTITY]}))
        (folder / "data").mkdir()
        master, volume, filer, port = free_ports(4)
        cls.server = subprocess.Popen(
            [
                *(WEED, "server", f"-dir={folder}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"),
                *(f"-master.port={master}", f"-volume.port={volume}", "-volume.max=20"),
                *("-master.volumeSizeLimitMB=64", "-filer", f"-filer.port={filer}"),
                *("-s3", f"-s3.port={port}", f"-s3.config={folder}/s3.json"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.kill)
        cls.link = cls.enterClassContext(Link(port))
        cls.addClassCleanup(cls.link.shutdown)
        cls.enterClassContext(
            mock.patch.dict(
                os.environ,
                AWS_ENDPOINT_URL=f"http://127.0.0.1:{cls.link.server_address[1]}",
                AWS_ACCESS_KEY_ID="key",
                AWS_SECRET_ACCESS_KEY="secret",
                AWS_REGION="us-east-1",
                AWS_EC2_METADATA_DISABLED="true",
            )
        )
        cls.archive = make_archive(folder / "archive")
        direct = fs.S3FileSystem(
            access_key="key",
            secret_key="secret",
            scheme="http",
            endpoint_override=f"127.0.0.1:{port}",
            allow_bucket_creation=True,
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                direct.create_dir("bucket")
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
        fs.copy_files(str(cls.archive), "bucket/archive", destination_filesystem=direct)
        cls.expected = program_lines(cls.archive)

    def setUp(self):
        self.addCleanup(setattr, _files, "BLOCK", _files.BLOCK)
        _files.BLOCK = 30_000  # several requests for a range
        self.link.rate, self.link.cuts = None, 0

    def local(self, rows):
        """Rows of the bucket with the names of the archive here."""
        for row in rows:
            row["file"] = row["file"].replace("s3://bucket/archive", str(self.archive))
        return rows

    def read(self, *paths):
        parts = plan(find(paths), on_threads(4), SPLIT)
        readings = [Reading(part) for part in parts]
        batches = [batch for reading in readings for batch in reading]
        rows = [row for each in batches for row in dictionaries(pa.Table.from_batches([each]))]
        return self.local(rows), {reading.error for reading in readings}

    def test_folders_globs_and_the_scheme_of_hadoop(self):
        for paths in (
            ("s3://bucket/archive",),
            ("s3a://bucket/archive/**/*.pcap*", "s3a://bucket/archive/broken.snoop"),
        ):
            rows, _ = self.read(*paths)
            self.assertEqual(lines(rows), self.expected)

    def test_ranges(self):
        """A range of a capture reads its own bytes, and few others."""
        (file,) = find("s3://bucket/archive/large.pcap")
        parts = plan([file], split=file.size // 4)
        ranges = [part for part in parts if part.header]
        self.assertGreater(len(ranges), 3)
        before = self.link.sent
        self.assertIsNotNone([*Reading(ranges[1])])
        self.assertLess(self.link.sent - before, file.size // 3)

    def test_a_slow_connection(self):
        self.link.rate = 300_000
        rows, errors = self.read("s3://bucket/archive/large.pcap")
        self.assertEqual(errors, {None})
        self.assertEqual(lines(rows), program_lines(self.archive / "large.pcap"))

    def test_a_connection_that_fails(self):
        """pyarrow asks again for what did not come."""
        cut = self.link.was_cut
        self.link.cuts = 3
        rows, errors = self.read("s3://bucket/archive/large.pcap")
        self.assertEqual(self.link.was_cut - cut, 3)
        self.assertEqual(errors, {None})
        self.assertEqual(lines(rows), program_lines(self.archive / "large.pcap"))

    def test_no_credentials(self):
        with (
            mock.patch.dict(os.environ, AWS_SECRET_ACCESS_KEY="wrong"),
            self.assertRaisesRegex(OSError, "ACCESS_DENIED|SIGNATURE|403"),
        ):
            find("s3://bucket/archive")

    def test_sql(self):
        con = duckdb.connect()
        wiresum.duckdb.install(con)
        found = con.sql("from wiresum_verify('s3://bucket/archive')").to_arrow_table()
        self.assertEqual(lines(self.local(dictionaries(found))), self.expected)

    def test_results_in_the_bucket(self):
        out = "s3://bucket/results"
        written = _results.write("s3://bucket/archive", out, run=on_threads(3), split=SPLIT)
        again = _results.write("s3://bucket/archive", out, run=on_threads(3), split=SPLIT)
        self.assertEqual((again.parts, again.skipped), (0, written.parts))
        filesystem, path = _files.filesystem_of(out)
        rows = ds.dataset(f"{path}/checksums", filesystem=filesystem, partitioning=None)
        self.assertEqual(lines(self.local(dictionaries(rows.to_table()))), self.expected)
        counts = ds.dataset(f"{path}/counts", filesystem=filesystem, partitioning=None)
        found = counted(self.local(counts.to_table().to_pylist()))
        self.assertEqual(found, program_counted(self.archive))


if __name__ == "__main__":
    unittest.main()
