# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the Go module next to the checksums of gVisor, wireguard-go and Tailscale, and gVisor's
netstack with its own checksum and with ours.

python3 -m evidence.bench.go.measure          prints the tables of benchstat
python3 -m evidence.bench.go.measure --write  also keeps them in evidence/bench/results/go/

Functions: one buffer; a round takes the best of 400 samples of some ten microseconds. Netstack: two
stacks in one process, joined by channel endpoints, TCP in bulk. Both programs are built from one
vendored tree in build/. For the second, the files of gVisor's package checksum are replaced. All
run by turns, ten times.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from evidence.bench.families import family, this_cpu

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "go-peers"
RESULTS = ROOT / "evidence/bench/results/go"
BENCHSTAT = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"
ROUNDS = 10
# The functions of a profile that sum, in either program.
SUMS = re.compile(r"checksum\.(calculateChecksum|unrolledCalculateChecksum|Checksum)|kernel\.sum")


def run(*words, cwd=BUILD, **options):
    ran = subprocess.run(words, cwd=cwd, text=True, stdout=subprocess.PIPE, **options)
    if ran.returncode:
        sys.exit(f"evidence.bench.go: {' '.join(map(str, words))} failed\n{ran.stdout}")
    return ran.stdout


def build():
    """Builds the benchmarks twice: with gVisor's checksum, and with ours in its place."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(ROOT / "go", BUILD / "go")
    shutil.copytree(ROOT / "spec", BUILD / "spec")
    peers = BUILD / "go" / "peers"
    run("go", "mod", "vendor", cwd=peers)
    run("go", "test", "-c", "-mod=vendor", "-o", BUILD / "stock", ".", cwd=peers)
    theirs = peers / "vendor/gvisor.dev/gvisor/pkg/tcpip/checksum"
    for file in theirs.glob("*.go"):
        file.unlink()
    shutil.copy(ROOT / "go/gvisor/checksum/checksum.go", theirs)
    run("go", "test", "-c", "-mod=vendor", "-o", BUILD / "replaced", ".", cwd=peers)


def bench(program, pattern, time):
    """The lines of a run of the benchmarks."""
    words = ("-test.run", "^$", "-test.bench", pattern, "-test.benchtime", time)
    return run(BUILD / program, *words, cwd=BUILD / "go/peers")


def share(program, mtu):
    """The part of the CPU time that sums take, in percent."""
    profile = BUILD / f"{program}-{mtu}.profile"
    words = ("-test.run", "^$", "-test.bench", f"Netstack/mtu={mtu}$", "-test.benchtime", "2s")
    run(BUILD / program, *words, "-test.cpuprofile", profile, cwd=BUILD / "go/peers")
    shown = run(
        "go",
        "tool",
        "pprof",
        "-top",
        "-nodefraction=0",
        BUILD / program,
        profile,
        stderr=subprocess.DEVNULL,
    )
    rows = re.findall(r"^\s*\S+\s+([\d.]+)%\s+[\d.]+%\s+\S+\s+[\d.]+%\s+(.*)$", shown, re.M)
    return sum(float(percent) for percent, name in rows if SUMS.search(name))


def benchstat(text, *words):
    file = BUILD / "input.txt"
    file.write_text(text)
    return run("go", "run", BENCHSTAT, *words, file, cwd=ROOT / "go/peers")


def measure():
    """The text of a record."""
    functions, stacks = "", ""
    for number in range(ROUNDS):
        functions += bench("stock", "Sum", "1x")
        # The program that begins takes turns too.
        for program in ("stock", "replaced")[:: 1 - 2 * (number % 2)]:
            said = bench(program, "Netstack", "400ms")
            stacks += re.sub(r"(mtu=\d+)", rf"\1/checksum={program}", said)
    table = benchstat(functions, "-row", "/bytes", "-col", columns(functions))
    stack = benchstat(stacks, "-row", "/mtu", "-col", "/checksum@(stock replaced)")
    shares = [
        f"MTU {mtu}: {share('stock', mtu):.1f} % of the CPU time before, "
        f"{share('replaced', mtu):.1f} % after"
        for mtu in (1500, 65535)
    ]
    head = f"{this_cpu()}, {run('go', 'version').strip()}, {ROUNDS} rounds by turns\n"
    return "\n".join(
        [
            head,
            "Functions, by benchstat: the first column is the base of the ratios\n",
            table,
            "gVisor's netstack, stock and with our checksum\n",
            stack,
            "The checksum in netstack, by pprof\n",
            *shares,
            "",
        ]
    )


def columns(text):
    """The contenders of a run, Tailscale first: benchstat's ratios are to the first one."""
    names = dict.fromkeys(re.findall(r"/by=([\w-]+?)(?:-\d+)?\s", text))
    return f"/by@({' '.join(sorted(names, key=lambda name: name != 'tailscale'))})"


def main():
    parser = argparse.ArgumentParser(
        prog="python3 -m evidence.bench.go.measure", description=__doc__
    )
    parser.add_argument("--write", action="store_true", help="keep the tables")
    options = parser.parse_args()
    os.environ.setdefault("GOFLAGS", "-buildvcs=false")
    build()
    text = measure()
    print(text)
    if options.write:
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / f"{family(this_cpu())[0]}.txt").write_text(text)


if __name__ == "__main__":
    main()
