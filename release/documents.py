# SPDX-License-Identifier: MIT OR Apache-2.0
"""How to install each form, today and after a release, and the table of artifacts.

python3 -m release.documents --write       puts them into the documents and the site
python3 -m release.documents --check       compares

Before the first release every line is one for the sources. docs/CHANGELOG.md says whether there is
a release: release.version writes its date there.
"""

import json
import re
import sys
from dataclasses import dataclass

from evidence import generated
from release.artifacts import ARTIFACTS
from release.version import ROOT, current, is_released

REPOSITORY = "https://github.com/wiresum/wiresum"
RELEASES = f"{REPOSITORY}/releases"
SITE = "site/src/install.json"


def least(manifest, name):
    """The oldest version, without its last part, that a manifest asks for."""
    return re.search(rf"^{name}\W+(\d+\.\d+)", (ROOT / manifest).read_text(), re.M)[1]


RUST = least("Cargo.toml", "rust-version")
GO = least("go/go.mod", "go")


@dataclass
class Form:
    name: str
    label: str  # of the tab on the site
    source: str  # lines in a clone, on every system
    needs: str  # to do so
    later: tuple  # the line of a release on Debian, macOS and Windows; or one for all
    then: str  # the page of the site that says more


FORMS = (
    Form(
        "the program `wiresum`",
        "Program",
        "cargo install --locked --path cli --profile dist --features bench",
        f"Rust {RUST}, a C compiler",
        (
            "sudo apt install ./wiresum_VERSION-1_amd64.deb",
            "cargo binstall wiresum-cli",
            "cargo binstall wiresum-cli",
        ),
        "cli/",
    ),
    Form(
        "the Rust crate",
        "cargo",
        "cargo add --path ../wiresum/rust wiresum",
        f"Rust {RUST}, a C compiler",
        ("cargo add wiresum",),
        "rust/",
    ),
    Form(
        "the Python package",
        "pip",
        "pip install ./python",
        f"Python 3.11, Rust {RUST}, a C compiler",
        ("pip install wiresum",),
        "python/",
    ),
    Form(
        "the npm package",
        "npm",
        "rustup target add wasm32-unknown-unknown\nnpm ci --prefix web\nnode web/build.ts\n"
        "npm install ./build/web/npm",
        f"Node 24, Rust {RUST}, clang, llvm",
        ("npm install wiresum",),
        "web/npm/",
    ),
    Form(
        "the C library",
        "C",
        "cmake -S c -B build/c\ncmake --build build/c\nsudo cmake --install build/c",
        "CMake, GCC or Clang",
        (
            "sudo apt install ./libwiresum*_VERSION-1_amd64.deb",
            "conan install --requires=wiresum/VERSION",
            "vcpkg install wiresum",
        ),
        "c/",
    ),
    Form(
        "the Go module",
        "Go",
        "go mod edit -replace github.com/wiresum/wiresum/go=../wiresum/go\n"
        "go get github.com/wiresum/wiresum/go",
        f"Go {GO}",
        ("go get github.com/wiresum/wiresum/go@vVERSION",),
        "go/",
    ),
)
UNRELEASED = "wiresum has no release yet."
SYSTEMS = ("Debian", "macOS", "Windows")
# What a system needs first to build from source.
FIRST = {
    "Debian": "`sudo apt install build-essential cmake curl git`, then Rust from https://rustup.rs",
    "macOS": "`xcode-select --install`, `brew install cmake rustup`, `rustup default stable`",
    "Windows": "`winget install Git.Git Kitware.CMake LLVM.LLVM Rustlang.Rustup`, and the C++ "
    "tools of Visual Studio; in PowerShell without `sudo`",
}


def code(lines):
    return "<br>".join(f"`{line.replace('|', chr(92) + '|')}`" for line in lines.split("\n"))


def later(form, system):
    line = form.later[SYSTEMS.index(system) if len(form.later) > 1 else 0]
    return line.replace("VERSION", current())


def sources():
    """The table for whoever builds from source, which holds before a release and after it."""
    first = "\n".join(f"- {system}: {words}" for system, words in FIRST.items())
    rows = [(form.name, form.needs, code(form.source)) for form in FORMS]
    table = generated.markdown_table(
        ("form", "needs", "on Debian, macOS and Windows, in the clone or in a project next to it"),
        rows,
    )
    clone = f"```\ngit clone {REPOSITORY}\ncd wiresum\n```"
    return f"{clone}\n\n{table}\n\nBefore that, once on a machine:\n\n{first}"


def install():
    """The section of README.md."""
    if not is_released():
        return f"{UNRELEASED} It is built from its sources:\n\n{sources()}"
    rows = [(form.name, *(f"`{later(form, system)}`" for system in SYSTEMS)) for form in FORMS]
    table = generated.markdown_table(("form", *SYSTEMS), rows)
    files = (
        f"Files that a line names, and programs for each system, are in [the releases]({RELEASES})."
    )
    return f"{table}\n\n{files} From the sources:\n\n{sources()}"


def line_of(label):
    """How to install one form, for the page of that form."""

    def shown():
        form = next(form for form in FORMS if form.label == label)
        if is_released():
            return f"```\n{later(form, 'Debian')}\n```"
        return (
            f"{UNRELEASED} In a clone of [the project]({REPOSITORY}), or next to it:\n\n"
            f"```\n{form.source}\n```"
        )

    return shown


def artifacts():
    """The table of docs/releases.md."""
    rows = []
    for artifact in ARTIFACTS:
        made = f"`release.make {artifact.step}`" if artifact.step else artifact.test
        used = f"`{artifact.test}`" if artifact.step else "that workflow"
        rows.append(
            (f"`dist/{artifact.files.replace('@', 'VERSION')}`", artifact.about, made, used)
        )
    return generated.markdown_table(("file", "what it is", "made by", "used by"), rows)


def site():
    """What the page Install of the site shows."""
    released = is_released()
    ways = [
        {
            "label": form.label,
            "about": f"{form.name[0].upper()}{form.name[1:]}".replace("`", "")
            + f". To build it takes: {form.needs}.",
            "source": form.source,
            "release": [
                {"system": system, "line": later(form, system)}
                for system in (SYSTEMS if len(form.later) > 1 else SYSTEMS[:1])
            ]
            if released
            else [],
            "page": form.then,
        }
        for form in FORMS
    ]
    state = "" if released else f"{UNRELEASED} Today it is built from its sources."
    return json.dumps({"state": state, "ways": ways}, indent=2) + "\n"


TABLES = (
    ("README.md", "install", install),
    ("python/README.md", "install", line_of("pip")),
    ("go/README.md", "install", line_of("Go")),
    ("web/npm/README.md", "install", line_of("npm")),
    ("docs/releases.md", "artifacts", artifacts),
)


def main():
    faults = []
    if sys.argv[1:] == ["--write"]:
        (ROOT / SITE).write_text(site())
    elif (ROOT / SITE).read_text() != site():
        faults = [f"{SITE} is not what --write would write"]
    return generated.main(TABLES, faults)


if __name__ == "__main__":
    sys.exit(main())
