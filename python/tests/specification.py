# SPDX-License-Identifier: MIT OR Apache-2.0
"""The oracle and the vectors of spec/, for these tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "spec"))

import reference  # noqa: F401
from groups.inputs import VECTORS, expand, length_of, pattern_of  # noqa: F401
