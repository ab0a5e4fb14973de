// SPDX-License-Identifier: MIT OR Apache-2.0
// First of the paper's five components: from ADDRESS and BYTES, how many bursts to ask for and how long each is.
//
// Memory is cut into pages of the longest burst (256 bytes). Each page that the data touch is one burst: the shortest of the
// lengths in use whose aligned block contains all that is wanted in the page. That makes it 256 bytes for every page but the first
// and the last. Since data that go on past a page are wanted to its end, and data that come from before it from its start, the
// blocks join without a gap: the beats that arrive are consecutive words of memory, from the start of the first block.
//
// Timing: the plan is registered, one cycle behind the registers, and follows every change of them. A start is seen two cycles
// after the write that made it, so the plan is there in time.
//
// Why this shape: one burst a page needs no search, no subtraction and no state. What it costs against the best plan is at most
// 31 beats of the first page; what lies behind the data in the last one is flushed, and nobody waits for it.
//
// BURSTS says which lengths may be used, bit 0 for 8 bytes to bit 3 for 256; the longest one is the page.
module tcoe_planner #(
    parameter logic [3:0] BURSTS = 4'b1111,
    parameter int PAGE_BITS = BURSTS[3] ? 8 : BURSTS[2] ? 7 : BURSTS[1] ? 6 : 3
) (
    input logic clk,
    input logic [7:0] address,  // its place in a page is all that matters
    input logic [15:0] bytes,

    output logic [16-PAGE_BITS:0] pages,        // touched by the data, less one
    output logic [           7:0] last,         // the last byte's place in the last page
    output logic [           1:0] first_burst,
    output logic [           1:0] last_burst,   // where there is more than one page
    output logic                  exact         // the last burst ends with the last word of the data: nothing to flush
);
  localparam logic [7:0] PageMask = 8'hFF >> (8 - PAGE_BITS);

  // The last byte counted from the start of the first page. Nothing reads it for zero bytes.
  logic [16:0] reach;
  logic [7:0] head, end_place;
  logic [7:3] first_end, end_head;  // words are enough to choose a burst
  logic [1:0] first_next, last_next;
  logic [4:0] end_mask;

  // The shortest burst that has both places (of one page) in its block.
  function automatic logic [1:0] shortest(input logic [7:3] from, input logic [7:3] to);
    if (BURSTS[0] && (from == to)) shortest = tcoe_pkg::Burst8;
    else if (BURSTS[1] && (from[7:6] == to[7:6])) shortest = tcoe_pkg::Burst64;
    else if (BURSTS[2] && (from[7] == to[7])) shortest = tcoe_pkg::Burst128;
    else shortest = tcoe_pkg::Burst256;
  endfunction

  assign head = address & PageMask;
  assign reach = {9'd0, head} + {1'b0, bytes} - 17'd1;
  assign end_place = reach[7:0] & PageMask;
  assign first_end = reach[16:PAGE_BITS] == 0 ? end_place[7:3] : PageMask[7:3];
  assign end_head = reach[16:PAGE_BITS] == 0 ? head[7:3] : 5'd0;
  assign first_next = shortest(head[7:3], first_end);
  assign last_next = shortest(end_head, end_place[7:3]);
  assign end_mask = tcoe_pkg::burst_mask(last_next);

  always_ff @(posedge clk) begin
    pages <= reach[16:PAGE_BITS];
    last <= end_place;
    first_burst <= first_next;
    last_burst <= last_next;
    exact <= (end_place[7:3] & end_mask) == end_mask;
  end
endmodule
