# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fetches a program's source from Debian, patches it, and installs the library that it links."""

import fnmatch
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

from evidence.checks.needs import private_apt

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/integrations"
PREFIX = BUILD / "prefix"
# Point releases and security updates replace the sources of a package.
SUITES = {
    "bookworm": "http://deb.debian.org/debian",
    "bookworm-updates": "http://deb.debian.org/debian",
    "bookworm-security": "http://deb.debian.org/debian-security",
}


class Failure(Exception):
    """A command that failed, with what it printed."""


def run(*words, **options):
    """Runs a command, and returns what it printed."""
    ran = subprocess.run(
        [str(word) for word in words],
        **{
            "stdin": None if "input" in options else subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "text": True,
            **options,
        },
    )
    if ran.returncode:
        raise Failure(f"{' '.join(map(str, words))}: exit status {ran.returncode}\n{ran.stdout}")
    return ran.stdout


@dataclass
class Source:
    """The original source of a Debian package, pinned."""

    package: str
    file: str
    sha256: str
    members: tuple = ("*",)  # what a build needs of it

    def fetch(self):
        """The path of the source, whose digest is right."""
        folder = BUILD / "sources"
        path = folder / self.file
        if not path.exists():
            apt = private_apt(folder / "apt", "deb-src", SUITES)
            run(*apt, "update")
            run(*apt, "source", "--tar-only", "--download-only", self.package, cwd=folder)
        if not path.exists():
            raise Failure(f"Debian's {self.package} has no {self.file} now: renew the pin")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != self.sha256:
            raise Failure(f"{path}: the SHA-256 is {digest}, and the pin is {self.sha256}")
        return path

    def unpack(self, folder):
        """Unpacks the members, without the folder that holds them all."""
        with tarfile.open(self.fetch()) as tar:
            for member in tar:
                member.name = member.name.partition("/")[2]
                if any(fnmatch.fnmatch(member.name, pattern) for pattern in self.members):
                    tar.extract(member, folder, filter="data")


def patched(name, source):
    """A new folder with the source and our patch of it. The name may have a part after a slash, for
    a second copy."""
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source.unpack(folder)
    with patch_of(name.partition("/")[0]).open() as patch:
        run("patch", "-p1", "--fuzz=0", "--no-backup-if-mismatch", stdin=patch, cwd=folder)
    return folder


def patch_of(name):
    return Path(__file__).parent / name / "wiresum.patch"


def changed_lines(name):
    """The lines that the patch of a program adds, and those that it removes."""
    text = patch_of(name).read_text()
    return [len(re.findall(rf"^{sign}(?!{sign})", text, re.M)) for sign in ("[+]", "-")]


def install_library():
    """Installs the C library, and returns the environment in which pkg-config finds it."""
    cmake = BUILD / "cmake"
    options = [f"-DCMAKE_INSTALL_PREFIX={PREFIX}", "-DWIRESUM_TESTS=OFF"]
    run("cmake", "-S", ROOT / "c", "-B", cmake, "-DCMAKE_INSTALL_LIBDIR=lib", *options)
    run("cmake", "--build", cmake, "-j", "2")
    run("cmake", "--install", cmake)
    return {**os.environ, "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig")}


def flags(environment, *packages):
    """What the compiler needs for packages that pkg-config finds."""
    return run("pkg-config", "--cflags", "--libs", *packages, env=environment).split()


def links_library(file):
    """Whether a program or a library needs libwiresum."""
    return "libwiresum.so" in run("readelf", "-d", file)


def exports(file):
    """The symbols of wiresum that a file exports."""
    lines = run("nm", "-D", "--defined-only", file).splitlines()
    return [line for line in lines if "wiresum" in line]
