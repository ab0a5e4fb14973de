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
// are there, and go through a stage for every four bytes, so that each cycle can begin a frame. The
// bytes wait for their stage in memories, which are smaller than registers.
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
  localparam int WalkBits = 36;  // the top bit says that the walk is done
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
    localparam logic [WalkBits-1:0] Begin = WalkBits'(3);  // at the first unit of the addresses
    logic [15:0] tail;
    logic [ 8:0] unit;  // the first one of the beat
    logic valid, tlast, steps, all, ended, told;
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
          .clk,
          .next_bytes(bytes[DATA_WIDTH+15-32*i-:32]),
          .next_present(s_axis_tkeep[4*i+1]),
          .unit(unit[7:0] + 8'(i)),
          .walk(walks[WalkBits*i+:WalkBits]),
          .found(founds[HeadersBits*i+:HeadersBits]),
          .walk_behind(walks[WalkBits*(i+1)+:WalkBits]),
          .found_behind(founds[HeadersBits*(i+1)+:HeadersBits])
      );
    end
    assign last = steps ? walks[WalkBits*Steps+:WalkBits] : at;
    assign last_found = steps ? founds[HeadersBits*Steps+:HeadersBits] : found;
    assign all = steps && {23'd0, unit} + Steps >= Units;
    assign ended = tlast || last[WalkBits-1] || all;
    always_ff @(posedge clk) begin
      if (s_axis_tvalid) tail <= bytes[15:0];
      valid <= s_axis_tvalid && !rst;
      tlast <= s_axis_tlast;
      m_found_valid <= !rst && valid && ended && !told;
      m_found <= last_found;
      if (!last[WalkBits-1]) begin
        if (all) m_found[1] <= 1'b1;  // deep
        else m_found[4] <= 1'b1;  // truncated
      end
      if (valid) begin
        at <= last;
        found <= last_found;
        if (steps) unit <= unit + 9'(Steps);
        steps <= DATA_WIDTH != 16 || !steps;
        told  <= told || ended;
      end
      if (rst || valid && tlast) begin
        at <= Begin;
        found <= '0;
        unit <= 9'd0;
        steps <= 1'b1;
        told <= 1'b0;
      end
    end
  end else begin : g_wide
    localparam int Beats = HEADER_BYTES / KEEP_WIDTH;
    // Unit 3 is the first that decides. The frame has the ones before it, if it has this one.
    localparam int First = 3;
    localparam logic [WalkBits-1:0] Begin = WalkBits'(5);  // at the type
    localparam int AtBits = $clog2(Units);
    // All bytes of the headers, the last one in bits 7..0, and whether each is there.
    logic [8*HEADER_BYTES-1:0] window;
    logic [HEADER_BYTES-1:0] present;
    logic [Beats-1:0] here;  // the beat that comes
    logic told, ended, unused_bytes;
    assign unused_bytes = ^{window, present};  // those before and after the units
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

    // The stages. Stage u walks unit u, which waits u - First cycles for it.
    logic [Units+1:First] valid;
    logic [AtBits-1:0] now;
    always_ff @(posedge clk) now <= rst ? '0 : now + 1'b1;
    for (genvar u = First; u < Units; u++) begin : g_stage
      localparam int Wait = u - First;
      logic [32:0] came, next;  // the unit after its presence
      logic [WalkBits-1:0] at, at_before, at_behind;
      logic [HeadersBits-1:0] found, found_before, found_behind;
      always_ff @(posedge clk)
        came <= {
          present[HEADER_BYTES-2-4*u], window[8*HEADER_BYTES+15-32*u-:32]
        };
      if (Wait == 0) begin : g_first
        assign next = came;
        assign at_before = Begin;
        assign found_before = '0;
      end else begin : g_after
        assign at_before = g_stage[u-1].at;
        assign found_before = g_stage[u-1].found;
        if (Wait == 1) begin : g_register
          always_ff @(posedge clk) next <= came;
        end else begin : g_memory
          localparam int Bits = Wait > 16 ? $clog2(Wait) : 4;
          logic [32:0] waiting[1 << Bits];
          logic [Bits-1:0] from;
          always_ff @(posedge clk) begin
            waiting[now[Bits-1:0]] <= came;
            from <= now[Bits-1:0] - Bits'(Wait - 2);
            next <= waiting[from];
          end
        end
      end
      wiresum_header_unit step (
          .clk,
          .next_bytes(next[31:0]),
          .next_present(next[32]),
          .unit(8'(u)),
          .walk(at_before),
          .found(found_before),
          .walk_behind(at_behind),
          .found_behind
      );
      always_ff @(posedge clk) begin
        at <= at_behind;
        found <= found_behind;
      end
    end
    always_ff @(posedge clk) begin
      valid <= rst ? '0 : {valid[Units:First], s_axis_tvalid && ended && !told};
      m_found_valid <= valid[Units+1] && !rst;
      m_found <= g_stage[Units-1].found;
      if (!g_stage[Units-1].at[WalkBits-1]) m_found[1] <= 1'b1;  // deep
    end
  end
endmodule
