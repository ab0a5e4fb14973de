# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a release has, as data: the table of docs/releases.md, and what release.make makes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Artifact:
    files: str  # a pattern in dist/; @ is the version
    about: str
    step: str  # of release.make
    test: str  # of release/test_artifacts.py, or the part of ./check that uses it
    where: str = "here"  # or the workflow that makes it, where this machine cannot


# The programs that zig links here, by their targets. cargo binstall finds an archive by the target.
PROGRAMS = ("x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl", "x86_64-pc-windows-gnu")
# The crates that crates.io gets, in the order in which each finds those that it needs.
CRATES = ("wiresum-sys", "wiresum", "wiresum-packet", "wiresum-bench", "wiresum-cli")

ARTIFACTS = (
    Artifact("wiresum-@.tar.gz", "the sources", "source", "test_source"),
    Artifact(
        "wiresum-amalgamation-@.zip",
        "the C library as two files",
        "amalgamation",
        "test_amalgamation",
    ),
    Artifact("crates/*-@.crate", "the crates, for crates.io", "crates", "test_crates"),
    Artifact(
        "wiresum-pages-@.tar.gz",
        "the manual pages, and the completions of five shells",
        "pages",
        "test_pages",
    ),
    *(
        Artifact(
            f"wiresum-@-{target}.tar.gz",
            "the program, with its pages",
            f"program-{target}",
            "test_program",
        )
        for target in PROGRAMS
    ),
    Artifact(
        "wiresum-@-*-apple-darwin.tar.gz",
        "the program for macOS; zig has no Foundation, which its crates need",
        "",
        "`.github/workflows/release.yml`",
        "release.yml",
    ),
    Artifact(
        "wiresum-@-x86_64-pc-windows-msvc.tar.gz",
        "the program for Windows, by Microsoft's linker",
        "",
        "`.github/workflows/release.yml`",
        "release.yml",
    ),
    Artifact(
        "python/wiresum-@.tar.gz", "the Python package, for PyPI: sources", "wheels", "test_wheels"
    ),
    Artifact(
        "python/wiresum-@-*.whl", "the Python package, for PyPI: wheels", "wheels", "test_wheels"
    ),
    Artifact(
        "python/wiresum-@-*.whl",
        "the wheels for macOS and Windows",
        "",
        "`.github/workflows/release.yml`",
        "release.yml",
    ),
    Artifact("npm/wiresum-@.tgz", "the npm package", "npm", "test_npm"),
    Artifact(
        "debian/*_@-1_*.deb",
        "Debian packages: library, headers, program, Python",
        "debian",
        "test_debian",
    ),
    Artifact("recipes/conan/*", "Conan's recipe", "recipes", "test_conan"),
    Artifact("recipes/homebrew/*", "Homebrew's formula", "recipes", "test_homebrew"),
    Artifact("recipes/nix/*", "the package for nixpkgs", "recipes", "test_nix"),
    Artifact("recipes/vcpkg/*", "vcpkg's port", "recipes", "test_vcpkg"),
    Artifact("recipes/conda/*", "the recipe for conda-forge", "recipes", "test_conda"),
    Artifact("wiresum-@.cdx.json", "what the program is made of (CycloneDX)", "sbom", "test_sbom"),
    Artifact("SHA256SUMS", "the digests of all files", "sums", "test_sums"),
)
