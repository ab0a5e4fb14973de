#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the manual page wiresum(3) from the comments of the headers.

    c/manual.py FOLDER

FOLDER gets wiresum.3, and for each function a page that leads there: `man wiresum_sum`.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = ("wiresum.h", "wiresum_stream.h", "wiresum_packet.h")
# The comment of a file, the title of a section with its text, or a comment and its declaration,
# which ends where a function begins, or with the body of a type.
PART = re.compile(
    r"/\*\* @file\n(?P<file>.*?)\*/"
    r"|/\* ---- (?P<title>.*?) ----(?P<about>.*?)\*/"
    r"|^/\*\* (?P<comment>(?:(?!\*/).)*)\*/\n"
    r"(?P<code>(?:struct|enum)[^;{]*\{.*?^\};|[^;{]*)",
    re.DOTALL | re.MULTILINE,
)
NAME = re.compile(r"(wiresum_\w+)\(")


def escaped(line):
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line.startswith((".", "'")) else line


def code(lines):
    return [".PP", ".nf", *map(escaped, lines), ".fi"]


def text(comment):
    """A comment as lines of a page: what is indented stays as it is."""
    lines = [re.sub(r"^ \*( |$)|^    ", "", line) for line in comment.rstrip(" *\n").split("\n")]
    page = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")):
        rows = paragraph.split("\n")
        if all(row.startswith("  ") for row in rows):
            page += code(rows)
        else:
            page += [".PP", *(escaped(row.strip()) for row in rows)]
    return page


def declared(words):
    """A declaration as a user reads it: without the marks of the library."""
    words = re.sub(r"\b(WIRESUM_(API|SHORT|MAY_ALIAS)|static inline) ", "", words).strip("\n")
    return words if words.endswith(";") else words.rstrip() + ";"


def page(version):
    """The page, and the names of the functions that it describes."""
    lines = [
        f'.TH WIRESUM 3 "" "wiresum {version}" "Library Functions Manual"',
        ".SH NAME",
        "wiresum \\- the Internet checksum (RFC 1071)",
        ".SH SYNOPSIS",
        ".nf",
        *(f"#include <{name}>" for name in HEADERS),
        "",
        "cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs wiresum)",
        ".fi",
    ]
    names = []
    for header in HEADERS:
        source = (HERE / "include" / header).read_text()
        lines.append(f'.SH "{header.upper().replace("_", " ")}"')
        for part in PART.finditer(source):
            if part["file"]:
                lines += text(part["file"])
            elif part["title"]:
                lines += [f'.SS "{escaped(part["title"])}"', *text(part["about"])]
            else:
                shown = declared(part["code"])
                names += NAME.findall(shown)[:1]
                lines += [*code(shown.split("\n")), ".RS 4", *text(part["comment"]), ".RE"]
    lines += [".SH SEE ALSO", ".BR wiresum (1)"]
    return "\n".join(line for line in lines if line.strip()) + "\n", names


def main(words):
    if len(words) != 1 or words[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    inline = (HERE / "include/wiresum_inline.h").read_text()
    version = ".".join(re.findall(r"define WIRESUM_VERSION_\w+ (\d+)", inline))
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    shown, names = page(version)
    (folder / "wiresum.3").write_text(shown)
    for name in names:
        (folder / f"{name}.3").write_text(".so man3/wiresum.3\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
