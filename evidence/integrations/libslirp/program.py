# SPDX-License-Identifier: MIT OR Apache-2.0
"""libslirp: the user-mode network of rootless containers and of QEMU."""

import contextlib

from evidence.integrations import build, measure

SOURCE = build.Source(
    "libslirp",
    "libslirp_4.7.0.orig.tar.bz2",
    "358ce8b6ea59ec9deac937cc754f0115b992839e7b0cddf30ffb8f77dc21da82",
)
FUNCTIONS = ("cksum", "ip6_cksum")
HOST = "10.0.2.2"  # what slirp4netns calls the host's loopback
CASES = {  # the bytes to send, the MTU, and options of iperf3
    "TCP from a container, MTU 65,520": (2_000_000_000, 65520, ()),
    "TCP to a container, MTU 65,520": (2_000_000_000, 65520, ("-R",)),
    "TCP from a container, MTU 1,500": (200_000_000, 1500, ()),
    "TCP to a container, MTU 1,500": (300_000_000, 1500, ("-R",)),
}


def compile_both(environment):
    """Builds the patched source, with its own code and with wiresum."""
    folder = build.patched("libslirp", SOURCE)
    built = {}
    for variant, option in (("theirs", "disabled"), ("ours", "enabled")):
        built[variant] = folder / variant
        words = ["--buildtype=release", f"-Dwiresum={option}", built[variant], folder]
        build.run("meson", "setup", *words, env=environment)
        build.run("ninja", "-C", built[variant], "-j", "2")
    return built


def links(built):
    return build.links_library(built / "libslirp.so.0")


def own_tests(built):
    """The project's tests, and how many there are."""
    printed = build.run("meson", "test", "-C", built)
    return printed.count(" OK ")


@contextlib.contextmanager
def slirp(built, mtu):
    """A host and a container, each a network namespace, with slirp4netns between them."""
    environment = measure.library_path(built)
    with measure.Network() as host, measure.Network() as container:
        words = ["slirp4netns", "--configure", f"--mtu={mtu}", container.first.pid, "tap0"]
        with host.background(*words, env=environment) as program:
            measure.wait_for(lambda: HOST in container.run("ip", "route"), "slirp4netns's route")
            yield host, container, program.pid


def checks(built, is_ours):
    """Yields what is wrong in transfers, and which symbols the library exports in addition."""
    yield from build.exports(built / "libslirp.so.0")
    for mtu in (1500, 65520):
        with slirp(built, mtu) as (host, container, pid):
            ends = host, container, HOST
            yield from measure.wrong_transfers("slirp4netns", pid, is_ours, *ends, f", MTU {mtu}")


def figures(built, case, size):
    """Measures one transfer of `size` bytes."""
    _, mtu, options = CASES[case]
    with slirp(built, mtu) as (host, container, pid):
        return measure.transfer_figures(FUNCTIONS, pid, host, container, HOST, size, *options)
