# SPDX-License-Identifier: MIT OR Apache-2.0
"""Unicorn and the QEMU plugin tell the same story of the same code."""

import itertools

import pytest

from evidence.lab import build
from evidence.lab.trace import qemu
from evidence.lab.trace.cpu import CPU, DATA, Fault

SUM = """
unsigned sum(const unsigned short *p, unsigned n)
{
    unsigned s = 0;
    while (n--) s += *p++;
    return s;
}
"""
MAIN = """
#include <stdio.h>
int main(void)
{
    static unsigned short a[5] = {1, 2, 3, 4, 500};
    printf("%u\\n", sum(a, 5));
}
"""


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "sum.c").write_text(SUM)
    (tmp_path / "main.c").write_text(
        SUM.replace("unsigned sum", "__attribute__((noinline)) unsigned sum") + MAIN
    )
    return tmp_path


@pytest.mark.parametrize("target,model", [("ppc", "604"), ("ppc", "7455"), ("arm", "arm926")])
def test_unicorn(sources, target, model):
    cpu = CPU(target, build.image(target, sources / "sum.c"), model)
    order = "big" if target == "ppc" else "little"
    cpu.write(DATA, b"".join(n.to_bytes(2, order) for n in (1, 2, 3, 4, 500)))
    total, steps = cpu.call("sum", DATA, 5, trace=True)
    assert total == 510 == cpu.call("sum", DATA, 5)
    assert [step.address for step in steps if step.address] == [DATA + 2 * n for n in range(5)]
    assert cpu.call("sum", DATA, 0) == 0
    assert cpu.call("sum", DATA, 5, trace=True) == (
        total,
        steps,
    )  # also after calls without a trace


def test_what_does_not_come_back_is_a_fault(sources):
    cpu = CPU("ppc", build.image("ppc", sources / "sum.c"), "604")
    with pytest.raises(Fault, match=r"unmapped|UNMAPPED"):
        cpu.call("sum", DATA, 0xFFFF_FFFF)
    with pytest.raises(Fault, match="still at"):
        cpu.call("sum", DATA, 1000, limit=100)


def test_qemu_on_a_970(sources):
    program = build.program("ppc64", sources / "main.c", flags="-O1 -mcpu=970")
    printed, steps = qemu.run("ppc64", program, "sum", cpu="970")
    assert printed == "510\n"
    reads = [step.address for step in steps if step.address]
    assert [b - a for a, b in itertools.pairwise(reads)] == [2, 2, 2, 2]
    assert qemu.run("ppc64", program, "sum", cpu="970")[1] == steps
