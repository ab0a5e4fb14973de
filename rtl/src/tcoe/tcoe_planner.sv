// SPDX-License-Identifier: MIT OR Apache-2.0
// The burst planner, first of the paper's five components: from ADDRESS and BYTES it computes how
// many bursts to ask for and how long each is.
//
// The planner cuts memory into pages of the longest burst (256 bytes). Each page that the data
// touch is one burst: the shortest of the lengths in use whose aligned block contains all the
// wanted bytes of the page. So every page except the first and the last is a burst of 256 bytes.
// Data that go on past a page are wanted to the page's end, and data that come from the page before
// are wanted from its start. So the blocks join without a gap, and the beats are consecutive words
// from the first block's start.
//
// Timing: the plan is registered. It is one cycle later than the registers and follows every change
// of them. A start comes one cycle after the write to INPUT that makes it, so the plan has the
// registers' values at the start.
//
// Shape: one burst a page needs no search and no state. Against the best plan it costs at most 31
// beats, in the first page. The engine flushes the beats after the data and does not wait for
// them.
//
// BURSTS selects the lengths in use, from bit 0 for 8 bytes to bit 3 for 256. The longest is the
// page.
module tcoe_planner #(
    parameter logic [3:0] BURSTS = 4'b1111,
    parameter int PAGE_BITS = BURSTS[3] ? 8 : BURSTS[2] ? 7 : BURSTS[1] ? 6 : 3
) (
    input logic clk,
    input logic [7:0] address,  // within its page
    input logic [15:0] bytes,

    output logic [16-PAGE_BITS:0] pages,  // touched by the data, less one
    output logic [7:0] last,  // the last byte's place in the last page
    output logic [1:0] first_burst,
    output logic [1:0] last_burst,  // where there is more than one page
    output logic exact  // the last burst ends with the last word of the data: nothing to flush
);
  localparam logic [7:0] PageMask = 8'hFF >> (8 - PAGE_BITS);

  // The last byte, counted from the start of the first page. It has no meaning for zero bytes.
  logic [16:0] reach;
  logic [7:0] head, end_place;
  logic [7:3] first_end, end_head;  // words are enough to choose a burst
  logic [1:0] first_next, last_next;
  logic [4:0] end_mask;

  // The shortest burst whose block contains both places of one page.
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
