# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where a kernel need not beat something, and why. count.py and loops.py read this, and report an
exception that nothing needs as an error."""

from dataclasses import dataclass

ALL_SIZES = (64, 1500, 65536)


@dataclass(frozen=True)
class Exception_:
    kernel: str
    against: tuple  # of portable, words16, words32, linux
    forms: tuple  # of sum, copy
    sizes: tuple
    reason: str
    targets: tuple = ()  # the targets that it is for; all, if none is named

    def __str__(self):
        where = f" on {','.join(self.targets)}" if self.targets else ""
        sizes = ", ".join(map(str, self.sizes))
        return (
            f"{self.kernel}{where}, {' and '.join(self.forms)} of {sizes} bytes, against "
            f"{' and '.join(self.against)}: {self.reason}"
        )


# More instructions than something that the kernel has to beat.
EXCEPTIONS = [
    Exception_(
        "x86_sse2",
        ("linux",),
        ("sum",),
        ALL_SIZES,
        "the adc chain of Linux needs fewer instructions, as x86_adc does, but each waits for the "
        "one before: the chain sums 8 bytes a cycle, SSE2 16 and more",
        ("x86_64",),
    ),
]

# kernel → why its main loop takes more than 1.25 times what its loads alone take, on the best core
# that llvm-mca models.
FAR_FROM_LOADS = {
    "ppc_altivec": "the kernel is made for the G4 and the 970, which llvm-mca does not model; its "
    "eight accumulators are too few for the seven cycles of POWER",
    "ppc_scalar": "a chain of adde sums one word every two cycles on these cores, whatever the "
    "loads can do",
    "riscv_scalar": "without a carry flag a word takes three operations in addition to its load",
    "s390x_vx": "all ports together allow no more: a vcksm is more work for them than its load",
    "x86_adc": "a chain of adc sums one word a cycle, whatever the loads can do",
    "x86_avx512bw": "a vector takes three operations on two ports of 512 bits",
    "x86_avx512vnni": "a vector takes two operations, on two ports of 512 bits or on one; for Zen "
    "llvm-mca says that a 512-bit dot product takes two cycles",
    "x86_avxvnni": "a vector takes two operations, and dot products have two ports",
    "x86_sse2": "a vector takes three operations, in addition to two or three loads a cycle",
    "x86_vnni_int16": "Lunar Lake is the only core with the instruction that llvm-mca models, at "
    "less than one dot product a cycle",
}
