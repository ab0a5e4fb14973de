# SPDX-License-Identifier: MIT OR Apache-2.0
"""All models, as the report shows them: a new one is one line here."""

from . import parameters
from .arm7tdmi import ARM7TDMI
from .arm9 import ARM9
from .mpc7441 import MPC7441
from .mpc7455 import MPC7455
from .power1 import POWER1
from .ppc405 import PPC405
from .ppc970 import PPC970
from .strongarm import STRONGARM

MODELS = [
    ("POWER1 (IBM RISC System/6000, 1990)", parameters(POWER1)),
    ("ARM7TDMI", parameters(ARM7TDMI)),
    ("ARM9TDMI", parameters(ARM9)),
    ("StrongARM", parameters(STRONGARM)),
    ("MPC7441 (G4)", parameters(MPC7441)),
    ("MPC7455 (G4, 750 MHz)", parameters(MPC7455)),
    ("PowerPC 970 (G5)", parameters(PPC970)),
    ("PowerPC 405 (in a Virtex-II Pro)", parameters(PPC405)),
]
