// SPDX-License-Identifier: MIT OR Apache-2.0
// The receiver, third of the paper's five components: it takes the beats from the memory port, says
// which bytes of each count, and ends the job.
//
// Timing: after `start` it pops a beat in every cycle in which the port has one. The port shows a
// popped beat zero to two cycles later, as its latency lines say. In that cycle `take` is high, and
// `enable` says which bytes count: none before the first byte and none after the last. The last
// beat is followed by one cycle in which the adder adds it, two cycles with `fold` high, and one
// with `done` high. A job of no bytes, or of too many, asks for nothing and is done one cycle after
// its start.
//
// Shape: beats are consecutive words (see the planner), so a place in the page and a count of pages
// suffice. The burst lengths decide only the place at which the first burst starts.
module tcoe_receiver #(
    parameter int PAGE_BITS = 8
) (
    input logic clk,
    input logic rst,

    input logic                  start,
    input logic                  empty_job,   // with start: there is nothing to fetch
    input logic                  bad_job,     // with start: end it with an error
    input logic                  abort,
    input logic                  hold,        // the port is being flushed: take nothing
    input logic [           7:0] address,
    input logic [16-PAGE_BITS:0] pages,
    input logic [           7:0] last,
    input logic [           1:0] first_burst,

    output logic       npi_rdfifo_pop,
    input  logic       npi_rdfifo_empty,
    input  logic [1:0] npi_rdfifo_latency,

    output logic       take,
    output logic [7:0] enable,
    output logic       fold,
    output logic       done,
    output logic       failed,    // with done
    output logic       taking,    // beats are still wanted
    output logic       finished,  // one cycle: the last wanted beat was taken
    output logic       odd        // the data start at an odd address
);
  localparam logic [7:0] PageMask = 8'hFF >> (8 - PAGE_BITS);

  typedef enum logic [2:0] {
    Idle,
    Take,
    Add,
    Fold1,
    Fold2,
    Done
  } state_t;
  state_t state;

  logic [7:0] head, tail;  // places of the first and the last byte in their pages
  logic [           7:3] place;  // of the word that the next beat brings
  logic [16-PAGE_BITS:0] left;  // pages after this one
  logic                  skipping;  // the word of the first byte has not come yet
  logic [           1:0] popped;
  logic                  error;
  logic is_head, is_tail;
  logic [7:0] from_head, to_tail;
  logic [4:0] mask;

  assign mask = tcoe_pkg::burst_mask(first_burst);

  assign taking = state == Take;
  assign npi_rdfifo_pop = taking && !hold && !npi_rdfifo_empty;
  assign take = taking && (npi_rdfifo_latency == 2'd0 ? npi_rdfifo_pop :
      npi_rdfifo_latency == 2'd1 ? popped[0] : popped[1]);
  assign is_head = place == head[7:3];
  assign is_tail = left == 0 && place == tail[7:3];
  assign from_head = 8'hFF << head[2:0];
  assign to_tail = 8'hFF >> ~tail[2:0];
  assign finished = take && is_tail;
  assign fold = state == Fold1 || state == Fold2;
  assign done = state == Done;
  assign failed = error;
  assign odd = head[0];

  always_comb begin
    enable = 8'hFF;
    if (skipping) enable = is_head ? from_head : 8'h00;
    if (is_tail) enable = enable & to_tail;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      state  <= Idle;
      popped <= 2'd0;
      error  <= 1'b0;
    end else begin
      popped <= taking ? {popped[0], npi_rdfifo_pop} : 2'd0;
      case (state)
        Take: begin
          if (abort) begin
            error <= 1'b1;
            state <= Done;
          end else if (finished) state <= Add;
        end
        Add:   state <= Fold1;
        Fold1: state <= Fold2;
        Fold2: state <= Done;
        Done:  state <= Idle;
        default: begin
          if (start) begin
            error <= bad_job;
            state <= empty_job || bad_job ? Done : Take;
          end
        end
      endcase
    end

    if (start) begin
      head <= address & PageMask;
      tail <= last;
      place <= address[7:3] & PageMask[7:3] & ~mask;
      left <= pages;
      skipping <= 1'b1;
    end else if (take) begin
      place <= (place + 1'b1) & PageMask[7:3];
      if (place == PageMask[7:3]) left <= left - 1'b1;
      if (is_head) skipping <= 1'b0;
    end
  end
endmodule
