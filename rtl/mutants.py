# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of mutants in README.md: what was changed, and the property or test that found it.

A full run of the proofs or of the simulation keeps its mutants in results.json once each of them
has been found. A bounded run fails if the file has other mutants than the sources.
"""

import json

from rtl.environment import Failed
from rtl.results import RESULTS, keep_results, put_table

PROOFS, SIMULATIONS = "mutants found by proofs", "mutants found by simulations"

# The kinds of faults that a hardware engineer looks for first: (module, mutant) for each.
KINDS = {
    "a dropped beat": [
        ("frame_buffer", "a dropped beat"),
        ("tx_insert-64", "beats into a full buffer"),
        ("engine_copier", "a beat passed by"),
    ],
    "a stuck ready": [
        ("frame_buffer", "a stuck ready"),
        ("sum_stream", "never ready"),
        ("sum_stream-64", "always ready"),
        ("rx_check-64", "always ready"),
    ],
    "a wrong tkeep or strobe": [
        ("engine_receiver", "a stuck tkeep"),
        ("sum_stream", "tkeep ignored"),
        ("engine_copier", "bytes after the last one"),
    ],
    "swapped halves": [
        ("sum_stream", "swapped halves of a word"),
        ("engine_receiver", "swapped halves"),
    ],
    "a lost odd parity": [
        ("sum_stream", "odd parity lost"),
        ("engine_reader", "odd parity lost between pieces"),
        ("engine_reader", "the length's parity forgotten"),
    ],
    "a missing response": [
        ("engine_receiver", "a missing result"),
        ("engine_interrupt", "a missing announcement"),
        ("bus", "never answers"),
    ],
    "a stale status or sum": [
        ("sum_stream", "a stale status"),
        ("engine_receiver", "a status of the piece before"),
        ("engine_writer", "a status of the copy before"),
        ("sum_stream", "a sum that survives a reset"),
    ],
}


def keep(by, found, bounded):
    """Keeps {module: [[mutant, what found it]]}, and rewrites the table."""
    if bounded and set(json.loads(RESULTS.read_text()).get(by, {})) != set(found):
        raise Failed(f"results.json: {by}: other modules: python3 rtl/run.py sim formal")
    keep_results(by, found, bounded)
    put_table("mutants", table(), bounded)


def table():
    kept = json.loads(RESULTS.read_text())
    rows = [
        (module, what, f"{kind} `{finder}`")
        for by, kind in ((PROOFS, "property"), (SIMULATIONS, "test"))
        for module, mutants in kept.get(by, {}).items()
        for what, finder in mutants
    ]
    known = {(module, what): finder for module, what, finder in rows}
    lines = ["| kind of fault | mutants, with what finds them |", "|:--|:--|"]
    for kind, mutants in KINDS.items():
        missing = [mutant for mutant in mutants if mutant not in known]
        if missing:
            raise Failed(f"mutants.py: no such mutants: {missing}")
        lines.append(
            f"| {kind} | "
            + "; ".join(f"{module}: {what} ({known[module, what]})" for module, what in mutants)
            + " |"
        )
    lines += [
        "",
        f"All {len(rows)} mutants:",
        "",
        "| module | mutant | found by |",
        "|:--|:--|:--|",
        *(f"| {module} | {what} | {finder} |" for module, what, finder in rows),
    ]
    return "\n".join(lines)
