# SPDX-License-Identifier: MIT OR Apache-2.0
"""pasta: the user-mode network of rootless containers, from the source of passt."""

import contextlib
import os

from evidence.integrations import build, measure

SOURCE = build.Source(
    "passt",
    "passt_0.0~git20230309.7c7625d.orig.tar.xz",
    "f071e1c2f618fe678516c6c2a798c491ac44bb96d3a00617d343f67313e3db6c",
)
FUNCTIONS = ("csum", "csum_avx2", "csum_unaligned", "csum_fold", "sum_16b")
GATEWAY = "192.0.2.1"  # what pasta takes for the host's loopback
CASES = {  # the bytes to send, and the build of its own code; the build with wiresum is one
    "TCP to a container, its build for AVX2": (2_000_000_000, "passt.avx2"),
    "TCP to a container, its build for any CPU": (2_000_000_000, "passt"),
}


def compile_both(environment):
    """Builds the patched source, with its own code for two CPUs, and with wiresum for any."""
    built = {}
    for variant, words in (
        ("theirs", ["passt", "passt.avx2"]),
        ("ours", ["passt", "WIRESUM=1"]),
    ):
        built[variant] = build.patched(f"passt/{variant}", SOURCE)
        build.run("make", "-C", built[variant], "VERSION=wiresum", *words, env=environment)
        # pasta runs the file of its folder that the CPU can run, so each build gets its own folder.
        for name in ("passt", "passt.avx2"):
            if (built[variant] / name).exists():
                folder = built[variant] / f"only-{name}"
                folder.mkdir()
                (built[variant] / name).rename(folder / "pasta")
    return built


def links(built):
    return build.links_library(built / "only-passt/pasta")


def own_tests(_):
    """The tests of passt boot virtual machines, from images that no registry has."""
    return 0


@contextlib.contextmanager
def pasta(program):
    """A host and a container, each a network namespace, with pasta between them."""
    with measure.Network() as host, measure.Network() as container:
        host.run("ip", "link", "add", "uplink", "type", "veth", "peer", "name", "far")
        host.run("ip", "link", "set", "far", "up")
        host.run("ip", "address", "add", "192.0.2.2/24", "dev", "uplink")
        host.run("ip", "link", "set", "uplink", "up")
        host.run("ip", "route", "add", "default", "via", GATEWAY)
        name = f"wiresum-{os.getpid()}"
        build.run("ip", "netns", "attach", name, container.first.pid)
        try:
            words = ["--config-net", "--netns-only", "--foreground", "--runas", "0", "-4"]
            words += ["--netns", f"/run/netns/{name}"]
            environment = measure.library_path()
            with host.background(program, *words, env=environment) as running:
                measure.wait_for(lambda: GATEWAY in container.run("ip", "route"), "pasta's route")
                yield host, container, running.pid
        finally:
            build.run("ip", "netns", "delete", name)


def checks(built, is_ours):
    """Yields what is wrong in transfers."""
    for folder in sorted(built.glob("only-*")):
        with pasta(folder / "pasta") as (host, container, pid):
            yield from measure.wrong_transfers("pasta", pid, is_ours, host, container, GATEWAY)


def figures(built, case, size):
    """Measures one transfer of `size` bytes."""
    folder = built / f"only-{CASES[case][1]}"
    program = (folder if folder.exists() else built / "only-passt") / "pasta"
    with pasta(program) as (host, container, pid):
        return measure.transfer_figures(FUNCTIONS, pid, host, container, GATEWAY, size, "-R")
