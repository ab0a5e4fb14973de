// SPDX-License-Identifier: MIT OR Apache-2.0
// The results of a pipeline that never stalls. A place is taken when work begins (`reserve`) and is
// given back when the receiver's register has the result, so each `push` finds a place. PLACES
// results may be under way or wait, in addition to the one at the output; then `ready` falls.
//
// Between resets there are never more pushes than reservations, and `reserve` is low unless `ready`
// is high. A reset drops all, and the pipeline has to drop what it has under way, too. The outputs
// are registers. A result that is pushed is at the output two cycles later, unless others wait.
module wiresum_queue #(
    parameter int WIDTH  = 16,
    parameter int PLACES = 16   // a power of two
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic             reserve,
    output logic             ready,
    input  logic             push,
    input  logic [WIDTH-1:0] push_data,
    output logic             m_valid,
    input  logic             m_ready,
    output logic [WIDTH-1:0] m_data
);
  localparam int Bits = $clog2(PLACES);

`ifndef __ICARUS__
  if (PLACES < 2 || PLACES != 1 << Bits) begin : g_places
    $error("PLACES is not a power of two");
  end
`endif

  logic [WIDTH-1:0] places[PLACES];
  logic [Bits:0] push_at, read_at;  // the top bits differ if the memory is full
  logic [Bits:0] waiting, waiting_next;
  logic take, fills;
  assign take = push_at != read_at && (!m_valid || m_ready);
  assign fills = waiting[Bits] || (&waiting[Bits-1:0]) && reserve;
  assign waiting_next = waiting + (Bits + 1)'(reserve) - (Bits + 1)'(take);
  always_ff @(posedge clk) begin
    if (push) places[push_at[Bits-1:0]] <= push_data;
    if (take) m_data <= places[read_at[Bits-1:0]];
    if (rst) begin
      push_at <= '0;
      read_at <= '0;
      waiting <= '0;
      ready   <= 1'b0;
      m_valid <= 1'b0;
    end else begin
      if (push) push_at <= push_at + 1'b1;
      if (take) read_at <= read_at + 1'b1;
      waiting <= waiting_next;
      ready   <= take || !fills;  // whether waiting_next[Bits] is 0, without its adder
      m_valid <= take || m_valid && !m_ready;
    end
  end
endmodule
