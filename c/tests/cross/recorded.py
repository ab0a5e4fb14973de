# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of what a result depends on: sources, and the versions of tools. A result on record holds
as long as the digests with it do."""

import ast
import hashlib
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
IMPORTS = (ast.Import, ast.ImportFrom)


def digest(texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def code(path):
    """A file of C, SystemVerilog or Python without comments and layout, or the text of another."""
    text = path.read_text()
    if path.suffix == ".py":
        return python(text)
    if path.suffix in (".c", ".h", ".cpp", ".sv", ".svh"):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    return " ".join(text.split())


def python(text):
    """The code of a Python file without comments and docstrings. Of an import it has the names: a
    module that has moved to another folder is the same module."""
    tree = ast.parse(text)
    names = set()
    for node in ast.walk(tree):
        has_docstring = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if has_docstring and ast.get_docstring(node) is not None:
            del node.body[0]
        for field in ("body", "orelse", "finalbody"):
            if isinstance(statements := getattr(node, field, None), list):
                kept = [line for line in statements if not isinstance(line, IMPORTS)]
                imports = [line for line in statements if isinstance(line, IMPORTS)]
                names |= {ast.unparse(name) for line in imports for name in line.names}
                setattr(node, field, kept)
    return "\n".join([*sorted(names), ast.unparse(tree)])


def sources(places, suffixes, without=()):
    """A digest of the code in these folders, where a file has one of the suffixes, and files."""
    files = []
    for place in places:
        path = ROOT / place
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        files += [file for file in found if file == path or file.suffix in suffixes]
    return digest(f"{file.name} {code(file)}" for file in files if file not in without)


def version(command):
    """What a tool says of itself first, or that it is missing."""
    try:
        shown = subprocess.run([*command, "--version"], capture_output=True, text=True)
    except OSError:
        return "missing"
    return shown.stdout.partition("\n")[0]
