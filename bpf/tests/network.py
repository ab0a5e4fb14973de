# SPDX-License-Identifier: MIT OR Apache-2.0
"""Network namespaces for the tests, and sockets in them."""

import ctypes
import os
import subprocess
import threading
import unittest

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def run(*words):
    ran = subprocess.run(words, capture_output=True, text=True)
    if ran.returncode:
        raise AssertionError(f"{words}: {ran.stdout}{ran.stderr}")
    return ran.stdout


def run_in(namespace, *words):
    """Runs a program in a namespace. `ip netns exec` and `ip -n` would hide /sys/fs/bpf."""
    return run("nsenter", f"--net=/run/netns/{namespace}", *words)


def within(namespace, function, *arguments):
    """Calls a function on a thread of another namespace, which is a name or a path. A socket stays
    where it is made."""
    result = []

    def call():
        with open(os.path.join("/run/netns", namespace)) as file:
            if LIBC.setns(file.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        result.append(function(*arguments))

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    return result[0]


class Networks(unittest.TestCase):
    """Namespaces that end with the test."""

    def namespace(self, host):
        name = f"wiresum-bpf-{os.getpid()}-{host}"
        run("ip", "netns", "add", name)
        self.addCleanup(run, "ip", "netns", "delete", name)
        run("ip", "-n", name, "link", "set", "lo", "up")
        return name

    def cable(self, a, device_a, b, device_b, mtu=1500):
        """A pair of veth devices, without the search for duplicate addresses. Checksums are
        computed by the sender, as on a wire."""
        end = [device_b, "netns", b, "mtu", str(mtu)]
        words = ["mtu", str(mtu), "type", "veth", "peer", "name", *end]
        run("ip", "-n", a, "link", "add", device_a, *words)
        for name, device in ((a, device_a), (b, device_b)):
            settings = f"net.ipv6.conf.{device}.accept_dad=0"
            run("ip", "netns", "exec", name, "sysctl", "-qw", settings)
            self.offload(name, device, "off")
            run("ip", "-n", name, "link", "set", device, "up")

    def offload(self, name, device, state):
        run_in(name, "ethtool", "-K", device, "tx", state)

    def address(self, name, device, *addresses):
        for address in addresses:
            extra = ["nodad"] if ":" in address else []
            run("ip", "-n", name, "address", "add", address, "dev", device, *extra)

    def ping(self, name, address, *options):
        run_in(name, *"ping -n -c 3 -i 0.05 -W 2".split(), *options, address)
