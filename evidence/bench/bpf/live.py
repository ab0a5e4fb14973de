# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the CPU time that a capture takes: `wiresum verify --live` by XDP and through libpcap,
and `tcpdump -w`.

    python3 -m evidence.bench.bpf.live --write    measures, and writes the record and bpf/README.md
    python3 -m evidence.bench.bpf.live --check    compares bpf/README.md with the record

Needs root, clang, bpftool, tcpdump and libpcap. A program sends good UDP packets from one network
namespace into another by XDP_REDIRECT, as a driver would receive them, and pauses often, so that no
packet is lost: every count is compared. A figure has the time of the sender, in which the kernel
receives the packets, of the threads that take over from it (ksoftirqd), and of the program after it
has begun; the time without a program in the same round is subtracted. All programs run one after
the other in each round, and a figure is the median of the rounds.
"""

import ctypes
import datetime
import json
import os
import platform
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bpf.tests import build
from bpf.tests.network import Networks, run, run_in
from evidence import generated
from evidence.bench import families
from spec import reference

RESULTS = build.ROOT / "evidence/bench/results/bpf/live"
README = "bpf/README.md"
WIRESUM = build.ROOT / "target/release/wiresum"
# The crates through which packets come are optimized, too.
BUILD = "cargo build --quiet --release --features live,xdp".split()
for crate in ("pcap", "aya"):
    BUILD += ["--config", f"profile.release.package.{crate}.opt-level=3"]
PACKETS = {64: 800_000, 1500: 200_000}  # by size: the end of a program is a small part of each
AT_ONCE = 10_000
PAUSE = 0.03
ROUNDS = 11
PROGRAMS = {
    "xdp": "`verify --live --xdp`",
    "generic": "the same, generic XDP",
    "libpcap": "`verify --live`, libpcap",
    "tcpdump": "`tcpdump -w`",
}
SENDER = """#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("xdp")
int sender(struct xdp_md *ctx)
{
    (void)ctx;
    return bpf_redirect(INTERFACE, 0);
}
"""


def frame(size):
    """An Ethernet frame with a UDP datagram whose checksums are right."""
    ends = bytes.fromhex("0a0000010a000002")
    datagram = bytearray(struct.pack(">HHHH", 9, 9, size - 34, 0) + bytes(size - 42))
    pseudo = ends + struct.pack(">HH", 17, len(datagram))
    datagram[6:8] = struct.pack(">H", reference.checksum(pseudo + datagram))
    header = bytearray(struct.pack(">BBHIBBH", 0x45, 0, size - 14, 0, 64, 17, 0) + ends)
    header[10:12] = struct.pack(">H", reference.checksum(header))
    return bytes(12) + b"\x08\0" + header + datagram


def bpf(command, attributes):
    """The system call bpf(2), of x86-64 or AArch64."""
    number = {"x86_64": 321, "aarch64": 280}[platform.machine()]
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = ctypes.create_string_buffer(attributes, 128)
    result = libc.syscall(number, command, attributes, len(attributes))
    if result < 0:
        raise OSError(ctypes.get_errno(), "bpf")
    return result


def send(pin, size):
    """Sends packets, and prints the ns of CPU time that this takes."""
    get, test_run, live_frames = 7, 10, 1 << 1
    path = ctypes.create_string_buffer(os.fsencode(pin))
    program = bpf(get, struct.pack("=QII", ctypes.addressof(path), 0, 0))
    data = ctypes.create_string_buffer(frame(size), size)
    began = time.process_time_ns()
    for _ in range(PACKETS[size] // AT_ONCE):
        words = (program, 0, size, 0, ctypes.addressof(data), 0, AT_ONCE, 0, 0, 0, 0, 0)
        bpf(test_run, struct.pack("=IIIIQQIIIIQQIII", *words, live_frames, 0, 64))
        time.sleep(PAUSE)
    print(time.process_time_ns() - began)


def of_threads():
    """The ns that the kernel's threads for received packets have run."""
    ns = 0
    for comm in Path("/proc").glob("[0-9]*/comm"):
        if comm.read_text().startswith("ksoftirqd/"):
            ns += int(comm.with_name("schedstat").read_text().split()[0])
    return ns


def of_program(process):
    """The ns that the threads of a program have run."""
    tasks = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks)


class Bench(Networks):
    def connect(self, folder):
        self.a, self.b = self.namespace("a"), self.namespace("b")
        for name in (self.a, self.b):
            run_in(name, "sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1")
        run(*f"ip -n {self.a} link add eth0 type veth peer name eth0 netns {self.b}".split())
        for name in (self.a, self.b):
            run("ip", "-n", name, "link", "set", "eth0", "up")
            run_in(name, "ethtool", "-K", "eth0", "gro", "on")  # so that the driver takes frames
        link = self.link(self.a)
        source = folder / "sender.bpf.c"
        source.write_text(SENDER.replace("INTERFACE", str(link["ifindex"])))
        build.compile_bpf(source, folder / "sender.o")
        self.pin = Path(f"/sys/fs/bpf/{self.a}")
        run("bpftool", "prog", "load", folder / "sender.o", self.pin)
        self.addCleanup(self.pin.unlink)

    def link(self, name):
        """What the kernel says about an end of the cable."""
        return json.loads(run("ip", "-j", "-s", "-n", name, "link", "show", "eth0"))[0]

    def received(self):
        return self.link(self.b)["stats64"]["rx"]["packets"]

    def begin(self, program, packets, file):
        """Begins to capture, if a program is named. It ends after the last packet."""
        if not program:
            return None
        verify = [WIRESUM, "verify", "--json", "--count", str(packets), "--live", "eth0"]
        command = {
            "xdp": [*verify, "--xdp=native"],
            "generic": [*verify, "--xdp=generic"],
            "libpcap": verify,
            "tcpdump": ["tcpdump", *"-n -Z root -B 65536 -i eth0".split()],
        }[program]
        if program == "tcpdump":
            command += ["-w", file, "-c", str(packets)]
        command = ["nsenter", f"--net=/run/netns/{self.b}", *command]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
        while not re.search("verifying on|listening on", process.stderr.readline()):
            pass
        return process

    def once(self, program, size, file):
        """The ns of CPU time that all packets take."""
        packets = PACKETS[size]
        before, received = of_threads(), self.received()
        process = self.begin(program, packets, file)
        started = of_program(process) if process else 0
        sender = [sys.executable, "-m", "evidence.bench.bpf.live", "--send", self.pin, str(size)]
        ns = int(run_in(self.a, *sender))
        if process:
            out, errors = process.stdout.read(), process.stderr.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            own = round(1e9 * (used.ru_utime + used.ru_stime)) - started
            if program == "tcpdump":
                right = f"{packets} packets captured" in errors
            else:
                [counted] = json.loads(out)["files"]
                right = counted["packets"] == counted["checksums"]["udp"]["good"] == packets
            if not right or process.returncode:
                sys.exit(f"{program}: {out}{errors}")
        else:
            own = 0
        if self.received() - received != packets:
            sys.exit(f"{program}: {self.received() - received} packets were received")
        return ns + own + of_threads() - before, own

    def measure(self):
        """The ns a packet that each program adds in each size, and its own: medians of rounds."""
        ran = {}
        try:
            with tempfile.TemporaryDirectory() as folder:
                self.connect(Path(folder))
                for _ in range(ROUNDS):
                    for size, packets in PACKETS.items():
                        alone, _ = self.once(None, size, Path(folder) / "out.pcap")
                        for program in PROGRAMS:
                            ns, own = self.once(program, size, Path(folder) / "out.pcap")
                            both = (ns - alone) / packets, own / packets
                            ran.setdefault((program, size), []).append(both)
        finally:
            self.doCleanups()
        return {key: tuple(map(median, zip(*each, strict=True))) for key, each in ran.items()}


def seconds(ns):
    """CPU seconds a million packets, of ns a packet."""
    return f"{ns / 1000:.3f}"


def table():
    records = sorted(RESULTS.glob("*.json"))
    if not records:
        return "No machine has a record yet."
    data = json.loads(records[0].read_text())
    header = ["program", *(f"{size:,} bytes" for size in PACKETS), "in the program itself"]
    rows = []
    for program, label in PROGRAMS.items():
        ns = data["ns"][program]
        both = [seconds(ns[str(size)]["all"]) for size in PACKETS]
        own = " and ".join(seconds(ns[str(size)]["own"]) for size in PACKETS)
        rows.append([label, *both, own])
    return f"""{generated.markdown_table(header, rows)}

{data["cpu"]}, Linux {data["kernel"]}, {data["date"]}: the medians of {data["rounds"]} rounds of
{" and ".join(f"{packets:,}" for packets in PACKETS.values())} packets."""


def main():
    if sys.argv[1:2] == ["--send"]:
        send(sys.argv[2], int(sys.argv[3]))
        return 0
    if sys.argv[1:] == ["--write"]:
        subprocess.run(BUILD, cwd=build.ROOT, check=True)
        measured = Bench().measure()
        ns = {}
        for (program, size), (both, own) in measured.items():
            ns.setdefault(program, {})[str(size)] = {"all": both, "own": own}
        folder, name = families.family(families.this_cpu())
        data = {
            "cpu": name,
            "kernel": platform.release(),
            "date": datetime.date.today().isoformat(),
            "rounds": ROUNDS,
            "ns": ns,
        }
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{folder}.json").write_text(json.dumps(data, indent=1) + "\n")
    return generated.main([(README, "live", table)])


if __name__ == "__main__":
    sys.exit(main())
