# SPDX-License-Identifier: MIT OR Apache-2.0
"""From the stacks: TCP/IP checksum vectorization using AltiVec, Part 1."""

from ..claims import Document

DOCUMENT = Document(
    key="altivec",
    title="From the stacks: TCP/IP checksum vectorization using AltiVec, Part 1",
    authors="Ayal Zaks, Dorit Naishlos, Daniel Citron, IBM developerWorks", year="2004",
    about="Two scalar and two vector loops compared on a G4 and a G5.",
    pending=True,
)
