#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds wheels for other machines than this one, and checks what goes to PyPI.

    build/venv/bin/python python/wheels.py build [--profile NAME] [--out FOLDER] PLATFORM…
    build/venv/bin/python python/wheels.py check FILE…
    build/venv/bin/python python/wheels.py try --python PYTHON WHEEL

`build` has zig compile the C code and link, so that a wheel for Linux runs with the glibc that its
tag names. `check` opens wheels and source distributions: tags, files, licenses, what a module
exports and which libraries it needs, and that it keeps to the stable ABI. `try` installs a wheel
for another Python of this machine, and runs the tests of the functions with it.

`./check python-wheels` installs what `build` and `check` need into build/venv.
"""

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from email import message_from_string
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
MODULE = "wiresum/_wiresum"


@dataclass
class Platform:
    target: str  # of Rust; empty where zig cannot link the module
    tag: str  # of the wheel
    libraries: str  # a pattern of those that the module may need


GLIBC = r"(libc|libm|libgcc_s|libpthread|libdl|librt|libutil|ld-linux-[\w-]+)\.so\.\d"
WINDOWS = (
    r"python3\.dll|(kernel32|ntdll|advapi32|bcrypt|bcryptprimitives|combase|ole32|oleaut32|rpcrt4"
    r"|shell32|userenv|ws2_32|api-ms-win-[\w-]+)\.dll"
)
# zig's linker exports more from modules of macOS and Windows than it is told to. Wheels for those
# are built there.
PLATFORMS = {
    "linux-x86_64": Platform("x86_64-unknown-linux-gnu", "manylinux_2_17_x86_64", GLIBC),
    "linux-aarch64": Platform("aarch64-unknown-linux-gnu", "manylinux_2_17_aarch64", GLIBC),
    "windows-x86_64": Platform("", "win_amd64", WINDOWS),
}
# A wheel that pip builds for this machine alone.
NATIVE = Platform("", f"linux_{os.uname().machine}", GLIBC)

LICENSES = ("LICENSE-APACHE", "LICENSE-MIT")
PACKAGE = ROOT / "python/wiresum"
FILES = {
    str(file.relative_to(PACKAGE))
    for file in PACKAGE.rglob("*")
    if file.suffix in (".py", ".pyi", ".typed")
}


def build(platforms, profile, out):
    """Builds the wheel of each platform into a folder."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for name in platforms:
        words = ["--profile", profile, "--locked", "--zig", "--target", PLATFORMS[name].target]
        words += ["--interpreter", "python3.11", "--out", str(out.resolve())]
        subprocess.run(
            ["maturin", "build", *words], cwd=ROOT / "python", env=environment, check=True
        )
        (ROOT / "c/a.o").unlink(missing_ok=True)  # zig may leave it, empty


def faults_of_wheel(wheel):
    """Yields what is wrong with a wheel."""
    name, version, python, abi, tags = wheel.name.removesuffix(".whl").split("-")
    if (name, python, abi) != ("wiresum", "cp311", "abi3"):
        yield f"the tag of {wheel.name} is not cp311-abi3"
    known = {platform.tag: platform for platform in (*PLATFORMS.values(), NATIVE)}
    platform = next((known[tag] for tag in tags.split(".") if tag in known), None)
    if platform is None:
        yield f"{tags} is the tag of no platform"
        return
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        info = f"wiresum-{version}.dist-info"
        module = f"{MODULE}.pyd" if platform.tag.startswith("win") else f"{MODULE}.abi3.so"
        licenses = {f"{info}/licenses/{license}" for license in LICENSES}
        others = {f"{info}/{file}" for file in ("METADATA", "RECORD", "WHEEL", "entry_points.txt")}
        sbom = f"{info}/sboms/wiresum-python.cyclonedx.json"
        others.add(sbom)
        expected = {f"wiresum/{file}" for file in FILES} | {module} | licenses | others
        for what, difference in (("lacks", expected - names), ("also has", names - expected)):
            for file in sorted(difference):
                yield f"{wheel.name} {what} {file}"
        for file in licenses & names:
            if archive.read(file) != (ROOT / Path(file).name).read_bytes():
                yield f"{file} is not the license of the project"
        for file in names - {module, sbom}:  # maturin names the folder in the SBOM
            if str(ROOT).encode() in archive.read(file):
                yield f"{file} names the folder in which it was built"
        if f"{info}/METADATA" in names:
            metadata = message_from_string(archive.read(f"{info}/METADATA").decode())
            needs = metadata.get_all("Requires-Dist", [])
            needs = [need for need in needs if "; extra == " not in need]
            if metadata["Requires-Python"] != ">=3.11" or needs:
                yield f"{wheel.name} requires Python {metadata['Requires-Python']}, {needs}"
        if module in names:
            with tempfile.TemporaryDirectory() as folder:
                yield from faults_of_module(Path(archive.extract(module, folder)), platform)
                yield from faults_of_abi(wheel)


def faults_of_module(module, platform):
    """Yields what is wrong with what a module exports and needs."""
    import lief

    binary = lief.parse(module)
    windows = platform.tag.startswith("win")
    if not isinstance(binary, lief.PE.Binary if windows else lief.ELF.Binary):
        yield f"{module.name} is {type(binary)}, and not for {platform.tag}"
        return
    if windows:
        exported = {entry.name for entry in binary.get_export().entries}
        libraries = {entry.name for entry in binary.imports}
    else:
        exported = {symbol.name for symbol in binary.exported_symbols}
        libraries = set(binary.libraries)
    if exported != {"PyInit__wiresum"}:
        yield f"{module.name} exports {sorted(exported)}"
    for library in sorted(libraries):
        if not re.fullmatch(platform.libraries, library, re.IGNORECASE):
            yield f"{module.name} needs {library}"
    if windows and "python3.dll" not in libraries:
        yield f"{module.name} does not need python3.dll"
    if policy := re.match(r"manylinux_(\d+)_(\d+)_", platform.tag):
        most = tuple(map(int, policy.groups()))
        for version in sorted(glibc_versions(binary)):
            if version > most:
                yield f"{module.name} needs glibc {version}, and its tag says {most}"


def glibc_versions(binary):
    """The versions of glibc whose symbols a module of Linux needs."""
    names = {
        symbol.symbol_version.symbol_version_auxiliary.name
        for symbol in binary.imported_symbols
        if symbol.has_version and symbol.symbol_version.has_auxiliary_version
    }
    found = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", name) for name in names]
    return {tuple(map(int, match.groups()[:2])) for match in found if match}


def faults_of_abi(wheel):
    """Yields what abi3audit says against a wheel."""
    words = ["-m", "abi3audit", "--strict", "--verbose", str(wheel)]
    audit = subprocess.run([sys.executable, *words], capture_output=True, text=True)
    if audit.returncode:
        yield f"{wheel.name} leaves the stable ABI:\n{audit.stdout}{audit.stderr}"


def faults_of_sdist(sdist):
    """Yields what is wrong with a source distribution."""
    root = sdist.name.removesuffix(".tar.gz")
    crates, sources = set(), {}
    with tarfile.open(sdist) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            if (
                path.parts[0] != root
                or ".." in path.parts
                or not (member.isfile() or member.isdir())
            ):
                yield f"{member.name} is not a file or folder below {root}"
            elif path.parts[1:2] == ("vendor",):
                crates |= set(path.parts[2:3])
            elif member.isfile():
                sources["/".join(path.parts[1:])] = archive.extractfile(member).read()
    for name, text in sources.items():
        if re.search(
            r"(^|/)(tests|target|build|__pycache__|\..*)/|\.(so|pyd|pyc|whl|pcap\w*)$", name
        ):
            if name != ".cargo/config.toml":
                yield f"{sdist.name} has {name}, which nobody builds from"
        if str(ROOT).encode() in text or str(Path.home()).encode() in text:
            yield f"{name} names a folder of the machine that it comes from"
    for license in LICENSES:
        for name in (license, *(f"{crate}/{license}" for crate in ("c", "rust", "python"))):
            if sources.get(name) != (ROOT / license).read_bytes():
                yield f"{name} is not the license of the project"
    for package in tomllib.loads(sources["Cargo.lock"].decode())["package"]:
        name = package["name"]
        if "source" in package and not crates & {name, f"{name}-{package['version']}"}:
            yield f"{sdist.name} lacks the crate {name}"


def check(files):
    """Checks files, prints what is wrong with them, and returns the exit status."""
    wrong = 0
    for file in files:
        found = [*(faults_of_wheel if file.suffix == ".whl" else faults_of_sdist)(file)]
        wrong += len(found)
        size = file.stat().st_size / 1e6
        print(f"{file.name}: {size:.1f} MB, {'; '.join(found) or 'nothing is wrong'}")
    return int(wrong > 0)


def try_with(python, wheel):
    """Installs a wheel for another Python, and runs the tests of the functions with it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        inside = str(Path(folder, "bin/python"))
        pins = (ROOT / "python/tests/requirements.txt").read_text().splitlines()
        pins = [pin for pin in pins if pin.startswith(("hypothesis==", "numpy=="))]
        install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *pins], check=True)
        subprocess.run([*install, "--no-index", str(wheel)], check=True)
        subprocess.run([inside, "--version"], check=True)
        tests = [inside, "-m", "unittest", "test_functions", "test_vectors"]
        return subprocess.run(tests, cwd=ROOT / "python/tests").returncode


def main():
    parser = argparse.ArgumentParser(usage="\n".join(__doc__.splitlines()[2:5]).strip())
    commands = parser.add_subparsers(dest="command", required=True)
    builder = commands.add_parser("build")
    builder.add_argument("--profile", default="dist")
    builder.add_argument("--out", type=Path, default=BUILD / "wheels")
    linked = [name for name, platform in PLATFORMS.items() if platform.target]
    builder.add_argument("platforms", nargs="+", choices=linked, metavar="PLATFORM")
    checker = commands.add_parser("check")
    checker.add_argument("files", nargs="+", type=Path, metavar="FILE")
    trier = commands.add_parser("try")
    trier.add_argument("--python", required=True)
    trier.add_argument("wheel", type=Path, metavar="WHEEL")
    given = parser.parse_args()
    if given.command == "build":
        return build(given.platforms, given.profile, given.out)
    if given.command == "check":
        return check(given.files)
    return try_with(given.python, given.wheel)


if __name__ == "__main__":
    sys.exit(main())
