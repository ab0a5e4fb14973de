# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a part of ./check needs: whether it is here, how to install it, and how a person gets it.

A need is a word:

    gcc, tshark, ...           a command in the PATH, of the Debian package that PACKAGES names
    apt:PACKAGE                a Debian package without a command
    pip:NAME==VERSION          a Python package, in build/venv: no part touches the Python of the
                               machine
    rust:TOOLCHAIN[/COMPONENT] a Rust toolchain, by rustup
    target:TRIPLE              the standard library of Rust for another target, by rustup
    cargo:NAME                 a program of crates.io, in the user's cache folder
    backports:qemu-user        a newer QEMU than Debian's, unpacked into build/backports
    root                       the rights of root
    bpf                        a kernel that lets this user load BPF programs
    kernel:PACKAGE             the newest kernel that this Debian package depends on, unpacked into
                               build/kernels
    url:URL                    an answer of this server, for what is on no package registry
    cpu:FEATURE                a CPU with this feature, as /proc/cpuinfo names it
"""

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

from c.tests.cross import native
from c.tests.cross import targets as cross

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
VENV = BUILD / "venv"
KERNELS = BUILD / "kernels"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wiresum"
CARGO_TOOLS = CACHE / "cargo"  # of cargo install, for all clones; ./check has it in its PATH

# The Debian package of a command, where the package has another name.
PACKAGES = {
    "abidiff": "abigail-tools",
    "frama-c": "frama-c-base",
    "ip": "iproute2",
    "ninja": "ninja-build",
    "node": "nodejs",
    "ocamlfind": "ocaml-findlib",
    "perf": "linux-perf",
    "ping": "iputils-ping",
    "qemu-system-x86_64": "qemu-system-x86",
    **{
        f"qemu-{machine}": "qemu-user"
        for machine in (
            *("aarch64", "aarch64_be", "arm", "i386", "loongarch64", "ppc", "ppc64", "ppc64le"),
            *("riscv64", "s390x", "x86_64"),
        )
    },
}
FROM_DEBIAN = {
    *(
        "bpftool",
        "chromium",
        "clang",
        "cmake",
        "cvc4",
        "cvc5",
        "doxygen",
        "ethtool",
        "firefox-esr",
        "g++",
        "gcc",
        "git",
        "iperf3",
        "iverilog",
        "make",
        "meson",
        "npm",
        "perl",
    ),
    *(
        "patch",
        "pkg-config",
        "shellcheck",
        "slirp4netns",
        "tcc",
        "tcpdump",
        "tshark",
        "valgrind",
        "why3",
        "z3",
    ),
}


def pinned(requirements):
    """The packages of a requirements file as needs."""
    lines = (ROOT / requirements).read_text().splitlines()
    return [f"pip:{line}" for line in lines if line and not line.startswith("#")]


def package_of(need):
    """The Debian package that a need comes from, or None."""
    if need.startswith("apt:"):
        return need[4:]
    return PACKAGES.get(need) or (need if need in FROM_DEBIAN else None)


# rustup may be missing; it uses the toolchain of this folder
RUST_TARGETS = ["sh", "-c", "rustup target list --installed"]


def have(need):
    """Whether a need is here."""
    if need.startswith("apt:"):
        shown = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Status}", need[4:]], capture_output=True, text=True
        )
        return "install ok installed" in shown.stdout
    if need.startswith("pip:"):
        name, _, version = need[4:].partition("==")
        folder = f"{re.sub('[-_.]+', '_', name)}-{version}.dist-info"  # as PEP 427 names wheels
        return any(VENV.glob(f"lib/python3*/site-packages/{folder}"))
    if need.startswith("backports:"):
        return cross.have_newer_qemu()
    if need.startswith("rust:"):
        toolchain, _, component = need[5:].partition("/")
        tool = ["cargo", component] if component else ["rustc"]
        shown = ["rustup", "run", toolchain, *tool, "--version"]
        return shutil.which("rustup") and not subprocess.run(shown, capture_output=True).returncode
    if need.startswith("target:"):
        shown = subprocess.run(RUST_TARGETS, capture_output=True, text=True, cwd=ROOT)
        return need[7:] in shown.stdout.split()
    if need.startswith("cargo:"):
        return shutil.which(need[6:]) is not None
    if need.startswith("url:"):
        try:
            urllib.request.urlopen(need[4:], timeout=10).close()
        except OSError:
            return False
        return True
    if need == "root":
        return os.geteuid() == 0
    if need == "bpf":
        return lets_load_bpf()
    if need.startswith("kernel:"):
        return any((KERNELS / need[7:]).glob("boot/vmlinuz-*"))
    if need.startswith("cpu:"):
        return need[4:] in native.cpuinfo().get("flags", "").split()
    return shutil.which(need) is not None


def lets_load_bpf():
    """Whether bpf(2) makes a map for this user: an array (type 2) of one word."""
    number = {"x86_64": 321, "aarch64": 280}.get(platform.machine())
    map_create = (ctypes.c_uint32 * 8)(2, 4, 4, 1)
    if not number:
        return False
    file = ctypes.CDLL(None).syscall(number, 0, ctypes.byref(map_create), ctypes.sizeof(map_create))
    if file >= 0:
        os.close(file)
    return file >= 0


def how_to_get(need):
    """What a person does to get a need."""
    if need == "root":
        return "only root may make network namespaces"
    if need == "bpf":
        return "the kernel does not let this user load BPF programs"
    if need.startswith("kernel:"):
        return f"Debian's {need[7:]} is missing: on a machine with apt-get, ./check unpacks it"
    if need.startswith("cpu:"):
        return f"this CPU lacks {need[4:]}"
    if need.startswith("url:"):
        return f"{need[4:]} does not answer this machine"
    if package_of(need):
        return f"{need} is missing: apt-get install {package_of(need)}"
    if need.startswith("rust:"):
        return f"{need[5:]} is missing: {' '.join(rustup_install(need))}"
    if need.startswith("target:"):
        return f"{need[7:]} is missing: {' '.join(rustup_install(need))}"
    if need.startswith("cargo:"):
        return f"{need[6:]} is missing: cargo install {need[6:]}"
    if need.startswith("backports:"):
        return (
            f"{need[10:]} of version 9 or later is missing: on a machine with apt-get, ./check "
            "takes it from Debian's backports"
        )
    if need.startswith("pip:"):
        venv = VENV.relative_to(ROOT)
        return f"{need[4:]} is missing: python3 -m venv {venv}; {venv}/bin/pip install '{need[4:]}'"
    return f"{need} is missing"


def install(needs, say):
    """Installs at once all that is missing and that this user may install."""
    missing = [need for need in needs if not have(need)]
    packages = sorted({package_of(need) for need in missing if package_of(need)})
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"check: installing {' '.join(packages)}")
        install_packages(packages)
    wheels = sorted(need[4:] for need in missing if need.startswith("pip:"))
    if wheels:
        say(f"check: pip install {' '.join(wheels)} (into {VENV.relative_to(ROOT)})")
        if not (VENV / "bin/pip").exists():
            subprocess.run([sys.executable, "-m", "venv", str(VENV)])
        pip = [str(VENV / "bin/pip"), "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *wheels])
    for need in missing:
        if need.startswith("backports:") and shutil.which("apt-get"):
            folder = cross.BACKPORTS.relative_to(ROOT)
            say(f"check: unpacking {need[10:]} of Debian's backports (into {folder})")
            unpack_backport(need[10:])
        if need.startswith("kernel:") and shutil.which("apt-get"):
            say(f"check: unpacking {need[7:]} (into {KERNELS.relative_to(ROOT)})")
            unpack_kernel(need[7:])
        if need.startswith("cargo:"):
            say(f"check: cargo install {need[6:]}")
            root = ["--root", str(CARGO_TOOLS)]
            subprocess.run(["cargo", "install", "--quiet", "--locked", *root, need[6:]])
        if need.startswith(("rust:", "target:")) and shutil.which("rustup"):
            say(f"check: {' '.join(rustup_install(need))}")
            subprocess.run(rustup_install(need), capture_output=True)


def install_packages(packages):
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    }
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
    subprocess.run(["apt-get", "update", "-qq"], **quiet)
    if subprocess.run([*command, *packages], **quiet).returncode:
        for package in packages:  # one package that does not exist must not keep the others away
            subprocess.run([*command, package], **quiet)


def rustup_install(need):
    if need.startswith("target:"):
        return ["rustup", "target", "add", need[7:]]
    toolchain, _, component = need[5:].partition("/")
    components = {"": [], "miri": ["miri", "rust-src"]}.get(component, [component])
    words = [word for name in components for word in ("--component", name)]
    return ["rustup", "toolchain", "install", "--profile", "minimal", toolchain, *words]


def private_apt(folder, kind, suites):
    """apt-get with lists of its own in a folder: suites are {suite of Debian: address}, and the
    kind is deb, or deb-src for sources. The machine's lists stay as they are."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    lines = [f"{kind} [signed-by={key}] {url} {suite} main\n" for suite, url in suites.items()]
    (folder / "sources.list").write_text("".join(lines))
    options = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    words = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    return ["apt-get", "-qq", *words]


def unpack_backport(package):
    """Unpacks a package of Debian's backports; the installed one of this release stays as it is."""
    folder = BUILD / "apt"
    release = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())
    suite = f"{release.group(1) if release else 'bookworm'}-backports"
    apt = private_apt(folder, "deb", {suite: "http://deb.debian.org/debian"})
    subprocess.run([*apt, "update"])
    subprocess.run([*apt, "download", package], cwd=folder)
    for file in sorted(folder.glob(f"{package}_*.deb"))[-1:]:
        subprocess.run(["dpkg-deb", "-x", str(file), str(cross.BACKPORTS)])
        file.unlink()


def unpack_kernel(package):
    """Unpacks what boots of the kernel on which a package of Debian depends."""
    shown = subprocess.run(["apt-cache", "depends", package], capture_output=True, text=True)
    found = re.search(r"Depends: (linux-image-\S+)", shown.stdout)
    folder = KERNELS / package
    folder.mkdir(parents=True, exist_ok=True)
    if not found:
        return
    subprocess.run(
        ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", found[1]], cwd=folder
    )
    for file in folder.glob("*.deb"):
        tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", file], capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder, "--wildcards", "./boot/vmlinuz-*"], input=tar)
        file.unlink()
