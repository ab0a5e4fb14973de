# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes the mutants of a C source: the same text with one small fault.

tree-sitter parses the source, so no fault lies in a comment, and each changes a whole expression or
statement. The faults come from the literature on mutation testing: another operator, a number
that is off by one, a condition that always or never holds, a statement that is missing; and, for
intrinsics, a call that returns its first or second argument.
"""

from dataclasses import dataclass

import tree_sitter
import tree_sitter_c

LANGUAGE = tree_sitter.Language(tree_sitter_c.language())

OTHER_OPERATOR = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "<<": ">>",
    ">>": "<<",
    "&": "|",
    "|": "&",
    "^": "|",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+=": "-=",
    "-=": "+=",
    "*=": "+=",
    "|=": "&=",
    "&=": "|=",
    "^=": "|=",
    "<<=": ">>=",
    ">>=": "<<=",
    "++": "--",
    "--": "++",
}
AROUND, MOST = 24, 40  # characters in the name of a mutant
CONDITIONAL = ("if_statement", "conditional_expression")
LOOPS = ("while_statement", "for_statement", "do_statement")


@dataclass(frozen=True)
class Mutant:
    """A fault: the bytes from `start` to `end` of a source become `text`."""

    file: str  # from the root
    line: int  # from 1
    start: int
    end: int
    text: str
    function: str  # the name of the function that holds it; empty outside of functions
    was: str  # the lines that it changes
    becomes: str  # these lines with the fault
    place: str  # what it changes, in «», with a few characters before and after

    @property
    def key(self):
        """What names a mutant in the list of survivors: file, function, what it changes among its
        neighbors, what that becomes. A change of other lines leaves the name alone."""
        return (self.file, self.function, self.place, clipped(self.text, MOST))

    def __str__(self):
        return f"{self.file}:{self.line}: {self.function}: {self.was}  ->  {self.becomes}"

    def apply(self, source):
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutants(file, source):
    """All mutants of a source, in the order of the text."""
    root = tree_sitter.Parser(LANGUAGE).parse(source).root_node
    found, stack = set(), [root]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        for target, text in faults(node):
            start, end = target.start_byte, target.end_byte
            if source[start:end].decode() == text:
                continue
            first = source.rfind(b"\n", 0, start) + 1
            last = source.find(b"\n", end)
            found.add(
                Mutant(
                    file,
                    target.start_point[0] + 1,
                    start,
                    end,
                    text,
                    function_of(node),
                    in_one_line(source[first:last]),
                    in_one_line(source[first:start] + text.encode() + source[end:last]),
                    place(source, first, start, end, last),
                )
            )
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.text))


def in_one_line(source):
    return " ".join(source.decode().split())


def clipped(text, most):
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def place(source, first, start, end, last):
    before, behind = source[first:start].decode().lstrip(), source[end:last].decode().rstrip()
    was = clipped(source[start:end].decode(), MOST)
    return " ".join(f"{before[-AROUND:]}«{was}»{behind[:AROUND]}".split())


def function_of(node):
    """The name of the function that holds a node, or an empty text."""
    while node is not None and node.type != "function_definition":
        node = node.parent
    while node is not None and node.type != "identifier":
        node = node.child_by_field_name("declarator")
    return node.text.decode() if node else ""


def faults(node):
    """The (node, replacement) pairs that a node gives rise to."""
    if in_preprocessor(node):
        return
    kind = node.type
    if kind in ("binary_expression", "assignment_expression", "update_expression"):
        operator = node.child_by_field_name("operator")
        if operator.type in OTHER_OPERATOR:
            yield operator, OTHER_OPERATOR[operator.type]
    if kind == "unary_expression" and node.child_by_field_name("operator").type in "!~":
        yield node.child_by_field_name("operator"), ""
    if kind == "number_literal":
        yield from off_by_one(node)
    if kind in CONDITIONAL:
        condition = node.child_by_field_name("condition")
        yield condition, "(1)"
        yield condition, "(0)"
    if kind in LOOPS and node.child_by_field_name("condition"):
        yield node.child_by_field_name("condition"), "(0)"
    if kind == "expression_statement" and node.parent.type != "translation_unit":
        yield node, ";"
    if kind == "call_expression" and node.parent.type != "expression_statement":
        arguments = node.child_by_field_name("arguments").named_children
        for argument in arguments[:2] if len(arguments) > 1 else ():
            yield node, argument.text.decode()


def off_by_one(node):
    text = node.text.decode()
    digits = text.rstrip("uUlL")
    try:
        value = int(digits, 0)
    except ValueError:
        return
    suffix = text[len(digits) :]
    for other in (value - 1, value + 1):
        if other >= 0:
            yield node, (hex(other) if digits[:2].lower() == "0x" else str(other)) + suffix


def in_preprocessor(node):
    """Whether a node is part of a condition or of an inclusion of the preprocessor."""
    while node.parent is not None:
        if node.parent.type in ("preproc_if", "preproc_elif") and node == (
            node.parent.child_by_field_name("condition")
        ):
            return True
        node = node.parent
    return False
