# SPDX-License-Identifier: MIT OR Apache-2.0
"""An object store that sends so many bytes a second on each connection: what S3 answers to HEAD, to
GET with a range, and to a list of objects.

    python3 -m evidence.bench.archives.slow FILE OBJECTS RATE

serves one file as a bucket of so many objects until its standard input ends, and prints its port.
RATE is in bytes a second, or 0 for no limit.
"""

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[3]
BUCKET = "archive"
STEP = 0.02
"""Seconds between two pieces of an answer."""
MODIFIED = "2026-01-01T00:00:00.000Z"
MODIFIED_IN_HTTP = "Thu, 01 Jan 2026 00:00:00 GMT"


class Answers(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        if self.is_object():
            self.begin(200, self.server.size)

    def do_GET(self):
        if re.match(rf"/{BUCKET}/?(\?|$)", self.path):
            (prefix,) = parse_qs(urlsplit(self.path).query).get("prefix", [""])
            body = self.listing(prefix).encode()
            self.begin(200, len(body), "application/xml")
            self.wfile.write(body)
        elif self.is_object():
            self.send_range()

    def is_object(self):
        if self.path.removeprefix(f"/{BUCKET}/") in self.server.names:
            return True
        self.begin(404, 0)
        return False

    def begin(self, status, length, kind="application/octet-stream", **more):
        self.send_response(status)
        for name, value in {
            "Content-Length": length,
            "Content-Type": kind,
            "Last-Modified": MODIFIED_IN_HTTP,
            "ETag": '"capture"',
            **more,
        }.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def send_range(self):
        size = self.server.size
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "bytes=0-"))
        start = int(asked[1])
        end = min(int(asked[2]) + 1, size) if asked[2] else size
        self.begin(206, end - start, Content_Range=f"bytes {start}-{end - 1}/{size}")
        self.wfile.flush()
        rate, began, at = self.server.rate, time.monotonic(), start
        piece = max(1, int(rate * STEP)) if rate else 1 << 20
        while at < end:
            sent = os.sendfile(
                self.connection.fileno(), self.server.file.fileno(), at, min(piece, end - at)
            )
            if not sent:
                break
            at += sent
            if rate:
                time.sleep(max(0, began + (at - start) / rate - time.monotonic()))

    def listing(self, prefix):
        names = sorted(name for name in self.server.names if name.startswith(prefix))
        objects = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>{MODIFIED}</LastModified>"
            f'<ETag>"capture"</ETag><Size>{self.server.size}</Size>'
            "<StorageClass>STANDARD</StorageClass></Contents>"
            for name in names
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?>'
            '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<Name>{BUCKET}</Name><Prefix>{escape(prefix)}</Prefix><MaxKeys>1000</MaxKeys>"
            f"<KeyCount>{len(names)}</KeyCount><IsTruncated>false</IsTruncated>"
            f"{objects}</ListBucketResult>"
        )

    def log_message(self, *_):
        pass


class Store(ThreadingHTTPServer):
    """The object store."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, file, objects, rate):
        super().__init__(("127.0.0.1", 0), Answers)
        self.file = open(file, "rb")
        self.size = os.fstat(self.file.fileno()).st_size
        self.names = {f"{n:04}.pcap" for n in range(objects)}
        self.rate = rate

    def handle_error(self, *who):
        """Says nothing of clients that close a connection before its end."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*who)


def main():
    file, objects, rate = sys.argv[1:]
    store = Store(file, int(objects), float(rate))
    threading.Thread(target=store.serve_forever, daemon=True).start()
    print(store.server_address[1], flush=True)
    sys.stdin.read()


@contextlib.contextmanager
def serving(file, objects, rate):
    """The variables with which processes find such a store, which runs in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "evidence.bench.archives.slow",
        str(file),
        str(objects),
        str(rate),
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        yield {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.stdout.readline().strip()}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        server.stdin.close()


if __name__ == "__main__":
    main()
