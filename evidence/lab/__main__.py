# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reruns the documents, and writes evidence/lab/report.html and the generated parts of the READMEs.

python -m evidence.lab           everything
python -m evidence.lab aix ecos  these documents alone: the report, their READMEs, their pictures
python -m evidence.lab --record  keeps the native timings of this run, which the READMEs show
"""

import argparse
import datetime
import importlib
import json
import os
import platform
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from . import build, mca
from .freescale import tcp
from .machines.list import MODELS
from .report import page, readme
from .report.chart import standalone

HERE = Path(__file__).resolve().parent
REPORT = HERE / "report.html"
README = HERE / "README.md"

# The order of the pages: by year, except that the paper about an FPGA comes after all software.
DOCUMENTS = {  # folder: the name in a tally
    "aix": "IBM, AIX 3.2 (1992–94)",
    "ecos": "Edwards, eCos (2000)",
    "freescale": "Freescale, AltiVec (2003)",
    "altivec": "IBM, AltiVec (2004)",
    "tcoe": "LACCEI, offload engine (2012)",
}


def experiment(key):
    """The module of a document's folder."""
    return importlib.import_module(f"evidence.lab.{key}.experiment")


def recorded(key):
    """The measurement kept in the repository: {"machine", "date", "numbers"}."""
    path = HERE / key / "measured.json"
    return (
        json.loads(path.read_text())
        if path.exists()
        else {"machine": "", "date": "", "numbers": {}}
    )


def run(key, numbers):
    """(seconds, Result) of a document, given measured numbers."""
    module, start = experiment(key), time.monotonic()
    result = module.run(numbers)
    return time.monotonic() - start, result


def picture(key):
    """The text of picture.svg in a document's folder."""
    module = importlib.import_module(f"evidence.lab.{key}.picture")
    return standalone(module.draw(), module.TITLE)


def rerun(key, numbers, drawn):
    """(seconds, Result, picture), in one process, since both use the same traces."""
    return *run(key, numbers), picture(key) if drawn else ""


def this_machine():
    name = platform.machine()
    if Path("/proc/cpuinfo").exists():
        models = [
            line.split(":", 1)[1].strip()
            for line in open("/proc/cpuinfo")
            if line.startswith("model name")
        ]
        name = models[0] if models else name
    return f"{name}, {os.cpu_count()} CPUs, {build.version('x86')}"


def built_with():
    return "; ".join([*(build.version(target) for target in build.COMPILERS), mca.version()])


def records():
    """The records that the report reads: [(file, its figures, its origin)]."""
    machine = tcp.recorded()["machine"]
    date = datetime.datetime.fromtimestamp(machine["unix_time"], datetime.UTC).date()
    return [
        (
            "evidence/bench/results/tcp/intel-emerald-rapids/results.json",
            "the TCP benchmark: the rows marked “measured”, figures 8 to 11 of the Freescale paper,"
            " and the most demanding operations of the FPGA paper",
            f"evidence/bench/tcp, {machine['cpu']}, {date}, lwIP {machine['lwip']}, smoltcp"
            f" {machine['smoltcp']}",
        ),
        (
            "rtl/results.json",
            "the engine of the FPGA paper: its cycles, the sizes tested, its look-up tables",
            "rtl/run.py: simulation and synthesis, whose figures are the same on every machine",
        ),
    ]


def table(key, result):
    """The generated part of a document's README, from its result on the recorded measurement."""
    record = "{machine}, {date}".format(**recorded(key)) if recorded(key)["date"] else ""
    return readme.claims(experiment(key).DOCUMENT, result, record, built_with())


def tally(results):
    """The generated part of evidence/lab/README.md. results: {key: Result}."""
    return readme.tally([(key, DOCUMENTS[key], result.rows) for key, result in results.items()])


def write(path, part):
    path.write_text(readme.replace(path.read_text(), part))


def main():
    parser = argparse.ArgumentParser(
        prog="python -m evidence.lab",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("documents", nargs="*", metavar="DOCUMENT", help=", ".join(DOCUMENTS))
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.documents) - set(DOCUMENTS):
        parser.error(
            f"no document is named {', '.join(sorted(unknown))}; there are {', '.join(DOCUMENTS)}"
        )
    keys = [key for key in DOCUMENTS if not options.documents or key in options.documents]
    start = time.monotonic()

    # The timings come first and run alone: the models would compete with them for the CPUs.
    fresh = {}
    for key in keys:
        module = experiment(key)
        fresh[key] = module.measure() if hasattr(module, "measure") else {}
        if fresh[key] and options.record:
            record = {
                "machine": this_machine(),
                "date": datetime.date.today().isoformat(),
                "numbers": fresh[key],
            }
            (HERE / key / "measured.json").write_text(json.dumps(record, indent=1) + "\n")
    print(f"lab: measured in {time.monotonic() - start:.0f} s", flush=True)

    with ProcessPoolExecutor() as pool:
        now = {key: pool.submit(rerun, key, fresh[key], True) for key in keys}
        # The READMEs show recorded measurements; without any, a document has the same rows.
        kept = {
            key: pool.submit(rerun, key, recorded(key)["numbers"], False)
            if fresh[key] and not options.record
            else now[key]
            for key in keys
        }
        results = []
        for key in keys:
            seconds, result, drawn = now[key].result()
            results.append((DOCUMENTS[key], experiment(key).DOCUMENT, result))
            (HERE / key / "picture.svg").write_text(drawn)
            tallied = page.counts(result.rows).items()
            print(
                f"lab: {key}: {len(result.rows)} rows:"
                f" {', '.join(f'{count} {name}' for name, count in tallied)}; {seconds:.0f} s",
                flush=True,
            )
        kept = {key: kept[key].result()[1] for key in keys}

    date = datetime.date.today().isoformat()
    REPORT.write_text(
        page.page(results, MODELS, records(), f"{this_machine()}, {date}", built_with())
    )
    for key in keys:
        write(HERE / key / "README.md", table(key, kept[key]))
    if keys == [*DOCUMENTS]:
        write(README, tally(kept))
    print(
        f"lab: wrote {REPORT.relative_to(HERE.parent)} in {time.monotonic() - start:.0f} s",
        flush=True,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
