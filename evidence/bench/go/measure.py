# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the Go module next to the checksums of gVisor, wireguard-go and Tailscale, and and
gVisor's netstack, wireguard-go and Tailscale's fork with their own checksum and with ours.

python3 -m evidence.bench.go.measure          prints the tables of benchstat
python3 -m evidence.bench.go.measure --write  also keeps them in evidence/bench/results/go/

Functions: one buffer; a round takes the best of 400 samples of some ten microseconds. Netstack: two
stacks in one process, joined by channel endpoints, TCP in bulk. WireGuard: two devices in one
process, each in a network namespace, TCP of the kernel in bulk; this needs root. Both programs are
built from one vendored tree in build/. For the second, the files of the checksums are replaced. All
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
# The functions that sum, in either program: pprof counts the time in them and below.
SUMS = r"tcpip/checksum\.|/tun\.([cC]hecksum|checksumNoFold|[pP]seudoHeaderChecksum(NoFold)?)$"
STACKS = {
    "Netstack/mtu=1500": "netstack, MTU 1500",
    "Netstack/mtu=65535": "netstack, MTU 65535",
    "WireGuard/by=wireguard-go": "wireguard-go",
    "WireGuard/by=tailscale": "Tailscale's fork",
}
OURS = "github.com/wiresum/wiresum/go"
# The files of the checksums in the vendored tree, and what takes their place.
REPLACED = {
    "gvisor.dev/gvisor/pkg/tcpip/checksum/*.go": ROOT.joinpath(
        "go/gvisor/checksum/checksum.go"
    ).read_text(),
    "golang.zx2c4.com/wireguard/tun/checksum*": f"""package tun

import ours "{OURS}/wireguard"

func checksum(b []byte, initial uint64) uint16 {{ return ours.Checksum(b, initial) }}

func pseudoHeaderChecksumNoFold(protocol uint8, source, destination []byte, n uint16) uint64 {{
	return ours.PseudoHeaderChecksumNoFold(protocol, source, destination, n)
}}
""",
    "github.com/tailscale/wireguard-go/tun/checksum*": f"""package tun

import (
	"{OURS}/gvisor/checksum"
	"{OURS}/wireguard"
)

func Checksum(b []byte, initial uint16) uint16 {{ return checksum.Checksum(b, initial) }}

func PseudoHeaderChecksum(protocol uint8, source, destination []byte, n uint16) uint16 {{
	sum := wireguard.PseudoHeaderChecksumNoFold(protocol, source, destination, n)
	return wireguard.Checksum(nil, sum)
}}
""",
}


def run(*words, cwd=BUILD, **options):
    ran = subprocess.run(words, cwd=cwd, text=True, stdout=subprocess.PIPE, **options)
    if ran.returncode:
        sys.exit(f"evidence.bench.go: {' '.join(map(str, words))} failed\n{ran.stdout}")
    return ran.stdout


def build():
    """Builds the benchmarks twice: with the checksums of each program, and with ours."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(ROOT / "go", BUILD / "go")
    shutil.copytree(ROOT / "spec", BUILD / "spec")
    peers = BUILD / "go" / "peers"
    run("go", "mod", "vendor", cwd=peers)
    run("go", "test", "-c", "-mod=vendor", "-o", BUILD / "stock", ".", cwd=peers)
    for files, text in REPLACED.items():
        theirs = list(peers.joinpath("vendor").glob(files))
        for file in theirs:
            file.unlink()
        theirs[0].with_name("checksum.go").write_text(text)
    run("go", "test", "-c", "-mod=vendor", "-o", BUILD / "replaced", ".", cwd=peers)


def bench(program, pattern, time):
    """The lines of a run of the benchmarks."""
    words = ("-test.run", "^$", "-test.bench", pattern, "-test.benchtime", time)
    return run(BUILD / program, *words, cwd=BUILD / "go/peers")


def share(program, stack):
    """The part of the CPU time that sums take, in percent."""
    profile = BUILD / f"{program}.profile"
    words = ("-test.run", "^$", "-test.bench", f"{stack}$", "-test.benchtime", "4s")
    run(BUILD / program, *words, "-test.cpuprofile", profile, cwd=BUILD / "go/peers")
    words = ("-top", "-nodefraction=0", f"-focus={SUMS}", BUILD / program, profile)
    shown = run("go", "tool", "pprof", *words, stderr=subprocess.DEVNULL)
    return float(re.search(r"nodes accounting for \S+, ([\d.]+)% of", shown)[1])


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
            said = bench(program, "Netstack|WireGuard", "400ms")
            stacks += re.sub(r"(?m)^(Bench\S+?)((-\d+)?\s)", rf"\1/checksum={program}\2", said)
    table = benchstat(functions, "-row", "/bytes", "-col", columns(functions))
    stack = benchstat(stacks, "-row", ".fullname", "-col", "/checksum@(stock replaced)")
    shares = [
        f"{name}: {share('stock', stack):.1f} % of the CPU time before, "
        f"{share('replaced', stack):.1f} % after"
        for stack, name in STACKS.items()
    ]
    load = f"load average {os.getloadavg()[0]:.0f} on {os.cpu_count()} CPUs"
    head = f"{this_cpu()}, {run('go', 'version').strip()}, {ROUNDS} rounds by turns, {load}\n"
    return "\n".join(
        [
            head,
            "Functions, by benchstat: the first column is the base of the ratios\n",
            table,
            "gVisor's netstack, wireguard-go and Tailscale's fork, stock and with our checksum\n",
            stack,
            "The checksum in them, by pprof\n",
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
