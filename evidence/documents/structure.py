# SPDX-License-Identifier: MIT OR Apache-2.0
"""What depends on what: imports of Python, paths of Rust, includes of C, dependencies of Cargo.

A graph is {file or folder: the files or folders that it uses}. All functions take the files as
{path from the root: text}, so a test can plant one.
"""

import ast
import posixpath
import re
import tomllib

# Where Python looks after the folder of a file and the folders around it, and C after the former.
PYTHON_PATHS = ("", "spec", "python")
C_PATHS = ("c/include", "c/src", "c/kernels", "c/tests", "rtl/driver", "bpf")


def circles(graph):
    """The groups of nodes that reach each other (Tarjan's strongly connected components)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            group = stack[stack.index(node) :]
            del stack[-len(group) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return sorted(found)


def folders(graph, depth):
    """The graph of the folders, named by so many parts of a path."""
    found = {}
    for file, used in graph.items():
        place = "/".join(file.split("/")[:-1][:depth])
        others = {"/".join(other.split("/")[:-1][:depth]) for other in used} - {place}
        found.setdefault(place, set()).update(others)
    return found


def python(files):
    """The imports of Python, those within functions included."""
    graph = {}

    def module(name, around):
        """The file of a module, by its dotted name."""
        path = name.replace(".", "/")
        for folder in (*around, *PYTHON_PATHS):
            for file in (f"{path}.py", f"{path}/__init__.py", f"{path}.pyi"):
                if (file := posixpath.join(folder, file)) in files:
                    return file
        return None

    for path in (path for path in files if path.endswith(".py")):
        used, parts = set(), path.split("/")[:-1]
        around = ["/".join(parts[:n]) for n in range(len(parts), 0, -1)]
        tree = ast.parse(files[path])
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
                node.body.clear()  # runs never
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                used |= {module(alias.name, around) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                start, places = node.module or "", around
                if node.level:
                    start = ".".join([*parts[: len(parts) + 1 - node.level], *start.split(".")])
                    start, places = start.strip("."), [""]
                for alias in node.names:
                    used.add(module(f"{start}.{alias.name}", places) or module(start, places))
        graph[path] = used - {None, path}
    return graph


def c(files):
    """The includes of C and C++ that name a file of the project."""
    graph = {}
    for path in (p for p in files if p.endswith((".c", ".h", ".cpp"))):
        used = set()
        for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', files[path], re.M):
            places = (posixpath.dirname(path), *C_PATHS)
            named = [posixpath.normpath(posixpath.join(place, name)) for place in places]
            used |= set([file for file in named if file in files][:1])
        graph[path] = used - {path}
    return graph


def cargo(files):
    """The manifests of crates that a manifest names by a path."""

    def tables(value):
        """Every table of dependencies, of one target or of all."""
        for key, inner in value.items():
            if isinstance(inner, dict):
                yield from [inner] if key.endswith("dependencies") else tables(inner)

    shared = tomllib.loads(files["Cargo.toml"])["workspace"]["dependencies"]
    graph = {}
    for path in (p for p in files if posixpath.basename(p) == "Cargo.toml" and p != "Cargo.toml"):
        used = set()
        for table in tables(tomllib.loads(files[path])):
            for name, wanted in table.items():
                wanted = wanted if isinstance(wanted, dict) else {}
                place, start = wanted.get("path"), posixpath.dirname(path)
                if wanted.get("workspace") and isinstance(shared.get(name), dict):
                    place, start = shared[name].get("path"), ""
                if place:
                    used.add(posixpath.normpath(posixpath.join(start, place, "Cargo.toml")))
        graph[path] = used
    return graph


class Crate:
    """The modules of a crate by their paths: () is the root, ("walk", "gre") is walk/gre.rs."""

    def __init__(self, root, files):
        self.files, self.of, self.text, self.known = files, {}, {}, {}
        self._add((), root)

    def _add(self, module, path):
        # Comments and strings have no paths. In tests within a file, `super` is the file.
        text = re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\])*\"", "", self.files[path], flags=re.S)
        text = re.sub(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", "", text, flags=re.S)
        self.of[module], self.text[module] = path, text
        is_root = posixpath.basename(path) in ("mod.rs", "lib.rs", "main.rs") or not module
        folder = posixpath.dirname(path) if is_root else path.removesuffix(".rs")
        for name in re.findall(r"^[ \t]*(?:pub(?:\([^)]*\))? )?mod (\w+);", text, re.M):
            for file in (f"{folder}/{name}.rs", f"{folder}/{name}/mod.rs"):
                if file in self.files:
                    self._add((*module, name), file)

    def paths(self, module):
        """The absolute paths that the code of a module names, each with how it begins."""
        if module not in self.known:
            self.known[module] = [*self._paths(module)]
        return self.known[module]

    def _paths(self, module):
        text = self.text[module]
        children = [m[-1] for m in self.of if m[:-1] == module and m]
        starts = "|".join(["crate", "super", "self", *children])
        for start, rest in re.findall(rf"(?<![\w:])({starts})((?:::\w+)*(?:::[{{*])?)", text):
            if not rest or rest.endswith("{"):  # as in pub(crate), and a tree
                continue
            base = {"crate": (), "super": module[:-1], "self": module}.get(start, (*module, start))
            names = [name for name in rest.removesuffix("::*").split("::") if name]
            while names[:1] == ["super"]:
                base, names = base[:-1], names[1:]
            yield (*base, *names), start
        for head, tree in re.findall(r"\buse ((?:\w+::)+)\{([^;]*)\};", text):
            first, *more = head.strip(":").split("::")
            if first not in ("crate", "super", "self", *children):
                continue
            base = {"crate": (), "super": module[:-1], "self": module}.get(first, (*module, first))
            while more[:1] == ["super"]:
                base, more = base[:-1], more[1:]
            for names in leaves(tree):
                yield (*base, *more, *names), "use"

    def file(self, path, seen=()):
        """The file that has what a path names. A name that a module takes from another module
        is the other's."""
        for cut in range(len(path), -1, -1):
            if (module := path[:cut]) in self.of:
                break
        rest = path[cut:]
        if rest and (module, rest[0]) not in seen:
            for other, how in self.paths(module):
                if how != "self" and other[-1:] == rest[:1] and other[:-1] != module:
                    return self.file(other, (*seen, (module, rest[0])))
        return self.of[module]


def leaves(tree):
    """The paths in the braces of a `use`: a, b::{c, d} has a, b::c and b::d."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(tree + ","):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and not depth:
            parts.append(tree[start:place].strip())
            start = place + 1
    for part in filter(None, parts):
        head, brace, inner = part.partition("{")
        names = tuple(name for name in head.partition(" as ")[0].strip(": ").split("::") if name)
        if brace:
            yield from ((*names, *more) for more in leaves(inner.rpartition("}")[0]))
        else:
            yield () if names == ("self",) else names


def rust(files):
    """The paths that lead from one module of a crate to another. A module in the folder of another
    is a part of it, and may use what the whole declares: this path is left out."""
    graph = {}
    roots = r"(?:^|/)(?:src/(?:lib|main)|lib|build)\.rs$|/fuzz_targets/\w+\.rs$|/tests/\w+\.rs$"
    for root in (path for path in files if re.search(roots, path)):
        crate = Crate(root, files)
        for module, path in crate.of.items():
            used = graph.setdefault(path, set())
            wholes = {
                crate.of[module[:n]] for n in range(len(module) + 1) if module[:n] in crate.of
            }
            used |= {crate.file(named) for named, _ in crate.paths(module)} - wholes
    return graph


LANGUAGES = {".py": python, ".pyi": python, ".c": c, ".h": c, ".toml": cargo, ".rs": rust}


def whole(files):
    """The graph of all files."""
    return {**python(files), **c(files), **cargo(files), **rust(files)}
