# SPDX-License-Identifier: MIT OR Apache-2.0
"""[ECOS] TCP/IP checksum routine performance."""

from ..claims import Document

DOCUMENT = Document(
    key="ecos",
    title="[ECOS] TCP/IP checksum routine performance",
    authors="Grant Edwards, ecos-discuss mailing list", year="2000",
    about="An assembly routine against portable C on an ARM, where `gcc -O2` was slower than `-O0`.",
    elsewhere=True,
)
