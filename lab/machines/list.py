# SPDX-License-Identifier: MIT OR Apache-2.0
"""All models, as the report shows them: a new one is one line here."""

from . import parameters
from .power1 import POWER1

MODELS = [
    ("POWER1 (IBM RISC System/6000, 1990)", parameters(POWER1)),
]
