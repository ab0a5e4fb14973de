# SPDX-License-Identifier: MIT OR Apache-2.0
"""The installed package as a wheel, for python/wheels.py; and wheels and source distributions in
which it must find a fault.
"""

import importlib.metadata
import io
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import wheels  # noqa: E402

# What an installer adds.
INSTALLED = {"INSTALLER", "REQUESTED", "direct_url.json", "wiresum"}


def files():
    """The files of the wheel that the package was installed from: name → bytes."""
    installed = importlib.metadata.distribution("wiresum").files
    return {
        str(file): file.read_binary()
        for file in installed
        if file.name not in INSTALLED and "__pycache__" not in file.parts
    }


class Wheels(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.version = importlib.metadata.version("wiresum")
        self.info = f"wiresum-{self.version}.dist-info"

    def faults(self, contents, tag=f"cp311-abi3-{wheels.NATIVE.tag}"):
        wheel = self.folder / f"wiresum-{self.version}-{tag}.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, data in contents.items():
                archive.writestr(name, data)
        return "\n".join(wheels.faults_of_wheel(wheel))

    def test_the_wheel_that_pip_built(self):
        self.assertEqual(self.faults(files()), "")
        self.assertEqual(wheels.check([*self.folder.glob("*.whl")]), 0)

    def test_a_wheel_that_is_wrong(self):
        module, metadata = f"{wheels.MODULE}.abi3.so", f"{self.info}/METADATA"
        mit, right = f"{self.info}/licenses/LICENSE-MIT", files()
        machine = wheels.NATIVE.tag.removeprefix("linux_")
        for contents, fault in (
            ({name: data for name, data in right.items() if name != mit}, f"lacks {mit}"),
            ({name: data for name, data in right.items() if name != module}, f"lacks {module}"),
            (right | {mit: b"GPL"}, "is not the license of the project"),
            (right | {"wiresum/test_x.py": b""}, "also has wiresum/test_x.py"),
            (right | {"wiresum/dpkt.py": str(ROOT).encode()}, "names the folder"),
            (right | {metadata: b"Requires-Python: >=3.11\nRequires-Dist: numpy\n"}, "['numpy']"),
        ):
            with self.subTest(fault):
                self.assertIn(fault, self.faults(contents))
        self.assertIn("is not cp311-abi3", self.faults(right, "py3-none-any"))
        self.assertIn("is the tag of no platform", self.faults(right, "cp311-abi3-irix_mips"))
        self.assertIn("and not for win_amd64", self.faults_of_module(right, "win_amd64"))
        old = wheels.Platform("", f"manylinux_2_5_{machine}", wheels.GLIBC)
        with mock.patch.dict(wheels.PLATFORMS, old=old):  # memcpy is of 2.14
            found = self.faults(right, f"cp311-abi3-{old.tag}")
        self.assertRegex(found, r"needs glibc \(2, \d+\), and its tag says \(2, 5\)")
        self.assertEqual(wheels.check([*self.folder.glob("*none-any.whl")]), 1)

    def faults_of_module(self, contents, tag):
        module = self.folder / "_wiresum.abi3.so"
        module.write_bytes(contents[f"{wheels.MODULE}.abi3.so"])
        (platform,) = [each for each in wheels.PLATFORMS.values() if each.tag == tag]
        return "\n".join(wheels.faults_of_module(module, platform))

    def test_a_module_of_another_package(self):
        """The extension of NumPy has other symbols, needs a library of its own, and no stable
        ABI."""
        (other,) = (Path(np.__file__).parent / "_core").glob("_multiarray_umath.*.so")
        found = self.faults(files() | {f"{wheels.MODULE}.abi3.so": other.read_bytes()})
        self.assertIn("PyInit__multiarray_umath", found)
        self.assertIn("leaves the stable ABI", found)
        self.assertRegex(found, r"needs lib\S*openblas")

    def sdist(self, **more):
        """The faults of a source distribution without crates, with more or other files."""
        named = {name.replace("__", "/"): data for name, data in more.items()}
        sources = {"Cargo.lock": (ROOT / "Cargo.lock").read_bytes()}
        for license in wheels.LICENSES:
            for folder in ("", "c/", "rust/", "python/"):
                sources[f"{folder}{license}"] = (ROOT / license).read_bytes()
        with tarfile.open(self.folder / "wiresum-1.tar.gz", "w:gz") as archive:
            for name, data in (sources | named).items():
                member = tarfile.TarInfo(f"wiresum-1/{name}")
                if data is None:
                    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
                    archive.addfile(member)
                    continue
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
        found = [*wheels.faults_of_sdist(self.folder / "wiresum-1.tar.gz")]
        self.assertIn("wiresum-1.tar.gz lacks the crate arrow-array", found)
        return [fault for fault in found if "lacks the crate" not in fault]

    def test_source_distributions(self):
        self.assertEqual(self.sdist(), [])
        for more, fault in (
            ({"LICENSE-MIT": b"GPL"}, "LICENSE-MIT is not the license of the project"),
            ({"c__lib.rs": str(ROOT).encode()}, "c/lib.rs names a folder of the machine"),
            ({"c__lib.rs": str(Path.home()).encode()}, "c/lib.rs names a folder of the machine"),
            ({"packet__tests__x.rs": b""}, "has packet/tests/x.rs"),
            ({"x.so": b""}, "has x.so"),
            ({"link": None}, "link is not a file or folder"),
        ):
            (found,) = self.sdist(**more)
            self.assertIn(fault, found)


if __name__ == "__main__":
    unittest.main()
