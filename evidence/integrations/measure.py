# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures a program: the CPU time that it takes, and the checksum's share of this time."""

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from bpf.tests.network import within
from evidence.integrations.build import PREFIX, Failure, run

FREQUENCY = 1999  # samples in a second, in no step with what a program repeats
PERF = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY)]
LIBRARY = "libwiresum"


class Network:
    """A network namespace that ends with the block."""

    def __init__(self):
        self.first = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])

    def __enter__(self):
        own = os.readlink("/proc/self/ns/net")
        wait_for(lambda: os.readlink(f"/proc/{self.first.pid}/ns/net") != own, "a namespace")
        self.path = f"/proc/{self.first.pid}/ns/net"
        self.run("ip", "link", "set", "lo", "up")
        return self

    def __exit__(self, *_):
        self.first.kill()
        self.first.wait()

    def words(self, *words):
        return ["nsenter", "--net", "--target", str(self.first.pid), *map(str, words)]

    def run(self, *words, **options):
        return run(*self.words(*words), **options)

    @contextlib.contextmanager
    def background(self, *words, **options):
        """A program of this namespace that runs during the block."""
        with tempfile.TemporaryFile("w+") as log:
            options = {"stdout": log, "stderr": log, **options}
            program = subprocess.Popen(self.words(*words), **options)
            try:
                yield program
            except Failure as failure:
                log.seek(0)
                raise Failure(f"{failure}\n{' '.join(map(str, words))}: {log.read()}") from None
            finally:
                program.terminate()
                program.wait()

    def counter(self, protocol, name):
        """A counter of /proc/net/snmp."""
        lines = self.run("cat", "/proc/net/snmp").splitlines()
        names, values = (line.split() for line in lines if line.startswith(f"{protocol}:"))
        return int(values[names.index(name)])


def wait_for(is_there, what, seconds=10):
    end = time.monotonic() + seconds
    while not is_there():
        if time.monotonic() > end:
            raise Failure(f"{what} did not appear in {seconds} seconds")
        time.sleep(0.02)


def cpu_seconds(pid):
    """The CPU time of a process of one thread, in the kernel too."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def maps_library(pid):
    return LIBRARY in Path(f"/proc/{pid}/maps").read_text()


@contextlib.contextmanager
def sampled(functions, pid):
    """Samples a process during the block. The list that it gives gets the share of functions and
    of the library, and the number of samples."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        command = [*PERF, "-o", data, "-p", str(pid)]
        perf = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        wait_for(lambda: Path(data).exists(), "perf's file")
        time.sleep(0.2)
        result = []
        try:
            yield result
        finally:
            perf.send_signal(signal.SIGINT)
            perf.wait()
        result += share(functions, data)


def share(functions, data):
    """The share of functions and of the library in perf's samples, and the number of samples."""
    # Not in the mount namespace into which a process has gone: the files are not there.
    words = ["unshare", "--pid", "--fork", "--mount-proc"]
    lines = run(*words, "perf", "script", "-i", data, "-F", "ip,sym,dso", stderr=None).splitlines()
    ours = [line for line in lines if LIBRARY in line or line.split()[1] in functions]
    return len(ours) / max(1, len(lines)), len(lines)


def command_figures(functions, command, environment, count):
    """The figures of a program that runs alone, and works on `count` bytes. It runs twice, once of
    them with the samples."""

    def children():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = children()
    run(*command, env=environment)
    seconds = children() - before
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        run(*PERF, "-o", data, *command, env=environment)
        part, samples = share(functions, data)
    return {"share": part, "samples": samples, "cpu_s_per_gb": seconds / count * 1e9}


def iperf(server, client, address, size, *options):
    """Sends bytes by TCP from one namespace to an address, and returns iperf3's summary."""
    with server.background("iperf3", "-s", "-1"):
        wait_for(lambda: ":5201 " in server.run("ss", "-lnt"), "iperf3's server")
        words = ["iperf3", "-c", address, "-n", size, "-J", *options]
        return json.loads(client.run("timeout", "60", *words))["end"]


def transfer_figures(functions, pid, server, client, address, size, *options):
    """The figures of a process through which `size` bytes of TCP go."""
    with sampled(functions, pid) as shares:
        before = cpu_seconds(pid)
        end = iperf(server, client, address, size, *options)
        seconds = cpu_seconds(pid) - before
    got = end["sum_received"]
    return {
        "share": shares[0],
        "samples": shares[1],
        "cpu_s_per_gb": seconds / got["bytes"] * 1e9,
        "gbit_s": got["bits_per_second"] / 1e9,
    }


def arrives(server, client, address, is_up):
    """Whether random bytes arrive whole by TCP: from the client at an address of the server, or
    back from there."""
    data = os.urandom(3_000_001)
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(within(server.path, socket.create_server, ("", 5202)))
        place = (address, 5202)
        sender = stack.enter_context(within(client.path, socket.create_connection, place, 10))
        receiver = stack.enter_context(listener.accept()[0])
        if not is_up:
            sender, receiver = receiver, sender
        receiver.settimeout(20)

        def send():
            sender.sendall(data)
            sender.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        got = b"".join(iter(lambda: receiver.recv(1 << 20), b""))
        thread.join()
        return got == data


def wrong_transfers(program, pid, is_ours, host, container, address, at=""):
    """Yields what is wrong in transfers between a host and a container through a program."""
    if maps_library(pid) != is_ours:
        yield f"{program} has loaded libwiresum: {not is_ours}"
    for is_up in (True, False):
        if not arrives(host, container, address, is_up):
            yield f"bytes did not arrive whole{at}, from the container: {is_up}"
    if bad := container.counter("Tcp", "InCsumErrors"):
        yield f"{bad} checksums from {program} are wrong"


def library_path(*folders):
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, (*folders, PREFIX / "lib")))}
