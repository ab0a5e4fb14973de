// SPDX-License-Identifier: MIT OR Apache-2.0
// The flush signal, fifth of the paper's five components, and the two timers that depend on it.
//
// npi_rdfifo_flush is high while no beats are wanted. The port then drops the beats that it has and
// the beats that arrive: the words that alignment asked for after the data. Flush falls when a job
// wants beats. A burst that is still on its way could then be taken for the new job's. So after a
// job that left beats over (`finished` without `exact`), after an abort and after a reset, `hold`
// keeps flush up and the requester quiet until the port must be silent:
//   TAIL_GUARD  The port delivers the last burst: at most 31 more beats, and the memory's pauses.
//   FULL_GUARD  Nothing is known. Two bursts, the most that the port takes, may wait for bursts of
//               other ports.
// A start during `hold` is not lost; the job waits. Over the bus the next start comes more than a
// thousand cycles later, so no job waits for TAIL_GUARD.
//
// While beats are wanted, the same counter is the watchdog. The port has no error line, so
// FULL_GUARD cycles without an acknowledge or a beat count as its bus error, and `abort` ends the
// job.
//
// Shape: the engine does not see dropped beats, so it cannot count them, and only time shows when
// the last one has arrived. Popping the beats would count them, except after a reset, which loses
// the count.
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
