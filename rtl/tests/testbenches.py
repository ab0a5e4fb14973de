# SPDX-License-Identifier: MIT OR Apache-2.0
"""The testbench of every module, on Icarus and Verilator, and the mutants that it must find."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from rtl.environment import Failed, tool
from rtl.sources import BUILD, ENGINE, MODELS, ROOT, RTL, SOURCES, STREAM

TESTS = RTL / "tests"
SIMULATORS = ["icarus", "verilator"]


class Testbench:
    """A folder's testbench, once for each set of parameters of its top module."""

    def __init__(self, top, sources, folder, parameters=(), bounded=SIMULATORS):
        self.top, self.sources, self.folder = top, sources, folder
        self.parameters = dict(parameters)
        self.bounded = bounded  # the simulators of the bounded run


BLOCKS = sorted(STREAM.glob("*.sv"))


def block(folder, name, values, icarus=None, verilator=(), **parameters):
    """A streaming block's testbenches, one for each value of a parameter.

    In the bounded run, Icarus has those of `icarus`, without it all, and Verilator, which compiles
    for long, those of `verilator`.
    """
    return {
        f"{folder}-{value}" + "".join(f"-{other.lower()}" for other in parameters): Testbench(
            f"wiresum_{folder}",
            BLOCKS,
            folder,
            {name: value, **parameters},
            [
                simulator
                for simulator, some in (("icarus", icarus or values), ("verilator", verilator))
                if value in some
            ],
        )
        for value in values
    }


ENGINES = [*BLOCKS, *sorted(ENGINE.glob("*.sv"))]


def engine(part, width=64, verilator=False, **parameters):
    """A testbench of the memory-to-memory engine, or of a part of it, at one width.

    Verilator has it in the bounded run only if `verilator` says so.
    """
    folder = f"engine_{part}" if part else "engine"
    name = f"{folder}-{width}" if width else folder
    parameters = {"DATA_WIDTH": width, **parameters} if width else {}
    bounded = SIMULATORS if verilator else ["icarus"]
    return {name: Testbench(f"wiresum_{folder}", ENGINES, folder, parameters, bounded)}


def with_buffer(benches):
    """The testbenches with a small buffer, of 2048 bits at least, so that many frames fill it."""
    for bench in benches.values():
        bench.parameters["BEATS"] = max(32, 2048 // bench.parameters["DATA_WIDTH"])
    return with_along(benches)


def with_along(benches):
    """The testbenches with tid, tdest and tuser of odd widths; some abort what is too long."""
    for bench in benches.values():
        bench.parameters.update({"ID_WIDTH": 3, "DEST_WIDTH": 2, "USER_WIDTH": 5})
        bench.parameters["ABORT_LONG"] = int(bench.parameters["DATA_WIDTH"] > 64)
    return benches


WIDTHS = (16, 32, 64, 128, 256, 512, 1024)
TESTBENCHES = {
    **{
        part: Testbench(f"tcoe_{part}", SOURCES, part)
        for part in ("bus", "registers", "planner", "requester", "receiver", "adder", "flush")
    },
    "system": Testbench("system", SOURCES + MODELS, "system"),
    **block("sum_stream", "DATA_WIDTH", WIDTHS, verilator=(64, 512)),
    **block("sum_stream", "DATA_WIDTH", (16, 64, 512), SUM_ONLY=1),
    **block("update", "WORDS", (1, 3, 9, 16), verilator=(3,)),
    **with_buffer(block("tx_insert", "DATA_WIDTH", WIDTHS, (64,), (512,))),
    **block("rx_check", "DATA_WIDTH", WIDTHS, (64,), (512,)),
    **with_along(block("rx_pass", "DATA_WIDTH", (32, 64), (64,), BEATS=256)),
    **with_along(block("rx_pass", "DATA_WIDTH", (256, 512), (64,), (512,), BEATS=128)),
    **block("port", "DATA_WIDTH", (64, 512), (64,), (512,), BEATS=64),
    "captures-64": Testbench(
        "wiresum_rx_check", BLOCKS, "captures", {"DATA_WIDTH": 64}, bounded=[]
    ),
    # The buffer holds a frame of 64 KiB and more.
    **{
        f"captures_insert-{width}": Testbench(
            "wiresum_tx_insert",
            BLOCKS,
            "captures_insert",
            {"DATA_WIDTH": width, "BEATS": 2**20 // width},
            bounded=[],
        )
        for width in (64, 512)
    },
    **engine("", 64, verilator=True),
    **engine("", 128, BURST_BYTES=4096),
    **engine("", 256, ADDR_WIDTH=48),
    **engine("", 512),
    **engine("copier", 64, BURST_BYTES=64, PLACES=16),
    **engine("copier", 512, BURST_BYTES=512, PLACES=32),
    **engine("fetch", 64),
    **engine("fetch", 256),
    **engine("fetch", 1024),
    **engine("interrupt", 0),
    **engine("reader", 64),
    **engine("reader", 512, BURST_BYTES=128),
    **engine("receiver", 64),
    **engine("receiver", 512),
    **engine("registers", 0),
    **engine("writer", 64),
    **engine("writer", 512),
}

# Mutants that no proof finds: testbench, the test that must fail, source, what, old text, new text.
MUTANTS = [
    (  # The proof takes the base address from the module.
        "bus",
        "single_transfers",
        "tcoe_bus.sv",
        "another base address",
        "BASE = 32'hC0000000",
        "BASE = 32'hC0000020",
    ),
    (  # The solver takes minutes to find the sum that carries.
        "engine_receiver-64",
        "random_jobs",
        "wiresum_engine_receiver.sv",
        "the end-around carry lost",
        "!known_first && carry",
        "1'b0",
    ),
    (  # The proof would need more cycles from a reset.
        "engine_fetch-64",
        "random_doorbells",
        "wiresum_engine_fetch.sv",
        "the ring's end forgotten",
        "next & ~(16'hFFFF << size)",
        "next",
    ),
    (  # The proof has 64 bits.
        "engine_fetch-1024",
        "small_rings",
        "wiresum_engine_fetch.sv",
        "a ring of fewer descriptors than a beat has",
        "lane & ~({LaneBits{1'b1}} << size)",
        "lane",
    ),
    # The parts' proofs do not see how the engine puts them together.
    (
        "engine-64",
        "random_jobs",
        "wiresum_engine.sv",
        "the seed's bytes exchanged",
        "seed[7:0], seed[15:8]}",
        "seed}",
    ),
    (
        "engine-64",
        "resets",
        "wiresum_engine.sv",
        "a reset that does not wait for the bus",
        "clear = stop && quiet",
        "clear = stop",
    ),
    (
        "engine-64",
        "a_reset_waits_for_memory",
        "wiresum_engine.sv",
        "a reset that waits for reads alone",
        "quiet = reader_idle && writer_idle",
        "quiet = reader_idle",
    ),
    (
        "engine-64",
        "a_reset_waits_for_memory",
        "wiresum_engine.sv",
        "a reset that waits for writes alone",
        "quiet = reader_idle && writer_idle",
        "quiet = writer_idle",
    ),
    (
        "engine-64",
        "an_error_is_an_event",
        "wiresum_engine.sv",
        "an error that is set for as long as it stands",
        "{fetch_error, completion_error, tail_error} & ~errors_before",
        "{fetch_error, completion_error, tail_error}",
    ),
    (
        "engine-64",
        "an_error_is_an_event",
        "wiresum_engine.sv",
        "an error's interrupt that cannot be switched off",
        "irq_error && irq_error_enable",
        "irq_error",
    ),
    (
        "engine-256",
        "addresses_past_the_last_one",
        "wiresum_engine.sv",
        "the upper bits of the completions' ring dropped",
        "(ring | completions) >> ADDR_WIDTH",
        "ring >> ADDR_WIDTH",
    ),
    (
        "engine-256",
        "addresses_past_the_last_one",
        "wiresum_engine_fetch.sv",
        "the upper bits of addresses dropped",
        "{outside, 15'd0}",
        "16'd0",
    ),
    # These need more beats from a reset than a bounded proof reaches.
    (
        "sum_stream-512",
        "long_frames",
        "wiresum_sum_stream.sv",
        "the carry out of 32 bits lost",
        "carry        <= total_carry",
        "carry        <= 1'b0",
    ),
    (
        "sum_stream-64",
        "results_wait",
        "wiresum_sum_stream.sv",
        "a full memory taken for an empty one",
        "sum_at != read_at &&",
        "sum_at[3:0] != read_at[3:0] &&",
    ),
    (
        "sum_stream-64",
        "results_wait",
        "wiresum_sum_stream.sv",
        "always ready",
        "s_axis_tready <= SUM_ONLY || !waiting_next[4]",
        "s_axis_tready <= 1'b1",
    ),
    (
        # The proof has the block with all that it can do.
        "sum_stream-64-sum_only",
        "resets",
        "wiresum_sum_stream.sv",
        "the sum only: a result of before the reset",
        "pulse <= closed && !rst",
        "pulse <= closed",
    ),
    (
        "sum_stream-64-sum_only",
        "results_wait",
        "wiresum_sum_stream.sv",
        "the sum only: a result stands until it is taken",
        "!SUM_ONLY && m_result_valid && !m_result_ready",
        "m_result_valid && !m_result_ready",
    ),
    # A proof from reset reaches too few frames.
    (
        "tx_insert-64",
        "nothing_is_lost",
        "wiresum_tx_insert.sv",
        "beats into a full buffer",
        "job_valid && room && place",
        "job_valid && place",
    ),
    (
        "tx_insert-64",
        "resets",
        "wiresum_tx_insert.sv",
        "a command of before the reset",
        "placed_valid <= came_valid && !rst",
        "placed_valid <= came_valid",
    ),
    (
        "tx_insert-64",
        "long_frames",
        "wiresum_frame_buffer.sv",
        "the note of a long frame stays",
        "dropping || end_goes",
        "end_goes",
    ),
    # These have no proof.
    (
        "rx_check-64",
        "no_verdict",
        "wiresum_header_unit.sv",
        "a fragment is judged",
        "{n2[5:0], n3} != 14'd0",
        "1'b0",
    ),
    (
        "rx_check-64",
        "vectors",
        "wiresum_header_unit.sv",
        "hop-by-hop options anywhere",
        "!s.four && (p0.routing ||",
        "!s.four && (b0 == HopByHop || p0.routing ||",
    ),
    (
        "rx_check-64",
        "short_tcp",
        "wiresum_header_unit.sv",
        "TCP's data offset below 5 is judged",
        "g.malformed = low_offset",
        "g.malformed = 1'b0",
    ),
    (
        "rx_check-64",
        "short_tcp",
        "wiresum_rx_check.sv",
        "TCP of 4 to 19 bytes is judged",
        "? 18'd20 : 18'd4",
        "? 18'd4 : 18'd4",
    ),
    (
        "rx_check-64",
        "udp_0000",
        "wiresum_rx_check.sv",
        "UDP 0000 over IPv6",
        "{1'b1, info_headers_3.ipv4}",
        "2'd3",
    ),
    (
        "rx_check-64",
        "other_addresses",
        "wiresum_rx_check.sv",
        "a source route not seen",
        "!none && info_headers_3.routed",
        "1'b0",
    ),
    (
        "rx_check-64",
        "no_verdict",
        "wiresum_rx_check.sv",
        "a truncated packet is judged",
        "packet_whole_2 <= status_1[2] ||",
        "packet_whole_2 <= 1'b1 ||",
    ),
    (
        "rx_check-64",
        "scapy_agrees",
        "wiresum_rx_check.sv",
        "no pseudo-header",
        "now_headers.protocol == Icmp ? '0 :",
        "1'b1 ? '0 :",
    ),
    (
        "rx_check-64",
        "deep_headers",
        "wiresum_headers.sv",
        "deep headers taken for truncated ones",
        "if (all) m_found[1]",
        "if (1'b0) m_found[1]",
    ),
    (
        "rx_check-64",
        "resets",
        "wiresum_headers.sv",
        "headers of before the reset",
        "told  <= told || ended;\n      end\n      if (rst || ",
        "told  <= told || ended;\n      end\n      if (",
    ),
    (
        "rx_check-64",
        "results_wait",
        "wiresum_rx_check.sv",
        "always ready",
        "room && place && headers_place",
        "room",
    ),
    (
        "rx_check-64",
        "no_dead_cycle",
        "wiresum_rx_check.sv",
        "a dead cycle",
        "next_taken  = !now_valid || now_taken",
        "next_taken  = !now_valid",
    ),
    (
        "rx_check-64",
        "random_frames",
        "wiresum_rx_check.sv",
        "the places of the next frame",
        "info_read <= infos[sum_at]",
        "info_read <= infos[sum_at+1'b1]",
    ),
    (
        "rx_check-128",
        "vectors",
        "wiresum_headers.sv",
        "wide headers: bytes that come a cycle late",
        "Bits'(Wait - 2)",
        "Bits'(Wait - 1)",
    ),
    # The proof has a check and a buffer that do anything.
    (
        "rx_pass-64-beats",
        "random_frames",
        "wiresum_rx_pass.sv",
        "two members of a result exchanged",
        "m_result_ipv4    (result[1:0]),\n      .m_result_verdict (result[3:2])",
        "m_result_verdict (result[1:0]),\n      .m_result_ipv4    (result[3:2])",
    ),
    (
        "port-64-beats",
        "a_mac_that_sends_back",
        "wiresum_port.sv",
        "the IPv4 header's checksum at another place",
        "s_command_b_offset(16'd10)",
        "s_command_b_offset(16'd12)",
    ),
]


def testbench(simulator, name, replaced=None, test=None):
    """Runs a testbench, or one test of it, and prints the number of its tests.

    `replaced` is a folder whose files take the place of the sources of the same name.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    bench = TESTBENCHES[name]
    sources, folder = bench.sources, bench.folder
    place = BUILD / "sim" / simulator / name
    if replaced:
        place = Path(replaced) / "build"
        sources = [
            Path(replaced) / source.name if (Path(replaced) / source.name).exists() else source
            for source in sources
        ]
    if folder.startswith("captures") and "WIRESUM_BINARY" not in os.environ:
        tool("cargo", "build", "--quiet", "--package", "wiresum-cli")
        os.environ["WIRESUM_BINARY"] = str(ROOT / "target/debug/wiresum")
    runner = get_runner(simulator)
    arguments = {
        "icarus": ["-g2012"],
        # The package cannot compile the parts of a split output. Blocks run shorter than they
        # compile.
        "verilator": [
            *("--x-initial", "unique", "-Wno-fatal", "-O3", "--output-split", "0"),
            *("-CFLAGS", "-O0" if sources is BLOCKS else "-O1"),
        ],
    }[simulator]
    if simulator == "icarus":
        sources = [s for s in sources if s.name == "tcoe_pkg.sv"] + [
            s for s in sources if s.name != "tcoe_pkg.sv"
        ]
    runner.build(
        sources=sources,
        hdl_toplevel=bench.top,
        parameters=bench.parameters,
        build_dir=place,
        always=True,
        timescale=("1ns", "1ps"),
        build_args=arguments,
    )
    results = runner.test(
        hdl_toplevel=bench.top,
        test_module=f"test_{folder}",
        test_dir=TESTS / folder,
        build_dir=place,
        results_xml=place / "results.xml",
        test_filter=f"{test}$" if test else None,
        extra_env={
            "PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS / folder}",
            "WIRESUM_PARAMETERS": json.dumps(bench.parameters),
        },
    )
    ran, failed = get_results(results)
    if failed or not ran:
        raise SystemExit(f"{failed} of {ran} tests failed")
    print(f"RAN {ran}")


def testbenches(bounded, names=TESTBENCHES):
    """Runs testbenches, two at a time, each in a process of its own. Returns their number."""
    chosen = os.environ.get("WIRESUM_SIM", "")  # the beginning of a name, for work on one module
    names = [name for name in names if name.startswith(chosen)]
    waiting = [
        (simulator, name)
        for name in reversed(names)
        for simulator in SIMULATORS
        if not bounded or simulator in TESTBENCHES[name].bounded
    ]
    running, rows = [], {}
    while waiting or running:
        while waiting and len(running) < 2:
            simulator, name = waiting.pop(0)
            log = BUILD / "sim" / f"{simulator}-{name}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            process = subprocess.Popen(
                [sys.executable, __file__, simulator, name],
                stdout=open(log, "w"),
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
            running.append((process, simulator, name, log, time.monotonic()))
        for entry in list(running):
            process, simulator, name, log, begin = entry
            if process.poll() is not None:
                running.remove(entry)
                text = log.read_text()
                ran = [line for line in text.splitlines() if line.startswith("RAN ")]
                if process.returncode or not ran:
                    for other in running:
                        other[0].kill()
                    raise Failed(f"{text[-6000:]}\nsim: {name} on {simulator} failed; see {log}")
                rows[name, simulator] = f"{ran[0][4:]} tests in {time.monotonic() - begin:.0f} s"
        time.sleep(0.1)
    for name in names:
        print(
            f"sim: {name:19}"
            + "".join(f"  {s}: {rows[name, s]}" for s in SIMULATORS if (name, s) in rows),
            flush=True,
        )
    return len(rows)


def run_mutants(some=MUTANTS):
    """Each of these mutants must fail its test. All of the list must find their text."""
    chosen = os.environ.get("WIRESUM_SIM", "")
    for number, mutant in enumerate(MUTANTS):
        name, test, source, what, old, new = mutant
        text = next(path.read_text() for path in TESTBENCHES[name].sources if path.name == source)
        if old not in text:
            raise Failed(f'sim: the mutant "{what}" finds no text to change in {source}: {old}')
        if mutant not in some or not name.startswith(chosen):
            continue
        place = BUILD / "sim" / "mutants" / str(number)
        place.mkdir(parents=True, exist_ok=True)
        (place / source).write_text(text.replace(old, new))
        done = subprocess.run(
            [sys.executable, __file__, "icarus", name, place, test],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        if not re.search(r"^1 of 1 tests failed$", done.stderr, re.M):
            raise Failed(f"{done.stdout}{done.stderr}\nsim: {name}: {test} passes a mutant: {what}")
        print(f"sim: {name:19}  {test} finds the mutant: {what}", flush=True)


if __name__ == "__main__":
    testbench(*sys.argv[1:])
