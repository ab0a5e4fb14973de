# SPDX-License-Identifier: MIT OR Apache-2.0
"""The combined scalar loop in all orders of its instructions: none hides the additions well."""

import functools
import itertools

from .. import build
from ..trace.cpu import CPU, DATA

# A turn of scalar_copy_sum (asm.s): two loads, and a store and an addition of each word.
TURN = {
    "first": ("lwzx 0,8,10", "stwx 0,5,10", "adde 3,0,3"),
    "second": ("lwzx 12,9,10", "stwx 12,6,10", "adde 3,12,3"),
}
FUNCTION = """
	.globl	order_{number}
	.balign	32
order_{number}:
	add	8,3,4
	addi	9,8,4
	add	5,5,4
	addi	6,5,4
	neg	10,4
	srwi	11,4,3
	li	0,0
	addc	3,0,0
	mtctr	11
	.balign	32
1:	{turn}
	addi	10,10,8
	bdnz	1b
	addze	3,3
	blr
"""


def orders():
    """Every order in which each word is loaded before it is stored and added, the first word's load
    before the second's."""
    found = []
    for order in itertools.permutations([*TURN["first"], *TURN["second"]]):
        place = order.index
        loads = [place(load) for load, _, _ in TURN.values()]
        uses = [min(place(store), place(add)) for _, store, add in TURN.values()]
        if loads[0] < uses[0] and loads[1] < uses[1] and loads[0] < loads[1]:
            found.append(order)
    return found


@functools.cache
def _cpu():
    build.BUILD.mkdir(parents=True, exist_ok=True)
    source = build.BUILD / "orders.s"
    source.write_text(
        "".join(
            FUNCTION.format(number=number, turn="\n\t".join(order))
            for number, order in enumerate(orders())
        )
    )
    return CPU("ppc", build.image("ppc", source, flags="-Wa,-m7450"), "7455")


@functools.cache
def cycles_a_byte(machine):
    """(least, greatest) of all orders, in the long run."""
    found = []
    for number in range(len(orders())):
        short, long = (
            machine.time(
                _cpu().call(f"order_{number}", DATA + 4, size, DATA + 0x10_0014, trace=True)[1]
            ).cycles
            for size in (1024, 2048)
        )
        found.append((long - short) / 1024)
    return min(found), max(found)
