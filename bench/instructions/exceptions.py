# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where a kernel need not beat something, and why. count.py and loops.py read this; one that is not needed any more is an error."""

from dataclasses import dataclass

ALL_SIZES = (64, 1500, 65536)


@dataclass(frozen=True)
class Exception_:
    kernel: str
    against: tuple  # of portable, words16, words32, linux
    forms: tuple  # of sum, copy
    sizes: tuple
    reason: str
    targets: tuple = ()  # none named: all

    def __str__(self):
        return (
            f"{self.kernel}{f' on {chr(44).join(self.targets)}' if self.targets else ''}, {' and '.join(self.forms)} of "
            f"{', '.join(map(str, self.sizes))} bytes, against {' and '.join(self.against)}: {self.reason}"
        )


# More instructions than something it has to beat.
EXCEPTIONS = [
    Exception_(
        "arm_neon",
        ("words16", "words32"),
        ("sum",),
        (64,),
        "the end of the data goes through scalar code there, for the table "
        "lookup is for little-endian registers; the plain loops have no unaligned data and no tail to handle",
        ("aarch64_be",),
    ),
    Exception_(
        "arm_neon",
        ("portable",),
        ("copy",),
        (64,),
        "as above; from 1500 bytes on it needs fewer",
        ("aarch64_be",),
    ),
    Exception_(
        "x86_sse2",
        ("linux",),
        ("sum",),
        ALL_SIZES,
        "Linux' adc chain needs fewer instructions, as x86_adc does, but they wait "
        "for one another: 8 bytes a cycle, where SSE2 takes 16 and more",
        ("x86_64",),
    ),
]

# A main loop further than 1.25 times from what its loads alone take, on the best core that llvm-mca models: kernel → reason.
FAR_FROM_LOADS = {
    "ppc_altivec": "made for the G4 and the 970, which are not modelled: eight accumulators are too few for POWER's seven cycles",
    "ppc_scalar": "a chain of adde: one word every two cycles on these cores, whatever the loads can do",
    "riscv_scalar": "without a carry flag a word takes three operations beside its load",
    "s390x_vx": "the loop takes what all ports together allow: a vcksm is more work for them than its load",
    "x86_adc": "a chain of adc: one word a cycle, whatever the loads can do",
    "x86_avx2": "three operations a vector on three ports, beside two or three loads a cycle",
    "x86_avx512bw": "three operations a vector, on two ports of 512 bits; GCC 12 also moves accumulators to and fro",
    "x86_avx512vnni": "two operations a vector, on two ports of 512 bits or one; llvm-mca lets 512-bit dot products take two cycles on Zen",
    "x86_avxvnni": "two operations a vector, and dot products have two ports",
    "x86_sse2": "three operations a vector, beside two or three loads a cycle",
    "x86_vnni_int16": "the model of Lunar Lake, the only one that has it, gives the dot product less than one a cycle",
}
