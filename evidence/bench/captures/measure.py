# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times `wiresum verify`, and other programs that judge or repair checksums, on a large capture.

    python3 -m evidence.bench.captures.measure [--captures FOLDER] [--megabytes 800] [--repeat 5]

The script makes the capture from examples/ and from a folder of other captures, and deletes it
afterwards. It makes an ordinary capture as well, from an office's capture, for the programs
that read all packets. First each program says what is bad in the same bytes. Then all programs run
one after the other in each round, so that a disturbance of the machine meets all of them. The table
goes into README.md next to this file, and the record of the CPU's family into
evidence/bench/results/captures/. The table names the programs that are not installed. A second
table says what the stages of `wiresum verify` take.
"""

import argparse
import csv
import datetime
import json
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evidence.bench.captures.mixed import Mix, every, head, ordinary

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RESULTS = ROOT / "evidence/bench/results/captures"
WIRESUM = ROOT / "target/dist/wiresum"
RIVAL = ROOT / "build/rival/release/rival"
STAGES = ROOT / "build/stages/release/stages"
ORDINARY = "{}, an ordinary capture"
SAMPLE = 50_000  # packets, for the programs that would take minutes for all of them


def records(path):
    """The number of whole packets in a pcap."""
    with path.open("rb") as source:
        size, at, n = path.stat().st_size, 24, 0
        while at + 16 <= size:
            source.seek(at + 8)
            at += 16 + struct.unpack("<I", source.read(4))[0]
            n += at <= size
    return n


def timed(command, output=subprocess.DEVNULL):
    """Wall and CPU seconds, peak memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return {
        "status": process.returncode,
        "wall": wall,
        "cpu": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss / 1024,
    }


def output(command, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd).stdout


def bad(tool, path, scratch):
    """The number of outermost TCP and UDP checksums that a program calls bad. For a program that
    repairs, the number that it leaves bad."""
    if tool == "wiresum verify":
        rows = csv.DictReader(
            output([WIRESUM, "verify", "--no-reassemble", "--csv", "-", path]).splitlines()
        )
        return sum(
            row["layer"] == "1"
            and row["quoted"] == "false"
            and row["protocol"] in ("tcp", "udp")
            and row["status"] == "bad"
            for row in rows
        )
    if tool == "rival":
        says = json.loads(output([RIVAL, path]))
        return says["tcp"] + says["udp"]
    if tool == "tshark":
        fields = ("frame.protocols", "tcp.checksum.status", "udp.checksum.status")
        lines = output(
            [
                *TSHARK,
                "-r",
                path,
                "-o",
                "ip.defragment:FALSE",
                "-o",
                "ipv6.defragment:FALSE",
                "-T",
                "fields",
                "-E",
                "occurrence=f",
                *(option for field in fields for option in ("-e", field)),
            ]
        ).splitlines()
        rows = (line.split("\t") for line in lines)
        outermost = (
            tcp if "udp" not in protocols.split(":tcp")[0].split(":") else udp
            for protocols, tcp, udp in rows
        )
        return sum(status == "0" for status in outermost)
    if tool == "tcpdump -vv":
        text = output(["tcpdump", "-#nvvr", path])
        packets = re.split(r"(?m)^ *\d+  (?=\d\d:\d\d:\d\d\.\d+ )", text)
        outermost = (
            re.search(r"cksum 0x\w+ \((\w+)|\[(no|bad) (?:udp )?cksum|\[udp sum ok\]", packet)
            for packet in packets
        )
        return sum(
            found is not None and (found[1] == "incorrect" or found[2] == "bad")
            for found in outermost
        )
    if tool == "tcprewrite --fixcsum":
        fixed = scratch / "fixed.pcap"
        ended = subprocess.run(
            ["tcprewrite", "--fixcsum", f"--infile={path}", f"--outfile={fixed}"],
            capture_output=True,
        )
        return bad("wiresum verify", fixed, scratch) if ended.returncode == 0 else None
    return None


CHECKS = [f"-o{protocol}.check_checksum:TRUE" for protocol in ("ip", "tcp", "udp")]
TSHARK = ["tshark", "-n", *CHECKS]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--captures",
        type=Path,
        default=os.environ.get("WIRESUM_CAPTURES"),
        help="a folder of more captures",
    )
    parser.add_argument("--megabytes", type=int, default=800)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    folder = Path(options.captures) if options.captures else None
    subprocess.run(["cargo", "build", "--profile", "dist", "--quiet"], cwd=ROOT, check=True)
    for name in ("rival", "stages"):
        manifest = ("--manifest-path", HERE / name / "Cargo.toml")
        target = ("--target-dir", ROOT / "build" / name)
        subprocess.run(["cargo", "build", "--release", "--quiet", *manifest, *target], check=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as scratch:
        scratch = Path(scratch)
        capture, sample = scratch / "capture.pcap", scratch / "sample.pcap"
        with capture.open("wb", buffering=1 << 20) as out:
            packets, size = Mix(every(folder)).write(out, options.megabytes * 10**6)
        office = scratch / "ordinary.pcap"
        with office.open("wb", buffering=1 << 20) as out:
            of_office, _ = Mix(ordinary()).write(out, options.megabytes * 10**6)
        head(capture, sample, SAMPLE)
        few = min(SAMPLE, packets)
        tools = {  # name: (command, packets, needs)
            "wiresum verify": ([WIRESUM, "verify", capture], packets, None),
            "wiresum verify, on one CPU": (
                ["taskset", "--cpu-list", "0", WIRESUM, "verify", capture],
                packets,
                "taskset",
            ),
            "cat": (["cat", capture], packets, None),
            "rival": ([RIVAL, capture], packets, None),
            "tcpdump -vv": (["tcpdump", "-nvvr", sample], few, "tcpdump"),
            "tcprewrite --fixcsum": (
                [
                    "tcprewrite",
                    "--fixcsum",
                    f"--infile={capture}",
                    f"--outfile={scratch / 'fixed.pcap'}",
                ],
                packets,
                "tcprewrite",
            ),
            "tshark": ([*TSHARK, "-r", sample], few, "tshark"),
        }
        for name in ("wiresum verify, on one CPU", "cat", "rival"):
            command, _, need = tools[name]
            command = [office if word == capture else word for word in command]
            tools[ORDINARY.format(name)] = (command, of_office, need)
        absent = [name for name, (_, _, need) in tools.items() if need and not shutil.which(need)]
        tools = {name: tool for name, tool in tools.items() if name not in absent}
        verdicts = {name: bad(name, sample, scratch) for name in tools}
        runs = []
        for turn in range(options.repeat + 1):  # the first round fills the page cache
            for name, (command, n, _) in tools.items():
                run = timed(command)
                if (
                    run["status"] not in (0, 1) and name == "tcprewrite --fixcsum"
                ):  # 1: something is bad
                    n = records(scratch / "fixed.pcap")
                if turn:
                    runs.append({"tool": name, "run": turn, "packets": n, **run})
        stages = json.loads(output([STAGES, capture, str(options.repeat)]))
    write(options, packets, size, few, verdicts, runs, absent, stages)


def row(name, runs, median, bad):
    """A program's row of the table."""
    half = {
        key: (max(run[key] for run in runs) - min(run[key] for run in runs)) / 2
        for key in ("wall", "cpu")
    }
    packets = runs[0]["packets"]
    gave_up = runs[0]["status"] not in (0, 1)  # 1: a checksum is bad
    cells = [
        f"{name} (gave up)" if gave_up else name,
        f"{packets:,}",
        "" if bad is None else f"{bad:,}",
        *[f"{median[key]:.2f} ± {half[key]:.2f}" for key in ("wall", "cpu")],
        "" if name.startswith("cat") or gave_up else f"{packets / median['cpu']:,.0f}",
        f"{median['memory']:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def stage_table(stages, packets):
    """What each stage takes: its program less the program before it."""
    whole = stages[-1][1]
    before = [0, *(seconds for _, seconds in stages)]
    rows = [(name, end - start) for (name, end), start in zip(stages, before, strict=False)]
    return [
        "| stage | CPU s | part | ns a packet |",
        "|---|--:|--:|--:|",
        *[
            f"| {name} | {seconds:.3f} | {seconds / whole:.0%} | {seconds / packets * 1e9:.0f} |"
            for name, seconds in [*rows, ("the whole", whole)]
        ],
    ]


def fill(page, block, lines):
    """Puts lines into a generated block of a page."""
    text = "\n".join([f"<!-- {block}:begin -->", *lines, f"<!-- {block}:end -->"])
    old = re.compile(rf"<!-- {block}:begin -->.*<!-- {block}:end -->", re.DOTALL)
    page.write_text(old.sub(lambda _: text, page.read_text()))


def write(options, packets, size, few, verdicts, runs, absent, stages):
    date = datetime.date.today().isoformat()
    folder, family, cpu = output(
        [sys.executable, "-m", "evidence.bench.families"], cwd=ROOT
    ).splitlines()
    commit = output(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).strip()
    versions = [
        output(["tshark", "--version"]).split("\n")[0],
        subprocess.run(["tcpdump", "--version"], capture_output=True, text=True).stdout.split("\n")[
            0
        ],
        subprocess.run(["tcprewrite", "--version"], capture_output=True, text=True).stderr.split(
            "\n"
        )[0]
        if shutil.which("tcprewrite")
        else "",
    ]
    load = f"{os.getloadavg()[0]:.1f}"
    table = [
        "| program | packets | bad TCP, UDP | wall s | CPU s | packets a CPU second | memory MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    medians = {}
    for name in dict.fromkeys(run["tool"] for run in runs):
        mine = [run for run in runs if run["tool"] == name]
        medians[name] = {
            key: statistics.median(run[key] for run in mine) for key in ("wall", "cpu", "memory")
        }
        table.append(row(name, mine, medians[name], verdicts[name]))
    failed = {run["tool"]: run["status"] for run in runs if run["status"] not in (0, 1)}
    if failed.get("wiresum verify") is not None:
        raise RuntimeError(f"wiresum verify: exit status {failed['wiresum verify']}")
    ratio = medians["wiresum verify"]["wall"] / medians["cat"]["wall"]
    rates = {run["tool"]: run["packets"] / medians[run["tool"]]["cpu"] for run in runs}
    ahead = [
        rates[name.format("wiresum verify, on one CPU")] / rates[name.format("rival")]
        for name in ("{}", ORDINARY)
        if name.format("wiresum verify, on one CPU") in rates
    ]
    said = [
        f"{packets:,} packets, {size / 1e6:.0f} MB; {family}: {cpu}, {os.cpu_count()} CPUs, "
        f"load {load}; commit {commit}, {date}.",
        f"Medians of {options.repeat} rounds, ± half the range. "
        f"`wiresum verify` takes {ratio:.1f} times as long as `cat`.",
        *(
            [
                "In a CPU second `wiresum verify` on one CPU judges {:.2f} times the packets of "
                "the rival, and {:.2f} times the packets of an ordinary "
                "capture.".format(*ahead)
            ]
            if ahead
            else []
        ),
        f"The third column is of the first {few:,} packets: outermost TCP and UDP checksums that "
        "the program calls bad; for tcprewrite, those that it leaves bad.",
        *[
            f"{name} gave up, with exit status {status}, after the packets that the table says."
            for name, status in failed.items()
        ],
        *([f"Not installed: {', '.join(absent)}."] if absent else []),
    ]
    RESULTS.mkdir(parents=True, exist_ok=True)
    base = RESULTS / folder
    with base.with_suffix(".csv").open("w", newline="") as out:
        rows = csv.DictWriter(
            out, ["tool", "run", "packets", "status", "wall", "cpu", "memory"], lineterminator="\n"
        )
        rows.writeheader()
        rows.writerows(
            {**run, **{key: f"{run[key]:.3f}" for key in ("wall", "cpu", "memory")}} for run in runs
        )
    breakdown = stage_table(stages, packets)
    report = [*said, *filter(None, versions), "", *table, "", *breakdown, ""]
    base.with_suffix(".txt").write_text("\n".join(report))
    page = HERE / "README.md"
    fill(page, "table", [*table, "", *said])
    fill(page, "stages", breakdown)
    print("\n".join([*said, *table, *breakdown]))


if __name__ == "__main__":
    sys.exit(main())
