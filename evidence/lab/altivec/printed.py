# SPDX-License-Identifier: MIT OR Apache-2.0
"""The article's single instructions and its listings 1 and 3 to 5, run as printed."""

import functools
import random
import re

from .. import build
from ..trace.cpu import CPU, DATA
from .traced import faults

SOURCE = build.ROOT / "evidence/lab/altivec/printed.s"
ADD = """
#include <altivec.h>
vector int add(vector int a, vector int b) { return vec_add(a, b); }
void add_loaded(vector int *c, const vector int *p) { *c = vec_add(p[0], p[1]); }
"""


def vsum4shs(a, b):
    """As the text has it: the four pairs of signed half-words of a are added, and each sum to a
    word of b, with saturation."""
    return [
        max(
            -(2**31),
            min(2**31 - 1, _signed(a[2 * n], 16) + _signed(a[2 * n + 1], 16) + _signed(b[n], 32)),
        )
        & 0xFFFF_FFFF
        for n in range(4)
    ]


def vmsumuhm(a, b, c):
    """As the text has it: half-words are multiplied, the products added in pairs, and each sum to a
    word of c, modulo 2^32."""
    return [
        (a[2 * n] * b[2 * n] + a[2 * n + 1] * b[2 * n + 1] + c[n]) & 0xFFFF_FFFF for n in range(4)
    ]


def _signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


def _halves(data):
    return [int.from_bytes(data[n : n + 2], "big") for n in range(0, 16, 2)]


def _words(data):
    return [int.from_bytes(data[n : n + 4], "big") for n in range(0, 16, 4)]


def _instructions(cpu, count=500):
    """(results that are not the description's, how many were compared)."""
    draw, wrong = random.Random(3), 0
    for _ in range(count):
        a, b, c = (
            draw.choice([draw.randbytes(16), b"\x7f\xff" * 8, b"\xff" * 16, b"\x80\0" * 8])
            for _ in range(3)
        )
        cpu.write(DATA, a + b + c)
        cpu.call("do_vsum4shs", DATA, DATA + 64)
        wrong += _words(cpu.read(DATA + 64, 16)) != vsum4shs(_halves(a), _words(c))
        cpu.call("do_vmsumuhm", DATA, DATA + 64)
        wrong += _words(cpu.read(DATA + 64, 16)) != vmsumuhm(_halves(a), _halves(b), _words(c))
    return wrong, 2 * count


def _element_bits(cpu):
    """The width of an element for vaddubm, vadduhm and vadduwm: as far as a carry runs."""
    found = []
    for name in ("do_vaddubm", "do_vadduhm", "do_vadduwm"):
        cpu.write(DATA, b"\xff" * 16 + bytes(15) + b"\1")
        cpu.call(name, DATA, DATA + 64)
        found.append(
            8 * (len(cpu.read(DATA + 64, 16)) - len(cpu.read(DATA + 64, 16).rstrip(b"\0")))
        )
    return found


def _reads_at(cpu):
    """Where `lvx v1,16,r3` reads: at r3 + 16, or at r3 + r16."""
    cpu.write(DATA, b"\1" * 16 + b"\2" * 16 + bytes(16) + b"\3" * 16)
    cpu.call("as_printed", DATA, DATA + 128, 48)
    return {1: "it reads at r3", 2: "constant", 3: "here at r3 + 48, for r16 holds 48"}[
        cpu.read(DATA + 128, 1)[0]
    ]


def _registers(cpu):
    """(how many vector registers give back what was put in, the bits of each)."""
    data = random.Random(32).randbytes(512)
    cpu.write(DATA, data)
    cpu.call("all_registers", DATA, DATA + 1024)
    back = cpu.read(DATA + 1024, 512)
    return sum(back[n : n + 16] == data[n : n + 16] for n in range(0, 512, 16)), 8 * 16


@functools.cache
def _cpu():
    return CPU("ppc", build.image("ppc", SOURCE, flags="-Wa,-maltivec,-m7450,-mregnames"), "7441")


def a_cycle(machine, unit):
    """How many operations of a unit, which wait for nothing else, a machine does in a cycle."""
    few, many = (
        machine.time(_cpu().call(f"{unit}_alone", turns, trace=True)[1]).cycles
        for turns in (100, 200)
    )
    return 800 / (many - few)


@functools.cache
def run():
    cpu = _cpu()
    build.BUILD.mkdir(parents=True, exist_ok=True)
    source = build.BUILD / "vec_add.c"
    source.write_text(ADD)
    text = build.command(
        "powerpc-linux-gnu-gcc", "-O2", "-mcpu=7450", "-maltivec", "-S", "-o", "-", source
    )
    body, loaded = re.search(r"^add:(.*?)blr.*?^add_loaded:(.*?)blr", text, re.M | re.S).groups()
    vector = [
        word
        for word in re.findall(r"^\s+([a-z]\w+)", body, re.M)
        if word.startswith(("v", "lvx", "stvx"))
    ]
    return {
        "vec_add": " ".join(vector),
        "vec_add loads": len(re.findall(r"^\s+lvx\b", loaded, re.M)),
        "lvx 16": _reads_at(cpu),
        "instructions": _instructions(cpu),
        "element bits": _element_bits(cpu),
        "registers": _registers(cpu),
        "listing 1": faults("16-bit", False),
    }
