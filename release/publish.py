# SPDX-License-Identifier: MIT OR Apache-2.0
"""Publishes what release.make made, with the credentials of whoever calls it.

python3 -m release.publish --dry-run     only checks what would be published
python3 -m release.publish               publishes: crates.io, PyPI, npm
    --out FOLDER                         of the artifacts; dist/ if not given
    --only crates,python,npm
"""

import argparse
import sys
from pathlib import Path

from release.artifacts import CRATES
from release.make import ROOT, VENV, VERSION, run
from release.version import sections


def crates(out, dry):
    """Before a release is out, cargo can check its crates only all at once: each needs the one
    before it, and the registry has none of them."""
    if dry:
        words = [word for crate in CRATES for word in ("-p", crate)]
        run("cargo", "publish", "--dry-run", "--locked", "--allow-dirty", "--no-verify", *words)
        return
    for crate in CRATES:
        run("cargo", "publish", "--locked", "-p", crate)


def python(out, dry):
    files = sorted((out / "python").iterdir())
    run(VENV / "twine", "check", "--strict", *files)
    if not dry:
        run(VENV / "twine", "upload", *files)


def npm(out, dry):
    words = ["--dry-run"] if dry else ["--provenance", "--access", "public"]
    run("npm", "publish", *words, out / f"npm/wiresum-{VERSION}.tgz")


REGISTRIES = {"crates": crates, "python": python, "npm": npm}


def main():
    parser = argparse.ArgumentParser(prog="python3 -m release.publish", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--only", default=",".join(REGISTRIES))
    given = parser.parse_args()
    chosen = given.only.split(",")
    if unknown := set(chosen) - set(REGISTRIES):
        parser.error(f"no registry is named {', '.join(sorted(unknown))}")
    version, date, _ = next(sections())
    if not given.dry_run and not date:
        parser.error(
            f"{version} has no date in the changelog: python3 -m release.version --released"
        )
    for name in chosen:
        print(f"release: {name}", flush=True)
        REGISTRIES[name](given.out.resolve(), given.dry_run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
