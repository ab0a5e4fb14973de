# SPDX-License-Identifier: MIT OR Apache-2.0
"""The proofs that prove.py runs, one a module, and the mutants that must break each."""

from rtl.formal.engine_proofs import ENGINE
from rtl.formal.paper_proofs import PAPER
from rtl.formal.stream_proofs import STREAM

PROOFS = [*PAPER, *ENGINE, *STREAM]
