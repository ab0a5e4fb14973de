# SPDX-License-Identifier: MIT OR Apache-2.0
"""The functions of wiresum_bpf.h by BPF_PROG_TEST_RUN here and on old kernels, and the programs on
traffic between network namespaces.

    python3 -m unittest discover -s bpf/tests -t .
"""

import json
import re
import socket
import struct
import subprocess
import threading
import unittest
from functools import partial
from pathlib import Path

from bpf.tests import build, kernels
from bpf.tests.network import Networks, run, run_in, within
from spec import reference

PIN = Path("/sys/fs/bpf")
VERDICTS = [
    *("good", "bad", "bad header", "absent", "illegal", "fragment", "unknown", "routed", "short"),
    *("malformed", "offloaded", "not IP"),
]
ICMP, TCP, UDP, ICMPV6 = 1, 6, 17, 58


def setUpModule():
    global OBJECTS
    OBJECTS = build.build()


def echo(server):
    peer, _ = server.accept()
    with peer:
        while data := peer.recv(65536):
            peer.sendall(data)


class Functions(unittest.TestCase):
    def test_vectors_lengths_damage_and_lies(self):
        ran = subprocess.run(
            [build.RUN, "test", build.BUILD / "functions.bpf.o"], capture_output=True, text=True
        )
        self.assertRegex(ran.stdout, r"[1-9]\d{5} checks, 0 failures\n")
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_every_program_loads_on_old_kernels(self):
        rows = {}
        for package in kernels.KERNELS:
            steps = f"load {' '.join('/' + path.name for path in OBJECTS)}\n"
            steps += "test /functions.bpf.o 10\n"
            text = build.boot(build.kernel(package), OBJECTS, steps)
            self.assertIn("machine: passed", text)
            self.assertRegex(text, r"[1-9]\d{5} checks, 0 failures")
            rows[build.release(text)] = build.loaded(text)
        here = subprocess.run([build.RUN, "load", *OBJECTS], capture_output=True, text=True)
        self.assertEqual(here.returncode, 0, here.stdout)
        rows[build.release(here.stdout)] = build.loaded(here.stdout)
        for kernel, programs in rows.items():
            self.assertGreater(len(programs), 15)
            for program, processed in programs.items():
                self.assertLessEqual(processed, 50_000, (kernel, program))
        kernels.compare(self, rows)


class Guide(unittest.TestCase):
    def test_program_of_the_guide(self):
        """The program and the commands of README.md, word for word."""
        guide = (build.BPF / "README.md").read_text()
        program = re.search(r"```c\n(.*?)```", guide, re.S)[1]
        self.assertLessEqual(len(program.splitlines()), 20)
        folder = build.BUILD / "guide"
        folder.mkdir(exist_ok=True)
        (folder / "drop_bad.bpf.c").write_text(program)
        (folder / "wiresum_bpf.h").write_bytes((build.BPF / "wiresum_bpf.h").read_bytes())
        compiling = re.search(r"```sh\n(clang .*?)```", guide, re.S)[1]
        subprocess.run(["sh", "-ec", compiling], cwd=folder, check=True)
        loading = re.search(r"```sh\n(ip link .*?)```", guide, re.S)[1]
        name = "wiresum-guide"
        self.addCleanup(subprocess.run, ["ip", "link", "delete", name], capture_output=True)
        run("ip", "link", "add", name, "type", "veth", "peer", "name", f"{name}2")
        loading = loading.replace("eth0", name)
        self.addCleanup(subprocess.run, ["rm", "-f", PIN / "drop_bad"])
        for command in loading.strip().splitlines():
            subprocess.run(["sh", "-ec", command], cwd=folder, check=True)
        shown = run("ip", "link", "show", name)
        self.assertNotIn("prog/xdp", shown)


class Traffic(Networks):
    def setUp(self):
        self.a, self.b = self.namespace("a"), self.namespace("b")
        self.pins = PIN / self.a
        self.addCleanup(subprocess.run, ["rm", "-rf", self.pins])

    def connect(self, mtu=1500):
        self.cable(self.a, "eth0", self.b, "eth0", mtu)
        self.address(self.a, "eth0", "192.0.2.1/24", "2001:db8::1/64")
        self.address(self.b, "eth0", "192.0.2.2/24", "2001:db8::2/64")

    def load(self, file):
        objects = build.BUILD / file
        maps = self.pins / "maps"
        run("bpftool", "prog", "loadall", objects, self.pins, "pinmaps", maps)

    def counts(self):
        """The packets so far, by verdict and protocol."""
        dump = json.loads(run("bpftool", "-j", "map", "dump", "pinned", self.pins / "maps/counts"))
        counts = {}
        for entry in dump:
            key = entry["formatted"]["key"]
            total = sum(cpu["value"] for cpu in entry["formatted"]["values"])
            if total:
                counts[VERDICTS[key >> 8], key & 255] = total
        return counts

    def talk(self, *addresses):
        """TCP, UDP and pings in both directions. UDP has datagrams of many sizes, also ones that
        are fragmented."""
        for address in addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            serve = partial(socket.create_server, (address, 7), family=family)
            with within(self.b, serve) as server:
                thread = threading.Thread(target=echo, args=(server,))
                thread.start()
                client = within(self.a, socket.create_connection, (address, 7))
                with client:
                    for size in (1, 2, 3, 100, 101, 1447):
                        client.sendall(bytes(range(250)) * size)
                        back = 0
                        while back < 250 * size:
                            back += len(client.recv(65536))
                thread.join()
            receiver = within(self.b, socket.socket, family, socket.SOCK_DGRAM)
            sender = within(self.a, socket.socket, family, socket.SOCK_DGRAM)
            with receiver, sender:
                receiver.bind((address, 9))
                receiver.settimeout(5)
                for size in (0, 1, 7, 8, 18, 500, 501, 1400, 4000, 4001):
                    sender.sendto(bytes(size), (address, 9))
                    self.assertEqual(len(receiver.recv(65536)), size)
            self.ping(self.a, address, "-s", "57")

    def send(self, count, vlan=False, damage=1):
        """Ethernet frames from a to b, with a damaged UDP checksum."""
        link = json.loads(run("ip", "-j", "-n", self.b, "link", "show", "eth0"))[0]["address"]
        ends = bytes.fromhex("c0000201c0000202")
        payload = b"damaged" * 5
        segment = struct.pack(">HHHH", 9, 9, 8 + len(payload), 0) + payload
        pseudo = ends + struct.pack(">HH", UDP, len(segment))
        field = reference.checksum(pseudo + segment) ^ damage
        segment = segment[:6] + struct.pack(">H", field) + segment[8:]
        header = struct.pack(">BBHIBBH", 0x45, 0, 20 + len(segment), 0, 64, UDP, 0) + ends
        header = header[:10] + struct.pack(">H", reference.checksum(header)) + header[12:]
        frame = bytes.fromhex(link.replace(":", "")) + bytes(6)
        frame += (b"\x81\0\0\7" if vlan else b"") + b"\x08\0" + header + segment
        with within(self.a, socket.socket, socket.AF_PACKET, socket.SOCK_RAW) as sender:
            sender.bind(("eth0", 0))
            for _ in range(count):
                sender.send(frame)

    def judge(self, *, native, mtu=1500):
        self.connect(mtu)
        self.load("xdp_verify.bpf.o")
        mode = "xdpdrv" if native else "xdpgeneric"
        run_in(self.b, *f"ip link set eth0 {mode} pinned {self.pins}/xdp_verify".split())
        self.talk("192.0.2.2", "2001:db8::2")
        counts = self.counts()
        for protocol in (TCP, UDP, ICMP, ICMPV6):
            self.assertGreaterEqual(counts["good", protocol], 3, counts)
        self.assertEqual([key for key in counts if "bad" in key[0]], [], counts)
        if mtu == 1500:
            self.assertGreaterEqual(sum(n for (v, _), n in counts.items() if v == "fragment"), 8)

        # Damaged packets are counted, and dropped once the map says so.
        capture = within(self.b, socket.socket, socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        with capture:
            capture.bind(("eth0", 0x0800))
            capture.settimeout(0.5)
            before = self.counts()["good", UDP]
            self.send(5)
            self.assertEqual(self.counts()["bad", UDP], 5)
            self.assertEqual(self.received(capture), 5)
            words = ["key", "0", "0", "0", "0", "value", "1", "0", "0", "0"]
            run("bpftool", "map", "update", "pinned", self.pins / "maps/settings", *words)
            self.send(6)
            self.send(7, vlan=True)
            self.assertEqual(self.counts()["bad", UDP], 18)
            self.assertEqual(self.received(capture), 0)
        self.send(3, vlan=True, damage=0)
        self.assertEqual(self.counts()["good", UDP], before + 3)
        self.talk("192.0.2.2")

    def received(self, capture):
        """The damaged frames that a packet socket has got."""
        count = 0
        try:
            while True:
                count += b"damaged" in capture.recv(65536)
        except TimeoutError:
            return count

    def test_xdp_native(self):
        self.judge(native=True)

    def test_xdp_generic(self):
        self.judge(native=False)

    def test_xdp_native_jumbo_frames_have_frags(self):
        self.judge(native=True, mtu=9000)

    def test_xdp_generic_jumbo_frames(self):
        self.judge(native=False, mtu=9000)

    def test_offloaded_checksums_are_not_bad(self):
        self.connect()
        self.offload(self.a, "eth0", "on")
        self.load("xdp_verify.bpf.o")
        run_in(self.b, *f"ip link set eth0 xdpgeneric pinned {self.pins}/xdp_verify".split())
        self.talk("192.0.2.2", "2001:db8::2")
        counts = self.counts()
        for protocol in (TCP, UDP):
            self.assertGreaterEqual(counts["offloaded", protocol], 3, counts)
        self.assertEqual([key for key in counts if "bad" in key[0]], [], counts)

    def test_tc_in_both_directions(self):
        self.connect()
        self.load("xdp_verify.bpf.o")
        run_in(self.b, *"tc qdisc add dev eth0 clsact".split())
        before = {}
        for direction in ("ingress", "egress"):
            to = f"tc filter add dev eth0 {direction} bpf direct-action pinned"
            run_in(self.b, *to.split(), self.pins / "tc_verify")
            self.talk("192.0.2.2", "2001:db8::2")
            after = self.counts()
            counts = {key: n - before.get(key, 0) for key, n in after.items()}
            counts = {key: n for key, n in counts.items() if n}
            before = after
            # The sender's stack leaves the checksums of TCP to the end, after egress.
            tcp = "good" if direction == "ingress" else "offloaded"
            for key in ((tcp, TCP), ("good", ICMP), ("good", ICMPV6)):
                self.assertGreaterEqual(counts[key], 3, counts)
            self.assertEqual([key for key in counts if "bad" in key[0]], [], counts)
            if direction == "ingress":
                self.assertGreaterEqual(counts["good", UDP], 6, counts)
                self.assertGreaterEqual(counts["fragment", UDP], 6, counts)
                self.send(5)
                self.send(6, vlan=True)
                self.send(7, vlan=True, damage=0)
                before = self.counts()
                self.assertEqual(before["bad", UDP], 11)
                self.assertEqual(before["good", UDP], after["good", UDP] + 7)
                run_in(self.b, *"tc filter delete dev eth0 ingress".split())

    def test_nat64_between_two_worlds(self):
        """a has IPv6 alone, and b has IPv4 alone; a router between them translates."""
        router = self.namespace("r")
        self.cable(self.a, "eth0", router, "six")
        self.cable(router, "four", self.b, "eth0")
        self.address(self.a, "eth0", "2001:db8::1/64")
        self.address(router, "six", "2001:db8::ff/64")
        self.address(router, "four", "192.0.2.254/24")
        self.address(self.b, "eth0", "192.0.2.2/24")
        settings = ["net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"]
        run("ip", "netns", "exec", router, "sysctl", "-qw", *settings)
        run("ip", "-n", self.a, "route", "add", "64:ff9b::/96", "via", "2001:db8::ff")
        run("ip", "-n", self.b, "route", "add", "198.51.100.0/24", "via", "192.0.2.254")
        # The kernel routes what the program returns, so the router has routes in both worlds.
        run("ip", "-n", router, "route", "add", "198.51.100.0/24", "dev", "six")
        run("ip", "-n", router, "route", "add", "64:ff9b::/96", "dev", "four")
        self.load("nat64.bpf.o")
        a6, a4 = socket.inet_pton(socket.AF_INET6, "2001:db8::1"), socket.inet_aton("198.51.100.1")
        for name, key, value in (("hosts6", a6, a4), ("hosts4", a4, a6)):
            words = ["key", *map(str, key), "value", *map(str, value)]
            run("bpftool", "map", "update", "pinned", self.pins / "maps" / name, *words)
        for device in ("six", "four"):
            run_in(router, *f"ip link set {device} xdpgeneric pinned {self.pins}/nat64".split())

        self.ping(self.a, "64:ff9b::192.0.2.2", "-s", "57")
        self.ping(self.a, "64:ff9b::192.0.2.2", "-s", "1000")
        self.ping(self.b, "198.51.100.1")

        # The receiving kernel verifies each checksum.
        server = within(self.b, socket.create_server, ("192.0.2.2", 7))
        with server, within(self.a, socket.create_connection, ("64:ff9b::192.0.2.2", 7)) as client:
            peer, address = server.accept()
            self.assertEqual(address[0], "198.51.100.1")
            with peer:
                for sender, receiver in ((client, peer), (peer, client)):
                    data = bytes(range(251)) * 400
                    thread = threading.Thread(target=sender.sendall, args=(data,))
                    thread.start()
                    got = b""
                    while len(got) < len(data):
                        got += receiver.recv(65536)
                    thread.join()
                    self.assertEqual(got, data)
        six = within(self.a, socket.socket, socket.AF_INET6, socket.SOCK_DGRAM)
        four = within(self.b, socket.socket, socket.AF_INET, socket.SOCK_DGRAM)
        with six, four:
            six.bind(("2001:db8::1", 9))
            four.bind(("192.0.2.2", 9))
            six.settimeout(5)
            four.settimeout(5)
            SO_NO_CHECK = 11
            for size in (0, 1, 2, 99, 1200):
                six.sendto(bytes(size), ("64:ff9b::192.0.2.2", 9))
                self.assertEqual(len(four.recv(65536)), size)
                for absent in (0, 1):  # a UDP checksum that IPv4 may leave out
                    four.setsockopt(socket.SOL_SOCKET, SO_NO_CHECK, absent)
                    four.sendto(b"x" * size, ("198.51.100.1", 9))
                    self.assertEqual(six.recv(65536), b"x" * size)


if __name__ == "__main__":
    unittest.main()
