// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads the headers of each frame of an AXI4-Stream, without holding it up. Part of
// wiresum_rx_check; wiresum_header_unit.sv says which headers it knows.
//
// Each frame has one result, in order, which is there for one cycle: m_found_valid. It comes when
// the frame ends or has HEADER_BYTES bytes, or before. What lies after these is not read. The
// stream must not have null bytes before a frame's end; of a frame that has, the result has no
// meaning.
//
// Shape: up to 64 bits, a beat is walked as it comes. Wider beats are gathered until the headers
// are there, and go through a stage for every eight bytes, so that each cycle can begin a frame.
module wiresum_headers #(
    parameter int DATA_WIDTH   = 64,
    parameter int KEEP_WIDTH   = DATA_WIDTH / 8,
    parameter int HEADER_BYTES = 128              // a power of two, 64 to 512, at least a beat
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input logic [DATA_WIDTH-1:0] s_axis_tdata,
    input logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input logic                  s_axis_tvalid,
    input logic                  s_axis_tlast,

    output logic        m_found_valid,
    output logic [63:0] m_found
);
  localparam int WalkBits = 19;  // the top bit says that the walk is done
  localparam int HeadersBits = 64;
  localparam int Units = HEADER_BYTES / 4;
  logic unused_keep;
  assign unused_keep = ^s_axis_tkeep;  // a unit is there if its last byte is

`ifndef __ICARUS__
  if (HEADER_BYTES < 64 || HEADER_BYTES > 512 || HEADER_BYTES != 1 << $clog2(
          HEADER_BYTES
      ) || HEADER_BYTES < KEEP_WIDTH) begin : g_header
    $error("HEADER_BYTES is not a power of two from 64 to 512, or less than a beat");
  end
`endif

  if (DATA_WIDTH <= 64) begin : g_narrow
    // The two bytes before the beat begin its first unit; with 16 bits they are a beat themselves.
    localparam int Steps = DATA_WIDTH == 64 ? 2 : 1;
    logic [15:0] tail;
    logic [ 8:0] unit;  // the first one of the beat
    logic steps, all, ended, told;
    logic [WalkBits-1:0] at, last;
    logic [HeadersBits-1:0] found, last_found;
    logic [(Steps+1)*WalkBits-1:0] walks;
    logic [(Steps+1)*HeadersBits-1:0] founds;
    logic [DATA_WIDTH+15:0] bytes;
    for (genvar k = 0; k < KEEP_WIDTH; k++) begin : g_byte
      assign bytes[DATA_WIDTH-8*k-1-:8] = s_axis_tdata[8*k+:8];
    end
    assign bytes[DATA_WIDTH+15-:16] = tail;
    assign walks[WalkBits-1:0] = at;
    assign founds[HeadersBits-1:0] = found;
    for (genvar i = 0; i < Steps; i++) begin : g_step
      wiresum_header_unit step (
          .unit(unit[7:0] + 8'(i)),
          .bytes(bytes[DATA_WIDTH+15-32*i-:32]),
          .present(s_axis_tkeep[4*i+1]),
          .walk(walks[WalkBits*i+:WalkBits]),
          .found(founds[HeadersBits*i+:HeadersBits]),
          .walk_behind(walks[WalkBits*(i+1)+:WalkBits]),
          .found_behind(founds[HeadersBits*(i+1)+:HeadersBits])
      );
    end
    assign last = steps ? walks[WalkBits*Steps+:WalkBits] : at;
    assign last_found = steps ? founds[HeadersBits*Steps+:HeadersBits] : found;
    assign all = steps && {23'd0, unit} + Steps >= Units;
    assign ended = s_axis_tlast || last[WalkBits-1] || all;
    always_ff @(posedge clk) begin
      m_found_valid <= !rst && s_axis_tvalid && ended && !told;
      m_found <= last_found;
      if (!last[WalkBits-1]) begin
        if (all) m_found[1] <= 1'b1;  // deep
        else m_found[4] <= 1'b1;  // truncated
      end
      if (s_axis_tvalid) begin
        tail <= bytes[15:0];
        at <= last;
        found <= last_found;
        if (steps) unit <= unit + 9'(Steps);
        steps <= DATA_WIDTH != 16 || !steps;
        told  <= told || ended;
      end
      if (rst || s_axis_tvalid && s_axis_tlast) begin
        at <= '0;
        found <= '0;
        unit <= 9'd0;
        steps <= 1'b1;
        told <= 1'b0;
      end
    end
  end else begin : g_wide
    localparam int Beats = HEADER_BYTES / KEEP_WIDTH;
    localparam int Stages = HEADER_BYTES / 8;
    // All bytes of the headers, the last one in bits 7..0, after the two that do not exist; and
    // whether each is there.
    logic [8*HEADER_BYTES+15:0] window;
    logic [HEADER_BYTES+1:0] present;
    logic [Beats-1:0] here;  // the beat that comes
    logic told, ended;
    assign window[8*HEADER_BYTES+:16] = 16'd0;
    assign present[HEADER_BYTES+:2]   = 2'b00;
    for (genvar b = 0; b < Beats; b++) begin : g_beat
      logic [DATA_WIDTH-1:0] data;
      logic [KEEP_WIDTH-1:0] keep;
      for (genvar k = 0; k < KEEP_WIDTH; k++) begin : g_byte
        localparam int At = HEADER_BYTES - 1 - b * KEEP_WIDTH - k;
        assign window[8*At+:8] = here[b] ? s_axis_tdata[8*k+:8] : data[8*k+:8];
        assign present[At] = here[b] ? s_axis_tkeep[k] : keep[k];
      end
      always_ff @(posedge clk) begin
        if (s_axis_tvalid && here[b]) {data, keep} <= {s_axis_tdata, s_axis_tkeep};
        if (rst || s_axis_tvalid && s_axis_tlast) keep <= '0;
      end
    end
    assign ended = s_axis_tlast || here[Beats-1];
    always_ff @(posedge clk) begin
      if (s_axis_tvalid) begin
        here <= here << 1;
        told <= told || ended;
      end
      if (rst || s_axis_tvalid && s_axis_tlast) begin
        here <= Beats'(1);
        told <= 1'b0;
      end
    end

    // The stages. Stage i walks units 2i and 2i + 1; the bytes after them go along.
    logic [Stages:0] valid;
    for (genvar i = 0; i <= Stages; i++) begin : g_stage
      localparam int Left = Units - 2 * i;  // units
      logic [WalkBits-1:0] at;
      logic [HeadersBits-1:0] found;
      if (i < Stages) begin : g_rest
        logic [Left*33-1:0] rest;  // each unit after its presence, the first on top
        if (i > 0) begin : g_shift
          always_ff @(posedge clk) rest <= g_stage[i-1].g_rest.rest[Left*33-1:0];
        end
      end
      if (i == 0) begin : g_first
        always_ff @(posedge clk) begin
          at <= '0;
          found <= '0;
          for (int u = 0; u < Units; u++)
          g_rest.rest[33*(Units-1-u)+:33] <= {
            present[HEADER_BYTES-2-4*u], window[8*HEADER_BYTES+15-32*u-:32]
          };
        end
      end else begin : g_walk
        logic [WalkBits-1:0] at_between, at_behind;
        logic [HeadersBits-1:0] found_between, found_behind;
        wiresum_header_unit step_0 (
            .unit(8'(2 * i - 2)),
            .bytes(g_stage[i-1].g_rest.rest[33*(Left+2)-2-:32]),
            .present(g_stage[i-1].g_rest.rest[33*(Left+2)-1]),
            .walk(g_stage[i-1].at),
            .found(g_stage[i-1].found),
            .walk_behind(at_between),
            .found_behind(found_between)
        );
        wiresum_header_unit step_1 (
            .unit(8'(2 * i - 1)),
            .bytes(g_stage[i-1].g_rest.rest[33*(Left+1)-2-:32]),
            .present(g_stage[i-1].g_rest.rest[33*(Left+1)-1]),
            .walk(at_between),
            .found(found_between),
            .walk_behind(at_behind),
            .found_behind(found_behind)
        );
        always_ff @(posedge clk) begin
          at <= at_behind;
          found <= found_behind;
        end
      end
    end
    always_ff @(posedge clk) begin
      valid[0] <= !rst && s_axis_tvalid && ended && !told;
      for (int i = 1; i <= Stages; i++) valid[i] <= valid[i-1] && !rst;
      m_found_valid <= valid[Stages] && !rst;
      m_found <= g_stage[Stages].found;
      if (!g_stage[Stages].at[WalkBits-1]) m_found[1] <= 1'b1;  // deep
    end
  end
endmodule
