// SPDX-License-Identifier: MIT OR Apache-2.0
// Finds a byte of each frame in the frame's beats, as a mask of lanes: the lanes of this byte and
// all later ones, or with ONE the byte alone. Part of wiresum_tx_insert and wiresum_rx_check.
//
// `load` takes the number of the byte for the next frame, before or with the last beat of the frame
// before. `accept`: a beat goes. `first`: that beat begins a frame. `next_index` is the number of
// the beat after it, and stays at its top bit once it has that. The mask belongs to the beat which
// is there; of the inputs, it depends on `first` alone within a cycle.
//
// Shape: the place is decoded when it is loaded, and compared with the number of the beat after,
// so neither is in the path to the mask.
module wiresum_place #(
    parameter int KEEP_WIDTH = 8,
    parameter int BITS = 17,  // of the place
    parameter bit ONE = 0,
    parameter int BEAT_BITS = BITS - $clog2(KEEP_WIDTH)
) (
    input logic clk,

    input logic            load,
    input logic [BITS-1:0] place,

    input logic               accept,
    input logic               first,
    input logic [BEAT_BITS:0] next_index,

    output logic [KEEP_WIDTH-1:0] mask
);
  localparam int LaneBits = $clog2(KEEP_WIDTH);
  logic [ BEAT_BITS-1:0] beat;
  logic [KEEP_WIDTH-1:0] lanes;
  logic in_beat_0, at, at_now, past, past_now;
  assign at_now = first ? in_beat_0 : at;
  assign past_now = !first && past;
  assign mask = !ONE && past_now ? '1 : at_now ? lanes : '0;
  always_ff @(posedge clk) begin
    if (load) begin
      beat <= place[BITS-1:LaneBits];
      in_beat_0 <= place[BITS-1:LaneBits] == 0;
      lanes <= {{KEEP_WIDTH - 1{!ONE}}, 1'b1} << place[LaneBits-1:0];
    end
    if (accept) begin
      at   <= next_index == {1'b0, beat};
      past <= past_now || at_now;
    end
  end
endmodule
