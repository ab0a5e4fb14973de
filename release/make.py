# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes what a release has into a folder, with the digests of all files. It publishes nothing:
release.publish does.

python3 -m release.make                  everything, optimized, into dist/
python3 -m release.make --dry-run        says which files there would be
python3 -m release.make STEP...          some steps; --list names them
    --quick                              programs and packages without optimization
    --out FOLDER

It needs what `./check packages` installs.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.utils import formatdate
from pathlib import Path

from evidence.checks.needs import CARGO_TOOLS
from release.artifacts import ARTIFACTS, CRATES, PROGRAMS
from release.version import current, interface, sections

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / "build/venv/bin"
TARGET = ROOT / "target"
LICENSES = ("LICENSE-APACHE", "LICENSE-MIT")
RECIPES = ROOT / "release/recipes"
VERSION = current()
SOURCE = f"wiresum-{VERSION}.tar.gz"
# Debian's packages keep to the libraries of the machine, and so does this program.
HOST = "x86_64-unknown-linux-gnu"


def run(*words, cwd=ROOT, **environment):
    path = f"{VENV}:{os.environ['PATH']}:{CARGO_TOOLS}/bin"
    env = {**os.environ, "PATH": path, **environment}
    subprocess.run([str(word) for word in words], cwd=cwd, env=env, check=True)


def output(*words):
    return subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def date():
    """The seconds of the last commit: files made from it have no other date."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct"))


def tracked():
    """The files of the repository that are there, those that git would take included."""
    listed = output("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


def write_tar(path, files):
    """Writes {name: file} as an archive that is the same on every machine."""
    when = date()
    with open(path, "wb") as out, gzip.GzipFile("", "wb", fileobj=out, mtime=when) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name, file in files.items():
                info = tarfile.TarInfo(name)
                data = file.read_bytes()
                info.size, info.mtime = len(data), when
                info.mode = 0o755 if os.access(file, os.X_OK) else 0o644
                tar.addfile(info, io.BytesIO(data))


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o755 if os.access(file, os.X_OK) else 0o644) << 16
            archive.writestr(info, file.read_bytes())


def below(folder, prefix):
    """{name: file} of all files in a folder."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {f"{prefix}/{file.relative_to(folder)}": file for file in files}


class Release:
    """A release in a folder. Each step is a method."""

    def __init__(self, out, quick):
        self.out, self.quick = out, quick
        self.profile = "dev" if quick else "dist"
        self.features = "bench" if quick else "bench,parquet"
        self.built = "debug" if quick else "dist"  # the folder of that profile

    def source(self):
        files = {f"wiresum-{VERSION}/{name}": ROOT / name for name in tracked()}
        write_tar(self.out / SOURCE, files)

    def amalgamation(self):
        with tempfile.TemporaryDirectory() as folder:
            run(sys.executable, "c/amalgamate.py", folder)
            for name in (*LICENSES, "c/README.md"):
                shutil.copy(ROOT / name, folder)
            name = f"wiresum-amalgamation-{VERSION}"
            write_zip(self.out / f"{name}.zip", below(Path(folder), name))

    def crates(self):
        """cargo compiles each package from its archive alone, except in a quick run."""
        words = [word for crate in CRATES for word in ("-p", crate)]
        checks = ["--no-verify"] if self.quick else []
        run("cargo", "package", "--locked", "--allow-dirty", *checks, *words)
        folder = self.folder("crates")
        for crate in CRATES:
            shutil.copy(TARGET / f"package/{crate}-{VERSION}.crate", folder)

    def folder(self, name):
        path = self.out / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def write_pages(self, folder):
        features = ["--features", "bench,pages", "--example", "pages"]
        run("cargo", "run", "--quiet", "--locked", "-p", "wiresum-cli", *features, "--", folder)
        run(sys.executable, "c/manual.py", folder / "man3")

    def pages(self):
        with tempfile.TemporaryDirectory() as folder:
            self.write_pages(Path(folder))
            name = f"wiresum-pages-{VERSION}"
            write_tar(self.out / f"{name}.tar.gz", below(Path(folder), name))

    def program(self, target):
        words = ["--locked", "--profile", self.profile, "-p", "wiresum-cli", "--bin", "wiresum"]
        words += ["--features", self.features, "--target", target]
        light = {"CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_PROFILE_DEV_STRIP": "true"}
        run("cargo", "zigbuild", *words, **light)
        for empty in ("c/a.o", "cli/measure/a.o"):  # which zig may leave
            (ROOT / empty).unlink(missing_ok=True)
        end = ".exe" if "windows" in target else ""
        built = TARGET / target / self.built / f"wiresum{end}"
        name = f"wiresum-{VERSION}-{target}"
        files = {f"{name}/wiresum{end}": built, f"{name}/README.md": ROOT / "cli/README.md"}
        files |= {f"{name}/{license}": ROOT / license for license in LICENSES}
        with tempfile.TemporaryDirectory() as folder:
            pages = Path(folder)
            with tarfile.open(self.needed(f"wiresum-pages-{VERSION}.tar.gz", "pages")) as tar:
                tar.extractall(pages, filter="data")
            inner = below(pages / f"wiresum-pages-{VERSION}", name)
            files |= {place: file for place, file in inner.items() if "/man3/" not in place}
            write_tar(self.out / f"{name}.tar.gz", files)

    def needed(self, name, step):
        """A file of another step, which runs first if it has not run."""
        if not (self.out / name).exists():
            getattr(self, step)()
        return self.out / name

    def wheels(self):
        """Wheels of ./check python-wheels are taken as they are in a quick run."""
        folder, made = self.folder("python"), ROOT / "build/wheels"
        if not self.quick or not any(made.glob("*.whl")):
            shutil.rmtree(made, ignore_errors=True)
            words = ["--sdist", "--no-isolation", "--outdir", made]
            run(VENV / "python", "-m", "build", *words, "python")
            platforms = ["linux-x86_64", *([] if self.quick else ["linux-aarch64"])]
            run(VENV / "python", "python/wheels.py", "build", "--profile", self.profile, *platforms)
        for file in made.glob(f"wiresum-{VERSION}*"):
            shutil.copy(file, folder)
        run(VENV / "python", "python/wheels.py", "check", *folder.iterdir())

    def npm(self):
        """The package of ./check web is taken as it is in a quick run."""
        made = ROOT / "build/web/npm"
        if not self.quick or not (made / "wiresum.js").exists():
            run("npm", "ci", "--prefix", "web", "--no-audit", "--no-fund")
            run("node", "web/build.ts", *(["--light"] if self.quick else []))
        run("npm", "pack", made, "--pack-destination", self.folder("npm"))

    def debian(self):
        """Debian's packages, from the sources and debian/. The program has no optimization in a
        quick run, and the Python package is the wheel."""
        wheel = next((self.out / "python").glob("*-manylinux*x86_64.whl"), None)
        if wheel is None:
            self.wheels()
            wheel = next((self.out / "python").glob("*-manylinux*x86_64.whl"))
        folder = self.folder("debian")
        with tempfile.TemporaryDirectory() as place:
            with tarfile.open(self.needed(SOURCE, "source")) as tar:
                tar.extractall(place, filter="data")
            top = Path(place, f"wiresum-{VERSION}")
            self.write_debian(top / "debian")
            run(
                *("dpkg-buildpackage", "--build=binary", "--no-sign", "--no-check-builddeps"),
                cwd=top,
                DEB_BUILD_OPTIONS="noautodbgsym",
                DPKG_DEB_COMPRESSOR_LEVEL="1" if self.quick else "6",
                CARGO_TARGET_DIR=str(TARGET),
                PROFILE=self.profile,
                FEATURES=self.features,
                # The flags of Debian would compile all C code of the crates anew, in a folder that
                # other builds share.
                CARGO_ENVIRONMENT="env -u CFLAGS -u CXXFLAGS -u CPPFLAGS" if self.quick else "",
                WHEEL=str(wheel.resolve()),
                SOURCE_DATE_EPOCH=str(date()),
            )
            for file in Path(place).glob("*_*-1_*"):
                if file.suffix in (".buildinfo", ".changes", ".deb"):
                    shutil.copy(file, folder)

    def write_debian(self, folder):
        """The folder debian/ of the sources: the recipe, with the names of this version."""
        shutil.copytree(RECIPES / "debian", folder)
        library = f"libwiresum{interface(VERSION)}"
        for file in [*folder.glob("libwiresum.*")]:
            file.rename(file.with_name(file.name.replace("libwiresum.", f"{library}.", 1)))
        control = folder / "control"
        control.write_text(control.read_text().replace("@INTERFACE@", interface(VERSION)))
        version, released, _ = next(sections())
        state = "unstable" if released else "UNRELEASED"
        maintainer = re.search(r"Maintainer: (.*)", control.read_text())[1]
        (folder / "changelog").write_text(
            f"wiresum ({version}-1) {state}; urgency=medium\n\n"
            f"  * Version {version}: docs/CHANGELOG.md says what is new.\n\n"
            f" -- {maintainer}  {formatdate(date())}\n"
        )

    def recipes(self):
        """The recipes of other package managers, with the version and the digests."""
        source = self.needed(SOURCE, "source").read_bytes()
        sdist = self.out / f"python/{SOURCE}"
        if not sdist.exists():
            self.wheels()
        sha256 = hashlib.sha256(source)
        values = {
            "@VERSION@": VERSION,
            "@SHA256@": sha256.hexdigest(),
            "@SHA512@": hashlib.sha512(source).hexdigest(),
            "@SRI@": f"sha256-{base64.b64encode(sha256.digest()).decode()}",
            "@SDIST256@": hashlib.sha256(sdist.read_bytes()).hexdigest(),
        }
        folder = self.folder("recipes")
        for name in ("conan", "conda", "homebrew", "nix", "vcpkg"):
            shutil.copytree(RECIPES / name, folder / name)
        for file in filter(Path.is_file, folder.rglob("*")):
            text = file.read_text()
            for name, value in values.items():
                text = text.replace(name, value)
            file.write_text(text)
        shutil.copy(ROOT / "Cargo.lock", folder / "nix")  # which the package names

    def sbom(self):
        """What the program is made of, without the names of folders of this machine."""
        words = ["--format", "json", "--spec-version", "1.5", "--features", "bench,parquet"]
        name = "wiresum-sbom"
        run(
            *("cargo", "cyclonedx", "--quiet", "--manifest-path", "cli/Cargo.toml", *words),
            *("--target", HOST, "--override-filename", name),
            SOURCE_DATE_EPOCH=str(date()),
        )
        # It writes a file next to each manifest of the workspace.
        made = [*ROOT.glob(f"*/{name}.json"), *ROOT.glob(f"*/*/{name}.json")]
        text = (ROOT / f"cli/{name}.json").read_text()
        for file in made:
            file.unlink()
        text = re.sub(rf"path\+file://{re.escape(str(ROOT))}/", "path+file:///wiresum/", text)
        shown = json.dumps(json.loads(text), indent=1)
        (self.out / f"wiresum-{VERSION}.cdx.json").write_text(f"{shown}\n")

    def sums(self):
        files = sorted(file for file in self.out.rglob("*") if file.is_file())
        lines = [
            f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(self.out)}\n"
            for file in files
            if file.name != "SHA256SUMS"
        ]
        (self.out / "SHA256SUMS").write_text("".join(lines))

    def steps(self):
        """The steps in their order: each finds what it needs of those before it."""
        programs = {
            f"program-{target}": lambda target=target: self.program(target) for target in PROGRAMS
        }
        first = ("source", "amalgamation", "crates", "pages")
        last = ("wheels", "npm", "debian", "recipes", "sbom", "sums")
        return {
            **{name: getattr(self, name) for name in first},
            **programs,
            **{name: getattr(self, name) for name in last},
        }


def main():
    parser = argparse.ArgumentParser(prog="python3 -m release.make", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("steps", nargs="*", metavar="STEP")
    parser.add_argument("--list", action="store_true", help="print the names of the steps")
    parser.add_argument("--dry-run", action="store_true", help="make nothing")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    release = Release(given.out.resolve(), given.quick)
    steps = release.steps()
    if given.list:
        print("\n".join(steps))
        return 0
    if unknown := set(given.steps) - set(steps):
        parser.error(f"no step is named {', '.join(sorted(unknown))}; --list names them")
    chosen = [name for name in steps if not given.steps or name in given.steps]
    if given.dry_run:
        for artifact in ARTIFACTS:
            if artifact.step in chosen:
                print(f"{artifact.files.replace('@', VERSION)}  ({artifact.step})")
        return 0
    release.out.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        print(f"release: {name}", flush=True)
        steps[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
