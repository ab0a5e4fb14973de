# SPDX-License-Identifier: MIT OR Apache-2.0
"""Enhanced TCP/IP Performance with AltiVec."""

from ..claims import Document

DOCUMENT = Document(
    key="freescale",
    title="Enhanced TCP/IP Performance with AltiVec",
    authors="Jacob Pan, Freescale (Motorola) white paper AltiVecTCPIPWP, revision 1", year="2003",
    about="Checksum, copy, and both in one, in C, scalar assembly and AltiVec, on an MPC7455 with warm and cold caches.",
    pending=True,
)
