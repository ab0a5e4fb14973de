# SPDX-License-Identifier: MIT OR Apache-2.0
"""`verify --live --xdp` over veth pairs between network namespaces, which the tests remove. What it
counts has to equal what `verify --live` counts of the same frames through libpcap.

    python3 -m unittest cli.tests.test_xdp

needs root, and a kernel that lets it load BPF programs.
"""

import contextlib
import csv
import json
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from bpf.tests import build
from bpf.tests.network import Networks, run, run_in, within
from spec import reference

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug/wiresum"
SEED = int(os.environ.get("WIRESUM_SEED") or random.randrange(1 << 32))
LONGEST = 65535 + 14
# These number the packets that were examined, or say when each came.
OF_PASS = ("frame", "time", "offset")


def setUpModule():
    features = ["--features", "live,xdp"]
    subprocess.run(["cargo", "build", "--quiet", *features], cwd=ROOT, check=True)
    build.BUILD.mkdir(parents=True, exist_ok=True)


def hand_made():
    """The Ethernet frames of packet/tests/frames.txt, and each with a wrong byte."""
    frames, data = [], b""
    text = (ROOT / "packet/tests/frames.txt").read_text()
    for case in text.split("\n\n"):
        if "\n  link 1\n" not in case:
            continue
        data = bytes.fromhex("".join(re.findall(r"^  data (\S+)$", case, re.M)))
        frames.append(data)
        if broken := re.search(r"^  broken (\d+) (\S\S)$", case, re.M):
            at = int(broken[1])
            frames.append(data[:at] + bytes.fromhex(broken[2]) + data[at + 1 :])
    return frames


def captured(path):
    """The frames of a pcap file of Ethernet frames; of another file none."""
    data, frames = path.read_bytes(), []
    order = "<" if data[:1] in b"\xd4\x4d" else ">"
    if struct.unpack_from(order + "I", data, 20)[0] != 1:
        return frames
    at = 24
    while at < len(data):
        (n,) = struct.unpack_from(order + "I", data, at + 8)
        frames.append(data[at + 16 : at + 16 + n])
        at += 16 + n
    return frames


def repaired(frames):
    """The frames with every checksum right that can be."""
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder) / "old.pcap", Path(folder) / "new.pcap"
        header = struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, 1)
        records = (struct.pack("<IIII", 0, 0, len(f), len(f)) + f for f in frames)
        old.write_bytes(header + b"".join(records))
        ran = subprocess.run([PROGRAM, "fix", old, new], capture_output=True, text=True)
        assert ran.returncode < 2, ran.stderr
        return captured(new)


def changed(frames, count, at_random):
    """Frames in which ports are exchanged, and bytes of the headers have other values."""
    frames = [frame for frame in frames if len(frame) >= 34]
    for _ in range(count):
        frame = bytearray(at_random.choice(frames))
        if at_random.randrange(8) == 0:  # the ports or the type, without options
            at = 34 if frame[12:14] == b"\x08\0" else 54
            frame[at : at + 4] = frame[at + 2 : at + 4] + frame[at : at + 2]
        for _ in range(at_random.choice((0, 1, 1, 2, 3))):
            at = at_random.randrange(12, min(len(frame), 90))
            frame[at] = at_random.choice((0, 1, 5, 58, 0xFF, at_random.randrange(256)))
        yield bytes(frame[: at_random.choice((len(frame), at_random.randrange(14, len(frame))))])


def short_tcp():
    """TCP over both versions of IP with a right checksum, and a header of 16 bytes."""
    for version, header in (
        (4, bytes.fromhex("4500002800000000400600000a0000010a000002")),
        (6, bytes.fromhex("600000000014063f") + bytes(32)),
    ):
        segment = bytearray(bytes.fromhex("00070007" + 8 * "00" + "40100100" + 4 * "00"))
        pseudo = header[12:20] if version == 4 else header[8:40]
        pseudo += struct.pack(">II", len(segment), 6)
        segment[16:18] = reference.checksum(pseudo + segment).to_bytes(2)
        if version == 4:
            header = header[:10] + reference.checksum(header).to_bytes(2) + header[12:]
        yield bytes(12) + (b"\x08\0" if version == 4 else b"\x86\xdd") + header + segment


def cut_in_tag(frame):
    """Whether the frame ends at its VLAN tag, and the kernel drops it before libpcap sees it."""
    return frame[12:14] in (b"\x81\0", b"\x88\xa8") and len(frame) < 20


def udp(payload, checksum=None):
    """A frame with a UDP datagram over IPv4; without a checksum it is computed."""
    ip = struct.pack(
        ">BBHIBBH8B", 0x45, 0, 28 + len(payload), 0, 64, 17, 0, *b"\xc0\0\2\1\xc0\0\2\2"
    )
    frame = bytes(12) + b"\x08\0" + ip + struct.pack(">HHHH", 9, 9, 8 + len(payload), 1) + payload
    [frame] = repaired([frame])
    return frame if checksum is None else frame[:40] + checksum + frame[42:]


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


class Live(Networks):
    def setUp(self):
        self.a, self.b = self.namespace("a"), self.namespace("b")
        for name in (self.a, self.b):
            # No packet comes but those that a test sends.
            run_in(name, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")
            run_in(name, "sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1")
        words = ["mtu", "65535", "type", "veth", "peer", "name", "eth0", "netns", self.b]
        run("ip", "-n", self.a, "link", "add", "eth0", *words, "mtu", "65535")
        for name in (self.a, self.b):
            run("ip", "-n", name, "link", "set", "eth0", "up")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def verify(self, *options, interface="eth0", **more):
        """The program, which has begun to capture on host b."""
        command = ["nsenter", f"--net=/run/netns/{self.b}", PROGRAM, "verify"]
        command += ["--live", interface, *options]
        pipe = subprocess.PIPE
        program = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, **more)
        self.addCleanup(program.communicate)
        self.addCleanup(program.kill)
        first = program.stderr.readline()
        self.assertIn(f"verifying on {interface}", first)
        self.first = first
        return program

    def send(self, frames):
        protocol = socket.SOCK_RAW
        with within(self.a, socket.socket, socket.AF_PACKET, protocol) as sender:
            sender.bind(("eth0", 0))
            for frame in frames:
                while True:
                    # The queue of a device that is not yet read is full for a moment.
                    with contextlib.suppress(BlockingIOError):
                        sender.send(frame)
                        break

    def ended(self, program, seconds=60):
        """What a program has printed, as JSON, and on standard error."""
        out, errors = program.communicate(timeout=seconds)
        self.assertIn(program.returncode, (0, 1), errors)
        [file] = json.loads(out)["files"]
        return file, errors

    def counted(self, frames, *options):
        """What the program counts of frames, and the rows of the checksums that are not right."""
        path = self.folder / "rows.csv"
        count = ["--count", str(len(frames))]
        program = self.verify("--json", "--csv", path, "--force", *count, *options)
        self.send(frames)
        file, errors = self.ended(program)
        self.assertNotIn("lost", errors)
        rows = []
        with path.open() as lines:
            for row in csv.DictReader(lines):
                if row["status"] not in ("good", "absent"):
                    rows.append(tuple(row[name] for name in row if name not in OF_PASS))
        return file, sorted(rows)

    def compare(self, frames):
        frames = [
            frame for frame in frames if 14 <= len(frame) <= LONGEST and not cut_in_tag(frame)
        ]
        due, due_rows = self.counted(frames)
        self.assertEqual(due["packets"], len(frames))
        for mode, how in (("native", "by XDP in the driver"), ("generic", "by generic XDP")):
            found, rows = self.counted(frames, f"--xdp={mode}")
            self.assertIn(how, self.first)
            self.assertEqual(found, due, (mode, SEED))
            self.assertEqual(rows, due_rows, (mode, SEED))
        return due

    def test_hand_made_frames_and_captures(self):
        frames = hand_made() + list(short_tcp())
        self.assertGreater(len(frames), 400)
        for path in sorted((ROOT / "examples").glob("*.pcap")):
            frames += captured(path)
        self.assertGreater(len(frames), 2000)
        due = self.compare(frames)
        for protocol in ("ipv4", "tcp", "udp", "icmp", "icmpv6", "igmp", "gre", "ospf"):
            self.assertGreater(due["checksums"][protocol]["good"], 0, protocol)
            self.assertGreater(due["checksums"][protocol]["bad"], 0, protocol)
        self.assertGreater(due["checksums"]["udp"]["absent"], 0)
        self.assertGreater(len(due["not_entered"]), 5)

    def test_changed_headers(self):
        at_random = random.Random(SEED)
        frames = list(changed(hand_made(), 5000, at_random))
        self.compare(frames)
        self.compare(repaired(frames))

    def test_only_packets_that_may_not_be_good_are_examined(self):
        good, bad, absent = udp(b"good"), udp(b"bad", b"\1\1"), udp(b"absent", b"\0\0")
        program = self.verify("--json", "--csv", self.folder / "rows", "--xdp", "--count", "300")
        self.send((good, bad, absent) * 100)
        file, _ = self.ended(program)
        self.assertEqual(program.returncode, 1)
        due = {"good": 100, "bad": 100, "unverified": 0, "absent": 100, "illegal": 0}
        self.assertEqual(file["checksums"]["udp"], due)
        self.assertEqual(file["checksums"]["ipv4"]["good"], 300)
        self.assertEqual(file["captured_bytes"], 100 * (len(good) + len(bad) + len(absent)))
        with (self.folder / "rows").open() as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual([row["status"] for row in rows], ["good", "bad"] * 100)
        now = time.strftime("%Y-%m-%dT%H", time.gmtime())
        self.assertTrue(rows[0]["time"].startswith(now), rows[0]["time"])

    def test_one_in_n_good_packets_is_examined(self):
        rows = self.folder / "rows"
        self.addCleanup(os.sched_setaffinity, 0, os.sched_getaffinity(0))
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # each CPU counts for itself
        options = ["--xdp", "--sample", "10", "--count", "1000"]
        program = self.verify("--json", "--csv", rows, *options)
        self.send([udp(b"good")] * 1000)
        file, _ = self.ended(program)
        self.assertEqual(file["packets"], 1000)
        self.assertEqual(file["checksums"]["udp"]["good"], 1000)
        self.assertEqual(len(rows.read_text().splitlines()), 1 + 2 * 100)

    def test_packets_that_find_no_room_are_counted(self):
        frame = udp(bytes(9000), b"\1\1")
        program = self.verify("--json", "--xdp")
        program.send_signal(signal.SIGSTOP)
        self.send([frame] * 9000)
        program.send_signal(signal.SIGCONT)
        time.sleep(2)
        program.send_signal(signal.SIGINT)
        file, errors = self.ended(program)
        lost = re.search(
            r"eth0: ([\d,]+) packets arrived too fast and are not counted; ([\d,]+) of them have a "
            "bad checksum",
            errors,
        )
        lost, bad = (int(number.replace(",", "")) for number in lost.groups())
        self.assertGreater(lost, 1000)
        self.assertEqual(bad, lost)
        self.assertEqual(file["packets"] + lost, 9000)
        self.assertEqual(file["checksums"]["udp"]["bad"], file["packets"])

    def test_the_longest_packets(self):
        """A datagram of 65,535 bytes over the loopback device, which leaves checksums out."""
        run_in(self.b, "ip", "address", "add", "192.0.2.9/32", "dev", "lo")
        results = []
        for options in ([], ["--xdp"]):
            program = self.verify("--json", "--count", "3", *options, interface="lo")
            kind = socket.SOCK_DGRAM
            with within(self.b, socket.socket, socket.AF_INET, kind) as sender:
                sender.bind(("192.0.2.9", 9))
                for n in (65507, 65506, 1):
                    sender.sendto(bytes(n), ("192.0.2.9", 9))
            results.append(self.ended(program)[0])
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[1]["causes"], {"udp": {"offload": 3}})
        self.assertEqual(results[1]["captured_bytes"], 65507 + 65506 + 1 + 3 * 42)

    def state(self):
        """All that the kernel says about both ends, except for counts."""
        shown = []
        for name in (self.a, self.b):
            [link] = json.loads(run("ip", "-j", "-d", "-n", name, "link", "show", "eth0"))
            shown += [link, run_in(name, "ethtool", "-k", "eth0")]
        return shown

    def test_interfaces_are_left_as_they_were(self):
        before = self.state()
        for mode in ("native", "generic"):
            for end in ("INT", "TERM", "KILL", "ABRT", "panic"):
                if end == "panic":
                    options = ["--jobs", "4096"]  # so many stacks find no room
                    program = self.verify(f"--xdp={mode}", *options, preexec_fn=limit_memory)
                else:
                    program = self.verify(f"--xdp={mode}")
                self.assertIn("xdp_live", run("ip", "-n", self.b, "link", "show", "eth0"))
                program.send_signal(getattr(signal, f"SIG{end}", signal.SIGINT))
                _, errors = program.communicate(timeout=10)
                due = {"INT": 0, "TERM": 0, "KILL": -9, "ABRT": -6}.get(end, program.returncode)
                self.assertEqual(program.returncode, due, (mode, end, errors))
                self.assertEqual("panicked" in errors, end == "panic", errors)
                self.assertEqual(self.state(), before, (mode, end))

    def test_another_program_stays(self):
        pin = Path(f"/sys/fs/bpf/{self.b}")
        other = build.compile_bpf(build.BPF / "xdp_verify.bpf.c", self.folder / "other.o")
        run("bpftool", "prog", "loadall", other, pin)
        self.addCleanup(subprocess.run, ["rm", "-rf", pin])
        number = json.loads(run("bpftool", "-j", "prog", "show", "pinned", pin / "xdp_verify"))[
            "id"
        ]
        for word in ("xdpdrv", "xdpgeneric"):
            run_in(self.b, "ip", "link", "set", "eth0", word, "pinned", pin / "xdp_verify")
            before = self.state()
            for option in ("--xdp", "--xdp=native", "--xdp=generic"):
                error = self.refused("--live", "eth0", option)
                due = f"eth0 already has an XDP program, which stays: id {number}, name xdp_verify"
                self.assertIn(due, error)
            self.assertEqual(self.state(), before)
            run_in(self.b, "ip", "link", "set", "eth0", word, "off")

    def refused(self, *options, **more):
        command = ["nsenter", f"--net=/run/netns/{self.b}", PROGRAM, "verify", *options]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=10, **more)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
        self.assertLess(len(ran.stderr), 500, ran.stderr)
        return ran.stderr

    def test_errors_say_what_to_do(self):
        run("ip", "-n", self.b, "tuntap", "add", "tunnel", "mode", "tun")
        for options, words in [
            (["--live", "nowhere", "--xdp"], "cannot capture on nowhere: No such device"),
            (["--live", "any", "--xdp"], "--xdp takes one interface"),
            (["--live", "tunnel", "--xdp"], "tunnel has no Ethernet frames"),
            (["--live", "lo", "--xdp=native"], "cannot attach the XDP program to lo"),
            (["--live", "eth0", "--xdp=fast"], "possible values: any, native, generic"),
            (["--live", "eth0", "--xdp", "--filter", "udp"], "cannot be used with"),
            (["--live", "eth0", "--xdp", "--snaplen", "60"], "cannot be used with"),
            (["--live", "eth0", "--sample", "2"], "--xdp"),
            (["--xdp", "x.pcap"], "--live"),
        ]:
            self.assertIn(words, self.refused(*options), options)
        self.verify("--xdp", interface="lo")
        self.assertIn("by generic XDP", self.first)

    def test_a_user_without_rights(self):
        program = self.folder / "wiresum"
        program.write_bytes(PROGRAM.read_bytes())
        program.chmod(0o755)
        self.folder.chmod(0o755)
        words = [program, "verify", "--live", "lo", "--xdp"]
        ran = subprocess.run(words, capture_output=True, text=True, user=65534, group=65534)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("cannot load the XDP program, for which", ran.stderr)
        self.assertIn("CAP_BPF and CAP_NET_ADMIN, are needed", ran.stderr)


if __name__ == "__main__":
    unittest.main()
