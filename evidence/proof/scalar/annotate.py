# SPDX-License-Identifier: MIT OR Apache-2.0
"""Puts the annotations of *.acsl into copies of the library's sources.

An .acsl file is a list of sections. `@ NAME` begins the section of a function: the text after it
is its contract, and goes before each definition of it. In a section, `> TEXT` and `< TEXT` put what
follows before or after the next line of the function that begins with TEXT. A lone `@` begins text
that goes before the next function's contract. Lines between `#if BIG_ENDIAN_MACHINE`, `#else` and
`#endif` are for one byte order. The annotations are comments and macros, so the code of a copy
equals the code of the shipped file; `annotated` fails if it is not.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


@dataclass
class Section:
    """What is said about one function."""

    name: str
    before: str = ""
    places: list = field(default_factory=list)  # [">" or "<", the line's beginning, text]


def code(text):
    """The code of a source without its comments, a line for each that has code."""
    bare = TOKEN.sub(lambda match: " " if match[0].startswith("/") else match[0], text)
    lines = (" ".join(line.rstrip("\\").split()) for line in bare.splitlines())
    return [line for line in lines if line]


def for_byte_order(text, big):
    """Text with the lines of one byte order alone."""
    kept, skipping = [], None
    for line in text.splitlines():
        word = line.strip()
        if word == "#if BIG_ENDIAN_MACHINE":
            skipping = not big
        elif word == "#else" and skipping is not None:
            skipping = not skipping
        elif word == "#endif" and skipping is not None:
            skipping = None
        elif not skipping:
            kept.append(line)
    return "\n".join(kept) + "\n"


def with_lemmas(text, names, known=()):
    """Text with the lemmas of these names alone, and with the inductions that they need. Known
    lemmas become axioms, which nobody proves again."""

    def kept(match):
        name = match["lemma"] or f"{match['axiomatic']}_all"
        if match["lemma"] and name in known:
            return f"axiomatic known_{name} {{ axiom {match[0].removeprefix('lemma ')} }}"
        return match[0] if name in names else ""

    lemma = r"lemma (?P<lemma>\w+)(\{[^}]*\})?:.*?;(?=\s*(lemma|predicate|axiomatic|\*/))"
    axiomatic = r"axiomatic induction_(?P<axiomatic>\w+) \{.*?;\s*\}"
    text = re.sub(f"{lemma}|{axiomatic}", kept, text, flags=re.DOTALL)
    return re.sub(r"/\*@\s*\*/", "", text)


def with_hidden(text, names):
    """Text in which the definitions of these predicates and logic functions are not said: a proof
    of fewer facts, which a prover gets lost in less."""
    for name in names:
        head = rf"(?P<head>(predicate|logic integer) {name}(?P<label>{{L}})?\([^)]*\)) =[^;]*;"
        match = re.search(head, text)
        if not match:
            raise ValueError(f"no definition of {name}")
        reads = "p[0 .. 7]" if match["label"] else "\\nothing"
        axiomatic = f"axiomatic hidden_{name} {{ {match['head']} reads {reads}; }}"
        text = text[: match.start()] + axiomatic + text[match.end() :]
    return text


def without_axioms(text, names):
    """Text without the axioms of these axiomatics: a proof from fewer facts, too."""
    for name in names:
        text, count = re.subn(
            rf"/\*@ axiomatic {name} \{{.*?\}} \*/", "", text, count=1, flags=re.DOTALL
        )
        if not count:
            raise ValueError(f"no axiomatic {name}")
    return text


def sections(text):
    """The sections of an .acsl file."""
    found, waiting, target = [], "", None
    for line in text.splitlines(keepends=True):
        if line.strip() == "@":
            target = "waiting"
        elif line.startswith("@ "):
            found.append(Section(line[2:].strip(), waiting))
            waiting, target = "", "before"
        elif line.startswith(("> ", "< ")) and found:
            found[-1].places.append([line[0], line[2:].strip(), ""])
            target = "place"
        elif target == "waiting":
            waiting += line
        elif target == "before":
            found[-1].before += line
        elif target == "place":
            found[-1].places[-1][2] += line
    return found


def definitions(lines, name):
    """The first and the last line of each definition of a function, or of a macro that makes
    functions."""
    begins = re.compile(rf"(?:#define |[A-Za-z_][\w *]*[ *]){name}\(")
    for first, line in enumerate(lines):
        if not begins.match(line):
            continue
        macro = line.startswith("#define")
        for last in range(first, len(lines)):
            end = lines[last].rstrip()
            if macro and not end.endswith("\\"):
                yield first + 1, last
                break
            if not macro and end.endswith(";"):
                break  # a declaration
            if not macro and end == "{":
                yield first, next(i for i in range(last, len(lines)) if lines[i].startswith("}"))
                break


def inserted(text, beside):
    """Text as lines to insert around a line, which may be a line of a macro."""
    text = re.sub(r";\s*\n\s*(assert|admit)\b", r"; */\n/*@ \1", text)  # one in each comment
    if not beside.rstrip().endswith("\\"):
        return text.rstrip("\n").splitlines()
    return [" ".join(text.split()) + " \\"]


def annotated(source, acsl, big, name):
    """A source with the annotations of an .acsl file. A section that fits nowhere is an error."""
    lines = source.splitlines()
    put = {}  # the lines before line i, and after it
    for section in sections(for_byte_order(acsl, big)):
        found = list(definitions(lines, section.name))
        if not found:
            raise ValueError(f"{name}: no function {section.name}")
        for first, last in found:
            put.setdefault(first, ([], []))[0].extend(inserted(section.before, lines[first]))
            at = first
            for side, anchor, text in section.places:
                while at <= last and not lines[at].strip().startswith(anchor):
                    at += 1
                if at > last:
                    raise ValueError(f"{name}: {section.name} has no line `{anchor}`")
                put.setdefault(at, ([], []))[side == "<"].extend(inserted(text, lines[at]))
    result = []
    for i, line in enumerate(lines):
        before, behind = put.get(i, ([], []))
        result += [*before, line, *behind]
    text = "\n".join(result) + "\n"
    ours = {line for pair in put.values() for lines in pair for line in code("\n".join(lines))}
    if [line for line in code(text) if line not in ours] != code(source):
        raise ValueError(f"{name}: the annotations change the code")
    return text
