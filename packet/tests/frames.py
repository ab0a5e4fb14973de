#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes frames.txt: small frames, one for each thing that the walk must get right.

    python3 packet/tests/frames.py > packet/tests/frames.txt

cases/ has the frames, by subject. The verdicts are typed by hand. The sums follow RFC 1071, word by
word (cases/build.py); nothing of wiresum is called.

A case whose last verdict is `good` is a single-fault case as well: `broken AT XX` says which byte
of that checksum becomes XX, and the verdicts after `!` belong to the broken frame, without their
causes. Repaired, the broken frame is the frame of the case again, byte for byte.
"""

from importlib import import_module

# In this order. A file prints its cases as it is imported, and may use names of those before it.
SUBJECTS = (
    "transport",
    "quoted",
    "links",
    "ip",
    "tunnels",
    "causes",
    "authenticated",
    "stopped",
)

print("# SPDX-License-Identifier: MIT OR Apache-2.0")
print("# Frames, and the verdicts on their checksums, outermost first. frames.py makes this file.")
for subject in SUBJECTS:
    import_module(f"cases.{subject}")
