// SPDX-License-Identifier: MIT OR Apache-2.0
// Fifth of the paper's five components: the flush signal, and the two clocks that hang on it.
//
// While no beats are wanted, npi_rdfifo_flush stands, and the port drops what it has and what still comes: the words that
// alignment asked for behind the data. It falls when a job wants beats. But a burst that is still on its way could then be taken for
// the new job's, so after a job that left some (`finished` without `exact`), after an abort and after a reset, `hold` keeps flush up
// and the requester quiet until the port must have fallen silent:
//   TAIL_GUARD  the last burst is already being delivered, at most 31 more beats of it, and the memory may pause between them
//   FULL_GUARD  nothing is known: two bursts (the port takes no more) may stand behind all that other ports have asked for
// A start is not lost to it, it waits. Over the bus, the next start is more than a thousand cycles away, and nobody ever waits.
//
// The same counter, while beats are wanted, is the watchdog: the port has no error line, so FULL_GUARD cycles in which it neither
// acknowledges nor delivers are its bus error, and `abort` ends the job.
//
// Why this shape: dropped beats are never seen, so they cannot be counted; only time can tell. Popping them instead would count
// them, but not after a reset, which forgets the count.
module tcoe_flush #(
    parameter int GUARD_BITS = 12,
    parameter logic [GUARD_BITS-1:0] FULL_GUARD = '1,
    parameter logic [GUARD_BITS-1:0] TAIL_GUARD = 127
) (
    input logic clk,
    input logic rst,

    input  logic start,     // of a job that wants beats
    input  logic taking,
    input  logic finished,
    input  logic exact,     // as planned for the job that finishes; kept at the start
    input  logic progress,  // the port acknowledged or delivered
    output logic hold,
    output logic abort,
    output logic npi_rdfifo_flush
);
  logic [GUARD_BITS-1:0] count;
  logic guard, exact_job, zero;

  assign zero = count == 0;
  assign hold = guard;
  assign npi_rdfifo_flush = guard || !taking;
  assign abort = taking && !guard && zero;

  always_ff @(posedge clk) begin
    if (start) exact_job <= exact;

    if (rst || abort) guard <= 1'b1;
    else if (finished) guard <= !exact_job;
    else if (zero) guard <= 1'b0;

    if (rst || abort) count <= FULL_GUARD;
    else if (finished) count <= TAIL_GUARD;
    else if (guard ? zero : (start || progress)) count <= FULL_GUARD;
    else if (!zero) count <= count - 1'b1;
  end
endmodule
