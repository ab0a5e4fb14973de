# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds each program with its own checksum and with the installed library, and runs both."""

import re
import unittest

from evidence.integrations import __main__ as programs
from evidence.integrations import build

SHORT = 200_000_000  # bytes of a measurement that is not recorded


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.environment = build.install_library()

    def test_a_wrong_source_is_refused(self):
        source = programs.program("libslirp").SOURCE
        with self.assertRaisesRegex(build.Failure, "the SHA-256 is 358ce8b"):
            build.Source(source.package, source.file, "0" * 64).fetch()

    def test_patches_keep_the_old_code(self):
        """A patch has the line of context that it needs, and removes hardly any line."""
        for name in programs.PROGRAMS:
            added, removed = build.changed_lines(name)
            self.assertGreater(added, 3, name)
            self.assertLessEqual(removed, 2, name)
            context = re.findall(r"^ ", build.patch_of(name).read_text(), re.M)
            hunks = re.findall(r"^@@ ", build.patch_of(name).read_text(), re.M)
            self.assertLessEqual(len(context), 2 * len(hunks), name)


def test_of(name):
    def test(self):
        module = programs.program(name)
        built = module.compile_both(self.environment)
        counts = set()
        for variant, folder in built.items():
            is_ours = variant == "ours"
            with self.subTest(variant):
                self.assertEqual(module.links(folder), is_ours)
                counts.add(module.own_tests(folder))
                self.assertEqual(list(module.checks(folder, is_ours)), [])
                case = next(iter(module.CASES))
                found = module.figures(folder, case, SHORT)
                print(f"{name}, {case}, {variant}: {found}")
                self.assertGreater(found["cpu_s_per_gb"], 0)
                self.assertGreater(found["samples"], 3)
                self.assertTrue(0 < found["share"] < 1)
        self.assertEqual(len(counts), 1, "the variants have not run the same tests")

    return test


for name in programs.PROGRAMS:
    setattr(Programs, f"test_{name}", test_of(name))


if __name__ == "__main__":
    unittest.main()
