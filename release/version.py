# SPDX-License-Identifier: MIT OR Apache-2.0
"""The version of wiresum, in every file that has it.

python3 -m release.version                      prints the version, and whether it is released
python3 -m release.version VERSION              writes it everywhere, and begins its changelog
python3 -m release.version --released DATE      the changelog and CITATION.cff say when

--root FOLDER does so in another copy. A recipe of release/recipes/ has no version: release.make
fills it in.
"""

import argparse
import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+")
CHANGELOG = "docs/CHANGELOG.md"
# Our crates in a Cargo.lock. Programs of the evidence, which nobody publishes, keep their own.
CRATE = r'name = "wiresum(?:-(?:bench|cli|packet|python|sys|web))?"\nversion = '

# Files, by pattern, with the text around the version. @ is the version, and INTERFACE for
# the part of it that names the interface of the C library.
PLACES = [
    ("Cargo.toml", r'^version = "@"$'),
    ("Cargo.toml", r'^wiresum.* path = .* version = "@"'),
    ("**/Cargo.lock", rf'{CRATE}"@"'),
    ("c/meson.build", r"^  version: '@',$"),
    ("c/wiresum.map", r"^WIRESUM_INTERFACE "),
    ("rtl/*.core", r"wiresum:rtl:\w+:@\b"),
    ("CITATION.cff", r"^version: @$"),
]
HEADER = "c/include/wiresum_inline.h"
# Where a file with the name of one of ours has none of our crates.
WITHOUT = {"web/bindgen/Cargo.lock", "evidence/bench/captures/rival/Cargo.lock"}


def interface(version):
    """What names the interface of the C library: before 1.0 every minor version may change it."""
    major, minor, _ = version.split(".")
    return f"0.{minor}" if major == "0" else major


def current(root=ROOT):
    """The version of a copy."""
    return re.search(r'^version = "(.*)"$', (root / "Cargo.toml").read_text(), re.MULTILINE)[1]


def sections(root=ROOT):
    """The sections of the changelog, newest first: version, date or None, text."""
    text = (root / CHANGELOG).read_text()
    parts = re.split(r"^## ([\d.]+) \((.*)\)\n", text, flags=re.MULTILINE)[1:]
    for version, date, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        yield version, None if date == "unreleased" else date, body.strip()


def is_released(root=ROOT):
    """Whether there is a release that registries have."""
    return any(date for _, date, _ in sections(root))


def files(root, pattern):
    """The files of a copy that match, but none that a build or an installation made."""
    made = {"node_modules", "build", "target", "dist"}
    found = (path for path in root.glob(pattern) if path.is_file())
    for path in sorted(found):
        relative = path.relative_to(root)
        if not made & set(relative.parts) and relative.as_posix() not in WITHOUT:
            yield path


def fill(pattern, version):
    return pattern.replace("@", re.escape(version)).replace("INTERFACE", interface(version))


def write(root, version):
    """Writes a version into every place. A place without the old version is an error."""
    old, changed = current(root), []
    for pattern, around in PLACES:
        wanted = re.compile(fill(around, old), re.MULTILINE)
        was, now = (old, version) if "@" in around else (interface(old), interface(version))
        seen = [*files(root, pattern)]
        if not seen:
            raise SystemExit(
                f"version: no file is {pattern}; PLACES in release/version.py names it"
            )
        for path in seen:
            text, count = wanted.subn(
                lambda match, was=was, now=now: match[0].replace(was, now), path.read_text()
            )
            if not count:
                raise SystemExit(f"version: {path.relative_to(root)} has no {old} where it should")
            path.write_text(text)
            changed.append(path)
    header = root / HEADER
    text = header.read_text()
    for name, number in zip(("MAJOR", "MINOR", "PATCH"), version.split("."), strict=True):
        text = re.sub(rf"(define WIRESUM_VERSION_{name}) \d+", rf"\1 {number}", text)
    header.write_text(text)
    begin_section(root, version)
    return sorted({path.relative_to(root).as_posix() for path in [*changed, header]})


def subjects(root):
    """What was committed after the last tag, for whoever writes the section of the changelog."""

    def git(*words):
        ran = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
        return ran.stdout.strip() if ran.returncode == 0 else ""

    last = git("describe", "--tags", "--abbrev=0", "--match", "v*")
    return git("log", "--format=- %s", f"{last}..HEAD").splitlines() if last else []


def begin_section(root, version):
    """Begins the section of a version. A section that nobody has released yet becomes its own."""
    path = root / CHANGELOG
    text = path.read_text()
    newest, date, _ = next(sections(root))
    if date is None:
        text = text.replace(f"## {newest} (unreleased)", f"## {version} (unreleased)", 1)
    else:
        lines = "\n".join(subjects(root)) or "- Nothing yet."
        title = f"## {newest} ({date})"
        text = text.replace(title, f"## {version} (unreleased)\n\n{lines}\n\n{title}", 1)
    path.write_text(text)


def release(root, date):
    """Writes the date of the release of the newest section."""
    version, released, _ = next(sections(root))
    if released:
        raise SystemExit(f"version: {version} is released already, on {released}")
    path = root / CHANGELOG
    path.write_text(
        path.read_text().replace(f"## {version} (unreleased)", f"## {version} ({date})", 1)
    )
    path = root / "CITATION.cff"
    text = re.sub(r"^date-released: .*\n", "", path.read_text(), flags=re.MULTILINE)
    path.write_text(text.replace("\nversion: ", f"\ndate-released: {date}\nversion: ", 1))


def main():
    parser = argparse.ArgumentParser(prog="python3 -m release.version", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("version", nargs="?")
    parser.add_argument("--released", metavar="DATE", type=datetime.date.fromisoformat)
    parser.add_argument("--root", type=Path, default=ROOT)
    given = parser.parse_args()
    if given.version and not VERSION.fullmatch(given.version):
        parser.error(f"{given.version} is not three numbers, such as 0.1.1")
    if given.version and given.released:
        parser.error("VERSION begins a version and --released ends one; give one of them")
    if given.version:
        if given.version == current(given.root):
            parser.error(f"this is version {given.version} already")
        print("\n".join(write(given.root, given.version)))
        print(f"{CHANGELOG}\nnext: python3 -m release.documents --write")
    elif given.released:
        release(given.root, given.released)
        print("next: python3 -m release.documents --write")
    else:
        state = "released" if is_released(given.root) else "not released"
        print(f"{current(given.root)} ({state})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
