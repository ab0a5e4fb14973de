# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a proof is, and a mutant that must break it."""

from dataclasses import dataclass, field

COVERS = "cover"  # a mutant that breaks these makes one of the cover statements unreachable
RELIES = "relies"  # and one that breaks these breaks what a part assumes of another


@dataclass
class Mutant:
    breaks: str  # the property, by its name in the file; or COVERS, or RELIES
    what: str
    old: str
    new: str
    depth: int = 12
    file: str = ""  # in the proof of the whole: the part that is changed; else the proof's own


@dataclass
class Proof:
    name: str
    about: str
    mutants: list
    engines: tuple = ("smtbmc z3",)
    depth: int = 3
    bound: int = 0  # cycles from reset, where the proof is of so many only
    cover: int = 0  # cycles from reset within which each cover is reached
    smaller: dict = field(default_factory=dict)  # text of the copies for mutants and covers
    parameters: dict = field(default_factory=dict)  # of a streaming block
    uses: tuple = ()  # the blocks in it
    free: tuple = ()  # the blocks of which the proof knows only what the property file assumes
