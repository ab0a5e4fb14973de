# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints a header of C for Doxygen, with its sections as groups of members.

A section begins with a comment whose first line is "---- TITLE ----"; Doxygen would skip it.

python3 site/sections.py c/include/wiresum.h
"""

import re
import sys

HEADING = re.compile(r"/\* ---- (.*?) ----(.*?)\*/", re.DOTALL)
BEGIN, END = "/** @{ */", "/** @} */"


def grouped(text):
    """The text of a header, with a group for each section."""
    found = list(HEADING.finditer(text))
    for heading in reversed(found):
        end = "" if heading is found[0] else f"{END} "
        group = f"{end}/** @name {heading[1]}\n{heading[2]}*/ {BEGIN}"
        text = text[: heading.start()] + group + text[heading.end() :]
    # The last group ends with the block of C linkage.
    return (
        text.replace("#ifdef __cplusplus\n}", f"{END}\n#ifdef __cplusplus\n}}") if found else text
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as header:
        print(grouped(header.read()))
