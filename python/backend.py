# SPDX-License-Identifier: MIT OR Apache-2.0
"""The build backend: that of maturin, except that the source distribution also holds the sources of
all crates, as `cargo vendor` lays them down. So it builds without a network.
"""

import subprocess
import tarfile
import tempfile
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
        vendored = subprocess.run(
            ["cargo", "vendor", "--locked", "vendor"], cwd=root, stdout=subprocess.PIPE, check=True
        )
        (root / ".cargo").mkdir()
        (root / ".cargo/config.toml").write_bytes(vendored.stdout)
        with tarfile.open(Path(sdist_directory, name), "w:gz") as archive:
            archive.add(root, root.name)
    return name
