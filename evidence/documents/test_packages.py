# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every crate that cargo would publish carries both licenses.

python3 -m unittest discover -s docs -p 'test_*.py'
"""

import json
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LICENSES = ("LICENSE-APACHE", "LICENSE-MIT")


def cargo(*words):
    ran = subprocess.run(["cargo", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return ran.stdout


class Packages(unittest.TestCase):
    def test_each_published_crate_carries_the_licenses(self):
        metadata = json.loads(cargo("metadata", "--no-deps", "--format-version=1", "--locked"))
        published = [package for package in metadata["packages"] if package["publish"] is None]
        self.assertGreaterEqual(len(published), 5)
        for package in published:
            with self.subTest(package["name"]):
                listed = cargo("package", "--list", "--allow-dirty", "-p", package["name"])
                self.assertLessEqual(set(LICENSES), set(listed.split()))
                for name in LICENSES:
                    carried = Path(package["manifest_path"]).parent / name
                    self.assertEqual(carried.read_bytes(), (ROOT / name).read_bytes())


if __name__ == "__main__":
    unittest.main()
