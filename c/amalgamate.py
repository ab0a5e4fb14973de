#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the C library as two files: wiresum.c, and wiresum.h with all functions.

    c/amalgamate.py FOLDER

A project adds the two files to its sources. The names that a kernel defines for itself end with
the name of the kernel there, so that all kernels fit into one file. `c/tests/run --amalgamation`
runs the tests on the two files.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SPDX = "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n"
HEAD = (
    SPDX + "/* wiresum as one file, made by c/amalgamate.py of the repository. Do not edit it. */\n"
)

# No machine needs all functions of kernel.h, and Clang warns of those that are not in a header.
UNUSED = """#if defined(__clang__)
#  pragma clang diagnostic ignored "-Wunused-function"
#endif
"""

INCLUDE = re.compile(r'^# *include "(.*)"\n', re.MULTILINE)
# A comment, a literal or an operand of asm, which stay as they are, or another name.
TOKEN = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[\w+\](?=\s*")"""
    r"|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
MACRO = re.compile(r"^# *define (\w+)", re.MULTILINE)
ENUM = re.compile(r"^(?:static const )?enum(?: (\w+))? \{(.*?)\}", re.MULTILINE | re.DOTALL)
STRUCT = re.compile(r"^(?:struct|union) (\w+) \{", re.MULTILINE)
TYPE = re.compile(r"^typedef [^;]*?(\w+)(?: __attribute__\(.*\))?;", re.MULTILINE)
# A function or a table: the first name before a parenthesis or a bracket that is no attribute.
FUNCTION = re.compile(r"^(?:[A-Z_0-9]+ |static ).*?(?<!\w)([a-z]\w*)(?:\(|\[| = )", re.MULTILINE)


def text_of(path):
    return path.read_text().replace(SPDX, "")


def inlined(path, seen):
    """The text of a file with the files that it includes, except those that are there already."""

    def included(match):
        file = (path.parent / match[1]).resolve()
        if file in seen:
            return ""
        # kernel_list.h is included several times, each time with another meaning of its macros.
        if file.name != "kernel_list.h":
            seen.add(file)
        return inlined(file, seen)

    return INCLUDE.sub(included, text_of(path))


def names_of(text):
    """The names that a file defines for itself."""
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    plain = re.sub(r"__attribute__\(\(.*?\)\)\)? ?", "", plain)
    found = {
        match[1] for pattern in (MACRO, STRUCT, TYPE, FUNCTION) for match in pattern.finditer(plain)
    }
    for match in ENUM.finditer(plain):
        found |= {match[1] or "", *re.findall(r"(\w+)(?: = [^,]*)?(?:,|\s*$)", match[2])}
    return {name for name in found if name and not re.match(r"wiresum_kernel_|\d", name)}


def of_kernel(path, shared):
    """A kernel with the headers that it alone includes, and the kernel's name in its names."""
    text = inlined(path, set(shared))
    names = names_of(text)

    def renamed(match):
        return f"{match['name']}_{path.stem}" if match["name"] in names else match[0]

    # The guards of headers, too: the next kernel has its own copy of such a header.
    macros = TOKEN.sub(renamed, " ".join(sorted(set(MACRO.findall(text))))).split()
    return TOKEN.sub(renamed, text) + "".join(f"#undef {name}\n" for name in macros)


def header():
    """wiresum.h with its inside, the streams and the packets."""
    include = HERE / "include"
    inside = text_of(include / "wiresum_inline.h")
    declared, inline = re.search(
        r"#if !defined\(WIRESUM_SHORT\)\n(.*?)\n#else\n(.*)\n#endif\n$", inside, re.DOTALL
    ).groups()
    parts = iter([declared, inline])
    text = INCLUDE.sub(lambda match: next(parts) + "\n", text_of(include / "wiresum.h"))
    more = (text_of(include / f"wiresum_{name}.h") for name in ("stream", "packet"))
    return HEAD + text + "".join(INCLUDE.sub("", part) for part in more)


def source():
    """The library: what all files share, the files of src/, and each kernel."""
    seen = {
        (HERE / "include" / f"wiresum{name}.h").resolve() for name in ("", "_stream", "_packet")
    }
    shared = [inlined(HERE / "src/kernel.h", seen)]
    seen.add((HERE / "src/kernel.h").resolve())
    for path in sorted((HERE / "src").glob("*.c")):
        text = inlined(path, seen)
        macros = sorted(set(MACRO.findall(text_of(path))) & names_of(text_of(path)))
        shared.append(text + "".join(f"#undef {name}\n" for name in macros))
    kernels = [of_kernel(path, seen) for path in sorted((HERE / "kernels").glob("*.c"))]
    # The header says what is exported: it needs the macros before it.
    exports = "#define WIRESUM_EXPORTS_ALL\n"
    shared[0] = shared[0].replace(exports, exports + '#include "wiresum.h"\n', 1)
    return HEAD + UNUSED + "".join([*shared, *kernels])


def main(words):
    if len(words) != 1 or words[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wiresum.h").write_text(header())
    (folder / "wiresum.c").write_text(source())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
