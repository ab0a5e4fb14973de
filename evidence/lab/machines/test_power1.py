# SPDX-License-Identifier: MIT OR Apache-2.0
"""POWER1 against the timings that are published of it, each a few instructions assembled here.

The sources are the disclosure for AIX and GCC's description of the processor. We know no timing of
an integer loop from a third source.
"""

import pytest

from evidence.lab import build
from evidence.lab.machines.power1 import POWER1, decode
from evidence.lab.trace.cpu import CPU, DATA


def cycles(folder, *lines):
    source = folder / "loop.s"
    source.write_text(".globl f\n.globl g\nf:\n" + "\n".join(lines) + "\ng:\n br\n")
    image = build.image("ppc", source, flags="-Wa,-m601,-mregnames")
    _, steps = CPU("ppc", image, "601").call("f", DATA, 64, trace=True)
    return POWER1.time([step for step in steps if step.pc < image.symbols["g"]]).cycles


@pytest.mark.parametrize("between", range(6))
def test_compare_to_branch_is_three_cycles_less_what_stands_between(tmp_path, between):
    # Disclosure, drawback 3; GCC: rios1-compare 4. Work between the two fills the bubble.
    work = ["cal r9,1(r9)"] * between
    assert cycles(tmp_path, "cmpi 0,r4,0", *work, "blt g") == 1 + max(between, 3)


@pytest.mark.parametrize("between", range(3))
def test_load_to_use_is_one_cycle(tmp_path, between):
    # GCC: rios1-load 2.
    assert cycles(tmp_path, "l r5,0(r3)", *["cal r9,1(r9)"] * between, "a r6,r5,r5") == 2 + max(
        between, 1
    )


def test_an_update_is_ready_at_once(tmp_path):
    assert cycles(tmp_path, "lu r5,4(r3)", "lu r6,4(r3)", "lu r7,4(r3)") == 3


@pytest.mark.parametrize("first", [16, 24, 31])
def test_load_multiple_is_its_loads(tmp_path, first):
    # Disclosure, drawback 2.
    assert (
        cycles(tmp_path, f"lm r{first},0(r3)")
        == 32 - first
        == cycles(tmp_path, *[f"l r{n},0(r3)" for n in range(first, 32)])
    )


def test_branch_on_count_is_free(tmp_path):
    # Disclosure, benefit c. mtctr is known to the branch unit five cycles on (GCC: rios1-mtjmpr).
    turns = ["cal r4,10(r0)", "mtctr r4", *["cal r9,1(r9)"] * 4, "h: cal r9,1(r9)", "bdn h"]
    assert cycles(tmp_path, *turns) == 2 + 4 + 10
    assert cycles(tmp_path, "cal r4,1(r0)", "mtctr r4", "h: bdn h") == 2 + 4


def test_unknown_instructions_are_errors():
    with pytest.raises(ValueError):
        decode(0)
