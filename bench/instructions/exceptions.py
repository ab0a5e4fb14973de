# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where a kernel need not beat something, and why. count.py and loops.py read this; one that is not needed any more is an error."""

from dataclasses import dataclass

ALL_SIZES = (64, 1500, 65536)


@dataclass(frozen=True)
class Exception_:
    kernel: str
    against: tuple           # of portable, words16, words32, linux
    forms: tuple             # of sum, copy
    sizes: tuple
    reason: str
    targets: tuple = ()      # none named: all

    def __str__(self):
        return (f"{self.kernel}{f' on {chr(44).join(self.targets)}' if self.targets else ''}, {' and '.join(self.forms)} of "
                f"{', '.join(map(str, self.sizes))} bytes, against {' and '.join(self.against)}: {self.reason}")


# More instructions than something it has to beat.
EXCEPTIONS = []

# A main loop further than 1.25 times from what its loads alone take, on the best core that llvm-mca models: kernel → reason.
FAR_FROM_LOADS = {}
