# SPDX-License-Identifier: MIT OR Apache-2.0
"""The build backend: the backend of maturin, except that the source distribution also holds the
sources of all crates that a build compiles, on any system, as `cargo vendor` lays them down. So it
builds without a network.
"""

import json
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
from pathlib import Path

import maturin
from maturin import (
    build_editable,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def build_sdist(sdist_directory, config_settings=None):
    """Makes the source distribution, and returns the name of its file."""
    with tempfile.TemporaryDirectory() as folder:
        name = maturin.build_sdist(folder, config_settings)
        with tarfile.open(Path(folder, name)) as archive:
            archive.extractall(folder, filter="data")
        root = Path(folder, name.removesuffix(".tar.gz"))
        sources = vendor(root)
        compiled = compiled_crates(root)
        for crate in (root / "vendor").iterdir():
            package = tomllib.loads((crate / "Cargo.toml").read_text())["package"]
            if (package["name"], package["version"]) not in compiled:
                empty(crate)
        (root / ".cargo").mkdir()
        (root / ".cargo/config.toml").write_text(sources)
        with tarfile.open(Path(sdist_directory, name), "w:gz") as archive:
            archive.add(root, root.name)
    return name


def vendor(root):
    """Lays down the sources of all crates in vendor/, and returns the settings that use them.

    Members of the workspace that the package does not need are not in it, so cargo takes them and
    their dependencies out of Cargo.lock. No other entry of the lock may change.
    """
    lock = root / "Cargo.lock"
    before = locked(lock)
    sources = cargo(root, "vendor", "vendor")
    if new := locked(lock) - before:
        names = ", ".join(sorted(f"{name} {version}" for name, version, _ in new))
        raise RuntimeError(f"Cargo.lock does not have {names}: run cargo update --workspace")
    return sources


def locked(lock):
    """The name, version and digest of each crate of a Cargo.lock."""
    packages = tomllib.loads(lock.read_text())["package"]
    return {(each["name"], each["version"], each.get("checksum")) for each in packages}


def cargo(folder, *words):
    """The output of cargo, called in a folder."""
    return subprocess.run(
        ["cargo", *words], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def compiled_crates(root):
    """The name and version of each crate that the wheel of some system is made of."""
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["maturin"]
    tree = cargo(
        root,
        *("tree", "--locked", "--package", "wiresum-python"),
        *("--features", ",".join(settings["features"]), "--edges", "normal,build"),
        *("--target", "all", "--prefix", "none", "--format", "{p}"),
    )
    words = [line.split() for line in tree.splitlines() if line]
    return {(word[0], word[1].removeprefix("v")) for word in words}


def empty(crate):
    """Leaves the manifest of a crate, which cargo reads although no build compiles the crate."""
    package = json.loads((crate / ".cargo-checksum.json").read_text())["package"]
    for path in crate.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "Cargo.toml":
            path.unlink()
    (crate / "src").mkdir()
    (crate / "src/lib.rs").touch()
    (crate / ".cargo-checksum.json").write_text(json.dumps({"files": {}, "package": package}))
