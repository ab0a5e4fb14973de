# SPDX-License-Identifier: MIT OR Apache-2.0
"""The laboratory: historic documents about the Internet checksum, rerun claim by claim.

`python -m evidence.lab` runs it.
"""
