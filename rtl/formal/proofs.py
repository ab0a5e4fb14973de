# SPDX-License-Identifier: MIT OR Apache-2.0
"""The proofs that prove.py runs, one a module, and the mutants that must break each."""

from dataclasses import dataclass, field

COVERS = "cover"  # a mutant that breaks these makes one of the cover statements unreachable
RELIES = "relies"  # and one that breaks these breaks what a part assumes of another


@dataclass
class Mutant:
    breaks: str  # the property, by its name in the file; or COVERS, or RELIES
    what: str
    old: str
    new: str
    depth: int = 12
    file: str = ""  # in the proof of the whole: the part that is changed; else the proof's own


@dataclass
class Proof:
    name: str
    about: str
    mutants: list
    engines: tuple = ("smtbmc z3",)
    depth: int = 3
    bound: int = 0  # cycles from reset, where the proof is of so many only
    cover: int = 0  # cycles from reset within which each cover is reached
    smaller: dict = field(default_factory=dict)  # text of the copies for mutants and covers
    parameters: dict = field(default_factory=dict)  # of a streaming block
    uses: tuple = ()  # the blocks in it
    free: tuple = ()  # the blocks of which the proof knows only what the property file assumes


PROOFS = [
    Proof(
        "lemmas",
        "two folds end; +0 only for an exact 0; word by word, the folded exact sum is the one's "
        "complement sum; order and byte order do not matter; an incremental update gives the sum "
        "of the changed data, and -0 only where the changed data are zero and the old ones are not",
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
            Mutant(
                "update",
                "the equation of RFC 1141",
                "updated = add(subtract(add(folded[15:0], a), a), b)",
                "updated = ~add(add(~add(folded[15:0], a), a), ~b)",
            ),
            Mutant(
                "update",
                "-0 subtracted from the sum of zeros",
                "part == 0 ? whole : add(whole, ~part)",
                "add(whole, ~part)",
            ),
        ],
        ("smtbmc z3", "smtbmc cvc5"),
        1,
    ),
    Proof(
        "adder",
        "the total is the exact sum of the words taken; 32 bits hold it; two folds of it are the "
        "result",
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
            Mutant(COVERS, "no beat is ever latched", "take && enable[k]", "1'b0 && enable[k]"),
        ],
        cover=10,
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
        cover=4,
    ),
    Proof(
        "requester",
        "bursts join without a gap, aligned, from the first byte to past the last, none needless; "
        "each "
        "is asked for at once; a request stays unchanged until it is acknowledged",
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
            Mutant(
                "asks",
                "never asks",
                "assign npi_addrreq = active && !hold",
                "assign npi_addrreq = 1'b0",
            ),
            Mutant(
                "asks",
                "asks once a job",
                "assign npi_addrreq = active && !hold",
                "assign npi_addrreq = active && !hold && left == pages",
            ),
            Mutant(
                "tail",
                "always a whole page at the end",
                "left == 1 ? last_kind : Longest",
                "Longest",
                16,
            ),
            Mutant(COVERS, "a start is not seen", "else if (start) active <= 1'b1;", ""),
        ],
        cover=14,
    ),
    Proof(
        "receiver",
        "each wanted byte is let through exactly once, no other at all; a beat is popped as soon "
        "as "
        "the port has it; done comes four cycles after the last one, which is added and folded "
        "twice; "
        "the byte order is the address's",
        [
            Mutant(
                "once",
                "bytes before the first let through",
                "assign from_head = 8'hFF << head[2:0]",
                "assign from_head = 8'hFF",
            ),
            Mutant(
                "once",
                "bytes after the last let through",
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
            Mutant(
                "parity", "odd addresses forgotten", "assign odd = head[0]", "assign odd = 1'b0"
            ),
            Mutant(
                "prompt",
                "never pops a beat",
                "assign npi_rdfifo_pop = taking && !hold && !npi_rdfifo_empty",
                "assign npi_rdfifo_pop = 1'b0",
            ),
            Mutant("response", "never folds", "Add:   state <= Fold1;", "Add:   state <= Add;"),
            Mutant("response", "never done", "Fold2: state <= Done", "Fold2: state <= Idle"),
            Mutant("response", "an abort is no error", "error <= 1'b1;", "error <= 1'b0;"),
            Mutant(
                "response",
                "fetches although it is too long",
                "empty_job || bad_job ? Done : Take",
                "empty_job ? Done : Take",
            ),
            Mutant(
                COVERS,
                "a start is not seen",
                "if (start) begin\n            error",
                "if (1'b0) begin\n            error",
            ),
        ],
        depth=6,
        cover=20,
    ),
    Proof(
        "flush",
        "after a tail, an abort or a reset, flush and silence for as long as the guards say, and "
        "no "
        "longer; never while beats are wanted and no guard runs",
        [
            Mutant("guarded", "no guard after a tail", "guard <= !exact_job", "guard <= 1'b0", 30),
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
            Mutant("response", "the guard never ends", "else if (zero) guard <= 1'b0;", "", 30),
            Mutant(
                COVERS,
                "never gives up",
                "assign abort = taking && !guard && zero",
                "assign abort = 1'b0",
            ),
        ],
        cover=40,
        smaller={"GUARD_BITS = 12": "GUARD_BITS = 4", "TAIL_GUARD = 127": "TAIL_GUARD = 5"},
    ),
    Proof(
        "registers",
        "a register reads as what was written; a rising edge starts a job at once, and nothing "
        "else "
        "does; ready if and only if a job has ended since the last start",
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
            Mutant(
                "kept",
                "any write changes BYTES",
                "write && index == tcoe_pkg::RegBytes",
                "write",
            ),
            Mutant(
                "response",
                "a start never happens",
                "assign start = go && !went && !busy",
                "assign start = 1'b0",
            ),
            Mutant("response", "a start only when ready", "!went && !busy", "!went && ready"),
            Mutant("begins", "busy is not set", "busy  <= 1'b1;", "busy  <= 1'b0;"),
            Mutant(
                "data",
                "the upper half of ADDRESS is lost",
                "address <= wdata",
                "address <= {16'd0, wdata[15:0]}",
            ),
            Mutant(
                "data",
                "too many bytes are not noticed",
                "too_long <= wdata[31:16] != 16'd0",
                "too_long <= 1'b0",
            ),
            Mutant("data", "the checksum is not complemented", "{sum, ~sum}", "{sum, sum}"),
            Mutant("ready", "the error is forgotten", "error <= failed", "error <= 1'b0"),
            Mutant(
                COVERS,
                "a start never happens",
                "assign start = go && !went && !busy",
                "assign start = 1'b0",
            ),
        ],
        cover=12,
    ),
    Proof(
        "bus",
        "one answer a request, within three cycles, none to others' requests; a read brings its "
        "register's value; the read bus is zero without data; only whole words reach registers",
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
            Mutant(
                "response",
                "never answers",
                "assign hit = plb_pavalid &&",
                "assign hit = 1'b0 && plb_pavalid &&",
            ),
            Mutant(
                "response",
                "acknowledges no read",
                "sl_addrack <= hit &&",
                "sl_addrack <= hit && !plb_rnw &&",
            ),
            Mutant("data", "brings the complement", "sl_rddbus <= rdata", "sl_rddbus <= ~rdata"),
            Mutant(
                "data",
                "reads the next register",
                "index <= plb_abus[4:2]",
                "index <= plb_abus[4:2] + 3'd1",
            ),
            Mutant(
                COVERS,
                "never answers",
                "assign hit = plb_pavalid &&",
                "assign hit = 1'b0 && plb_pavalid &&",
            ),
        ],
        cover=12,
    ),
    Proof(
        "tcoe",
        "all that the parts assume of each other; software reads what it wrote; after a job "
        "without "
        "error, CHECKSUM is the folded sum of exactly the bytes at ADDRESS to ADDRESS + BYTES - 1; "
        "a job ends within 8200 cycles without progress of the port; beats of an earlier job never "
        "count",
        [
            Mutant(
                "parity",
                "odd addresses forgotten",
                "odd ? {sum[7:0], sum[15:8]} : sum",
                "sum",
                18,
            ),
            Mutant(
                "idle",
                "fetches although it is too long",
                "start && !none && !too_long",
                "start && !none",
                16,
            ),
            Mutant(
                "result", "an empty job keeps the last sum", ".clear(start)", ".clear(fetch)", 26
            ),
            Mutant(
                "patient", "deliveries are no progress", "npi_addrack || take", "npi_addrack", 20
            ),
            Mutant(
                "dropped",
                "the guard of a tail too short",
                "count <= TAIL_GUARD",
                "count <= 0",
                18,
                "flush",
            ),
            Mutant("mask", "one byte too many", "- 17'd1;", ";", 18, "planner"),
            Mutant(
                "complete",
                "a word too early",
                "place == tail[7:3]",
                "place + 5'd1 >= tail[7:3]",
                20,
                "receiver",
            ),
            Mutant(
                "consecutive", "the page skipped", "page + 1'b1", "page + 2'd2", 18, "requester"
            ),
            Mutant(
                "data",
                "brings the complement",
                "sl_rddbus <= rdata",
                "sl_rddbus <= ~rdata",
                10,
                "bus",
            ),
            Mutant(
                "registers",
                "any write changes BYTES",
                "write && index == tcoe_pkg::RegBytes",
                "write",
                10,
                "registers",
            ),
            Mutant(
                "busy",
                "the end of a job is missed",
                "done) begin",
                "done && failed) begin",
                18,
                "registers",
            ),
            Mutant(
                "ends",
                "never gives up",
                "assign abort = taking && !guard && zero",
                "assign abort = 1'b0",
                40,
                "flush",
            ),
            Mutant(
                RELIES, "starts while busy", "go && !went && !busy", "go && !went", 18, "registers"
            ),
            Mutant(
                RELIES,
                "an abort is not told to the requester",
                "rst || abort) active",
                "rst) active",
                22,
                "requester",
            ),
            Mutant(
                COVERS,
                "never asks",
                "assign npi_addrreq = active && !hold",
                "assign npi_addrreq = 1'b0",
                file="requester",
            ),
        ],
        depth=6,
        cover=18,
        smaller={
            "GUARD_BITS = 12": "GUARD_BITS = 2",
            "TAIL_GUARD = 127": "TAIL_GUARD = 2",
            "[11:0] \\i_flush.count": "[1:0] \\i_flush.count",
            "[12:0] \\i_flush.quiet": "[2:0] \\i_flush.quiet",
            "[12:0] \\i_flush.silent": "[2:0] \\i_flush.silent",
            "Full = 13'd4095, Tail = 13'd127": "Full = 13'd3, Tail = 13'd2",
        },
    ),
    Proof(
        "engine_registers",
        "the rules of AXI4-Lite, one answer an access; TAIL has what software wrote, and rings "
        "once a write; no event of the engine is lost; less than a word has an error",
        [
            Mutant(
                "answers",
                "an answer before the data",
                "fire = have_address && have_data &&",
                "fire = have_address &&",
                8,
            ),
            Mutant(
                "stable",
                "an answer over one that waits",
                "have_data && (!s_axil_bvalid || s_axil_bready)",
                "have_data",
                8,
            ),
            Mutant("doorbell", "a byte rings", "write = fire && whole", "write = fire", 8),
            Mutant(
                "event",
                "a clear takes an event with it",
                "if (interrupt_completion_set) interrupt_completion <= 1'b1",
                "if (interrupt_completion_set && !write) interrupt_completion <= 1'b1",
                8,
            ),
            Mutant(
                "begun", "a write of 0 takes a reset back", "ctrl_reset | data[1]", "data[1]", 10
            ),
            Mutant("refused", "a byte is welcome", "right ? 2'b00 : 2'b10", "2'b00", 8),
            Mutant(
                "read",
                "brings the complement",
                "s_axil_rdata <= read_data",
                "s_axil_rdata <= ~read_data",
                8,
            ),
            Mutant(
                COVERS,
                "no write is done",
                "fire = have_address &&",
                "fire = 1'b0 && have_address &&",
            ),
        ],
        cover=12,
    ),
    Proof(
        "engine_fetch",
        "the ring never holds more than it has places for; each descriptor that belongs to the "
        "engine, and no other, is asked for once, in order, at its place; none that had an error "
        "is handed on; one with an address past the last one is invalid; with a ring of four",
        [
            Mutant(
                "ring",
                "a ring one place too full",
                "{1'b0, ahead} > 17'd1 << size",
                "{1'b0, ahead} > (17'd1 << size) + 17'd1",
                6,
            ),
            Mutant("refused", "a tail that moves back", "|| ahead <", "|| 1'b0 && ahead <", 8),
            Mutant("refused", "misplaced rings", "if (misplaced || ", "if (", 6),
            Mutant(
                "outside",
                "the upper bits of an address dropped",
                "outside = gathered[63:ADDR_WIDTH] != 0 || ",
                "outside = ",
                14,
            ),
            Mutant(
                "outside",
                "the upper bits of a copy's address dropped",
                "gathered[127:64+ADDR_WIDTH] != 0 || ",
                "",
                14,
            ),
            Mutant("outside", "a piece that wraps", "source_end > Limit", "1'b0", 14),
            Mutant("outside", "a copy that wraps", "target_end > Limit", "1'b0", 14),
            Mutant("within", "a descriptor past the tail", "room && next != tail", "room", 6),
            Mutant(
                "address",
                "places of 64 bytes",
                "{ADDR_WIDTH - 21{1'b0}}, masked, 5'd0",
                "{ADDR_WIDTH - 22{1'b0}}, masked, 6'd0",
                8,
            ),
            Mutant(
                "stable",
                "a request that is not taken is passed by",
                "      && (!m_fetch_valid || m_fetch_ready);",
                ";",
                8,
            ),
            Mutant(
                "silent",
                "fetches after an error",
                "enable && !halted && !overrun",
                "enable && !overrun",
                16,
            ),
            Mutant(
                "contents",
                "beats in the other order",
                "{s_beat_data, gathered[255:DATA_WIDTH]}",
                "{gathered[255-DATA_WIDTH:0], s_beat_data}",
                14,
            ),
            Mutant(
                "order", "every second descriptor", "next <= next + 1'b1", "next <= next + 2'd2", 6
            ),
            Mutant(COVERS, "no descriptor is whole", "s_beat_valid && last_beat", "1'b0"),
        ],
        cover=16,
        parameters={"DATA_WIDTH": 64, "ADDR_WIDTH": 32},
        uses=("queue",),
    ),
    Proof(
        "engine_reader",
        "the bursts of a piece join without a gap from its first beat to its last, none crosses a "
        "block or 4 KiB; a request stays until it is taken; each has a ticket; a piece is swapped "
        "by the parity of its address and of the job's bytes before it; no more beats are asked "
        "for than the copier has places, and it is told each piece and each job's end",
        [
            Mutant(
                "joined",
                "the first block's place kept",
                "      place <= 0;",
                "",
                8,
            ),
            Mutant(
                "joined",
                "the last burst as long as the others",
                "left == 0 ? last_place : {PlaceBits{1'b1}}",
                "{PlaceBits{1'b1}}",
                8,
            ),
            Mutant(
                "boundary",
                "a burst over the end of its block",
                "{PlaceBits{1'b1}}) - place;",
                "{PlaceBits{1'b1}});",
                8,
            ),
            Mutant(
                "whole",
                "one burst too few is the last",
                "m_ticket_last = left == 0",
                "m_ticket_last = left <= 1",
                8,
            ),
            Mutant(
                "parity",
                "odd parity lost between pieces",
                "s_descriptor_source[0] ^ (joined ? odd : s_descriptor_flags[1])",
                "s_descriptor_source[0] ^ s_descriptor_flags[1]",
                8,
            ),
            Mutant(
                "parity",
                "the length's parity forgotten",
                "^ (s_descriptor_length[0] && !invalid)",
                "",
                8,
            ),
            Mutant(
                "stable",
                "a request withdrawn",
                "m_ticket_valid || m_axi_arvalid && !m_axi_arready",
                "m_ticket_valid",
                8,
            ),
            Mutant(
                "stopped",
                "a request in a stop",
                "open = !stop && m_ticket_ready",
                "open = m_ticket_ready",
                8,
            ),
            Mutant(
                "asks",
                "asks once a piece",
                "      if (left == 0) active <= 1'b0;",
                "      active <= 1'b0;",
                8,
            ),
            Mutant(
                "ticketed",
                "a descriptor's burst without a ticket",
                "m_axi_arvalid <= m_ticket_valid ||",
                "m_axi_arvalid <= m_ticket_valid || s_fetch_valid ||",
                8,
            ),
            Mutant(
                "places",
                "a job without a place for its result",
                "&& reserve_ready && m_copy_ready",
                "&& m_copy_ready",
                8,
            ),
            Mutant(
                "room",
                "beats without a place in the copier",
                "roomy = !active_copy || places[CountBits-1:PlaceBits] != 0",
                "roomy = 1'b1",
                10,
            ),
            Mutant(
                "copied",
                "the copier is not told a job's end",
                "m_copy_valid = take && (copy || copied && !s_descriptor_flags[0])",
                "m_copy_valid = take && copy",
                8,
            ),
            Mutant(
                "copied",
                "a job's copy forgotten after a piece without one",
                "copied = copy || joined && job_copied",
                "copied = copy",
                8,
            ),
            Mutant(COVERS, "no piece is taken", "active <= !empty", "active <= 1'b0"),
        ],
        cover=14,
        parameters={"DATA_WIDTH": 64, "ADDR_WIDTH": 32, "BURST_BYTES": 64, "COPY_BEATS": 16},
    ),
    Proof(
        "engine_receiver",
        "exactly the wanted bytes of a piece are added; a job's sum is the one's complement sum of "
        "its seed and its pieces' sums, each swapped as it has to be; errors stay with their job; "
        "idle only while memory owes nothing",
        [
            Mutant(
                "wanted",
                "a stuck tkeep",
                "(started ? {Bytes{1'b1}} : {Bytes{1'b1}} << begins)",
                "{Bytes{1'b1}}",
                10,
            ),
            Mutant("wanted", "bytes after the last", "<< ends << 1)", "<< ends << 2)", 10),
            Mutant(
                "ends",
                "a piece ends with its first burst",
                "at_end = ticket_last && m_axi_rlast",
                "at_end = m_axi_rlast",
                10,
            ),
            Mutant(
                "told",
                "a status of the piece before",
                "(started ? errors : 2'b00)",
                "errors",
                12,
            ),
            Mutant("told", "DECERR for SLVERR", "m_axi_rresp == 2'b11,", "m_axi_rresp[1],", 10),
            Mutant(
                "taken",
                "a beat without its piece",
                "(ticket_fetch || piece_valid && !empty)",
                "1'b1",
                8,
            ),
            Mutant("copied", "descriptors are copied", "beat && copy;", "m_axi_rvalid && copy;", 8),
            Mutant(
                "joined",
                "swapped halves",
                "known_swap ? {piece_sum[7:0], piece_sum[15:8]} : piece_sum",
                "piece_sum",
                10,
            ),
            Mutant(
                "joined",
                "a sum of the job before",
                "known_first ? known_note[15:0] : total",
                "total",
                8,
            ),
            Mutant(
                "result",
                "a missing result",
                "done <= sum_valid && known_last",
                "done <= sum_valid && known_last && !known_swap",
                10,
            ),
            Mutant(
                "owed",
                "idle with a burst under way",
                "owed == 0 && !s_ticket_valid",
                "owed == 0",
                6,
            ),
            Mutant(COVERS, "no job ends", "done <= sum_valid && known_last", "done <= 1'b0"),
        ],
        cover=14,
        parameters={"DATA_WIDTH": 64},
        uses=("queue",),
        free=("sum_stream",),
    ),
    Proof(
        "engine_copier",
        "the bursts of a copy join without a gap from its first byte to its last, none crosses 4 "
        "KiB; exactly its bytes have a strobe, and each comes from the lane of the beat that has "
        "it; a burst is offered when all its beats wait, and stays until it is taken; with 32 "
        "bits, and pieces of fewer than 512 bytes",
        [
            Mutant("joined", "the first block's place kept", "      place <= 0;", "", 9),
            Mutant(
                "boundary",
                "a burst over the end of its block",
                "{PlaceBits{1'b1}}) - place;",
                "{PlaceBits{1'b1}});",
                12,
            ),
            Mutant("told", "each burst ends its job", "is_last && closing", "is_last", 9),
            Mutant(
                "wanted",
                "bytes before the first",
                "strobes <= {Bytes{1'b1}} << burst_lane",
                "strobes <= {Bytes{1'b1}}",
                10,
            ),
            Mutant(
                "wanted",
                "bytes after the last one",
                "<< burst_last_lane << 1",
                "<< burst_last_lane << 2",
                10,
            ),
            Mutant("source", "the beat before lost", "old_lanes[k] ? previous[8*k+:8] : ", "", 10),
            Mutant(
                "source",
                "a beat too early",
                "late <= target[LANE_BITS-1:0] < begins",
                "late <= 1'b0",
                10,
            ),
            Mutant(
                "turned",
                "turned the other way",
                "turned(s_beat_data, s_beat_turn, 0)",
                "turned(s_beat_data, -s_beat_turn, 0)",
                5,
            ),
            Mutant(
                "last",
                "a burst one beat too short",
                "at_last = beats_left == 0",
                "at_last = beats_left <= 1",
                12,
            ),
            Mutant("waits", "a burst before its beats", "&& waiting >= CountBits'(needed)", "", 8),
            Mutant(
                "waits",
                "a place freed by each beat that leaves",
                "freed = pop",
                "freed = m_beat_valid && m_beat_ready",
                12,
            ),
            Mutant(
                "stable",
                "a burst withdrawn",
                "burst_valid && !take && waiting",
                "burst_valid && !m_burst_valid && waiting",
                10,
            ),
            Mutant(
                "stable",
                "a beat passed by",
                "priming || m_beat_ready && !(at_last && dry)",
                "priming || !(at_last && dry)",
                12,
            ),
            Mutant(
                COVERS, "no beat is kept", "moves[1] <= s_beat_valid && !rst", "moves[1] <= 1'b0"
            ),
        ],
        depth=2,
        cover=16,
        parameters={"DATA_WIDTH": 32, "ADDR_WIDTH": 16, "BURST_BYTES": 32, "PLACES": 16},
        free=("queue",),
    ),
    Proof(
        "engine_writer",
        "each result is one address and one beat, at its number's place, with the phase of the "
        "lap; each burst is one address and its beats; what is offered is unchanged until it is "
        "taken; a job is retired when memory has answered, and its completion leaves after the "
        "last answer to its copy; with 128 bits",
        [
            Mutant(
                "once",
                "a beat that waits for its address",
                "take_beat || !data_free)",
                "take_beat || !data_free || m_axi_wvalid && !m_axi_awready)",
                8,
            ),
            Mutant("place", "the wrong word of the beat", "word == WordBits'(i)", "i == 0", 8),
            Mutant("contents", "the phase of the first lap", "!job[size]", "1'b1", 8),
            Mutant(
                "contents",
                "a sum in the other byte order",
                "s_result_sum[7:0], s_result_sum[15:8]",
                "s_result_sum",
                8,
            ),
            Mutant(
                "stable",
                "a completion over one that waits",
                "open && data_free && !bursting",
                "open && !bursting",
                8,
            ),
            Mutant("burst", "a completion amid a burst", "data_free && !bursting", "data_free", 8),
            Mutant(
                "burst",
                "a burst of one beat",
                "m_axi_awlen  <= s_burst_length",
                "m_axi_awlen  <= 8'd0",
                6,
            ),
            Mutant(
                "copied",
                "a completion before its copy",
                "open && data_free && !bursting && (!s_result_copied || copy_done)",
                "open && data_free && !bursting",
                6,
            ),
            Mutant(
                "copied",
                "a status of the copy before",
                "errors_now & {2{!copy_ends}}",
                "errors_now",
                10,
            ),
            Mutant(
                "copied",
                "an error of the last burst alone",
                "errors_now = errors |",
                "errors_now =",
                12,
            ),
            Mutant(
                "retired",
                "retired in spite of an error",
                "!order_copy && !m_axi_bresp[1] && !failed",
                "!order_copy && !failed",
                10,
            ),
            Mutant(
                "owed", "idle with an answer owed", "idle <= rst || owed == 0", "idle <= 1'b1", 8
            ),
            Mutant("sent", "places freed too late", "sent <= take", "sent <= answer", 8),
            Mutant("stopped", "a completion in a stop", "!stop && !failed", "!failed", 8),
            Mutant(COVERS, "no answer is taken", "order_done = m_axi_bvalid ||", "order_done ="),
        ],
        cover=16,
        parameters={"DATA_WIDTH": 128, "ADDR_WIDTH": 32},
        uses=("queue",),
    ),
    Proof(
        "engine",
        "the reset by CTRL.RESET comes when no read and no write is owed on any channel; no "
        "answer is taken that was not asked for; with descriptors, copies and resets at any "
        "time, in the first 12 cycles",
        [
            Mutant("read", "no wait for reads", "reader_idle && writer_idle", "writer_idle"),
            Mutant("written", "no wait for writes", "reader_idle && writer_idle", "reader_idle"),
            Mutant("read", "no wait at all", "clear = stop && quiet", "clear = stop"),
            Mutant(
                "read",
                "a read that begins in this cycle does not count",
                "owed == 0 && !s_ticket_valid",
                "owed == 0",
                file="engine_receiver",
            ),
            Mutant(
                "written",
                "a burst that begins in this cycle does not count",
                "owed == 0 && !take && !take_burst",
                "owed == 0 && !take",
                file="engine_writer",
            ),
            Mutant(
                "written",
                "a write is done once it is taken",
                "- OwedBits'(order_valid && order_done)",
                "- OwedBits'(owed != 0 && m_axi_awvalid && m_axi_awready)",
                file="engine_writer",
            ),
            Mutant(
                "answered",
                "an answer is taken at any time",
                "assign m_axi_bready = order_valid && !order_null",
                "assign m_axi_bready = !order_null",
                file="engine_writer",
            ),
        ],
        bound=12,
        cover=16,
        parameters={"DATA_WIDTH": 64, "ADDR_WIDTH": 32, "BURST_BYTES": 16, "COPY_BURSTS": 2},
        uses=("queue", "engine_reader", "engine_receiver", "engine_writer"),
        free=(
            "engine_registers",
            "engine_fetch",
            "engine_copier",
            "engine_interrupt",
            "sum_stream",
        ),
    ),
    Proof(
        "engine_interrupt",
        "fewer than COUNT completions wait for an announcement, and none for more than CYCLES "
        "cycles; nothing is announced without a completion and a reason",
        [
            Mutant("number", "one too late", "count - 16'd1", "count", 10),
            Mutant(
                "time",
                "each completion starts the time again",
                "waited <= came == 0 ?",
                "waited <= came == 0 || completion ?",
                14,
            ),
            Mutant("needed", "the time alone", "came != 0 && waited", "waited", 10),
            Mutant(
                "prompt",
                "a missing announcement",
                "announce <= full || late",
                "announce <= late",
                10,
            ),
            Mutant(COVERS, "nothing is announced", "announce <= full || late", "announce <= 1'b0"),
        ],
        cover=14,
    ),
    Proof(
        "sum_stream",
        "each frame has one result, in order: the one's complement sum of the bytes from the start "
        "on and of the seed, the length, the status; a beat is taken whenever a place is free; a "
        "result stays until it is taken; with 32 bits",
        [
            Mutant(
                "tree",
                "the start's place in its beat ignored",
                "edge_beat ? {KEEP_WIDTH{1'b1}} << lane",
                "edge_beat ? {KEEP_WIDTH{1'b1}}",
                5,
            ),
            Mutant(
                "tree",
                "tkeep ignored",
                "wanted[k] ? s_axis_tdata[8*k+:8] : 8'd0",
                "s_axis_tdata[8*k+:8]",
                5,
            ),
            Mutant("tree", "swapped halves of a word", "sums[8*(k^1)+:8]", "sums[8*k+:8]", 5),
            Mutant(
                "tree",
                "the start of the frame before",
                "lane = first ? start[LaneBits-1:0] : start_lane",
                "lane = start_lane",
                6,
            ),
            Mutant(
                "tree",
                "an odd start's seed not swapped",
                "seed[0] <= lane[0] ?",
                "seed[0] <= 1'b0 ?",
                5,
            ),
            Mutant(
                "loop",
                "a sum that survives a reset",
                "if (rst || valid[Levels] && is_last[Levels])",
                "if (valid[Levels] && is_last[Levels])",
                9,
            ),
            Mutant(
                "loop",
                "the seed lost",
                "is_first[Levels] && !SUM_ONLY ? seed[Levels] : low",
                "low",
                7,
            ),
            Mutant(
                "closed",
                "the upper half not folded",
                "{1'b0, closed_high, 1'b1} +",
                "{17'd0, 1'b1} +",
                7,
            ),
            Mutant("others", "a beat too many", "beats <= index", "beats <= next_index", 6),
            Mutant(
                "others",
                "a stale status",
                "sparse <= gap || sparse && !is_first[0]",
                "sparse <= gap || sparse",
                8,
            ),
            Mutant(
                "others",
                "null bytes of the middle not seen",
                "|| !is_last[0] && !keep[KEEP_WIDTH-1]",
                "",
                6,
            ),
            Mutant(
                "count",
                "a beat of before the reset",
                "valid[0] <= accept && !rst",
                "valid[0] <= accept",
                6,
            ),
            Mutant(
                "ready",
                "never ready",
                "s_axis_tready <= SUM_ONLY || !waiting_next[4]",
                "s_axis_tready <= 1'b0",
                5,
            ),
            Mutant(
                "order", "odd parity lost", "other_read[19] ? {sum[7:0], sum[15:8]} : sum", "sum", 9
            ),
            Mutant("order", "the end-around carry dropped", "{15'd0, sum_read[16]}", "16'd0", 9),
            Mutant(
                "order",
                "the length of the next frame",
                "others[read_at[3:0]]",
                "others[read_at[3:0]+4'd1]",
                10,
            ),
            Mutant(
                "stable",
                "a result over one that waits",
                "(!m_result_valid || m_result_ready)",
                "(!m_result_valid || closed)",
                11,
            ),
            Mutant(
                "prompt",
                "a result waits for its receiver",
                "pulse : sum_at != read_at &&",
                "pulse : sum_at != read_at && m_result_ready &&",
                9,
            ),
            Mutant(
                COVERS, "no frame ever ends", "is_last[0] <= s_axis_tlast", "is_last[0] <= 1'b0"
            ),
        ],
        depth=4,
        cover=16,
        parameters={"DATA_WIDTH": 32},
    ),
    Proof(
        "queue",
        "results come in the order of their pushes, none lost or invented; each has a place that "
        "was reserved; a result stays until it is taken",
        [
            Mutant(
                "count",
                "a place given back twice",
                "- (Bits + 1)'(take);",
                "- {3'd0, take, 1'b0};",
                8,
            ),
            Mutant("ready", "never ready", "ready   <= !waiting_next[Bits]", "ready   <= 1'b0", 5),
            Mutant("ready", "ready in a reset", "ready   <= 1'b0;", "ready   <= 1'b1;", 5),
            Mutant(
                "order",
                "the result after the next",
                "m_data <= places[read_at[Bits-1:0]]",
                "m_data <= places[read_at[Bits-1:0]+4'd1]",
                8,
            ),
            Mutant(
                "count",
                "a result that is not taken is passed by",
                "if (take) read_at <=",
                "if (push_at != read_at) read_at <=",
                10,
            ),
            Mutant(
                "stable",
                "a result over one that waits",
                "(!m_valid || m_ready)",
                "(!m_valid || push)",
                10,
            ),
            Mutant(
                "prompt",
                "a result waits for its receiver",
                "take = push_at != read_at &&",
                "take = push_at != read_at && m_ready &&",
                8,
            ),
            Mutant(
                "silent",
                "a result that is taken stays",
                "m_valid <= take || m_valid && !m_ready",
                "m_valid <= take || m_valid",
                8,
            ),
            Mutant(COVERS, "nothing is pushed", "if (push) push_at <=", "if (1'b0) push_at <="),
        ],
        depth=4,
        cover=12,
        parameters={"WIDTH": 8},
    ),
    Proof(
        "update",
        "what leaves the stages is the incremental update by the definition, once for each "
        "command; with two words",
        [
            Mutant("along", "UDP's rule for all", "udp[0] <= s_update_udp", "udp[0] <= 1'b1", 5),
            Mutant(
                "along",
                "an absent checksum not seen",
                "s_update_udp && s_update_checksum == 16'd0",
                "1'b0",
                5,
            ),
            Mutant("trees", "the new words for the old", "s_update_was}", "s_update_now}", 5),
            Mutant(
                "trees",
                "a word twice",
                "g_level[l-1].was[(2*i+1)*(Bits-1)+:Bits-1]",
                "g_level[l-1].was[2*i*(Bits-1)+:Bits-1]",
                6,
            ),
            Mutant(
                "folds",
                "a carry of the old words lost",
                "{1'b0, was_total[15:0]} + {13'd0, was_total[19:16]}",
                "{1'b0, was_total[15:0]}",
                7,
            ),
            Mutant(
                "equation",
                "-0 subtracted",
                "minus <= any ? ~was_sum : 16'd0",
                "minus <= ~was_sum",
                8,
            ),
            Mutant(
                "equation",
                "the sum of the command before",
                "plus_then <= plus",
                "plus_then <= now_once[15:0]",
                9,
            ),
            Mutant(
                "equation",
                "the old checksum not complemented",
                "whole[0] <= ~s_update_checksum",
                "whole[0] <= s_update_checksum",
                9,
            ),
            Mutant(
                "result",
                "the end-around carry dropped",
                "sum = once[15:0] + {15'd0, once[16]}",
                "sum = once[15:0]",
                11,
            ),
            Mutant(
                "result",
                "UDP 0000",
                "udp[Last] && zero ? 16'hFFFF : ~sum",
                "~sum",
                11,
            ),
            Mutant(
                "result",
                "an absent checksum comes to be",
                "none[Last] ? 16'h0000 : ",
                "",
                11,
            ),
            Mutant(
                "each",
                "a command of before the reset",
                "valid[l] <= valid[l-1] && !rst",
                "valid[l] <= valid[l-1]",
                8,
            ),
            Mutant(
                COVERS,
                "no command is taken",
                "accept = s_update_valid && s_update_ready",
                "accept = 1'b0",
            ),
        ],
        depth=3,
        cover=14,
        parameters={"WORDS": 2},
        uses=("queue",),
    ),
    Proof(
        "place",
        "the mask has the lane of the byte, or the lanes from it on, in each beat of a frame",
        [
            Mutant("mask", "the place is never in the first beat", "first ? in_beat_0 : at", "at"),
            Mutant("mask", "the frame before", "past_now = !first && past", "past_now = past"),
            Mutant("mask", "a beat too late", "next_index ==", "next_index - 1'b1 =="),
            Mutant("mask", "one beat alone", "past_now || at_now", "past_now"),
            Mutant(
                COVERS,
                "no first byte",
                "in_beat_0 <= place[BITS-1:LaneBits] == 0",
                "in_beat_0 <= 1'b0",
            ),
        ],
        depth=3,
        cover=10,
        parameters={"KEEP_WIDTH": 4, "BITS": 6},
    ),
    Proof(
        "frame_buffer",
        "each beat leaves as it came, in order; each frame has one note, or is longer than the "
        "buffer and passes from its first beat on; no frame waits for anything else",
        [
            Mutant(
                "order",
                "the beat after",
                "places[fetch_at[Bits-1:0]]",
                "places[fetch_at[Bits-1:0]+1'b1]",
            ),
            Mutant(
                "order",
                "a dropped beat",
                "move   = read_valid && (!head_valid || take)",
                "move   = read_valid",
            ),
            Mutant("room", "a stuck ready", "!held_next[Bits] && !rst", "1'b0"),
            Mutant("room", "always ready", "!held_next[Bits] && !rst", "!rst"),
            Mutant("notes", "a note a beat", "end_goes && !passing;", "take && !passing;"),
            Mutant(
                "begins",
                "a long frame waits in its middle",
                "passing <= m_axis_long && !m_axis_tlast",
                "passing <= 1'b0",
            ),
            Mutant("long", "a frame after others passes", "held[Bits] && ends == 0", "held[Bits]"),
            Mutant(
                "waits", "deadlock on long frames", "full = held[Bits] && ends == 0", "full = 1'b0"
            ),
            Mutant("moves", "a dead cycle", "(!read_valid || move)", "!read_valid"),
            Mutant("stable", "a beat withdrawn", "(passing ||", "(passing && s_axis_tvalid ||"),
            Mutant(
                COVERS,
                "no note is dropped",
                "if (end_goes && m_axis_long) dropping",
                "if (1'b0) dropping",
            ),
        ],
        depth=3,
        cover=20,
        parameters={"DATA_WIDTH": 8, "BEATS": 4},
    ),
    Proof(
        "tx_insert",
        "the bytes that each checksum counts; what is written, in which frame; the checksums from "
        "the sums; what leaves is what came, except for the fields that the status names",
        [
            Mutant(
                "commands",
                "the offset forgotten",
                "{1'b0, s_command_a_start} + {1'b0, s_command_a_offset}",
                "{1'b0, s_command_a_start}",
                6,
            ),
            Mutant(
                "commands",
                "a field at an odd offset",
                "s_command_b_enable && !s_command_b_offset[0]",
                "s_command_b_enable",
                6,
            ),
            Mutant(
                "commands",
                "the stop counts",
                "low < {1'b0, came.stop}",
                "low <= {1'b0, came.stop}",
                6,
            ),
            Mutant(
                "input",
                "a frame without a command",
                "job_valid && room && place",
                "room && place",
                6,
            ),
            Mutant(
                "input",
                "a beat of before the reset",
                "beat_valid <= accept && !rst",
                "beat_valid <= accept",
                8,
            ),
            Mutant("counted", "b counts a's old field", "b_from & ~field_a &", "b_from &", 8),
            Mutant("counted", "no stop", "(job.stop == '1 ? '1 : ~stop_from)", "'1", 8),
            Mutant(
                "counted",
                "a field over two beats",
                "{a_high[KEEP_WIDTH-2:0], a_straddles && !first}",
                "{a_high[KEEP_WIDTH-2:0], 1'b0}",
                10,
            ),
            Mutant(
                "whole",
                "half a field",
                "job.a.enable && a_whole_now && !sparse_now",
                "job.a.enable && !sparse_now",
                8,
            ),
            Mutant("whole", "a stale status", "gap || sparse && !first", "gap || sparse", 10),
            Mutant("paired", "the frame after", "infos[sum_at];", "infos[sum_at+5'd1];", 10),
            Mutant(
                "paired",
                "over one that waits",
                "infos[info_at] <= info",
                "infos[sum_at] <= info",
                10,
            ),
            Mutant(
                "finish",
                "the end-around carry dropped",
                "once = x[15:0] + {15'd0, x[16]}",
                "once = x[15:0]",
                12,
            ),
            Mutant("finish", "UDP 0000", "zero && sum == 16'hFFFF ? 16'hFFFF : ~sum", "~sum", 12),
            Mutant(
                "finish", "UDP's rule for all", "field(known_2.a_zero, a_2)", "field(1'b1, a_2)", 12
            ),
            Mutant("finish", "swapped halves", "swap_if(known_2.swap, a_part)", "a_part", 12),
            Mutant("finish", "the start value lost", "{1'b0, known.a_init}", "17'd0", 12),
            Mutant(
                "outside",
                "a field in each beat",
                "note.a && !head_long && head_index == {1'b0, note.a_at[16:LaneBits]}",
                "note.a && !head_long",
                8,
            ),
            Mutant(
                "outside",
                "a long frame is written",
                "note.b && !head_long && head_index",
                "note.b && head_index",
                8,
            ),
            Mutant(
                "outside",
                "the field's bytes exchanged",
                "marked_a_high[k] ? marked_a[15:8]",
                "marked_a_high[k] ? marked_a[7:0]",
                8,
            ),
            Mutant(
                "outside", "a wrong tkeep", "m_axis_tkeep  <= marked_keep", "m_axis_tkeep  <= '1", 8
            ),
            Mutant(
                "outside",
                "no status of a long frame",
                "        head_long,\n",
                "        1'b0,\n",
                8,
            ),
            Mutant(
                "stable",
                "a beat over one that waits",
                "marked_ready = !m_axis_tvalid || m_axis_tready",
                "marked_ready = 1'b1",
                8,
            ),
            Mutant(
                "prompt",
                "a beat after another is lost",
                "m_axis_tvalid <= marked_valid;",
                "m_axis_tvalid <= marked_valid && !m_axis_tvalid;",
                8,
            ),
            Mutant(
                COVERS,
                "no checksum is ever ready",
                "step <= rst ? 4'd0 : {step[3:1], sums_valid}",
                "step <= 4'd0",
            ),
        ],
        depth=5,
        cover=14,
        parameters={"DATA_WIDTH": 32, "BEATS": 4},
        free=("place", "queue", "frame_buffer", "sum_stream"),
    ),
    Proof(
        "rx_pass",
        "a beat is taken by the check and by the buffer, or by neither; what leaves is the beat "
        "of the buffer with its frame's result, once, and stays until it is taken",
        [
            Mutant(
                "together",
                "a beat for the check alone",
                "check_valid   = s_axis_tvalid && room",
                "check_valid   = s_axis_tvalid",
                6,
            ),
            Mutant(
                "together",
                "a beat for the buffer alone",
                "frames_valid  = s_axis_tvalid && check_ready",
                "frames_valid  = s_axis_tvalid",
                6,
            ),
            Mutant(
                "leaves",
                "verdicts on a frame that is too long",
                "head_long ? 71'd0 : result",
                "result",
                6,
            ),
            Mutant("leaves", "aborted in each beat", "head_long) && head_last", "head_long)", 6),
            Mutant(
                "leaves",
                "a long frame is aborted unasked",
                "ABORT_LONG && head_long",
                "head_long",
                6,
            ),
            Mutant("leaves", "a beat of before the reset", "!rst && (head_valid", "(head_valid", 6),
            Mutant(
                "stable",
                "a beat over one that waits",
                "head_ready = !m_axis_tvalid || m_axis_tready",
                "head_ready = 1'b1",
                6,
            ),
            Mutant(
                "prompt",
                "a dead cycle",
                "head_ready = !m_axis_tvalid || m_axis_tready",
                "head_ready = !m_axis_tvalid",
                6,
            ),
            Mutant(COVERS, "no frame is too long", "        head_long,\n", "        1'b0,\n"),
        ],
        depth=3,
        cover=6,
        parameters={"DATA_WIDTH": 32},
        free=("rx_check", "frame_buffer"),
    ),
]
