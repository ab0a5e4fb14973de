# SPDX-License-Identifier: MIT OR Apache-2.0
"""Each artifact of a release, used in a clean prefix.

python3 -m release.make --quick && build/venv/bin/python -m unittest release.test_artifacts

WIRESUM_DIST is the folder of the artifacts: dist/, or another.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import yaml

from evidence import generated
from release.artifacts import ARTIFACTS, CRATES, PROGRAMS
from release.make import HOST, LICENSES, ROOT, SOURCE, VENV, VERSION, Release, tracked
from release.version import interface

DIST = Path(os.environ.get("WIRESUM_DIST", ROOT / "dist")).resolve()
CAPTURE = ROOT / "examples/office.pcapng"
SHOWN = generated.parts_of("README.md", "verify")[1].strip().strip("`").strip()
USE = (ROOT / "release/recipes/conan/test_package/use.c").read_text()
PATH = f"{VENV}:{os.environ['PATH']}"


def run(*words, status=0, cwd=None, **environment):
    """What a command prints. It must end with this exit status."""
    words = [str(word) for word in words]
    env = {**os.environ, "PATH": PATH, **{name: str(it) for name, it in environment.items()}}
    ran = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True)
    if ran.returncode != status:
        raise AssertionError(f"{' '.join(words)}: {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout + ran.stderr


def extract(archive, folder):
    """The one folder that is in an archive."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
    (top,) = Path(folder).iterdir()
    return top


class Artifacts(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def artifact(self, name):
        path = DIST / name
        self.assertTrue(path.exists(), f"{path} is missing: python3 -m release.make --quick")
        return path

    def judges(self, program, **environment):
        """The program works, and prints what README.md shows."""
        self.assertEqual(run(program, "--version", **environment).split(), ["wiresum", VERSION])
        words = ["verify", "examples/office.pcapng"]
        shown = run(program, *words, status=1, cwd=ROOT, **environment)
        self.assertEqual(f"$ wiresum {' '.join(words)}\n{shown}".strip(), SHOWN)

    def uses_library(self, flags, **environment):
        """A program of C finds the installed library."""
        (self.folder / "use.c").write_text(USE)
        program = self.folder / "use"
        run("cc", self.folder / "use.c", "-o", program, *flags)
        self.assertTrue(run(program, **environment).startswith("0xddf2 "))

    def uses_prefix(self, prefix, lib="lib"):
        """A program finds what is installed in a prefix by pkg-config."""
        pc = prefix / lib / "pkgconfig"
        words = ["pkg-config", "--cflags", "--libs", "wiresum"]
        flags = run(*words, PKG_CONFIG_PATH=pc).split()
        self.uses_library(flags, LD_LIBRARY_PATH=prefix / lib)
        self.assertEqual(
            run("pkg-config", "--modversion", "wiresum", PKG_CONFIG_PATH=pc).strip(), VERSION
        )

    def test_source(self):
        archive = self.artifact(SOURCE)
        top = extract(archive, self.folder / "source")
        files = {str(file.relative_to(top)) for file in top.rglob("*") if file.is_file()}
        self.assertEqual(files, set(tracked()))
        self.assertEqual([file for file in top.rglob("*") if file.is_symlink()], [])
        made = []
        for name in ("once", "again"):
            (self.folder / name).mkdir()
            Release(self.folder / name, True).source()
            made.append(digest("sha256", self.folder / name / SOURCE))
        self.assertEqual(*made)
        # Meson builds the library from it.
        listed = set(
            re.findall(r"'((?:src|kernels|include)/[^']*)'", (top / "c/meson.build").read_text())
        )
        there = {
            f"{file.parent.name}/{file.name}"
            for pattern in ("*/*.c", "include/*.h")
            for file in (top / "c").glob(pattern)
            if file.parent.name != "tests"
        }
        self.assertEqual(listed, there, "c/meson.build lists the files")
        prefix = self.folder / "prefix"
        run(
            "meson",
            "setup",
            self.folder / "build",
            top / "c",
            f"--prefix={prefix}",
            "--libdir=lib",
            "-Doptimization=1",
        )
        run("meson", "install", "-C", self.folder / "build")
        self.uses_prefix(prefix)
        library = prefix / f"lib/libwiresum.so.{interface(VERSION)}"
        shown = run("nm", "-D", "--defined-only", "--with-symbol-versions", library)
        self.assertIn(f"wiresum_sum@@WIRESUM_{interface(VERSION)}\n", shown)
        self.assertNotIn("T wiresum_kernel_portable", shown)
        # As a subproject it is a dependency.
        (self.folder / "user/subprojects").mkdir(parents=True)
        shutil.copytree(top / "c", self.folder / "user/subprojects/wiresum")
        (self.folder / "user/use.c").write_text(USE)
        (self.folder / "user/meson.build").write_text(
            "project('user', 'c')\n"
            "executable('use', 'use.c', dependencies: dependency('wiresum', fallback: 'wiresum',"
            " default_options: ['default_library=static', 'optimization=1']))\n"
        )
        run("meson", "setup", self.folder / "user/build", self.folder / "user")
        run("meson", "compile", "-C", self.folder / "user/build", "use")
        self.assertIn("0xddf2", run(self.folder / "user/build/use"))

    def test_amalgamation(self):
        top = extract(self.artifact(f"wiresum-amalgamation-{VERSION}.zip"), self.folder / "zip")
        names = {file.name for file in top.iterdir()}
        self.assertEqual(names, {"wiresum.c", "wiresum.h", "README.md", *LICENSES})
        (top / "use.c").write_text(USE)
        run(
            "cc",
            "-O1",
            "-Wall",
            "-Werror",
            "-I",
            top,
            top / "use.c",
            top / "wiresum.c",
            "-o",
            top / "use",
        )
        self.assertIn("0xddf2", run(top / "use"))

    def test_crates(self):
        """A project finds the crates in its folder alone, as crates.io would give them."""
        for crate in CRATES:
            top = extract(self.artifact(f"crates/{crate}-{VERSION}.crate"), self.folder / crate)
            for license in LICENSES:
                self.assertEqual((top / license).read_bytes(), (ROOT / license).read_bytes())
            (top / ".cargo-checksum.json").write_text('{"files": {}, "package": null}')
        patches = "".join(
            f'{crate} = {{ path = "{self.folder / crate}/{crate}-{VERSION}" }}\n'
            for crate in CRATES
        )
        project = self.folder / "project"
        (project / "src").mkdir(parents=True)
        (project / "Cargo.toml").write_text(
            '[package]\nname = "project"\nversion = "1.0.0"\nedition = "2024"\n[dependencies]\n'
            f'wiresum = "{VERSION}"\n[profile.dev]\ndebug = false\n[patch.crates-io]\n{patches}'
        )
        shutil.copy(ROOT / "Cargo.lock", project)
        (project / "src/main.rs").write_text(
            'fn main() { println!("{:#06x}", wiresum::sum(&[0, 1, 0xF2, 3, 0xF4, 0xF5, 0xF6, 0xF7])'
            ".value()); }\n"
        )
        words = ["cargo", "run", "--quiet", "--offline", "--manifest-path", project / "Cargo.toml"]
        self.assertIn("0xddf2", run(*words, CARGO_TARGET_DIR=project / "target"))

    def test_pages(self):
        top = extract(self.artifact(f"wiresum-pages-{VERSION}.tar.gz"), self.folder / "pages")
        program = os.environ.get("WIRESUM", ROOT / "target/debug/wiresum")
        commands = re.findall(r"^  (\w+)  ", run(program, "--help"), re.MULTILINE)
        commands = [name for name in commands if name.islower()]
        self.assertGreater(len(commands), 7)
        pages = {page.name for page in (top / "man1").iterdir()}
        for command in {*commands} - {"help"}:
            self.assertIn(f"wiresum-{command}.1", pages)
        for page in sorted(top.glob("man?/*")):
            if not page.read_text().startswith(".so"):
                faults = run("man", "--warnings", "-l", page, MANWIDTH=80, MANROFFSEQ="")
                self.assertNotIn("warning", faults.lower().split("\nname\n")[0], page.name)
                self.assertNotIn("\x1b", page.read_text())
        shown = run("man", "-l", top / "man1/wiresum-verify.1", MANWIDTH=80)
        for words in ("EXIT STATUS", "--jsonl", "The checksum is wrong."):
            self.assertIn(words, re.sub("[‐−]", "-", shown))
        # Each function of the headers has a page, which leads to the one page.
        headers = "".join(file.read_text() for file in (ROOT / "c/include").glob("*.h"))
        functions = set(re.findall(r"WIRESUM_(?:API|SHORT) [^;(]*?(wiresum_\w+)\(", headers))
        self.assertGreater(len(functions), 35)
        for name in functions:
            self.assertEqual((top / f"man3/{name}.3").read_text(), ".so man3/wiresum.3\n")
        whole = (top / "man3/wiresum.3").read_text()
        for name in functions:
            self.assertRegex(whole, rf"[ *]{name}\(")
        script = (
            f"source {top}/completions/wiresum.bash; COMP_WORDS=(wiresum ver); COMP_CWORD=1; "
            "_wiresum wiresum ver wiresum; echo ${COMPREPLY[@]}; COMP_WORDS=(wiresum verify --js); "
            "COMP_CWORD=2; _wiresum wiresum --js verify; echo ${COMPREPLY[@]}"
        )
        self.assertEqual(run("bash", "-c", script).splitlines(), ["verify", "--json --jsonl"])
        for name in ("_wiresum", "wiresum.fish", "_wiresum.ps1", "wiresum.elv"):
            self.assertIn("jsonl", (top / "completions" / name).read_text())

    def test_program(self):
        """Each program that is there, those for Windows by their format alone."""
        seen = 0
        for target in PROGRAMS:
            name = f"wiresum-{VERSION}-{target}.tar.gz"
            if seen and not (DIST / name).exists():
                continue
            seen += 1
            top = extract(self.artifact(name), self.folder / target)
            self.assertTrue((top / "man1/wiresum-verify.1").exists())
            if "windows" in target:
                self.assertEqual((top / "wiresum.exe").read_bytes()[:2], b"MZ")
                continue
            program = top / "wiresum"
            self.assertNotIn("NEEDED", run("readelf", "-d", program))
            if target.startswith(os.uname().machine):
                self.judges(program)
            elif shutil.which("qemu-aarch64"):
                self.assertIn(VERSION, run("qemu-aarch64", program, "--version"))
                self.assertIn("142", run("qemu-aarch64", program, "verify", CAPTURE, status=1))

    def test_wheels(self):
        files = [*self.artifact("python").iterdir()]
        self.assertIn("PASSED", run("twine", "check", "--strict", *files))
        wheel = next(self.artifact("python").glob("*manylinux*x86_64.whl"))
        run(VENV / "python", "-m", "venv", self.folder / "venv")
        inside = self.folder / "venv/bin"
        run(inside / "pip", "install", "--quiet", "--no-index", wheel)
        self.judges(inside / "wiresum")
        words = "import wiresum; print(hex(wiresum.checksum(bytes.fromhex('0001f203f4f5f6f7'))))"
        self.assertIn("0x220d", run(inside / "python", "-c", words))

    def test_npm(self):
        package = self.artifact(f"npm/wiresum-{VERSION}.tgz")
        said = run("npm", "publish", "--dry-run", package, cwd=self.folder)
        # This machine has no account, and its settings are not the package's.
        warned = re.findall(r"npm (?:warn|WARN) (?!.*(?:logged in|config))(.*)", said)
        self.assertEqual(warned, [])
        self.assertIn(f"wiresum@{VERSION}", said)
        words = ["npm", "install", "--offline", "--no-audit", "--no-fund", package]
        (self.folder / "package.json").write_text('{"type": "module"}')
        run(*words, cwd=self.folder)
        (self.folder / "use.js").write_text(
            'import { sum } from "wiresum/checksum";\nimport * as wiresum from "wiresum";\n'
            "const data = Uint8Array.of(0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7);\n"
            "console.log(sum(data).toString(16), typeof wiresum.verify);\n"
        )
        self.assertEqual(run("node", "use.js", cwd=self.folder).split(), ["ddf2", "function"])

    def test_debian(self):
        """The packages are clean, and work in a folder of their own."""
        packages = [*self.artifact("debian").glob("*.deb")]
        names = {file.name.split("_")[0] for file in packages}
        library = f"libwiresum{interface(VERSION)}"
        self.assertEqual(names, {library, "libwiresum-dev", "wiresum", "python3-wiresum"})
        (changes,) = self.artifact("debian").glob("*.changes")
        # An upload to Debian closes the bug that asks for the package, and UNRELEASED is none.
        known = "initial-upload-closes-no-bugs,bad-distribution-in-changes-file"
        words = ["--fail-on", "error,warning", "--profile", "debian", "--suppress-tags", known]
        said = run("lintian", *words, changes)
        self.assertNotRegex(said, r"(?m)^[EW]:")
        root = self.folder / "root"
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        for name in ("status", "available"):
            (root / "var/lib/dpkg" / name).touch()
        words = ["--force-not-root", "--force-depends", "--log=/dev/null", "--unpack"]
        run("dpkg", f"--root={root}", *words, *packages)
        listed = run("dpkg", f"--root={root}", "--list")
        self.assertEqual(len(re.findall(rf"^iU .*{re.escape(VERSION)}-1", listed, re.M)), 4)
        lib = next(root.glob(f"usr/lib/*/libwiresum.so.{VERSION}")).parent
        flags = run(
            "pkg-config", "--cflags", "--libs", "wiresum", PKG_CONFIG_PATH=lib / "pkgconfig"
        ).split()
        self.uses_library(flags, LD_LIBRARY_PATH=lib)
        self.assertTrue((root / "usr/include/wiresum_bpf.h").exists())
        self.judges(root / "usr/bin/wiresum")
        words = "import wiresum; print(hex(wiresum.checksum(bytes.fromhex('0001f203f4f5f6f7'))))"
        place = root / "usr/lib/python3/dist-packages"
        self.assertIn("0x220d", run("python3", "-c", words, PYTHONPATH=place))
        for page in ("man1/wiresum-verify.1.gz", "man3/wiresum_sum.3.gz"):
            self.assertTrue((root / "usr/share/man" / page).exists(), page)
        pages = gzip.decompress((root / "usr/share/man/man3/wiresum.3.gz").read_bytes())
        self.assertIn(b"wiresum_stream_push", pages)

    def test_conan(self):
        home = self.folder / "conan"
        # Conan builds its test in the folder of the recipe.
        recipe = shutil.copytree(self.artifact("recipes/conan"), self.folder / "recipe")
        source = self.artifact(SOURCE)
        run("conan", "profile", "detect", CONAN_HOME=home)
        for shared in ("False", "True"):
            said = run(
                "conan",
                "create",
                recipe,
                "--no-remote",
                "-s",
                "build_type=Debug",
                "-o",
                f"wiresum/*:shared={shared}",
                CONAN_HOME=home,
                WIRESUM_SOURCE=source,
            )
            self.assertIn("0xddf2", said)

    def test_homebrew(self):
        formula = self.artifact("recipes/homebrew/wiresum.rb")
        run("ruby", "-c", formula)
        self.filled(formula, digest("sha256", self.artifact(SOURCE)))

    def test_nix(self):
        package = self.artifact("recipes/nix/package.nix")
        run("nix-instantiate", "--parse", package)
        self.filled(package, "sha256-")

    def filled(self, recipe, *words):
        """A recipe has the version, and no place that nobody filled in."""
        text = recipe.read_text()
        self.assertNotRegex(text, r"@[A-Z0-9]+@")
        for word in (VERSION, *words):
            self.assertIn(word, text)

    def test_vcpkg(self):
        """CMake runs the port with functions that do what vcpkg's do."""
        port = self.artifact("recipes/vcpkg")
        manifest = json.loads((port / "vcpkg.json").read_text())
        self.assertEqual((manifest["name"], manifest["version"]), ("wiresum", VERSION))
        sha512 = digest("sha512", self.artifact(SOURCE))
        self.assertIn(sha512, (port / "portfile.cmake").read_text())
        stub = (ROOT / "release/vcpkg_stub.cmake").read_text()
        (self.folder / "run.cmake").write_text(f"{stub}\ninclude({port}/portfile.cmake)\n")
        for linkage in ("static", "dynamic"):
            out = self.folder / linkage
            run(
                "cmake",
                f"-DOUT={out}",
                f"-DARCHIVE_HERE={self.artifact(SOURCE)}",
                f"-DVERSION={VERSION}",
                f"-DVCPKG_LIBRARY_LINKAGE={linkage}",
                "-P",
                self.folder / "run.cmake",
            )
            installed = out / "packages"
            shared = [*installed.glob("lib/*.so")]
            self.assertEqual(bool(shared), linkage == "dynamic")
            self.assertTrue((installed / "share/copyright").exists())
            self.uses_prefix(installed)

    def test_conda(self):
        recipe = self.artifact("recipes/conda/recipe.yaml")
        read = yaml.safe_load(recipe.read_text())
        sdist = self.artifact(f"python/{SOURCE}")
        self.assertEqual(read["source"]["sha256"], digest("sha256", sdist))
        self.assertEqual(read["context"]["version"], VERSION)
        pins = (ROOT / "python/pyproject.toml").read_text()
        maturin = next(need for need in read["requirements"]["host"] if "maturin" in need)
        self.assertIn(maturin.replace(" ", ""), pins)
        self.filled(recipe)

    def test_sbom(self):
        sbom = json.loads(self.artifact(f"wiresum-{VERSION}.cdx.json").read_text())
        self.assertEqual((sbom["bomFormat"], sbom["specVersion"]), ("CycloneDX", "1.5"))
        self.assertEqual(sbom["metadata"]["component"]["name"], "wiresum-cli")
        self.assertEqual(sbom["metadata"]["component"]["version"], VERSION)
        there = {(part["name"], part["version"]) for part in sbom["components"]}
        words = ["cargo", "tree", "--locked", "-p", "wiresum-cli", "--features", "bench,parquet"]
        words += [
            "--target",
            HOST,
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ]
        lines = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
        used = {tuple(line.split()[:2]) for line in lines.splitlines()}
        used = {(name, version.lstrip("v")) for name, version in used} - {("wiresum-cli", VERSION)}
        self.assertGreater(len(used), 100)
        self.assertEqual(used - there, set())
        for part in sbom["components"]:
            self.assertTrue(part.get("licenses"), part["name"])
        self.assertNotIn(str(ROOT), json.dumps(sbom))

    def test_sums(self):
        lines = self.artifact("SHA256SUMS").read_text().splitlines()
        run("sha256sum", "--check", "--strict", "--quiet", DIST / "SHA256SUMS", cwd=DIST)
        files = {str(file.relative_to(DIST)) for file in DIST.rglob("*") if file.is_file()}
        self.assertEqual({line.split("  ", 1)[1] for line in lines}, files - {"SHA256SUMS"})

    def test_each_file_is_an_artifact(self):
        """No file is there that the table does not name, and each row has its test."""
        patterns = [artifact.files.replace("@", VERSION) for artifact in ARTIFACTS]
        for file in DIST.rglob("*"):
            name = str(file.relative_to(DIST))
            kin = ("recipes/", "debian/")  # other files of a recipe and of a build
            if file.is_file() and not name.startswith(kin):
                self.assertTrue(any(Path(name).match(pattern) for pattern in patterns), name)
        for artifact in ARTIFACTS:
            if artifact.where == "here":
                self.assertTrue(hasattr(Artifacts, artifact.test), artifact.test)


def digest(algorithm, file):
    return hashlib.new(algorithm, file.read_bytes()).hexdigest()


if __name__ == "__main__":
    unittest.main()
