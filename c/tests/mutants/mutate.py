# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes the mutants of a C source: the same text with one small fault.

tree-sitter parses the source, so no fault lies in a comment, and each changes a whole expression or
statement. The faults are those of the literature on mutation testing: another operator, a number
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
    was: str  # the source between start and end
    context: str  # the line, without its indentation

    @property
    def key(self):
        """What names a mutant in the list of survivors: a change of lines above leaves it alone."""
        return (self.file, self.context, self.was, self.text)

    def __str__(self):
        was, to = (" ".join(text.split()) for text in (self.was, self.text))
        return f"{self.file}:{self.line}: {was!r} becomes {to!r} in: {self.context}"

    def apply(self, source):
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutants(file, source):
    """All mutants of a source, in the order of the text."""
    root = tree_sitter.Parser(LANGUAGE).parse(source).root_node
    lines = source.decode().split("\n")
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        stack.extend(reversed(node.children))
        for target, text in faults(node):
            row = target.start_point[0]
            was = source[target.start_byte : target.end_byte].decode()
            if was != text:
                found.append(
                    Mutant(
                        file,
                        row + 1,
                        target.start_byte,
                        target.end_byte,
                        text,
                        was,
                        lines[row].strip(),
                    )
                )
    return sorted(set(found), key=lambda mutant: (mutant.start, mutant.end, mutant.text))


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
