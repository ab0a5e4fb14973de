# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which tests of the laboratory run: all, or a sample of the slow ones where nothing changed.

The models give the same verdicts for the same inputs, and take minutes. inputs.json has the digests
of the inputs with which all tests passed. Where they still hold, the slow tests of one folder run,
which WIRESUM_SEED chooses, with all quick tests. With WIRESUM_FRESH=1 all tests run.

    python3 -m pytest lab --record-inputs     all tests; writes inputs.json if all of them pass
"""

import json
import os
import random
from pathlib import Path

import pytest

from c.tests.cross.recorded import sources, version
from evidence.lab import build

ROOT = Path(__file__).resolve().parents[2]
INPUTS = ROOT / "evidence/lab/inputs.json"
FOLDERS = (
    "evidence/lab",
    "c/include",
    "c/src",
    "c/kernels",
    "evidence/bench/tcp/lwip",
    "spec",
    "rtl/src/tcoe",
)
RESULTS = ("evidence/bench/results/tcp", "rtl/results.json", "evidence/lab/requirements.txt")
CODE = (".c", ".h", ".json", ".py", ".s", ".sv", ".svg")
TOOLS = ("clang", "llvm-mca-22", "qemu-ppc", "qemu-ppc64")
# The tests that compute whole verdicts, and the tests of the page, which is made of all results.
SLOW = ("test_verdicts", "test_a_verdict", "test_page.py")


def inputs():
    """The digest of each folder, and the version of each tool."""
    tools = {*TOOLS, *(compiler for compiler, _ in build.COMPILERS.values())}
    return {
        **{place: sources([place], CODE, [INPUTS]) for place in (*FOLDERS, *RESULTS)},
        **{tool: version([tool]) for tool in sorted(tools)},
    }


def record():
    """The inputs with which all tests passed, or none where there is no record."""
    return json.loads(INPUTS.read_text()) if INPUTS.exists() else {}


def changed():
    """The inputs that differ from the record."""
    kept, now = record(), inputs()
    return sorted(key for key in {*kept, *now} if kept.get(key) != now.get(key))


def pytest_addoption(parser):
    parser.addoption("--record-inputs", action="store_true", help="write evidence/lab/inputs.json")


def pytest_collection_modifyitems(config, items):
    config.sampled = False
    if config.getoption("--record-inputs") or os.environ.get("WIRESUM_FRESH") or changed():
        return
    slow = [item for item in items if any(part in item.nodeid for part in SLOW)]
    folders = sorted({item.path.parent.name for item in slow})
    if len(folders) < 2:  # somebody asks for these tests
        return
    chosen = random.Random(os.environ.get("WIRESUM_SEED")).choice(folders)
    left_out = [item for item in slow if item.path.parent.name != chosen]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    config.sampled = chosen


def pytest_sessionfinish(session, exitstatus):
    config = session.config
    if exitstatus == pytest.ExitCode.OK and config.getoption("--record-inputs"):
        chosen = [Path(word).resolve() for word in config.args]
        if chosen != [ROOT / "evidence/lab"] or config.getoption("keyword"):
            raise pytest.UsageError("--record-inputs takes the whole folder lab")
        INPUTS.write_text(json.dumps(inputs(), indent=1) + "\n")


def pytest_terminal_summary(terminalreporter, config):
    if getattr(config, "sampled", False):
        terminalreporter.write_line(
            f"of the slow tests the ones of {config.sampled}: recorded, inputs unchanged"
        )
