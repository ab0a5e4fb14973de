# SPDX-License-Identifier: MIT OR Apache-2.0
"""MPC7455, the processor of the Freescale paper: the core and caches of the MPC7441, at 750 MHz on
a 100 MHz bus.

Its external third cache is left out: the paper's table of the configuration has none, and the paper
flushes the caches that there are.
"""

from .mpc7441 import Mpc745x

MPC7455 = Mpc745x()
MHZ = 750  # table 1 of the paper
