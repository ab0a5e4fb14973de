# SPDX-License-Identifier: MIT OR Apache-2.0
"""`verify --live` over a veth pair between two network namespaces, which the test removes.

The test needs root:

    python3 -m unittest discover -s cli/tests -p test_live.py
"""

import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug/wiresum"
HOSTS = {"a": "192.0.2.1", "b": "192.0.2.2"}
# A program that sends packets, with a pause after each.
SEND = """import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(%d):
    s.sendto(b"x" * 100, ("192.0.2.2", 9))
    time.sleep(%f)"""


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run(["cargo", "build", "--quiet", "--features", "live"], cwd=ROOT, check=True)
        cls.names = {host: f"wiresum-live-{os.getpid()}-{host}" for host in HOSTS}
        for name in cls.names.values():
            run("ip", "netns", "add", name)
            cls.addClassCleanup(run, "ip", "netns", "delete", name)
        end = {host: ["eth0", "netns", name] for host, name in cls.names.items()}
        run("ip", "link", "add", *end["a"], "type", "veth", "peer", "name", *end["b"])
        for host, address in HOSTS.items():
            on = ["ip", "netns", "exec", cls.names[host]]
            run(*on, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")
            run(*on, "ip", "address", "add", f"{address}/24", "dev", "eth0")
            run(*on, "ip", "link", "set", "eth0", "up")

    def verify(self, *options):
        """The program, which has begun to capture on host b."""
        on_b = ["ip", "netns", "exec", self.names["b"]]
        command = [*on_b, PROGRAM, "verify", "--live", "eth0", *options]
        pipe = subprocess.PIPE
        program = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
        self.addCleanup(program.kill)
        first = program.stderr.readline()
        self.assertIn(
            "verifying on eth0", first + ("" if program.poll() is None else program.stderr.read())
        )
        return program

    def send(self, packets, pause=0.001):
        run("ip", "netns", "exec", self.names["a"], "python3", "-c", SEND % (packets, pause))

    def test_capture_ends_at_a_signal(self):
        for stop in (signal.SIGINT, signal.SIGTERM):
            program = self.verify("--json", "--filter", "udp port 9")
            self.send(30, 0.05)
            time.sleep(1)
            program.send_signal(stop)
            out, errors = program.communicate(timeout=10)
            [file] = json.loads(out)["files"]
            self.assertEqual((file["path"], file["packets"]), ("eth0", 30))
            self.assertEqual(file["checksums"]["ipv4"]["good"], 30)
            # A veth device leaves the checksum to a network card, and has none. So the receiver
            # sees the sender's offload.
            self.assertEqual(file["causes"], {"udp": {"offload": 30}})
            self.assertEqual(program.returncode, 1)
            lines = errors.splitlines()
            self.assertGreaterEqual(len(lines), 2)
            self.assertRegex(
                lines[-1], r"^eth0, \d+ s: 30 packets, 60 checksums, 30 bad or illegal$"
            )

    def test_capture_ends_after_count_packets(self):
        program = self.verify("--count", "7", "--filter", "udp port 9", "--allow", "offload")
        self.send(20)
        out, _ = program.communicate(timeout=10)
        self.assertTrue(out.startswith("eth0: 7 packets, "), out)
        self.assertEqual(program.returncode, 0)

    def test_rows_arrive_at_once_and_snapped_packets_are_unverified(self):
        program = self.verify("--csv", "-", "--snaplen", "60", "--filter", "udp port 9")
        self.assertTrue(program.stdout.readline().startswith("file,frame,"))
        self.send(1)
        rows = [program.stdout.readline().split(",") for _ in range(2)]
        self.assertEqual(
            [(row[0], row[5], row[10], row[12]) for row in rows],
            [("eth0", "ipv4", "good", ""), ("eth0", "udp", "unverified", "snapped")],
        )
        self.assertRegex(rows[0][2], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$")
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.communicate(timeout=10)[0], "")
        self.assertEqual(program.returncode, 0)

    def test_errors_name_the_interface_or_the_option(self):
        for options, words in [
            (["--live", "nowhere"], "cannot capture on nowhere"),
            (["--live", "lo", "--filter", "tcp prot"], "not a filter: tcp prot"),
            (["--count", "3", "x.pcap"], "cannot be used with"),
            (["--live", "lo", "x.pcap"], "cannot be used with"),
        ]:
            command = [PROGRAM, "verify", *options]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=10)
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
            self.assertIn(words, ran.stderr)


if __name__ == "__main__":
    unittest.main()
