# SPDX-License-Identifier: MIT OR Apache-2.0
"""The proofs of the engine of the paper."""

from rtl.formal.proof import COVERS, RELIES, Mutant, Proof

PAPER = [
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
]
