# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pipeline models: each takes steps of evidence.lab.trace and gives their cycles, and the place of
each cycle.

A model is one module: a frozen dataclass whose fields are its parameters, each made with
`parameter(value, source)`, and a method `time(steps)` that returns a Timing.
`dataclasses.replace(machine, name=value)` changes one parameter; the tests show with it that a
verdict depends on the parameter.
"""

import dataclasses
from typing import NamedTuple

from ..trace import Step


class Slot(NamedTuple):
    """One instruction on the timeline: the cycle in which its unit took it, the cycles for which it
    held the unit, and the cycles and cause of its wait."""

    step: Step
    start: int
    cycles: int
    wait: int = 0
    why: str = ""


class Timing(NamedTuple):
    cycles: int  # from the first instruction's start until the next one after the last could start
    slots: list


def parameter(value, source):
    """A field of a model: its value, and where that is written."""
    return dataclasses.field(default=value, metadata={"source": source})


def parameters(machine):
    """(name, value, source) of every parameter of a model."""
    return [
        (f.name, getattr(machine, f.name), f.metadata["source"])
        for f in dataclasses.fields(machine)
        if "source" in f.metadata
    ]
