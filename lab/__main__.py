# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reruns the documents, and writes lab/report.html and the table of lab/README.md.

python -m lab              everything
python -m lab aix ecos     these documents only; the report holds them alone, the README stays as it is
python -m lab --record     also keeps the native timings of this run, for the README's measured rows
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
from .machines.list import MODELS
from .report import page, readme

HERE = Path(__file__).resolve().parent
REPORT = HERE / "report.html"
README = HERE / "README.md"

# In the order of the report: the order of the documents' years, but for the FPGA paper, whose form is not software.
DOCUMENTS = ["aix", "ecos", "freescale", "altivec", "tcoe"]


def experiment(key):
    """The module of a document's folder."""
    return importlib.import_module(f"lab.{key}.experiment")


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


def table(results):
    """The generated part of the README, from results of recorded measurements."""
    documents = [(experiment(key).DOCUMENT, result) for key, result in results]
    records = {
        key: "{machine}, {date}".format(**recorded(key)) if recorded(key)["date"] else ""
        for key, _ in results
    }
    return readme.generated(documents, records, built_with())


def main():
    parser = argparse.ArgumentParser(
        prog="python -m lab",
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

    # Timings first and alone: the models would fight them for the CPUs.
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
        now = {key: pool.submit(run, key, fresh[key]) for key in keys}
        # The README shows recorded measurements; a document without any has the same rows either way.
        kept = {
            key: pool.submit(run, key, recorded(key)["numbers"])
            if fresh[key] and not options.record
            else now[key]
            for key in keys
        }
        results = []
        for key in keys:
            seconds, result = now[key].result()
            results.append((key, result))
            tally = ", ".join(f"{count} {name}" for name, count in page.counts(result.rows).items())
            print(f"lab: {key}: {len(result.rows)} rows: {tally}; {seconds:.0f} s", flush=True)
        kept = [(key, kept[key].result()[1]) for key in keys]

    documents = [(experiment(key).DOCUMENT, result) for key, result in results]
    REPORT.write_text(
        page.page(
            documents,
            MODELS,
            f"{this_machine()}, {datetime.date.today().isoformat()}",
            built_with(),
        )
    )
    if keys == DOCUMENTS:
        README.write_text(readme.replace(README.read_text(), table(kept)))
    print(
        f"lab: wrote {REPORT.relative_to(HERE.parent)} in {time.monotonic() - start:.0f} s",
        flush=True,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
